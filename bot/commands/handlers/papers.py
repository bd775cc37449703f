"""Commands about one paper."""

from dataclasses import replace

from bot.commands.handlers.topics import nothing_on
from bot.commands.params.papers import PAPER
from bot.commands.params.topics import TOPIC
from bot.commands.parser import write
from bot.commands.types import Command, Context, Group, Param
from bot.library.paper_lookup import nothing_stored
from bot.replies.blocks import Reply
from bot.replies.papers import paper_reply, random_reply, related_reply
from store.library import arxiv, mentions, statistics
from store.library.related import related_to
from store.readers import seen
from store.records import Mention

_RELATED_SHOWN = 3
_RELATED = 10


async def show(context: Context, paper: Mention) -> Reply:
    """Show all about one paper, which the asker has seen from then on."""
    reply = await _shown(context, paper)
    context.members.soon(_note_seen(context, paper))
    return reply


async def _shown(context: Context, paper: Mention) -> Reply:
    featured = await context.content.read(mentions.of_paper, paper.paper_id)
    related = await context.content.read(related_to, paper, _RELATED_SHOWN)
    told = await context.content.read(arxiv.of_paper, paper.paper_id)
    return paper_reply(paper, featured, related, told)


async def _note_seen(context: Context, paper: Mention) -> None:
    """Note what the asker has seen; most often that is known, and nothing is to be written."""
    person, ref = context.actor.person, paper.entry.ref
    if not await context.members.read(seen.is_seen, person, ref):
        await context.members.write_rows(seen.open_paper, person, ref, context.wall.now())


async def related(context: Context, paper: Mention) -> Reply:
    """List the papers that are most like one."""
    found = await context.content.read(related_to, paper, _RELATED)
    return related_reply(paper, found)


async def random(context: Context, topic: str | None = None) -> Reply:
    """Show a paper that chance picks, of one topic or any."""
    number = await context.content.read(statistics.count_papers, topic)
    if not number:
        raise await nothing_on(context, topic) if topic else nothing_stored()
    chosen = context.dice.randrange(number)
    [paper] = await context.content.read(mentions.of_topic, topic, 1, chosen)
    return random_reply(await _shown(context, paper), write(RANDOM, {"topic": topic}))


_PAPER = Param("paper", "The paper", PAPER, required=True)

SHOW = Command(
    name="show",
    group=Group.LOOKUP,
    summary="All about one paper: summary, highlights, links, topics, where it was featured",
    handler=show,
    params=(_PAPER,),
    examples=("show 3", "show E171", "show 2501.12948", "show attention is all you need"),
)
# Answers the same where a paper is only to be listed, and by that nobody has opened it.
MENTION = replace(SHOW, handler=_shown)
RELATED = Command(
    name="related",
    group=Group.LOOKUP,
    summary="The papers that are most like one",
    handler=related,
    params=(_PAPER,),
    examples=("related 1", "related 2501.12948"),
)
RANDOM = Command(
    name="random",
    group=Group.LOOKUP,
    summary="A paper that chance picks",
    handler=random,
    params=(Param("topic", "Only papers of this topic", TOPIC, key="topic"),),
    examples=("random", "random topic:reasoning"),
)
