"""Where the terminal reads and writes: lines with widths and colours, prompts, keys, pauses.

A console has two modes. On a terminal of at least 80x24 it owns the screen and draws whole frames. Over a
pipe, on a dumb or small terminal, or with ``--plain``, it only ever appends lines, without one control code.
A window that is made smaller or larger changes the mode with it.
"""

from __future__ import annotations

import contextlib
import os
import re
import select
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import FrameType, ModuleType
from typing import Final, TextIO

from shuangkou.rules.explain import COLUMNS, columns, wrap

ROWS: Final = 24

_SGR: Final = {
    "bold": "1",
    "dim": "2",
    "red": "31",
    "green": "32",
    "yellow": "33",
    "blue": "34",
    "magenta": "35",
    "cyan": "36",
    "reverse": "7",
}


def cut(text: str, width: int) -> str:
    """The text, or its beginning and ``..`` where it is wider than ``width`` columns."""
    if columns(text) <= width:
        return text
    room = width - 2
    kept = 0
    for i, ch in enumerate(text):
        room -= columns(ch)
        if room < 0:
            break
        kept = i + 1
    return text[:kept].rstrip() + ".."


def pad(text: str, width: int) -> str:
    """The text cut or filled with blanks to exactly ``width`` columns."""
    text = cut(text, width)
    return text + " " * (width - columns(text))


class Line:
    """A line of a screen: pieces of text, each with a style (words of ``bold``, ``red`` ...)."""

    __slots__ = ("parts",)

    def __init__(self, text: str = "", style: str = "") -> None:
        self.parts: list[tuple[str, str]] = [(text, style)] if text else []

    def add(self, text: str, style: str = "") -> Line:
        self.parts.append((text, style))
        return self

    @property
    def text(self) -> str:
        return "".join([text for text, _ in self.parts])

    @property
    def width(self) -> int:
        return columns(self.text)

    def to(self, column: int) -> Line:
        """Fill up with blanks to a column."""
        return self.add(" " * max(0, column - self.width))

    def fit(self, width: int) -> Line:
        """The line cut to ``width`` columns."""
        if self.width <= width:
            return self
        line, room = Line(), width
        for text, style in self.parts:
            if columns(text) + 2 > room:
                return line.add(cut(text + "   ", room) if room >= 2 else "", style)
            line.add(text, style)
            room -= columns(text)
        return line

    def render(self, *, colour: bool) -> str:
        if not colour:
            return self.text.rstrip()
        shown = ""
        for text, style in self.parts:
            codes = ";".join(_SGR[word] for word in style.split())
            shown += f"\x1b[{codes}m{text}\x1b[0m" if codes and text.strip() else text
        return shown.rstrip()


def paragraph(text: str, style: str = "", *, room: int = COLUMNS - 2, indent: str = "") -> list[Line]:
    """A text as wrapped lines."""
    return [Line(" " + line, style) for line in wrap(text, rest=indent, width=room - 1)]


def _module(name: str) -> ModuleType | None:
    """A module that not every system has."""
    try:
        return __import__(name)
    except ImportError:
        return None


_termios: Final = _module("termios")


class Redraw(Exception):
    """While the console waited the window got another size, or the process was stopped and goes on: draw again."""


class _Terminated(BaseException):
    """Somebody ends the process; no bot may take it for its own."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Console:
    """One person's terminal, or a pipe in its place.

    Attributes:
        screen: whether it draws frames; otherwise it appends lines.
        tty: whether a person sits there, so that pauses make sense.
        rows: how many rows a frame may have, the prompt included.
    """

    def __init__(self, *, plain: bool = False, stdin: TextIO | None = None, stdout: TextIO | None = None) -> None:
        self._in = sys.stdin if stdin is None else stdin
        self._out = sys.stdout if stdout is None else stdout
        for stream in (self._in, self._out):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="replace")
        term = os.environ.get("TERM", "")
        smart = term not in ("", "dumb") or os.name == "nt"
        self.tty = self._in.isatty() and self._out.isatty()
        self._able = self.tty and smart and not plain  # to draw frames, if the window is large enough
        self.screen = self._able and self.fits
        self.colour = self._out.isatty() and smart and not plain and not os.environ.get("NO_COLOR")
        self._echo = not self._in.isatty()
        self._readline: ModuleType | None = None
        self._saved: list[object] | None = None
        self._drawn_for: os.terminal_size | None = None  # the size of the window when it was last looked at
        self._resumed = False  # whether the process was stopped since then
        self._waits = False
        self._types = False  # whether it waits for a line in the line editor
        self._ahead = ""  # typed while nobody asked, for the next prompt
        self._pending = ""  # keys that were read and not yet taken
        self._blank = True

    @property
    def rows(self) -> int:
        """The rows of the window now (a person may resize it), 24 to 40."""
        return max(ROWS, min(40, self._size().lines))

    @property
    def fits(self) -> bool:
        """Whether the window is now large enough for a frame."""
        size = self._size()
        return size.columns >= COLUMNS and size.lines >= ROWS

    def _size(self) -> os.terminal_size:
        """The size of the window itself, whatever the environment says of it."""
        try:
            return os.get_terminal_size(self._out.fileno())
        except (OSError, ValueError):
            return os.terminal_size((COLUMNS, ROWS))

    # -- the terminal's state

    @contextlib.contextmanager
    def session(self) -> Iterator[Console]:
        """Own the screen inside; leave the terminal as it was."""
        if not self._able:
            yield self
            return
        if _termios is not None:
            self._saved = _termios.tcgetattr(self._in.fileno())
        handlers: dict[str, Callable[[int, FrameType | None], None]] = {
            "SIGTERM": _terminated, "SIGWINCH": self._on_resize, "SIGTSTP": self._on_stop, "SIGCONT": self._on_resume,
        }  # fmt: skip
        before = {}
        for name, handler in handlers.items():
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) != signal.SIG_IGN:
                before[number] = signal.signal(number, handler)
        self._drawn_for = self._size()
        try:
            if self.screen:
                self._enter()
            yield self
        except _Terminated as end:
            raise SystemExit(end.code) from None
        finally:
            self._drawn_for = None
            if self.screen:
                self._leave()
            for number, old in before.items():
                signal.signal(number, signal.SIG_DFL if old is None else old)

    def _enter(self) -> None:
        """Take the screen, empty."""
        if self._readline is None:
            self._readline = _module("readline")
            if (number := getattr(signal, "SIGWINCH", None)) is not None:
                signal.signal(number, self._on_resize)  # which the line editor has just taken
        self._send("\x1b[?1049h\x1b[H\x1b[2J")
        self._keys(on=True)

    def _leave(self) -> None:
        """Give the screen back as it was."""
        self._keys(on=False)
        self._send("\x1b[?1049l")

    def fit(self, *, switch: bool = True) -> bool:
        """Look at the window: frames where it is large enough, lines where it is not (if ``switch``).

        Returns:
            Whether what was shown must be shown again.
        """
        if self._drawn_for is None:
            return False
        size, resumed = self._size(), self._resumed
        if size == self._drawn_for and not resumed:
            return False
        self._drawn_for, self._resumed = size, False
        before, self.screen = self.screen, self.fits or not switch
        if self.screen:
            self._enter()
        elif before:
            self._leave()
            self._ahead, self._blank = "", False
        return self.screen or before or resumed

    def _on_resize(self, _number: int, _frame: FrameType | None) -> None:
        if self._waits and (self.screen or self.fits):
            self._wake()

    def _on_resume(self, _number: int, _frame: FrameType | None) -> None:
        self._resumed = True
        if self._waits:
            self._wake()

    def _on_stop(self, number: int, _frame: FrameType | None) -> None:
        """Ctrl-Z: the shell gets the terminal as it was before."""
        waits, self._waits = self._waits, False
        if self.screen:
            self._leave()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)  # here it stops, and here it goes on
        signal.signal(number, self._on_stop)
        self._resumed = True
        if waits:
            self._wake()

    def _wake(self) -> None:
        """End the waiting; the line that was begun stands in the next prompt."""
        self._waits = False
        if self._types and self._readline is not None:
            self._ahead = self._readline.get_line_buffer()
        raise Redraw

    @contextlib.contextmanager
    def _waiting(self) -> Iterator[None]:
        """Inside, a change of the window or a stop raises :class:`Redraw`."""
        self._waits = True
        try:
            if self._resumed or (self._drawn_for not in (None, self._size()) and (self.screen or self.fits)):
                raise Redraw
            yield
        finally:
            self._waits = False

    def _keys(self, *, on: bool) -> None:
        """Keys one by one and without echo (on), or lines as usual (off)."""
        if self._saved is None or _termios is None:
            return
        fd = self._in.fileno()
        mode = list(self._saved)
        if on:
            assert isinstance(mode[3], int)
            mode[3] &= ~(_termios.ICANON | _termios.ECHO)
            control = mode[6]
            assert isinstance(control, list)
            control = list(control)
            control[_termios.VMIN], control[_termios.VTIME] = 1, 0
            mode[6] = control
        _termios.tcsetattr(fd, _termios.TCSANOW, mode)

    def _send(self, text: str) -> None:
        self._out.write(text)
        self._out.flush()

    # -- out

    def show(self, lines: Sequence[Line]) -> None:
        """Draw a frame: at most ``rows - 1`` lines, the prompt's row below."""
        lines = [line.fit(COLUMNS) for line in lines[: self.rows - 1]]
        body = "".join(f"\x1b[2K{line.render(colour=self.colour)}\n" for line in lines)
        self._send(f"\x1b[H{body}\x1b[J")

    def write(self, lines: Iterable[Line | str]) -> None:
        """Append lines; two empty ones in a row become one."""
        for line in lines:
            text = line if isinstance(line, str) else line.render(colour=self.colour)
            if text.strip() or not self._blank:
                self._out.write(text.rstrip() + "\n")
            self._blank = not text.strip()
        self._out.flush()

    # -- in

    def ask(self, prompt: str) -> str:
        """A line that was typed.

        Raises:
            EOFError: the input has ended.
            KeyboardInterrupt: Ctrl-C.
            Redraw: what is shown is spoiled.
        """
        if self.screen:
            return self._ask_screen(prompt)
        self._send(prompt)
        self._blank = False
        with self._waiting():
            line = self._in.readline()
        if not line:
            self._send("\n")
            self._blank = True
            raise EOFError
        line = line.rstrip("\r\n")
        if self._echo:
            self._send(line + "\n")
        return line

    def _ask_screen(self, prompt: str) -> str:
        self._read_ahead()
        ahead, self._ahead = self._ahead, ""
        self._keys(on=False)
        try:
            if self._readline is not None:
                insert = self._readline.insert_text
                self._readline.set_startup_hook((lambda: insert(ahead)) if ahead else None)
            with self._waiting():
                self._types = True
                return input(prompt)
        except Redraw:
            if not self._types:
                self._ahead = ahead
            raise
        finally:
            self._types = False
            self._keys(on=True)

    def pause(self, seconds: float) -> bool:
        """Wait; whether a key was pressed, which ends the pause. What was typed stands in the next prompt."""
        if not self.tty or seconds <= 0:
            return False
        if self._saved is None or not self.screen:
            with self._waiting():
                time.sleep(seconds)
            return False
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            with self._waiting():
                pressed = select.select([self._in.fileno()], [], [], left)[0]
            if pressed:
                return bool(self._read_ahead())
        return False

    def forget_keys(self) -> None:
        """Drop what was typed ahead."""
        self._read_ahead()
        self._ahead = ""

    def _read_ahead(self) -> str:
        """Take what was typed while nobody asked: an Enter among it sends nothing."""
        if self._saved is None:
            return ""
        typed, self._pending = self._pending, ""
        fd = self._in.fileno()
        while select.select([fd], [], [], 0)[0]:
            got = os.read(fd, 1024)
            if not got or b"\x04" in got:
                break
            typed += got.decode("utf-8", "ignore")
        plain = re.sub(r"\x1b(\[[0-9;?]*[ -/]*[@-~]|O.|.)?", "", typed)
        for ch in plain:
            if ch in "\x08\x7f":
                self._ahead = self._ahead[:-1]
            elif ch.isprintable():
                self._ahead += ch
        self._ahead = self._ahead[:60]
        return typed

    def key(self) -> str:
        """One key: a character, or ``left``, ``right``, ``up``, ``down``, ``home``, ``end``, ``enter``, ``escape``.

        Raises:
            EOFError: the terminal is gone.
            KeyboardInterrupt: Ctrl-C.
            Redraw: what is shown is spoiled.
        """
        if not self._pending:
            with self._waiting():
                got = os.read(self._in.fileno(), 64)
            if not got:
                raise EOFError
            self._pending = got.decode("utf-8", "ignore")
        text = self._pending
        for sequence, name in _KEYS.items():
            if text.startswith(sequence) and (sequence != "\x1b" or text == sequence):
                self._pending = text[len(sequence) :]
                return name
        self._pending = text[1:]
        if text[:1] == "\x04":
            raise EOFError
        return text[:1]


_KEYS: Final = {
    "\x1b[A": "up",
    "\x1b[B": "down",
    "\x1b[C": "right",
    "\x1b[D": "left",
    "\x1bOA": "up",
    "\x1bOB": "down",
    "\x1bOC": "right",
    "\x1bOD": "left",
    "\x1b[H": "home",
    "\x1b[F": "end",
    "\x1bOH": "home",
    "\x1bOF": "end",
    "\x1b[1~": "home",
    "\x1b[4~": "end",
    "\x1b[5~": "pageup",
    "\x1b[6~": "pagedown",
    "\r": "enter",
    "\n": "enter",
    "\x1b": "escape",
}


def _terminated(number: int, _frame: FrameType | None) -> None:
    raise _Terminated(128 + number)
