"""The bundled samples: what a new installation shows before anything was imported."""

import json
import re
from collections.abc import Iterator
from datetime import UTC, date, datetime
from importlib.resources import files

import pytest

from bot.domain.drafts import DocumentKind, EditionDraft, ParsedDocument, ParseOptions, RawDocument
from bot.domain.paper_ids import arxiv_id
from bot.ingest import documents
from bot.ingest.documents import Readable
from bot.ingest.formats import archive
from bot.ingest.pipeline import ImportOptions, ingest
from bot.ingest.samples import add_samples
from bot.replies.one_lines import found_lines, one_line
from store.database import Database
from store.library.editions import export_editions
from store.text import tokens
from tests.shared_data import shared_file

NOW = datetime(2026, 1, 1, tzinfo=UTC)
FOLDER = files("bot.ingest") / "samples"
NAMES = sorted(each.name for each in FOLDER.iterdir() if each.name.endswith(".txt"))

WEEKLY, REVIEW = "sample-weekly", "sample-review"
FIRST_WEEK, SECOND_WEEK, THIRD_WEEK = date(2025, 6, 9), date(2025, 6, 16), date(2025, 6, 23)

# So many words in a row are not written twice by chance.
_COPIED_RUN = 8


def _readable(name: str) -> Readable:
    return documents.read(name, (FOLDER / name).read_bytes())


def _parsed(name: str) -> ParsedDocument:
    return documents.parse(_readable(name).document, ParseOptions(today=NOW.date()))


PARSED = {name: _parsed(name) for name in NAMES}
EDITIONS = [edition for parsed in PARSED.values() for edition in parsed.editions]
ENTRIES = [entry for edition in EDITIONS for entry in edition.entries]


def _of_kind(kind: DocumentKind) -> list[EditionDraft]:
    return [edition for edition in EDITIONS if edition.kind == kind]


def test_every_document_is_one_edition_of_a_week() -> None:
    """A document holds one week from Monday to Sunday, which its name and its text agree on."""
    assert [
        (name, str(parsed.kind), [(e.first_day, e.last_day) for e in parsed.editions])
        for name, parsed in PARSED.items()
    ] == [
        ("review-2025-06-09.txt", "review", [(FIRST_WEEK, date(2025, 6, 15))]),
        ("review-2025-06-16.txt", "review", [(SECOND_WEEK, date(2025, 6, 22))]),
        ("weekly-2025-06-09.txt", "newsletter", [(FIRST_WEEK, date(2025, 6, 15))]),
        ("weekly-2025-06-16.txt", "newsletter", [(SECOND_WEEK, date(2025, 6, 22))]),
        ("weekly-2025-06-23.txt", "newsletter", [(THIRD_WEEK, date(2025, 6, 29))]),
    ]


@pytest.mark.parametrize("name", NAMES)
def test_nothing_in_a_sample_is_odd(name: str) -> None:
    """No line is mended, left damaged or warned of."""
    readable = _readable(name)
    assert (readable.repaired, readable.unrepaired, PARSED[name].warnings) == ((), (), ())


async def test_the_samples_are_imported_without_a_remark(database: Database) -> None:
    """An import of all samples into one store reports neither error nor warning."""
    for name in NAMES:
        options = ImportOptions(source=f"sample-{name.partition('-')[0]}", sample=True)
        data = (FOLDER / name).read_bytes()
        report = await ingest(database, name, data, options, NOW)
        assert (report.error, report.warnings, report.repaired) == (None, (), ())


async def test_an_empty_store_gets_two_sources(database: Database) -> None:
    """Three editions of the weekly and two of the review are added, all marked as samples."""
    assert await add_samples(database, NOW)
    stored = await database.read(export_editions)
    assert sorted((e.source, e.first_day, len(e.entries), e.sample) for e in stored) == [
        (REVIEW, FIRST_WEEK, 6, True),
        (REVIEW, SECOND_WEEK, 6, True),
        (WEEKLY, FIRST_WEEK, 10, True),
        (WEEKLY, SECOND_WEEK, 10, True),
        (WEEKLY, THIRD_WEEK, 10, True),
    ]


def test_a_sample_says_that_it_is_one() -> None:
    """No reader is led to think that the papers came out in these weeks."""
    for edition in _of_kind(DocumentKind.NEWSLETTER):
        name = edition.title.partition(" (")[0]
        assert name == "Sample Weekly: Ten Papers of Several Years"
    for edition in _of_kind(DocumentKind.REVIEW):
        first_sentence = (edition.overview or "").partition(". ")[0]
        assert first_sentence.startswith("This review is a sample, arranged by hand from papers of")
        assert first_sentence.endswith("none of them came out in this week")


def test_the_weeklies_are_ranked_with_highlights() -> None:
    """Ten ranks each; two or three highlights with a lead under all but the last two."""
    for edition in _of_kind(DocumentKind.NEWSLETTER):
        assert [entry.rank for entry in edition.entries] == list(range(1, 11))
        counts = [len(entry.highlights) for entry in edition.entries]
        assert (set(counts[:8]) <= {2, 3}, counts[8:]) == (True, [0, 0])
        highlights = [each for entry in edition.entries for each in entry.highlights]
        assert all(each.lead and each.text.endswith(".") for each in highlights)


def test_the_reviews_are_ordered_by_heading() -> None:
    """Six episodes of two paragraphs under three headings with taglines, numbered throughout."""
    reviews = _of_kind(DocumentKind.REVIEW)
    assert [entry.episode for review in reviews for entry in review.entries] == [
        f"E{number}" for number in range(1, 13)
    ]
    for review in reviews:
        assert [bool(heading.tagline) for heading in review.headings] == [True] * 3
        assert {entry.heading for entry in review.entries} == {h.title for h in review.headings}
        assert all(entry.section for entry in review.entries)
        assert {(entry.summary or "").count("\n\n") for entry in review.entries} == {1}


def test_every_entry_has_a_line_for_lists_and_one_arxiv_link() -> None:
    """A clause of the summary fits into a list uncut, and the link names a paper."""
    for entry in ENTRIES:
        found, _ = found_lines(entry.summary)
        line = (found if entry.episode else one_line(entry.summary, title=entry.title)) or ""
        assert line[:1].isupper(), line
        assert not line.endswith("…"), line
        assert [(link.label, arxiv_id([link])) for link in entry.links] == [
            ("Paper", arxiv_id(entry.links))
        ]


def test_some_papers_are_featured_twice() -> None:
    """Weekly and review share papers within a week and across weeks, under one title."""
    mentions: dict[tuple[str | None, str], list[str]] = {}
    for name, parsed in PARSED.items():
        for entry in parsed.editions[0].entries:
            week = name.removesuffix(".txt")
            mentions.setdefault((arxiv_id(entry.links), entry.title), []).append(week)
    first = ["review-2025-06-09", "weekly-2025-06-09"]
    second = ["review-2025-06-16", "weekly-2025-06-16"]
    later = ["review-2025-06-16", "weekly-2025-06-23"]
    twice = sorted((weeks, *paper) for paper, weeks in mentions.items() if len(weeks) > 1)
    assert [(weeks, paper) for weeks, paper, _ in twice] == [
        (first, "2201.11903"),
        (first, "2305.20050"),
        (first, "2310.11511"),
        (second, "2312.00752"),
        (second, "2409.02060"),
        (later, "2303.11366"),
    ]


def test_acronyms_are_explained_in_running_text() -> None:
    """A search for an acronym has its words to learn from: `chain of thought (CoT)`."""
    found = {each for text in _own_words() for each in re.findall(r"\w \(([A-Z][A-Za-z]+)\)", text)}
    assert found == {"CoT", "DPO", "KV", "LoRA", "MoE", "PPO", "RAG", "RLHF", "SSM"}


def test_titles_are_those_of_the_papers() -> None:
    """Every arXiv id stands in the real documents, with this very title."""
    known: dict[str, set[str]] = {}
    for identifier, title in _real_papers():
        known.setdefault(identifier, set()).add(" ".join(title.split()))
    for entry in ENTRIES:
        assert entry.title in known.get(arxiv_id(entry.links) or "", set())


def test_no_words_are_copied() -> None:
    """No run of words is shared with any real document, titles left out."""
    real = [
        shared_file("archive-README.md"),
        *shared_file("seeds").iterdir(),
        *shared_file("samples").iterdir(),
    ]
    theirs = {run for path in real for run in _runs(path.read_text(encoding="utf-8"))}
    assert [run for text in _own_words() for run in _runs(text) if run in theirs] == []


def _own_words() -> Iterator[str]:
    """Give every text of the samples that is no title of a paper."""
    for edition in EDITIONS:
        yield edition.overview or ""
        yield from (f"{heading.title}. {heading.tagline}" for heading in edition.headings)
    for entry in ENTRIES:
        yield f"{entry.section}. {entry.summary}"
        yield from (f"{highlight.lead}: {highlight.text}" for highlight in entry.highlights)


def _runs(text: str) -> Iterator[tuple[str, ...]]:
    """Give every run of `_COPIED_RUN` folded words."""
    words = tokens(text)
    return zip(*(words[start:] for start in range(_COPIED_RUN)), strict=False)


def _real_papers() -> Iterator[tuple[str, str]]:
    """Give the arXiv ids of the real documents with their titles, as often as they come."""
    real = RawDocument("archive", shared_file("archive-README.md").read_text(encoding="utf-8"))
    for edition in archive.FORMAT.parse(real, ParseOptions(today=NOW.date())).editions:
        for entry in edition.entries:
            yield arxiv_id(entry.links) or "", entry.title
    for listed in json.loads(shared_file("samples/hf_daily_papers.json").read_bytes()):
        yield listed["paper"]["id"], listed["paper"]["title"]
    for name, pattern in _MARKED_UP.items():
        text = shared_file(f"samples/{name}").read_text(encoding="utf-8")
        for match in re.finditer(pattern, text, re.DOTALL):
            yield match["id"], match["title"]


# Where an id and its title stand in a feed or a page; only these two are wanted of it.
_MARKED_UP = {
    "arxiv_atom.xml": r"abs/(?P<id>[\d.]+)v\d+</id>.*?<title>(?P<title>.*?)</title>",
    "review_page.html": r'"title">(?P<title>[^<]*)</span>.*?abs/(?P<id>[\d.]+)"',
    "substack_feed.xml": r"<strong>\d+\. (?P<title>[^<]*)</strong>.*?abs/(?P<id>[\d.]+)\"",
}
