"""The papers that a message speaks of."""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import Any

import discord

from bot.commands.handlers.papers import MENTION, SHOW
from bot.commands.handlers.search import SEARCH
from bot.commands.parser import command_string
from bot.commands.types import Call
from bot.library.links_in_text import linked_papers, may_be_title, papers_reply, words_of
from bot.replies.blocks import Actions, Button, Level, Notice, Reply


async def looked_up(message: discord.Message, ask: Callable[[Call], Awaitable[Reply]]) -> Reply:
    """Return what is known of the papers in a message; where there are none, the way to a search.

    Several are listed, and by that nobody has opened one. `ask` answers a command.
    """
    text = text_of(message)
    ids, words = linked_papers(text), words_of(text)
    named = ids or ([words] if may_be_title(words) else [])
    told = {each: await ask(Call(MENTION, {"paper": each})) for each in named}
    known = {each: reply for each, reply in told.items() if not reply.failed}
    if len(known) > 1:
        return papers_reply([*known.values()])
    for each in known:
        return await ask(Call(SHOW, {"paper": each}))
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


def _unknown(ids: Sequence[str], words: str) -> Reply:
    sentence = (
        f"No edition that is stored names {', '.join(ids)}."
        if ids
        else "That message names no paper that is stored."
    )
    if not words:
        remedy = "A paper is named by its address on arXiv, its arXiv id or its title."
        return Reply((Notice(Level.INFO, sentence, remedy),))
    search = command_string(SEARCH, {"query": words})
    return Reply(
        (
            Notice(Level.INFO, sentence, "Perhaps under another name?"),
            Actions((Button("Search for its words", search),)),
        )
    )
