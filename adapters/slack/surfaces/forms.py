"""Forms made from the declarations of commands, and the values that users enter. Pure.

The type of a parameter, else the kind of its value, chooses the input element; any other
parameter is typed. https://docs.slack.dev/reference/block-kit/blocks/input-block
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Any

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
from adapters.slack.requests.payloads import Payload, from_mrkdwn
from bot.commands.params.channels_and_roles import channel_id
from bot.commands.params.scalars import SUBSCRIPTION_ID
from bot.commands.params.times import TIME_OF_DAY, WEEKDAY, ZONE, in_digits, read_time
from bot.commands.params.workspace_settings import SETTLED_ZONE
from bot.commands.types import Command, Kind, Param, ParamType
from bot.errors import Option
from bot.replies.wording import shorten

# https://docs.slack.dev/reference/block-kit/composition-objects/option-object
_LONGEST_LABEL, _LONGEST_VALUE, _MOST_OPTIONS = 75, 150, 100
# A conversations select holds channels, but no direct messages.
_CHANNEL = re.compile(r"[CG][A-Z0-9]+")

# These have few enough values to list them all: in a menu, or as radio buttons.
_STATIC_SELECTS = (WEEKDAY, *FEW_VALUES)
# https://docs.slack.dev/reference/block-kit/block-elements/radio-button-group-element
_MOST_RADIO_BUTTONS = 10
# These have many values, of which a select offers those that match.
_EXTERNAL_SELECTS = (*FILTERS, ZONE, SETTLED_ZONE, SUBSCRIPTION_ID)
# The fields of a view's state by those of an element's initial value.
_STATE_FIELDS = {
    "initial_value": "value",
    "initial_option": "selected_option",
    "initial_options": "selected_options",
    "initial_time": "selected_time",
    "initial_conversation": "selected_conversation",
}

Values = Mapping[str, Option]
Options = Mapping[str, Sequence[Option]]
_Element = dict[str, Any]


def form_blocks(
    command: Command, values: Values, options: Options | None = None
) -> list[dict[str, Any]]:
    """Return an input block for each parameter of a command.

    Args:
        command: the command.
        values: the initial values, by parameter name.
        options: the options of parameters that are static selects, by parameter name.
    """
    blocks = []
    explained: set[str] = set()
    for param in command.shown:
        value = values.get(param.name)
        element = _element(param, value, (options or {}).get(param.name, ()))
        is_typed = element["type"] in {"plain_text_input", "number_input"}
        hint = param.hint or (param.type.expected if is_typed else "")
        blocks.append(_input_block(param, element, value, "" if hint in explained else hint))
        explained.add(hint)
    return blocks


def read_form(command: Command, view: Payload) -> dict[str, Option]:
    """Return the values that a user entered, by parameter name."""
    names = {param.name for param in command.shown}
    found = ((name, _read_element(element, state)) for name, element, state in _elements(view))
    return {name: option for name, option in found if option and name in names}


def errors_by_block(view: Payload, errors: Mapping[str, str]) -> dict[str, str]:
    """Return errors by block id, from errors by parameter name."""
    inputs = ((block["block_id"], block["element"]["action_id"]) for block in _inputs(view))
    return {block_id: errors[name] for block_id, name in inputs if name in errors}


def is_static_select(param: Param) -> bool:
    """Tell whether the form lists all values of a parameter."""
    return param.type in _STATIC_SELECTS


def is_external_select(param: Param) -> bool:
    """Tell whether a user searches for the value of a parameter, which is shown with a label."""
    return param.type in _EXTERNAL_SELECTS


def options_payload(options: Sequence[Option]) -> dict[str, Any]:
    """Return the response to a request for options."""
    return {"options": _option_objects(options)}


def plain_text(text: str) -> dict[str, Any]:
    """Return a `plain_text` object."""
    return {"type": "plain_text", "text": text, "emoji": False}


def _input_block(
    param: Param, element: _Element, value: Option | None, hint: str
) -> dict[str, Any]:
    return {
        "type": "input",
        "block_id": _block_id(param, value),
        "label": plain_text(param.label or param.summary),
        "optional": not param.required,
        "element": element,
        **({"hint": plain_text(hint)} if hint else {}),
    }


def _block_id(param: Param, value: Option | None) -> str:
    """Return an id that changes with the value.

    Slack keeps the text that a user sees in an input whose id stays the same in an updated view:
    https://docs.slack.dev/reference/views/modal-views
    """
    text = value.value if value else ""
    return f"{param.name}-{blake2b(text.encode(), digest_size=6).hexdigest()}"


def _elements(view: Payload) -> Iterator[tuple[str, Payload, Payload | None]]:
    """Yield each input's parameter name, its element and its state."""
    states = (view.get("state") or {}).get("values") or {}
    for block in _inputs(view):
        element = block["element"]
        name = element["action_id"]
        yield name, element, (states.get(block["block_id"]) or {}).get(name)


def _inputs(view: Payload) -> Iterator[Payload]:
    return (block for block in view.get("blocks") or () if block.get("type") == "input")


def _read_element(element: Payload, state: Payload | None) -> Option | None:
    """Return the value of an element.

    Slack may omit the state of an input that nobody touched after an update; then its initial
    value counts: https://github.com/slackapi/bolt-js/issues/1258
    """
    if state is None:
        fields = _STATE_FIELDS.items()
        state = {field: element[initial] for initial, field in fields if initial in element}
    if selected := state.get("selected_option"):
        return _read_option(selected)
    if channel := state.get("selected_conversation"):
        return Option(f"<#{channel}>")
    several = [_read_option(each).value for each in state.get("selected_options") or ()]
    typed = from_mrkdwn(str(state.get("value") or ""))
    text = SEPARATOR.join(several) or state.get("selected_time") or typed
    return Option(text) if text else None


def _element(param: Param, value: Option | None, options: Sequence[Option]) -> _Element:
    """Return the input element of a parameter.

    A value that the element can't hold is left out; a static select without options becomes a
    text input.
    """
    if param.type in FEW_VALUES and 0 < len(options) <= _MOST_RADIO_BUTTONS:
        element = _radio_buttons(param, value, options)
    elif is_static_select(param) and options:
        element = _static_select(param, value, options)
    else:
        element = _element_maker(param)(param, value)
    return {key: field for key, field in element.items() if field is not None}


def _element_maker(param: Param) -> Callable[[Param, Option | None], _Element]:
    if param.type == TIME_OF_DAY:
        return _timepicker
    if param.type in LISTS:
        return _multi_select
    if is_external_select(param):
        return _external_select
    by_kind = {Kind.NUMBER: _number_input, Kind.CHANNEL: _conversations_select}
    return by_kind.get(param.type.kind, _text_input)


def _text_input(param: Param, value: Option | None) -> _Element:
    longest = longest_text(param)
    return {
        "type": "plain_text_input",
        "action_id": param.name,
        "multiline": True if param.type.long else None,
        "max_length": longest,
        "initial_value": value.value[:longest] or None if value else None,
    }


def _number_input(param: Param, value: Option | None) -> _Element:
    is_valid = value and _is_within(param.type, value.value)
    return {
        "type": "number_input",
        "action_id": param.name,
        "is_decimal_allowed": False,
        "min_value": _bound(param.type.least),
        "max_value": _bound(param.type.most),
        "initial_value": value.value if value and is_valid else None,
    }


def _is_within(type_: ParamType, text: str) -> bool:
    """Tell whether a text is a number within the bounds of a type."""
    if not text.isdecimal():
        return False
    least, most = type_.least, type_.most
    return (least is None or int(text) >= least) and (most is None or int(text) <= most)


def _bound(number: int | None) -> str | None:
    return None if number is None else str(number)


def _timepicker(param: Param, value: Option | None) -> _Element:
    time = read_time(value.value) if value else None
    return {
        "type": "timepicker",
        "action_id": param.name,
        "initial_time": in_digits(time) if time else None,
    }


def _conversations_select(param: Param, value: Option | None) -> _Element:
    channel = (channel_id(value.value) or value.value) if value else ""
    return {
        "type": "conversations_select",
        "action_id": param.name,
        "filter": {"include": ["public", "private"]},
        "initial_conversation": channel if _CHANNEL.fullmatch(channel) else None,
    }


def _static_select(param: Param, value: Option | None, options: Sequence[Option]) -> _Element:
    objects = _option_objects(options, param)
    return {
        "type": "static_select",
        "action_id": param.name,
        "placeholder": plain_text(placeholder(param)),
        "options": objects,
        "initial_option": _initial(objects, value),
    }


def _radio_buttons(param: Param, value: Option | None, options: Sequence[Option]) -> _Element:
    objects = [_described(option, param) for option in options]
    return {
        "type": "radio_buttons",
        "action_id": param.name,
        "options": objects,
        "initial_option": _initial(objects, value),
    }


def _initial(objects: Sequence[dict[str, Any]], value: Option | None) -> dict[str, Any] | None:
    """Return the option of a value: Slack requires the initial option to equal one of them."""
    return next((each for each in objects if value and each["value"] == value.value), None)


def _external_select(param: Param, value: Option | None) -> _Element:
    initial = _option_objects([value] if value else [])
    return {
        "type": "external_select",
        "action_id": param.name,
        "min_query_length": 0,
        "placeholder": plain_text(placeholder(param)),
        "initial_option": initial[0] if initial else None,
    }


def _multi_select(param: Param, value: Option | None) -> _Element:
    values = values_of(param, value.value) if value else []
    return {
        "type": "multi_external_select",
        "action_id": param.name,
        "min_query_length": 0,
        "placeholder": plain_text(placeholder(param)),
        "initial_options": _option_objects([Option(each) for each in values]) or None,
    }


def _option_objects(options: Sequence[Option], param: Param | None = None) -> list[dict[str, Any]]:
    valid = [option for option in options if 0 < len(option.value) <= _LONGEST_VALUE]
    return [_option_object(option, param) for option in valid[:_MOST_OPTIONS]]


def _option_object(option: Option, param: Param | None) -> dict[str, Any]:
    name = shown(param, option.value) if param else option.value
    text = f"{name} · {option.label}" if option.label else name
    return {"text": plain_text(shorten(text, _LONGEST_LABEL)), "value": option.value}


def _described(option: Option, param: Param) -> dict[str, Any]:
    """Return an option of radio buttons, its label below it."""
    name = {"text": plain_text(shown(param, option.value)), "value": option.value}
    label = shorten(option.label, _LONGEST_LABEL)
    return {**name, "description": plain_text(label)} if label else name


def _read_option(selected: Payload) -> Option:
    value, text = selected["value"], str(selected.get("text", {}).get("text", ""))
    below = str((selected.get("description") or {}).get("text", ""))
    return Option(value, below or text[len(value) :].removeprefix(" · "))
