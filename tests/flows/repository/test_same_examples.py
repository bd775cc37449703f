"""Properties are tried with the same examples on every machine, and `make fuzz` with others."""

import os
import re
import subprocess
import sys
from pathlib import Path

from hypothesis import settings

_ROOT = Path(__file__).parents[3]
_TEXTS = "tests/bot/domain/test_untrusted_text.py"
_IN_EACH_FORMAT = "tests/bot/export/test_reading_back.py::test_exported_editions_come_back"

_OBJECT = re.compile(r" at 0x[0-9a-f]+")
_OF_PYTEST = re.compile(r"^(=+ |tests/|PASSED|collecting|$)")


def _drawn(*tests: str, **environment: str) -> list[str]:
    """Run tests in a process of their own, and return the lines of what they drew, sorted."""
    left_out = {"CI", "TZ", "PYTEST_ADDOPTS"}
    kept = {name: value for name, value in os.environ.items() if name not in left_out}
    options = ("--hypothesis-verbosity=verbose", "--capture=no", "--no-header", "-vv")
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *options, *tests],
        cwd=_ROOT,
        env=kept | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    lines = _OBJECT.sub("", ran.stdout).splitlines()
    # The first example stands behind the name of its test.
    drawn = (line.rpartition("Test case: ")[2] for line in lines)
    return sorted(line for line in drawn if not _OF_PYTEST.search(line))


def test_machines_draw_the_same_examples() -> None:
    """Neither `CI`, the order, what is loaded, the zone nor the order of hashes matters."""
    bibtex, csv = (f"{_IN_EACH_FORMAT}[{each}]" for each in ("bibtex", "csv"))
    here = _drawn(_TEXTS, bibtex, csv, PYTHONHASHSEED="1")
    elsewhere = {"CI": "true", "PYTHONHASHSEED": "2", "TZ": "Asia/Tokyo", "LC_ALL": "C"}
    there = _drawn("-p", "adapters.main", csv, bibtex, _TEXTS, **elsewhere)
    assert len(here) > 200
    assert there == here


def test_only_fuzz_draws_at_random() -> None:
    """No machine keeps examples of its own, and none is too slow for a property."""
    same, fuzz = settings.get_profile("same"), settings.get_profile("fuzz")
    assert (same.derandomize, same.database, same.deadline) == (True, None, None)
    assert (fuzz.derandomize, fuzz.deadline) == (False, None)
    assert fuzz.max_examples > 10 * same.max_examples
