"""The fields of a form as the components of a modal, and the values submitted with it.

https://docs.discord.com/developers/components/using-modal-components
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

import discord
from discord import ui

from adapters.common.forms import SEPARATOR, FieldKind, FormField, FormLimits, OpenedForm
from adapters.common.layout.elements import Effect
from adapters.discord.interactions.options import CHANNEL_TYPES
from adapters.discord.render.buttons import (
    LONGEST_OPTION,
    MOST_OPTIONS,
    ComponentAction,
    custom_id,
    read_id,
)
from bot.commands.parser import LONGEST_COMMAND_STRING, command_string
from bot.commands.types import Call
from bot.replies.blocks import Actions, Button, Reply
from bot.replies.wording import shorten

# https://docs.discord.com/developers/components/reference#label
# https://docs.discord.com/developers/components/reference#radio-group
FORM_LIMITS = FormLimits(
    frozenset({FieldKind.CHANNEL, FieldKind.ROLE, FieldKind.BUTTONS, FieldKind.MENU}),
    re.compile(r"[0-9]+"),
    most_fields=5,
    most_options=MOST_OPTIONS,
    longest_value=LONGEST_OPTION,
    longest_label=45,
    longest_hint=100,
)


def modal_of(form: OpenedForm, line: str) -> ui.Modal:
    """Return the modal of a form; its id has a line, the command string of what has no field."""
    modal = ui.Modal(title=form.title, custom_id=custom_id(ComponentAction(Effect.FORM, line), 1))
    for field in form.fields:
        modal.add_item(
            ui.Label(text=field.label, description=field.hint or None, component=_component(field))
        )
    modal.stop()  # the client forgets it: a submitted one is recognized by its id
    return modal


def read_modal_id(data: Mapping[str, Any]) -> ComponentAction | None:
    """Return the action of a submitted modal's id, `None` if it is unknown."""
    action = read_id(str(data.get("custom_id", "")))
    return action if action and action.effect is Effect.FORM else None


def read_modal(data: Mapping[str, Any]) -> dict[str, str]:
    """Return what a user entered, by parameter name; an empty field gives an empty text."""
    return dict(_entered(data.get("components") or ()))


def with_correct_button(reply: Reply, call: Call) -> Reply:
    """Return an error reply with a button that opens the modal again, filled in."""
    text = command_string(call.command, call.arguments)
    if len(text) > LONGEST_COMMAND_STRING:
        return reply
    button = Actions((Button("Correct it", text, form=True),))
    return replace(reply, blocks=(*reply.blocks, button))


def _entered(components: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    """Yield the id and value of each field, nested ones included."""
    for each in components:
        yield from _entered(each.get("components") or ())
        field = each.get("component") or each
        if "custom_id" in field:
            values = field.get("values") or ()
            yield str(field["custom_id"]), str(field.get("value") or SEPARATOR.join(values))


def _component(field: FormField) -> ui.Item[Any]:
    type_ = field.param.type
    asked: dict[str, Any] = {"custom_id": field.param.name, "required": field.param.required}
    least = {**asked, "min_values": int(field.param.required)}
    menu = {**least, "placeholder": field.param.empty}
    most = len(field.options) if type_.several else 1
    match field.kind:
        case FieldKind.BUTTONS if type_.several:
            boxes = [discord.CheckboxGroupOption(**each) for each in _options(field)]
            return ui.CheckboxGroup(**least, max_values=most, options=boxes)
        case FieldKind.BUTTONS:
            buttons = [discord.RadioGroupOption(**each) for each in _options(field)]
            return ui.RadioGroup(**asked, options=buttons)
        case FieldKind.MENU:
            options = [discord.SelectOption(**each) for each in _options(field)]
            return ui.Select(**menu, max_values=most, options=options)
        case FieldKind.CHANNEL:
            channels = [discord.Object(int(each.value)) for each in field.chosen]
            return ui.ChannelSelect(
                **menu, channel_types=list(CHANNEL_TYPES), default_values=channels
            )
        case FieldKind.ROLE:
            roles = [_default_role(each.value) for each in field.chosen]
            return ui.RoleSelect(**least, placeholder="None", default_values=roles)
        case _:
            style = discord.TextStyle.paragraph if type_.long else discord.TextStyle.short
            return ui.TextInput(
                **asked, style=style, default=field.text or None, max_length=field.longest
            )


def _options(field: FormField) -> Iterator[dict[str, Any]]:
    """Yield what each kind of option of Discord's takes."""
    for each in field.options:
        yield {
            "label": field.shown(each),
            "value": each.value,
            "description": shorten(each.label, LONGEST_OPTION) or None,
            "default": each in field.chosen,
        }


def _default_role(role: str) -> discord.SelectDefaultValue:
    """Return the preselected role, its id a string as Discord documents.

    The library would send a number.
    """
    return discord.SelectDefaultValue(
        id=cast("int", role), type=discord.SelectDefaultValueType.role
    )
