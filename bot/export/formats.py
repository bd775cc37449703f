"""The export formats by name."""

from collections.abc import Sequence
from typing import Final, Protocol

from bot.export.atom import to_atom
from bot.export.bibliography import NO_ARXIV_FACTS, ArxivFacts
from bot.export.bibtex import to_bibtex
from bot.export.json_shapes import to_json
from bot.export.ris import to_ris
from bot.export.table import to_csv
from store.records import Edition


class Writer(Protocol):
    """A function that writes editions in a format.

    The text is whole: it ends its last line, has the line ends of its format, and always encodes
    as UTF-8.
    """

    def __call__(self, editions: Sequence[Edition], arxiv: ArxivFacts = NO_ARXIV_FACTS, /) -> str:
        """Return editions (with entries, newest first) as text."""


FORMATS: Final[dict[str, Writer]] = {
    "json": to_json,
    "bibtex": to_bibtex,
    "ris": to_ris,
    "csv": to_csv,
    "atom": to_atom,
}
