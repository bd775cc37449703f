"""A form made from a command's declaration, and what was entered into one.

https://docs.discord.com/developers/components/using-modal-components
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import discord
from discord import ui

from adapters.discord.buttons import LONGEST_OPTION, MOST_OPTIONS, Press, Verb, custom_id, read_id
from bot.command import Call, Command, Param
from bot.errors import Option
from bot.params.sources import SOURCE
from bot.params.topics import TOPIC
from bot.wording import shorten

# Their values are chosen from a list; any other is typed.
_CHOSEN = (TOPIC, SOURCE)
# https://docs.discord.com/developers/components/reference#label
_LONGEST_LABEL, _LONGEST_DESCRIPTION = 45, 100
_MOST_FIELDS = 5
# Together with what is chosen these make a line shorter than `bot.app.LONGEST_LINE`.
_LONGEST_WORDS, _LONGEST_TYPED = 500, 60

Offers = Mapping[str, Sequence[Option]]


def fields_of(command: Command) -> tuple[Param, ...]:
    """Return the arguments that a command's form asks for: as many as a form can hold."""
    return command.shown[:_MOST_FIELDS]


def is_chosen(param: Param) -> bool:
    """Tell whether the values of an argument are chosen from a list."""
    return param.type in _CHOSEN


def form(call: Call, offers: Offers) -> ui.Modal:
    """Return a form with the arguments of a call in it.

    `offers` are, by the names of the arguments that are chosen, what they may be.
    """
    command = call.command
    modal = ui.Modal(
        title=command.name.capitalize(),
        custom_id=custom_id(Press(Verb.FORM, command.name), 1),
    )
    for param in fields_of(command):
        entered = call.arguments.get(param.name, "")
        modal.add_item(_field(param, entered, offers.get(param.name, ())))
    modal.stop()  # so that the client does not keep it: it is read by its id
    return modal


def form_command(data: Mapping[str, Any]) -> str | None:
    """Return the name of the command whose form was submitted, `None` where it is none of ours."""
    press = read_id(str(data.get("custom_id", "")))
    return press.line if press and press.verb is Verb.FORM else None


def read_form(command: Command, data: Mapping[str, Any]) -> dict[str, str]:
    """Return what was entered into a form, by the name of the argument."""
    names = {param.name for param in fields_of(command)}
    found = dict(_entered(data.get("components") or ()))
    return {name: text for name, text in found.items() if text and name in names}


def _entered(components: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    """Give what stands in each field, wherever in the form it is."""
    for each in components:
        yield from _entered(each.get("components") or ())
        field = each.get("component") or each
        if "custom_id" in field:
            values = field.get("values") or ()
            yield str(field["custom_id"]), str(field.get("value") or "".join(values[:1])).strip()


def _field(param: Param, entered: str, offers: Sequence[Option]) -> ui.Label[Any]:
    component = _select(param, entered, offers) if is_chosen(param) and offers else None
    return ui.Label(
        text=shorten(param.summary, _LONGEST_LABEL),
        description=shorten(param.type.expected, _LONGEST_DESCRIPTION),
        component=component or _text(param, entered),
    )


def _text(param: Param, entered: str) -> ui.TextInput[Any]:
    longest = _LONGEST_WORDS if param.type.free else _LONGEST_TYPED
    return ui.TextInput(
        custom_id=param.name,
        style=discord.TextStyle.short,
        required=param.required,
        default=entered[:longest] or None,
        max_length=longest,
    )


def _select(param: Param, entered: str, offers: Sequence[Option]) -> ui.Select[Any]:
    chosen = [offer for offer in offers if offer.value == entered]
    others = [offer for offer in offers if offer.value != entered]
    shown = [*(chosen or [Option(entered)] * bool(entered)), *others][:MOST_OPTIONS]
    return ui.Select(
        custom_id=param.name,
        placeholder=f"Any {param.type.name.lower()}",
        min_values=0,
        required=param.required,
        options=[_option(offer, default=offer.value == entered) for offer in shown],
    )


def _option(offer: Option, *, default: bool) -> discord.SelectOption:
    return discord.SelectOption(
        label=offer.value[:LONGEST_OPTION],
        value=offer.value[:LONGEST_OPTION],
        description=shorten(offer.label, LONGEST_OPTION) or None,
        default=default,
    )
