"""Buttons that carry a command string and which part of its answer they ask for. Pure.

The command is in the button's value and the effect in its action id, so that a button works after a
restart and on any replica. A menu carries commands in the values of its options.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from adapters.common.layout.elements import ButtonAction, Effect
from adapters.common.layout.pieces import MenuOption, MenuPick
from adapters.slack.render.mrkdwn import in_mrkdwn
from bot.replies.blocks import Button

# https://docs.slack.dev/reference/block-kit/block-elements/button-element
LONGEST_LABEL = 75
# https://docs.slack.dev/reference/block-kit/composition-objects/option-object
LONGEST_OPTION = 75
# https://docs.slack.dev/reference/block-kit/block-elements/select-menu-element
MOST_OPTIONS = 100
_AUTHOR = re.compile(r"@(\w*)")


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
        "action_id": _action_id(action.effect, number, action.by),
        "value": f"{action.part} {action.command}",
    }
    return {**element, "accessibility_label": _cut(aloud)} if aloud else element


def menu(
    name: str, options: Iterable[MenuPick], number: int, by: str | None = None
) -> dict[str, Any]:
    """Return a menu element."""
    return {
        "type": "static_select",
        "action_id": _action_id(Effect.RUN, number, by),
        "placeholder": plain_text(name),
        "options": _options(options),
    }


def overflow(options: Iterable[MenuOption], number: int, by: str | None = None) -> dict[str, Any]:
    """Return a menu of at most five options behind three dots.

    https://docs.slack.dev/reference/block-kit/block-elements/overflow-menu-element
    """
    return {
        "type": "overflow",
        "action_id": _action_id(Effect.RUN, number, by),
        "options": _options(options),
    }


def read_action(action: Mapping[str, Any]) -> ButtonAction | None:
    """Return the action of a pressed button or picked option, `None` if it is not the bot's."""
    action_id = str(action.get("action_id", ""))
    effect, author = action_id.partition("-")[0], _AUTHOR.search(action_id)
    picked = action.get("selected_option") or action
    part, _, command = str(picked.get("value", "")).partition(" ")
    if effect not in set(Effect) or not part.isdecimal():
        return None
    return ButtonAction(Effect(effect), command, int(part), author[1] if author else None)


def _action_id(effect: Effect, number: int, by: str | None) -> str:
    """Return an id that is unique in the message."""
    return f"{effect.value}-{number}" if by is None else f"{effect.value}-{number}@{by}"


def _options(options: Iterable[MenuOption | MenuPick]) -> list[dict[str, Any]]:
    return [{"text": plain_text(each.label), "value": f"1 {each.command}"} for each in options]


def _cut(label: str) -> str:
    return label if len(label) <= LONGEST_LABEL else f"{label[: LONGEST_LABEL - 1]}…"


def plain_text(text: str) -> dict[str, Any]:
    """Return a `plain_text` object."""
    return {"type": "plain_text", "text": text, "emoji": False}


def relabelled(message: Mapping[str, Any], buttons: Sequence[Button]) -> dict[str, Any] | None:
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
                elements[j] = _relabelled(element, button)
                found = True
        blocks[i] = {**block, "elements": elements}
    return {"text": text, "blocks": blocks} if found else None


def _relabelled(element: Mapping[str, Any], button: Button) -> dict[str, Any]:
    changed = {**element, "text": plain_text(_cut(button.label) or "…")}
    return {**changed, "accessibility_label": _cut(button.aloud)} if button.aloud else changed


def _new_button(element: Mapping[str, Any], by_command: Mapping[str, Button]) -> Button | None:
    action = read_action(element) if element["type"] == "button" else None
    return by_command.get(action.command) if action else None


def _replace_last(text: str, label: str, new_label: str) -> str:
    """Return a message's fallback text with the last place of a label replaced."""
    before, found, after = text.rpartition(in_mrkdwn(f"[{label}]"))
    return f"{before}{in_mrkdwn(f'[{new_label}]')}{after}" if found else text
