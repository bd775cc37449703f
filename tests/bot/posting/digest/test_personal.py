"""The message of a personal digest."""

from datetime import date

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.library.profile import Pick
from bot.posting.digest.layouts import Post, content_digest
from bot.posting.digest.paper_list import Fits
from bot.posting.digest.personal import lay_out_personal
from bot.replies.blocks import PaperList, Reply, Text, Title
from bot.replies.plain_text import plain_text
from store.records import Mention
from tests.any_replies import TEXTS
from tests.bot.posting.digest.editions import buttons, menus, paper, roomy, titles, week

DAY = date(2026, 11, 30)
_REASONS = ("because you saved MEM1", "because you opened 2 papers on Agents", "new in dair")


def _picks(number: int = 3, title: str = "Paper") -> list[Pick]:
    """Return so many picks, of which each third is from outside."""
    return [
        Pick(
            Mention(each, week(), paper(each, f"{title} {each}", "agents")),
            _REASONS[each % 3 - 1],
            outside=each % 3 == 0,
        )
        for each in range(1, number + 1)
    ]


def _laid_out(picks: list[Pick], fits: Fits) -> Post:
    made = lay_out_personal(picks, DAY, fits)
    assert made is not None
    return made


def _reply(picks: list[Pick], fits: Fits = roomy) -> Reply:
    [draft] = _laid_out(picks, fits).messages
    return draft.reply


def _list(reply: Reply) -> PaperList:
    [listed] = [block for block in reply.blocks if isinstance(block, PaperList)]
    return listed


def _at_most(longest: int) -> Fits:
    return lambda reply: len(plain_text(reply)) <= longest


def test_its_headline_counts_papers_and_minutes() -> None:
    """It says whose papers they are, of which day, how many and how long they take."""
    made = _laid_out(_picks(), roomy)
    assert made.messages[0].reply.blocks[:2] == (
        Title("Your papers, Mon Nov 30: 3 papers, 1 minute"),
        Text("Best for you first, by what you save, vote for and open."),
    )
    assert [made.title, made.topics] == ["Your papers, Mon Nov 30", ("agents",)]
    assert made.messages[0].refs == tuple(f"dair:2026-01-05#{rank}" for rank in (1, 2, 3))


def test_each_paper_has_its_reason_in_the_small_print() -> None:
    """What is from outside the reader's profile says so."""
    where = "in dair, Jan 5–11, 2026 · agents"
    assert [each.small_print for each in _list(_reply(_picks())).papers] == [
        f"because you saved MEM1 · #1 {where}",
        f"because you opened 2 papers on Agents · #2 {where}",
        f"something else, new in dair · #3 {where}",
    ]


def test_papers_can_be_opened_saved_and_dismissed() -> None:
    """Each paper has its Details, and can be saved or dismissed; below is what else there is."""
    reply = _reply(_picks())
    assert _list(reply).details
    assert menus(reply) == ["save", "dismiss"]
    assert buttons(reply) == [("Brief", "brief"), ("Your list", "saved")]
    assert menus(_reply(_picks(), _no_details)) == ["show", "save", "dismiss"]


def _no_details(reply: Reply) -> bool:
    return not _list(reply).details


def test_what_does_not_fit_is_left_out_by_steps_but_for_papers_and_reasons() -> None:
    """Buttons beside papers go first, then lines, menus and the ends of titles."""
    picks = _picks(10, "A title of some length that tells what the paper says and of whom it says")
    for longest in (2_400, 1_600, 1_000):
        reply = _reply(picks, _at_most(longest))
        shown = plain_text(reply)
        assert len(shown) <= longest
        assert len(titles(reply)) == len(picks)
        assert all(shown.count(reason) >= 3 for reason in _REASONS)
    assert _list(_reply(picks, lambda _: False)).menus == ()


def test_without_papers_there_is_no_message() -> None:
    """Who has seen everything gets nothing."""
    assert lay_out_personal([], DAY, roomy) is None


@pytest.mark.parametrize("longest", [3_500, 6_000])
@given(words=st.lists(st.tuples(TEXTS, TEXTS, st.booleans()), min_size=1, max_size=25))
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_every_pick_is_listed_in_order(longest: int, words: list[tuple[str, str, bool]]) -> None:
    """All papers are in the one message that fits, numbered, and the same again."""
    picks = [
        Pick(
            Mention(rank, week(), paper(rank, f"{rank} {title}", summary=text)),
            "new in dair",
            outside=outside,
        )
        for rank, (title, text, outside) in enumerate(words, start=1)
    ]
    made = _laid_out(picks, _at_most(longest))
    [draft] = made.messages
    assert _at_most(longest)(draft.reply)
    assert list(draft.refs) == [each.mention.entry.ref for each in picks]
    listed = _list(draft.reply).papers
    assert [(each.number, each.ref) for each in listed] == [
        (str(rank), ref) for rank, ref in enumerate(draft.refs, start=1)
    ]
    assert content_digest(draft.reply) == content_digest(_reply(picks, _at_most(longest)))
