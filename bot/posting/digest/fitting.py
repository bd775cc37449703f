"""The richest of several ways to say something that one message holds. Pure."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from bot.replies.blocks import Reply
from bot.replies.paper_actions import with_votes

T = TypeVar("T")
Fits = Callable[[Reply], bool]

_MANY_VOTES = 9_999  # more people than a workspace has who read along


def with_room_for_votes(fits: Fits) -> Fits:
    """Return the same question about replies whose every paper got many votes.

    So a vote never moves anything else in a message, nor makes it too long for one.
    """

    def fits_with_votes(reply: Reply) -> bool:
        return fits(with_votes(reply, lambda _ref: _MANY_VOTES))

    return fits_with_votes


def first_fitting(replies: Iterable[Reply], fits: Fits) -> Reply:
    """Return the first of some replies that fits, the last where none does.

    Raises:
        ValueError: where there is none at all.
    """
    last: Reply | None = None
    for last in replies:
        if fits(last):
            break
    if last is None:
        raise ValueError("there is nothing to choose from")
    return last


def richest(levels: Sequence[T], holds: Callable[[T], bool]) -> T:
    """Return the first level that holds, the last where none does.

    Each says less than the one before, so that not all have to be tried. What is whole needs no
    words on what is left out, and may be shorter than the next: it is always tried.
    """
    if holds(levels[0]):
        return levels[0]
    place = bisect_left(levels, True, key=holds)  # noqa: FBT003 - what is looked for
    return levels[min(place, len(levels) - 1)]
