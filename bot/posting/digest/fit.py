"""The richest of several layouts that fits one message. Pure."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from bot.replies.blocks import Reply
from bot.replies.paper_actions import with_votes

T = TypeVar("T")
Fits = Callable[[Reply], bool]

_MANY_VOTES = 9_999  # more than a workspace has readers


def with_room_for_votes(fits: Fits) -> Fits:
    """Return a check of replies as if their papers had many votes.

    A vote then never changes the layout of a message, nor makes it too long.
    """
    return lambda reply: fits(with_votes(reply, lambda _ref: _MANY_VOTES))


def first_fitting(replies: Iterable[Reply], fits: Fits) -> Reply:
    """Return the first reply that fits, or the last.

    Raises:
        ValueError: if there is none.
    """
    last: Reply | None = None
    for last in replies:
        if fits(last):
            break
    if last is None:
        raise ValueError("there is nothing to choose from")
    return last


def richest(levels: Sequence[T], holds: Callable[[T], bool]) -> T:
    """Return the first level that holds, or the last, without trying all.

    Each level shows less than the one before, except the first: it needs no note on what is left
    out, may be shorter than the second, and is always tried.
    """
    if holds(levels[0]):
        return levels[0]
    place = bisect_left(levels, True, key=holds)  # noqa: FBT003 - what is looked for
    return levels[min(place, len(levels) - 1)]
