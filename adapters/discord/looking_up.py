"""The papers that a message speaks of."""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import Any

import discord

from bot.commands.papers import SHOW
from bot.commands.search import SEARCH
from bot.linked import linked_papers, may_be_title, papers_reply, words_of
from bot.parsing import write
from bot.replies import Actions, Button, Level, Notice, Reply


async def looked_up(message: discord.Message, ask: Callable[[str], Awaitable[Reply]]) -> Reply:
    """Return what is known of the papers in a message; where there are none, the way to a search.

    `ask` answers a command line.
    """
    text = text_of(message)
    ids, words = linked_papers(text), words_of(text)
    known = [reply for each in ids if not (reply := await ask(_show(each))).failed]
    if not ids and may_be_title(words):
        known = [reply for reply in [await ask(_show(words))] if not reply.failed]
    if known:
        return known[0] if len(known) == 1 else papers_reply(known)
    return _unknown(ids, words)


def text_of(message: discord.Message) -> str:
    """Return what stands in a message or was forwarded by it, embeds and components included."""
    forwarded = (part for each in message.message_snapshots for part in _parts(each))
    parts = (*_parts(message), *forwarded)
    return "\n".join(part for part in parts if part)


def _parts(message: discord.Message | discord.MessageSnapshot) -> Iterator[str | None]:
    yield message.content
    for embed in message.embeds:
        yield from (embed.title, embed.url, embed.description, *_fields(embed))
    yield from _texts(message.components)


def _fields(embed: discord.Embed) -> Iterator[str | None]:
    for field in embed.fields:
        yield from (field.name, field.value)


def _texts(components: Sequence[Any]) -> Iterator[str]:
    """Yield the texts of components, wherever in one another they stand."""
    for each in components:
        if isinstance(each, discord.TextDisplay):
            yield each.content
        yield from _texts(getattr(each, "children", ()))


def _show(paper: str) -> str:
    return write(SHOW, {"paper": paper})


def _unknown(ids: Sequence[str], words: str) -> Reply:
    sentence = (
        f"No edition that is stored names {', '.join(ids)}."
        if ids
        else "That message names no paper that is stored."
    )
    if not words:
        remedy = "A paper is named by its address on arXiv, its arXiv id or its title."
        return Reply((Notice(Level.INFO, sentence, remedy),))
    search = write(SEARCH, {"query": words})
    return Reply(
        (
            Notice(Level.INFO, sentence, "Perhaps under another name?"),
            Actions((Button("Search for its words", search),)),
        )
    )
