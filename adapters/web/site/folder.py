"""A folder of files that are only touched where they change."""

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from adapters.web.site.addresses import is_safe
from adapters.web.site.open_folder import OpenFolder
from bot.errors import UserError

_MANIFEST = ".broadsheet-site.json"


class Folder:
    """A folder with the files of one writer, which are listed in a file of their own.

    Other files are never deleted. `earlier` are the files that an earlier run wrote. A link in it
    is never followed: where a file or its folder has to be, it is replaced.
    """

    def __init__(self, root: Path, inside: OpenFolder) -> None:
        self._root = root
        self._inside = inside
        self.earlier: frozenset[str] = _listed_in(inside.read(_MANIFEST)) or frozenset()

    def announce(self, files: frozenset[str]) -> None:
        """Note the files that are going to be written, so that a later run knows them as ours."""
        self._list(files | self.earlier)

    def put(self, file: str, body: bytes) -> bool:
        """Write a file as a whole, unless it is there already; tell whether it was written.

        Raises:
            UserError: if it can't be written; what was there before stays.
        """
        return self._put(_safe(file), body)

    def finish(self, files: frozenset[str]) -> int:
        """Delete the files of earlier runs except these; return how many there were."""
        removed = 0
        for file in map(_safe, sorted(self.earlier - files)):
            with _failing(self._root / file):
                removed += self._inside.remove(file)
        self._list(files)
        return removed

    def _list(self, files: frozenset[str]) -> None:
        listed = json.dumps({"files": sorted(files)}, indent=0) + "\n"
        self._put(_MANIFEST, listed.encode())

    def _put(self, file: str, body: bytes) -> bool:
        if self._inside.read(file) == body:
            return False
        with _failing(self._root / file):
            self._inside.write(file, body)
        return True


@contextmanager
def opened(root: Path, *, force: bool) -> Iterator[Folder]:
    """Make a folder if it is missing, and keep other writers out.

    The path may be a link to the folder, which is meant then.

    Raises:
        UserError: if it can't be used: another process writes to it, or it has files of somebody
            else and `force` is not set.
    """
    with _failing(root):
        root.mkdir(parents=True, exist_ok=True)
        handle = os.open(root, os.O_RDONLY | os.O_DIRECTORY)
    try:
        _lock(handle, root)
        inside = OpenFolder(handle)
        with _failing(root):
            _check_whose(root, inside, force=force)
        try:
            yield Folder(root, inside)
        finally:
            with suppress(OSError):
                inside.clean()
    finally:
        os.close(handle)


def _lock(handle: int, root: Path) -> None:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise UserError(
            f"Another process writes to {root} just now.", "Wait until it ends."
        ) from error
    except OSError:  # a file system of a network may have no locks
        return


def _check_whose(root: Path, inside: OpenFolder, *, force: bool) -> None:
    others = (each for each in inside.names() if not each.startswith("."))
    if not force and any(others) and _listed_in(inside.read(_MANIFEST)) is None:
        raise UserError(
            f"{root} has files, and broadsheet site did not write them.",
            "Give a folder of its own, or add --force, which writes over files of the same"
            " names and leaves the others.",
        )


def _safe(file: str) -> str:
    if not is_safe(file):
        raise ValueError(file)
    return file


@contextmanager
def _failing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise UserError(
            f"{path} can't be written: {error.strerror}.",
            "Give a folder that you may write to, with room left; what is written stays"
            " whole, and another run goes on from there.",
        ) from error


def _listed_in(manifest: bytes | None) -> frozenset[str] | None:
    """Return the files that a manifest lists, `None` if it is missing or can't be read."""
    try:
        read: Any = json.loads(manifest or b"")
        return frozenset(each for each in read["files"] if is_safe(each))
    except (ValueError, LookupError, TypeError):
        return None
