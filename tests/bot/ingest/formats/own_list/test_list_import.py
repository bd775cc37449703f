"""Lists in a real store: imported, corrected, refused, and followed by address."""

from datetime import date, timedelta

from bot.ingest.pipeline import ImportOptions, ingest
from bot.ingest.report import DocumentReport
from store.database import Database
from store.library.editions import export_editions
from tests.bot.ingest.imports import NOW

_TEAM = ImportOptions(source="team", week=(date(2026, 1, 5), date(2026, 1, 11)))
_FOLLOWED = ImportOptions(source="team", kind="list", followed=True)


async def _import(
    database: Database, text: str, options: ImportOptions = _TEAM, days_later: int = 0
) -> DocumentReport:
    now = NOW + timedelta(days=days_later)
    return await ingest(database, "list.md", text.encode(), options, now)


async def _stored(database: Database) -> list[tuple[str, str, list[str]]]:
    found = await database.read(export_editions)
    return [(e.kind, e.first_day.isoformat(), [x.title for x in e.entries]) for e in found]


async def test_a_list_is_an_edition_of_its_kind(database: Database) -> None:
    """Under the source that the operator names, in the week that the operator names."""
    report = await _import(database, "1. Mamba\n2. LSTM\n")
    assert (report.error, report.kind, report.unread_rows) == (None, "list", 0)
    assert await _stored(database) == [("list", "2026-01-05", ["Mamba", "LSTM"])]


async def test_a_list_may_change_altogether(database: Database) -> None:
    """Other papers are taken in, and rows that are gone are gone: it is never called cut off."""
    await _import(database, "1. Mamba\n2. LSTM\n3. GRU\n")
    shorter = await _import(database, "1. Mamba\n")
    assert (shorter.error, [e.outcome for e in shorter.editions]) == (None, ["changed"])
    other = await _import(database, "1. RWKV\n2. RetNet\n3. Hyena\n")
    assert (other.error, other.refused) == (None, ())
    assert await _stored(database) == [("list", "2026-01-05", ["RWKV", "RetNet", "Hyena"])]


async def test_what_was_understood_is_stored_whatever_else_there_is(database: Database) -> None:
    """Most rows may be bad: the good ones are stored, the others are named by line."""
    text = "1. Mamba\n2. ???\n3. https://a.example/x\n"
    report = await _import(database, text)
    assert (report.unread_rows, report.is_mostly_unread) == (2, True)
    assert [note.line for note in report.warnings] == [2, 3]
    assert await _stored(database) == [("list", "2026-01-05", ["Mamba"])]
    again = await _import(database, text)
    assert again.is_mostly_unread
    assert not (await _import(database, "1. Mamba\n2. ???\n")).is_mostly_unread


async def test_a_week_is_for_lists_alone(database: Database) -> None:
    """A newsletter has its own, so `--week` is refused with the way out."""
    text = "Top Papers (January 5-11)\n\n1. Mamba\n\nIt is linear.\n\n2. LSTM\n\nIt is not.\n"
    report = await _import(database, text)
    assert report.error
    assert "--kind list" in report.error
    assert await _stored(database) == []


async def test_a_row_of_a_followed_list_keeps_its_first_week(database: Database) -> None:
    """A new row belongs to the week in which it comes, those before stay where they are."""
    await _import(database, "- [Mamba](https://a.example/m)\n- LSTM\n", _FOLLOWED)
    text = "- GRU\n- [Mamba again](https://a.example/m)\n- LSTM\n"
    report = await _import(database, text, _FOLLOWED, days_later=7)
    assert [edition.outcome for edition in report.editions] == ["new", "changed"]
    assert await _stored(database) == [
        ("list", "2026-11-23", ["GRU"]),
        ("list", "2026-11-16", ["Mamba again", "LSTM"]),
    ]
    same = await _import(database, text, _FOLLOWED, days_later=21)
    assert {edition.outcome for edition in same.editions} == {"unchanged"}
    longer = await _import(database, f"{text}- RWKV\n", _FOLLOWED, days_later=21)
    assert [edition.first_day.isoformat() for edition in longer.editions] == [
        "2026-11-23",
        "2026-11-16",
        "2026-12-07",
    ]
