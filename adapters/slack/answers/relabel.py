"""New labels for the buttons of a posted message. Pure."""

from collections.abc import Mapping, Sequence
from typing import Any

from adapters.slack.render.buttons import read_action, relabelled_button
from adapters.slack.render.escape import in_mrkdwn
from adapters.slack.requests.payloads import Payload
from bot.replies.blocks import Button


def relabelled(message: Payload, buttons: Sequence[Button]) -> dict[str, Any] | None:
    """Return the text and blocks of a message whose buttons take the labels of `buttons`.

    Buttons correspond by their commands. Return `None` if no button does.

    Args:
        message: the message, as Slack sends it with a pressed button.
        buttons: the buttons with new labels.
    """
    by_command = {button.command: button for button in buttons}
    text, blocks = str(message.get("text") or ""), list(message.get("blocks") or ())
    found = False
    for i, block in enumerate(blocks):
        if block["type"] != "actions":
            continue
        elements = list(block["elements"])
        for j, element in enumerate(elements):
            if button := _new_button(element, by_command):
                text = _replace_last(text, element["text"]["text"], button.label)
                elements[j] = relabelled_button(element, button.label, button.aloud)
                found = True
        blocks[i] = {**block, "elements": elements}
    return {"text": text, "blocks": blocks} if found else None


def _new_button(element: Payload, by_command: Mapping[str, Button]) -> Button | None:
    action = read_action(element) if element["type"] == "button" else None
    return by_command.get(action.command) if action else None


def _replace_last(text: str, label: str, new_label: str) -> str:
    """Return a message's fallback text with the last place of a label replaced."""
    before, found, after = text.rpartition(in_mrkdwn(f"[{label}]"))
    return f"{before}{in_mrkdwn(f'[{new_label}]')}{after}" if found else text
