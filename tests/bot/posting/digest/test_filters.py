"""Which papers a subscription wants, and why not the others."""

from bot.posting.digest.filters import EntryVerdict, Reason, apply_filters, selected_entries
from tests.bot.posting.digest.editions import order, paper, week

AGENTS = paper(1, "Agents", "agents", "reasoning")
SIGHT = paper(2, "Sight", "vision", "agents")
BARE = paper(3, "Bare")
SEARCH = paper(4, "Search", "rag")
WEEK = week(AGENTS, SIGHT, BARE, SEARCH)


def test_without_filters_all_are_kept() -> None:
    """A subscription without filters wants every paper, in the edition's order."""
    assert selected_entries(WEEK, order()) == WEEK.entries


def test_any_wanted_topic_will_do() -> None:
    """A paper passes by one of the wanted topics; the verdict on others names those."""
    wanted = ("rag", "reasoning")
    assert apply_filters(WEEK, order(topics=wanted)) == (
        EntryVerdict(AGENTS),
        EntryVerdict(SIGHT, Reason.NOT_WANTED, wanted),
        EntryVerdict(BARE, Reason.NOT_WANTED, wanted),
        EntryVerdict(SEARCH),
    )


def test_any_unwanted_topic_is_too_much() -> None:
    """An unwanted topic keeps a paper out whatever else it has; the verdict names it."""
    found = apply_filters(WEEK, order(topics=("agents",), not_topics=("video", "vision")))
    assert found[:2] == (EntryVerdict(AGENTS), EntryVerdict(SIGHT, Reason.UNWANTED, ("vision",)))


def test_the_size_counts_what_passes() -> None:
    """Only the first of the papers that pass are posted, and no filtered one takes their place."""
    found = apply_filters(WEEK, order(not_topics=("vision",), size=2))
    assert [verdict.reason for verdict in found] == [None, Reason.UNWANTED, None, Reason.BEYOND]
