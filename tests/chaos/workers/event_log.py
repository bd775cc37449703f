"""What was done to the bot and when, to be laid beside what the bot logged."""

from datetime import UTC, datetime
from pathlib import Path


class Journal:
    """Writes lines to a file.

    Args:
        file: where it is kept.
    """

    def __init__(self, file: Path) -> None:
        self._file = file

    def note(self, event: str) -> None:
        """Write down what happens now."""
        with self._file.open("a", encoding="utf-8") as lines:
            lines.write(f"{datetime.now(UTC).isoformat()} {event}\n")
