"""The build hook: compiles the kernel where that can be done, and builds without where it cannot.

``SHUANGKOU_BUILD`` says what is wanted: ``auto`` (the default), ``require`` (fail without a compiled kernel)
or ``plain`` (none). The compiled form is ``shuangkou.rules._kernel``: the same file under another name, so
that both forms can be loaded in one process. An editable build leaves it beside its source.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SWITCH = "SHUANGKOU_BUILD"
NAME = "_kernel"


class KernelBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Adds the compiled kernel to a wheel, and with it the wheel's platform."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """What compiling needs in an isolated build."""
        return [] if self._wanted() == "plain" else ["cython>=3.1", "setuptools>=77"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        del version
        folder = Path(self.root, "src", "shuangkou", "rules")
        wanted = self._wanted()
        if wanted == "plain":
            _remove(folder)
            return
        try:
            built = _compiled(folder)
        except Exception as e:  # whatever keeps a compiler from working: the plain kernel does
            _remove(folder)
            if wanted == "require":
                raise RuntimeError(f"the kernel could not be compiled, and {SWITCH}=require: {e}") from e
            self.app.display_warning(f"The kernel is not compiled ({type(e).__name__}: {e}); the plain one is used.")
            return
        build_data["artifacts"].append(f"src/shuangkou/rules/{built.name}")
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    @staticmethod
    def _wanted() -> str:
        wanted = os.environ.get(SWITCH, "auto")
        if wanted not in ("auto", "require", "plain"):
            raise ValueError(f"{SWITCH} must be auto, require or plain, not {wanted!r}")
        return wanted


def _remove(folder: Path) -> None:
    """No compiled kernel of an earlier build is left beside the source."""
    for old in (*folder.glob(f"{NAME}.*.so"), *folder.glob(f"{NAME}.*.pyd"), *folder.glob(f"{NAME}.stamp")):
        old.unlink()


def fingerprint(folder: Path) -> str:
    """What a compiled kernel is made of: the stamp beside it begins with this."""
    digest = hashlib.sha256(Path(__file__).read_bytes())
    for source in ("kernel.py", "kernel.pxd"):
        digest.update((folder / source).read_bytes())
    return digest.hexdigest()


def _compiled(folder: Path) -> Path:
    """The compiled kernel for this Python, made anew where its source or its tools are others."""
    import Cython
    from Cython.Build import cythonize
    from setuptools import Distribution, Extension
    from setuptools.command.build_ext import build_ext

    stamp = folder / f"{NAME}.stamp"
    made_of = f"{fingerprint(folder)} {Cython.__version__} {sys.version}"
    present = [*folder.glob(f"{NAME}.*.so"), *folder.glob(f"{NAME}.*.pyd")]
    if len(present) == 1 and stamp.is_file() and stamp.read_text("utf-8") == made_of:
        return present[0]
    _remove(folder)
    with tempfile.TemporaryDirectory() as scratch:
        package = Path(scratch, "shuangkou", "rules")
        package.mkdir(parents=True)
        for inside in (package.parent, package):
            (inside / "__init__.py").touch()
        for source in ("kernel.py", "kernel.pxd"):
            shutil.copy(folder / source, package / f"{NAME}{Path(source).suffix}")
        here = Path.cwd()
        os.chdir(scratch)
        try:
            flags = ["/O2"] if sys.platform == "win32" else ["-O3", "-Wno-sign-compare"]
            extension = Extension(f"shuangkou.rules.{NAME}", [f"shuangkou/rules/{NAME}.py"], extra_compile_args=flags)
            made = cythonize([extension], language_level=3, quiet=True)
            command = build_ext(Distribution({"name": "shuangkou", "ext_modules": made}))
            command.build_lib = scratch
            command.build_temp = str(Path(scratch, "temp"))
            command.ensure_finalized()
            command.run()
            built = Path(scratch, command.get_ext_filename(extension.name))
            target = folder / built.name
            shutil.copy(built, target)
        finally:
            os.chdir(here)
    stamp.write_text(made_of, "utf-8")
    return target
