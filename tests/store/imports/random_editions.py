"""Drafts of small editions that share ids, titles and wrong links, drawn for property tests."""

from dataclasses import replace
from datetime import date, timedelta

from hypothesis import strategies as st

from bot.domain.drafts import DocumentKind, EditionDraft, EntryDraft
from store.records import Link
from tests.bot.ingest.drafts import edition, entry

# The second of these weeks has days of two years.
DAYS = st.sampled_from([date(2025, 12, 22), date(2025, 12, 29), date(2026, 1, 5)])
KINDS = {
    "dair": st.sampled_from([DocumentKind.NEWSLETTER, DocumentKind.ARCHIVE]),
    "paperdive": st.just(DocumentKind.REVIEW),
    "hf-daily": st.just(DocumentKind.HF_DAILY),
}
IDS = ("2512.00001", "2601.00002", "2601.00003")
_DOIS = ("https://doi.org/10.1000/one", "https://doi.org/10.1000/two")
_TITLES = ("Kites", "Kites: Up", "Steering Tethered Wings", "Folding Cold Enzymes", "!")
_PAGES = ("https://example.org/kites", "https://example.com/wings")
_SUMMARIES = (
    None,
    "Tethered kites climb.",
    "Enzymes fold in the cold.",
    "Ropes pull pilots over windy hills.",
    "Over windy hills pilots pull ropes and rudders.",
)
Key = tuple[str, date, DocumentKind]


def _entry(
    title: str, number: str | None, doi: str | None, page: str | None, summary: str | None
) -> EntryDraft:
    urls = (number and f"https://arxiv.org/abs/{number}", doi, page)
    links = tuple(Link("Paper", url) for url in urls if url)
    return replace(entry(1, title, summary), links=links)


ENTRIES = st.builds(
    _entry,
    st.sampled_from(_TITLES),
    st.sampled_from((None, None, *IDS)),
    st.sampled_from((None, None, *_DOIS)),
    st.sampled_from((None, None, *_PAGES)),
    st.sampled_from(_SUMMARIES),
)


def drafted(key: Key, days: int, entries: list[EntryDraft]) -> EditionDraft:
    """Draft an edition that ends so many days after its first; entries are counted anew."""
    slug, first_day, kind = key
    numbered = [
        replace(each, rank=None, episode=f"E{first_day.day}{number}")
        if slug == "paperdive"
        else replace(each, rank=number)
        for number, each in enumerate(entries, start=1)
    ]
    draft = edition(*numbered, kind=kind, first_day=first_day)
    return replace(draft, last_day=first_day + timedelta(days=days))
