"""What leaves as a file comes back as a list of one's own: papers, addresses and order."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.drafts import EntryDraft, ParsedDocument, ParseOptions
from bot.domain.paper_ids import entry_url
from bot.export import FORMATS as EDITION_FORMATS
from bot.export.saved_list import FORMATS
from bot.ingest import documents
from store.readers.saved import SavedPaper
from store.records import Edition, Link, Mention
from tests.bot.export.editions import edition, entry, folded

_AT = datetime(2026, 1, 12, 8, tzinfo=UTC)
_WEEK = (date(2026, 1, 5), date(2026, 1, 11))
_LISTS = ("bibtex", "csv", "markdown", "ris")
_TITLES = st.lists(
    st.sampled_from(
        ["Kites", "C++", "{Gliders}", "50%", "A_b", "\u00c9tude", "\u6ce8\u610f", "x|y", "*bold*",
         "`code`", "$x^2$", "--", "Q&A", "~home", "\\alpha", "<x>", "'quoted'", "why?", "#1", "a:b",
     "[tag]"]
    ),
    min_size=1, max_size=5,
).map(lambda words: " ".join(["Paper", *words, "end"]))  # fmt: skip
_ENTRIES = st.lists(
    st.builds(
        lambda title, n, note: (title, n, note),
        _TITLES,
        st.none() | st.integers(10000, 99999),
        st.none() | st.just("Ours - read (again)"),
    ),
    min_size=1,
    max_size=5,
    unique_by=(lambda each: each[0], lambda each: each[1] or each[0]),
)


def _read(text: str, name: str) -> ParsedDocument:
    document = documents.read(name, text.encode()).document
    return documents.parse(document, ParseOptions(date(2026, 11, 21), week=_WEEK))


def _told(draft: EntryDraft) -> tuple[str, str | None]:
    return draft.title, draft.links[0].url if draft.links else None


def _edition(entries: Sequence[tuple[str, int | None, str | None]]) -> Edition:
    found = []
    for title, number, _ in entries:
        url = f"https://arxiv.org/abs/2601.{number}"
        links = (Link("Paper", url),) if number else ()
        arxiv_id = f"2601.{number}" if number else None
        found.append(entry(title, summary="It says so.", links=links, arxiv_id=arxiv_id))
    return edition(*found)


def _saved(entries: Sequence[tuple[str, int | None, str | None]]) -> list[SavedPaper]:
    week = _edition(entries)
    return [
        SavedPaper(
            told.ref,
            told.title,
            _AT,
            note,
            (Mention(place, replace(week, entries=()), replace(told, paper=place)),),
        )
        for place, (told, (_, _, note)) in enumerate(zip(week.entries, entries, strict=True))
    ]


def _check(text: str, name: str, week: Edition) -> None:
    parsed = _read(text, name)
    drafts = [draft for each in parsed.editions for draft in each.entries]
    assert [_told(draft) for draft in drafts] == [
        (folded(each.title), entry_url(each)) for each in week.entries
    ]
    assert (parsed.unread_rows, parsed.warnings) == (0, ())


@pytest.mark.parametrize("form", _LISTS)
@given(entries=_ENTRIES)
def test_a_saved_list_comes_back(
    form: str, entries: Sequence[tuple[str, int | None, str | None]]
) -> None:
    """In every format that is a list, whatever signs are in a title."""
    written = FORMATS[form].write(_saved(entries), {})
    _check(written, FORMATS[form].file_name, _edition(entries))


@pytest.mark.parametrize("form", ["bibtex", "csv", "ris"])
@given(entries=_ENTRIES)
def test_exported_editions_come_back(
    form: str, entries: Sequence[tuple[str, int | None, str | None]]
) -> None:
    """A file of editions is a list like any other."""
    write: Callable[..., str] = EDITION_FORMATS[form]
    week = _edition(entries)
    _check(write([week], {}), f"export.{form}", week)


def test_a_note_comes_back_as_the_note() -> None:
    """The reader's own words stand before where the paper was featured."""
    saved = _saved([("Kites that Steer", 12345, "Ours")])
    for form in ("bibtex", "ris"):
        (draft,) = _read(FORMATS[form].write(saved, {}), "saved").editions[0].entries
        assert (draft.summary or "").startswith("Ours")
    (draft,) = _read(FORMATS["csv"].write(saved, {}), "saved.csv").editions[0].entries
    assert draft.summary == "Ours"
