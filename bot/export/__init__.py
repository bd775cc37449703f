"""Editions and saved lists as files for other programs (`docs/export.md`, `docs/json.md`). Pure.

No clock is read: the same editions give the same characters. A text is whole: it ends its last
line, has the line ends of its format, and always encodes as UTF-8.
"""

from collections.abc import Callable, Sequence
from typing import Final

from bot.export.atom import to_atom
from bot.export.bibliography import ArxivFacts, to_bibtex, to_ris
from bot.export.json_shapes import to_json
from bot.export.table import to_csv
from store.records import Edition

# By name: what writes editions (with entries, newest first) as text.
FORMATS: Final[dict[str, Callable[[Sequence[Edition], ArxivFacts], str]]] = {
    "json": to_json,
    "bibtex": to_bibtex,
    "ris": to_ris,
    "csv": to_csv,
    "atom": to_atom,
}
