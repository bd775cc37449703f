"""The formats by name, and what writes editions in each."""

from collections.abc import Callable, Sequence
from typing import Final

from bot.export.as_json import to_json
from bot.export.atom import to_atom
from bot.export.bibtex import to_bibtex
from bot.export.ris import to_ris
from bot.export.table import to_csv
from store.records import Edition

FORMATS: Final[dict[str, Callable[[Sequence[Edition]], str]]] = {
    "json": to_json,
    "bibtex": to_bibtex,
    "ris": to_ris,
    "csv": to_csv,
    "atom": to_atom,
}
"""Each format's name, and what writes editions (with their entries, newest first) in it.

What is written is whole: it ends its last line itself, has the line ends of its format, and
always encodes as UTF-8.
"""
