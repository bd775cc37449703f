"""What arXiv answers is read as it is meant, and what is no answer is refused in words."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import DocumentError
from bot.sources.arxiv_metadata import ArxivAnswer, is_withdrawn, normalized_id, read_answer
from store.library.arxiv import ArxivPaper
from tests.fakes.arxiv import atom, error_feed, paper, withdrawn
from tests.shared_data import shared_file

# What XML can say at all, folded to one line as answers are.
_WORDS = st.text(
    st.characters(exclude_categories=("Cc", "Cs"), exclude_characters="\ufffe\uffff"), max_size=30
).map(lambda text: " ".join(text.split()))
_SOME = _WORDS.filter(bool)
_INSTANTS = st.integers(700_000_000, 4_000_000_000).map(lambda at: datetime.fromtimestamp(at, UTC))
_IDS = st.from_regex(r"[0-9]{4}\.[0-9]{4,5}|[a-z]{2,8}(-[a-z]{2,3})?/[0-9]{7}", fullmatch=True)


def _papers() -> st.SearchStrategy[ArxivPaper]:
    return st.builds(
        ArxivPaper,
        arxiv_id=_IDS,
        version=st.integers(1, 9999),
        title=_SOME,
        authors=st.lists(_SOME, max_size=4).map(tuple),
        abstract=_WORDS,
        categories=st.lists(_SOME, max_size=3, unique=True).map(tuple),
        submitted_at=_INSTANTS,
        updated_at=_INSTANTS,
        comment=st.none() | _SOME,
        journal_ref=st.none() | _SOME,
        doi=st.none() | _SOME,
    )


def _read(text: str) -> ArxivAnswer:
    return read_answer(text.encode())


@given(st.lists(_papers(), max_size=4), st.sampled_from(["http", "https"]))
def test_all_that_is_said_of_a_paper_is_read(papers: list[ArxivPaper], scheme: str) -> None:
    """Whatever the words, ids old and new: nothing is lost, and nothing is added."""
    read = _read(atom(*papers, scheme=scheme)).papers
    assert tuple(replace(each, withdrawn=False) for each in read) == tuple(papers)
    for each in read:
        assert each.withdrawn == is_withdrawn(each.comment, each.abstract)


def test_the_sample_says_what_it_holds() -> None:
    """Five papers, two titles wrapped, two comments, entities and formulas as they are meant."""
    answer = read_answer(shared_file("samples/arxiv_atom.xml").read_bytes())
    assert [(each.arxiv_id, each.version) for each in answer.papers] == [
        ("1706.03762", 7),
        ("2305.14314", 1),
        ("2305.18290", 3),
        ("2205.14135", 2),
        ("2312.00752", 2),
    ]
    first, *_ = answer.papers
    assert first.title == "Attention Is All You Need"
    assert (len(first.authors), first.authors[5]) == (8, "Aidan N. Gomez")
    assert first.categories == ("cs.CL", "cs.LG")
    assert first.submitted_at == datetime(2017, 6, 12, 17, 57, 34, tzinfo=UTC)
    assert first.updated_at == datetime(2023, 8, 2, 0, 41, 18, tzinfo=UTC)
    assert sum(each.comment is not None for each in answer.papers) == 2
    assert not any(each.withdrawn for each in answer.papers)
    for each in answer.papers:
        for text in (each.title, each.abstract, *each.authors):
            assert text == " ".join(text.split())
            assert "&amp;" not in text
    assert any("&" in each.abstract for each in answer.papers)
    assert any("<" in each.abstract for each in answer.papers)


def test_the_sample_of_an_error_names_the_id() -> None:
    """It is no paper, and says for which id the question was refused."""
    answer = read_answer(shared_file("samples/arxiv_error.xml").read_bytes())
    assert answer == ArxivAnswer((), "incorrect id format for 1234.error", "1234.error")


def test_a_refusal_need_not_name_an_id() -> None:
    """Its words are kept, and what is longer than a line is cut."""
    answer = _read(error_feed("max_results must be non-negative " * 20))
    assert answer.refused_id is None
    assert answer.refused is not None
    assert len(answer.refused) <= 200


def test_an_answer_without_entries_tells_of_no_paper() -> None:
    """That is for whoever asked to judge: at times it is not so."""
    assert _read(atom()) == ArxivAnswer()


def test_an_entry_that_lacks_what_every_paper_has_is_left_out() -> None:
    """Without an id, a title or an instant it is no paper; the others stay."""
    good, other = paper("2601.00001"), paper("2601.00002")
    for part in ("abs/2601.00002v1", "<title>Steering\n  Kites</title>", "T17:57:34+00:00"):
        before, after = atom(good, other).rsplit(part, 1)
        assert _read(before + after).papers == (good,)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"", "well-formed"),
        (b"<html><body>Rate exceeded.</body></html>", "no Atom feed"),
        (b"<feed></feed>", "no Atom feed"),
        (b"Rate exceeded.", "well-formed"),
        (atom(paper("2601.00001")).encode()[:-20], "well-formed"),
        (b"\xff\xfe<feed/>", "well-formed"),
        (
            b'<!DOCTYPE f [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><feed>&b;</feed>',
            "entities",
        ),
    ],
)
def test_what_is_no_answer_is_refused(body: bytes, words: str) -> None:
    """Half an answer is none: what is missing in it would pass for unknown."""
    with pytest.raises(DocumentError, match=words):
        read_answer(body)


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(body: bytes) -> None:
    """Nothing but the one error ever comes of them."""
    try:
        answer = read_answer(body)
    except DocumentError:
        return
    assert answer.papers == ()


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [("math.GT/0309136", "math/0309136"), ("Hep-th/9901001", "hep-th/9901001")],
)
def test_an_old_id_is_written_in_several_ways(ours: str, theirs: str) -> None:
    """ArXiv leaves the class of a subject out, and writes all in lower case."""
    assert normalized_id(ours) == normalized_id(theirs)
    assert normalized_id("2601.00001") != normalized_id("2601.00002")


def test_a_withdrawn_paper_is_told_by_its_comment() -> None:
    """What is told of it says so."""
    [said] = _read(atom(withdrawn("2601.00001"))).papers
    assert said.withdrawn
