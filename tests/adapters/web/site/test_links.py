"""Links in the folder of a site: nothing outside is written, emptied, deleted or read for it."""

import asyncio
import json
import os
from collections.abc import Callable
from contextlib import contextmanager
from datetime import date
from pathlib import Path

import pytest

from adapters.web.site import Written, write_site
from bot.errors import UserError
from store.database import Database
from tests.bot.conftest import filled_store

_DAY = date(2026, 11, 21)
_MANIFEST, _UNFINISHED = ".broadsheet-site.json", ".broadsheet-site.tmp"
_KEPT = "somebody else's"


async def _write(database: Database, root: Path) -> Written:
    return await write_site(database, _DAY, root, force=True)


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """Return a folder beside that of the site, with files and a folder of the pages' names."""
    folder = tmp_path / "outside"
    for name in ("about.html", "weeks.html", "weeks/2026-W02.html", "feeds/topic/agents.atom"):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_KEPT)
    (folder / "empty").mkdir()
    return folder


def _state(folder: Path) -> dict[str, tuple[int, str]]:
    """Return all that is in a folder, with its inode and text."""
    return {
        str(path.relative_to(folder)): (
            path.lstat().st_ino,
            path.read_text() if path.is_file() else "",
        )
        for path in folder.rglob("*")
    }


def _texts(folder: Path) -> dict[str, str]:
    return {name: text for name, (_, text) in _state(folder).items()}


def _link(root: Path, name: str, target: Path) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(target)


def _hard_link(root: Path, name: str, target: Path) -> None:
    (root / name).hardlink_to(target)


def _plant_folders(root: Path, outside: Path) -> None:
    _link(root, "weeks", outside / "weeks")
    _link(root, "feeds/topic", outside / "feeds" / "topic")
    _link(root, "papers", outside / "empty")
    _link(root, "editions", outside / "nowhere")


def _plant_files(root: Path, outside: Path) -> None:
    _link(root, "about.html", outside / "about.html")
    _link(root, "weeks/2026-W02.html", outside / "weeks" / "2026-W02.html")
    _link(root, "style.css", outside / "nowhere.css")
    _link(root, "weeks.html", root / "weeks.html")  # a circle


def _plant_hard_links(root: Path, outside: Path) -> None:
    for name in ("about.html", _UNFINISHED, _MANIFEST):
        _hard_link(root, name, outside / "about.html")


def _plant_links_of_ours(root: Path, outside: Path) -> None:
    _link(root, _UNFINISHED, outside / "about.html")
    _link(root, _MANIFEST, outside / "about.html")


def _plant_dangling_unfinished(root: Path, outside: Path) -> None:
    _link(root, _UNFINISHED, outside / "nowhere.tmp")


def _plant_pipes(root: Path, _outside: Path) -> None:
    for name in ("about.html", _UNFINISHED, _MANIFEST):
        os.mkfifo(root / name)


_PLANTS = [
    _plant_folders,
    _plant_files,
    _plant_hard_links,
    _plant_links_of_ours,
    _plant_dangling_unfinished,
    _plant_pipes,
]


@pytest.fixture(scope="module")
def whole(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return the files of a site that nothing was in the way of, with their texts."""
    folder = tmp_path_factory.mktemp("whole")
    with contextmanager(filled_store)(sqlite_template, folder / "store.db") as database:
        asyncio.run(_write(database, folder / "site"))
    return _texts(folder / "site")


@pytest.mark.parametrize("plant", _PLANTS)
async def test_what_lies_in_the_way_is_replaced_and_its_target_is_left(
    filled: Database,
    tmp_path: Path,
    outside: Path,
    whole: dict[str, str],
    plant: Callable[[Path, Path], None],
) -> None:
    """At any depth a link goes, a file of ours takes its place, and the site is whole."""
    root = tmp_path / "site"
    root.mkdir()
    plant(root, outside)
    before = _state(outside)
    await _write(filled, root)
    assert _state(outside) == before
    assert not any(path.is_symlink() for path in root.rglob("*"))
    assert _texts(root) == whole


@pytest.mark.parametrize("plant", [_plant_folders, _plant_files])
async def test_a_link_that_came_between_two_runs_is_replaced(
    filled: Database, tmp_path: Path, outside: Path, plant: Callable[[Path, Path], None]
) -> None:
    """Pages that a first run wrote are moved away, and links to them and others are put there."""
    root, before = tmp_path / "site", _state(outside)
    await _write(filled, root)
    first = _texts(root)
    moved = tmp_path / "moved"
    moved.mkdir()
    for name in ("weeks", "feeds", "papers", "editions", "about.html", "style.css", "weeks.html"):
        (root / name).rename(moved / name)
    plant(root, outside)
    _link(root, "index-too.html", moved / "about.html")
    there = _state(moved)
    await _write(filled, root)
    assert (_state(outside), _state(moved)) == (before, there)
    (root / "index-too.html").unlink()  # a link of another name is nobody's business
    assert _texts(root) == first


async def test_a_link_to_the_same_bytes_is_replaced_too(filled: Database, tmp_path: Path) -> None:
    """What is published is a file of the folder, not one elsewhere that may change."""
    root = tmp_path / "site"
    await _write(filled, root)
    (root / "about.html").rename(tmp_path / "about.html")
    (root / "about.html").symlink_to(tmp_path / "about.html")
    assert (await _write(filled, root)).written == 1
    assert not (root / "about.html").is_symlink()


async def test_nothing_is_deleted_through_a_link(
    filled: Database, tmp_path: Path, outside: Path
) -> None:
    """Of files that are no more a link itself goes, never what is behind it or in its folder."""
    root, before = tmp_path / "site", _state(outside)
    await _write(filled, root)
    listed = json.loads((root / _MANIFEST).read_text())
    gone = ["old/about.html", "linked/about.html", "alias.html", "kept.html", "deep/empty/x.html"]
    listed["files"] += gone
    (root / _MANIFEST).write_text(json.dumps(listed))
    _link(root, "linked", outside)
    _link(root, "alias.html", outside / "about.html")
    _link(root, "deep/empty", outside / "empty")
    (root / "old").mkdir()
    (root / "old" / "about.html").hardlink_to(outside / "about.html")
    (root / "kept.html").mkdir()  # somebody's folder, whatever its name
    assert (await _write(filled, root)).removed == 2
    assert _state(outside) == before
    left = {name for name in ("old", "linked", "alias.html", "kept.html") if _is_there(root, name)}
    assert left == {"linked", "kept.html"}
    assert (await _write(filled, root)).removed == 0


async def test_a_link_to_the_folder_itself_is_followed(filled: Database, tmp_path: Path) -> None:
    """An operator who names a link means the folder behind it; one that leads nowhere is said."""
    (tmp_path / "real").mkdir()
    (tmp_path / "site").symlink_to(tmp_path / "real")
    await _write(filled, tmp_path / "site")
    assert (tmp_path / "site").is_symlink()
    assert (tmp_path / "real" / "index.html").is_file()
    (tmp_path / "nowhere").symlink_to(tmp_path / "missing")
    with pytest.raises(UserError, match="nowhere can't be written: "):
        await _write(filled, tmp_path / "nowhere")
    assert not (tmp_path / "missing").exists()


async def test_a_file_in_the_place_of_a_folder_is_said(filled: Database, tmp_path: Path) -> None:
    """It stays, since its name is none of ours."""
    root = tmp_path / "site"
    root.mkdir()
    (root / "weeks").write_text(_KEPT)
    with pytest.raises(UserError, match=r"weeks/[\w-]+\.html can't be written: "):
        await _write(filled, root)
    assert (root / "weeks").read_text() == _KEPT


def _is_there(root: Path, name: str) -> bool:
    return os.path.lexists(root / name)
