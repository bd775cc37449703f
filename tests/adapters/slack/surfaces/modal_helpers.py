"""Helpers that open modals, press their buttons and read their contents."""

from typing import Any

from tests.fakes.slack import FakeSlack, Message, View
from tests.fakes.slack.records import buttons


def entered(view: View) -> dict[str, Any]:
    """Return the initial values of a modal's inputs."""
    shown = {}
    for element in (block["element"] for block in view.blocks if block["type"] == "input"):
        first = {key: value for key, value in element.items() if key[:8] == "initial_"}
        for value in first.values():
            options = value if isinstance(value, list) else [value]
            values = [each["value"] if isinstance(each, dict) else each for each in options]
            shown[element["action_id"]] = ",".join(values)
    return shown


def titles(view: View) -> tuple[str, str]:
    """Return the title of a form and the words on its button."""
    return view.payload["title"]["text"], view.payload["submit"]["text"]


def labels(view: View) -> list[str]:
    """Return the labels of a modal's buttons."""
    return [button["text"]["text"] for _, button in buttons(view.blocks)]


async def opened(slack: FakeSlack, target: Message | View, label: str) -> View:
    """Press a button that opens a form, and return its modal."""
    await slack.click(target, label)
    await slack.settled(slack.modals)
    [modal] = slack.modals()
    await slack.settled(lambda: "Looking…" not in str(modal.blocks))
    return modal


async def changed(slack: FakeSlack, modal: View, label: str) -> View:
    """Press a button of a modal and wait until the modal shows its answer."""
    seen = modal.hash
    await slack.click(modal, label)
    await slack.settled(lambda: modal.hash != seen and "Looking…" not in str(modal.blocks))
    return modal


async def shown_at_last(slack: FakeSlack, modal: View, words: str) -> None:
    """Wait until a modal shows some words."""
    await slack.settled(lambda: words in str(modal.blocks))


async def seen_at_last(slack: FakeSlack, number: int) -> Message:
    """Wait until U1 sees so many messages in C1, and return the last."""
    await slack.settled(lambda: len(slack.seen()) == number)
    return slack.seen()[-1]
