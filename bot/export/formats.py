"""The formats by name, and what writes editions in each."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, Protocol

from bot.export.as_json import to_json
from bot.export.atom import to_atom
from bot.export.bibtex import to_bibtex
from bot.export.ris import to_ris
from bot.export.table import to_csv
from store.library.arxiv import NO_METADATA, ArxivPaper
from store.records import Edition


class Writer(Protocol):
    """Writes editions in a format."""

    def __call__(
        self, editions: Sequence[Edition], told: Mapping[str, ArxivPaper] = NO_METADATA, /
    ) -> str:
        """Return the text; `told` is what arXiv says of papers, by their ids."""


def _as_printed(write: Callable[[Sequence[Edition]], str]) -> Writer:
    """Return what writes editions as they are, whatever else is told of their papers."""

    def written(
        editions: Sequence[Edition], _told: Mapping[str, ArxivPaper] = NO_METADATA, /
    ) -> str:
        return write(editions)

    return written


FORMATS: Final[dict[str, Writer]] = {
    "json": to_json,
    "bibtex": to_bibtex,
    "ris": to_ris,
    "csv": _as_printed(to_csv),
    "atom": _as_printed(to_atom),
}
"""Each format's name, and what writes editions (with their entries, newest first) in it.

What is written is whole: it ends its last line itself, has the line ends of its format, and
always encodes as UTF-8.
"""
