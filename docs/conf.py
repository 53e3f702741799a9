"""How the documentation is built: `make docs`."""

from __future__ import annotations

from typing import Any, ClassVar

from pygments.lexer import RegexLexer, bygroups
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Text

import shuangkou

project = "Shuangkou"
author = "The Shuangkou contributors"
copyright = author
release = version = shuangkou.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["_build"]
source_suffix = {".md": "markdown"}

myst_heading_anchors = 4

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_default_options = {"members": True, "undoc-members": True}
napoleon_google_docstring = True
napoleon_numpy_docstring = False
napoleon_use_ivar = True

html_theme = "furo"
html_title = f"Shuangkou {release}"
html_copy_source = False
html_show_sphinx = False
html_theme_options = {
    # the type of the reader's own machine: the pages load nothing from anywhere else
    "light_css_variables": {"font-stack": "system-ui, sans-serif", "font-stack--monospace": "ui-monospace, monospace"},
}


class Examples(RegexLexer):
    """The examples of the rules: a question, its answer, a note."""

    name = "Shuangkou examples"
    aliases = ("shuangkou",)
    tokens: ClassVar = {
        "root": [
            (r"#.*$", Comment),
            (r"^[a-z]+", Keyword),
            (r" (?:=|<|~) ", Operator),
            (r"\b(?:on|as|from|wild|stars|bombs|places|nothing|refused)\b", Name.Builtin),
            (r"-?\b\d+\b", Number),
            (r"\s+", Text),
            (r"\S+", Text),
        ]
    }


class Record(RegexLexer):
    """A deal as text."""

    name = "Shuangkou record"
    aliases = ("shuangkou-record",)
    tokens: ClassVar = {
        "root": [
            (r"\{[^}]*\}", Comment),
            (r"^(\[)([A-Za-z][\w-]*)( )", bygroups(Punctuation, Name.Tag, Text)),
            (r'"(?:\\.|[^"\\\n])*"', String),
            (r"\]$", Punctuation),
            (r"^\d+[.:]", Keyword),
            (r"\s+", Text),
            (r"[^\s{]+", Text),
        ]
    }


class Talk(RegexLexer):
    """A talk with the judge: what is asked stands behind `>`, what it answers behind `<`."""

    name = "Shuangkou judge"
    aliases = ("judge",)
    tokens: ClassVar = {
        "root": [
            (r"^[<>] ", Operator),
            (r'"[^"\n]*"(?=: )', Name.Tag),
            (r'"[^"\n]*"', String),
            (r"-?\d+", Number),
            (r"\b(?:true|false|null)\b", Keyword),
            (r"[{}\[\],:]", Punctuation),
            (r"\s+", Text),
            (r".", Text),
        ]
    }


def setup(app: Any) -> None:
    app.add_lexer("shuangkou", Examples)
    app.add_lexer("shuangkou-record", Record)
    app.add_lexer("judge", Talk)
