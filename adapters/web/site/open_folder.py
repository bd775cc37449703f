"""A folder by its handle: whatever links lie in it, names lead to nothing outside."""

import errno
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
_UNFINISHED = ".broadsheet-site.tmp"
# What is said of a link where a folder is asked for depends on the system.
_NO_FOLDER = {errno.ENOTDIR, errno.ELOOP, errno.EMLINK}


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
