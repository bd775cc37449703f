"""The rules of CONTRIBUTING about folders, modules and docstrings."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[3]
_PRODUCT = ("adapters", "bot", "store")
_TREES = tuple(ROOT / name for name in (*_PRODUCT, "tests"))
# Roots hold more names, and the history of the schema only grows.
_MOST_NAMES, _MOST_IN_ROOTS, _UNBOUNDED = 15, 18, {ROOT / "store" / "migrations" / "versions"}
_ROOTS = {*_TREES, *(ROOT / "tests" / name for name in _PRODUCT)}
_LONGEST_MODULE = 450
_NO_SUBJECT = re.compile(r"(what|whoever|whether|who|how|that which|that what)\b", re.IGNORECASE)


def _modules() -> Iterator[Path]:
    for tree in _TREES:
        yield from tree.rglob("*.py")


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
        for path in _modules()
        if not path.is_relative_to(ROOT / "tests")
    }
    assert {name for name, length in lengths.items() if length > _LONGEST_MODULE} == set()


def test_a_class_name_says_one_thing() -> None:
    """No public class of the product has the name of another module's."""
    places: dict[str, list[str]] = {}
    for path in _modules():
        if not path.is_relative_to(ROOT / "tests"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    places.setdefault(node.name, []).append(str(path.relative_to(ROOT)))
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
        for path in _modules()
        if not path.is_relative_to(ROOT / "tests")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        if _NO_SUBJECT.match(docstring := ast.get_docstring(node) or "")
    }
    assert opened == set()


def test_sqlite_connections_are_closed() -> None:
    """Each is opened in `closing(…)`: `with` alone ends a transaction, and closes nothing.

    https://docs.python.org/3/library/sqlite3.html#how-to-use-the-connection-context-manager
    """
    left = {
        f"{path.relative_to(ROOT)}:{call.lineno}"
        for path in _modules()
        if "sqlite3.connect" in (code := path.read_text(encoding="utf-8"))
        for calls in [_calls(ast.parse(code))]
        for call in calls.get("sqlite3.connect", [])
        if not any(call in each.args for each in calls.get("closing", []))
    }
    assert left == set()


def _calls(tree: ast.Module) -> dict[str, list[ast.Call]]:
    """Return the calls of a module by what they call."""
    calls: dict[str, list[ast.Call]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            calls.setdefault(ast.unparse(node.func), []).append(node)
    return calls
