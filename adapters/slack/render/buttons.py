"""Buttons that carry a command string and which part of its answer they ask for.

The command is in the button's value and the verb in its action id, so that a button works after a
restart and on any replica. A menu carries commands in the values of its options.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

# https://docs.slack.dev/reference/block-kit/block-elements/button-element
LONGEST_LABEL = 75
# https://docs.slack.dev/reference/block-kit/composition-objects/option-object
LONGEST_OPTION = 75
# https://docs.slack.dev/reference/block-kit/block-elements/select-menu-element
MOST_OPTIONS = 100
_AUTHOR = re.compile(r"@(\w*)")


class Verb(StrEnum):
    """The effect of a button.

    `RUN` answers the command, `TURN` shows another page in place, `SHARE` posts the answer to the
    channel, and `FORM` opens the command's form with its arguments filled in.
    """

    RUN = "run"
    TURN = "turn"
    SHARE = "share"
    FORM = "form"


@dataclass(frozen=True, slots=True)
class ButtonAction:
    """A button's verb, its command string and the part (from 1) of the answer.

    `by` is the id of the user whose words the command holds, or who shared the answer; empty for
    somebody unknown, `None` for nobody.
    """

    verb: Verb
    command: str
    part: int = 1
    by: str | None = None

    @property
    def value(self) -> str:
        """The `value` of the button or menu option."""
        return f"{self.part} {self.command}"


def button(label: str, action: ButtonAction, number: int, aloud: str = "") -> dict[str, Any]:
    """Return a button element.

    Args:
        label: its text, cut where it is too long.
        action: what it does.
        number: makes its action id unique in the message.
        aloud: what a screen reader says instead of the label.
    """
    element = {
        "type": "button",
        "text": plain_text(_cut(label) or "…"),
        "action_id": _action_id(action.verb, number, action.by),
        "value": action.value,
    }
    return {**element, "accessibility_label": _cut(aloud)} if aloud else element


def menu(
    name: str, options: Sequence[tuple[str, str]], number: int, by: str | None = None
) -> dict[str, Any]:
    """Return a menu element; its options are labels and the commands that they run."""
    return {
        "type": "static_select",
        "action_id": _action_id(Verb.RUN, number, by),
        "placeholder": plain_text(name),
        "options": _options(options),
    }


def overflow(
    options: Sequence[tuple[str, str]], number: int, by: str | None = None
) -> dict[str, Any]:
    """Return a menu of at most five options behind three dots.

    https://docs.slack.dev/reference/block-kit/block-elements/overflow-menu-element
    """
    return {
        "type": "overflow",
        "action_id": _action_id(Verb.RUN, number, by),
        "options": _options(options),
    }


def relabelled_button(element: Mapping[str, Any], label: str, aloud: str) -> dict[str, Any]:
    """Return a button element with another label."""
    changed = {**element, "text": plain_text(_cut(label) or "…")}
    return {**changed, "accessibility_label": _cut(aloud)} if aloud else changed


def read_action(action: Mapping[str, Any]) -> ButtonAction | None:
    """Return the action of a pressed button or picked option, `None` if it is not the bot's."""
    action_id = str(action.get("action_id", ""))
    verb, author = action_id.partition("-")[0], _AUTHOR.search(action_id)
    picked = action.get("selected_option") or action
    part, _, command = str(picked.get("value", "")).partition(" ")
    if verb not in set(Verb) or not part.isdecimal():
        return None
    return ButtonAction(Verb(verb), command, int(part), author[1] if author else None)


def _action_id(verb: Verb, number: int, by: str | None) -> str:
    """Return an id that is unique in the message."""
    return f"{verb.value}-{number}" if by is None else f"{verb.value}-{number}@{by}"


def _options(options: Sequence[tuple[str, str]]) -> list[dict[str, Any]]:
    return [
        {"text": plain_text(label), "value": ButtonAction(Verb.RUN, command).value}
        for label, command in options
    ]


def _cut(label: str) -> str:
    return label if len(label) <= LONGEST_LABEL else f"{label[: LONGEST_LABEL - 1]}…"


def plain_text(text: str) -> dict[str, Any]:
    """Return a `plain_text` object."""
    return {"type": "plain_text", "text": text, "emoji": False}
