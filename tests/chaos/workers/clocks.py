"""The clocks of the worker, which its parent moves while it runs, through a file."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.chaos.workers.event_log import Journal


@dataclass(frozen=True, slots=True)
class Moved:
    """A clock that goes ahead of the right time by the sum of some lines of a file, in seconds."""

    file: Path
    lines: tuple[int, ...]

    def now(self) -> datetime:
        """Return the instant that it shows, in UTC."""
        written = self.file.read_text(encoding="ascii").splitlines()
        return datetime.now(UTC) + timedelta(seconds=sum(float(written[n]) for n in self.lines))


def wall(file: Path) -> Moved:
    """Return the machine's clock, which no setting moves, but which may be wrong."""
    return Moved(file, (0,))


def peoples(file: Path) -> Moved:
    """Return the clock that people see: the machine's, moved by a setting."""
    return Moved(file, (0, 1, 2))


class Hands:
    """Moves both clocks of a worker.

    `moves` is how often people's clock was moved; what was said before seems long ago after it, or
    not to have been said yet. `is_back` tells whether it is behind where it should be.

    Args:
        file: what the worker reads.
        journal: where that is written down.
    """

    def __init__(self, file: Path, journal: Journal) -> None:
        self.file = file
        self.moves = 0
        self._journal = journal
        self._wrong = self._ahead = self._back = 0.0
        self._write()

    @property
    def is_back(self) -> bool:
        """Whether people's clock goes behind for a moment."""
        return self._back != 0.0

    def show(self, instant: datetime) -> None:
        """Have people's clock show an instant, as long as neither is wrong."""
        self._ahead = (instant - datetime.now(UTC)).total_seconds()
        self.moves += 1
        self._write()

    def set_back(self, seconds: float) -> None:
        """Have people's clock go so much further ahead, or behind, than it should."""
        self._back = seconds
        self.moves += 1
        self._write()

    def put_wrong(self, seconds: float) -> None:
        """Have the machine's clock go so much ahead of the platforms', or behind."""
        self._wrong = seconds
        self._write()

    def put_right(self) -> None:
        """Have neither of them wrong."""
        self._wrong = self._back = 0.0
        self._write()

    def _write(self) -> None:
        whole = self.file.with_suffix(".new")
        whole.write_text(f"{self._wrong}\n{self._ahead}\n{self._back}\n", encoding="ascii")
        whole.replace(self.file)
        self._journal.note(
            f"{self.file.name}: machine {self._wrong:+.0f} s, people {self._back:+.0f} s"
        )
