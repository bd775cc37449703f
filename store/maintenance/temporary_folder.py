"""Folders for unfinished files; those that killed processes left are deleted.

The process that uses a folder holds a lock on a file in it, which ends with the process.
"""

import fcntl
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_LOCK = "in-use"
# A process locks its folder a moment after it has made it.
_NEW_SECONDS = 60


@contextmanager
def temporary_folder(parent: Path, prefix: str) -> Iterator[Path]:
    """Make a folder for the time of a context, and delete those that no process uses any more.

    Args:
        parent: the folder that it is made in.
        prefix: the prefix of its name, and of those that are deleted.

    Raises:
        OSError: where it can't be made.
    """
    _sweep(parent, prefix)
    with tempfile.TemporaryDirectory(dir=parent, prefix=prefix) as made:
        folder = Path(made)
        with (folder / _LOCK).open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield folder


def _sweep(parent: Path, prefix: str) -> None:
    """Delete the folders with the prefix and owner of ours that no process uses.

    A folder that can't be read or deleted stays: another process may be deleting it.
    """
    for found in parent.glob(f"{prefix}*"):
        try:
            facts = found.lstat()
            is_ours = stat.S_ISDIR(facts.st_mode) and facts.st_uid == os.geteuid()
            if is_ours and time.time() - facts.st_mtime > _NEW_SECONDS and _is_unused(found):
                shutil.rmtree(found, ignore_errors=True)
        except OSError:
            continue


def _is_unused(folder: Path) -> bool:
    try:
        with (folder / _LOCK).open() as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except FileNotFoundError:  # killed before it was locked
        return True
    return True
