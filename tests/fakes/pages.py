"""A fetcher of pages that are kept in memory."""

from dataclasses import dataclass, field

from bot.errors import SourceError
from bot.ingest.documents import MAX_BYTES
from bot.sources.fetcher import NO_VALIDATORS, FetchedPage
from store.sources import Validators


@dataclass
class MemoryFetcher:
    """A fetcher that returns the page of a URL, or raises the error that was set for it."""

    pages: dict[str, FetchedPage | SourceError] = field(default_factory=dict)
    requests: list[tuple[str, Validators]] = field(default_factory=list)

    def put(self, url: str, text: str, etag: str | None = None) -> None:
        """Set the page of a URL."""
        self.pages[url] = FetchedPage(url, text.encode(), Validators(etag))

    async def fetch(
        self,
        url: str,
        known: Validators = NO_VALIDATORS,
        *,
        accept: str = "*/*",
        most: int = MAX_BYTES,
    ) -> FetchedPage | None:
        """Return the page of a URL, or `None` if its ETag is known."""
        del accept, most
        self.requests.append((url, known))
        page = self.pages[url]
        if isinstance(page, SourceError):
            raise page
        return None if known.etag and known == page.validators else page
