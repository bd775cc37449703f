"""Replies taken apart: their buttons, the papers that they list, and their first line."""

from bot.replies.blocks import Actions, Button, Moments, PaperLine, PaperList, Reply
from bot.replies.plain_text import plain_text


def all_buttons(reply: Reply) -> list[Button]:
    """Return the buttons of a reply as they stand."""
    return [button for row in reply.blocks if isinstance(row, Actions) for button in row.buttons]


def buttons(reply: Reply) -> dict[str, Button]:
    """Return the buttons of a reply by their labels."""
    return {button.label: button for button in all_buttons(reply)}


def pressed(reply: Reply) -> dict[str, str]:
    """Return what the buttons of a reply type, by their labels."""
    return {button.label: button.command for button in all_buttons(reply)}


def commands(reply: Reply) -> list[str]:
    """Return what the buttons of a reply type."""
    return [button.command for button in all_buttons(reply)]


def lines(reply: Reply) -> list[PaperLine]:
    """Return the papers that a reply lists."""
    return [paper for each in reply.blocks if isinstance(each, PaperList) for paper in each.papers]


def titles(reply: Reply) -> list[str]:
    """Return the titles of the papers that a reply lists."""
    return [paper.title for paper in lines(reply)]


def refs(reply: Reply) -> list[str]:
    """Return the refs of the papers that a reply lists."""
    return [paper.ref for paper in lines(reply)]


def first_line(reply: Reply) -> str:
    """Return the first line of a reply as a screen reader reads it."""
    return plain_text(reply).splitlines()[0]


def instants(reply: Reply) -> list[str]:
    """Return the instants of a reply, in UTC."""
    blocks = [block for block in reply.blocks if isinstance(block, Moments)]
    return [f"{at:%Y-%m-%dT%H:%M}" for block in blocks for _, at in block.pairs]
