"""A message that all see, its buttons under other names. Pure."""

from collections.abc import Mapping, Sequence
from typing import Any

from adapters.slack.render.buttons import read_press, renamed
from adapters.slack.render.texts import in_mrkdwn
from adapters.slack.requests.payloads import Payload
from bot.replies.blocks import Button


def with_names(message: Payload, buttons: Sequence[Button]) -> dict[str, Any] | None:
    """Return what a message is sent as again, its buttons called as those that type the same.

    `None` where it has no such button.

    Args:
        message: the message, as Slack gives it with a pressed button.
        buttons: what they are called.
    """
    names = {button.command: button for button in buttons}
    text, blocks = str(message.get("text") or ""), list(message.get("blocks") or ())
    rows = [(place, block) for place, block in enumerate(blocks) if block["type"] == "actions"]
    found = False
    for place, row in rows:
        elements = list(row["elements"])
        for number, element in enumerate(elements):
            if button := _named(element, names):
                text = _with_last(text, element["text"]["text"], button.label)
                elements[number] = renamed(element, button.label, button.aloud)
                found = True
        blocks[place] = {**row, "elements": elements}
    return {"text": text, "blocks": blocks} if found else None


def _named(element: Payload, names: Mapping[str, Button]) -> Button | None:
    if element["type"] != "button":
        return None
    press = read_press(element)
    return names.get(press.line) if press else None


def _with_last(text: str, label: str, other: str) -> str:
    """Return the words of a message with another label in the last place that has one."""
    before, there, after = text.rpartition(in_mrkdwn(f"[{label}]"))
    return f"{before}{in_mrkdwn(f'[{other}]')}{after}" if there else text
