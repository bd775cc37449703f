"""What a post in a forum is called, and which of the forum's tags it gets. Pure."""

import re
from collections.abc import Iterable, Sequence

import discord

from bot.errors import NotAllowed
from bot.replies.wording import shorten

# https://docs.discord.com/developers/resources/channel#start-thread-from-message
LONGEST_NAME = 100
# https://docs.discord.com/developers/resources/channel#channel-object-channel-structure
MOST_TAGS = 5
_NAMELESS = "AI papers"


def thread_name(title: str) -> str:
    """Return a title as the name of a thread."""
    return shorten(" ".join(title.split()), LONGEST_NAME) or _NAMELESS


def chosen_tags(
    available: Sequence[discord.ForumTag],
    topics: Iterable[str],
    *,
    demanded: bool = False,
    moderator: bool = False,
) -> list[discord.ForumTag]:
    """Return the tags that a forum has under the names of topics, in the order of the topics.

    Args:
        available: the tags of the forum.
        topics: slugs or words, the most important first.
        demanded: whether the forum takes no post without a tag. Where none fits it gets the
            first one.
        moderator: whether the bot may set the tags that are for moderators.

    Raises:
        NotAllowed: where a tag is demanded and there is none that the bot may set.
    """
    usable = [tag for tag in available if moderator or not tag.moderated]
    by_name = {_folded(tag.name): tag for tag in reversed(usable)}
    wanted = dict.fromkeys(map(_folded, topics))
    chosen = [by_name[name] for name in wanted if name in by_name][:MOST_TAGS]
    if chosen or not demanded:
        return chosen
    if not usable:
        raise NotAllowed(
            "That forum asks for a tag, and has none that Broadsheet may set.",
            "A manager adds a tag that everybody may use.",
            "40066",
        )
    return usable[:1]


def _folded(name: str) -> str:
    return re.sub(r"[\s_-]+", " ", name).strip().casefold()
