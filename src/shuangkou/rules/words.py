"""The rules' terms in Chinese and English: one table, used wherever the rules speak to people."""

from __future__ import annotations

from typing import Literal

Language = Literal["zh", "en"]

KIND: dict[str, dict[Language, str]] = {
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

RESULT: dict[str, dict[Language, str]] = {
    "double": {"zh": "双扣", "en": "double"},
    "single": {"zh": "单扣", "en": "single"},
    "level": {"zh": "平扣", "en": "level"},
}
