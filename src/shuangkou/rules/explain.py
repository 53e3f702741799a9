"""A variant in words for players, made from its fields only; every sentence names the clause it tells.

The text is plain and fits 80 columns of a terminal, where a Chinese character is two columns wide.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Final
from unicodedata import category, east_asian_width

from shuangkou.rules.variant import Base, Duel, Edition, Escape, Points, Repeated, StarTable, Variant
from shuangkou.rules.words import KIND, RESULT, UNIT, Language

COLUMNS: Final = 80

_RANK_LINE: Final = "2 A K Q J 10 9 8 7 6 5 4 3"
_GLUE: Final = "\u00a0"  # a space that a line is not broken at
_ATOM: Final = re.compile(r"\[[^\]]*\]|[^ \u2e80-\uffef]+|[\u2e80-\uffef]| +")
_CLOSING: Final = f"，。；：、）！？”》」{_GLUE}"
_OPENING: Final = f"（“《「{_GLUE}"


def explain_variant(variant: Variant, lang: Language = "zh") -> str:
    """The rules of a variant in Chinese or English, as plain text in lines of at most 80 columns."""
    return _Explanation(variant, lang).text()


@cache
def _columns(character: str) -> int:
    if category(character) in {"Cf", "Cc", "Me", "Mn"}:
        return 0
    return 2 if east_asian_width(character) in "WF" else 1


def columns(text: str) -> int:
    """How many columns of a terminal a text takes: Chinese characters take two."""
    return sum(map(_columns, text))


def wrap(text: str, first: str = "", rest: str = "", width: int = COLUMNS) -> list[str]:
    """Lines of at most ``width`` columns, broken between words and Chinese characters.

    The first begins with ``first`` (and the blanks that the text begins with), the others with ``rest``. A word that
    is wider than a line is broken.
    """
    made: list[str] = []
    begin = line = first + text[: len(text) - len(text.lstrip(" "))]
    blank = True  # nothing but the indentation yet
    for atom in _atoms(text):
        if blank and atom.isspace():
            continue
        if not blank and columns(line + atom.rstrip()) > width:
            made.append(line)
            begin = line = rest
            blank = atom.isspace()
            if blank:
                continue
        line += atom
        blank = False
        while columns(line.rstrip()) > width and len(line) > len(begin) + 1:
            keep = next((i for i in range(len(line), len(begin) + 1, -1) if columns(line[:i]) <= width), len(begin) + 1)
            made.append(line[:keep])
            begin, line = rest, rest + line[keep:]
    return [line.rstrip().replace(_GLUE, " ") for line in [*made, line]]


def _atoms(text: str) -> list[str]:
    """What a line may not be broken inside: words, Chinese characters with the punctuation that belongs to them."""
    atoms: list[str] = []
    opened = False
    for atom in _ATOM.findall(text):
        if atoms and (opened or (atom[0] in _CLOSING and not atoms[-1].isspace())):
            atoms[-1] += atom
        else:
            atoms.append(atom)
        opened = atom[-1] in _OPENING
    return atoms


class _Explanation:
    """The sections of one explanation. ``say`` gets each sentence in both languages and keeps one of them."""

    def __init__(self, variant: Variant, lang: Language) -> None:
        self.variant = variant
        self.zh = lang == "zh"
        self.lang: Language = lang
        self.lines: list[str] = []
        self.sections = 0

    def text(self) -> str:
        v = self.variant
        names = (v.name.zh, v.name.en) if self.zh else (v.name.en, v.name.zh)
        title = f"{names[0]} · {names[1]}"
        self.lines += [*wrap(title), "=" * min(columns(title), COLUMNS), ""]
        self.lines += wrap(v.about.zh if self.zh else v.about.en)
        self.cards()
        self.wild()
        self.combinations()
        self.order()
        self.course()
        if v.points is not None:
            self.points(v.points)
        if v.duel is not None:
            self.duel(v.duel)
        return "\n".join(self.lines) + "\n"

    # Building blocks

    def pick(self, zh: str, en: str) -> str:
        return zh if self.zh else en

    def section(self, zh: str, en: str) -> None:
        self.sections += 1
        title = self.pick(f"{'一二三四五六七八九'[self.sections - 1]}、{zh}", f"{self.sections}. {en}")
        self.lines += ["", title, "-" * columns(title)]

    def say(self, clause: str, zh: str, en: str) -> None:
        self.lines += wrap(f"{self.pick(zh, en)} [{clause}]", "- ", "  ")

    def rows(self, rows: Sequence[Sequence[str]], *, right: bool = False) -> None:
        """A small table; the last column is wrapped, or all columns but the first stand to the right."""
        widths = [max(columns(row[i]) for row in rows) for i in range(len(rows[0]))]
        for row in rows:
            if right:
                cells = [_left(row[0], widths[0])]
                cells += [_right(cell, size) for cell, size in zip(row[1:], widths[1:], strict=True)]
                self.lines.append(("    " + "   ".join(cells)).rstrip())
            else:
                head = "    " + "  ".join(_left(c, w) for c, w in zip(row[:-1], widths[:-1], strict=True)) + "  "
                self.lines += wrap(row[-1], head, " " * columns(head))

    def kind(self, kind: str) -> str:
        return KIND[kind][self.lang]

    def join(self, parts: Sequence[str]) -> str:
        return self.pick("，", ", ").join(parts)

    def stars(self, table: StarTable, zh: str, en: str) -> str:
        """A table of stars in a sentence: ``5 星 ×2，6 星 ×4，8 星及以上 ×16``."""
        parts = []
        for (stars, value), following in zip(table, (*table[1:], None), strict=False):
            word = self.pick("星", "star" if stars == 1 else "stars")
            if following is None:
                span = self.pick(f"{stars}~星及以上", f"{stars} or more~stars")
            elif following[0] == stars + 1:
                span = f"{stars}~{word}"
            else:
                span = f"{stars}-{following[0] - 1}~{word}"
            parts.append(f"{span}~{self.pick(zh, en).format(value)}".replace("~", _GLUE))
        return self.join(parts)

    # Sections

    def cards(self) -> None:
        v = self.variant
        self.section("牌和座位", "Cards and seats")
        if v.players == 4:
            self.say(
                "R1.2", "四人，两副牌共 108 张，每人 27 张。", "Four players, two packs of 108 cards, 27 cards each."
            )
        else:
            self.say(
                "R1.2",
                "二人，两副牌共 108 张，每人 27 张，其余 54 张扣下不看。",
                "Two players, two packs of 108 cards, 27 cards each; the other 54 are set aside unseen.",
            )
        self.say(
            "R1.1",
            f"从大到小：大王 小王 {_RANK_LINE}。出牌不分花色。",
            f"High to low: big joker, small joker, {_RANK_LINE}. Suits do not matter in play.",
        )
        if v.players == 4:
            self.say(
                "R1.3",
                "逆时针轮流出牌，对坐的两人是一边。",
                "Play goes anticlockwise; players who sit opposite are partners.",
            )
        if v.turned_up_card and v.players == 4:
            self.say(
                "R1.4",
                "翻一张明牌：拿到它的人先出，拿到另一张同样牌的人做他的对家，不在对面就和对面的人换座。"
                "两张在同一手，座位不动。换过的座位下一副照旧。",
                "A card is turned up: who is dealt it leads, and who holds its twin becomes the leader's partner, "
                "changing seats with the player opposite if need be. With both in one hand nobody moves. The seats "
                "stay for the next deal.",
            )
        elif v.turned_up_card:
            self.say(
                "R1.5",
                "从发出的 54 张里翻一张明牌，拿到它的人先出。",
                "One of the 54 cards dealt is turned up; its holder leads.",
            )
        else:
            if v.players == 4:
                self.say("R1.6", "没有明牌，对家固定。", "No card is turned up; partners are fixed.")
            else:
                self.say("R1.6", "没有明牌。", "No card is turned up.")
            self.next_lead()

    def next_lead(self) -> None:
        lead = self.variant.next_lead
        who = {
            "random": self.pick("随机一人先出", "a player drawn at random leads"),
            "first_out": self.pick("先出完的人先出", "the first one out leads"),
        }
        after = self.pick("{}后{}", "after a {} {}")
        nexts = [
            after.format(RESULT[result][self.lang], who[leads])
            for result, leads in (("double", lead.double), ("single", lead.single), ("level", lead.level))
        ]
        self.say(
            "R1.6",
            f"第一副随机一人先出。下一副：{self.join(nexts)}。",
            f"The first lead is drawn at random. Next deal: {self.join(nexts)}.",
        )

    def wild(self) -> None:
        wild = self.variant.wild
        self.section("财神", "Wild cards")
        if wild.jokers == "none":
            self.say("R3.1", "没有财神，王只是王。", "There are no wild cards; a joker is only itself.")
        else:
            which = {"big": ("两张大王", "The two big jokers are"), "all": ("四张王都", "All four jokers are")}[
                wild.jokers
            ]
            self.say("R3.1", f"{which[0]}是财神。", f"{which[1]} wild.")
            self.say(
                "R3.2",
                "和别的牌一起出时，财神可以当任何点数，2 也可以；每张财神都要用在牌型里。",
                "Played with other cards, a wild card stands for any rank, 2 included; each must be part of the "
                "combination.",
            )
        self.say(
            "R3.3",
            "王自己出时就是王：单张，或者一对小王、一对大王。"
            + {
                "none": "大小王各一张不成牌型。",
                "small": "大小王各一张算一对小王。",
                "big": "大小王各一张算一对大王。",
            }[wild.mixed_pair],
            "Jokers among themselves are jokers: a single, a pair of small ones, a pair of big ones. One of each is "
            + {"none": "nothing.", "small": "a pair of small jokers.", "big": "a pair of big jokers."}[wild.mixed_pair],
        )
        if wild.jokers != "none":
            kinds = self.pick("、", ", ").join(self.kind(kind) for kind in wild.kind_order)
            self.say(
                "R3.4, R3.5",
                f"同样的牌有几种读法时取最大的：先炸弹，再依次{kinds}，再比点数。跟牌时在压得住的读法里取最大的。",
                f"Where cards can be read in several ways the strongest counts: a bomb first, then {kinds}, then the "
                "higher rank. On a follow it is the strongest that beats the table.",
            )
            self.say(
                "R3.6",
                "出牌时可以说明当哪种牌型。",
                "A player may name another kind that the same cards make.",
            )

    def combinations(self) -> None:
        v = self.variant
        pick = self.pick
        self.section("牌型", "Combinations")
        rows = [
            ("single", pick("任意一张", "any card")),
            ("pair", pick("点数相同的两张", "two of one rank")),
            ("triple", pick("点数相同的三张，王除外", "three of one rank, no jokers by themselves")),
        ]
        for kind, run, each in (
            ("straight", v.straight, 1),
            ("pair_run", v.pair_run, 2),
            ("triple_run", v.triple_run, 3),
        ):
            span = self.span(run.min_ranks, run.max_ranks)
            rows.append(
                (
                    kind,
                    pick(
                        f"3 到 A 之间 {span} 个点数相连，各 {each} 张",
                        f"{span} ranks in a row within 3..A, {each} of each",
                    ),
                )
            )
        width = self.span(4, v.bomb.max_width)
        counted = ("", "") if v.wild.jokers == "none" else ("，财神在内", ", wild cards counted")
        rows.append(("bomb", pick(f"点数相同的 {width} 张{counted[0]}", f"{width} of one rank{counted[1]}")))
        chain = v.chain
        if chain.max_groups:
            span = self.span(chain.min_groups, chain.max_groups)
            within = pick("点数过 2 成环（KA2、A23），", "in a circle through 2 (KA2, A23)") if chain.circle else ""
            within = within or pick("3 到 A 之间", "within 3..A")
            groups = pick("各组张数可以不等", "groups may be unequal") if chain.unequal else ""
            groups = groups or pick("各组张数相同", "all groups equal")
            rows.append(
                (
                    "chain",
                    pick(
                        f"{within}{'' if chain.circle else ' '}{span} 组点数相连，每组 {width} 张，{groups}",
                        f"{span} ranks in a row {within}, {width} of each, {groups}",
                    ),
                )
            )
        jokers = v.joker_bombs
        if jokers.three_stars:
            rows.append(("three", pick("任意三张真的王", "any three real jokers")))
        if jokers.four_stars:
            rows.append(("four", pick("四张王", "all four jokers")))
        names = {"three": pick("三王", "three jokers"), "four": pick("天王", "four jokers")}
        self.rows([(names.get(kind) or self.kind(kind), text) for kind, text in rows])
        if not chain.max_groups:
            self.say("R2.4", "没有连环炸弹。", "There are no chain bombs.")
        if not (jokers.three_stars and jokers.four_stars):
            none = [name for name, stars in (("three", jokers.three_stars), ("four", jokers.four_stars)) if not stars]
            self.say(
                "R2",
                f"{'、'.join({'three': '三张王', 'four': '四张王'}[name] for name in none)}不成牌型。",
                f"{' and '.join(none).capitalize()} jokers by themselves are nothing.",
            )
        self.say(
            "R2.1, R2.2",
            "不能带牌，没有三带二。A 不能当 1，10JQKA 是五张里最大的顺子。",
            "Nothing may be carried along, no triple with a pair. The ace is never low: 10JQKA is the highest straight "
            "of five.",
        )

    def span(self, low: int, high: int) -> str:
        return str(low) if low == high else self.pick(f"{low} 到 {high}", f"{low} to {high}")

    def order(self) -> None:
        v = self.variant
        jokers = v.joker_bombs
        self.section("大小", "What beats what")
        self.say(
            "R4.1, R4.2",
            "不是炸弹的，要同牌型、同张数、点数更大才能压；一样大压不了。炸弹压一切不是炸弹的牌。",
            "What is not a bomb is beaten by the same kind with the same number of cards and a higher rank; equal "
            "never beats. A bomb beats everything that is not a bomb.",
        )
        stars = [(self.pick("n 张的炸弹", "a bomb of n cards"), self.pick("n 星", "n stars"))]
        if v.chain.max_groups:
            stars.append(
                (
                    self.pick("Y 组、每组 X 张的连环炸弹", "a chain of Y groups of X cards"),
                    self.pick("X+Y 星", "X+Y stars"),
                )
            )
        if jokers.three_stars:
            stars.append(
                (
                    self.pick("三王", "three jokers"),
                    self.pick(f"{jokers.three_stars} 星", f"{jokers.three_stars} stars"),
                )
            )
        if jokers.four_stars:
            stars.append(
                (self.pick("天王", "four jokers"), self.pick(f"{jokers.four_stars} 星", f"{jokers.four_stars} stars"))
            )
        self.say("R4.3", "炸弹比星数，星多的大：", "Bombs compare by stars, more is stronger:")
        self.rows(stars)
        self.say("R4.4", f"星数相同的：{'；'.join(self.ties())}。", f"Of equal stars: {'; '.join(self.ties())}.")
        if v.chain.unequal:
            self.say(
                "R4.5",
                "各组不等的连环炸弹按最少的一组算每组张数，X×Y 算它的张数。星数和 X×Y 都相同时，相等的压不等的，"
                "两个不等的互相压不了。",
                "A chain with unequal groups counts as its smallest group, X*Y cards. Of equal stars and equal X*Y an "
                "equal chain beats every unequal one, and two unequal ones never beat each other.",
            )

    def ties(self) -> list[str]:
        """How bombs of equal stars compare, one step after the other."""
        v = self.variant
        pick = self.pick
        steps = []
        for name, stars, place in (
            (pick("三王", "three jokers"), v.joker_bombs.three_stars, v.joker_bombs.three_place),
            (pick("天王", "four jokers"), v.joker_bombs.four_stars, v.joker_bombs.four_place),
        ):
            if stars and place == "lowest":
                steps.append(pick(f"{name}小于别的 {stars} 星炸弹", f"{name} are below every other {stars}"))
            elif stars:
                steps.append(pick(f"{name}大于别的 {stars} 星炸弹", f"{name} are above every other {stars}"))
        if v.bomb_order.fewer_cards_first:
            steps.append(pick("其余的，张数少的大", "of the others fewer cards are stronger"))
        else:
            steps.append(pick("其余的，不论张数", "of the others the number of cards does not matter"))
        if v.chain.circle:
            steps.append(
                pick(
                    "再比点数，连环炸弹看最后一个点数，2 最小", "then the higher rank, of chains the last one, 2 lowest"
                )
            )
        else:
            steps.append(pick("再比点数", "then the higher rank"))
        if v.bomb_order.natural_first:
            steps.append(pick("还相同，没有财神的（硬的）大", "then one without wild cards beats one with"))
        return steps

    def course(self) -> None:
        v = self.variant
        self.section("出牌", "Course of a deal")
        self.say(
            "R5.1, R5.2",
            "先出的人必须出牌，别人压或者过；过了，轮到时还可以出。别人都过了，最后出牌的人收下这一轮，再先出。",
            "The leader must play; others beat or pass, and may play again when their turn returns. When all others "
            "have passed, the last to play leads again.",
        )
        if v.players == 2:
            self.say("R5.4", "一人出完，这副就结束。", "The deal ends when one player is out.")
            self.results()
            return
        self.say(
            "R5.3",
            "出完的人最后一手没人压，对家接风先出；有人压就由压的人先出，压的人也出完了就由他的对家先出。",
            "If nobody beats a player's last cards, the partner inherits the lead; otherwise who beat them leads, or "
            "if out too that player's partner.",
        )
        self.say(
            "R5.4",
            "一边两人都出完，或者三人出完，这副就结束。",
            "The deal ends when both players of a side are out, or three players.",
        )
        self.say(
            "R5.6",
            "一边得第一、第二是双扣；第一、第三是单扣；第一、第四是平扣。",
            "First and second on one side is a double, first and third a single, first and fourth a level.",
        )
        if v.places_after_double == "turn_order":
            self.say(
                "R5.5",
                "双扣时没出完的两人，从第二名起按出牌顺序，先轮到的是第三名。",
                "After a double the two who still hold cards are third and fourth in turn order after the second.",
            )
        else:
            self.say(
                "R5.5",
                "双扣时没出完的两人，手里牌少的是第三名；一样多的，从第二名起按出牌顺序。",
                "After a double who of the two left holds fewer cards is third; if they hold as many, who comes first "
                "in turn order after the second.",
            )

    def results(self) -> None:
        duel = self.variant.duel
        if duel is None:
            return
        single, double = duel.results.single, duel.results.double
        spans = (("level", 1, single - 1), ("single", single, double - 1), ("double", double, 27))
        parts = [
            self.pick(f"{low}-{high} 张{RESULT[result]['zh']}", f"{low}-{high} {RESULT[result]['en']}")
            for result, low, high in spans
            if low <= high
        ]
        self.say(
            "R5.6",
            f"看输家手里剩几张：{self.join(parts)}。",
            f"The result goes by the cards left in the loser's hand: {self.join(parts)}.",
        )

    # Points

    def points(self, points: Points) -> None:
        self.section("计分", "Points")
        self.say("R6.1", "底分按名次。积分房：", "Base points by place. Rooms for points:")
        self.base(points.base)
        self.say("R6.1", "金币房和银子房：", "Rooms for coins and silver:")
        self.base(points.base_money)
        if points.multiplier > 1:
            self.say(
                "R6.2",
                f"底分乘固定倍数 {points.multiplier}。",
                f"The base is multiplied by {points.multiplier}.",
            )
        if points.doubling:
            table = self.stars(points.doubling, "×{}", "x{}")
            self.say(
                "R6.2",
                f"第一名一边打出的炸弹，星数最多的一个翻倍，只翻一次：{table}。底分都乘这个倍数。",
                "The bomb with the most stars that the first finisher's side played doubles the whole base, once: "
                f"{table}.",
            )
        else:
            self.say("R6.2", "炸弹不翻倍。", "Bombs do not double.")
        if points.contribution:
            gained = tuple((stars, 3 * paid) for stars, paid in points.contribution)
            gains = self.stars(gained, "+{}", "+{}")
            self.say(
                "R6.3",
                f"打出一个炸弹得贡献分：{gains}；其余三家（对家也是）各出三分之一。贡献分不翻倍。",
                f"Each bomb played earns its player a contribution: {gains}; the other three, the partner "
                "too, pay a third each. It is never doubled.",
            )
        else:
            self.say("R6.3", "没有贡献分。", "There is no contribution.")
        self.say("R6.4", "得分 = 底分 × 倍数 + 贡献分。", "Points = base x factors + contributions.")
        coins, silver = points.coins, points.silver

        def fee(amount: int) -> str:
            return self.pick(f" − 台费 {amount:,}", f" - fee {amount:,}") if amount else ""

        self.say(
            "R6.5",
            f"金币房：每人金币变化 = 得分 × {coins.coefficient:,}{fee(coins.fee)}。",
            f"Rooms for coins: a player's coins change by points x {coins.coefficient:,}{fee(coins.fee)}.",
        )
        self.say(
            "R6.7",
            f"银子房：每人银子变化 = 得分 × {silver.coefficient:,}{fee(silver.fee)}，"
            + ("计贡献分。" if silver.contribution else "不计贡献分。"),
            f"Rooms for silver: a player's silver changes by points x {silver.coefficient:,}{fee(silver.fee)}, "
            + ("contributions included." if silver.contribution else "without contributions."),
        )

    def base(self, base: Base) -> None:
        head = self.pick(" 第一 第二 第三 第四", " 1st 2nd 3rd 4th").split(" ")
        rows = [
            (RESULT[result][self.lang], *(f"{value:+d}" if value else "0" for value in row))
            for result, row in (("double", base.double), ("single", base.single), ("level", base.level))
        ]
        self.rows([head, *rows], right=True)

    def duel(self, duel: Duel) -> None:
        self.section("计分", "Points")
        self.say(
            "R7.5",
            "赢家得 X×a×b + X×(赢家的 c − 输家的 c)，输家付同样多；可能是负数。",
            "The winner gets X*a*b + X*(the winner's c - the loser's c), the loser pays as much; it may be negative.",
        )
        factors = duel.factors
        parts = [
            f"{RESULT[result][self.lang]} {factor}"
            for result, factor in (("level", factors.level), ("single", factors.single), ("double", factors.double))
        ]
        self.say(
            "R7.1",
            "X 是对局分，由两人中较低的级别定，开局时定下。",
            "X is the stake, by the lower of the players' levels, fixed when the deal starts.",
        )
        self.say("R7.2", f"a 看胜负：{self.join(parts)}。", f"a goes by the result: {self.join(parts)}.")
        self.say(
            "R7.3, R7.4",
            "b 是翻倍，看赢家的计星；c 是贡献，"
            + {"best": "看各人自己的计星。", "each": "各人打出的每个炸弹按自己的星数各算一份，加在一起。"}[
                duel.contribution_counts
            ],
            "b is the doubling by the winner's counted stars, c the contribution "
            + {
                "best": "by each player's own.",
                "each": "of each player: the sum over the bombs, each by its own stars.",
            }[duel.contribution_counts],
        )
        self.say(
            "R7.6",
            "计星：打出的最好的炸弹的星数"
            + ("；或者下面算出的更多的星。" if duel.bombs_in_step or duel.repeated_bombs else "。"),
            "Counted stars: those of the best bomb played"
            + (", or more by what follows." if duel.bombs_in_step or duel.repeated_bombs else "."),
        )
        within = (
            self.pick("（3 到 A，以及 A 和 2、2 和 3）", "(3..A, also A and 2, 2 and 3)")
            if self.variant.chain.circle
            else self.pick("（3 到 A）", "(3..A)")
        )
        if duel.bombs_in_step:
            more = duel.step_stars
            self.say(
                "R7.7",
                f"同一人先后打出两个同张数、点数相邻的炸弹{within}，多算 {more} 星；连环炸弹和王炸不算。",
                f"Two bombs of one player with equal width and neighbouring ranks {within} count "
                f"{more} star{'s' if more > 1 else ''} more; chains and joker bombs take no part.",
            )
        if duel.repeated_bombs:
            lines = self.join([self.repeated(line) for line in duel.repeated])
            if duel.repeated_neighbours:
                which = self.pick("点数不论", "of any ranks")
            else:
                which = self.pick(
                    f"其中和另一个点数相邻{within}的不算",
                    f"without those that have another one on a neighbouring rank {within}",
                )
            self.say(
                "R7.8",
                f"同一人打出几个同张数的炸弹，{which}：{lines}。更多的按最后一项。",
                f"Several bombs of one player with equal width, {which}: {lines}. More count as the last entry.",
            )
        for edition in duel.editions:
            self.edition(edition)

    def repeated(self, line: Repeated) -> str:
        return self.pick(
            f"{line.count} 个 {line.width} 张的算 {line.stars} 星",
            f"{line.count} bombs of {line.width} count as {line.stars} stars",
        )

    def edition(self, edition: Edition) -> None:
        zh, en = UNIT[edition.id]["zh"], UNIT[edition.id]["en"]
        self.section(f"{zh}版", f"Edition for {en}")
        self.say("R7.1", "级别、所需和对局分：", "Levels, what they need, and the stake:")
        head = self.pick(f"级别 {zh} 对局分", f"level {en} stake").split(" ")
        rows = [[f"{line.level}", f"{line.needs:,}", f"{line.stake:,}"] for line in edition.levels]
        self.rows([head, *rows], right=True)
        if edition.levels[0].needs:
            self.say(
                "R7.1",
                f"不到 {edition.levels[0].needs:,} {zh}不能入座。",
                f"Nobody with fewer than {edition.levels[0].needs:,} {en} is seated.",
            )
        doubling = self.stars(edition.doubling, "×{}", "x{}")
        self.say(
            "R7.3",
            f"翻倍 b：{doubling}；不到的 ×1。" if doubling else "炸弹不翻倍，b 是 1。",
            f"Doubling b: {doubling}; fewer x1." if doubling else "Bombs do not double: b is 1.",
        )
        contribution = self.stars(edition.contribution, "{}", "{}")
        self.say(
            "R7.4",
            f"贡献 c：{contribution}；不到的 0。" if contribution else "没有贡献，c 是 0。",
            f"Contribution c: {contribution}; fewer 0." if contribution else "There is no contribution: c is 0.",
        )
        self.escape(edition.escape)

    def escape(self, escape: Escape) -> None:
        more = self.pick(
            f"X×对方的 c，对方的 b 大于 1 时再付 X×{escape.doubling_factor}×b",
            f"X*c of the opponent and, if the opponent's b is above 1, X*{escape.doubling_factor}*b",
        )
        self.say(
            "R7.9",
            f"逃跑的付 {escape.factor}×X；"
            + (f"出过牌的另付 {more}。" if escape.only_if_played else f"出没出过牌都另付 {more}。")
            + "逃跑的人自己的炸弹不算。"
            + ("总数不少于输一个双扣。" if escape.at_least_lost_double else ""),
            f"A fugitive pays {escape.factor}*X and, "
            + ("having played any card, " if escape.only_if_played else "whether or not having played, ")
            + f"{more}. The fugitive's own bombs count for nothing."
            + (" It is never less than a lost double." if escape.at_least_lost_double else ""),
        )
        self.say(
            "R7.9",
            f"对方得付出的 {escape.share_percent}%（去掉零头），其余归平台。",
            f"The opponent gets {escape.share_percent} % of the payment (rounded down), the house the rest.",
        )


def _left(text: str, width: int) -> str:
    return text + " " * (width - columns(text))


def _right(text: str, width: int) -> str:
    return " " * (width - columns(text)) + text
