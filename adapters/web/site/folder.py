"""A folder of files that are only touched where they change."""

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from adapters.web.site.addresses import is_safe
from bot.errors import UserError

_MANIFEST = ".broadsheet-site.json"
_UNFINISHED = ".broadsheet-site.tmp"


class Folder:
    """A folder with the files of one writer, which are listed in a file of their own.

    Other files are never deleted. `earlier` are the files that an earlier run wrote.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self.earlier: frozenset[str] = frozenset()

    @contextmanager
    def opened(self, *, force: bool) -> Iterator[None]:
        """Make the folder if it is missing, and keep other writers out.

        Raises:
            UserError: if it can't be used: another process writes to it, or it has files of
                somebody else and `force` is not set.
        """
        with self._failing(self._root):
            self._root.mkdir(parents=True, exist_ok=True)
            handle = os.open(self._root, os.O_RDONLY | os.O_DIRECTORY)
        try:
            self._lock(handle)
            with self._failing(self._root):
                self._take(force=force)
            yield
        finally:
            with suppress(OSError):
                (self._root / _UNFINISHED).unlink(missing_ok=True)
            os.close(handle)

    def announce(self, files: frozenset[str]) -> None:
        """Note the files that are going to be written, so that a later run knows them as ours."""
        self._list(files | self.earlier)

    def put(self, file: str, body: bytes) -> bool:
        """Write a file as a whole, unless it is there already; tell whether it was written.

        Raises:
            UserError: if it can't be written; what was there before stays.
        """
        return self._put(self._path(file), body)

    def finish(self, files: frozenset[str]) -> int:
        """Delete the files of earlier runs except these; return how many there were."""
        gone = [self._path(file) for file in sorted(self.earlier - files)]
        removed = 0
        for path in gone:
            with self._failing(path), suppress(FileNotFoundError, NotADirectoryError):
                path.unlink()
                removed += 1
            self._remove_empty(path.parent)
        self._list(files)
        return removed

    def _lock(self, handle: int) -> None:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise UserError(
                f"Another process writes to {self._root} just now.", "Wait until it ends."
            ) from error
        except OSError:  # a file system of a network may have no locks
            return

    def _take(self, *, force: bool) -> None:
        """Read what is there."""
        found = _files_in(self._root / _MANIFEST)
        others = (each for each in self._root.iterdir() if not each.name.startswith("."))
        if found is None and not force and any(others):
            raise UserError(
                f"{self._root} has files, and broadsheet site did not write them.",
                "Give a folder of its own, or add --force, which writes over files of the same"
                " names and leaves the others.",
            )
        self.earlier = found or frozenset()

    def _path(self, file: str) -> Path:
        if not is_safe(file):
            raise ValueError(file)
        return self._root / file

    def _list(self, files: frozenset[str]) -> None:
        listed = json.dumps({"files": sorted(files)}, indent=0) + "\n"
        self._put(self._root / _MANIFEST, listed.encode())

    def _put(self, path: Path, body: bytes) -> bool:
        with suppress(OSError):
            if path.read_bytes() == body:
                return False
        unfinished = self._root / _UNFINISHED
        with self._failing(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            unfinished.write_bytes(body)
            unfinished.replace(path)
        return True

    def _remove_empty(self, folder: Path) -> None:
        while folder != self._root:
            try:
                folder.rmdir()
            except OSError:  # it has other files
                return
            folder = folder.parent

    @contextmanager
    def _failing(self, path: Path) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise UserError(
                f"{path} can't be written: {error.strerror}.",
                "Give a folder that you may write to, with room left; what is written stays"
                " whole, and another run goes on from there.",
            ) from error


def _files_in(manifest: Path) -> frozenset[str] | None:
    """Return the files that a manifest lists, `None` if it is missing or can't be read."""
    try:
        read: Any = json.loads(manifest.read_bytes())
        return frozenset(each for each in read["files"] if is_safe(each))
    except (OSError, ValueError, LookupError, TypeError):
        return None
