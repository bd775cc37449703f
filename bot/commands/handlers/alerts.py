"""The commands alert, alerts and unalert: queries that tell of each new paper that matches."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bot.actor import Role
from bot.commands.handlers.channel.targets import channels_of, find_channel
from bot.commands.params.channels_and_roles import CHANNEL
from bot.commands.params.filters import ANY_AUTHOR, SOURCE_FILTER, TOPIC_FILTER, filters_of
from bot.commands.params.scalars import ALERT_ID, ALERT_WORDS, BRIEF_ID
from bot.commands.parser import command_string
from bot.commands.permissions import May
from bot.commands.places import PlacedAlert, placed_alerts
from bot.commands.refused_alerts import again_string
from bot.commands.types import Command, Context, Form, Group, Param
from bot.errors import Suggestion, UserError
from bot.library.alerts import AlertPreview, preview, search_query
from bot.library.search import CUT, corrected_text
from bot.replies.blocks import (
    Actions,
    Block,
    Button,
    Choices,
    Fields,
    Level,
    Notice,
    PaperList,
    Reply,
    Text,
    Title,
    Undo,
)
from bot.replies.deliveries import UNNAMED, channel_label, outcome_text
from bot.replies.naming import line_found
from bot.replies.paper_actions import ANSWER_MENUS
from bot.replies.papers import place_line
from bot.replies.plain_text import quoted
from bot.replies.wording import capitalised, count, day, shorten
from store import search
from store.library import mentions
from store.library.authors import is_known
from store.posting import deliveries, queue
from store.readers import alerts as stored
from store.readers.alerts import Alert, AlertLimits, AlertQuery, NewAlert, TooManyAlerts
from store.records import Channel, ChannelFacts, Delivery, DeliveryState, Layout, Workspace
from store.search import SearchQuery
from store.search.query import STOP_WORDS

LIMITS = AlertLimits(person=50, workspace=200)
_PREVIEWED = 5
_OFFERED = 2
_LABEL = 40  # characters of a query on a button
_NEWS = "In the last eight weeks"
_OPEN = frozenset({DeliveryState.UNKNOWN, DeliveryState.DEAD})


@dataclass(frozen=True, slots=True)
class _Destination:
    """The channel or direct messages that hear of an alert, and the channel's name in words."""

    channel: Channel
    facts: ChannelFacts
    name: str


async def alert(
    context: Context,
    words: str = "",
    channel: str | None = None,
    **filters: Any,  # noqa: ANN401 - as `filters_of` has them
) -> Reply:
    """Add an alert, and show what it would have told of."""
    query = _query(context, words, filters)
    parsed = search_query(query)
    await _require_something(context, parsed)
    destination = await _destination(context, channel, query)
    found = await context.content.read(preview, parsed, context.day, _PREVIEWED)
    keys = await context.content.read(search.index_keys, parsed)
    wanted = NewAlert(
        context.actor.person,
        destination.channel,
        destination.facts,
        query,
        keys,
        context.clock.now(),
        found.papers,
    )
    try:
        added = await context.database.write(stored.add, wanted, LIMITS, context.request)
    except TooManyAlerts as error:
        raise _too_many(of_person=error.of_person) from None
    others = await _other_words(context, parsed, query) if not found.papers else ()
    return _added_reply(added.alert, destination, found, others, is_new=added.is_new)


async def alerts(context: Context, again: int | None = None) -> Reply:
    """List the alerts of the user, and those of the channel that the user asks in."""
    if again is not None:
        await _send_again(context, again)
    found = await _known(context)
    if not found:
        notice = Notice(
            Level.INFO,
            "You have no alerts.",
            "alert and words, a topic or an author tells you of each new paper that matches.",
        )
        examples = (Button(example, example) for example in ALERT.examples[:2])
        return Reply((notice, Actions((*examples, _NEW))), command=ALERTS.name)
    blocks: list[Block] = [Title(f"Your alerts: {len(found)}"), Fields(tuple(map(_listed, found)))]
    blocks += [block for each in found for block in _refusal(each)]
    for each in await context.database.read(_unsettled, _channels_inside(found)):
        blocks += _problem(context, each)
    stops = tuple(
        Button(shorten(f"{each.id}: {each.query.text}", 70), f"unalert {each.id}")
        for each in (placed.alert for placed in found)
    )
    blocks += [Choices("Stop an alert", stops), Actions((_NEW,))]
    return Reply(tuple(blocks), command=ALERTS.name)


async def unalert(context: Context, id: int | None = None) -> Reply:  # noqa: A002 - the argument's name in every chat
    """Delete an alert."""
    if id is None:
        raise _which([each.alert for each in await _known(context)])
    found = next(iter(await _known(context, id)), None)
    if found is None:
        raise UserError(
            f"You have no alert {id}.",
            "It was stopped, or is somebody else's; alerts lists yours.",
            (Suggestion("Your alerts", "alerts"),),
        )
    await context.database.write(stored.remove, id)
    again = again_string(found.alert, found.facts)
    buttons = (Button("Undo", again),) if found.access.may is May.ALL else ()
    sentence = f"Alert {id} is stopped: {found.alert.query.text}."
    undo = Undo(
        f"stopped alert {id}: {found.alert.query.text}",
        tuple(each.command for each in buttons),
        "Only somebody who is in its channel can have it again.",
        there=not found.facts.direct,
    )
    notice = Notice(Level.INFO, sentence)
    return Reply((notice, Actions((*buttons, _LIST))), command=ALERTS.name, undo=undo)


_NEW = Button("New alert…", "alert", form=True)
_LIST = Button("Your alerts", "alerts")

ALERT = Command(
    name="alert",
    group=Group.LIST,
    summary="Be told in a direct message of each new paper that matches",
    handler=alert,
    params=(
        Param(
            "words",
            "Words to look for; a topic or an author alone will do",
            ALERT_WORDS,
            label="Words",
            hint='All of them, in any order; "a phrase" in quotes; -word leaves papers out.',
        ),
        TOPIC_FILTER,
        SOURCE_FILTER,
        Param(
            "author",
            "Only this author",
            ANY_AUTHOR,
            key="author",
            label="Author",
            hint="A name or a part of one, such as bengio or Y. Bengio.",
        ),
        Param("channel", "Tell a channel, as its manager", CHANNEL, key="in", label="Channel"),
    ),
    examples=(
        "alert mamba",
        "alert topic:agents code",
        "alert author:bengio",
        'alert "world model" -survey',
    ),
    form=Form(first=("words", "topic", "source", "author")),
    private=True,
    changes=True,
    tells_later=True,
    suffices=lambda texts: not texts.keys().isdisjoint({"words", "topic", "author"}),
)
ALERTS = Command(
    name="alerts",
    group=Group.LIST,
    summary="Your alerts, and how to stop them",
    handler=alerts,
    params=(Param("again", "A message to send again", BRIEF_ID, key="again", buttons=True),),
    examples=("alerts",),
    private=True,
)
UNALERT = Command(
    name="unalert",
    group=Group.LIST,
    summary="Stop an alert",
    handler=unalert,
    params=(Param("id", "Which alert; alerts lists them", ALERT_ID),),
    examples=("unalert 7",),
    private=True,
    changes=True,
)


def _query(context: Context, words: str, filters: dict[str, Any]) -> AlertQuery:
    """Return the query in its canonical text, which a search understands, too."""
    texts = {name: text for name, text in context.arguments.items() if name != "channel"}
    text = command_string(ALERT, texts).removeprefix(ALERT.name).strip()
    return AlertQuery(text, words, filters_of(**filters))


async def _require_something(context: Context, parsed: SearchQuery) -> None:
    """Refuse a query that says nothing about papers, or nothing that new ones can match."""
    examples = tuple(Suggestion(each, each) for each in ALERT.examples)
    if parsed.cut:
        raise UserError("That is too much for an alert.", CUT)
    if parsed.arxiv_ids:
        raise await _names_a_paper(context, parsed.arxiv_ids[0], examples[:1])
    if says_something(parsed):
        return
    if parsed.text or parsed.filters:
        raise UserError(
            "An alert needs a word, a phrase, an author or a topic that the papers have.",
            f"{quoted(parsed.text, 60)} alone says too little." if parsed.text else "",
            examples,
        )
    raise UserError(
        "alert needs words, a topic or an author.",
        f"Usage: {ALERT.usage_for(context.actor)}",
        examples,
    )


def says_something(query: SearchQuery) -> bool:
    """Tell whether a query says enough about papers for an alert."""
    has_words = query.phrases or not STOP_WORDS.issuperset(query.words)
    return bool(has_words or query.filters.author or query.filters.topic)


async def _names_a_paper(
    context: Context, arxiv_id: str, example: tuple[Suggestion, ...]
) -> UserError:
    remedy = "Name words, a topic or an author."
    if not await context.content.read(mentions.by_arxiv_id, arxiv_id):
        return UserError("An alert tells of papers by what they say, not by id.", remedy, example)
    shown = Suggestion("Show the paper", f"show {arxiv_id}")
    sentence = "An alert tells of papers that are new, and that one has come."
    return UserError(sentence, remedy, (shown, *example))


async def _destination(context: Context, channel: str | None, query: AlertQuery) -> _Destination:
    actor = context.actor
    if channel is not None:
        if actor.role < Role.MANAGER:
            raise UserError(
                "Only managers have alerts told to a channel.",
                actor.managers,
                (Suggestion("Tell me alone", f"alert {query.text}"),),
            )
        target = await find_channel(context, channel)
        await channels_of(context).enter(target.info, Layout.COMPACT)
        return _Destination(target.channel, target.facts, target.name)
    if actor.channels is None:
        raise UserError(
            "An alert is told in a direct message, and there are none here.",
            f"In Slack or Discord, where Broadsheet is, type: /papers alert {query.text}",
            await _searches(context, query),
        )
    info = await actor.channels.direct()
    workspace = Workspace(actor.platform, actor.home or actor.workspace)
    facts = ChannelFacts(info.name, private=True, kind=info.kind, direct=True)
    return _Destination(Channel(workspace, info.id), facts, info.name)


async def _searches(context: Context, query: AlertQuery) -> tuple[Suggestion, ...]:
    """Return the search for what an alert asks, none if it is about an author whom nobody knows."""
    author = query.filters.author
    if author and not await context.content.read(is_known, author):
        return ()
    return (Suggestion(f"search {query.text}", f"search {query.text}"),)


def _too_many(*, of_person: bool) -> UserError:
    whose = "You have" if of_person else "This workspace has"
    most = LIMITS.person if of_person else LIMITS.workspace
    return UserError(
        f"{whose} {count(most, 'alert')}, and no more are possible.",
        "Stop one that is not needed any more, or join several in one.",
        (Suggestion("Your alerts", "alerts"),),
    )


async def _other_words(
    context: Context, parsed: SearchQuery, query: AlertQuery
) -> tuple[Block, ...]:
    """Say where a word or an author is in no stored paper, and offer what may be meant."""
    author = query.filters.author
    if author and not await context.content.read(is_known, author):
        return (Notice(Level.INFO, f"No stored paper is by {quoted(author)} yet."),)
    likes = await context.content.read(search.words_like, parsed.words, _OFFERED)
    texts = [text for like in likes if (text := corrected_text(query.text, [like]))]
    if not texts:
        return ()
    words = Notice(Level.INFO, f"No stored paper spells it {quoted(query.text, 60)} yet.")
    return words, Actions(tuple(Button(f"alert {text}", f"alert {text}") for text in texts))


def _added_reply(
    added: Alert,
    destination: _Destination,
    found: AlertPreview,
    others: Sequence[Block],
    *,
    is_new: bool,
) -> Reply:
    where, direct = destination.name, destination.facts.direct
    whom = "You get a direct message" if direct else f"{where} gets a message"
    told = f"{whom} for each new paper that matches {added.query.text}."
    words = f"Alert {added.id}: {told}" if is_new else f"That is alert {added.id} already. {told}"
    blocks: list[Block] = [Notice(Level.INFO, words), *others]
    if found.papers:
        number = len(found.papers)
        listed = f", the newest {len(found.shown)} of them" if number > len(found.shown) else ""
        blocks.append(Text(f"{_NEWS} it would have told of {count(number, 'paper')}{listed}:"))
        lines = (
            replace(place_line(mention), line=line_found(mention.entry, text))
            for mention, text in found.shown
        )
        blocks.append(PaperList(tuple(lines), menus=ANSWER_MENUS))
    else:
        blocks.append(Text(f"{_NEWS} no paper matched it."))
    stop = Button("Stop this alert", f"unalert {added.id}")
    undo = Undo(f"added alert {added.id}: {added.query.text}", (stop.command,), there=not direct)
    return Reply(
        (*blocks, Actions((stop, _LIST))), command=ALERTS.name, undo=undo if is_new else None
    )


async def _known(context: Context, number: int | None = None) -> list[PlacedAlert]:
    """Return the alerts of the user, and for a manager those of the channel of the request.

    Args:
        context: the context of the request.
        number: the id of the only one to return.
    """
    actor = context.actor
    own = await context.database.read(stored.of_person, actor.person)
    found = {each.id: each for each in own}
    if actor.channel is not None and actor.role >= Role.MANAGER:
        here = Channel(context.workspace, actor.channel)
        of_channel = await context.database.read(stored.of_channel, here)
        found |= {each.id: each for each in of_channel}
    wanted = [found[each] for each in sorted(found) if number in {None, each}]
    placed = await placed_alerts(actor, wanted, {each.id for each in own})
    return [each for each in placed if each.access.may is not May.NOTHING]


def _channels_inside(found: Sequence[PlacedAlert]) -> list[Channel]:
    return [each.alert.channel for each in found if each.access.may is May.ALL]


def _which(known: Sequence[Alert]) -> UserError:
    if not known:
        example = ALERT.examples[0]
        return UserError("You have no alerts.", "alert adds one.", (Suggestion(example, example),))
    offers = (
        Suggestion(shorten(f"{each.id}: {each.query.text}", _LABEL), f"unalert {each.id}")
        for each in known
    )
    sentence = f"You have {count(len(known), 'alert')}."
    return UserError(sentence, "Which one is to stop?", tuple(offers))


def _listed(placed: PlacedAlert) -> tuple[str, str]:
    found, name = placed.alert, placed.facts.name
    where = channel_label(name or "a channel") if placed.access.named else UNNAMED
    state = "refused" if found.refusal else f"since {day(found.created_at.date())}"
    whom = "you" if placed.facts.direct else where
    return str(found.id), f"{found.query.text} · tells {whom} · {state}"


def _refusal(placed: PlacedAlert) -> Iterator[Block]:
    """Say why an alert can't be told, which may name its channel, to somebody who is in that."""
    found = placed.alert
    if found.refusal and placed.access.may is May.ALL:
        sentence = f"Alert {found.id} can't be told: {found.refusal.sentence}"
        yield Notice(Level.WARNING, sentence, found.refusal.remedy)
        again = again_string(found, placed.facts)
        yield Actions((Button(f"Try {found.id} again", again),))


def _unsettled(session: Any, channels: Sequence[Channel]) -> list[Delivery]:  # noqa: ANN401 - a session
    """Return the messages of alerts whose outcome is unknown, or that could not be sent."""
    found = deliveries.of_alerts(session, channels)
    return [each for each in found if each.state in _OPEN]


def _problem(context: Context, delivery: Delivery) -> Iterator[Block]:
    words = capitalised(f"the message of {day(delivery.due_at.date())}: ")
    sentence = words + outcome_text(delivery, context.actor.zone or context.zone)
    yield Notice(Level.WARNING, sentence)
    yield Actions((Button("Post again", f"alerts again:{delivery.id}"),))


async def _send_again(context: Context, delivery_id: int) -> None:
    """Send a message of the user's alerts that failed, or whose outcome is unknown."""
    channels = _channels_inside(await _known(context))
    open_ones = await context.database.read(_unsettled, channels)
    if delivery_id not in {each.id for each in open_ones}:
        return
    now = context.system_clock.now()
    await context.database.write(queue.retry, delivery_id, now)
    context.notify()
