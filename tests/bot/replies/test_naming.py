"""The title and the line by which an entry is shown."""

import re
from dataclasses import replace
from datetime import date
from functools import cache

import pytest

from bot.domain.drafts import ParseOptions
from bot.ingest import documents
from bot.replies.blocks import PaperList, Reply
from bot.replies.findings import says_more
from bot.replies.naming import line_about, line_found, line_of_card, listed_titles, shown_title
from bot.replies.one_lines import LINE_LENGTH
from bot.replies.openings import points_back
from bot.replies.papers import paper_card, paper_line, paper_lines, place_line, with_page_links
from bot.replies.wording import GAP
from store.records import Entry, Highlight, Mention
from tests.bot.posting.digest.editions import paper, week
from tests.shared_data import shared_file

_DOCUMENTS = (
    "archive-README.md",
    "seeds/000_6b97a1adf3c6bd05.txt",
    "seeds/001_60719b701ad4a391.txt",
    "seeds/002_dc9cd6f66951fc0f.txt",
)
_EMPTY_OPENING = re.compile(
    r"(?:This|The) (?:paper|work|study|article)\b(?! from)"
    r"|(?:It |We |They )?(?:Introduc|Propos|Present)e?s? an? ",
    re.IGNORECASE,
)
_FIRST = paper(
    1,
    "How kites stay up (E7)",
    ref="paperdive:E7",
    episode="E7",
    summary="The first paper pulls strings. Silk tails keep 90% of kites upright.",
)
_SECOND = paper(
    2,
    "How kites stay up (E8)",
    ref="paperdive:E8",
    episode="E8",
    summary="The second paper burns paper. Kites of silk beat all others.",
)
_LINE_OF_FIRST = "Silk tails keep 90% of kites upright"


def test_episodes_of_one_heading_are_completed_by_their_texts() -> None:
    """The heading stands first; the number, which stands beside, is left out."""
    assert shown_title(_FIRST) == "How kites stay up: Pulls strings"
    assert shown_title(_SECOND) == "How kites stay up: Burns paper"


@pytest.mark.parametrize(
    ("entry", "title"),
    [
        (replace(_FIRST, summary=None), "How kites stay up (E7)"),
        (replace(_FIRST, summary="Kites fly."), "How kites stay up: Kites fly"),
        (replace(_FIRST, title="How kites stay up"), "How kites stay up"),
        (replace(_FIRST, withdrawn=True), "Withdrawn: How kites stay up: Pulls strings"),
        (paper(3, "Kites (E7)"), "Kites (E7)"),
    ],
)
def test_other_titles_stay_as_they_are(entry: Entry, title: str) -> None:
    """A title that is an entry's own is not completed, nor one whose text says nothing."""
    assert shown_title(entry) == title


def test_no_two_entries_of_a_list_bear_one_title() -> None:
    """A title that several have is completed by their texts, and where these are one by numbers."""
    one, other, alone = paper(1, "Kites"), paper(2, "Kites"), paper(3, "Gliders")
    assert listed_titles([one, other, alone]) == [
        "Kites: Says what number 1 is about",
        "Kites: Says what number 2 is about",
        "Gliders",
    ]
    assert listed_titles([one, replace(one, rank=2), alone]) == [
        "Kites: Says what number 1 is about (1)",
        "Kites: Says what number 1 is about (2)",
        "Gliders",
    ]


def test_every_list_takes_name_and_line_from_one_place() -> None:
    """Lines of an edition, lines with a place and cards have one title and one line."""
    mention = Mention(1, week(_FIRST), _FIRST)
    card = paper_card(mention.edition, _FIRST)
    shown = {paper_line(_FIRST).title, place_line(mention).title, card.title}
    assert shown == {shown_title(_FIRST)}
    assert {paper_line(_FIRST).line, line_about(_FIRST), line_of_card(card)} == {_LINE_OF_FIRST}


def test_a_bullet_that_says_more_is_the_line() -> None:
    """The bullets of a paper are compared with its summary, in lists and on its card."""
    bullets = (Highlight(None, "Silk tails keep 90% of kites upright."),)
    entry = paper(1, "Kites", summary="Explores kites at sea.", highlights=bullets)
    assert line_about(entry) == line_of_card(paper_card(week(entry), entry)) == _LINE_OF_FIRST


def test_what_is_stored_stays_as_it_was_written() -> None:
    """A card shows the whole summary, opening and all."""
    assert paper_card(week(_FIRST), _FIRST).summary == _FIRST.summary


def test_the_lines_of_real_entries_are_whole_clauses() -> None:
    """At most 110 characters, a capital, no empty opening; one in fifty is cut at a word."""
    lines = [line_about(each) or "" for each in _real_entries()]
    assert len(lines) == 686
    assert max(map(len, lines)) <= LINE_LENGTH
    assert [line for line in lines if line[:1].islower() or _EMPTY_OPENING.match(line)] == []
    assert sum(line.endswith("…") for line in lines) <= len(lines) / 50
    dangling = re.compile(r"\b(?:a|an|the|of|and|or|to|in|with|for|by|that|which|is|are)$")
    assert [line for line in lines if dangling.search(line)] == []


def test_no_real_line_begins_with_a_pronoun_or_an_ordinal() -> None:
    """Whoever reads one line alone knows what it is about."""
    lines = [line_about(each) or "" for each in _real_entries()]
    assert [line for line in lines if points_back(line)] == []


def test_the_episodes_of_a_real_review_are_told_apart() -> None:
    """Each has a title of its own; no line lacks a word, and a third of them give a measure."""
    entries = [each for each in _real_entries() if each.episode]
    assert len({shown_title(each) for each in entries}) == len(entries) == 18
    lines = [line_about(each) or "" for each in entries]
    assert [line for line in lines if GAP in line] == []
    assert sum(bool(re.search(r"\d", line)) for line in lines) >= len(lines) / 3


def test_few_real_lines_say_no_more_than_their_titles() -> None:
    """One in a hundred at most of those shown; one entry in twelve has none at all."""
    entries = _real_entries()
    lines = [(each.title, line) for each in entries if (line := line_about(each))]
    assert len([line for title, line in lines if not says_more(line, title)]) <= len(lines) / 100
    assert len(entries) - len(lines) <= len(entries) / 12


def test_each_episode_of_a_real_review_is_linked() -> None:
    """Its title leads to the paper's page, else to ours."""
    lines = paper_lines([each for each in _real_entries() if each.episode])
    reply = with_page_links(Reply((PaperList(tuple(lines)),)), "https://papers.example")
    [listed] = [block for block in reply.blocks if isinstance(block, PaperList)]
    assert [line.title for line in listed.papers if not line.url] == []


@cache
def _real_entries() -> list[Entry]:
    found = []
    for name in _DOCUMENTS:
        path = shared_file(name)
        document = documents.read(path.name, path.read_bytes()).document
        parsed = documents.parse(document, ParseOptions(today=date(2026, 11, 21)))
        found += [
            paper(at, each.title, episode=each.episode, summary=each.summary)
            for edition in parsed.editions
            for at, each in enumerate(edition.entries, start=1)
            if each.summary
        ]
    return found


def test_what_a_search_found_is_no_heading_again() -> None:
    """The sentence is the line; a heading gives way to the entry's own line, a title to none."""
    entry = replace(_FIRST, section="How kites stay up")
    assert line_found(entry, "Kites pull.") == "Kites pull."
    assert line_found(entry, "How kites stay up") == _LINE_OF_FIRST
    assert line_found(entry, entry.title) is None
