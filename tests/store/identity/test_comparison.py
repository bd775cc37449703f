"""Whether two entries are of one paper: told by their ids, pages, titles and summaries alone."""

import re

import pytest

from store.identity.comparison import (
    ComparedEntry,
    Sameness,
    compare,
    may_share_id,
    pages_of,
    share_title_words,
    words_of,
)
from store.identity.identifiers import candidate_keys, compact, compact_name, matching_keys
from store.records import Link

ID, OTHER_ID = "2501.00001", "2501.00002"
PAGE, OTHER_PAGE = "https://kites.example.org/paper.pdf", "https://example.com/blog/kites"
# Two that tell of the same with six of eight words, and one of something else.
SUMMARY = "Ropes pull pilots over windy hills; harbour masts sway."
RETOLD = "Pilots pulled over hills by ropes, past a windy harbour and its lighthouses."
ELSEWHERE = "Kites sold at fairs: colours, prices, tails."
# As long that chance makes them share some words.
_MADE_UP = [f"{first}{second}rkun" for first in "bcdfghjklmnprst" for second in "aeo"]
LONG, LONG_ELSEWHERE = " ".join(_MADE_UP[:25]), " ".join(_MADE_UP[20:])


def facts(
    title: str, summary: str | None = None, link: str | None = None, year: int = 2025
) -> ComparedEntry:
    """Return the facts of an entry; a link is an arXiv id, a DOI or the address of a page."""
    arxiv = link if link and re.fullmatch(r"\d{4}\.\d{5}", link) else None
    doi = link if link and link.startswith("10.") else None
    links = [Link("Paper", link)] if link and not (arxiv or doi) else []
    words = words_of(title, [summary or ""], links)
    return ComparedEntry(compact(title), compact_name(title), arxiv, doi, year, words)


VERDICTS = {
    "two ids": (facts("Kites", SUMMARY, ID), facts("Kites", SUMMARY, OTHER_ID), "TWO"),
    "one id": (facts("Kites", SUMMARY, ID), facts("Boats", None, ID), "ONE"),
    "an id and a page, retold": (facts("Kites", SUMMARY, ID), facts("Kites", RETOLD, PAGE), "ONE"),
    "an id and a page, of another work": (
        facts("Kites", SUMMARY, ID), facts("Kites", ELSEWHERE, PAGE), "DOUBTFUL",
    ),
    "an id and a page, nothing said": (facts("Kites", None, ID), facts("Kites", None, PAGE),
                                       "DOUBTFUL"),
    "an id and a DOI, retold": (
        facts("Kites", SUMMARY, ID), facts("Kites", RETOLD, "10.1000/1"), "ONE",
    ),
    "two pages, retold": (facts("Kites", SUMMARY, OTHER_PAGE), facts("Kites", RETOLD, PAGE), "ONE"),
    "two pages": (facts("Kites", None, OTHER_PAGE), facts("Kites", None, PAGE), "DOUBTFUL"),
    "one page, nothing said": (facts("Kites", None, PAGE), facts("Kites", None, PAGE, 2026), "ONE"),
    "no link": (facts("Kites", SUMMARY, ID), facts("Kites"), "ONE"),
    "no link, long and of another work": (
        facts("Kites", LONG, ID), facts("Kites", LONG_ELSEWHERE), "DOUBTFUL",
    ),
    "no link, another year": (facts("Kites", None, ID), facts("Kites", year=2026), "DOUBTFUL"),
    "another year, retold": (
        facts("Kites", SUMMARY, ID), facts("Kites", RETOLD, PAGE, 2026), "ONE",
    ),
    "articles and blanks": (
        facts("A Survey of the Kites", SUMMARY, ID), facts("Survey of Kites", RETOLD, PAGE), "ONE",
    ),
    "a bare name": (facts("Kites: Up", SUMMARY, ID), facts("Kites"), "ONE"),
    "a bare name of another work": (
        facts("Kites: Up", SUMMARY, ID), facts("Kites", ELSEWHERE, PAGE), "DOUBTFUL",
    ),
    "one name, two titles": (facts("Kites: Up", None, ID), facts("Kites: Down"), "TWO"),
    "other titles, retold": (
        facts("How Boats Fly (KiteNet)", SUMMARY, ID), facts("Flying", RETOLD, PAGE), "ONE",
    ),
    "other titles": (
        facts("How Boats Fly (KiteNet)", SUMMARY, ID), facts("Flying", ELSEWHERE, PAGE), "UNKNOWN",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", VERDICTS)
def test_each_verdict(name: str) -> None:
    """Two entries are judged by what they say themselves, whichever of them comes first."""
    one, other, verdict = VERDICTS[name]
    assert compare(one, other).verdict is Sameness[verdict]
    assert compare(one, other) == compare(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("A Survey of Kites", None), ("Survey of the Kites", None)),
        (("KiteNet", None), ("Kite Net", None)),
        (("Steering the Long Kites by Wire", None), ("Steered Long Kites by Wire in Storms", None)),
        (("KiteNet: Up", None), ("KiteNet", None)),
        (("How Boats Fly (KiteNet)", None), ("Flying", "Somebody proposes KiteNet to fly.")),
        (("KiteNet", None), ("Flying", "KiteNet flies.")),
        (("Boats", "Presents a test, KiteNet, of sails."), ("Flying", "Releases KiteNet to fly.")),
        (("Boats", "A long test of sails (KiteNet)."), ("Flying", "A test dubbed KiteNet.")),
    ],
    ids=[
        "articles",
        "blanks",
        "beginnings",
        "colon",
        "brackets",
        "first word",
        "both say it",
        "both say it otherwise",
    ],
)
def test_titles_that_may_name_one_work(
    one: tuple[str, str | None], other: tuple[str, str | None]
) -> None:
    """Entries are compared where their titles are spelled, begin or name the work alike."""
    keys = candidate_keys(*other)
    assert any(keys.intersection(matching_keys(key)) for key in candidate_keys(*one))


def test_a_name_that_many_summaries_begin_with_is_no_key() -> None:
    """A laboratory that introduces many works names none of them."""
    assert candidate_keys("Kites", "OpenAI introduces kites.") == candidate_keys("Kites", None)


def test_names_of_others_are_no_keys() -> None:
    """Names that a summary lists, or compares with, are not what it introduces."""
    listed = "A comparison with BoatNet, KiteNet, and others (WingNet, SailNet)."
    assert candidate_keys("Sails", listed) == candidate_keys("Sails", None)


def test_a_beginning_that_two_titles_have_brings_them_together_no_more() -> None:
    """Only where one title is all that another begins with are the two compared."""
    one, other = (candidate_keys(f"Kites: {each}", None) for each in ("Up", "Down"))
    assert one & other == {"<kites"}
    assert not any(other.intersection(matching_keys(key)) for key in one)


@pytest.mark.parametrize(
    ("url", "page"),
    [
        ("https://www.Example.org/a/", "example.org/a"),
        ("http://example.org/a#top", "example.org/a"),
        ("https://openreview.net/pdf?id=1", "openreview.net/pdf?id=1"),
        ("https://github.com/Kites/Net/blob/main/paper.pdf", "github.com/kites/net"),
    ],
)
def test_pages_have_one_spelling(url: str, page: str) -> None:
    """Two ways to write an address are one page, and so is all that a repository holds."""
    assert pages_of([Link("Paper", url)]) == {page}


@pytest.mark.parametrize(
    "link",
    [
        Link("Tweet", "https://example.org/1"),
        Link("Paper", "https://x.com/kites/status/1"),
        Link("Paper", "https://arxiv.org/abs/2501.00001"),
        Link("Paper", "https://huggingface.co/papers/2501.00001"),
        Link("Paper", "https://[broken"),
        Link("Paper", ""),
    ],
)
def test_posts_and_ids_are_no_pages(link: Link) -> None:
    """What says nothing about which work it is, or says it by an id, is no page of it."""
    assert pages_of([link]) == frozenset()


# Titles, ids, years and links of a real archive. What its summaries say is said in made-up words
# here, of which about as large a part is common. Of UniversalRAG's second mention the page is the
# project's own, the year is made up.
UPSTREAM = {
    "Emergent Misalignment": (
        facts("Emergent Misalignment", LONG, "2502.17424"),
        facts("Emergent Misalignment", LONG_ELSEWHERE, "https://cdn.openai.com/pdf/a130517e.pdf"),
        "DOUBTFUL",
    ),
    "Chain-of-Agents": (
        facts("Chain-of-Agents", LONG, "https://openreview.net/pdf?id=LuCLf4BJsr"),
        facts("Chain-of-Agents", LONG_ELSEWHERE, "2508.13167"),
        "DOUBTFUL",
    ),
    "Subliminal Learning": (
        facts("Subliminal Learning", SUMMARY, "2507.14805"),
        facts(
            "Subliminal Learning",
            RETOLD,
            "https://www.nature.com/articles/s41586-026-10319-8",
            2026,
        ),
        "ONE",
    ),
    "BrainBench": (
        facts("LLMs Predict Neuroscience Results (BrainBench)", SUMMARY, "2403.03230", 2024),
        facts(
            "LLM Surpass Human Experts in Predicting Neuroscience Results",
            RETOLD,
            "https://www.nature.com/articles/s41562-024-02046-9",
            2024,
        ),
        "ONE",
    ),
    "Survey of Small Language Models": (
        facts("A Comprehensive Survey of Small Language Models", SUMMARY, "2411.03350", 2024),
        facts("Comprehensive Survey of Small Language Models", RETOLD, "10.1145/3768165"),
        "ONE",
    ),
    "Artificial Life": (
        facts("Automating the Search for Artificial Life", SUMMARY, "2412.17799", 2024),
        facts(
            "Automating the Search for Artificial Life with Foundation Models",
            RETOLD,
            "https://direct.mit.edu/artl/article/31/3/368/132866/"
            "Automating-the-Search-for-Artificial-Life-With",
        ),
        "ONE",
    ),
    "UniversalRAG": (
        facts("UniversalRAG", SUMMARY, "2504.20734"),
        facts("UniversalRAG", RETOLD, "https://universalrag.github.io", 2026),
        "ONE",
    ),
}


@pytest.mark.parametrize("name", UPSTREAM)
def test_pairs_of_a_real_archive(name: str) -> None:
    """Pairs that were judged by eye come out so, by titles, links and as many common words."""
    one, other, verdict = UPSTREAM[name]
    assert compare(one, other).verdict is Sameness[verdict]


def test_a_verdict_has_a_strength() -> None:
    """What says more of the same is more alike, and a common page beats any words."""
    one = facts("Kites", SUMMARY, PAGE)
    paged, said, less = (
        compare(one, other).strength
        for other in (facts("Kites", None, PAGE), facts("Kites", SUMMARY), facts("Kites", RETOLD))
    )
    assert paged > said > less > 0


ABSTRACT = "We cool enzymes until their folding slows down, and film the hinges."


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("KiteNet", "KiteNet: Steering Tethered Wings"),
        ("Kite Steering for Tethered Wings", "Tethered wings, steered by kites"),
        ("SteerKite", "Steering Kites by Reward"),
        ("A Survey on LLMs", "Folding Enzymes"),
        ("Kites", "Enzymes"),
        ("A Paper", "Another Paper"),
        ("", "Folding Enzymes at Low Temperature"),
    ],
    ids=["short", "reworded", "grown together", "says nothing", "one word", "two", "no letter"],
)
def test_titles_that_may_be_of_one_work(one: str, other: str) -> None:
    """Titles that share a telling word, or that tell too little, speak against no link."""
    assert may_share_id(words_of(one), words_of(other))
    assert may_share_id(words_of(other), words_of(one))


def test_titles_that_have_nothing_in_common() -> None:
    """Two titles that both tell enough, and nothing of it in common, are of two works."""
    one, other = words_of("Steering Tethered Wings"), words_of("Folding Enzymes, a Survey")
    assert not may_share_id(one, other)
    assert not share_title_words(one, other)


def test_a_renamed_work_is_known_by_what_is_said_of_it() -> None:
    """A title of other words is of the same work where these stand in the other's text."""
    one, other = words_of("Cold Hinges", ["It is about a film."]), words_of("FoldSlow", [ABSTRACT])
    assert may_share_id(one, other)


def test_common_words_of_the_field_tell_nothing() -> None:
    """That both are about language models and benchmarks makes them no single work."""
    one = words_of("Kite Steering", ["A benchmark of language models that reason over time."])
    other = words_of("Enzyme Folding", ["Language models reason better on a new benchmark."])
    assert not may_share_id(one, other)
