"""What a measurement was made on."""

from __future__ import annotations

import os
import platform
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from shuangkou import __version__
from shuangkou.rules.engine import COMPILED


def about() -> dict[str, Any]:
    """Version, kernel, date, Python and machine, as every benchmark prints them."""
    return {
        "version": __version__,
        "kernel": "compiled" if COMPILED else "plain",
        "date": datetime.now(UTC).date().isoformat(),
        "python": platform.python_version(),
        "machine": f"{_processor()}, {os.cpu_count()} cores, {platform.system()}",
    }


def _processor() -> str:
    """The processor's name, where the system tells it."""
    try:
        with Path("/proc/cpuinfo").open(encoding="utf-8") as lines:
            return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()
