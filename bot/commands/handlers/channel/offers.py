"""Posts that somebody wished for in their own words: what would be made, changed or ended."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from itertools import islice
from typing import Any

from bot.accounts import in_words, with_values
from bot.commands.handlers.channel.preview import PREVIEW, SET_UP, post_as_it_looks
from bot.commands.handlers.channel.subscribe import SUBSCRIBE, subscribe_string
from bot.commands.handlers.channel.subscribe_form import (
    may_name_channel,
    new_subscription,
    values_of,
)
from bot.commands.handlers.channel.targets import (
    Target,
    find_channel,
    find_channel_or_none,
    nowhere,
)
from bot.commands.params.arguments import with_arguments
from bot.commands.params.channels_and_roles import CHANNEL
from bot.commands.params.times import in_digits
from bot.commands.parser import command_string
from bot.commands.permissions import require_manager
from bot.commands.types import Command, Context
from bot.domain.schedule import WEEKDAYS
from bot.errors import UserError
from bot.replies.blocks import Block, Button
from bot.replies.deliveries import content_text, short_label
from bot.replies.wording import capitalised, shorten
from store.posting import subscriptions
from store.posting.change_subscription import posts_the_same
from store.records import Subscription

_MOST_OFFERED = 3  # subscriptions of one channel
_LABEL = 60  # characters
_A_MONDAY = date(2026, 1, 5)
_LENGTHS = {"m": timedelta(minutes=1), "h": timedelta(hours=1), "d": timedelta(days=1)}
_USUAL_SIZE, _LARGEST_SIZE = 10, 25
_FEWER, _MORE, _MORE_SOURCES = "size:fewer", "size:more", "from:more,"
_SHIFT = re.compile(r"\b(?:time|day):(\d+)([mhd])-(earlier|later)\b")
_COMPARED = re.compile(rf"{_FEWER}|{_MORE}|{_MORE_SOURCES}|{_SHIFT.pattern}")
_IN = re.compile(r"\bin:(\S+)")


@dataclass(frozen=True, slots=True)
class Offer:
    """A sentence on what is and what would be, and buttons to have it so.

    One that is `open` leaves more to choose than whether.
    """

    sentence: str
    buttons: tuple[Button, ...]
    open: bool = False


async def offer_posts(
    context: Context, arguments: Mapping[str, Any], *, for_one: bool = False
) -> Offer:
    """Offer the subscription of a call of `subscribe`, or to change what the channel has so.

    What is `for_one` comes in direct messages, and is ordered there.
    """
    target = await find_channel_or_none(context, arguments.get("channel"))
    require_manager(context, SUBSCRIBE.name, direct=target.info.direct)
    if for_one and not target.info.direct:
        line = f"/papers {context.display_command or context.command_string}"
        told = f"What comes to you alone is ordered in direct messages with Broadsheet: {line}."
        return Offer(told, (Button("What is new instead", "latest"),), open=True)
    wanted = {name: value for name, value in arguments.items() if name != "channel"}
    context = _by_id(context, target)
    if target.subscriptions:
        return _offer_change(context, target, values_of(wanted))
    last = await context.database.read(subscriptions.last_of_channel, target.channel)
    draft, _ = await new_subscription(context, target, values_of(wanted), last)
    texts = dict(context.arguments)
    if draft.personal and not texts and may_name_channel(context.actor):
        # A wish for posts, of which a channel may be the place.
        texts = {"layout": draft.layout.value}
    sets_up = _button(context, SET_UP, context.command_string, form=True)
    is_open = not context.arguments
    return Offer(_would_get(context, target, draft), (sets_up, _see(texts)), open=is_open)


def _by_id(context: Context, target: Target) -> Context:
    """Return a context whose call names its channel by id, as the field of a form does."""
    if "channel" not in context.arguments or not target.info.id:
        return context
    return with_arguments(context, SUBSCRIBE, {**context.arguments, "channel": target.info.id})


def _offer_change(context: Context, target: Target, values: Mapping[str, Any]) -> Offer:
    now, found = context.clock.now(), target.subscriptions
    changed = [with_values(each, values, now) for each in found]
    label = "Change it" if len(found) == 1 else "Change {}"
    both = zip(changed, found, strict=True)
    changes = (
        _button(context, label.format(each.id), subscribe_string(each, stands), form=True)
        for each, stands in islice(both, _MOST_OFFERED)
    )
    another = _button(context, "Add another", context.command_string, form=True)
    texts = {name: text for name, text in context.arguments.items() if name != "channel"}
    first = {"id": str(found[0].id)} if len(found) == 1 else {}
    looks = (_see({**first, **texts}),) if first or texts else ()
    return Offer(_would_be(target, changed), (*changes, another, *looks))


async def offer_for_posts(
    command: Command, context: Context, arguments: Mapping[str, Any]
) -> Offer | None:
    """Offer to end, pause, resume or post what the channel gets; `None` where none is known."""
    if "id" in arguments:
        return None
    target = await find_channel_or_none(context, arguments.get("channel"))
    require_manager(context, command.name, direct=target.info.direct)
    found, name = target.subscriptions, command.name.capitalize()
    if not found:
        return _nothing_to_end(context, target, name)
    lines = [command_string(command, {"id": each.id, **context.arguments}) for each in found]
    if len(found) == 1:
        pauses = _button(context, "Pause instead", f"pause {found[0].id}")
        others = (pauses,) if command.name == "unsubscribe" else ()
        return Offer(_gets(target), (_button(context, name, lines[0]), *others))
    buttons = tuple(
        _button(context, shorten(f"{name} {each.id}: {short_label(each)}", _LABEL), line)
        for each, line in zip(found, lines, strict=True)
    )
    return Offer(f"{capitalised(target.name)} has {len(found)} subscriptions.", buttons)


def _nothing_to_end(context: Context, target: Target, name: str) -> Offer | None:
    if not target.info.id:
        return None
    buttons = _button(context, name, context.command_string), Button(SET_UP, "subscribe", form=True)
    return Offer(f"{capitalised(target.name)} gets no posts.", buttons)


async def with_counted_values(commands: Sequence[str], context: Context) -> Sequence[str]:
    """Return commands in which what is fewer, more or later is by what the channel gets."""
    return [await _counted(each, context) if _COMPARED.search(each) else each for each in commands]


async def _counted(line: str, context: Context) -> str:
    target = await _named_target(line, context)
    found = target.subscriptions
    only = found[0] if len(found) == 1 else None
    size = only.size if only else _USUAL_SIZE
    counted = {
        _FEWER: f"size:{max(1, size // 2)}",
        _MORE: f"size:{min(_LARGEST_SIZE, size * 2)}",
        _MORE_SOURCES: "".join(("from:", *(f"{each}," for each in (only.sources if only else ())))),
    }
    for told, value in counted.items():
        line = line.replace(told, value)
    if not _SHIFT.search(line):
        return line
    stands = found or ((await new_subscription(context, target, {}, None))[0],)
    return _shifted(line, {(each.weekday, each.local_time) for each in stands})


async def _named_target(line: str, context: Context) -> Target:
    named = _IN.search(line)
    try:
        return await find_channel(context, await CHANNEL.read(named[1], context) if named else None)
    except UserError:
        return nowhere(context)


def _shifted(line: str, dues: Collection[tuple[int, time]]) -> str:
    """Return a line in which an earlier or later time or day is the one that is meant.

    Of posts at different times none is: the one to change is to be chosen first.
    """

    def moved(found: re.Match[str]) -> str:
        if len(dues) > 1:
            return ""
        [(weekday, before)] = dues
        by = _LENGTHS[found[2]] * int(found[1]) * (-1 if found[3] == "earlier" else 1)
        after = datetime.combine(_A_MONDAY + timedelta(weekday), before) + by
        day = "" if after.weekday() == weekday else f"day:{WEEKDAYS[after.weekday()]}"
        hour = "" if after.time() == before else f"time:{in_digits(after.time())}"
        return f"{day} {hour}".strip()

    return _SHIFT.sub(moved, line).strip()


async def look_of_posts(context: Context, arguments: Mapping[str, Any]) -> list[Block]:
    """Return the post of a subscription for a channel that is still to be chosen."""
    wanted = {name: value for name, value in arguments.items() if name != "id"}
    draft, _ = await new_subscription(context, nowhere(context), values_of(wanted), None)
    return await post_as_it_looks(context, draft)


def _button(context: Context, label: str, line: str, *, form: bool = False) -> Button:
    """Return a button with a line of the user's own."""
    return Button(label, line, form=form, by=context.actor.user)


def _see(texts: Mapping[str, str]) -> Button:
    return Button("See it first", command_string(PREVIEW, texts))


def _would_get(context: Context, target: Target, draft: Subscription) -> str:
    when = f"{in_words(draft)}: {content_text(draft)}."
    if draft.personal:
        named = " A channel gets a post if the form names it."
        return (
            f"You would get a digest here {when}{named if may_name_channel(context.actor) else ''}"
        )
    where = capitalised(target.name) if target.info.name else "The channel that you choose"
    return f"{where} would get posts {when}"


def _gets(target: Target) -> str:
    [found] = target.subscriptions
    return f"{capitalised(target.name)} gets posts {in_words(found)}: {content_text(found)}."


def _would_be(target: Target, changed: Sequence[Subscription]) -> str:
    if len(changed) > 1:
        return f"{capitalised(target.name)} has {len(changed)} subscriptions. Change one of them?"
    if posts_the_same(target.subscriptions[0], changed[0]):
        return _gets(target)
    return f"{_gets(target)} It would be {in_words(changed[0])}: {content_text(changed[0])}."
