"""Shuangkou: the rules, tables and bots of the climbing card game 双扣."""
