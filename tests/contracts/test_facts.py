"""The measure itself: what it takes for a difference."""

import pytest

from bot.replies.blocks import Actions, Button, PaperLine, PaperList, Reply, Title
from tests.contracts.driver import differences
from tests.contracts.facts import Shown, Way, facts_of, seen
from tests.contracts.stages.terminal_driver import InTerminal, Screen

REPLY = Reply(
    (
        Title("Two papers"),
        PaperList(
            (PaperLine("1", "One", "A line.", "dair:1#1"), PaperLine("2", "Two", None, "dair:1#2"))
        ),
        Actions((Button("Newest", "latest"),)),
    )
)
WORDS = "Two papers [1] One: A line. [2] Two"
WAYS = (Way(None, "show dair:1#1"), Way("Details 2", "show dair:1#2"), Way("Newest", None))


def _differences(words: str, ways: tuple[Way, ...]) -> list[str]:
    driver = InTerminal(0, Screen())
    return differences(driver, facts_of(REPLY), Shown(seen(words), ways))


def test_what_says_the_facts_does_not_differ() -> None:
    """Ornaments, wrapping, and what of a button is not to be seen make no difference."""
    assert _differences(WORDS, WAYS) == []
    assert _differences(WORDS.replace(" ", "\n   "), WAYS) == []


@pytest.mark.parametrize(
    ("words", "difference"),
    [
        (WORDS.replace("A line.", ""), "not said: Aline."),
        (WORDS.replace("Two papers", "Two papers of many"), "said besides: ofmany"),
        (f"{WORDS} and more", "said besides: andmore"),
        ("Two papers [2] Two [1] One: A line.", "said besides: Two"),
    ],
)
def test_words_that_are_missing_added_or_elsewhere_differ(words: str, difference: str) -> None:
    """Every fact is said once, in its order, and nothing else."""
    assert difference in _differences(words, WAYS)


@pytest.mark.parametrize(
    ("ways", "differing"),
    [
        (WAYS[:2], [f"no way: {Way('Newest', 'latest')}"]),
        ((*WAYS, Way("Share", None)), [f"a way besides: {Way('Share', None)}"]),
        (
            (*WAYS[:2], Way("Newest", "latest from:dair")),
            [
                f"no way: {Way('Newest', 'latest')}",
                f"a way besides: {Way('Newest', 'latest from:dair')}",
            ],
        ),
    ],
)
def test_other_ways_differ(ways: tuple[Way, ...], differing: list[str]) -> None:
    """A button that lacks, that nobody expected, or that types something else is one too many."""
    assert _differences(WORDS, ways) == differing
