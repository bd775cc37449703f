"""A form made from a command's declaration, and what was entered into one.

https://docs.discord.com/developers/components/using-modal-components
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

import discord
from discord import ui

from adapters.discord.interactions.options import CHANNELS
from adapters.discord.render.buttons import (
    LONGEST_OPTION,
    MOST_OPTIONS,
    Press,
    Verb,
    custom_id,
    read_id,
)
from bot.commands.params.channels_and_roles import channel_id
from bot.commands.params.scalars import LAYOUT
from bot.commands.params.times import WEEKDAY
from bot.commands.params.topics_and_sources import SOURCE, SOURCES, TOPIC, TOPICS, cleared, filled
from bot.commands.params.workspace_settings import SETTLED_LAYOUT, SETTLED_ROLE
from bot.commands.parser import LONGEST_COMMAND_STRING, command_string
from bot.commands.types import Call, Command, Kind, Param
from bot.errors import Option
from bot.replies.blocks import Actions, Button, Reply
from bot.replies.wording import shorten

# What is typed is anything but these, which are chosen from a list; of the latter several are.
_FILTERS = (TOPIC, SOURCE)
_ONE_OF = (*_FILTERS, WEEKDAY, LAYOUT, SETTLED_LAYOUT)
_SEVERAL_OF = (TOPICS, SOURCES)
_BETWEEN = ","  # several values are one text
# https://docs.discord.com/developers/components/reference#label
_LONGEST_LABEL, _LONGEST_DESCRIPTION = 45, 100
_MOST_FIELDS = 5
# Together with what is chosen these make a line shorter than `bot.app.LONGEST_LINE`.
_LONGEST_SENTENCES, _LONGEST_WORDS, _LONGEST_TYPED = 800, 500, 60

Offers = Mapping[str, Sequence[Option]]


def fields_of(command: Command) -> tuple[Param, ...]:
    """Return the arguments that a command's form asks for: as many as a form can hold."""
    shown = {param.name: param for param in command.shown}
    first = {name: shown[name] for name in command.form}
    return tuple((first | shown).values())[:_MOST_FIELDS]


def is_chosen(param: Param) -> bool:
    """Tell whether the values of an argument are chosen from a list."""
    return param.type in (*_ONE_OF, *_SEVERAL_OF)


def form(call: Call, line: str, offers: Offers) -> ui.Modal:
    """Return a form with the arguments of a call in it.

    Its id has the line of the call, for what it does not ask for; `offers` are, by the names of
    the arguments that are chosen, what they may be.
    """
    command = call.command
    title = command.custom_form.title if command.custom_form else command.name.capitalize()
    modal = ui.Modal(title=title, custom_id=custom_id(Press(Verb.FORM, line), 1))
    given = filled(command, call.arguments)
    for param in fields_of(command):
        entered = given.get(param.name, "")
        modal.add_item(_field(param, entered, offers.get(param.name, ())))
    modal.stop()  # so that the client does not keep it: it is read by its id
    return modal


def read_form_id(data: Mapping[str, Any]) -> Press | None:
    """Return the press that opened a submitted form, `None` where it is none of ours."""
    press = read_id(str(data.get("custom_id", "")))
    return press if press and press.verb is Verb.FORM else None


def unasked(call: Call) -> str:
    """Return the line of what a form has and does not ask for."""
    asked = {param.name for param in fields_of(call.command)}
    hidden = {name: text for name, text in call.arguments.items() if name not in asked}
    return command_string(call.command, hidden)


def merged(call: Call, data: Mapping[str, Any]) -> Call:
    """Return the call that a form was opened with, changed by what was entered there.

    What the form asked for and nothing was entered into is gone; what it did not ask for stays.
    One that changes something says of the topics that are gone that they are.
    """
    names = {param.name for param in call.command.shown}
    entered = {name: text for name, text in _entered(data.get("components") or ()) if name in names}
    arguments = call.arguments | entered
    if not names.issuperset(call.arguments):
        arguments |= cleared(call.command, arguments)
    return Call(call.command, {name: text for name, text in arguments.items() if text})


def correctable(reply: Reply, call: Call) -> Reply:
    """Return an error about what was entered with a way back to the form, all of it in there."""
    line = command_string(call.command, call.arguments)
    if len(line) > LONGEST_COMMAND_STRING:
        return reply
    again = Actions((Button("Correct it", line, form=True),))
    return replace(reply, blocks=(*reply.blocks, again))


def _entered(components: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    """Give what stands in each field, wherever in the form it is."""
    for each in components:
        yield from _entered(each.get("components") or ())
        field = each.get("component") or each
        if "custom_id" in field:
            values = field.get("values") or ()
            yield str(field["custom_id"]), str(field.get("value") or _BETWEEN.join(values)).strip()


def _field(param: Param, entered: str, offers: Sequence[Option]) -> ui.Label[Any]:
    component = _component(param, entered, offers)
    is_typed = isinstance(component, ui.TextInput)
    return ui.Label(
        text=shorten(param.label or param.summary, _LONGEST_LABEL),
        description=shorten(param.type.expected, _LONGEST_DESCRIPTION) if is_typed else None,
        component=component,
    )


def _component(param: Param, entered: str, offers: Sequence[Option]) -> ui.Item[Any]:
    """Return a list of what an argument may be where that holds what is entered, else a text."""
    channel = channel_id(entered) or ""
    if param.type.kind is Kind.CHANNEL and (not entered or channel.isdecimal()):
        return _channel(param, channel)
    if param.type == SETTLED_ROLE:
        return _role(param, entered)
    chosen = _values(param, entered)
    fits = len(chosen) <= MOST_OPTIONS and all(len(each) <= LONGEST_OPTION for each in chosen)
    if is_chosen(param) and offers and fits:
        return _select(param, chosen, offers)
    return _text(param, entered)


def _values(param: Param, entered: str) -> list[str]:
    """Return the values in a text, each once."""
    texts = entered.split(_BETWEEN) if param.type in _SEVERAL_OF else [entered]
    return list(dict.fromkeys(text.strip() for text in texts if text.strip()))


def _text(param: Param, entered: str) -> ui.TextInput[Any]:
    listed = param.type in _SEVERAL_OF
    longest = _LONGEST_WORDS if param.type.free or listed else _LONGEST_TYPED
    longest = _LONGEST_SENTENCES if param.type.long else longest
    style = discord.TextStyle.paragraph if param.type.long else discord.TextStyle.short
    return ui.TextInput(
        custom_id=param.name,
        style=style,
        required=param.required,
        default=entered or None,
        max_length=max(longest, len(entered)),
    )


def _select(param: Param, chosen: Sequence[str], offers: Sequence[Option]) -> ui.Select[Any]:
    by_value = {offer.value: offer for offer in offers if len(offer.value) <= LONGEST_OPTION}
    first = {value: by_value.get(value, Option(value)) for value in chosen}
    shown = list((first | by_value).values())[:MOST_OPTIONS]
    return ui.Select(
        custom_id=param.name,
        placeholder=_placeholder(param),
        min_values=int(param.required),
        max_values=len(shown) if param.type in _SEVERAL_OF else 1,
        required=param.required,
        options=[_option(offer, default=offer.value in first) for offer in shown],
    )


def _placeholder(param: Param) -> str:
    """Say what nothing chosen means, where it always means the same."""
    return f"Any {param.type.name.lower()}" if param.type in _FILTERS else "Choose…"


def _option(offer: Option, *, default: bool) -> discord.SelectOption:
    return discord.SelectOption(
        label=offer.value,
        value=offer.value,
        description=shorten(offer.label, LONGEST_OPTION) or None,
        default=default,
    )


def _role(param: Param, chosen: str) -> ui.RoleSelect[Any]:
    return ui.RoleSelect(
        custom_id=param.name,
        placeholder="None",
        min_values=int(param.required),
        required=param.required,
        default_values=[_as_written(chosen)] if chosen.isdecimal() else [],
    )


def _as_written(role: str) -> discord.SelectDefaultValue:
    """Return a role that is chosen from the first, its id a text as Discord's document has it.

    The library would write a number.
    """
    return discord.SelectDefaultValue(
        id=cast("int", role), type=discord.SelectDefaultValueType.role
    )


def _channel(param: Param, chosen: str) -> ui.ChannelSelect[Any]:
    return ui.ChannelSelect(
        custom_id=param.name,
        channel_types=list(CHANNELS),
        placeholder=_placeholder(param),
        min_values=int(param.required),
        required=param.required,
        default_values=[discord.Object(int(chosen))] if chosen else [],
    )
