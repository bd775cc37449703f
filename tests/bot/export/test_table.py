"""The CSV table, read back by the standard library's strict reader."""

import csv
import io
from datetime import timedelta

import pytest
from hypothesis import given

from bot.domain.paper_ids import entry_url
from bot.export.table import to_csv
from store.records import Edition, Entry, Link
from tests.bot.export.editions import EDITIONS, MONDAY, edition, entry, folded

_HEADER = [
    *("ref", "source", "first_day", "last_day", "rank", "episode", "title", "summary"),
    *("heading", "section", "topics", "arxiv_id", "doi", "url"),
]


def _read(table: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(table, newline=""), strict=True))


def _expected(week: Edition, told: Entry) -> list[str]:
    facts = [
        *(told.ref, week.source, str(week.first_day), str(week.last_day)),
        *(str(told.rank or ""), told.episode, told.title, told.summary),
        *(told.heading, told.section, ";".join(told.topics)),
        *(told.arxiv_id, told.doi, entry_url(told)),
    ]
    return [folded(fact) for fact in facts]


def _check_all_comes_back(editions: list[Edition]) -> None:
    header, *rows = _read(to_csv(editions))
    assert header == _HEADER
    bare = [[folded(cell.removeprefix("'")) for cell in row] for row in rows]
    assert bare == [_expected(week, told) for week in editions for told in week.entries]


@given(EDITIONS)
def test_all_comes_back_from_a_reader(editions: list[Edition]) -> None:
    """Whatever the text, one apostrophe less at each cell's beginning gives it back.

    No cell begins like a formula, so that no spreadsheet has anything to run.
    """
    _check_all_comes_back(editions)
    cells = [cell for row in _read(to_csv(editions)) for cell in row]
    starts = {cell.lstrip()[:1] for cell in cells} | {cell[:1] for cell in cells}
    assert starts.isdisjoint(["=", "+", "-", "@", "\t", "\r", "\n", *"\uff1d\uff0b\uff0d\uff20"])


def test_every_real_entry_comes_back(real_editions: list[Edition]) -> None:
    """The reader finds every real entry, and none of their texts looks like a formula."""
    _check_all_comes_back(real_editions)
    cells = [cell for row in _read(to_csv(real_editions)) for cell in row]
    assert [cell for cell in cells if cell.startswith("'")] == []


@pytest.mark.parametrize(
    ("title", "cell"),
    [
        ("=1+1", "'=1+1"),
        ("  @kites", "'  @kites"),
        ("-kite", "'-kite"),
        ("\uff1d1", "'\uff1d1"),
        ("'Tis a kite", "''Tis a kite"),
        ("\0=1", "' =1"),
        ("\r=1", "'\n=1"),
        ("1-1", "1-1"),
        ('Kites, "big"\r\nand small\u2028ones\x1b', 'Kites, "big"\nand small\nones '),
    ],
)
def test_a_cell_holds_the_text_exactly_but_for_signs(title: str, cell: str) -> None:
    """Only formulas are marked; line breaks are one sign, and controls are blanks."""
    assert _read(to_csv([edition(entry(title))]))[1][6] == cell


def test_rows_look_like_this() -> None:
    """Lines end with carriage return and line feed; what is unknown is empty."""
    episode = entry("Gliders, Old", section="Sky", heading="Air")
    week = edition(
        entry("Kites", summary="They fly.\nHigh.", topics=("robotics", "code")),
        entry("Balloons", links=(Link("Code", "https://b.org"),), doi=None),
    )
    review = edition(episode, source="paperdive", first_day=MONDAY - timedelta(weeks=1))
    assert to_csv([week, review]) == (
        f"{','.join(_HEADER)}\r\n"
        "dair:2026-01-05#1,dair,2026-01-05,2026-01-11,1,,Kites,"
        '"They fly.\nHigh.",,,robotics;code,,,\r\n'
        "dair:2026-01-05#2,dair,2026-01-05,2026-01-11,2,,Balloons,,,,,,,https://b.org\r\n"
        "paperdive:2025-12-29#1,paperdive,2025-12-29,2026-01-04,1,,"
        '"Gliders, Old",,Air,Sky,,,,\r\n'
    )
