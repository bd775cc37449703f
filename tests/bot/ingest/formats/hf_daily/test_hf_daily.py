"""Hugging Face's daily papers: the sample answer, weeks, ranks, texts and links."""

import json
from datetime import date
from typing import Any

import pytest

from bot.domain.drafts import EntryDraft, ParsedDocument, ParseOptions, RawDocument
from bot.domain.paper_ids import arxiv_id
from bot.ingest import documents
from bot.ingest.formats.hf_daily import FORMAT
from store.records import Link
from tests.shared_data import shared_file

TODAY = date(2026, 11, 22)
SAMPLE = "samples/hf_daily_papers.json"
TUESDAY = "2026-03-03T08:00:00.000Z"


def listed(identifier: str, votes: int = 1, at: str = TUESDAY, **facts: object) -> dict[str, Any]:
    """Make an element of the list in the shape of the site's, with invented words."""
    paper = {
        "id": identifier,
        "title": f"Invented Paper {identifier}",
        "authors": [{"name": "A. N. Author", "hidden": False}],
        "publishedAt": "2026-02-27T17:00:00.000Z",
        "submittedOnDailyAt": at,
        "upvotes": votes,
        **facts,
    }
    return {"paper": paper, "title": paper["title"], "numComments": 2}


def answer(*elements: object) -> str:
    """Print a list as a fetched file has it, on one line."""
    return json.dumps(elements)


def parse(text: str, year: int | None = None) -> ParsedDocument:
    """Parse a text as an answer."""
    return FORMAT.parse(RawDocument("papers.json", text), ParseOptions(TODAY, year))


def entries_of(*elements: object) -> tuple[EntryDraft, ...]:
    """Return the entries of a list that falls into one week."""
    [edition] = parse(answer(*elements)).editions
    return edition.entries


def ranked(*elements: object) -> list[str | None]:
    """Return the arXiv ids of a list that falls into one week, by rank."""
    entries = entries_of(*elements)
    assert [entry.rank for entry in entries] == list(range(1, len(entries) + 1))
    return [arxiv_id(entry.links) for entry in entries]


@pytest.fixture
def sample() -> ParsedDocument:
    """Return the sample as the pipeline reads it: decoded, mended and recognised."""
    readable = documents.read("papers.json", shared_file(SAMPLE).read_bytes())
    assert (readable.repaired, readable.unrepaired) == ((), ())
    return documents.parse(readable.document, ParseOptions(TODAY))


def test_the_sample_is_two_weeks_of_32_papers(sample: ParsedDocument) -> None:
    """Papers listed from a Monday to the next one are 28 of one ISO week and 4 of the next."""
    assert (sample.kind.value, sample.slug) == ("hf-daily", "hf-daily")
    assert [(e.first_day, e.last_day, len(e.entries)) for e in sample.editions] == [
        (date(2025, 1, 20), date(2025, 1, 26), 28),
        (date(2025, 1, 27), date(2025, 2, 2), 4),
    ]
    assert [(e.title[-10:], e.url, e.year_rule) for e in sample.editions] == [
        ("(2025-W04)", "https://huggingface.co/papers/week/2025-W04", None),
        ("(2025-W05)", "https://huggingface.co/papers/week/2025-W05", None),
    ]
    assert sample.warnings == ()


def test_the_fields_of_the_sample_that_are_not_read_are_named(sample: ParsedDocument) -> None:
    """Whatever is not kept of an answer is passed over by name, once for all elements."""
    [note] = sample.passed_over
    assert note.text.partition(": ")[2].split(", ") == [
        "isAuthorParticipating",
        "numComments",
        "organization",
        "paper.ai_keywords",
        "paper.authors",
        "paper.discussionId",
        "paper.githubStars",
        "paper.publishedAt",
        "paper.submittedOnDailyBy",
        "publishedAt",
        "submittedBy",
        "summary",
        "thumbnail",
        "title",
    ]


def test_the_sample_is_ranked_by_its_votes(sample: ParsedDocument) -> None:
    """Ranks follow the votes, even ones the arXiv ids; the highest vote is the first."""
    votes = {
        each["paper"]["id"]: each["paper"]["upvotes"]
        for each in json.loads(shared_file(SAMPLE).read_bytes())
    }
    for edition in sample.editions:
        ids = [arxiv_id(entry.links) or "" for entry in edition.entries]
        assert ids == sorted(ids, key=lambda identifier: (-votes[identifier], identifier))
        assert [entry.rank for entry in edition.entries] == list(range(1, len(ids) + 1))
    first = sample.editions[0].entries[0]
    assert arxiv_id(first.links) == "2501.12948"
    assert max(votes.values()) == votes["2501.12948"] == 412


def test_the_sample_keeps_no_line_break_in_a_sentence(sample: ParsedDocument) -> None:
    """Titles and abstracts that the site wraps are one line each, and no word of them is lost."""
    raw = {each["paper"]["id"]: each["paper"] for each in json.loads(_sample_text())}
    wrapped = [facts for facts in raw.values() if "\n" in facts["title"] + facts["summary"]]
    assert wrapped
    for edition in sample.editions:
        for entry in edition.entries:
            facts = raw[arxiv_id(entry.links) or ""]
            assert entry.title == " ".join(facts["title"].split())
            abstract = " ".join(facts["summary"].split())
            paragraphs = [facts["ai_summary"], abstract] if "ai_summary" in facts else [abstract]
            assert entry.summary == "\n\n".join(paragraphs)


def test_the_sample_keeps_its_links(sample: ParsedDocument) -> None:
    """Every repository and project page of the sample stands among its paper's links."""
    links = {
        arxiv_id(entry.links): {link.label: link.url for link in entry.links}
        for edition in sample.editions
        for entry in edition.entries
    }
    for each in json.loads(_sample_text()):
        facts = each["paper"]
        expected = {
            "Paper": f"https://arxiv.org/abs/{facts['id']}",
            "Code": facts.get("githubRepo"),
            "Project": facts.get("projectPage"),
            "Hugging Face": f"https://huggingface.co/papers/{facts['id']}",
        }
        assert links[facts["id"]] == {label: url for label, url in expected.items() if url}


def _sample_text() -> str:
    return shared_file(SAMPLE).read_text(encoding="utf-8")


def test_an_entry_is_made_of_its_facts() -> None:
    """Title, summary and links stand where the entries of other sources have them."""
    [entry] = entries_of(
        listed(
            "2603.00001",
            title=" Kites\nThat  Learn",
            summary="Kites are\nhard to fly.  They learn it here.",
            ai_summary="Kites learn to fly.\n",
            githubRepo="https://github.com/kite/kite",
            projectPage="https://kite.example",
        )
    )
    assert entry == EntryDraft(
        line=1,
        rank=1,
        title="Kites That Learn",
        summary="Kites learn to fly.\n\nKites are hard to fly. They learn it here.",
        links=(
            Link("Paper", "https://arxiv.org/abs/2603.00001"),
            Link("Code", "https://github.com/kite/kite"),
            Link("Project", "https://kite.example"),
            Link("Hugging Face", "https://huggingface.co/papers/2603.00001"),
        ),
    )


@pytest.mark.parametrize(
    ("facts", "summary"),
    [
        ({}, None),
        ({"summary": None, "ai_summary": None}, None),
        ({"summary": " \n", "ai_summary": ""}, None),
        ({"summary": "Kites fly."}, "Kites fly."),
        ({"ai_summary": "It flies."}, "It flies."),
        ({"summary": "Kites fly.", "ai_summary": "Kites fly."}, "Kites fly."),
        ({"summary": "Kites fly.", "ai_summary": "It flies."}, "It flies.\n\nKites fly."),
    ],
)
def test_a_summary_is_what_there_is(facts: dict[str, Any], summary: str | None) -> None:
    """The site's own sentence comes before the abstract; either may stand alone."""
    [entry] = entries_of(listed("2603.00001", **facts))
    assert entry.summary == summary


def test_an_address_that_is_given_twice_is_one_link() -> None:
    """A repository that is the project's page too is listed once, as code."""
    page = "https://github.com/kite/kite"
    [entry] = entries_of(listed("2603.00001", githubRepo=page, projectPage=page))
    assert [link.label for link in entry.links] == ["Paper", "Code", "Hugging Face"]


def test_a_paper_is_known_without_its_version() -> None:
    """An id with a version, and one of the numbering before 2007, name the paper itself."""
    assert ranked(listed("2603.00001v2", 5), listed("math/0309136", 4)) == [
        "2603.00001",
        "math/0309136",
    ]


def test_even_votes_are_ranked_by_arxiv_id() -> None:
    """Ties stand in the order of the ids, whatever the order of the list: an id never changes."""
    elements = [listed("2603.00003", 7), listed("2603.00001", 7), listed("2603.00002", 9)]
    expected = ["2603.00002", "2603.00001", "2603.00003"]
    assert ranked(*elements) == ranked(*reversed(elements)) == expected


def test_a_paper_that_is_listed_twice_counts_once() -> None:
    """The element with more votes counts, as votes grow, and the other is named."""
    earlier, later = listed("2603.00001v1", 3), listed("2603.00001", 8)
    other = listed("2603.00002", 5)
    assert ranked(earlier, other, later) == ["2603.00001", "2603.00002"]
    parsed = parse(answer(earlier, other, later))
    [_, note] = parsed.passed_over
    assert (note.text.partition(";")[0], parsed.warnings) == ("element 1: 2603.00001 again", ())


@pytest.mark.parametrize(
    ("at", "first_day", "week"),
    [
        ("2026-03-02T00:00:00.000Z", date(2026, 3, 2), "2026-W10"),
        ("2026-03-01T23:59:59.999Z", date(2026, 2, 23), "2026-W09"),
        ("2026-03-02T00:30:00+01:00", date(2026, 2, 23), "2026-W09"),
        ("2026-12-31T12:00:00.000Z", date(2026, 12, 28), "2026-W53"),
        ("2027-01-03T12:00:00.000Z", date(2026, 12, 28), "2026-W53"),
        ("2027-01-04T00:00:00.000Z", date(2027, 1, 4), "2027-W01"),
        ("2024-12-30T09:00:00.000Z", date(2024, 12, 30), "2025-W01"),
    ],
)
def test_a_day_belongs_to_its_iso_week(at: str, first_day: date, week: str) -> None:
    """The day is that of UTC, the week runs from Monday to Sunday, a year may have 53 of them."""
    [edition] = parse(answer(listed("2603.00001", at=at))).editions
    assert (edition.first_day, (edition.last_day - edition.first_day).days) == (first_day, 6)
    assert week in edition.title
    assert edition.url == f"https://huggingface.co/papers/week/{week}"


def test_the_day_of_publication_is_not_the_day_of_the_list() -> None:
    """A paper of last year that was listed this week belongs to this week."""
    old = listed("2503.00001", publishedAt="2025-03-01T00:00:00.000Z")
    [edition] = parse(answer(old)).editions
    assert edition.first_day == date(2026, 3, 2)
