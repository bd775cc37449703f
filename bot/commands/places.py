"""The places of rows, asked of the platform: which ones the user is in now, and who may know."""

import asyncio
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from bot.actor import Actor
from bot.commands.permissions import Access, Standing, access, in_status, is_inside
from bot.errors import NotInChannel, UserError
from store.readers.alerts import Alert
from store.records import Channel, ChannelFacts, Subscription, Workspace

_MOST_LOOKED_AT = 10  # in one answer; to what is beyond it the user counts as being outside


@dataclass(frozen=True, slots=True)
class ChannelLook:
    """A channel with its facts, as the platform has them now if the user is `inside`.

    `here` tells whether the request comes from it.
    """

    facts: ChannelFacts
    inside: bool = False
    here: bool = False


@dataclass(frozen=True, slots=True)
class PlacedAlert:
    """An alert, with its channel's facts, and what the user may know of it and do with it."""

    alert: Alert
    facts: ChannelFacts
    access: Access


async def placed_alerts(
    actor: Actor, found: Sequence[Alert], own: Collection[int]
) -> list[PlacedAlert]:
    """Return those of some alerts that the user may see; `own` are the ids of the user's."""
    places = await _find_places(actor, {each.channel: each.facts for each in found})
    workspace = Workspace(actor.platform, actor.workspace)
    placed = []
    for each in found:
        place = places[each.channel]
        there = Standing(
            direct=place.facts.direct,
            here=place.here,
            inside=place.inside,
            mine=each.id in own,
            manages=actor.owns and each.channel.workspace == workspace,
            shares=actor.shares,
        )
        placed.append(PlacedAlert(each, place.facts, access(there)))
    return [each for each in placed if each.access.seen]


async def shown_in_status(actor: Actor, found: Iterable[Subscription]) -> list[Subscription]:
    """Return the subscriptions of a workspace that `status` tells an actor of.

    To a stranger every channel is private.
    """
    stored = {each: each.channel.external_id for each in found}
    is_open = not actor.is_stranger
    open_ones = {channel for each, channel in stored.items() if is_open and not each.facts.private}
    hidden = await actor.hidden(open_ones) if open_ones else ()
    public = {channel for channel in open_ones if channel not in hidden}
    closed_here = {
        each.channel: each.facts
        for each, channel in stored.items()
        if channel not in public and is_inside(actor, channel)
    }
    places = await _find_places(actor, closed_here)
    here = {channel.external_id for channel, place in places.items() if place.here}
    return [
        each
        for each, channel in stored.items()
        if in_status(actor, each, here=channel in here, public=channel in public)
    ]


async def _find_places(
    actor: Actor, channels: Mapping[Channel, ChannelFacts]
) -> dict[Channel, ChannelLook]:
    """Return what the platform tells of channels, each with its stored facts."""
    workspace = Workspace(actor.platform, actor.workspace)
    near = [channel for channel in channels if channel.workspace == workspace]
    near.sort(key=lambda channel: not is_inside(actor, channel.external_id))
    asked = [channel for channel in near if not channels[channel].direct][:_MOST_LOOKED_AT]
    looks = await asyncio.gather(*(_look(actor, each, channels[each]) for each in asked))
    found = {
        channel: ChannelLook(channels[channel], here=is_inside(actor, channel.external_id))
        for channel in near
        if channels[channel].direct
    }
    found |= zip(asked, looks, strict=True)
    return {channel: found.get(channel, ChannelLook(facts)) for channel, facts in channels.items()}


async def _look(actor: Actor, channel: Channel, stored: ChannelFacts) -> ChannelLook:
    is_here = is_inside(actor, channel.external_id)
    if actor.channels is None:
        return ChannelLook(stored, here=is_here)
    try:
        info = await actor.channels.look(channel.external_id)
    except NotInChannel:
        return ChannelLook(stored)
    except UserError:  # the platform does not tell, but it did where the request comes from
        return ChannelLook(stored, here=is_here)
    return ChannelLook(info.facts, inside=True, here=is_here)
