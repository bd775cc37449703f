"""The channels that posts go to: names and tags of posts in a forum."""

import discord
import pytest

from adapters.discord.channels.channel_state import MAX_NAME, select_tags, thread_name
from bot.errors import NotAllowed


def tags(*names: str) -> list[discord.ForumTag]:
    """Return a forum's tags; those whose name ends in `!` are for moderators."""
    return [discord.ForumTag(name=each.rstrip("!"), moderated=each.endswith("!")) for each in names]


def names(chosen: list[discord.ForumTag]) -> list[str]:
    """Return what tags are called."""
    return [tag.name for tag in chosen]


def test_a_tag_is_found_by_slug_and_by_words() -> None:
    """A topic's tag is the one with its name, however that is written."""
    available = tags("Reasoning", "mixture of experts", "Long_Context", "RETRIEVAL")
    topics = ["retrieval", "mixture-of-experts", "long context", "safety"]
    assert names(select_tags(available, topics)) == [
        "RETRIEVAL",
        "mixture of experts",
        "Long_Context",
    ]


def test_five_tags_at_most_and_each_once() -> None:
    """A post gets the first five, as many as Discord takes."""
    topics = ["a", "b", "A", "c", "d", "e", "f"]
    assert names(select_tags(tags("f", "e", "d", "c", "b", "a"), topics)) == [
        "a",
        "b",
        "c",
        "d",
        "e",
    ]


def test_of_two_tags_of_one_name_the_first_is_taken() -> None:
    """The order is that of the forum."""
    available = tags("Agents", "agents")
    assert names(select_tags(available, ["agents"])) == ["Agents"]


def test_tags_for_moderators_are_theirs() -> None:
    """A moderated tag is set where the bot is a moderator, and else as if it weren't there."""
    available = tags("agents!", "math")
    assert names(select_tags(available, ["agents", "math"])) == ["math"]
    assert names(select_tags(available, ["agents"], moderator=True)) == ["agents"]


def test_a_forum_that_demands_a_tag_gets_its_first_where_none_fits() -> None:
    """A post is not lost for the want of a tag."""
    available = tags("Announcements!", "Papers", "Questions")
    assert names(select_tags(available, ["agents"], required=True)) == ["Papers"]
    assert select_tags(available, ["agents"]) == []


@pytest.mark.parametrize("available", [tags(), tags("Announcements!")])
def test_a_forum_that_demands_a_tag_and_has_none_says_what_is_missing(
    available: list[discord.ForumTag],
) -> None:
    """The error tells the forum's manager what to add."""
    with pytest.raises(NotAllowed) as caught:
        select_tags(available, ["agents"], required=True)
    assert (
        caught.value.sentence == "That forum asks for a tag, and has none that Broadsheet may set."
    )
    assert caught.value.remedy == "A manager adds a tag that everybody may use."


@pytest.mark.parametrize("title", ["word " * 40, "w" * 300, "\n\n", "", " a\n b  c "])
def test_a_name_is_one_line_within_the_limit(title: str) -> None:
    """A thread is always called something, in at most 100 characters."""
    name = thread_name(title)
    assert 1 <= len(name) <= MAX_NAME
    assert name == " ".join(name.split())


def test_a_short_title_is_the_name() -> None:
    """A title within the limit is not changed."""
    assert thread_name("Top AI papers, Jan 5–11") == "Top AI papers, Jan 5–11"
