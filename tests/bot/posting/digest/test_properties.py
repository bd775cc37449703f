"""What holds for posts of any edition, however strict a platform is."""

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from bot.posting.digest.filters import selected_entries
from bot.posting.digest.layouts import lay_out_post
from bot.posting.digest.paper_list import Fits
from bot.replies.blocks import PaperCard, PaperList, Reply, Text
from bot.replies.paper_actions import with_votes
from bot.replies.plain_text import plain_text
from store.records import Edition, Entry, Highlight, Layout, Link
from tests.any_replies import TEXTS
from tests.bot.posting.digest.editions import buttons, leads_to, order, paper, titles, week

_LONG = st.builds(lambda text, times: f"{text} " * times, TEXTS, st.sampled_from((1, 3, 40)))
_WORDS = TEXTS | _LONG
_TOPICS = st.lists(st.sampled_from(("agents", "rag", "vision")), max_size=2, unique=True)
_PATIENT = settings(
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@st.composite
def _entries(draw: st.DrawFn) -> tuple[Entry, ...]:
    made = draw(st.lists(st.tuples(_WORDS, _WORDS, _TOPICS, st.integers(0, 6)), max_size=25))
    return tuple(
        paper(
            rank,
            f"{rank} {title}",
            *topics,
            summary=text,
            heading=title[:300],
            highlights=(Highlight(title, text),) * many,
            links=(Link("Paper", "https://example.org/" + "p" * 80),) * many,
        )
        for rank, (title, text, topics, many) in enumerate(made, start=1)
    )


_EDITIONS = st.builds(
    lambda entries, overview, title: week(*entries, overview=overview, title=title),
    _entries(),
    st.none() | _WORDS,
    _WORDS,
)


def _strict(longest: int, most: int) -> Fits:
    """Return how a platform tells what fits that bounds characters and the options of menus."""

    def fits(reply: Reply) -> bool:
        lists = [block for block in reply.blocks if isinstance(block, PaperList)]
        options = [len(block.papers) * len(block.menus) for block in lists]
        return len(plain_text(reply)) <= longest and sum(options) <= most

    return fits


# The least in which 25 papers with a beginning of their titles have room.
_STRICT = [_strict(3_000, 8), _strict(4_000, 25), _strict(12_000, 75)]


def _leads_to_all(reply: Reply, refs: list[str]) -> bool:
    """Tell whether each paper can be opened, or all of them with the whole edition."""
    return leads_to(reply) == refs or buttons(reply)[-1][0] == "Whole edition"


@pytest.mark.parametrize("fits", _STRICT)
@pytest.mark.parametrize("layout", Layout)
@given(edition=_EDITIONS, size=st.integers(1, 25), topics=_TOPICS)
@_PATIENT
def test_every_kept_paper_is_posted_once(
    layout: Layout, fits: Fits, edition: Edition, size: int, topics: list[str]
) -> None:
    """All messages fit with any votes, and all kept papers are there in order, within reach."""
    wanted = order(layout, size=size, topics=tuple(topics))
    made = lay_out_post(edition, wanted, fits)
    refs = [entry.ref for entry in selected_entries(edition, wanted)]
    assert (made is None) is (not refs)
    assume(made)
    messages = made.messages if made else ()
    assert all(fits(with_votes(draft.reply, lambda _: 9_999)) for draft in messages)
    shown = messages[1:] if layout is Layout.THREAD else messages
    assert [ref for draft in shown for ref in draft.refs] == refs
    assert [len(titles(draft.reply)) for draft in shown] == [len(draft.refs) for draft in shown]
    assert all(_leads_to_all(draft.reply, list(draft.refs)) for draft in shown)
    if layout is Layout.THREAD:
        assert len(titles(messages[0].reply)) == len(refs)
        assert _leads_to_all(messages[0].reply, refs)
        assert [draft.threaded for draft in messages] == [False, *(True for _ in refs)]


@given(edition=_EDITIONS)
@_PATIENT
def test_what_is_left_out_is_said(edition: Edition) -> None:
    """A card that shows less than its paper has says so below it."""
    made = lay_out_post(edition, order(Layout.THREAD, size=25), _strict(1_500, 8))
    known = {entry.ref: entry for entry in edition.entries}
    for draft in made.messages[1:] if made else ():
        [card] = [block for block in draft.reply.blocks if isinstance(block, PaperCard)]
        entry = known[card.ref]
        whole = (entry.title, entry.summary or None, entry.highlights, entry.links)
        shown = (card.title, card.summary, card.highlights, card.links)
        said = [
            block
            for block in draft.reply.blocks
            if isinstance(block, Text) and block.text.startswith("Left out: ")
        ]
        assert bool(said) is (whole != shown or len(card.topics) < len(entry.topics))


def test_no_paper_is_dropped_even_where_nothing_fits() -> None:
    """Where a platform takes nothing at all, the shortest form still names every paper."""
    edition = week(*(paper(rank, "Long words " * 40) for rank in range(1, 26)))
    made = lay_out_post(edition, order(size=25), lambda _: False)
    assert made
    lists = [block for block in made.messages[0].reply.blocks if isinstance(block, PaperList)]
    numbers = [each.number for listed in lists for each in listed.papers]
    assert numbers == [str(number) for number in range(1, 26)]
