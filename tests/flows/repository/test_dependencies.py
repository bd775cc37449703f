"""What the code imports, and what the project says that it needs."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
_OURS = {"adapters", "bot", "store", "tests"}
_NAME = re.compile(r"[A-Za-z0-9._-]+")


def _imported(folder: str) -> Iterator[str]:
    """Yield the outermost packages that the modules of a folder import, wherever they do."""
    for path in (ROOT / folder).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Import):
                yield from (each.name.partition(".")[0] for each in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                yield node.module.partition(".")[0]


def _same(name: str) -> str:
    """Return what all spellings of a distribution's name have in common (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


@cache
def _distributions() -> Mapping[str, Sequence[str]]:
    return packages_distributions()


def _declared(*extras: str) -> set[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    listed = [project["dependencies"], *(project["optional-dependencies"][each] for each in extras)]
    return {_same(found[0]) for lines in listed for line in lines if (found := _NAME.match(line))}


@pytest.mark.parametrize(
    ("folder", "extras"),
    [
        ("adapters", ()),
        ("bot", ("plots",)),
        ("store", ()),
        ("tests", ("plots", "dev")),
    ],
)
def test_what_is_imported_is_declared(folder: str, extras: tuple[str, ...]) -> None:
    """No module leans on a package that only comes along with another one."""
    names = {*_imported(folder)} - {*sys.stdlib_module_names} - _OURS
    known = _distributions()
    missing = {
        name for name in names if not {_same(each) for each in known[name]} & _declared(*extras)
    }
    assert missing == set()
