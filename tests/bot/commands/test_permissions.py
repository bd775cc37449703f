"""One rule for rows that name a place: who sees them, who is told where, who may do what."""

from dataclasses import replace
from itertools import product

import pytest

from bot.actor import Role
from bot.commands.handlers import COMMANDS
from bot.commands.permissions import Access, May, Standing, access, may
from tests.bot.conftest import READER

UNSEEN = Access(named=False, may=May.NOTHING)
KNOWN = Access(named=True, may=May.NOTHING)
STOPPED = Access(named=True, may=May.STOP)
UNNAMED = Access(named=False, may=May.STOP)
WHOLE = Access(named=True, may=May.ALL)
FACTS = ("public", "direct", "here", "inside", "mine", "manages", "shares")
EVERY = [
    Standing(**dict(zip(FACTS, each, strict=True)))
    for each in product((False, True), repeat=len(FACTS))
]


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ("", UNSEEN),
        ("inside", WHOLE),
        ("here", WHOLE),
        ("here shares", WHOLE),
        ("inside shares", UNSEEN),
        ("mine", UNNAMED),
        ("mine shares", UNSEEN),
        ("mine inside", WHOLE),
        ("manages", STOPPED),
        ("manages mine", STOPPED),
        ("manages shares", UNSEEN),
        ("public", KNOWN),
        ("public shares", KNOWN),
        ("public mine", STOPPED),
        ("public inside", WHOLE),
        ("direct", UNSEEN),
        ("direct manages", UNSEEN),
        ("direct mine", WHOLE),
        ("direct mine shares", UNSEEN),
        ("direct here", WHOLE),
    ],
)
def test_what_somebody_may_know_and_do(facts: str, expected: Access) -> None:
    """Each way of standing to a place has its answer."""
    assert access(Standing(**dict.fromkeys(facts.split(), True))) == expected


def test_no_way_of_standing_to_a_place_says_too_much() -> None:
    """Only who is there acts there, and only who gave an order or manages all stops it."""
    for standing in EVERY:
        found = access(standing)
        is_there = standing.here or standing.inside or (standing.direct and standing.mine)
        assert found.may is not May.ALL or is_there, standing
        assert found.may is not May.STOP or standing.mine or standing.manages, standing
        if standing.direct and not (standing.mine or standing.here):
            assert not found.seen, standing
        if standing.shares and not (standing.public or standing.here):
            assert not found.seen, standing
        if found.named and not is_there:
            assert standing.public or standing.manages, standing


@pytest.mark.parametrize("fact", ["here", "inside", "mine", "manages", "public"])
def test_to_stand_nearer_to_a_place_never_takes_anything_away(fact: str) -> None:
    """What one may know and do grows with each of these facts."""
    for far in EVERY:
        before, after = access(replace(far, **{fact: False})), access(replace(far, **{fact: True}))
        assert (after.named, after.may) >= (before.named, before.may)
        assert after.named >= before.named


def test_only_posts_need_no_manager_in_direct_messages() -> None:
    """There a reader may what is about that place, and a stranger no more than elsewhere."""
    alone = replace(READER, in_direct=True)
    of_managers = {each for each in COMMANDS if each.role is Role.MANAGER}
    more = {each.name for each in of_managers if may(alone, each)}
    assert more == {"subscribe", "unsubscribe", "pause", "resume", "deliver"}
    assert not any(may(READER, each) for each in of_managers)
    assert not any(may(replace(alone, is_stranger=True), each) for each in of_managers)
