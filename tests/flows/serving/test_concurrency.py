"""Several processes on one store at the same moment, on both databases."""

import json
from datetime import date, timedelta
from pathlib import Path

from bot.domain.drafts import DocumentKind, ParsedDocument, YearRule
from tests.bot.ingest.drafts import edition, entry
from tests.bot.ingest.formats.archive.printer import print_archive
from tests.flows.program import Program

_WEEKS, _PROCESSES = 6, 4


def _archive() -> str:
    """Print weeks that name some papers again, with and without their links."""
    mondays = [date(2025, 3, 3) + timedelta(weeks=n) for n in range(_WEEKS)]
    weeks = [
        edition(
            *(
                entry(
                    rank,
                    f"Invented Paper {(rank * number) % 17} of {rank}",
                    "It works.",
                    links=[f"https://arxiv.org/abs/2503.{rank:03}{(rank * number) % 17:02}"],
                )
                for rank in range(1, 11)
            ),
            kind=DocumentKind.ARCHIVE,
            first_day=monday,
            year_rule=YearRule.HEADING,
            title=_title(monday, monday + timedelta(days=6)),
        )
        for number, monday in enumerate(reversed(mondays))
    ]
    return print_archive(ParsedDocument(DocumentKind.ARCHIVE, "dair", "ML Papers", tuple(weeks)))


def _title(first: date, last: date) -> str:
    return f"Top ML Papers of the Week ({first:%B} {first.day} - {last:%B} {last.day})"


def test_processes_that_import_one_archive_at_once_store_it_once(
    tmp_path: Path, empty_url: str
) -> None:
    """Four that start on an empty database set it up once and store each edition once."""
    broadsheet = Program(tmp_path, empty_url)
    (tmp_path / "archive.md").write_text(_archive(), encoding="utf-8")
    started = [broadsheet.fork("import", "--json", "archive.md") for _ in range(_PROCESSES)]
    reports = [json.loads(process.communicate()[0]) for process in started]
    assert [process.returncode for process in started] == [0] * _PROCESSES
    outcomes = [
        week["outcome"]
        for report in reports
        for document in report["documents"]
        for week in document["editions"]
    ]
    assert outcomes.count("new") == _WEEKS
    assert set(outcomes) == {"new", "unchanged"}
    editions = json.loads(broadsheet("export").out)["editions"]
    assert [len(week["entries"]) for week in editions] == [10] * _WEEKS
    assert broadsheet("db", "check").code == 0
