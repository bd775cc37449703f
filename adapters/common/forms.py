"""The form of a command: which field asks for each parameter, and the call that it makes.

A platform says which fields it has and what they hold; it draws them, and reads what was entered.
"""

import asyncio
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from types import MappingProxyType
from typing import Any

from bot.actor import Actor
from bot.app import Broadsheet
from bot.commands.handlers.channel.targets import SEEN
from bot.commands.params.channels_and_roles import channel_id
from bot.commands.params.scalars import LAYOUT, SUBSCRIPTION_ID
from bot.commands.params.times import TIME_OF_DAY, WEEKDAY, ZONE, in_digits, read_time
from bot.commands.params.topics_and_sources import SOURCE, SOURCES, TOPIC, TOPICS, cleared, filled
from bot.commands.params.workspace_settings import (
    DEFAULT,
    SETTLED_LAYOUT,
    SETTLED_ROLE,
    SETTLED_SWITCH,
    SETTLED_ZONE,
)
from bot.commands.types import Call, Command, Kind, Param, ParamType
from bot.domain.typed_text import as_meant
from bot.errors import Option
from bot.replies.wording import capitalised, shorten
from store.text import storable

SEPARATOR = ","  # of the values of a list, which a command takes as one text
# All values of a form together stay below `bot.commands.parser.LONGEST_COMMAND_STRING`.
_LONGEST_MULTILINE, _LONGEST_FREE_TEXT, _LONGEST_TYPED = 800, 500, 50
_NOTHING: Mapping[str, Any] = MappingProxyType({})


class FieldKind(Enum):
    """The kind of a field: `BUTTONS` and a `MENU` show all values, a `SEARCH` those that match."""

    TEXT = "text"
    NUMBER = "number"
    TIME = "time"
    CHANNEL = "channel"
    ROLE = "role"
    BUTTONS = "buttons"
    MENU = "menu"
    SEARCH = "search"


_TYPED = (FieldKind.TEXT, FieldKind.NUMBER)
_LISTED = (FieldKind.BUTTONS, FieldKind.MENU)
_FEW = (LAYOUT, SETTLED_LAYOUT, SETTLED_SWITCH)
# The fields that may ask for a value, by its type or its kind, the best first; else it is typed.
_FIELDS: tuple[tuple[tuple[ParamType | Kind, ...], tuple[FieldKind, ...]], ...] = (
    (_FEW, (FieldKind.BUTTONS, FieldKind.MENU)),
    ((WEEKDAY,), (FieldKind.MENU,)),
    ((TOPIC, SOURCE), (FieldKind.SEARCH, FieldKind.MENU)),
    ((TOPICS, SOURCES), (FieldKind.SEARCH, FieldKind.BUTTONS, FieldKind.MENU)),
    ((ZONE, SETTLED_ZONE, SUBSCRIPTION_ID), (FieldKind.SEARCH,)),
    ((TIME_OF_DAY,), (FieldKind.TIME,)),
    ((SETTLED_ROLE,), (FieldKind.ROLE,)),
    ((Kind.NUMBER,), (FieldKind.NUMBER,)),
    ((Kind.CHANNEL,), (FieldKind.CHANNEL,)),
)


@dataclass(frozen=True, slots=True)
class FormLimits:
    """The fields that a platform has beside text, and how much they hold, in characters.

    `channel` matches the ids of channels that can be chosen.
    """

    kinds: frozenset[FieldKind]
    channel: re.Pattern[str]
    most_fields: int
    most_options: int
    longest_value: int
    longest_label: int
    longest_hint: int
    most_buttons: int = 10


@dataclass(frozen=True, slots=True)
class FormField:
    """A field that asks for a parameter, the values that it offers and those that stand in it."""

    param: Param
    kind: FieldKind
    label: str
    hint: str
    options: tuple[Option, ...]
    chosen: tuple[Option, ...]

    @property
    def text(self) -> str:
        """The argument that stands in it."""
        return SEPARATOR.join(each.value for each in self.chosen)

    @property
    def longest(self) -> int:
        """The number of characters that may be typed into it."""
        asked = self.param.type
        others = _LONGEST_FREE_TEXT if asked.free or asked.several else _LONGEST_TYPED
        return max(_LONGEST_MULTILINE if asked.long else others, len(self.text))

    def shown(self, option: Option) -> str:
        """Return how a value is shown: a word as in a sentence, a name as it is typed."""
        is_word = self.param.type in (WEEKDAY, *_FEW)
        return capitalised(option.value) if is_word else option.value


@dataclass(frozen=True, slots=True)
class OpenedForm:
    """An opened form; `kept` is its command with the arguments that have no field."""

    title: str
    submit: str
    fields: tuple[FormField, ...]
    kept: Call


async def open_form(app: Broadsheet, call: Call, actor: Actor, limits: FormLimits) -> OpenedForm:
    """Return the form of a call's command, filled with its arguments or the present values.

    Values that it was filled with and has no room for are left to the command.

    Raises:
        UserError: if the actor may not use the command.
        StoreError: as `Database.read`.
    """
    full = await app.form(call, actor)
    texts, params = filled(full.command, full.arguments), _asked(full.command, limits)
    asked = (_options(app, each, texts.get(each.name, ""), actor, limits) for each in params)
    options = dict(zip([each.name for each in params], await asyncio.gather(*asked), strict=True))
    left = {each.name for each in full.command.shown}.difference(call.arguments)
    left.update(each.name for each in params)
    kept = {name: text for name, text in full.arguments.items() if name not in left}
    return form_of(full, limits, options, kept)


def form_of(
    call: Call,
    limits: FormLimits,
    options: Mapping[str, Sequence[Option]] = _NOTHING,
    kept: Mapping[str, str] = _NOTHING,
) -> OpenedForm:
    """Return the form of a call, with the values of its parameters by their names. Pure.

    Its title names what it changes, by the arguments that only buttons give.
    """
    command, texts = call.command, filled(call.command, call.arguments)
    fields: list[FormField] = []
    for param in _asked(command, limits):
        field = field_of(param, texts.get(param.name, ""), options.get(param.name, ()), limits)
        told = any(field.hint == each.hint for each in fields)
        fields.append(replace(field, hint="") if told else field)
    by_buttons = {param.name for param in command.params if param.buttons} - {SEEN.name}
    changed = {name: text for name, text in kept.items() if name in by_buttons}
    words = " ".join(f"{name} {text}" for name, text in changed.items()) or command.name
    return OpenedForm(
        title=command.form.title or words.capitalize(),
        submit=command.form.submit or next(iter(changed), command.name).capitalize(),
        fields=tuple(fields),
        kept=Call(command, dict(kept)),
    )


def submitted(opened: Call, entered: Mapping[str, str]) -> Call:
    """Return the call that a submitted form makes. Pure.

    `opened` is the command as `Command.in_form` has it, with the arguments that had no field;
    `entered` are the texts of the fields by parameter, of which one without a sign that can be seen
    is no argument.
    """
    names = {param.name for param in opened.command.shown}
    read = {name: storable(text).strip() for name, text in entered.items() if name in names}
    arguments = opened.arguments | read
    if not names.issuperset(opened.arguments):  # a change names the topics that were taken out
        arguments |= cleared(opened.command, arguments)
    given = {name: text for name, text in arguments.items() if as_meant(text).strip()}
    return Call(opened.command, given)


def field_of(param: Param, text: str, options: Sequence[Option], limits: FormLimits) -> FormField:
    """Return the field that asks for a parameter: the best one that can hold its text. Pure."""
    known = [option for option in options if 0 < len(option.value) <= limits.longest_value]
    fields = (_field(kind, param, text, known, limits) for kind in _kinds(param, limits))
    return next(field for field in fields if field is not None)


def _field(
    kind: FieldKind, param: Param, text: str, options: Sequence[Option], limits: FormLimits
) -> FormField | None:
    """Return a field of a kind, `None` if it can't hold a text or has nothing to choose from."""
    held = _held(kind, param, text, limits)
    if held is None or (kind in _LISTED and not options):
        return None
    by_value = {each.value: each for each in options}
    chosen = tuple(by_value.get(value, Option(value)) for value in held)
    offered = list(dict.fromkeys((*by_value.values(), *chosen))) if kind in _LISTED else []
    fewest = 1 if param.type.several else 2  # a single button can't be taken back
    if kind is FieldKind.BUTTONS and not fewest <= len(offered) <= limits.most_buttons:
        return None
    if len(offered) > limits.most_options:  # what is chosen already is always offered
        offered.sort(key=lambda each: each not in chosen)
    hint = param.hint or (param.type.expected if kind in _TYPED else "")
    return FormField(
        param,
        kind,
        shorten(param.label or param.summary, limits.longest_label),
        shorten(hint, limits.longest_hint),
        tuple(offered[: limits.most_options]),
        chosen,
    )


def _held(kind: FieldKind, param: Param, text: str, limits: FormLimits) -> list[str] | None:
    """Return the values in a text as a field of a kind holds them, `None` if it can't."""
    if kind is FieldKind.TEXT:
        return [text] if text else []
    texts = text.split(SEPARATOR) if param.type.several else [text]
    values = list(dict.fromkeys(each.strip() for each in texts if each.strip()))
    match kind:
        case FieldKind.NUMBER:
            least, most = param.type.least or 0, param.type.most or sys.maxsize
            fits = all(each.isdecimal() and least <= int(each) <= most for each in values)
        case FieldKind.TIME:
            times = [read_time(each) for each in values]
            values, fits = [in_digits(time) for time in times if time], None not in times
        case FieldKind.CHANNEL:
            values = [channel_id(each) or each for each in values]
            fits = all(map(limits.channel.fullmatch, values))
        case FieldKind.ROLE:
            values = [each for each in values if each != DEFAULT]
            fits = all(map(str.isdecimal, values))
        case _:
            fits = all(len(each) <= limits.longest_value for each in values)
    return values if fits and len(values) <= limits.most_options else None


def _kinds(param: Param, limits: FormLimits) -> Iterator[FieldKind]:
    """Yield the fields of a platform that may ask for a parameter, the best first."""
    for values, kinds in _FIELDS:
        if param.type in values or param.type.kind in values:
            yield from (kind for kind in kinds if kind in limits.kinds)
    yield FieldKind.TEXT


async def _options(
    app: Broadsheet, param: Param, text: str, actor: Actor, limits: FormLimits
) -> list[Option]:
    """Return the values that a field shows: all of them, or of a search the one that it holds."""
    kinds = set(_kinds(param, limits))
    if FieldKind.SEARCH in kinds:
        found = [] if param.type.several or not text else await app.options(param, text, actor)
        return [option for option in found if option.value == text]
    return await app.options(param, "", actor) if kinds.intersection(_LISTED) else []


def _asked(command: Command, limits: FormLimits) -> list[Param]:
    """Return the parameters that a form has a field for, the first ones if not all have room."""
    shown = {param.name: param for param in command.shown}
    if len(shown) > limits.most_fields:
        first = (name for name in command.form.first if name in shown)
        shown = {name: shown[name] for name in first} | shown
    return list(shown.values())[: limits.most_fields]
