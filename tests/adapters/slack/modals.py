"""What people do with forms: ask, open one, press a button in its window; and what stands there."""

from typing import Any

from tests.fakes.slack import FakeSlack, Message, View
from tests.fakes.slack.records import buttons


def entered(view: View) -> dict[str, Any]:
    """Return what stands in the inputs of a window."""
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
    """Return the words on a window's buttons."""
    return [button["text"]["text"] for _, button in buttons(view.blocks)]


async def opened(slack: FakeSlack, target: Message | View, label: str) -> View:
    """Press a button that opens a form in a window of its own, and return that."""
    await slack.click(target, label)
    await slack.settled(slack.modals)
    [window] = slack.modals()
    await slack.settled(lambda: "Looking…" not in str(window.blocks))
    return window


async def changed(slack: FakeSlack, window: View, label: str) -> View:
    """Press a button of a window and wait until it shows something else."""
    seen = window.hash
    await slack.click(window, label)
    await slack.settled(lambda: window.hash != seen)
    return window


async def shown_at_last(slack: FakeSlack, window: View, words: str) -> None:
    """Wait until a window shows some words."""
    await slack.settled(lambda: words in str(window.blocks))


async def seen_at_last(slack: FakeSlack, number: int) -> Message:
    """Wait until U1 sees so many messages in C1, and return the last."""
    await slack.settled(lambda: len(slack.seen()) == number)
    return slack.seen()[-1]
