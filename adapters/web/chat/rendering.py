"""Answers and the page of the chat as HTML. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from markupsafe import Markup

from adapters.common.files import missing_alt, replace_files
from adapters.web.chat.conversations import Exchange
from adapters.web.pages.page import PageFacts
from adapters.web.pages.rendering import Renderer
from bot.commands.parser import LONGEST_COMMAND_STRING
from bot.domain.page_paths import CHAT, relative
from bot.domain.untrusted_text import without_controls
from bot.replies.blocks import Reply

_TO_ASK = (
    "what's new this week",
    "best papers on agents",
    "anything on small models",
    "what's trending",
    "surprise me",
    "catch up in 10 minutes",
    "help",
)


class ChatRenderer:
    """Renders the chat by the templates of pages."""

    def __init__(self) -> None:
        self._renderer = Renderer(has_chat=True)

    def answer(self, reply: Reply) -> Markup:
        """Return an answer as a part of the page; its buttons belong to the form `press`."""
        shown = replace_files(reply, lambda file: replace(file, alt=missing_alt(file, reply)))
        blocks = [(type(block).__name__, block) for block in shown.blocks]
        return self._rendered("answer.html", "", {"reply": shown, "blocks": blocks})

    def page(self, reader: str, exchanges: Sequence[Exchange], examples: Iterable[str]) -> str:
        """Return the page of a reader with their exchanges, the newest first.

        What was typed before and the examples complete a line.
        """
        lines = (each.line for each in exchanges)
        facts = {
            "reader": reader,
            "exchanges": exchanges,
            "to_ask": _TO_ASK,
            "completions": [*dict.fromkeys((*lines, *examples))],
            "longest": LONGEST_COMMAND_STRING,
        }
        title = f"{exchanges[0].line} · Chat" if exchanges else "Chat"
        return self._rendered("chat.html", title, facts)

    def _rendered(self, template: str, title: str, facts: dict[str, Any]) -> Markup:
        page = PageFacts(CHAT, template, title, "Ask for papers in your own words.", facts)
        html = self._renderer.render(page, partial(relative, seen_from=CHAT))
        return Markup(without_controls(html))  # noqa: S704 - the templates escape all texts
