"""The port through which the bot fetches pages of the web."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from bot.ingest.documents import MAX_BYTES
from store.sources import Validators

__all__ = ["NO_VALIDATORS", "FetchedPage", "Fetcher", "Validators", "Watch"]

# Called with the bytes of a page that came, and their total, `None` where the host gives none.
Watch = Callable[[int, int | None], None]

# The validators of a page that was never fetched.
NO_VALIDATORS = Validators()


@dataclass(frozen=True, slots=True)
class FetchedPage:
    """A fetched page, whole and decompressed.

    `url` is its address after redirects. `validators` are sent with the next request; a page that
    was redirected to another host has none, since they mean nothing to the first.
    """

    url: str
    body: bytes
    validators: Validators


class Fetcher(Protocol):
    """Fetches pages."""

    async def fetch(
        self,
        url: str,
        known: Validators = NO_VALIDATORS,
        *,
        accept: str = "*/*",
        most: int = MAX_BYTES,
    ) -> FetchedPage | None:
        """Return a page, `None` where it has not changed since its validators were given.

        `accept` are the accepted types, as in the header of that name
        (https://www.rfc-editor.org/rfc/rfc9110#name-accept); `most` is the limit in bytes.

        Raises:
            AddressRefused: where fetching from the address is not allowed.
            FetchLater: where the host can't answer now; `after` is when to retry.
            PageGone: where there is no such page, or it is forbidden.
            PageTooLarge: where it is longer than `most`.
            PageUnusable: where it is of another type, or malformed.
        """
