"""Hugging Face's daily papers: what is broken, what is missing and what is something else."""

import json
from typing import Any

import pytest

from bot.domain.drafts import ParseOptions, RawDocument
from bot.errors import DocumentError
from bot.ingest import documents
from bot.ingest.formats.hf_daily import FORMAT
from tests.bot.ingest.formats.hf_daily.test_hf_daily import (
    TODAY,
    answer,
    listed,
    parse,
    ranked,
)

_GOOD = listed("2603.00001", 4)
_DEEP = "[" * 100_000


def _without(fact: str) -> dict[str, Any]:
    element = listed("2603.00002")
    del element["paper"][fact]
    return element


@pytest.mark.parametrize(
    ("broken", "remark"),
    [
        (None, "it is null, expected an object that holds a paper"),
        ("2603.00002", 'it is "2603.00002", expected an object'),
        ([], "it is a list, expected an object"),
        ({}, "paper is missing"),
        ({"paper": "2603.00002"}, 'paper is "2603.00002", expected an object'),
        (_without("id"), "paper.id is missing"),
        (_without("title"), "paper.title is missing"),
        (_without("upvotes"), "paper.upvotes is missing"),
        (_without("submittedOnDailyAt"), "paper.submittedOnDailyAt is missing"),
        (listed(""), 'paper.id is "", expected an arXiv id'),
        (listed("../settings"), 'paper.id is "../settings", expected an arXiv id'),
        (listed("2603.00002", title=" \n"), 'paper.title is " \\n", expected a title'),
        (listed("2603.00002", title="\x00"), 'paper.title is "\\u0000", expected a title'),
        (listed("2603.00002", upvotes="many"), 'paper.upvotes is "many", expected a whole number'),
        (listed("2603.00002", upvotes="12"), 'paper.upvotes is "12", expected a whole number'),
        (listed("2603.00002", upvotes=True), "paper.upvotes is true, expected a whole number"),
        (listed("2603.00002", upvotes=-1), "paper.upvotes is -1, expected a whole number"),
        (listed("2603.00002", upvotes=1.5), "paper.upvotes is 1.5, expected a whole number"),
        (listed("2603.00002", upvotes={}), "paper.upvotes is an object, expected a whole number"),
        (listed("2603.00002", at="soon"), 'submittedOnDailyAt is "soon", expected an instant'),
        (listed("2603.00002", at="2026-03-03"), "expected an instant"),
        (listed("2603.00002", at="2026-03-03T08:00:00"), "expected an instant"),
        (listed("2603.00002", at="2026-02-30T08:00:00Z"), "expected an instant"),
        (listed("2603.00002", at="9999-12-31T23:00:00Z"), "expected an instant"),
        (listed("2603.00002", at="0001-01-01T00:00:00+14:00"), "expected an instant"),
        (listed("2603.00002", submittedOnDailyAt=1772524800), "is 1772524800, expected an instant"),
    ],
)
def test_a_broken_element_leaves_the_others_alone(broken: object, remark: str) -> None:
    """It is left out and named by its place, with what was found and what was expected."""
    parsed = parse(answer(_GOOD, broken, listed("2603.00003", 9)))
    [note] = parsed.warnings
    assert note.text.startswith("element 2: ")
    assert remark in note.text
    assert note.text.endswith("; left out")
    assert ranked(_GOOD, broken, listed("2603.00003", 9)) == ["2603.00003", "2603.00001"]


@pytest.mark.parametrize(
    ("fact", "value", "remark"),
    [
        ("summary", 5, "paper.summary is 5, expected a text"),
        ("ai_summary", ["a"], "paper.ai_summary is a list, expected a text"),
        ("githubRepo", "kite/kite", 'paper.githubRepo is "kite/kite", expected a web address'),
        ("projectPage", "javascript:fly()", "expected a web address"),
        ("projectPage", "https://kite.example/a b", "expected a web address"),
        ("projectPage", "https://kite.example/\ud83d", "expected a web address"),
        ("projectPage", "https://" + "k" * 3000, "k…, expected a web address"),
    ],
)
def test_a_paper_can_do_without_some_facts(fact: str, value: object, remark: str) -> None:
    """A broken text or address is named and left out; the paper and its other facts stay."""
    good: dict[str, Any] = {"summary": "Kites fly.", "projectPage": "https://kite.example"}
    parsed = parse(answer(listed("2603.00001", **(good | {fact: value}))))
    [[entry]] = [edition.entries for edition in parsed.editions]
    [note] = parsed.warnings
    assert remark in note.text
    assert note.text.endswith("; kept without it")
    assert (entry.summary == "Kites fly.") == (fact != "summary")
    assert ("Project" in {link.label for link in entry.links}) == (fact != "projectPage")


def test_all_that_is_broken_in_an_element_is_named() -> None:
    """One remark tells each broken fact of an element."""
    broken = listed("2603.00002", title="", upvotes=None, projectPage="none")
    [note] = parse(answer(_GOOD, broken)).warnings
    assert [name in note.text for name in ("title", "upvotes", "projectPage")] == [True] * 3


def test_a_remark_names_the_line_where_its_element_starts() -> None:
    """Where the list is printed over many lines the place in the file is told too."""
    text = json.dumps([_GOOD, None, {}, listed("2603.00003")], indent=1)
    parsed = parse(text)
    lines = text.split("\n")
    assert [lines[note.line - 1].strip(" ,") for note in parsed.warnings] == ["null", "{}"]
    [edition] = parsed.editions
    assert all(lines[entry.line - 1] == " {" for entry in edition.entries)
    assert edition.line == 2


def test_no_entry_holds_what_no_database_takes() -> None:
    """Control characters that JSON can spell become blanks, half characters a mark."""
    element = listed("2603.00001", title="Kites\u0000 fly", summary="Up\u001b and\u0007down \ud83d")
    [edition] = parse(answer(element)).editions
    [entry] = edition.entries
    assert (entry.title, entry.summary) == ("Kites fly", "Up and down \ufffd")


def test_a_year_that_is_not_needed_is_not_used() -> None:
    """The operator's year changes nothing, and it is said where it differs."""
    text = answer(_GOOD)
    [note] = parse(text, year=2019).warnings
    assert "2019 is not used" in note.text
    assert parse(text, year=2026).warnings == ()
    assert parse(text, year=2019).editions == parse(text).editions


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[]", "papers.json lists no paper."),
        ("[null, 3]", "papers.json lists no paper that can be read."),
        ('{"error": "no such week"}', "papers.json is no list of papers."),
        ("12", "papers.json is no list of papers."),
        ("papers", "papers.json is no whole JSON: it can't be read from line 1, column 1 on."),
        ("[\n{},\n", "papers.json is no whole JSON: it can't be read from line 3, column 1 on."),
        (_DEEP, "papers.json is no JSON that can be read."),
        ("[" + "9" * 5000 + "]", "papers.json is no JSON that can be read."),
    ],
)
def test_what_is_no_answer_is_refused_in_words(text: str, sentence: str) -> None:
    """No list, an empty one and one without a paper are refused, with what was expected."""
    with pytest.raises(DocumentError) as caught:
        parse(text)
    assert caught.value.sentence == sentence
    assert caught.value.remedy


def test_a_refusal_tells_what_is_wrong_with_the_first_element() -> None:
    """Where nothing can be read, the remedy says what was found instead of a paper."""
    with pytest.raises(DocumentError) as caught:
        parse(answer(listed("2603.00001", upvotes="many")))
    assert caught.value.remedy == (
        'In its first element paper.upvotes is "many", expected a whole number of votes.'
    )


def test_an_answer_that_was_cut_off_is_refused_as_one() -> None:
    """Recognised by what is left of it, it is refused in words and never read in part."""
    whole = answer(_GOOD, listed("2603.00002"))
    for end in range(len(answer(_GOOD)), len(whole)):
        with pytest.raises(DocumentError, match="no whole JSON") as caught:
            documents.parse(RawDocument("papers.json", whole[:end]), ParseOptions(TODAY))
        assert caught.value.kind == "hf-daily"


def test_a_broken_first_element_hides_nothing() -> None:
    """A list is recognised by any of its papers."""
    assert FORMAT.recognise(answer(None, _GOOD))
    assert FORMAT.recognise(json.dumps([_without("upvotes"), _GOOD], indent=2))


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "{}",
        _DEEP,
        json.dumps(_GOOD),
        json.dumps({"papers": [_GOOD]}),
        json.dumps([_GOOD["paper"]]),
        json.dumps([{"paper": "2603.00001", "submittedOnDailyAt": None}]),
        json.dumps([{"paper": {"id": 1}, "submittedOnDailyAt": None}]),
        json.dumps([{"data": _GOOD}]),
        json.dumps([json.dumps(_GOOD)]),
        json.dumps([[_GOOD]]),
        json.dumps({"editions": [{"entries": [{"ref": "2603.00001", "rank": 1}]}]}),
        f"[A link](https://kite.example) and {json.dumps(_GOOD)}",
        f"# How to fetch\n\n    {answer(_GOOD)}\n",
    ],
)
def test_other_json_is_not_taken_for_an_answer(text: str) -> None:
    """Only a list whose elements hold papers with their listing is an answer."""
    assert not FORMAT.recognise(text)
