"""How much is read in some minutes, and of which sources: for any papers and any orders."""

from dataclasses import replace
from datetime import date, time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.actor import Actor, Role
from bot.library.brief import (
    LONGEST,
    WORDS_A_MINUTE,
    Read,
    fitted,
    fitted_again,
    minutes_for,
    sources_here,
)
from bot.replies.naming import marked_title
from store.records import (
    Channel,
    Edition,
    Entry,
    Highlight,
    Mention,
    Subscription,
    SubscriptionState,
    Workspace,
)

_DAY = date(2026, 1, 5)
_EDITION = Edition(
    "dair", "newsletter", "Top Papers", _DAY, _DAY, None, None, None, None, None, headings=()
)
HERE = Workspace("slack", "T1")


def _paper(number: int, title: int, summary: int | None, highlights: tuple[int, ...]) -> Mention:
    """Return a paper whose title, summary and highlights have so many words."""
    entry = Entry(
        ref=f"dair:2026-01-05#{number}",
        position=number,
        rank=number + 1,
        episode=None,
        title=_text(title),
        summary=None if summary is None else _text(summary),
        highlights=tuple(Highlight("Lead", _text(words)) for words in highlights),
        heading=None,
        section=None,
        links=(),
        arxiv_id=None,
        doi=None,
    )
    return Mention(number, _EDITION, entry)


def _text(words: int) -> str:
    return " ".join(["word"] * words)


_LENGTHS = st.integers(0, 300)
_SHAPES = st.tuples(
    st.integers(1, 20), st.none() | _LENGTHS, st.lists(_LENGTHS, max_size=5).map(tuple)
)
PAPERS = st.lists(_SHAPES, max_size=30).map(
    lambda shapes: [_paper(number, *shape) for number, shape in enumerate(shapes)]
)
MINUTES = st.integers(1, LONGEST)


def _words(found: list[Read]) -> int:
    """Count the words that are shown, one by one."""
    texts = [
        text
        for each in found
        for highlight in each.paper.entry.highlights[: each.highlights]
        for text in (highlight.lead or "", highlight.text)
    ]
    texts += [marked_title(each.paper.entry) for each in found]
    texts += [each.paper.entry.summary or "" for each in found]
    return len(" ".join(texts).split())


@given(PAPERS, MINUTES)
def test_a_brief_takes_no_longer_than_it_may(papers: list[Mention], minutes: int) -> None:
    """At 200 words a minute; only a paper that is alone may take longer, by its summary alone."""
    found = fitted(papers, minutes)
    assert sum(each.words for each in found) == _words(found)
    if _words(found) > minutes * 200:
        [only] = found
        assert only.highlights == 0
    assert bool(found) == bool(papers)


@given(PAPERS, MINUTES)
def test_a_brief_keeps_the_order_and_leaves_out_only_the_end(
    papers: list[Mention], minutes: int
) -> None:
    """What is in it are the first papers; of each the first highlights, as many as there is room.

    The paper after its last would not have fitted even without its highlights.
    """
    found = fitted(papers, minutes)
    assert [each.paper for each in found] == papers[: len(found)]
    room = minutes * WORDS_A_MINUTE
    for each in found:
        room -= each.words
        beyond = each.paper.entry.highlights[each.highlights :]
        if beyond and room >= 0:
            assert _words([Read(each.paper, each.highlights + 1)]) - each.words > room
    for after in papers[len(found) : len(found) + 1]:
        assert _words([Read(after, 0)]) > room


@given(PAPERS, st.lists(MINUTES, min_size=1))
def test_all_is_told_once_in_the_end(papers: list[Mention], lengths: list[int]) -> None:
    """Briefs of any lengths, one after the other, tell every paper, none twice, in order."""
    left, told = papers, []
    while left:
        for minutes in lengths:
            found = fitted(left, minutes)
            told += [each.paper for each in found]
            left = left[len(found) :]
    assert told == papers


@given(PAPERS, MINUTES)
def test_a_brief_is_the_same_when_it_is_shown_again(papers: list[Mention], minutes: int) -> None:
    """Its papers, without those that it had no room for, are cut as they were."""
    found = fitted(papers, minutes)
    assert fitted_again([each.paper for each in found], minutes) == found


@given(PAPERS, MINUTES)
def test_no_paper_is_lost_that_was_told(papers: list[Mention], minutes: int) -> None:
    """What a correction made longer is shown again all the same, if without highlights."""
    assert [each.paper for each in fitted_again(papers, minutes)] == papers


def test_no_more_papers_than_anybody_looks_through() -> None:
    """Where there are only titles an hour would hold thousands."""
    papers = [_paper(number, 3, None, ()) for number in range(150)]
    assert len(fitted(iter(papers), LONGEST)) == 100


def test_a_withdrawn_paper_counts_with_the_word_that_says_so() -> None:
    """What is counted is what is shown."""
    paper = _paper(1, 3, 10, (4,))
    withdrawn = replace(paper, entry=replace(paper.entry, withdrawn=True))
    assert [Read(each, 1).words for each in (paper, withdrawn)] == [18, 19]


@pytest.mark.parametrize(("words", "minutes"), [(0, 0), (1, 1), (200, 1), (201, 2), (1000, 5)])
def test_minutes_are_rounded_up(words: int, minutes: int) -> None:
    """So that nobody has less time than they were told."""
    assert minutes_for(words) == minutes


def _order(channel: str, *sources: str, paused: bool = False) -> Subscription:
    state = SubscriptionState.PAUSED if paused else SubscriptionState.ACTIVE
    return Subscription(Channel(HERE, channel), 0, time(9), "UTC", None, state, sources)


@pytest.mark.parametrize(
    ("orders", "channel", "parent", "sources"),
    [
        ([], "C1", None, None),
        ([_order("C1", "paperdive"), _order("C1", "dair")], "C1", None, ("dair", "paperdive")),
        ([_order("C1", "paperdive"), _order("C2", "dair")], "C1", None, ("paperdive",)),
        ([_order("C1", "paperdive"), _order("C2", "dair")], "C3", "C1", ("paperdive",)),
        ([_order("C1", "dair"), _order("C3", "paperdive")], "C3", "C1", ("paperdive",)),
        ([_order("C1", "paperdive"), _order("C2", "dair")], "D1", None, ("dair", "paperdive")),
        ([_order("C1", "paperdive"), _order("C2", "dair")], None, None, ("dair", "paperdive")),
        ([_order("C1", "paperdive", paused=True), _order("C2", "dair")], "C1", None, ("dair",)),
        ([_order("C1", "paperdive", paused=True)], "C1", None, None),
        ([_order("C1", "dair"), _order("C1", "all")], "C1", None, None),
        ([_order("C1", "consensus")], "C1", None, None),
        ([_order("C1")], "C1", None, None),
    ],
)
def test_a_brief_is_of_what_is_followed_where_it_is_asked(
    orders: list[Subscription],
    channel: str | None,
    parent: str | None,
    sources: tuple[str, ...] | None,
) -> None:
    """The channel's own, else those of the channel that a thread is in, else the workspace's."""
    actor = Actor("slack", "T1", "U1", Role.READER, channel=channel, parent=parent)
    assert sources_here(orders, actor) == sources
