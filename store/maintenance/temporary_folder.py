"""Folders for unfinished files, swept where a process that was killed has left them.

Whoever uses one holds a lock on a file in it, which ends with the process however that ends.
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
# Whoever has just made one takes its lock a moment later.
_NEW_SECONDS = 60


@contextmanager
def temporary_folder(parent: Path, prefix: str) -> Iterator[Path]:
    """Give a folder in another for as long as it is wanted, and sweep such as nobody uses.

    Args:
        parent: the folder that it is made in.
        prefix: how its name begins, and how those begin that are swept.

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
    """Delete the folders that are ours by their name and owner and that no process uses.

    What can't be looked at or deleted stays: another process may be doing the same.
    """
    for found in parent.glob(f"{prefix}*"):
        try:
            facts = found.lstat()
            is_ours = stat.S_ISDIR(facts.st_mode) and facts.st_uid == os.geteuid()
            if is_ours and time.time() - facts.st_mtime > _NEW_SECONDS and _is_left(found):
                shutil.rmtree(found, ignore_errors=True)
        except OSError:
            continue


def _is_left(folder: Path) -> bool:
    try:
        with (folder / _LOCK).open() as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except FileNotFoundError:  # killed before it was locked
        return True
    return True
