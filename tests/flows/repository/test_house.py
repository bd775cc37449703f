"""The rules of CONTRIBUTING about folders, modules, docstrings and what modules import."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
_PRODUCT = ("adapters", "bot", "store")
_TREES = tuple(ROOT / name for name in (*_PRODUCT, "tests"))
# Roots hold more names, and the history of the schema only grows.
_MOST_NAMES, _MOST_IN_ROOTS, _UNBOUNDED = 15, 18, {ROOT / "store" / "migrations" / "versions"}
_ROOTS = {*_TREES, *(ROOT / "tests" / name for name in _PRODUCT)}
_LONGEST_MODULE = 450
_NO_SUBJECT = re.compile(r"(what|whoever|whether|who|how|that which|that what)\b", re.IGNORECASE)


def _modules(*trees: Path) -> Iterator[Path]:
    """Yield the modules of some trees, by default of all."""
    for tree in trees or _TREES:
        yield from tree.rglob("*.py")


def _product() -> Iterator[Path]:
    yield from _modules(*(ROOT / name for name in _PRODUCT))


@dataclass
class _Facts:
    """What a module says: its public classes, its docstrings, the packages that it imports."""

    classes: list[str] = field(default_factory=list)
    docstrings: list[str] = field(default_factory=list)
    imported: set[str] = field(default_factory=set)


@cache
def _facts(path: Path) -> _Facts:
    """Read a module once."""
    facts = _Facts()
    for node in ast.walk(ast.parse(path.read_bytes())):
        match node:
            case ast.Import():
                facts.imported.update(each.name.partition(".")[0] for each in node.names)
            case ast.ImportFrom(module=str(name), level=0):
                facts.imported.add(name.partition(".")[0])
            case ast.ClassDef(name=name) if not name.startswith("_"):
                facts.classes.append(name)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            facts.docstrings.append(ast.get_docstring(node) or "")
    return facts


def _names(folder: Path) -> set[str]:
    """Return the modules and packages of a folder."""
    modules = {path.stem for path in folder.glob("*.py")} - {"__init__"}
    return modules | {path.parent.name for path in folder.glob("*/__init__.py")}


def test_a_folder_holds_fifteen_names() -> None:
    """Every folder can be read at a glance: 15 modules and packages, 18 in the roots."""
    folders = {path.parent for path in _modules()} - _UNBOUNDED
    crowded = {
        str(folder.relative_to(ROOT)): len(_names(folder))
        for folder in folders
        if len(_names(folder)) > (_MOST_IN_ROOTS if folder in _ROOTS else _MOST_NAMES)
    }
    assert crowded == {}


def test_a_module_is_one_idea() -> None:
    """No module of the product is longer than 450 lines."""
    lengths = {
        str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines())
        for path in _product()
    }
    assert {name for name, length in lengths.items() if length > _LONGEST_MODULE} == set()


def test_a_class_name_says_one_thing() -> None:
    """No public class of the product has the name of another module's."""
    places: dict[str, list[str]] = {}
    for path in _product():
        for name in _facts(path).classes:
            places.setdefault(name, []).append(str(path.relative_to(ROOT)))
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


def test_tests_mirror_packages() -> None:
    """Each folder of tests for the product is named like the package or module that it tests."""
    folders = {
        path.parent.relative_to(ROOT / "tests")
        for name in _PRODUCT
        for path in (ROOT / "tests" / name).rglob("*.py")
    }
    unknown = {
        str(folder)
        for folder in folders
        if not (ROOT / folder).is_dir() and not (ROOT / folder).with_suffix(".py").is_file()
    }
    assert unknown == set()


def test_docstrings_have_a_subject_and_a_verb() -> None:
    """No docstring of the product opens with What, Who, How or That which."""
    opened = {
        f"{path.relative_to(ROOT)}: {docstring.splitlines()[0]}"
        for path in _product()
        for docstring in _facts(path).docstrings
        if _NO_SUBJECT.match(docstring)
    }
    assert opened == set()


def test_sqlite_connections_are_closed() -> None:
    """Each is opened in `closing(…)`: `with` alone ends a transaction, and closes nothing.

    https://docs.python.org/3/library/sqlite3.html#how-to-use-the-connection-context-manager
    """
    left = {
        f"{path.relative_to(ROOT)}:{call.lineno}"
        for path in _modules()
        for calls in [_calls(path)]
        for call in calls.get("sqlite3.connect", [])
        if not any(call in each.args for each in calls.get("closing", []))
    }
    assert left == set()


def _calls(path: Path) -> dict[str, list[ast.Call]]:
    """Return the calls of a module by what they call, none where it opens no such connection."""
    calls: dict[str, list[ast.Call]] = {}
    if "sqlite3.connect" in path.read_text(encoding="utf-8"):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Call):
                calls.setdefault(ast.unparse(node.func), []).append(node)
    return calls


_NAME = re.compile(r"[A-Za-z0-9._-]+")


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
    [("adapters", ()), ("bot", ("plots",)), ("store", ()), ("tests", ("plots", "dev"))],
)
def test_what_is_imported_is_declared(folder: str, extras: tuple[str, ...]) -> None:
    """No module leans on a package that only comes along with another one."""
    ours = {tree.name for tree in _TREES}
    imported = set[str]().union(*(_facts(path).imported for path in _modules(ROOT / folder)))
    names = imported - {*sys.stdlib_module_names} - ours
    known = _distributions()
    missing = {
        name for name in names if not {_same(each) for each in known[name]} & _declared(*extras)
    }
    assert missing == set()
