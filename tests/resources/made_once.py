"""What all processes that run the tests side by side share: the first one to want it makes it."""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

_FOLDER = "BROADSHEET_TESTS_FOLDER"


def share_folder(config: pytest.Config) -> None:
    """Make the folder of a run, unless this is one of its processes, and have it deleted then."""
    if _FOLDER in os.environ:
        return
    folder = Path(tempfile.mkdtemp(prefix="broadsheet-tests-"))
    # A Postgres server runs as a user of its own, who must be able to reach it.
    folder.chmod(0o755)
    os.environ[_FOLDER] = str(folder)
    # The server's package asks for such a folder, of its user alone, and warns where none is set.
    (folder / "runtime").mkdir(mode=0o700)
    os.environ.setdefault("XDG_RUNTIME_DIR", str(folder / "runtime"))

    def delete() -> None:
        del os.environ[_FOLDER]
        shutil.rmtree(folder, ignore_errors=True)

    config.add_cleanup(delete)


def shared_folder() -> Path:
    """Return the folder of the run."""
    return Path(os.environ[_FOLDER])


def made_once(name: str, make: Callable[[Path], object]) -> Path:
    """Return a file of the run, made by the first process that wants it; the others wait for it.

    Args:
        name: its name.
        make: makes it at a path.
    """
    path = shared_folder() / name
    with path.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.exists():
            half = path.with_suffix(".half")
            make(half)
            half.rename(path)
    return path
