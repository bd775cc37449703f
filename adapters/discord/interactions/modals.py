"""The modal of a command, made from its declaration, and the values submitted with it.

https://docs.discord.com/developers/components/using-modal-components
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

import discord
from discord import ui

from adapters.common.forms import (
    FEW_VALUES,
    FILTERS,
    LISTS,
    SEPARATOR,
    longest_text,
    placeholder,
    shown,
    values_of,
)
from adapters.discord.interactions.options import CHANNEL_TYPES
from adapters.discord.render.buttons import (
    LONGEST_OPTION,
    MOST_OPTIONS,
    ButtonAction,
    Verb,
    custom_id,
    read_id,
)
from bot.commands.params.channels_and_roles import channel_id
from bot.commands.params.times import WEEKDAY
from bot.commands.params.topics_and_sources import cleared, filled
from bot.commands.params.workspace_settings import SETTLED_ROLE
from bot.commands.parser import LONGEST_COMMAND_STRING, command_string
from bot.commands.types import Call, Command, Kind, Param
from bot.errors import Option
from bot.replies.blocks import Actions, Button, Reply
from bot.replies.wording import shorten

# The types of values to choose from; any other type is a text input.
_SINGLE_CHOICE = (*FILTERS, WEEKDAY, *FEW_VALUES)
# https://docs.discord.com/developers/components/reference#label
_MAX_LABEL, _MAX_DESCRIPTION = 45, 100
_MAX_FIELDS = 5
# Of a group of radio buttons or check boxes; a radio group has no fewer than two.
# https://docs.discord.com/developers/components/reference#radio-group
_MOST_IN_GROUP, _FEWEST_RADIO_BUTTONS = 10, 2

Choices = Mapping[str, Sequence[Option]]


def fields_of(command: Command) -> tuple[Param, ...]:
    """Return the parameters in a command's modal, as many as a modal can hold."""
    shown = {param.name: param for param in command.shown}
    first = {name: shown[name] for name in command.form.first}
    return tuple((first | shown).values())[:_MAX_FIELDS]


def is_select(param: Param) -> bool:
    """Tell whether the modal offers the values of a parameter to choose from."""
    return param.type in (*_SINGLE_CHOICE, *LISTS)


def modal_for(call: Call, command_text: str, choices: Choices) -> ui.Modal:
    """Return the modal of a command, filled in with the arguments of a call.

    Args:
        call: the command and its arguments.
        command_text: a command string for the modal's id, with the arguments that have no field.
        choices: the options of the select menus, by parameter.
    """
    command = call.command
    title = command.form.title or command.name.capitalize()
    modal = ui.Modal(title=title, custom_id=custom_id(ButtonAction(Verb.FORM, command_text), 1))
    values = filled(command, call.arguments)
    for param in fields_of(command):
        modal.add_item(_label(param, values.get(param.name, ""), choices.get(param.name, ())))
    modal.stop()  # the client forgets it: a submitted one is recognized by its id
    return modal


def read_modal_id(data: Mapping[str, Any]) -> ButtonAction | None:
    """Return the action of a submitted modal's id, `None` if it is unknown."""
    action = read_id(str(data.get("custom_id", "")))
    return action if action and action.verb is Verb.FORM else None


def without_fields(call: Call) -> str:
    """Return the command string of a call without the arguments that have a field in the modal."""
    fields = {param.name for param in fields_of(call.command)}
    rest = {name: text for name, text in call.arguments.items() if name not in fields}
    return command_string(call.command, rest)


def submitted_call(call: Call, data: Mapping[str, Any]) -> Call:
    """Return the call that a modal was opened with, with the submitted values.

    An empty field removes its argument; an argument without a field stays. A modal with fields
    of its own reports the topics that were removed.
    """
    names = {param.name for param in call.command.shown}
    fields = _submitted(data.get("components") or ())
    arguments = call.arguments | {name: text for name, text in fields if name in names}
    if not names.issuperset(call.arguments):
        arguments |= cleared(call.command, arguments)
    return Call(call.command, {name: text for name, text in arguments.items() if text})


def with_correct_button(reply: Reply, call: Call) -> Reply:
    """Return an error reply with a button that opens the modal again, filled in."""
    text = command_string(call.command, call.arguments)
    if len(text) > LONGEST_COMMAND_STRING:
        return reply
    button = Actions((Button("Correct it", text, form=True),))
    return replace(reply, blocks=(*reply.blocks, button))


def _submitted(components: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    """Yield the id and value of each field, nested ones included."""
    for each in components:
        yield from _submitted(each.get("components") or ())
        field = each.get("component") or each
        if "custom_id" in field:
            values = field.get("values") or ()
            value = str(field.get("value") or SEPARATOR.join(values))
            yield str(field["custom_id"]), value.strip()


def _label(param: Param, value: str, choices: Sequence[Option]) -> ui.Label[Any]:
    component = _component(param, value, choices)
    is_typed = isinstance(component, ui.TextInput)
    hint = param.hint or (param.type.expected if is_typed else "")
    return ui.Label(
        text=shorten(param.label or param.summary, _MAX_LABEL),
        description=shorten(hint, _MAX_DESCRIPTION) or None,
        component=component,
    )


def _component(param: Param, value: str, choices: Sequence[Option]) -> ui.Item[Any]:
    """Return a choice that can hold the argument's value, else a text input."""
    channel = channel_id(value) or ""
    if param.type.kind is Kind.CHANNEL and (not value or channel.isdecimal()):
        return _channel_select(param, channel)
    if param.type == SETTLED_ROLE:
        return _role_select(param, value)
    chosen = values_of(param, value)
    fits = len(chosen) <= MOST_OPTIONS and all(len(each) <= LONGEST_OPTION for each in chosen)
    if is_select(param) and choices and fits:
        return _choice(param, chosen, choices)
    return _text_input(param, value)


def _text_input(param: Param, value: str) -> ui.TextInput[Any]:
    style = discord.TextStyle.paragraph if param.type.long else discord.TextStyle.short
    return ui.TextInput(
        custom_id=param.name,
        style=style,
        required=param.required,
        default=value or None,
        max_length=max(longest_text(param), len(value)),
    )


def _choice(param: Param, chosen: Sequence[str], choices: Sequence[Option]) -> ui.Item[Any]:
    """Return a group of buttons or boxes if the values are few enough, else a select menu."""
    by_value = {each.value: each for each in choices if len(each.value) <= LONGEST_OPTION}
    missing = {value: Option(value) for value in chosen if value not in by_value}
    offered = (by_value | missing).values()
    options = [_option(param, each, default=each.value in chosen) for each in offered]
    if param.type in FEW_VALUES and _FEWEST_RADIO_BUTTONS <= len(options) <= _MOST_IN_GROUP:
        return _radio_group(param, options)
    if param.type in LISTS and len(options) <= _MOST_IN_GROUP:
        return _checkbox_group(param, options)
    return _select(param, options)


def _radio_group(param: Param, options: Sequence[discord.SelectOption]) -> ui.RadioGroup[Any]:
    buttons = (
        discord.RadioGroupOption(
            label=each.label,
            value=each.value,
            description=each.description,
            default=each.default,
        )
        for each in options
    )
    return ui.RadioGroup(custom_id=param.name, required=param.required, options=[*buttons])


def _checkbox_group(param: Param, options: Sequence[discord.SelectOption]) -> ui.CheckboxGroup[Any]:
    boxes = (
        discord.CheckboxGroupOption(
            label=each.label,
            value=each.value,
            description=each.description,
            default=each.default,
        )
        for each in options
    )
    return ui.CheckboxGroup(
        custom_id=param.name,
        min_values=int(param.required),
        max_values=len(options),
        required=param.required,
        options=[*boxes],
    )


def _select(param: Param, options: Sequence[discord.SelectOption]) -> ui.Select[Any]:
    """Return a menu; what is chosen already stands first, where others are too many."""
    if len(options) > MOST_OPTIONS:
        options = sorted(options, key=lambda each: not each.default)[:MOST_OPTIONS]
    return ui.Select(
        custom_id=param.name,
        placeholder=placeholder(param),
        min_values=int(param.required),
        max_values=len(options) if param.type in LISTS else 1,
        required=param.required,
        options=[*options],
    )


def _option(param: Param, choice: Option, *, default: bool) -> discord.SelectOption:
    return discord.SelectOption(
        label=shown(param, choice.value),
        value=choice.value,
        description=shorten(choice.label, LONGEST_OPTION) or None,
        default=default,
    )


def _role_select(param: Param, chosen: str) -> ui.RoleSelect[Any]:
    return ui.RoleSelect(
        custom_id=param.name,
        placeholder="None",
        min_values=int(param.required),
        required=param.required,
        default_values=[_default_role(chosen)] if chosen.isdecimal() else [],
    )


def _default_role(role: str) -> discord.SelectDefaultValue:
    """Return the preselected role, its id a string as Discord documents.

    The library would send a number.
    """
    return discord.SelectDefaultValue(
        id=cast("int", role), type=discord.SelectDefaultValueType.role
    )


def _channel_select(param: Param, chosen: str) -> ui.ChannelSelect[Any]:
    return ui.ChannelSelect(
        custom_id=param.name,
        channel_types=list(CHANNEL_TYPES),
        placeholder=placeholder(param),
        min_values=int(param.required),
        required=param.required,
        default_values=[discord.Object(int(chosen))] if chosen else [],
    )
