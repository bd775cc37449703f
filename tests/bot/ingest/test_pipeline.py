"""Importing documents into a real store: once, twice, corrected, cut off, dry."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date

import pytest
from sqlmodel import delete

from bot.domain.drafts import DocumentKind, EditionDraft, ParsedDocument, YearRule
from bot.errors import UserError
from bot.ingest.limits import sanitized
from bot.ingest.pipeline import ImportOptions, check_source, ingest
from bot.ingest.report import DocumentReport, to_json
from store.database import Database, Session
from store.imports.apply_edition import recall
from store.library.editions import export_editions
from store.tables.library import DocumentRow
from tests.bot.ingest.drafts import edition, entry
from tests.bot.ingest.formats.archive.printer import print_archive
from tests.bot.ingest.formats.newsletter.printer import print_newsletter
from tests.bot.ingest.imports import NOW

PLAIN = ImportOptions()


def _newsletter(*changes: tuple[int, str]) -> bytes:
    """Print an invented newsletter of ten entries, some of them with another summary."""
    summaries = dict(changes)
    entries = [
        entry(rank, f"Invented Paper {rank}", summaries.get(rank, f"It does thing {rank}."))
        for rank in range(1, 11)
    ]
    title = "The Top AI Papers of the Week (January 5-11)"
    return _printed(print_newsletter, edition(*entries, title=title))


def _archive(*weeks: EditionDraft) -> bytes:
    archived = (
        replace(week, kind=DocumentKind.ARCHIVE, year_rule=YearRule.HEADING) for week in weeks
    )
    return _printed(print_archive, *archived)


def _weeks_of(*named: tuple[date, str]) -> bytes:
    """Print an archive of weeks of ten papers, each named by a noun."""
    return _archive(
        *(
            edition(
                *(entry(rank, f"{noun} {rank}", f"On {noun} {rank}.") for rank in range(1, 11)),
                first_day=day,
                title=f"Top ML Papers of the Week ({day:%B} {day.day} - {day:%B} {day.day + 6})",
            )
            for day, noun in named
        )
    )


def _printed(printer: Callable[[ParsedDocument], str], *weeks: EditionDraft) -> bytes:
    return printer(ParsedDocument(weeks[0].kind, "dair", "Top AI Papers", weeks)).encode()


async def _import(
    database: Database, data: bytes, options: ImportOptions = PLAIN, path: str = "week.txt"
) -> DocumentReport:
    return await ingest(database, path, data, options, NOW)


def _counts(report: DocumentReport) -> list[tuple[str, int, int, int]]:
    counts = [(edition.outcome, edition.entries) for edition in report.editions]
    return [(outcome, c.new, c.changed, c.unchanged) for outcome, c in counts]


async def test_importing_twice_changes_nothing_and_says_so(database: Database) -> None:
    """The second import finds everything unchanged, also where it stands in other lines."""
    first = await _import(database, _newsletter())
    before = await database.read(export_editions)
    assert _counts(first) == [("new", 10, 0, 0)]
    again = await _import(database, _newsletter())
    moved = await _import(database, b"\n\n" + _newsletter())
    assert _counts(again) == _counts(moved) == [("unchanged", 0, 0, 10)]
    assert await database.read(export_editions) == before


async def test_a_corrected_file_updates_only_what_changed(database: Database) -> None:
    """One corrected summary is one changed entry."""
    await _import(database, _newsletter())
    report = await _import(database, _newsletter((4, "It does another thing.")))
    assert _counts(report) == [("changed", 0, 1, 9)]
    [stored] = await database.read(export_editions)
    assert stored.entries[3].summary == "It does another thing."


async def test_the_first_version_may_come_back(database: Database) -> None:
    """Bytes that were read before are not taken for stored once a correction has come."""
    await _import(database, _newsletter())
    await _import(database, _newsletter((4, "It does another thing.")))
    back = await _import(database, _newsletter())
    assert _counts(back) == [("changed", 0, 1, 9)]


async def test_the_memory_of_bytes_is_no_truth(database: Database) -> None:
    """Emptying the memory changes no answer."""
    await _import(database, _newsletter())

    def forget(session: Session) -> int:
        return session.exec(delete(DocumentRow)).rowcount

    assert await database.write(forget) == 1
    assert await database.read(recall, "anything") is None
    assert _counts(await _import(database, _newsletter())) == [("unchanged", 0, 0, 10)]


async def test_a_dry_run_reports_and_writes_nothing(database: Database) -> None:
    """What would be new is told, and the store stays as it is."""
    report = await _import(database, _newsletter(), ImportOptions(dry_run=True))
    assert _counts(report) == [("new", 10, 0, 0)]
    assert await database.read(export_editions) == []
    assert _counts(await _import(database, _newsletter())) == [("new", 10, 0, 0)]


async def test_a_document_that_was_cut_off_changes_nothing(database: Database) -> None:
    """Cut inside an entry, or behind one whose followers are stored, it is refused."""
    inside = _newsletter()[:300]
    refused = await _import(database, inside)
    assert refused.error
    assert refused.kind == "newsletter"
    assert await database.read(export_editions) == []
    await _import(database, _newsletter())
    before = await database.read(export_editions)
    behind = _newsletter().split(b"7. ")[0]
    report = await _import(database, behind)
    assert report.error
    assert "first 6 of the entries" in report.error
    assert await database.read(export_editions) == before


async def test_an_archive_that_was_cut_off_changes_nothing(database: Database) -> None:
    """Not even the whole weeks before the cut are taken in."""
    whole = _weeks_of((date(2025, 6, 16), "Kite"), (date(2025, 6, 9), "Spoon"))
    report = await _import(database, whole[:-150])
    assert report.error
    assert await database.read(export_editions) == []
    assert _counts(await _import(database, whole)) == [("new", 10, 0, 0)] * 2


_LATE, _EARLY = date(2024, 1, 8), date(2024, 1, 1)


async def test_a_week_of_other_papers_is_left_and_the_others_go_in(database: Database) -> None:
    """The report says what has which papers, and nothing that is stored of that week changes."""
    await _import(database, _weeks_of((_EARLY, "Kite")))
    before = await database.read(export_editions)
    both = _weeks_of((_LATE, "Fork"), (_EARLY, "Spoon"))
    dry = await _import(database, both, ImportOptions(dry_run=True))
    report = await _import(database, both)
    assert _counts(dry) == _counts(report) == [("new", 10, 0, 0), ("refused", 0, 0, 10)]
    assert report.error is None
    [left] = report.refused
    assert left.refusal
    assert "'Spoon 1' in that of 'Kite 1'" in left.refusal
    assert "dair, Jan 1\u20137, 2024" in left.refusal
    [document] = to_json([report])["documents"]
    assert [each["refusal"] for each in document["editions"]] == [None, left.refusal]
    assert left.refusal in [note["text"] for note in document["editions"][1]["warnings"]]
    assert (await database.read(export_editions))[1:] == before
    again = await _import(database, both)
    assert _counts(again) == [("unchanged", 0, 0, 10), ("refused", 0, 0, 10)]


async def test_on_the_operators_word_a_week_of_other_papers_is_taken_in(
    database: Database,
) -> None:
    """With `--replace`; afterwards the document is as stored, and the one before is refused."""
    await _import(database, _weeks_of((_EARLY, "Kite")))
    spoons = _weeks_of((_EARLY, "Spoon"))
    replaced = await _import(database, spoons, ImportOptions(replace=True))
    assert _counts(replaced) == [("changed", 0, 10, 0)]
    assert _counts(await _import(database, spoons)) == [("unchanged", 0, 0, 10)]
    assert _counts(await _import(database, _weeks_of((_EARLY, "Kite")))) == [("refused", 0, 0, 10)]


async def test_what_another_kind_said_refuses_nothing(database: Database) -> None:
    """A newsletter of a week is compared with newsletters, and each source with itself."""
    await _import(database, _newsletter())
    archive = _weeks_of((date(2026, 1, 5), "Kite"))
    assert [each.outcome for each in (await _import(database, archive)).editions] == ["changed"]
    other = await _import(database, archive, ImportOptions(source="mine"))
    assert _counts(other) == [("new", 10, 0, 0)]


def _undated(title: str, *days: str) -> bytes:
    """Print weeks that name no year, each with one paper."""
    weeks = (
        f"## Top ML Papers of the Week ({each})\n\n"
        f"| 1) **Kite of {each}** - flies. | [Paper](https://kites.org) |\n"
        for each in days
    )
    return "\n".join([f"# {title}", "", *weeks]).encode()


async def test_the_same_bytes_under_another_name_are_read_again(database: Database) -> None:
    """For the name may tell another year."""
    data = _undated("Papers", "Jan 1-8")
    reports = [await _import(database, data, path=f"years/{year}.md") for year in (2023, 2022)]
    days = [(each.first_day, each.year_rule) for report in reports for each in report.editions]
    assert days == [(date(2023, 1, 1), "document"), (date(2022, 1, 1), "document")]


async def test_the_operators_year_overrules_what_no_heading_prints(database: Database) -> None:
    """Weeks that would be guessed to be of several years are of the one that is said."""
    data = _undated("Papers of 2021", "March 4 - March 10", "Jan 1-8")
    report = await _import(database, data, ImportOptions(year=2023))
    days = [(each.first_day, each.year_rule) for each in report.editions]
    assert days == [(date(2023, 3, 4), "option"), (date(2023, 1, 1), "option")]


async def test_one_year_for_weeks_around_its_turns(database: Database) -> None:
    """What crosses into a neighbouring year is of this year too, and doesn't forbid it."""
    weeks = ("December 25 - January 1) - (2024", "Dec 18 - 24) - (2023", "Dec 11 - 17) - (2023")
    report = await _import(database, _undated("Papers", *weeks), ImportOptions(year=2022))
    assert [str(each.first_day) for each in report.editions] == [
        "2022-12-25", "2022-12-18", "2022-12-11"
    ]  # fmt: skip


async def test_newsletter_and_archive_of_a_week_are_one_edition(database: Database) -> None:
    """Imported in either order they end as the same edition, told by the better evidence."""
    week = edition(
        *(
            entry(n, f"Invented Paper {n}", links=[f"https://arxiv.org/abs/2601.000{n:02}"])
            for n in range(1, 11)
        ),
        title="Top ML Papers of the Week (January 5 - January 11)",
    )
    await _import(database, _newsletter())
    report = await _import(database, _archive(week))
    assert _counts(report) == [("changed", 0, 10, 0)]
    [united] = await database.read(export_editions)
    assert (united.source, united.year_rule) == ("dair", "heading")
    assert united.entries[0].summary == "It does thing 1."
    assert united.entries[0].arxiv_id == "2601.00001"
    await _import(database, _archive(week), ImportOptions(source="swapped"))
    await _import(database, _newsletter(), ImportOptions(source="swapped"))
    editions = await database.read(export_editions)
    [swapped] = [each for each in editions if each.source == "swapped"]
    facts = [[replace(e, ref="") for e in each.entries] for each in (united, swapped)]
    assert facts[0] == facts[1]


async def test_the_operator_overrules_year_source_and_kind(database: Database) -> None:
    """What the document says itself gives way to the options."""
    options = ImportOptions(year=2015, source="mine", kind="newsletter")
    report = await _import(database, _newsletter(), options)
    [told] = report.editions
    assert (told.source, told.first_day, told.year_rule) == ("mine", date(2015, 1, 5), "option")
    wrong = await _import(database, _newsletter(), ImportOptions(kind="review"))
    assert wrong.error


async def test_one_year_for_weeks_of_several_is_refused(database: Database) -> None:
    """`--year` on an archive of more than one year would move its weeks, so it is refused."""
    archive = _weeks_of((date(2025, 6, 9), "Kite"), (date(2024, 6, 10), "Spoon"))
    report = await _import(database, archive, ImportOptions(year=2023))
    assert report.error
    assert "weeks of 2024 to 2025" in report.error
    assert await database.read(export_editions) == []


@pytest.mark.parametrize("slug", ["consensus", "all", "", "With Blanks", "-x", "ü", "a" * 61])
def test_a_slug_that_names_no_source_is_refused(slug: str) -> None:
    """Slugs are short words; the computed source's may not be taken."""
    with pytest.raises(UserError):
        check_source(slug)


async def test_a_report_is_json_of_the_documented_shape(database: Database) -> None:
    """Every name of the report stands where programs look for it."""
    data = _newsletter().replace(b"It does thing 3.\n", b"It does thing 3.\nA stray line\n")
    [document] = to_json([await _import(database, data, path="a/week.txt")])["documents"]
    assert (document["path"], document["kind"], document["error"]) == (
        "a/week.txt",
        "newsletter",
        None,
    )
    [week] = document["editions"]
    assert week["entries"] == {"new": 10, "changed": 0, "unchanged": 0, "removed": 0}
    assert (week["first_day"], week["outcome"]) == ("2026-01-05", "new")
    [warning] = document["warnings"]
    assert week["warnings"] == [warning]
    assert data.decode().split("\n")[warning["line"] - 1] == "A stray line"


async def test_progress_is_told(database: Database) -> None:
    """Whoever waits hears how many editions are done, and of how many."""
    heard: list[tuple[int, int]] = []
    options = ImportOptions(progress=lambda done, of: heard.append((done, of)))
    await _import(database, _newsletter(), options)
    assert heard == [(1, 1)]


async def test_what_steers_a_terminal_is_not_taken_in(database: Database) -> None:
    """Escapes and signs that turn text are left out of all that a document says."""
    odd = entry(1, "Plain\u202e", "A \x1b[31mred\x9b2J line.\n\nAnother.")
    week = edition(odd, title="Week\u2066 of \x1b]0;titles\x07")
    parsed = sanitized(ParsedDocument(week.kind, "dair", "Top\u2028AI", (week,)))
    assert (parsed.source_title, parsed.editions[0].title) == ("Top AI", "Week of ]0;titles")
    assert parsed.editions[0].entries[0].title == "Plain"
    assert parsed.editions[0].entries[0].summary == "A [31mred2J line.\n\nAnother."
    await _import(database, _newsletter((3, "It turns \u202eback\u202c.")))
    [stored] = await database.read(export_editions)
    assert stored.entries[2].summary == "It turns back."


def test_an_entry_that_only_steers_is_untitled() -> None:
    """A title of nothing but such signs leaves an entry that can be stored."""
    week = edition(entry(1, "\u202e\x9b"))
    [shown] = sanitized(ParsedDocument(week.kind, "dair", "Top AI", (week,))).editions[0].entries
    assert shown.title == "Untitled"


async def test_a_week_that_lies_ahead_is_refused_and_the_others_go_in(database: Database) -> None:
    """One sentence names its line, and no option overrules it."""
    ahead = edition(entry(1, "Ahead"), first_day=date(2062, 1, 2), title="Top (Jan 2 - Jan 8)")
    archive = _archive(ahead, edition(entry(1, "Here"), title="Top (Jan 5 - Jan 11)"))
    for options in (PLAIN, replace(PLAIN, replace=True)):
        report = await _import(database, archive + b"\n" * options.replace, options, "README.md")
        [left] = report.refused
        assert (left.first_day, report.replaceable) == (ahead.first_day, ())
        line = next(n for n, text in enumerate(archive.decode().split("\n"), 1) if "2062" in text)
        assert left.refusal
        assert left.refusal.startswith(f"line {line} gives Jan 2\u20138, 2062 to ")
        stored = await database.read(export_editions)
        assert [each.first_day for each in stored] == [date(2026, 1, 5)]


async def test_a_single_week_that_lies_ahead_changes_nothing(database: Database) -> None:
    """A newsletter with a wrong year in its heading is refused, and read once that is right."""
    wrong = _newsletter().replace(b"(January 5-11)", b"(January 5-11, 2062)")
    report = await _import(database, wrong)
    assert [each.outcome for each in report.editions] == ["refused"]
    assert await database.read(export_editions) == []
    report = await _import(database, wrong.replace(b"2062", b"2026"))
    assert [each.outcome for each in report.editions] == ["new"]
