"""Lists as JSON, as programs and reference managers write them."""

import json

import pytest

from bot.errors import DocumentError, WrongShape
from tests.bot.ingest.formats.own_list.reading import (
    NAP,
    SLEEPY,
    days,
    entries,
    papers,
    parse,
    told,
    weeks,
)
from tests.shared_data import shared_file

_PAPERS = [{"title": "Sleepy", "url": SLEEPY}, {"title": "Nap", "url": NAP}]


def test_csl_json_is_read() -> None:
    """Titles, addresses and DOIs come through, and an abstract is the note."""
    data = shared_file("field/csl.json").read_bytes()
    assert papers(parse(data, "csl.json")) == [
        ("Sleepy Attention", "We sleep.", "http://arxiv.org/abs/2607.11111"),
        ("Second Nap", None, "https://doi.org/10.9999/jn.2"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(_PAPERS),
        json.dumps(_PAPERS, indent=2),
        "".join(f"{json.dumps(paper)}\n" for paper in _PAPERS),
        json.dumps({"papers": _PAPERS}),
        json.dumps({"updated": "2026-07-14", "items": _PAPERS}),
        json.dumps([{"Title": each["title"], "Link": each["url"]} for each in _PAPERS]),
        json.dumps([{"paper_title": e["title"], "arxiv_id": e["url"][-10:]} for e in _PAPERS]),
        json.dumps([{"title": e["title"], "links": [{"url": e["url"]}]} for e in _PAPERS]),
        json.dumps(
            [{"title": e["title"], "externalIds": {"ArXiv": e["url"][-10:]}} for e in _PAPERS]
        ),
        json.dumps([{"id": e["url"][-10:], "name": e["title"]} for e in _PAPERS]),
    ],
)
def test_objects_with_titles_are_papers(text: str) -> None:
    """An array, an object that wraps one, and a line an object are the same list."""
    parsed = parse(text, "papers.json")
    assert papers(parsed) == [("Sleepy", None, SLEEPY), ("Nap", None, NAP)]


def test_weeks_and_notes_of_objects_are_kept() -> None:
    """An object may name its week, its rank and why it is there."""
    text = json.dumps([{"title": "Sleepy", "week": "2026-W29", "rank": 2, "why": "It rests."}])
    parsed = parse(text, "papers.json", week=None)
    (entry,) = entries(parsed)
    assert (entry.rank, *told(entry)) == (2, "Sleepy", "It rests.")
    assert days(parsed.editions[0])[0] == "2026-07-13"


@pytest.mark.parametrize(
    "text", ['[{"a": 1}]', '{"editions": []}', "[1, 2]", '{"name": 1}', "[" * 90000]
)
def test_other_json_is_no_list(text: str) -> None:
    """An object without a title is no paper."""
    with pytest.raises(WrongShape):
        parse(text, "other.json")


def test_json_that_breaks_off_is_refused() -> None:
    """Half a document would be half a list."""
    text = json.dumps(_PAPERS, indent=1)
    with pytest.raises(DocumentError, match="breaks off behind line 2"):
        parse(text[:-20], "papers.json")


def test_an_answer_may_wrap_its_papers_twice() -> None:
    """Crossref's stand in a message; the tags of an abstract are none of its text."""
    paper = {"title": ["Sleepy"], "abstract": "<jats:p>It rests</jats:p>"}
    [entry] = entries(parse(json.dumps({"status": "ok", "message": {"items": [paper]}})))
    assert (entry.title, entry.summary) == ("Sleepy", "It rests")


@pytest.mark.parametrize(
    "text",
    [
        '{"2026-W02": [{"title": "Sleepy"}], "2026-W03": [{"title": "Nap"}, {"title": ""}]}',
        (
            '[{"week": "2026-W02", "papers": [{"title": "Sleepy"}]},'
            ' {"date": "2026-01-14", "papers": [{"title": "Nap"}, 7]}]'
        ),
        (
            '{"title": "Week of Jan 5, 2026", "papers": [{"title": "Sleepy"}]}\n'
            '{"title": "2026-W03", "papers": [{"title": "Nap"}, null]}'
        ),
    ],
)
def test_papers_may_stand_in_groups_of_weeks(text: str) -> None:
    """The week is the name of the group, or told beside its papers."""
    parsed = parse(text, "a.json", week=None)
    assert weeks(parsed) == [("2026-01-05", ["Sleepy"]), ("2026-01-12", ["Nap"])]
    assert parsed.unread_rows == ("7" in text or '""' in text or "null" in text)
