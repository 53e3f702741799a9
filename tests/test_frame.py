"""The frame of the project: which module may import which, what the files may name, one version everywhere."""

from __future__ import annotations

import ast
import importlib
import json
import re
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

import shuangkou
from shuangkou import cli
from shuangkou.rules import engine

ROOT = Path(__file__).resolve().parent.parent
RULES = ROOT / "src" / "shuangkou" / "rules"

FOREIGN = {
    "a package registry's host": re.compile(r"pypi\.org|pythonhosted\.org|npmjs\.(?:org|com)|yarnpkg\.com|conda\.io"),
    "a path of one machine": re.compile(r"(?<![\w.~-])/(?:work|root|home|Users)/\w"),
}


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def tracked() -> list[Path]:
    """The files of the repository, with those about to be committed."""
    if not (ROOT / ".git").exists() or shutil.which("git") is None:
        pytest.skip("not a repository")
    listed = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    assert listed.returncode == 0, listed.stderr
    return [path for name in listed.stdout.split("\0") if name and (path := ROOT / name).is_file()]


def imported(source: Path) -> set[str]:
    """The top-level names of the packages that a module imports, wherever in it the import stands."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(source.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            names.add((node.module or "").partition(".")[0])
    return names


def test_imports_go_one_way() -> None:
    lint_imports = Path(sys.executable).with_name("lint-imports")
    done = run(lint_imports, "--no-cache", "--no-logo")
    assert done.returncode == 0, done.stdout + done.stderr


def test_rules_import_no_package() -> None:
    """The standard library is enough for the rules; what the compiler reads, the kernel can do without."""
    for source in sorted(RULES.glob("**/*.py")):
        foreign = imported(source) - sys.stdlib_module_names - {"shuangkou"}
        if source.stem == "kernel":
            foreign -= {"cython"}
        assert not foreign, f"{source.relative_to(ROOT)} imports {', '.join(sorted(foreign))}"


def test_rules_load_no_package() -> None:
    """Not even indirectly: a program that uses the rules starts fast."""
    modules = [f"shuangkou.rules.{source.stem}" for source in sorted(RULES.glob("*.py")) if source.stem != "__init__"]
    code = f"import json, sys, shuangkou.rules, {', '.join(modules)}; print(json.dumps(sorted(sys.modules)))"
    done = run(sys.executable, "-c", code)
    assert done.returncode == 0, done.stderr
    loaded = {name.partition(".")[0] for name in json.loads(done.stdout)}
    assert loaded.isdisjoint({"attrs", "cyclopts", "msgspec", "numpy", "rich"})


def test_files_name_no_foreign_place() -> None:
    found: list[str] = []
    for path in tracked():
        try:
            text = path.read_text("utf-8")
        except UnicodeDecodeError:
            continue
        name = path.relative_to(ROOT)
        found += [
            f"{name}:{number} names {what}: {line.strip()[:100]}"
            for number, line in enumerate(text.splitlines(), 1)
            for what, pattern in FOREIGN.items()
            if pattern.search(line)
        ]
    assert not found, "\n".join(found)


def test_no_lock_file_that_names_hosts() -> None:
    assert "uv.lock" not in {path.name for path in tracked()}


def test_requirements_are_locked_by_hash() -> None:
    lists = sorted((ROOT / "requirements").glob("*.txt"))
    assert [path.stem for path in lists] == ["bench", "build", "dev", "run", "uv"]
    pinned: dict[str, dict[str, str]] = {}
    for path in lists:
        text = re.sub(r"\\\n", " ", path.read_text("utf-8"))
        lines = [line for line in text.splitlines() if line and not line.lstrip().startswith("#")]
        for line in lines:
            assert re.match(r"[a-z0-9-]+==\S+ .*--hash=sha256:[0-9a-f]{64}", line), f"{path.name}: {line}"
        pinned[path.stem] = {line.partition("--hash")[0].strip(): line for line in lines}
    for name in ("run", "build"):  # one environment can hold all three
        assert pinned[name].items() <= pinned["dev"].items()


def test_one_version() -> None:
    assert metadata.version("shuangkou") == shuangkou.__version__
    assert 'dynamic = ["version"]' in (ROOT / "pyproject.toml").read_text("utf-8")
    form = "compiled" if engine.COMPILED else "plain"
    done = run(sys.executable, "-m", "shuangkou", "--version")
    assert (done.returncode, done.stdout) == (0, f"shuangkou {shuangkou.__version__} ({form} kernel)\n")


def test_every_command_stands_where_its_row_says() -> None:
    for name, command in cli.COMMANDS.items():
        module, _, function = command.target.partition(":")
        assert callable(getattr(importlib.import_module(module), function)), name


def test_unknown_command_is_refused_without_a_traceback() -> None:
    done = run(sys.executable, "-m", "shuangkou", "no-such-command")
    assert done.returncode != 0
    assert "Traceback" not in done.stdout + done.stderr
