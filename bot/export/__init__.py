"""What is stored, as files for other programs (see `docs/export.md` and `docs/json.md`). All pure.

Nothing here reads a clock: the same editions give the same characters.
"""

from collections.abc import Callable, Sequence
from typing import Final

from bot.export.as_json import editions_json, hits_json, mentions_json, to_json
from bot.export.atom import to_atom
from bot.export.bibtex import to_bibtex
from bot.export.ris import to_ris
from bot.export.table import to_csv
from store.records import Edition

__all__ = ["FORMATS", "editions_json", "hits_json", "mentions_json"]

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
