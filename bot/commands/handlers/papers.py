"""The commands show, related and random: one paper, and papers like it."""

from dataclasses import replace

from bot.commands.handlers.topic import nothing_on
from bot.commands.params.papers import PAPER
from bot.commands.params.topics_and_sources import TOPIC
from bot.commands.types import Command, Context, Group, Param
from bot.library.paper_lookup import nothing_stored
from bot.replies.blocks import Reply
from bot.replies.papers import paper_reply, random_reply, related_reply
from store.library import arxiv, mentions, statistics
from store.library.mentions import related_to
from store.readers import seen
from store.readers import votes as own_votes
from store.records import Mention

_RELATED_SHOWN = 3
_RELATED = 10


async def show(context: Context, paper: Mention) -> Reply:
    """Show a paper in full, and note that the user has seen it."""
    reply = await _show(context, paper)
    context.background.start(_note_seen(context, paper))
    return reply


async def _show(context: Context, paper: Mention) -> Reply:
    featured = await context.content.read(mentions.of_paper, paper.paper_id)
    related = await context.content.read(related_to, paper, _RELATED_SHOWN)
    stored = await context.content.read(arxiv.of_paper, paper.paper_id)
    ref = paper.entry.ref
    votes = await context.count_votes({ref, *(each.entry.ref for each in (*featured, *related))})
    person, workspace = context.actor.person, context.workspace
    voted = ref in votes and await context.database.read(
        own_votes.has_voted, person, workspace, ref
    )
    return paper_reply(paper, featured, related, stored, votes, voted=voted)


async def _note_seen(context: Context, paper: Mention) -> None:
    # Most papers that are opened were opened before: a read is cheaper than a write.
    person, ref = context.actor.person, paper.entry.ref
    if not await context.database.read(seen.is_seen, person, ref):
        now = context.system_clock.now()
        await context.database.write_locking_rows(seen.open_paper, person, ref, now)


async def related(context: Context, paper: Mention) -> Reply:
    """List the papers that are most like one."""
    found = await context.content.read(related_to, paper, _RELATED)
    votes = await context.count_votes({each.entry.ref for each in found})
    return related_reply(paper, found, votes)


async def random(context: Context, topic: str | None = None) -> Reply:
    """Show a random paper, of one topic or any."""
    number = await context.content.read(statistics.count_papers, topic)
    if not number:
        raise await nothing_on(context, topic) if topic else nothing_stored()
    chosen = context.dice.randrange(number)
    [paper] = await context.content.read(mentions.of_topic, topic, 1, chosen)
    return random_reply(await _show(context, paper), context.command_string)


_PAPER = Param("paper", "The paper", PAPER, required=True)

SHOW = Command(
    name="show",
    group=Group.LOOKUP,
    summary="All about one paper: summary, highlights, links, topics, where it was featured",
    handler=show,
    params=(_PAPER,),
    examples=("show 3", "show E171", "show 2501.12948", "show attention is all you need"),
)
# Shows a paper that is only listed somewhere: nobody has opened it by that.
MENTION = replace(SHOW, handler=_show)
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
