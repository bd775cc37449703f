"""Documents at addresses, in memory."""

from dataclasses import dataclass, field

from bot.errors import SourceError
from bot.ingest.documents import MAX_BYTES
from bot.sources.fetcher import NO_VALIDATORS, Page
from store.sources import Validators


@dataclass
class MemoryFetcher:
    """Gives what is put at an address, where that has changed; an error is raised."""

    pages: dict[str, Page | SourceError] = field(default_factory=dict)
    asked: list[tuple[str, Validators]] = field(default_factory=list)

    def put(self, url: str, text: str, etag: str | None = None) -> None:
        """Put a document at an address."""
        self.pages[url] = Page(url, text.encode(), Validators(etag))

    async def fetch(
        self,
        url: str,
        known: Validators = NO_VALIDATORS,
        *,
        accept: str = "*/*",
        most: int = MAX_BYTES,
    ) -> Page | None:
        """Return what is there, `None` where it has the validators that are known."""
        del accept, most
        self.asked.append((url, known))
        page = self.pages[url]
        if isinstance(page, SourceError):
            raise page
        return None if known.etag and known == page.validators else page
