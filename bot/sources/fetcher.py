"""Pages of the web, and whoever fetches them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from bot.ingest.documents import MAX_BYTES
from store.sources import Validators

__all__ = ["NOTHING_KNOWN", "Fetcher", "Page", "Validators", "Watch"]

# Told how many bytes of a page came, and of how many, `None` where its host does not say.
Watch = Callable[[int, int | None], None]

# Of a page that was never fetched.
NOTHING_KNOWN = Validators()


@dataclass(frozen=True, slots=True)
class Page:
    """A page as it was given, whole and unpacked.

    `url` is where it was found in the end, after redirects. `content_type` is what its host says
    that it is, parameters and all. `validators` are to be shown the next time; a page that another
    host gave than the one that was asked has none, for they mean nothing to that.
    """

    url: str
    body: bytes
    content_type: str | None
    validators: Validators


class Fetcher(Protocol):
    """Gets pages."""

    async def fetch(
        self,
        url: str,
        known: Validators = NOTHING_KNOWN,
        *,
        accept: str = "*/*",
        most: int = MAX_BYTES,
    ) -> Page | None:
        """Return a page, `None` where it has not changed since what is known of it was said.

        `accept` are the types that are wanted, as the header of that name lists them
        (https://www.rfc-editor.org/rfc/rfc9110#name-accept); `most` is how many bytes it may have.

        Raises:
            AddressRefused: where the address is none that may be fetched from.
            FetchLater: where the host can't give it now; `after` is when it may.
            PageGone: where there is no such page, or none for us.
            PageTooLarge: where it is longer than `most`.
            PageUnusable: where what came is of another type, or in no good form.
        """
