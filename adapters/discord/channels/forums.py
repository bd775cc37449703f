"""The names and tags of forum posts. Pure."""

import re
from collections.abc import Iterable, Sequence

import discord

from bot.errors import NotAllowed
from bot.replies.wording import shorten

# https://docs.discord.com/developers/resources/channel#start-thread-from-message
MAX_NAME = 100
# https://docs.discord.com/developers/resources/channel#channel-object-channel-structure
_MAX_TAGS = 5
_DEFAULT_NAME = "AI papers"


def thread_name(title: str) -> str:
    """Return the name of a thread with a title."""
    return shorten(" ".join(title.split()), MAX_NAME) or _DEFAULT_NAME


def select_tags(
    available: Sequence[discord.ForumTag],
    topics: Iterable[str],
    *,
    required: bool = False,
    moderator: bool = False,
) -> list[discord.ForumTag]:
    """Return a forum's tags that are named like topics, in the order of the topics.

    Args:
        available: the tags of the forum.
        topics: slugs or words, the most important first.
        required: whether each post needs a tag. If none matches, the first one is selected.
        moderator: whether the bot may apply moderators' tags.

    Raises:
        NotAllowed: if a tag is required and the bot may apply none.
    """
    usable = [tag for tag in available if moderator or not tag.moderated]
    by_name = {_normalized(tag.name): tag for tag in reversed(usable)}
    names = dict.fromkeys(map(_normalized, topics))
    selected = [by_name[name] for name in names if name in by_name][:_MAX_TAGS]
    if selected or not required:
        return selected
    if not usable:
        raise NotAllowed(
            "That forum asks for a tag, and has none that Broadsheet may set.",
            "A manager adds a tag that everybody may use.",
            "40066",
        )
    return usable[:1]


def _normalized(name: str) -> str:
    return re.sub(r"[\s_-]+", " ", name).strip().casefold()
