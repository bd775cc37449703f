"""What a button in Slack carries: a command typed for you, and which part of its answer.

A button's whole meaning stands in its value and the beginning of its action id, so it works
after a restart and on any replica. That of a menu stands in the values of its options.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

# https://docs.slack.dev/reference/block-kit/block-elements/button-element
LONGEST_LABEL = 75
# https://docs.slack.dev/reference/block-kit/composition-objects/option-object
LONGEST_OPTION = 75
_LONGEST_VALUE = 150
# https://docs.slack.dev/reference/block-kit/block-elements/select-menu-element
MOST_OPTIONS = 100


class Verb(StrEnum):
    """What pressing does: answer, turn to another page of what is seen, share that, or ask first.

    `FORM` opens the form of the command, its arguments filled in.
    """

    RUN = "run"
    TURN = "turn"
    SHARE = "share"
    FORM = "form"


@dataclass(frozen=True, slots=True)
class Press:
    """A button pressed: a command line and the part (from 1) of the answer to it."""

    verb: Verb
    line: str
    part: int = 1

    @property
    def value(self) -> str:
        """What of it stands in a button or in an option of a menu, beside the verb."""
        return f"{self.part} {self.line}"


def button(label: str, press: Press, number: int, aloud: str = "") -> dict[str, Any]:
    """Return a button element; `number` tells it from the others of its message.

    `aloud` is what a screen reader says instead of the label.
    """
    made = {
        "type": "button",
        "text": _plain(_cut(label) or "…"),
        "action_id": f"{press.verb.value}-{number}",
        "value": press.value,
    }
    return {**made, "accessibility_label": _cut(aloud)} if aloud else made


def menu(name: str, options: Sequence[tuple[str, str]], number: int) -> dict[str, Any]:
    """Return a menu element of labels and lines; what is picked is pressed."""
    return {
        "type": "static_select",
        "action_id": f"{Verb.RUN.value}-{number}",
        "placeholder": _plain(name),
        "options": [
            {"text": _plain(label), "value": Press(Verb.RUN, line).value} for label, line in options
        ],
    }


def renamed(element: Mapping[str, Any], label: str, aloud: str) -> dict[str, Any]:
    """Return a button element under another name."""
    named = {**element, "text": _plain(_cut(label) or "…")}
    return {**named, "accessibility_label": _cut(aloud)} if aloud else named


def is_pickable(line: str) -> bool:
    """Tell whether a line fits behind an option of a menu."""
    return len(Press(Verb.RUN, line).value) <= _LONGEST_VALUE


def read_press(action: Mapping[str, Any]) -> Press | None:
    """Return what a pressed button or a picked option meant, `None` where it is none of ours."""
    verb, _, _ = str(action.get("action_id", "")).partition("-")
    picked = action.get("selected_option") or action
    part, _, line = str(picked.get("value", "")).partition(" ")
    if verb not in set(Verb) or not part.isdecimal():
        return None
    return Press(Verb(verb), line, int(part))


def _cut(label: str) -> str:
    return label if len(label) <= LONGEST_LABEL else f"{label[: LONGEST_LABEL - 1]}…"


def _plain(words: str) -> dict[str, Any]:
    return {"type": "plain_text", "text": words, "emoji": False}
