"""Shuangkou: the rules, tables and bots of the climbing card game 双扣."""

__version__ = "0.1.0"
