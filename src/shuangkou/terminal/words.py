"""What the terminal says, in Chinese and English, and the words it understands."""

from __future__ import annotations

import errno
import os
import unicodedata
from typing import Final, Literal

from shuangkou.rules.cards import COPIES, MAX_CARDS, ONE, RANKS, Card, Counts, parse_cards
from shuangkou.rules.combination import KINDS
from shuangkou.rules.errors import BadCards
from shuangkou.rules.words import KIND, Language

NAMES: Final[dict[Language, tuple[str, ...]]] = {
    "zh": ("你", "阿林", "小梅", "老陶"),
    "en": ("You", "Lin", "Mei", "Tao"),
}
"""The players: the person first, then the bots."""

PERSON_IN_RECORDS: Final[dict[Language, str]] = {"zh": "玩家", "en": "Player"}

RELATION: Final[dict[Language, dict[int, tuple[str, ...]]]] = {
    "zh": {4: ("", "下家", "对家", "上家"), 2: ("", "对手")},
    "en": {4: ("", "right", "partner", "left"), 2: ("", "opponent")},
}
"""Where somebody sits, by how many turns after the own one (R1.3)."""

SUIT: Final[dict[Language, tuple[str, ...]]] = {
    "zh": ("黑桃", "红桃", "梅花", "方块"),
    "en": ("spades", "hearts", "clubs", "diamonds"),
}

COMMANDS: Final[dict[str, tuple[str, ...]]] = {
    "pass": ("pass", "p", "-", "过", "不要", "不出"),
    "hint": ("hint", "h", "提示"),
    "ok": ("ok", "yes", "y", "出", "好"),
    "list": ("list", "l", "列表", "可出"),
    "sort": ("sort", "排序", "理牌"),
    "auto": ("auto", "托管"),
    "autopass": ("autopass", "自动过"),
    "history": ("history", "历史", "出牌记录"),
    "score": ("score", "scores", "standings", "分数", "得分", "战绩"),
    "help": ("help", "?", "帮助"),
    "rules": ("rules", "规则"),
    "save": ("save", "保存"),
    "language": ("language", "lang", "语言"),
    "next": ("next", "下一副", "继续"),
    "quit": ("quit", "exit", "bye", "退出", "离开"),
}
_COMMAND_OF: Final = {word: name for name, words in COMMANDS.items() for word in words}

LANGUAGE_OF: Final[dict[str, Language]] = {
    "zh": "zh",
    "中文": "zh",
    "chinese": "zh",
    "en": "en",
    "英文": "en",
    "english": "en",
}
SORTING_OF: Final[dict[str, Literal["rank", "kind"]]] = {
    "rank": "rank",
    "ranks": "rank",
    "点数": "rank",
    "按点数": "rank",
    "kind": "kind",
    "kinds": "kind",
    "combination": "kind",
    "combinations": "kind",
    "牌型": "kind",
    "按牌型": "kind",
}
ON: Final = ("on", "yes", "开", "开启")
OFF: Final = ("off", "no", "关", "关闭", "取消")

_KIND_WORDS: Final[dict[str, str]] = {
    **{kind: kind for kind in KINDS},
    **{kind.replace("_", " "): kind for kind in KINDS},
    **{kind.replace("_", ""): kind for kind in KINDS},
    **{name.lower(): kind for kind, names in KIND.items() for name in names.values()},
    "chainbomb": "chain",
    "run": "straight",
    "一对": "pair",
    "三连对": "pair_run",
    "连三": "triple_run",
}

_TEXT: Final[dict[str, dict[Language, str]]] = {
    # the table
    "deal_number": {"zh": "第{n}副", "en": "deal {n}"},
    "stake": {"zh": "对局分{stake}", "en": "stake {stake}"},
    "cards_left": {"zh": "{n}张", "en": "{n} cards"},
    "card_left": {"zh": "1张", "en": "1 card"},
    "dealing_auto": {"zh": "托管中", "en": "auto-play on"},
    "your_lead": {"zh": "由你先出，出什么都行。", "en": "You lead: play anything."},
    "your_inherited": {
        "zh": "接风：{name}已出完，由你先出。",
        "en": "You inherit the lead: {name} is out. Play anything.",
    },
    "to_beat": {"zh": "要压 {name} 的 {play}", "en": "Beat {name}'s {play}"},
    "partner_of": {"zh": "对家{name}", "en": "your partner {name}"},
    "own_to_beat": {"zh": "台面是你的 {play}", "en": "On the table: your {play}"},
    "on_table": {"zh": "台面 {name} 的 {play}", "en": "On the table: {name}'s {play}"},
    "leads_now": {"zh": "{name} 先出", "en": "{name} leads"},
    "wild_as": {"zh": "财神当 {ranks}", "en": "wild as {ranks}"},
    "wild_more": {"zh": "财神作多余的牌", "en": "a wild card as surplus"},
    "and_more": {"zh": "和多余的牌", "en": " and a surplus card"},
    "wild_mark": {"zh": "财", "en": "*"},
    "joker_small": {"zh": "小王", "en": "the small joker"},
    "joker_big": {"zh": "大王", "en": "the big joker"},
    "card": {"zh": "{suit}{rank}", "en": "{rank} of {suit}"},
    "turned_up": {"zh": "明牌 {card}：", "en": "Turned up, {card}: "},
    "with_up": {"zh": "在{name}手里", "en": "{name} {has} it"},
    "gone_up": {"zh": "已出", "en": "played"},
    "with_twin": {"zh": "，另一张在{name}手里", "en": "; {name} {has} its twin"},
    "gone_twin": {"zh": "，另一张已出", "en": "; its twin is played"},
    "both_up": {"zh": "两张都在{name}手里", "en": "{name} {has} both"},
    "has_you": {"zh": "", "en": "have"},
    "has": {"zh": "", "en": "has"},
    "doubling": {"zh": "翻倍", "en": "Doubling"},
    "us": {"zh": "我方", "en": "us"},
    "them": {"zh": "对方", "en": "them"},
    "if_first": {"zh": "（先出完的一方算数）", "en": "(of the side that is out first)"},
    "contribution": {"zh": "贡献", "en": "Contributions"},
    "stars": {"zh": "{n}星", "en": "{n} stars"},
    "none_yet": {"zh": "无", "en": "none"},
    "counted": {"zh": "计星", "en": "Counted stars"},
    "counted_of": {
        "zh": "{name} {stars}（翻倍 {b}，贡献 {c}）",
        "en": "{name} {stars} (doubling {b}, contribution {c})",
    },
    "hand": {"zh": "你的手牌 {n} 张", "en": "Your hand, {n} cards"},
    "hand_one": {"zh": "你的手牌 1 张", "en": "Your hand, 1 card"},
    "wild_legend": {"zh": '，标"{mark}"的是财神', "en": ", {mark} is a wild card"},
    "by_rank": {"zh": "按点数", "en": "by rank"},
    "by_kind": {"zh": "按牌型", "en": "by combination"},
    "is_out": {"zh": "你已出完，{place}。", "en": "You are out: {place}."},
    "bombs": {"zh": "炸弹", "en": "bombs"},
    "jokers": {"zh": "王", "en": "jokers"},
    "prompt": {"zh": "出牌> ", "en": "play> "},
    "prompt_next": {"zh": "下一副> ", "en": "next> "},
    "keys": {
        "zh": "输入牌如 7777X，或：过 提示 列表 排序 托管 历史 战绩 规则 保存 帮助 退出",
        "en": "Cards like 7777X, or: pass hint list sort auto history score rules help quit",
    },
    "keys_wait": {"zh": "按任意键加快", "en": "any key: faster"},
    "keys_auto": {"zh": "按任意键或 Ctrl-C 收回", "en": "any key or Ctrl-C: take over"},
    "page": {
        "zh": "第 {page}/{pages} 页，回车：{next}",
        "en": "page {page}/{pages}, Enter: {next}",
    },
    "page_on": {"zh": "下一页", "en": "next page"},
    "page_back": {"zh": "回到牌桌", "en": "back to the table"},
    # what happens
    "begins": {"zh": "第{n}副开始。", "en": "Deal {n} begins."},
    "leads": {"zh": "{name}先出。", "en": "{name} leads."},
    "you_lead": {"zh": "你先出。", "en": "You lead."},
    "partners": {"zh": "{a}和{b}一方，{c}和{d}一方。", "en": "{a} and {b} against {c} and {d}."},
    "seats_change": {"zh": "按明牌换了座位。", "en": "Seats changed by the turned-up card."},
    "you_inherit": {"zh": "你接风。", "en": "You inherit the lead."},
    "inherits": {"zh": "{name}接风。", "en": "{name} inherits the lead."},
    "goes_out": {"zh": "{name}出完，{place}。", "en": "{name} is out: {place}."},
    "you_go_out": {"zh": "你出完了，{place}。", "en": "You are out: {place}."},
    "auto_passed": {"zh": "你没有能压的牌，自动过。", "en": "Nothing of yours beats this: passed for you."},
    "auto_played": {"zh": "托管：", "en": "auto-play: "},
    "bot_failed": {
        "zh": "{name}的机器人 {bot} 在第 {move} 手出错（{what}）。这副剩下的由托管替{name}出。",
        "en": "{name}'s bot {bot} failed at move {move} ({what}). Auto-play plays for {name} to the end of the deal.",
    },
    "auto_on": {
        "zh": "托管开：替你出最小的牌。收回：{how}。",
        "en": "Auto-play is on: it plays the least that does. To take over: {how}.",
    },
    "auto_how_keys": {"zh": "按任意键或 Ctrl-C", "en": "press any key or Ctrl-C"},
    "auto_how_pipe": {"zh": '这副结束后输入"托管 关"', "en": 'type "auto off" after the deal'},
    "auto_off": {"zh": "托管关，由你出牌。", "en": "Auto-play is off: you play."},
    "autopass_on": {"zh": "没有能压的牌时自动过：开。", "en": "Passing for you when nothing beats: on."},
    "autopass_off": {"zh": "没有能压的牌时自动过：关。", "en": "Passing for you when nothing beats: off."},
    "sorted_rank": {"zh": "手牌按点数排。", "en": "Hand sorted by rank."},
    "sort_how": {
        "zh": '"{word}"后面写"点数"或"牌型"，不写就换一种。',
        "en": 'After "{word}" write rank or kind; alone it changes between them.',
    },
    "sorted_kind": {"zh": "手牌按牌型排。", "en": "Hand sorted by combination."},
    "taken_as": {
        "zh": "算作{taken}；也可以出成：{others}。",
        "en": "Counted as {taken}; you could have named: {others}.",
    },
    "or_as": {"zh": "{cards} 当 {kind}（{reading}）", "en": "{cards} as {kind} ({reading})"},
    "hint": {"zh": "提示 {i}/{n}：{play}。", "en": "Hint {i}/{n}: {play}."},
    "hint_pass": {"zh": "提示 {i}/{n}：过。", "en": "Hint {i}/{n}: pass."},
    "hint_how": {"zh": '"ok"照出，再"提示"换一个。', "en": '"ok" does it, "hint" shows another.'},
    "hint_last": {"zh": '"ok"照出。', "en": '"ok" does it.'},
    "list_title": {"zh": "可以出的牌：用编号出，如 #3", "en": "What you can play: pick by number, like #3"},
    "nothing_beats": {"zh": "没有能压的牌，只能过。", "en": "Nothing of yours beats this: you can only pass."},
    # refusals of input
    "must_lead": {"zh": "轮到你先出，不能过。", "en": "You lead: you must play, not pass."},
    "unknown": {
        "zh": '看不懂"{text}"：不是牌，也不是命令。"帮助"列出命令。',
        "en": '"{text}" is neither cards nor a command. "help" lists the commands.',
    },
    "unknown_like": {
        "zh": '看不懂"{text}"，是不是"{like}"？',
        "en": '"{text}" is neither cards nor a command. Did you mean "{like}"?',
    },
    "bad_rank": {
        "zh": '"{ch}"不是牌。牌写作 3456789TJQKA2，小王 x，大王 X。',
        "en": '"{ch}" is no card. Ranks are 3456789TJQKA2, x the small joker, X the big one.',
    },
    "too_many": {
        "zh": "两副牌里没有 {n} 张 {rank}。",
        "en": "Two packs do not hold {n} of {rank}.",
    },
    "too_long": {"zh": "一手牌最多 27 张。", "en": "No hand has more than 27 cards."},
    "no_kind": {
        "zh": '没有"{text}"这种牌型。牌型：{kinds}。',
        "en": 'There is no kind "{text}". Kinds: {kinds}.',
    },
    "kind_missing": {
        "zh": "没有写是哪种牌型。牌型：{kinds}。",
        "en": "The kind is missing. Kinds: {kinds}.",
    },
    "bad_number": {
        "zh": "列表里没有 {text} 号，编号是 #1 到 #{n}。",
        "en": "There is no number {text} in the list: #1 to #{n}.",
    },
    "number_needs_mark": {
        "zh": "按编号出牌请写 #{text}。",
        "en": "To pick by number, write #{text}.",
    },
    "no_hint_yet": {"zh": '还没有提示，先输入"提示"。', "en": 'There is no hint yet: type "hint" first.'},
    "on_or_off": {"zh": '"{word}"后面写"开"或"关"。', "en": 'After "{word}" write on or off.'},
    "language_is": {"zh": "语言：中文。", "en": "Language: English."},
    "languages": {"zh": "语言：zh（中文）或 en（English）。", "en": "Languages: zh (Chinese) or en (English)."},
    "over_now": {"zh": "这副已经结束。回车开始下一副。", "en": "The deal is over. Enter begins the next one."},
    "not_over": {"zh": "这副还没有打完。", "en": "The deal is not over yet."},
    "refused": {"zh": "不行：{why}。", "en": "No: {why}."},
    # saving
    "nothing_to_save": {
        "zh": "还没有打完一副；打完的才能保存。",
        "en": "No deal is over yet; deals can be saved when they are.",
    },
    "saved": {"zh": "已保存到 {file}（{n}副）。", "en": "Saved to {file} ({n} deals)."},
    "saved_one": {"zh": "已保存到 {file}（1副）。", "en": "Saved to {file} (1 deal)."},
    "exists": {
        "zh": "{file} 已经存在，不覆盖；请换个名字。",
        "en": "{file} exists and is not overwritten; give another name.",
    },
    "no_file_name": {
        "zh": '"{text}"不是文件名；不写名字就按日期取名。',
        "en": '"{text}" is no file name; without one the file is named by the date.',
    },
    "cannot_save": {"zh": "不能保存到 {file}：{why}。", "en": "Cannot save to {file}: {why}."},
    # the end of a deal
    "result_4": {"zh": "{winners}：{result}", "en": "{result} for {winners}"},
    "result_2": {
        "zh": "{winner}赢：{result}，{loser}还剩 {n} 张",
        "en": "{winner} {wins}, a {result}: {loser} left with {n}",
    },
    "win": {"zh": "", "en": "win"},
    "wins": {"zh": "", "en": "wins"},
    "both": {"zh": "{a}和{b}", "en": "{a} and {b}"},
    "result_of_deal": {"zh": "第{n}副 {result}", "en": "Deal {n}: {result}"},
    "settlement": {"zh": "结算", "en": "Settlement"},
    "more_lines": {"zh": '还有 {n} 行，"战绩"看全部', "en": '{n} more lines: "score" shows all'},
    "head_player": {"zh": "名次", "en": "place"},
    "head_left": {"zh": "余牌", "en": "cards left"},
    "head_deal": {"zh": "本副", "en": "this deal"},
    "head_total": {"zh": "累计", "en": "in all"},
    "head_balance": {"zh": "余额", "en": "balance"},
    "seed": {
        "zh": "同样的牌再打一次：--seed {seed}",
        "en": "To play these cards again: --seed {seed}",
    },
    "seed_deal": {
        "zh": "同样的牌再打一次：--seed {seed} --deal {n}",
        "en": "To play these cards again: --seed {seed} --deal {n}",
    },
    "next_how": {
        "zh": "回车：下一副    保存 历史 战绩 帮助 退出",
        "en": "Enter: next deal    save history score help quit",
    },
    "cut_at_balance": {
        "zh": "{name}余额不够，只付 {paid}。",
        "en": "{name} could pay only {paid}.",
    },
    "refilled": {
        "zh": "{name}不足 {needs}，补足到 {amount}。",
        "en": "{name} fell below {needs} and {gets} {amount} again.",
    },
    "get": {"zh": "", "en": "get"},
    "gets": {"zh": "", "en": "gets"},
    "standings": {"zh": "{n}副之后：", "en": "After {n} deals: "},
    "standings_one": {"zh": "1副之后：", "en": "After 1 deal: "},
    "standings_none": {"zh": "还没有打完一副。", "en": "No deal has been played out."},
    "this_is_running": {"zh": "第{n}副正在打。", "en": "Deal {n} is being played."},
    "not_counted": {"zh": "没打完的这副不算。", "en": "The unfinished deal does not count."},
    "ctrl_c": {
        "zh": "再按一次 Ctrl-C 离开，或继续出牌。",
        "en": "Ctrl-C again leaves; or just go on.",
    },
    "input_ended": {"zh": "输入结束。", "en": "The input has ended."},
    "bye": {"zh": "再见！", "en": "Goodbye!"},
    "history_title": {"zh": "第{n}副出牌记录", "en": "Deal {n}, trick by trick"},
    "score_title": {"zh": "战绩", "en": "Score"},
    "help_title": {"zh": "帮助", "en": "Help"},
    "rules_title": {"zh": "规则：{name}", "en": "Rules: {name}"},
    "nothing_played": {"zh": "还没有人出牌。", "en": "Nothing has been played yet."},
    "trick": {"zh": "第{n}轮", "en": "trick {n}"},
    # replay
    "replay_move": {"zh": "第{i}/{n}手", "en": "move {i}/{n}"},
    "replay_end": {"zh": "结束：{result}", "en": "The end: {result}"},
    "replay_running": {
        "zh": "记录到此为止，这副没有打完。",
        "en": "The record stops here: the deal was not played out.",
    },
    "replay_keys": {
        "zh": "n/b 下/上一手 ]/[ 下/上一轮 g 跳到 N/P 下/上一副 0 开头 $ 末尾 q 退出",
        "en": "n/b move  ]/[ trick  g go to  N/P deal  0 start  $ end  q quit  (or arrows)",
    },
    "replay_ask": {"zh": "跳到第几手（0 到 {n}）> ", "en": "go to move (0 to {n})> "},
    "replay_no_move": {"zh": "没有第 {text} 手：0 到 {n}。", "en": "There is no move {text}: 0 to {n}."},
    "too_small": {"zh": "窗口小于 80x24：请放大，或按 q。", "en": "A window smaller than 80x24: enlarge it, or q."},
    "replay_no_deal": {"zh": "没有别的副了。", "en": "There is no other deal that way."},
    "seat": {"zh": "{n}号位", "en": "seat {n}"},
    "no_edition": {
        "zh": "{variant} 没有 {edition} 的版本，打不了；可以打：{known}。",
        "en": "{variant} is not played for {edition}: it has no such edition. It has: {known}.",
    },
    "other_edition": {
        "zh": "--edition {edition} 和 --plays-for {plays_for} 不一致：版本就是打什么。",
        "en": "--edition {edition} and --plays-for {plays_for} differ: an edition is for what is played for.",
    },
    "edition_of_duel": {
        "zh": "只有二人玩法有版本：{variant} 是四人玩法。",
        "en": "Only duels have editions: {variant} is for four players.",
    },
    "no_bot": {"zh": '没有机器人"{bot}"；有：{known}。', "en": "There is no bot {bot}; there are: {known}."},
    "bad_seed": {"zh": "--seed 不是 UTF-8 文字。", "en": "--seed is no text in UTF-8."},
    "deal_needs_seed": {"zh": "--deal 要和 --seed 一起用。", "en": "--deal needs --seed."},
    "bad_deal_number": {"zh": "--deal 从 1 到 1000。", "en": "--deal is 1 to 1000."},
    "bad_pace": {"zh": "--pace 是 0 到 60 秒。", "en": "--pace is 0 to 60 seconds."},
}


def say(key: str, language: Language, **values: object) -> str:
    """A text of this module with its values filled in."""
    return _TEXT[key][language].format(**values)


_OS_ERROR: Final[dict[int, str]] = {
    errno.ENOENT: "没有这个文件或目录",
    errno.EACCES: "没有权限",
    errno.EPERM: "不允许这样做",
    errno.EISDIR: "这是一个目录",
    errno.ENOTDIR: "路径中有一段不是目录",
    errno.EEXIST: "文件已经存在",
    errno.EROFS: "文件系统是只读的",
    errno.ENOSPC: "磁盘已满",
    errno.ENAMETOOLONG: "文件名太长",
}


def is_text(seed: str) -> bool:
    """Whether a seed is text in UTF-8: what was typed in another encoding is not, and could not be written again."""
    try:
        seed.encode()
    except UnicodeEncodeError:
        return False
    return True


def os_error_words(error: Exception, language: Language) -> str:
    """Why a file cannot be read or written: in Chinese the usual reasons, otherwise as the system says it."""
    if not isinstance(error, OSError) or not error.strerror:
        return str(error)
    told = None if error.errno is None or language == "en" else _OS_ERROR.get(error.errno)
    return told or error.strerror


def default_language() -> Language:
    """The language of the locale: Chinese where it is Chinese, English elsewhere."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(name)
        if value:
            return "zh" if value.lower().startswith("zh") else "en"
    return "en"


def place_name(place: int, language: Language) -> str:
    """A place from 1 on in words."""
    if language == "zh":
        return f"第{'一二三四'[place - 1]}名"
    return ("first", "second", "third", "last")[place - 1]


def card_name(card: Card, language: Language) -> str:
    """A face in words: ``红桃7``, ``7 of hearts``."""
    if card.suit is None:
        return say("joker_small" if RANKS[card.rank] == "x" else "joker_big", language)
    rank = RANKS[card.rank].replace("T", "10")
    return say("card", language, suit=SUIT[language][card.suit], rank=rank)


def signed(amount: int) -> str:
    return f"{amount:+d}" if amount else "0"


# -- what is typed


def command(text: str) -> tuple[str | None, str]:
    """The command that a line is, and what stands behind it; None where it is no command."""
    plain = text.strip()
    head, _, rest = plain.partition(" ")
    word = unicodedata.normalize("NFKC", head).lower()
    found = _COMMAND_OF.get(word)
    if found is None:
        return None, plain
    return found, rest.strip()


def like(text: str) -> str | None:
    """The command that a mistyped word is nearest to."""
    from difflib import get_close_matches  # noqa: PLC0415 - rarely needed

    near = get_close_matches(text.lower(), [w for w in _COMMAND_OF if len(w) > 2], 1, 0.7)
    return near[0] if near else None


class Misread(Exception):
    """A line that names no cards: which text says why, and its values."""

    def __init__(self, key: str, **values: object) -> None:
        super().__init__(key)
        self.key = key
        self.values = values


def typed_cards(text: str) -> tuple[Counts, tuple[Card, ...], str | None]:
    """What a line like ``7777X as bomb`` names: cards by rank, faces if suits were written, and the kind.

    Ranks may be written in any order, with blanks or commas, ``10`` for the ten, letters in either case except
    the jokers, full-width characters too.

    Raises:
        Misread: it names none.
    """
    plain = unicodedata.normalize("NFKC", text).strip()
    plain = plain.replace("大王", "X").replace("小王", "x")
    cards, kind = _named_kind(plain)
    body = "".join([ch for ch in cards if ch not in " \t,、，;+"]).replace("10", "T")
    if any(ch in "SHCDshcd" for ch in body):
        return (*_faces(body), kind)
    body = "".join([ch if ch in "xX" else ch.upper() for ch in body])
    bad = next((ch for ch in body if ch not in RANKS), None)
    if bad is not None or not body:
        raise Misread("bad_rank", ch=bad or text)
    for rank, ch in enumerate(RANKS):
        if body.count(ch) > COPIES[rank]:
            raise Misread("too_many", n=body.count(ch), rank=ch)
    if len(body) > MAX_CARDS:
        raise Misread("too_long")
    return sum([ONE[RANKS.index(ch)] for ch in body]), (), kind


def _faces(body: str) -> tuple[Counts, tuple[Card, ...]]:
    text = "".join([ch if ch in "xX" else ch.upper() for ch in body])
    try:
        cards = parse_cards(text)
    except BadCards:
        raise Misread("bad_rank", ch=body) from None
    return sum([ONE[card.rank] for card in cards]), cards


def _named_kind(text: str) -> tuple[str, str | None]:
    for joint in (" as ", "当作", "算作", "当", "作"):
        at = f"{text.lower()} ".find(joint)
        if at < 0:
            continue
        name = " ".join(text[at + len(joint) :].lower().split())
        if not name:
            raise Misread("kind_missing")
        kind = _KIND_WORDS.get(name) or _KIND_WORDS.get(name.removeprefix("a "))
        if kind is None:
            raise Misread("no_kind", text=name)
        return text[:at], kind
    return text, None


def looks_like_cards(text: str) -> bool:
    """Whether most of a line is made of ranks: then it is answered as cards, otherwise as an unknown word."""
    plain = unicodedata.normalize("NFKC", text).partition(" as ")[0].partition("当")[0]
    marks = [ch for ch in plain if not ch.isspace() and ch not in ",、，;+"]
    good = [ch for ch in marks if ch.upper() in RANKS or ch in "xX10大小王"]
    return len(good) == len(marks) or (not plain.isalpha() and 2 * len(good) > len(marks))


# -- longer texts

_HELP: Final[dict[Language, str]] = {
    "zh": """\
出牌：直接写牌，顺序随意：7777X、10 10、34567。十写 T 或 10，小王 x，大王 X
　　　（大小写不同！）。花色不用写；要出某一张可以写 7H，花色 S H C D 依次是
　　　黑桃、红桃、梅花、方块。
几种读法：带财神的牌可能成几种牌型，默认取最大的；要别的写明：55667X 当 连对
过 pass p　　　　　不出（空行只刷新，不会误过）
提示 hint h　　　　出个主意，再按换一个；ok 或"出"照做
列表 list l　　　　所有可出的牌，#3 出第 3 个；回车翻页
排序 sort　　　　　手牌按点数或按牌型
托管 auto 开/关　　自动出牌；按任意键或 Ctrl-C 收回
自动过 autopass　　没有能压的牌时自动过，开/关
历史 history　　　 这副每一轮　　　战绩 score　　　 各副结果和结算
规则 rules　　　　 这个玩法　　　　保存 save 文件　 打完各副的牌谱，不覆盖
语言 language　　　中文 / English　下一副 next　　　一副结束后，回车也行
退出 quit　　　　　离开；没打完的这副不算
Ctrl-C：先取消这一行，再按一次离开（退出码 130）。输入结束就离开（退出码 0）。
管道：不在终端里时只一行行追加，没有光标控制，可以用脚本玩：
　　　printf '提示\\nok\\n托管 开\\n' | shuangkou play --seed 7""",
    "en": """\
Cards: just type them, in any order: 7777X, 10 10, 34567. The ten is T or 10;
   x is the small joker, X the big one: mind the case! Suits are not needed;
   7H picks the 7 of hearts (S H C D).
Several readings: cards with wild cards may make several kinds; the strongest
   counts. Name another one like this: 55667X as pair run.
pass p       pass (an empty line only redraws, it never passes)
hint h       propose something, again: something else; ok does it
list l       all you can play; #3 plays number 3; Enter turns the page
sort         your hand by rank or by combination
auto on/off  auto-play; any key or Ctrl-C gives control back
autopass     pass by itself when nothing beats, on/off
history      this deal, trick by trick    score     results, settlements
rules        the rules of this variant    next      the next deal; Enter too
save FILE    record the deals played out  language  English / 中文
             (never overwrites)           quit      (unfinished: not counted)
Ctrl-C drops the line; again, it leaves (exit code 130). The end of the input
ends the game (exit code 0).
Pipes: off a terminal, lines are only ever appended, so a script can play:
   printf 'hint\\nok\\nauto on\\n' | shuangkou play --seed 7""",
}


def help_text(language: Language) -> str:
    """What can be typed."""
    return _HELP[language]
