"""The rules' terms in Chinese and English: one table, used wherever the rules speak to people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from shuangkou.rules.cards import RANKS

if TYPE_CHECKING:
    from shuangkou.rules.combination import Reading

Language = Literal["zh", "en"]
"""Chinese or English: what the rules speak to people."""
LANGUAGES: Final[tuple[Language, ...]] = ("zh", "en")

KIND: Final[dict[str, dict[Language, str]]] = {
    "single": {"zh": "单张", "en": "single"},
    "pair": {"zh": "对子", "en": "pair"},
    "triple": {"zh": "三张", "en": "triple"},
    "straight": {"zh": "顺子", "en": "straight"},
    "pair_run": {"zh": "连对", "en": "pair run"},
    "triple_run": {"zh": "连三张", "en": "triple run"},
    "bomb": {"zh": "炸弹", "en": "bomb"},
    "chain": {"zh": "连环炸弹", "en": "chain bomb"},
    "jokers": {"zh": "王炸", "en": "joker bomb"},
}

RESULT: Final[dict[str, dict[Language, str]]] = {
    "double": {"zh": "双扣", "en": "double"},
    "single": {"zh": "单扣", "en": "single"},
    "level": {"zh": "平扣", "en": "level"},
}

UNIT: Final[dict[str, dict[Language, str]]] = {
    "points": {"zh": "积分", "en": "points"},
    "coins": {"zh": "金币", "en": "coins"},
    "silver": {"zh": "银子", "en": "silver"},
}

PASSED: Final[dict[Language, str]] = {"zh": "过", "en": "pass"}

REFUSAL: Final[dict[str, dict[Language, str]]] = {
    "not_held": {"zh": "手里没有这些牌：{cards}", "en": "you don't hold these cards: {cards}"},
    "carried": {
        "zh": "不能带牌：每一张都要属于牌型（没有三带二，也不能多带一张财神）",
        "en": "nothing may be carried along: every card, a wild card too, must be part of the combination",
    },
    "too_short": {
        "zh": "太短：顺子至少 {straight} 连，连对至少 {pair_run} 连，连三张至少 {triple_run} 连",
        "en": "too short: a straight needs {straight} ranks, a pair run {pair_run}, a triple run {triple_run}",
    },
    "too_long": {
        "zh": "太长：顺子最多 {most_straight} 连，连对最多 {most_pair_run} 连，连三张最多 {most_triple_run} 连",
        "en": "too long: a straight has at most {most_straight} ranks, a pair run {most_pair_run}, "
        "a triple run {most_triple_run}",
    },
    "no_two_in_runs": {"zh": "这里 2 不能连：只能连到 A", "en": "no 2 in a row of ranks here: it ends at the ace"},
    "jokers_not_wild": {
        "zh": "这张王不是财神，不能和别的牌一起出",
        "en": "a joker that is not wild cannot be played with other cards",
    },
    "jokers_alone": {"zh": "这几张王不成牌型", "en": "these jokers make no combination by themselves"},
    "too_wide": {
        "zh": "炸弹同一点数最多 {width} 张",
        "en": "a bomb has at most {width} cards of one rank",
    },
    "two_groups": {"zh": "连环炸弹至少 {groups} 组", "en": "a chain bomb needs at least {groups} groups"},
    "too_many_groups": {
        "zh": "连环炸弹最多 {most_groups} 组",
        "en": "a chain bomb has at most {most_groups} groups",
    },
    "no_chains": {"zh": "这个玩法没有连环炸弹", "en": "this variant has no chain bombs"},
    "groups_differ": {"zh": "连环炸弹的每组张数要相同", "en": "all groups of a chain bomb must be equal"},
    "no_combination": {"zh": "这些牌不成牌型", "en": "these cards are no combination"},
    "not_that_kind": {
        "zh": "这些牌不能当{kind}出，只能当{reading}",
        "en": "these cards make no {kind}; they are a {reading}",
    },
    "other_kind": {"zh": "{reading}不能压{table}：牌型不同", "en": "a {reading} does not beat a {table}: another kind"},
    "other_length": {
        "zh": "{reading}不能压{table}：张数不同",
        "en": "a {reading} does not beat a {table}: another number of cards",
    },
    "not_higher": {"zh": "{reading}不比{table}大", "en": "a {reading} is not higher than a {table}"},
    "weaker_bomb": {"zh": "{reading}不比{table}大", "en": "a {reading} is not stronger than a {table}"},
    "needs_bomb": {"zh": "只有更大的炸弹能压{table}", "en": "only a stronger bomb beats a {table}"},
}

NOT_NOW: Final[dict[str, dict[Language, str]]] = {  # refused before the cards are looked at, or for their suits
    "deal_over": {"zh": "这一副已经打完", "en": "the deal is over"},
    "not_your_turn": {"zh": "现在轮到座位 {seat}", "en": "it is the turn of seat {seat}"},
    "must_lead": {"zh": "先出的人必须出牌", "en": "whoever leads must play"},
    "no_suits": {"zh": "这一副牌没有花色", "en": "this deal has no suits"},
    "other_suits": {
        "zh": "手里没有这几张花色的牌：{cards}；花色可以不写",
        "en": "you don't hold these suits: {cards}; suits need not be written",
    },
}


def rank_name(rank: int) -> str:
    """A rank as people write it: ``10`` for the ten."""
    return "10" if RANKS[rank] == "T" else RANKS[rank]


def describe(reading: Reading, language: Language = "zh") -> str:
    """A reading in words: ``顺子 5-9``, ``chain bomb 4-6, 3 x 4, 7 stars``."""
    kind, start, top = reading.kind, reading.combination.start, reading.top
    name = KIND[kind][language]
    if kind == "jokers":
        name = {"zh": {3: "三王", 4: "天王"}, "en": {3: "three jokers", 4: "four jokers"}}[language][reading.width]
    elif reading.groups > 1:
        name += f" {rank_name(start)}-{rank_name(top)}"
    else:
        name += f" {rank_name(top)}"
    if kind in ("bomb", "jokers"):
        name += {"zh": f"（{reading.stars} 星）", "en": f", {reading.stars} stars"}[language]
    elif kind == "chain":
        loose = {"zh": "不等，", "en": "unequal "}[language] if reading.unequal else ""
        shape = f"{loose}{reading.groups}×{reading.width}"
        name += {"zh": f"（{shape}，{reading.stars} 星）", "en": f", {shape}, {reading.stars} stars"}[language]
    return name
