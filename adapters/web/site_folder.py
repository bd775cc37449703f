"""The folder of a site: its files are only touched where they change.

Whatever links lie in it, names lead to nothing outside.
"""

import errno
import fcntl
import json
import os
import re
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from bot.errors import UserError

# Tells GitHub Pages to take files as they are:
# https://docs.github.com/en/pages/getting-started-with-github-pages/about-github-pages-and-jekyll
AS_THEY_ARE = ".nojekyll"
_SAFE = re.compile(r"[A-Za-z0-9][\w.-]*(?:/[A-Za-z0-9][\w.-]*)*", re.ASCII)
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
_UNFINISHED = ".broadsheet-site.tmp"
# What is said of a link where a folder is asked for depends on the system.
_NO_FOLDER = {errno.ENOTDIR, errno.ELOOP, errno.EMLINK}


def is_safe(file: str) -> bool:
    """Tell whether a file's name leads to a place below its folder, and to nothing hidden."""
    return file == AS_THEY_ARE or _SAFE.fullmatch(file) is not None


class OpenFolder:
    """The files of a folder, named by paths below it, without `..` and without a slash in front.

    No link in it is followed, in the middle of a path or at its end, and no file is written but a
    new one, so that a file with a second name elsewhere stays as it is. Errors are `OSError`s.
    """

    def __init__(self, handle: int) -> None:
        self._handle = handle

    def names(self) -> list[str]:
        """Return the names of what is in the folder itself."""
        return os.listdir(self._handle)  # noqa: PTH208 - a handle is no path

    def read(self, file: str) -> bytes | None:
        """Return what is in a file, `None` where there is no such file that can be read."""
        try:
            with self._parent(file) as (folder, name):
                facts = os.stat(name, dir_fd=folder, follow_symlinks=False)
                if not stat.S_ISREG(facts.st_mode):
                    return None
                with open(name, "rb", opener=_below(folder)) as found:
                    return found.read()
        except OSError:
            return None

    def write(self, file: str, body: bytes) -> None:
        """Put a new file in the place of what is there: a file or a link, also one to a folder."""
        self.clean()
        with open(_UNFINISHED, "xb", opener=_below(self._handle)) as unfinished:
            unfinished.write(body)
        with self._parent(file, make=True) as (folder, name):
            os.replace(_UNFINISHED, name, src_dir_fd=self._handle, dst_dir_fd=folder)

    def remove(self, file: str) -> bool:
        """Delete a file, or a link in its place, and tell whether there was one.

        Folders that it leaves empty are deleted too.
        """
        try:
            with self._parent(file) as (folder, name):
                if stat.S_ISDIR(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
                    return False
                os.unlink(name, dir_fd=folder)
        except (FileNotFoundError, NotADirectoryError):
            return False
        finally:
            self._remove_empty(file.rpartition("/")[0])
        return True

    def clean(self) -> None:
        """Delete what a write that broke off left."""
        with suppress(FileNotFoundError):
            os.unlink(_UNFINISHED, dir_fd=self._handle)

    @contextmanager
    def _parent(self, file: str, *, make: bool = False) -> Iterator[tuple[int, str]]:
        """Yield the handle of the folder that a file is in, and the file's name there."""
        *folders, name = file.split("/")
        handle = os.dup(self._handle)
        try:
            for each in folders:
                inner = _made(each, handle) if make else _entered(each, handle)
                os.close(handle)
                handle = inner
            yield handle, name
        finally:
            os.close(handle)

    def _remove_empty(self, folder: str) -> None:
        while folder:
            try:
                with self._parent(folder) as (parent, name):
                    os.rmdir(name, dir_fd=parent)
            except OSError:  # it has other files, or is none
                return
            folder = folder.rpartition("/")[0]


def _entered(name: str, folder: int) -> int:
    try:
        return os.open(name, _FOLDER, dir_fd=folder)
    except OSError as error:
        if error.errno in _NO_FOLDER:
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), name) from error
        raise


def _made(name: str, folder: int) -> int:
    """Return the handle of a folder in another one; it is made if it is missing or a link."""
    try:
        return _entered(name, folder)
    except FileNotFoundError:
        pass
    except NotADirectoryError:
        if not stat.S_ISLNK(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
            raise
        os.unlink(name, dir_fd=folder)
    os.mkdir(name, dir_fd=folder)
    return _entered(name, folder)


def _below(folder: int) -> Callable[[str, int], int]:
    """Return the function that opens a file of a folder.

    It follows no link, and does not wait for the other end of a pipe.
    """

    def opened(name: str, flags: int) -> int:
        return os.open(name, flags | os.O_NOFOLLOW | os.O_NONBLOCK, 0o666, dir_fd=folder)

    return opened


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
