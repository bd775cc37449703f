"""Single lines of an archive recognised: headings, rules, heads of tables, index lines."""

import re
from dataclasses import dataclass, replace

from bot.domain.week_phrases import WeekPhrase, find_week
from bot.ingest.formats.archive.outline import IndexLine
from bot.ingest.formats.archive.text import plain_text

# `#tag` is text, `##Top` a heading that lost its blank.
_HEADING = re.compile(r"\s{0,3}(?P<signs>#(?=\s)|#{2,6}(?!#))\s*(?P<text>.*)$")
# Some editors write headings as bold lines; only a range of days makes one of them a heading.
_BOLD_LINE = re.compile(r"\s*\*\*(?P<text>[^*|]+)\*\*(?P<year>[\s-]*\d{4})?\s*$")
_BOLD_LEVEL = 6

_YEAR_ONLY = re.compile(r"\W*(?P<year>(?:19|20)\d{2})\W*$")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d{2}(?!\d)")
_LIST_SIGN = re.compile(r"\s*(?:[-*+]|\d{1,3}[.)])\s")
_LINK_FILE = re.compile(r"\]\(\s*(?P<file>[^)#]*)")

# A link to one of these leads into the document itself.
_THIS_DOCUMENT = frozenset({"", ".", "./", "README.md", "./README.md"})

_RULE_SIGNS = (frozenset("-"), frozenset("*"), frozenset("_"))
_RULE_STARTS = ("-", "*", "_")
_SHORTEST_RULE = 3
_TABLE_RULE_SIGNS = frozenset("|-: \t")
_MOST_HEAD_WORDS = 2


@dataclass(frozen=True, slots=True)
class HeadingLine:
    """A heading without its marks; `year` where it is nothing but a year."""

    level: int
    text: str
    phrase: WeekPhrase | None
    year: int | None


def read_heading(line: str) -> HeadingLine | None:
    """Read a heading, or a bold line that names a range of days; `None` for other lines."""
    if match := _HEADING.match(line):
        text = plain_text(match["text"].rstrip().rstrip("#"))
        return HeadingLine(len(match["signs"]), text, _dated(text), _year_only(text))
    if line.lstrip().startswith("**") and (match := _BOLD_LINE.match(line)):
        text = plain_text(match["text"] + (match["year"] or ""))
        if phrase := _dated(text):
            return HeadingLine(_BOLD_LEVEL, text, phrase, None)
    return None


def _year_only(text: str) -> int | None:
    match = _YEAR_ONLY.match(text)
    return int(match["year"]) if match else None


def _dated(text: str) -> WeekPhrase | None:
    """Find the range of a heading; the one year that stands elsewhere in it is its year."""
    phrase = find_week(text)
    if phrase is None or phrase.first_year or phrase.last_year:
        return phrase
    years = set(_YEAR.findall(text[: phrase.start] + " " + text[phrase.end :]))
    return replace(phrase, last_year=int(years.pop())) if len(years) == 1 else phrase


def read_index_line(number: int, line: str, year: int | None) -> IndexLine | None:
    """Read a list line with a range of days under a year's heading, or under none."""
    if not _LIST_SIGN.match(line):
        return None
    phrase = find_week(plain_text(line))
    if phrase is None:
        return None
    link = _LINK_FILE.search(line)
    stated = phrase.last_year or phrase.first_year
    file = link["file"].strip() if link else ""
    return IndexLine(number, stated or year, phrase, None if file in _THIS_DOCUMENT else file)


def is_rule(line: str) -> bool:
    """Tell a rule across the page: three or more of `-`, `*` or `_` and nothing else."""
    if line.lstrip()[:1] not in _RULE_STARTS:
        return False
    signs = line.replace(" ", "").strip()
    return len(signs) >= _SHORTEST_RULE and frozenset(signs) in _RULE_SIGNS


def is_table_rule(line: str) -> bool:
    """Tell the rule under a table's head, as in `| --- | --- |`."""
    return "-" in line and "|" in line and _TABLE_RULE_SIGNS.issuperset(line)


def names_columns(line: str) -> bool:
    """Tell what can be a table's head without its rule: cells of a word or two, no links."""
    bare = line.strip()
    if not bare.startswith("|") or "](" in bare:
        return False
    return all(len(cell.split()) <= _MOST_HEAD_WORDS for cell in bare.split("|"))
