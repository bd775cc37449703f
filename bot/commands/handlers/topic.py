"""The topic command: the papers of a topic, or the topics."""

from collections.abc import Mapping, Sequence

from bot.commands.params.scalars import PAGE
from bot.commands.params.topics_and_sources import TOPIC
from bot.commands.parser import pager
from bot.commands.types import Command, Context, Group, Param
from bot.domain.topics import all_topics
from bot.errors import Suggestion, UserError
from bot.library.paper_lookup import nothing_stored
from bot.replies.blocks import Actions, Button, Fields, Reply, Title
from bot.replies.papers import topic_reply
from bot.replies.wording import count
from store.library import mentions, statistics

_PAGE = 10
_OFFERED = 6


async def topic(context: Context, topic: str | None = None, page: int = 1) -> Reply:
    """List one topic's papers, newest first; without a topic the topics with their counts."""
    summaries = {each.slug: each.summary for each in all_topics()}
    if topic is None:
        return _topics_reply(await _counts(context), summaries)
    total = await context.content.read(statistics.count_papers, topic)
    offset = (page - 1) * _PAGE
    papers = await context.content.read(mentions.of_topic, topic, _PAGE, offset)
    if not papers:
        raise await nothing_on(context, topic, total)
    return topic_reply(
        f"{topic}: {summaries[topic]}",
        papers,
        f"{count(total, 'paper')}, newest first",
        pager(TOPIC_OF, context, page, more=total > offset + _PAGE),
        await context.count_votes({each.entry.ref for each in papers}),
    )


async def _counts(context: Context) -> list[statistics.TopicCount]:
    counts = await context.content.read(statistics.topic_counts)
    if counts:
        return counts
    if await context.content.read(statistics.count_papers):
        raise UserError("No paper has a topic yet.", "search finds papers by any word.")
    raise nothing_stored()


async def nothing_on(context: Context, topic: str, total: int = 0) -> UserError:
    """Return the error for a page of a topic, which has so many papers, that shows none."""
    if total:
        first = Suggestion("The first page", f"topic {topic}")
        return UserError(f"{topic} has no page so far on.", suggestions=(first,))
    others = tuple(
        Suggestion(each.topic, f"topic {each.topic}") for each in (await _counts(context))[:3]
    )
    return UserError(f"No paper on {topic} is stored yet.", "Others have papers:", others)


def _topics_reply(counts: Sequence[statistics.TopicCount], summaries: Mapping[str, str]) -> Reply:
    pairs = tuple(
        (f"{each.topic} · {count(each.papers, 'paper')}", summaries.get(each.topic, ""))
        for each in counts
    )
    buttons = tuple(Button(each.topic, f"topic {each.topic}") for each in counts[:_OFFERED])
    return Reply((Title("Topics"), Fields(pairs), Actions(buttons)))


TOPIC_OF = Command(
    name="topic",
    group=Group.LOOKUP,
    summary="One topic's papers, newest first; without a name the topics with their counts",
    handler=topic,
    params=(
        Param("topic", "The topic to list", TOPIC),
        Param("page", "The page of the list", PAGE, key="page", hidden=True),
    ),
    examples=("topic", "topic reasoning", "topic rag"),
)
