"""The message command: looking up the papers that a message mentions."""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import Any

import discord

from bot.commands.handlers.papers import MENTION, SHOW
from bot.commands.handlers.search import SEARCH
from bot.commands.parser import command_string
from bot.commands.types import Call
from bot.library.links_in_text import linked_papers, may_be_title, papers_reply, words_of
from bot.replies.blocks import Actions, Button, Level, Notice, Reply


async def look_up_papers(
    message: discord.Message, run: Callable[[Call], Awaitable[Reply]]
) -> Reply:
    """Return the papers that a message mentions, or a button for a search if there are none.

    One paper is shown, several are listed, which does not mark them as seen. `run` runs a command.
    """
    text = text_of(message)
    ids, words = linked_papers(text), words_of(text)
    names = ids or ([words] if may_be_title(words) else [])
    replies = {each: await run(Call(MENTION, {"paper": each})) for each in names}
    found = {each: reply for each, reply in replies.items() if not reply.failed}
    if len(found) > 1:
        return papers_reply([*found.values()])
    for each in found:
        return await run(Call(SHOW, {"paper": each}))
    return _not_found(ids, words)


def text_of(message: discord.Message) -> str:
    """Return the text of a message and its forwarded ones, with embeds and components."""
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
    """Yield the texts of components, nested ones included."""
    for each in components:
        if isinstance(each, discord.TextDisplay):
            yield each.content
        yield from _texts(getattr(each, "children", ()))


def _not_found(ids: Sequence[str], words: str) -> Reply:
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
