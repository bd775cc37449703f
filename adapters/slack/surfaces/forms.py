"""A form made from a command's declaration, and what was entered into one. Pure.

https://docs.slack.dev/reference/block-kit/blocks/input-block
"""

from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Any

from adapters.slack.requests.payloads import Payload
from adapters.slack.surfaces.inputs import (
    element,
    is_typed,
    options_payload,
    plain_text,
    read_element,
)
from bot.commands.types import Command, Param
from bot.errors import Option

__all__ = [
    "Entered", "Offers", "errors_beside", "form_blocks", "options_payload", "read_form",
]  # fmt: skip

Entered = Mapping[str, Option]
Offers = Mapping[str, Sequence[Option]]


def form_blocks(
    command: Command, entered: Entered, offers: Offers | None = None
) -> list[dict[str, Any]]:
    """Return an input a parameter of a command.

    Args:
        command: the command.
        entered: what stands in each, by name.
        offers: what those may be that are chosen from a list in the form, by name.
    """
    inputs = []
    explained: set[str] = set()
    for param in command.shown:
        made = element(param, entered.get(param.name), (offers or {}).get(param.name, ()))
        explain = is_typed(made) and param.type.expected not in explained
        inputs.append(_input(param, made, entered.get(param.name), explain=explain))
        if explain:
            explained.add(param.type.expected)
    return inputs


def read_form(command: Command, view: Payload) -> dict[str, Option]:
    """Return what was entered into a form, by the name of the parameter."""
    names = {param.name for param in command.shown}
    found = ((name, read_element(made, state)) for name, made, state in _elements(view))
    return {name: option for name, option in found if option and name in names}


def errors_beside(view: Payload, errors: Mapping[str, str]) -> dict[str, str]:
    """Return errors, given by the name of the parameter, by the inputs of a form."""
    inputs = ((block["block_id"], block["element"]["action_id"]) for block in _inputs(view))
    return {block_id: errors[name] for block_id, name in inputs if name in errors}


def _input(
    param: Param, made: dict[str, Any], entered: Option | None, *, explain: bool
) -> dict[str, Any]:
    return {
        "type": "input",
        "block_id": _block_id(param, entered),
        "label": plain_text(param.label or param.summary),
        "optional": not param.required,
        "element": made,
        **({"hint": plain_text(param.type.expected)} if explain else {}),
    }


def _block_id(param: Param, entered: Option | None) -> str:
    """Return an id that changes with what is entered.

    An input that keeps its ids while a view is updated keeps what its user sees in it too:
    https://docs.slack.dev/reference/views/modal-views
    """
    value = entered.value if entered else ""
    return f"{param.name}-{blake2b(value.encode(), digest_size=6).hexdigest()}"


def _elements(view: Payload) -> Iterator[tuple[str, Payload, Payload | None]]:
    """Give each input's name, its element, and what is in it."""
    values = (view.get("state") or {}).get("values") or {}
    for block in _inputs(view):
        made = block["element"]
        name = made["action_id"]
        yield name, made, (values.get(block["block_id"]) or {}).get(name)


def _inputs(view: Payload) -> Iterator[Payload]:
    return (block for block in view.get("blocks") or () if block.get("type") == "input")
