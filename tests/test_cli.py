"""The command line and its standard streams: closed, full, or in an encoding that lacks characters."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from shuangkou import cli

pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs a shell that can close a stream")
FULL = Path("/dev/full")


def shell(line: str, encoding: str = "utf-8", locale: str = "C.UTF-8") -> subprocess.CompletedProcess[str]:
    """Run ``shuangkou`` by a line of a shell."""
    return subprocess.run(
        ["sh", "-c", f"{shlex.quote(sys.executable)} -m shuangkou {line}"],
        input='{"op": "title", "points": 60}\n',
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        env={**os.environ, "PYTHONUTF8": "0", "PYTHONIOENCODING": encoding, "LC_ALL": locale},
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
@pytest.mark.parametrize("line", ["variants", "--help", "variants show huopin", "no-such-command"])
def test_an_encoding_that_lacks_characters(line: str, encoding: str) -> None:
    done = shell(line, encoding, "zh_CN.UTF-8")
    assert done.returncode == (2 if line == "no-such-command" else 0)
    assert "Traceback" not in done.stderr
    if line != "no-such-command":
        assert "\\u53cc\\u6263" in done.stdout


@pytest.mark.parametrize("line", ["judge", "play", "variants", "--version", "--help", "replay -"])
def test_no_standard_output(line: str) -> None:
    done = shell(f"{line} >&-")
    assert (done.returncode, done.stderr) == (2, "shuangkou: the standard output is closed\n")


@pytest.mark.parametrize("line", ["judge", "play", "play --seed 1"])
def test_no_standard_input(line: str) -> None:
    done = shell(f"{line} <&-")
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "shuangkou: the standard input is closed\n")


@pytest.mark.parametrize("line", ["replay -", "replay - --check"])
def test_no_standard_input_to_replay(line: str) -> None:
    done = shell(f"{line} --lang en <&-")
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "-: cannot be read: standard input is closed\n")


def test_what_reads_nothing_runs_without_standard_input() -> None:
    done = shell("variants <&-")
    assert (done.returncode, done.stderr) == (0, "")
    assert "huopin" in done.stdout


def test_no_standard_error() -> None:
    assert shell("judge 2>&-").returncode == 0
    assert shell("variants show nowhere 2>&-").returncode == 2
    assert shell("judge <&- >&- 2>&-").returncode == 2


@pytest.mark.skipif(not FULL.exists(), reason="no such device here")
@pytest.mark.parametrize("line", ["judge", "variants", "variants show huopin", "--help", "--version", "play --seed 1"])
def test_no_space_left(line: str) -> None:
    done = shell(f"{line} >/dev/full")
    assert (done.returncode, done.stderr) == (1, "shuangkou: cannot write: No space left on device\n")
    assert shell(f"{line} >/dev/full 2>&1").returncode == 1


def test_a_stream_that_cannot_be_written(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    done = shell(f"variants 1<{shlex.quote(str(file))}")
    assert (done.returncode, done.stderr) == (1, "shuangkou: cannot read or write: Bad file descriptor\n")


@pytest.mark.parametrize("line", ["judge", "variants", "variants toml huopin", "simulate --deals 5 --seed 1"])
def test_a_reader_that_has_gone(line: str) -> None:
    done = shell(f"{line} | true")
    assert done.stderr == ""


def test_options_without_a_command_are_those_of_play() -> None:
    done = shell("--seed 7 --bot autoplay --lang en")
    assert done.returncode == 0
    assert "Deal 1 begins." in done.stdout
    assert done.stdout == shell("play --seed 7 --bot autoplay --lang en").stdout
    assert "Usage: shuangkou COMMAND" in shell("--help").stdout
    assert shell("--version").stdout.startswith("shuangkou ")
    assert shell("--no-such-option").returncode in (1, 2)


@pytest.mark.parametrize(("locale", "head"), [("zh_CN.UTF-8", "代号"), ("C.UTF-8", "id ")])
def test_variants_speak_the_language_of_the_locale(locale: str, head: str) -> None:
    def said(line: str) -> str:
        return shell(line, locale=locale).stdout

    assert said("variants").startswith(head)
    language, other = ("zh", "en") if locale.startswith("zh") else ("en", "zh")
    for command in ("show", "toml"):
        assert said(f"variants {command} huopin") == said(f"variants {command} huopin --lang {language}")
        assert said(f"variants {command} huopin") != said(f"variants {command} huopin --lang {other}")


@pytest.mark.parametrize("command", ["play --variant nowhere", "variants show nowhere", "variants toml nowhere.toml"])
def test_an_unknown_variant_is_a_bad_argument(command: str) -> None:
    assert shell(command).returncode == 2


def test_an_unknown_command_of_variants_is_told() -> None:
    done = shell("variants foo")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("there is no command variants foo; there are: show, check and toml")
    assert "variants show huopin" in shell("variants huopin --lang zh").stderr
    assert "没有命令 variants huopin" in shell("variants huopin --lang zh").stderr


def test_rows_that_read() -> None:
    assert {name for name, command in cli.COMMANDS.items() if command.reads} == {"play", "judge"}
