"""What a button in Slack carries: a command typed for you, and which part of its answer.

A button's whole meaning stands in its value and the beginning of its action id, so it works
after a restart and on any replica.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

# https://docs.slack.dev/reference/block-kit/block-elements/button-element
LONGEST_LABEL = 75


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


def button(label: str, press: Press, number: int) -> dict[str, Any]:
    """Return a button element; `number` tells it from the others of its message."""
    shown = label if len(label) <= LONGEST_LABEL else f"{label[: LONGEST_LABEL - 1]}…"
    return {
        "type": "button",
        "text": {"type": "plain_text", "text": shown or "…", "emoji": False},
        "action_id": f"{press.verb.value}-{number}",
        "value": f"{press.part} {press.line}",
    }


def read_press(action: Mapping[str, Any]) -> Press | None:
    """Return what a pressed button meant, `None` where it is none of ours."""
    verb, _, _ = str(action.get("action_id", "")).partition("-")
    part, _, line = str(action.get("value", "")).partition(" ")
    if verb not in set(Verb) or not part.isdecimal():
        return None
    return Press(Verb(verb), line, int(part))
