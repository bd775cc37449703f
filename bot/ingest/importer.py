"""Where documents are taken in: in the process at hand, or as `bot.ingest.worker` does it."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from bot.ingest import pipeline
from bot.ingest.pipeline import ImportOptions
from bot.ingest.report import DocumentReport
from store.database import Database


class Importer(Protocol):
    """Takes documents in."""

    async def ingest(
        self, path: str, data: bytes, options: ImportOptions, now: datetime
    ) -> DocumentReport:
        """Take a document in and report on it; one that can't be trusted changes nothing.

        Raises:
            SourceError: where that could not be brought to its end; editions that were taken in
                before stay.
            StoreError: where the store can't be read or written.
        """


@dataclass(frozen=True, slots=True)
class Here:
    """Takes documents in in this process; nobody who waits for its event loop is served meanwhile.

    Args:
        database: the store.
    """

    database: Database

    async def ingest(
        self, path: str, data: bytes, options: ImportOptions, now: datetime
    ) -> DocumentReport:
        """Take a document in, as `Importer` says."""
        return await pipeline.ingest(self.database, path, data, options, now)
