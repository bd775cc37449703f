"""Private files: created for their owner alone, and found where other users may read them."""

import os
import sqlite3
import stat
import threading
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from itertools import islice
from pathlib import Path
from urllib.parse import quote

_OTHERS = stat.S_IRWXG | stat.S_IRWXO
_HAS_MODES = os.name == "posix"
_MOST_FILES = 1000  # of a folder
_BESIDE = ("-wal", "-shm", "-journal")  # https://www.sqlite.org/tempfiles.html
_IS_OURS = (
    "SELECT count(*) FROM sqlite_master WHERE name IN ('alembic_version', 'edition', 'entry_text')"
)
_OUR_TABLES = 3
# Closing a file drops the locks that other threads of the process have on it:
# https://www.sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_
_creating = threading.Lock()


def create_private(path: Path) -> None:
    """Create an empty file that its owner alone may read, before SQLite creates a readable one.

    The files that SQLite puts beside a database get the same mode. An existing file stays as it is;
    where none can be created, opening it fails with the reason.
    """
    with _creating, suppress(OSError):
        os.close(os.open(os.path.realpath(path), os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def list_exposed(paths: Iterable[Path]) -> list[Path]:
    """Return those of some files that exist and that other users may read or write."""
    return [path for path in paths if _HAS_MODES and _mode(path) & _OTHERS]


def files_of(store: Path) -> Iterator[Path]:
    """Return the files of a store, and its exposed backups in its folder or the current one."""
    own = [store, *(store.with_name(f"{store.name}{end}") for end in _BESIDE)]
    yield from own
    known = {path.resolve() for path in own}
    for folder in dict.fromkeys((store.parent, Path())):
        with suppress(OSError):
            for path in sorted(islice(folder.iterdir(), _MOST_FILES)):
                if path.resolve() not in known and list_exposed([path]) and _is_store(path):
                    known.add(path.resolve())
                    yield path


def _mode(path: Path) -> int:
    try:
        return path.stat().st_mode
    except OSError:
        return 0


def _is_store(path: Path) -> bool:
    """Tell whether a file is a store, without a lock or a trace."""
    if not path.is_file():
        return False
    try:
        address = f"file:{quote(str(path.absolute()))}?mode=ro&immutable=1"
        with closing(sqlite3.connect(address, uri=True)) as connection:
            [found] = connection.execute(_IS_OURS).fetchone()
    except sqlite3.Error:
        return False
    return bool(found == _OUR_TABLES)
