"""Windows as Slack's views. Pure.

A window knows no more than what stands in it: its `private_metadata` is the line that the way
back from the next one asks for. https://docs.slack.dev/reference/views/modal-views
"""

from collections.abc import Sequence
from typing import Any

from adapters.slack.buttons import Press, Verb, button
from adapters.slack.forms import Entered, form_blocks
from adapters.slack.render import apology, render_view
from bot.commands.search import SEARCH
from bot.linked import ids_in_line
from bot.replies import Level, Notice, Reply

LOOKING = Reply((Notice(Level.INFO, "Looking…"),))
_MOST_BLOCKS = 100

View = dict[str, Any]


def search_window(
    entered: Entered, reply: Reply | None = None, line: str = SEARCH.name, part: int = 1
) -> View:
    """Return the search with what is entered, below it what was found.

    Args:
        entered: what stands in the form.
        reply: what stands below it.
        line: what asks for all that again.
        part: which part of the reply.
    """
    blocks = form_blocks(SEARCH, entered)
    if reply:
        room = _MOST_BLOCKS - len(blocks) - 1
        rendered = render_view(reply, part, most_blocks=room)
        blocks += [{"type": "divider"}, *rendered.blocks]
    return {**_modal("Search papers", blocks, line), "submit": _plain_text("Search")}


def answer_window(reply: Reply, back: str, *, here: str | None = None, part: int = 1) -> View:
    """Return an answer with a way back.

    Args:
        reply: the answer.
        back: the line that the way back asks for.
        here: the line that the ways back from further windows ask for, `back` where it is `None`.
        part: which part of the reply.
    """
    label = "Back to the papers" if ids_in_line(back) else "Back to the search"
    row = {"type": "actions", "elements": [button(label, Press(Verb.RUN, back), 0)]}
    rendered = render_view(reply, part, most_blocks=_MOST_BLOCKS - 1)
    return _modal("Papers", [row, *rendered.blocks], here or back)


def waiting_window() -> View:
    """Return what is shown until the answer is ready."""
    return _modal("Papers", render_view(LOOKING, most_blocks=_MOST_BLOCKS).blocks, "")


def sorry_window() -> View:
    """Return what is shown where an answer could not be made."""
    return _modal("Papers", apology().blocks, "")


def _modal(title: str, blocks: Sequence[dict[str, Any]], line: str) -> View:
    return {
        "type": "modal",
        "callback_id": SEARCH.name,
        "title": _plain_text(title),
        "close": _plain_text("Close"),
        "private_metadata": line,
        "blocks": list(blocks),
    }


def instead(view: View) -> View:
    """Return the acknowledgement of a form that puts another window in its place."""
    return {"response_action": "update", "view": view}


def _plain_text(text: str) -> dict[str, Any]:
    return {"type": "plain_text", "text": text, "emoji": False}
