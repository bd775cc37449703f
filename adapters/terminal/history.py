"""What was typed at the prompt, kept in a private file of the user's."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from prompt_toolkit.history import FileHistory, History, InMemoryHistory


def open_history(environ: Mapping[str, str]) -> History:
    """Return the history of the user, which lasts as long as the program if no file can be kept.

    The file is `broadsheet/history` in the folder for state of the XDG Base Directory
    Specification, and readable by its owner only.
    """
    try:
        file = _folder(environ) / "broadsheet" / "history"
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file.touch(mode=0o600)
        file.chmod(0o600)
    except (OSError, RuntimeError):  # the latter where no home is known
        return InMemoryHistory()
    return _Kept(file)


class _Kept(FileHistory):
    """A file that is no more writable, on a full disc say, keeps no one from asking."""

    def store_string(self, string: str) -> None:
        with suppress(OSError):
            super().store_string(string)


def _folder(environ: Mapping[str, str]) -> Path:
    """Return the folder for state; the specification has a relative one ignored."""
    named = Path(environ.get("XDG_STATE_HOME", ""))
    return named if named.is_absolute() else Path.home() / ".local" / "state"
