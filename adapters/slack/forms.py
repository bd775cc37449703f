"""A form made from a command's declaration, and what was entered into one. Pure.

https://docs.slack.dev/reference/block-kit/blocks/input-block
"""

from collections.abc import Iterator, Mapping
from hashlib import blake2b
from typing import Any

from adapters.slack.inbound import Payload, plain
from bot.command import Command, Param
from bot.errors import Option
from bot.params.sources import SOURCE
from bot.params.topics import TOPIC

# Their values are chosen from a list; any other is typed.
_CHOSEN = (TOPIC, SOURCE)
# https://docs.slack.dev/reference/block-kit/composition-objects/option-object
_LONGEST_LABEL, _LONGEST_VALUE, _MOST_OPTIONS = 75, 150, 100
# Together with what is chosen these make a line shorter than `bot.app.LONGEST_LINE`.
_LONGEST_WORDS, _LONGEST_TYPED = 500, 60

Entered = Mapping[str, Option]


def form_blocks(command: Command, entered: Entered) -> list[dict[str, Any]]:
    """Return an input a parameter of a command; what stands in each is in `entered` by name."""
    inputs = []
    explained = set()
    for param in command.shown:
        explain = param.type not in explained and param.type not in _CHOSEN
        inputs.append(_input(param, entered.get(param.name), explain=explain))
        explained.add(param.type)
    return inputs


def read_form(command: Command, view: Payload) -> dict[str, Option]:
    """Return what was entered into a form, by the name of the parameter."""
    names = {param.name for param in command.shown}
    found = ((name, _entered(element, state)) for name, element, state in _elements(view))
    return {name: option for name, option in found if option and name in names}


def errors_beside(view: Payload, errors: Mapping[str, str]) -> dict[str, str]:
    """Return errors, given by the name of the parameter, by the inputs of a form."""
    inputs = ((block["block_id"], block["element"]["action_id"]) for block in _inputs(view))
    return {block_id: errors[name] for block_id, name in inputs if name in errors}


def options_payload(offers: list[Option]) -> dict[str, Any]:
    """Return what a select is given to offer."""
    fitting = [option for option in offers if 0 < len(option.value) <= _LONGEST_VALUE]
    return {"options": [_option(option) for option in fitting[:_MOST_OPTIONS]]}


def _input(param: Param, entered: Option | None, *, explain: bool) -> dict[str, Any]:
    element = _select(param, entered) if param.type in _CHOSEN else _text(param, entered)
    return {
        "type": "input",
        "block_id": _block_id(param, entered),
        "label": _plain_text(param.summary),
        "optional": not param.required,
        "element": element,
        **({"hint": _plain_text(param.type.expected)} if explain else {}),
    }


def _block_id(param: Param, entered: Option | None) -> str:
    """Return an id that changes with what is entered.

    An input that keeps its ids while a view is updated keeps what its user sees in it too:
    https://docs.slack.dev/reference/views/modal-views
    """
    value = entered.value if entered else ""
    return f"{param.name}-{blake2b(value.encode(), digest_size=6).hexdigest()}"


def _text(param: Param, entered: Option | None) -> dict[str, Any]:
    longest = _LONGEST_WORDS if param.type.free else _LONGEST_TYPED
    return {
        "type": "plain_text_input",
        "action_id": param.name,
        "max_length": longest,
        **({"initial_value": entered.value[:longest]} if entered and entered.value else {}),
    }


def _select(param: Param, entered: Option | None) -> dict[str, Any]:
    fits = entered and 0 < len(entered.value) <= _LONGEST_VALUE
    return {
        "type": "external_select",
        "action_id": param.name,
        "min_query_length": 0,
        "placeholder": _plain_text(f"Any {param.type.name.lower()}"),
        **({"initial_option": _option(entered)} if entered and fits else {}),
    }


def _option(option: Option) -> dict[str, Any]:
    text = f"{option.value} · {option.label}" if option.label else option.value
    shown = text if len(text) <= _LONGEST_LABEL else f"{text[: _LONGEST_LABEL - 1]}…"
    return {"text": _plain_text(shown), "value": option.value}


def _entered(element: Payload, state: Payload | None) -> Option | None:
    if state is None:
        # Of an input that nobody touched Slack may tell nothing after an update:
        # https://github.com/slackapi/bolt-js/issues/1258
        state = {
            "value": element.get("initial_value"),
            "selected_option": element.get("initial_option"),
        }
    if chosen := state.get("selected_option"):
        label = str(chosen.get("text", {}).get("text", ""))
        return Option(chosen["value"], label.removeprefix(chosen["value"]).removeprefix(" · "))
    typed = plain(state.get("value") or "")
    return Option(typed) if typed else None


def _elements(view: Payload) -> Iterator[tuple[str, Payload, Payload | None]]:
    """Give each input's name, its element, and what is in it."""
    values = (view.get("state") or {}).get("values") or {}
    for block in _inputs(view):
        element = block["element"]
        name = element["action_id"]
        yield name, element, (values.get(block["block_id"]) or {}).get(name)


def _inputs(view: Payload) -> Iterator[Payload]:
    return (block for block in view.get("blocks") or () if block.get("type") == "input")


def _plain_text(text: str) -> dict[str, Any]:
    return {"type": "plain_text", "text": text, "emoji": False}
