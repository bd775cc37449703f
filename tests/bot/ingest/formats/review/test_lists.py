"""A review's lists of episodes, filled in whatever way."""

import pytest

from store.records import Link
from tests.bot.ingest.formats.review.documents import (
    LIST,
    ROBOTS,
    UNSURE,
    copy_of,
    edition_of,
    entries_of,
    parse,
    warned,
)

_ROUTER_LINK = Link("Paper", "https://arxiv.org/abs/2603.01234")


@pytest.mark.parametrize(
    "lines",
    [
        "E201 Routers That Ask · 2603.01234 · 12 min",
        "- E201: Routers That Ask (arXiv:2603.01234v2) – 12 min",
        "• E201 Routers That Ask https://arxiv.org/pdf/2603.01234v1.pdf 1 h 12 min",
        "Routers That Ask (E201) | arXiv:2603.01234",
        "E201\nRouters That Ask\narXiv:2603.01234\n12 min",
        "\nE201\n\nRouters That Ask\n\narxiv.org/abs/2603.01234\n\n12 min",
    ],
)
def test_a_filled_list_gives_titles_and_links(lines: str) -> None:
    """A list names the paper and its arXiv number, in one line or in several."""
    text = copy_of((f"{LIST}\n\n{ROBOTS}", f"{LIST}\n{lines}\n\n{ROBOTS}"))
    entries = entries_of(text)
    assert (entries["E201"].title, entries["E201"].links) == ("Routers That Ask", (_ROUTER_LINK,))
    assert entries["E201"].section == UNSURE
    assert entries["E204"].heading == ROBOTS
    assert parse(text).warnings == ()


def test_a_list_may_hold_numbers_only() -> None:
    """Numbers alone change nothing, and the heading behind them is not taken for a title."""
    for lines in ("E201, E202 and E203", "E201\nE202\nE203"):
        text = copy_of((f"{LIST}\n\n{ROBOTS}", f"{LIST}\n\n{lines}\n\n{ROBOTS}"))
        assert [e.title for e in entries_of(text).values()] == [
            entry.title for entry in edition_of(copy_of()).entries
        ]
        assert parse(text).warnings == ()


def test_the_marker_of_a_list_may_vary() -> None:
    """Other words for a heading, a colon and a count are understood."""
    for marker in ("Episodes in this section:", "episodes in this theme (3)"):
        assert parse(copy_of((LIST, marker))).editions == parse(copy_of()).editions


def test_lines_of_a_list_that_cannot_be_read_are_warned_of() -> None:
    """What is no episode and no fact is named, between episodes and behind the last one."""
    lines = "E201 Routers That Ask · 2603.01234\nE3.5 words\nE202 A Small Cache\nmore words"
    text = copy_of((f"{LIST}\n\n{ROBOTS}", f"{LIST}\n{lines}\n\n{ROBOTS}"))
    parsed = parse(text)
    assert [entry.title for entry in parsed.editions[0].entries][:2] == [
        "Routers That Ask",
        "A Small Cache",
    ]
    assert entries_of(text)["E204"].heading == ROBOTS
    for words in ("E3.5 words", "more words"):
        warning = f"not understood in a list of episodes: {words}"
        assert warned(parsed, text, words) == [warning]


def test_an_episode_that_is_only_listed_is_kept() -> None:
    """An episode without a paragraph keeps its title and link, and the lack is named."""
    lines = f"{LIST}\nE205 Robots That Rest · 2603.05678"
    text = copy_of(("4 episodes", "5 episodes")).removesuffix(LIST) + lines
    entry = entries_of(text)["E205"]
    assert (entry.title, entry.summary, entry.heading) == ("Robots That Rest", None, ROBOTS)
    assert warned(parse(text), text, "E205") == ["E205 is listed here and has no text"]
