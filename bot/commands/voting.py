"""The command that votes for a paper."""

from bot.command import Command, Context, Group, Param
from bot.commands.papers import show
from bot.errors import Option, UserError
from bot.params.choices import choice
from bot.params.papers import PAPER
from bot.replies import Reply
from bot.views.voting import voted_reply
from store.records import Mention, Workspace

_CARD = "card"


async def vote(context: Context, paper: Mention, shown: str | None = None) -> Reply:
    """Give the asker's vote for a paper, or take it back; `shown` tells what shows it then."""
    actor = context.actor
    if not actor.joined or actor.home == actor.workspace:
        raise UserError(
            "A vote counts among the people of a server or a workspace, and there is none here.",
            "Vote in one that Broadsheet is in; save keeps a paper for yourself anywhere.",
        )
    voted = await context.members.votes.turn(
        actor.person,
        Workspace(actor.platform, actor.workspace),
        paper.entry.ref,
        context.request,
        context.wall.now(),
    )
    context.members.wake()
    return await show(context, paper) if shown == _CARD else voted_reply(paper, voted)


_SHOWN = choice(
    "WHAT", "what shows a vote", "A vote shows in a card.", (Option(_CARD, "the paper's card"),)
)

VOTE = Command(
    name="vote",
    group=Group.LIST,
    summary="Vote for a paper among the people here; once more takes it back",
    handler=vote,
    params=(
        Param("paper", "The paper", PAPER, required=True),
        Param("shown", "What shows the vote", _SHOWN, key="in", hidden=True),
    ),
    examples=("vote 3", "vote 2501.12948"),
)
