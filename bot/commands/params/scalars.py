"""Scalars: a word of a few, a whole number, free text, a page, the name of a command.

The words of an alert are read as in a search but for what could never match.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from itertools import islice

from bot.accounts import in_words
from bot.commands.permissions import may
from bot.commands.seen_list import find_noted
from bot.commands.types import Context, Kind, ParamType, as_typed, complete_nothing
from bot.errors import ArgumentError, NotInChannel, Option, Suggestion, UserError
from bot.library.brief import LONGEST
from bot.replies import wording
from bot.replies.plain_text import quoted
from store.posting import subscriptions
from store.readers import alerts
from store.readers.seen import last_brief
from store.records import Channel, Layout
from store.search import words_beginning
from store.text import LONGEST_WORD, fold

_ALIKE = 0.6
_WHOLE = re.compile(r"[+-]?\d{1,9}", re.ASCII)
_BEGUN = re.compile(r"[1-9]\d{0,9}", re.ASCII)
_MOST_OFFERED = 100  # no platform's menu shows more
# As many digits as any database's whole numbers have.
_SUBSCRIPTION = re.compile(r"#?\s*(\d{1,9})", re.ASCII)
_BRIEF = re.compile(r"\d{1,9}", re.ASCII)
_EXPECTED_SUBSCRIPTION = (
    "A subscription is named by its number, such as 7; subscriptions lists them."
)
_EXPECTED_ALERT = "An alert is named by its number, such as 7; alerts lists them."
_OFFERED_IDS = 3
_UNIT = re.compile(r"(?<=\d)\s*(?:m|min|mins|minutes?)\.?\s*$", re.IGNORECASE)
_OFFERED_MINUTES = ("5", "10", "15", "30", str(LONGEST))
_LAST = "last"  # the brief that was seen last
_FITS = "Other lists have a line a paper; a brief fits the minutes that you have."
_BRIEFS = tuple(Suggestion(f"Brief of {each} minutes", f"brief {each}") for each in (2, 5, 10))
_PAGE = re.compile(r"[1-9][0-9]{0,2}")
# With all other arguments, the command string fits behind a button.
_LONGEST_TEXT = 800
_OFFERED_WORDS = 8
_SHORTEST_BEGINNING = 2  # one letter begins half of the words there are
_LAST_WORD = re.compile(r"[^\W_]+$")


def unreadable(
    text: str, what: str, expected: str, nearest: tuple[Option, ...] = ()
) -> ArgumentError:
    """Return the error for a text that is no value of a type; `what` words one: "a week"."""
    return ArgumentError(f"I can't read {quoted(text)} as {what}.", expected, nearest)


def choice(
    name: str,
    what: str,
    expected: str,
    options: Sequence[Option],
    also: Mapping[str, str] | None = None,
) -> ParamType:
    """Return a type whose values are a few words.

    `what` words a value ("on or off"), `expected` the same as a sentence; `also` has other words
    for some values.
    """
    meant = {option.value: option.value for option in options} | dict(also or {})

    async def read(text: str, _context: Context) -> str:
        typed = text.strip().lower()
        if typed in meant:
            return meant[typed]
        near = get_close_matches(typed[:40], meant, n=1, cutoff=_ALIKE)
        offered = [o for o in options if o.value in {meant[word] for word in near}] or options
        raise unreadable(text, what, expected, tuple(Option(each.value) for each in offered))

    async def complete(beginning: str, _context: Context) -> list[Option]:
        typed = beginning.strip().lower()
        return [option for option in options if option.value.startswith(typed)]

    return ParamType(name, read, complete, expected, write=str)


def count(name: str, least: int, most: int) -> ParamType:
    """Return the type of whole numbers from `least` to `most`."""
    bounds = f"whole number from {least} to {most}."
    expected, give = f"A {bounds}", f"Give a {bounds}"

    async def read(text: str, _context: Context) -> int:
        found = _WHOLE.search(text)
        near = () if found is None else (Option(str(min(max(int(found[0]), least), most))),)
        if found is None or found[0] != text.strip():
            raise unreadable(text, "a whole number", give, near)
        if not least <= int(found[0]) <= most:
            how = "small" if int(found[0]) < least else "large"
            raise ArgumentError(f"{found[0]} is too {how}.", give, near)
        return int(found[0])

    async def complete(beginning: str, _context: Context) -> list[Option]:
        numbers = _beginning(beginning.strip(), least, most)
        return [Option(str(each)) for each in islice(numbers, _MOST_OFFERED)]

    return ParamType(name, read, complete, expected, kind=Kind.NUMBER, least=least, most=most)


def _beginning(typed: str, least: int, most: int) -> Iterator[int]:
    """Yield the numbers within bounds that begin with the typed digits."""
    if not typed:
        yield from range(least, most + 1)
    elif _BEGUN.fullmatch(typed):
        first, end = int(typed), int(typed) + 1
        while first <= most:
            yield from range(max(first, least), min(end, most + 1))
            first, end = 10 * first, 10 * end


async def _read_subscription(text: str, context: Context) -> int:
    if found := _SUBSCRIPTION.fullmatch(text.strip()):
        return int(found[1])
    # The subscription whose number is in the text, else the first ones of the channel.
    offers = [Option(each.value) for each in await _subscriptions_here(context)]
    meant = [each for each in offers if each.value in re.findall(r"\d+", text)]
    nearest = meant if len(meant) == 1 else offers[:_OFFERED_IDS]
    raise unreadable(text, "the number of a subscription", _EXPECTED_SUBSCRIPTION, tuple(nearest))


async def _read_alert(text: str, context: Context) -> int:
    if found := _SUBSCRIPTION.fullmatch(text.strip()):
        return int(found[1])
    offers = await _alerts_of_user(context)
    raise unreadable(text, "the number of an alert", _EXPECTED_ALERT, tuple(offers[:_OFFERED_IDS]))


async def _complete_alert(beginning: str, context: Context) -> list[Option]:
    typed = beginning.strip().lower()
    offers = await _alerts_of_user(context)
    return [each for each in offers if each.value.startswith(typed) or typed in each.label.lower()]


async def _alerts_of_user(context: Context) -> list[Option]:
    found = await context.database.read(alerts.of_person, context.actor.person)
    return [Option(str(each.id), each.query.text) for each in found]


async def _subscriptions_here(context: Context) -> list[Option]:
    """Return the ids of the channel's subscriptions, or of its parent's, and when each posts.

    A form that was left open may be of a channel that its user was removed from meanwhile.
    """
    for place in filter(None, (context.actor.channel, context.actor.parent)):
        channel = Channel(context.workspace, place)
        if found := await context.database.read(subscriptions.of_channel, channel):
            is_in = await _is_in(context, place)
            return [Option(str(each.id), in_words(each)) for each in found] if is_in else []
    return []


async def _is_in(context: Context, place: str) -> bool:
    """Tell whether the user is in the channel of the request; so they are if nobody tells."""
    if context.actor.channels is None:
        return True
    try:
        await context.actor.channels.look(place)
    except NotInChannel:
        return False
    except UserError:
        return True
    return True


async def _complete_subscription(beginning: str, context: Context) -> list[Option]:
    typed = beginning.strip().removeprefix("#").strip()
    offers = await _subscriptions_here(context)
    return [option for option in offers if option.value.startswith(typed)]


async def _read_minutes(text: str, context: Context) -> int:
    """Read a number of minutes, with its unit or without: `10 min`."""
    number: int = await _MINUTES.read(_UNIT.sub("", text), context)
    return number


def _looks_like_minutes(text: str) -> bool:
    return _WHOLE.fullmatch(_UNIT.sub("", text)) is not None


async def _complete_minutes(beginning: str, context: Context) -> list[Option]:
    """Complete a number of minutes; before one is begun, likely ones."""
    if beginning.strip():
        return await _MINUTES.complete(beginning, context)
    return [Option(each) for each in _OFFERED_MINUTES]


async def _read_brief(text: str, _context: Context) -> int:
    if not _BRIEF.fullmatch(text):
        raise ArgumentError(f"A brief is named by a number, not {quoted(text)}.")
    return int(text)


async def _read_earlier(text: str, context: Context) -> int:
    if text.lower() != _LAST:
        return await _read_brief(text, context)
    shown = await find_noted(context)
    last = await context.database.read(last_brief, context.actor.person)
    listed = {each.entry.ref for each in last.papers} if last else frozenset[str]()
    if last is None or shown is None or not listed >= {*(shown.refs or (shown.it,))}:
        raise UserError("What you saw last here is no brief.", _FITS, _BRIEFS)
    return last.id


async def _read_page(text: str, _context: Context) -> int:
    if not _PAGE.fullmatch(text):
        raise ArgumentError(
            f"A page has a number from 1, not {quoted(text)}.", nearest=(Option("1", "Page 1"),)
        )
    return int(text)


async def _read_layout(text: str, context: Context) -> Layout:
    return Layout(await _LAYOUT.read(text, context))


async def _read_words(text: str, _context: Context) -> str:
    if len(text) > _LONGEST_TEXT:
        raise ArgumentError(
            f"That is {len(text)} characters; {_LONGEST_TEXT} may be looked for at once.",
            "Look for fewer words.",
        )
    return text


async def _complete_words(beginning: str, context: Context) -> list[Option]:
    """Complete the last word with words of the stored papers."""
    last = _LAST_WORD.search(beginning)
    begun = fold(last[0]) if last else ""
    if last is None or not begun.isalpha() or not _SHORTEST_BEGINNING <= len(begun) <= LONGEST_WORD:
        return []
    found = await context.content.read(words_beginning, begun, _OFFERED_WORDS)
    before = beginning[: last.start()]
    return [Option(before + word, f"in {wording.count(papers, 'entry')}") for word, papers in found]


async def _read_note(text: str, _context: Context) -> str:
    note = " ".join(text.split())
    if len(note) > _LONGEST_TEXT:
        raise ArgumentError(
            f"That is {len(note):,} characters; a note may have {_LONGEST_TEXT}.",
            "Say it in fewer words.",
        )
    return note


async def _read_command(text: str, context: Context) -> str:
    # A group may be before the name: "help channel subscribe".
    name = (text.split() or [""])[-1].lower().removeprefix("/")
    names = _allowed_commands(context)
    if name in names:
        return name
    near = get_close_matches(name, names, n=2, cutoff=0.5)
    raise ArgumentError(
        f"There is no command {quoted(name)}.",
        f"The commands are {', '.join(names)}.",
        tuple(Option(each) for each in near),
    )


async def _complete_command(beginning: str, context: Context) -> list[Option]:
    summaries = _allowed_commands(context).items()
    return [Option(*each) for each in summaries if each[0].startswith(beginning.lower())]


def _allowed_commands(context: Context) -> dict[str, str]:
    """Return the summaries of the commands that the user may use, by name."""
    return {each.name: each.summary for each in context.commands if may(context.actor, each)}


YES = choice("YES", "yes", "It is yes.", (Option("yes"),))
SWITCH = choice(
    "SWITCH",
    "on or off",
    "It is on or off.",
    (Option("on"), Option("off")),
    {"yes": "on", "true": "on", "no": "off", "false": "off"},
)
_LAYOUT = choice(
    "LAYOUT",
    "a layout",
    "A layout is compact, full or thread.",
    (
        Option(Layout.COMPACT.value, "one message, a line on the first three papers"),
        Option(Layout.FULL.value, "all titles, summaries and highlights"),
        Option(Layout.THREAD.value, "one message, and a reply a paper in its thread"),
    ),
)
LAYOUT = replace(_LAYOUT, read=_read_layout, write=None)
SIZE = count("SIZE", 1, 25)
_MINUTES = count("MINUTES", 1, LONGEST)
MINUTES = replace(
    _MINUTES, read=_read_minutes, complete=_complete_minutes, looks=_looks_like_minutes
)
SUBSCRIPTION_ID = ParamType(
    "ID", _read_subscription, _complete_subscription, _EXPECTED_SUBSCRIPTION
)
MARK = ParamType("MARK", as_typed, complete_nothing, "A button has it, and nobody types it.")
ALERT_ID = ParamType("ID", _read_alert, _complete_alert, _EXPECTED_ALERT)
BRIEF_ID = ParamType("NUMBER", _read_brief, complete_nothing, "The number of a brief.")
EARLIER_BRIEF = replace(BRIEF_ID, read=_read_earlier, write=str)
PAGE = ParamType(
    "NUMBER",
    _read_page,
    complete_nothing,
    "A number from 1.",
    write=lambda page: None if page == 1 else str(page),
)
WORDS = ParamType(
    "WORDS…",
    _read_words,
    _complete_words,
    'Any words; "a phrase" in quotes; -word leaves papers out.',
    free=True,
)
QUESTION = replace(WORDS, name="QUESTION…", expected="A question in plain words.")
NOTE = ParamType("TEXT", _read_note, complete_nothing, "Any words.", long=True)
COMMAND_NAME = ParamType(
    "COMMAND", _read_command, _complete_command, "The name of a command.", write=str
)


_OFFERED = 3
# Words that begin a sentence, "alert me when mamba appears": plain words can read it. Not `US`, and
# not `on-policy`.
_SENTENCE = re.compile(
    r"(?:(?:[Mm]e|us|by|when|whenever|if|once|about|for|on|[Ee]very(?:one|body)(?:\s+here)?"
    r"|(?:[Tt]his|[Tt]he|our|my)\s+(?:channel|team|group|room|server|thread|lab)|#[\w-]+|<#[^>]*>)"
    r"(?:\s+|$))+"
)
_PERIOD = re.compile(r"\s*\b(since|until):\S*")
_OR = re.compile(r"\s+OR\s+")


async def _read_alert_words(text: str, context: Context) -> str:
    """Read the words of an alert; refuse those that would never match what is meant by them."""
    read: str = await WORDS.read(text, context)
    if found := _PERIOD.search(text):
        raise ArgumentError(
            f"An alert tells of new papers alone, so {found[1]}: has no place in it.",
            nearest=_offered(_PERIOD.sub("", text)),
        )
    if _OR.search(text):
        raise ArgumentError(
            "An alert looks for all of its words, and OR is none of them.",
            "Make one for each; you get one message for both.",
            _offered(*_OR.split(text)),
        )
    if found := _SENTENCE.match(text):
        spoken = quoted(found[0].strip())
        raise ArgumentError(
            f"An alert looks for words of papers, and {spoken} says nothing about them.",
            "A channel is told with in: and its name."
            if "#" in spoken or "channel" in spoken
            else "",
            nearest=_offered(text[found.end() :]),
        )
    return read


def _offered(*texts: str) -> tuple[Option, ...]:
    return tuple(Option(text.strip()) for text in texts[:_OFFERED] if text.strip())


ALERT_WORDS = replace(WORDS, read=_read_alert_words)
