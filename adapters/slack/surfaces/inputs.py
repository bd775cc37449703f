"""Inputs: the element that asks for an argument, and what was entered into one. Pure.

What an argument is asked for with goes by its type, else by the kind of its value; any other is
typed. https://docs.slack.dev/reference/block-kit/block-elements
"""

import re
from collections.abc import Callable, Sequence
from typing import Any

from adapters.slack.requests.payloads import Payload, plain
from bot.commands.params.channels_and_roles import channel_id
from bot.commands.params.scalars import LAYOUT, SUBSCRIPTION_ID
from bot.commands.params.times import TIME_OF_DAY, WEEKDAY, ZONE, in_digits, read_time
from bot.commands.params.topics_and_sources import SOURCE, SOURCES, TOPIC, TOPICS
from bot.commands.params.workspace_settings import SETTLED_LAYOUT, SETTLED_SWITCH, SETTLED_ZONE
from bot.commands.types import Kind, Param, ParamType
from bot.errors import Option

# https://docs.slack.dev/reference/block-kit/composition-objects/option-object
_LONGEST_LABEL, _LONGEST_VALUE, _MOST_OPTIONS = 75, 150, 100
# Together with what is chosen these make a line shorter than `bot.app.LONGEST_LINE`.
_LONGEST_SENTENCES, _LONGEST_WORDS, _LONGEST_TYPED = 800, 500, 60
_BETWEEN = ","  # several values are one text
# What the select of channels offers; a direct message is no channel.
_CHANNEL = re.compile(r"[CG][A-Z0-9]+")

# Few enough to stand in the form, all of them.
_LISTED = (WEEKDAY, LAYOUT, SETTLED_LAYOUT, SETTLED_SWITCH)
# One, and any number, looked for among many.
_SOUGHT = (TOPIC, SOURCE, ZONE, SETTLED_ZONE, SUBSCRIPTION_ID)
_SEVERAL = (TOPICS, SOURCES)
_FILTERS = (TOPIC, SOURCE)
# What a state calls what an element showed first.
_STATES = {
    "initial_value": "value",
    "initial_option": "selected_option",
    "initial_options": "selected_options",
    "initial_time": "selected_time",
    "initial_conversation": "selected_conversation",
}

_Element = dict[str, Any]
_Offers = Sequence[Option]


def element(param: Param, entered: Option | None, offers: _Offers = ()) -> _Element:
    """Return the element that asks for an argument.

    Args:
        param: the argument.
        entered: what stands in it; what the element can't hold is left out.
        offers: what it may be, where it `is_listed`; without any it is typed.
    """
    made = _maker(param, offers)(param, entered, offers)
    return {key: value for key, value in made.items() if value is not None}


def is_listed(param: Param) -> bool:
    """Tell whether all that an argument may be stands in the form."""
    return param.type in _LISTED


def is_sought(param: Param) -> bool:
    """Tell whether one value of an argument is looked for, and shown with words about it."""
    return param.type in _SOUGHT


def is_typed(made: Payload) -> bool:
    """Tell whether an element takes what is typed, so that it needs saying what that may be."""
    return made["type"] in {"plain_text_input", "number_input"}


def read_element(made: Payload, state: Payload | None) -> Option | None:
    """Return what was entered into an element.

    Of one that nobody touched Slack may tell nothing after an update; what it shows counts then:
    https://github.com/slackapi/bolt-js/issues/1258
    """
    if state is None:
        state = {name: made[shown] for shown, name in _STATES.items() if shown in made}
    if chosen := state.get("selected_option"):
        return _read_option(chosen)
    if channel := state.get("selected_conversation"):
        return Option(f"<#{channel}>")
    several = [_read_option(each).value for each in state.get("selected_options") or ()]
    typed = plain(str(state.get("value") or ""), as_typed=bool(made.get("multiline")))
    text = _BETWEEN.join(several) or state.get("selected_time") or typed
    return Option(text) if text else None


def options_payload(offers: _Offers) -> dict[str, Any]:
    """Return what a select is given to offer."""
    return {"options": _options(offers)}


def plain_text(text: str) -> dict[str, Any]:
    """Return words in which no sign means anything."""
    return {"type": "plain_text", "text": text, "emoji": False}


def _maker(param: Param, offers: _Offers) -> Callable[[Param, Option | None, _Offers], _Element]:
    if param.type == TIME_OF_DAY:
        return _time
    if param.type in _SEVERAL:
        return _several
    if param.type in _SOUGHT:
        return _sought
    if param.type in _LISTED and offers:
        return _listed
    return {Kind.NUMBER: _number, Kind.CHANNEL: _channel}.get(param.type.kind, _text)


def _text(param: Param, entered: Option | None, _offers: _Offers) -> _Element:
    longest = _LONGEST_WORDS if param.type.free else _LONGEST_TYPED
    longest = _LONGEST_SENTENCES if param.type.long else longest
    return {
        "type": "plain_text_input",
        "action_id": param.name,
        "multiline": True if param.type.long else None,
        "max_length": longest,
        "initial_value": entered.value[:longest] or None if entered else None,
    }


def _number(param: Param, entered: Option | None, _offers: _Offers) -> _Element:
    holds = entered and _is_within(param.type, entered.value)
    return {
        "type": "number_input",
        "action_id": param.name,
        "is_decimal_allowed": False,
        "min_value": _bound(param.type.least),
        "max_value": _bound(param.type.most),
        "initial_value": entered.value if entered and holds else None,
    }


def _is_within(type_: ParamType, text: str) -> bool:
    """Tell whether a text is a number that an element with these bounds can hold."""
    if not text.isdecimal():
        return False
    least, most = type_.least, type_.most
    return (least is None or int(text) >= least) and (most is None or int(text) <= most)


def _bound(number: int | None) -> str | None:
    return None if number is None else str(number)


def _time(param: Param, entered: Option | None, _offers: _Offers) -> _Element:
    at = read_time(entered.value) if entered else None
    return {
        "type": "timepicker",
        "action_id": param.name,
        "initial_time": in_digits(at) if at else None,
    }


def _channel(param: Param, entered: Option | None, _offers: _Offers) -> _Element:
    channel = (channel_id(entered.value) or entered.value) if entered else ""
    return {
        "type": "conversations_select",
        "action_id": param.name,
        "filter": {"include": ["public", "private"]},
        "initial_conversation": channel if _CHANNEL.fullmatch(channel) else None,
    }


def _listed(param: Param, entered: Option | None, offers: _Offers) -> _Element:
    options = _options(offers)
    shown = [each for each in options if entered and each["value"] == entered.value]
    return {
        "type": "static_select",
        "action_id": param.name,
        "placeholder": _placeholder(param),
        "options": options,
        # It has to be one of them, word for word.
        "initial_option": shown[0] if shown else None,
    }


def _sought(param: Param, entered: Option | None, _offers: _Offers) -> _Element:
    fitting = _options([entered] if entered else [])
    return {
        "type": "external_select",
        "action_id": param.name,
        "min_query_length": 0,
        "placeholder": _placeholder(param),
        "initial_option": fitting[0] if fitting else None,
    }


def _several(param: Param, entered: Option | None, _offers: _Offers) -> _Element:
    values = entered.value.split(_BETWEEN) if entered else []
    chosen = dict.fromkeys(value.strip() for value in values)
    return {
        "type": "multi_external_select",
        "action_id": param.name,
        "min_query_length": 0,
        "placeholder": _placeholder(param),
        "initial_options": _options([Option(value) for value in chosen]) or None,
    }


def _placeholder(param: Param) -> dict[str, Any]:
    """Say what an empty input means: a filter leaves nothing out."""
    return plain_text(f"Any {param.name}" if param.type in _FILTERS else "Choose…")


def _options(offers: _Offers) -> list[dict[str, Any]]:
    fitting = [option for option in offers if 0 < len(option.value) <= _LONGEST_VALUE]
    return [_option(option) for option in fitting[:_MOST_OPTIONS]]


def _option(option: Option) -> dict[str, Any]:
    text = f"{option.value} · {option.label}" if option.label else option.value
    shown = text if len(text) <= _LONGEST_LABEL else f"{text[: _LONGEST_LABEL - 1]}…"
    return {"text": plain_text(shown), "value": option.value}


def _read_option(chosen: Payload) -> Option:
    label = str(chosen.get("text", {}).get("text", ""))
    return Option(chosen["value"], label.removeprefix(chosen["value"]).removeprefix(" · "))
