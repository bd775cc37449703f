"""A store of 40,000 different words, and words that are none of them."""

import asyncio
from datetime import timedelta
from itertools import islice, product

from bot.domain.drafts import EditionDraft
from store.database import Database
from tests.bot.ingest.drafts import MONDAY, edition, entry
from tests.bot.ingest.imports import take_in

_ENTRIES, _WORDS = 400, 100
_EDITIONS = 10
_PARTS = ("bdfgklmnprst", "ae", "bdfgklmnprst", "io", "bdfgklmnprst", "aeu", "lmnr", "a")
KNOWN = tuple("".join(letters) for letters in islice(product(*_PARTS), _ENTRIES * _WORDS))
# Each is a slip away from one of them, and two from others.
UNKNOWN = tuple(word[:-1] + "q" for word in KNOWN[::397])


def fill_wide(database: Database) -> None:
    """Import them in ten editions."""
    for number in range(_EDITIONS):
        asyncio.run(database.write(take_in, _draft(number)))


def _draft(number: int) -> EditionDraft:
    rows = [KNOWN[start : start + _WORDS] for start in range(0, len(KNOWN), _WORDS)]
    entries = (
        entry(rank, " ".join(words[:5]), " ".join(words[5:]))
        for rank, words in enumerate(rows[number::_EDITIONS], 1)
    )
    return edition(*entries, first_day=MONDAY + timedelta(weeks=number))
