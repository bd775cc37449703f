"""The vote command."""

from dataclasses import replace

from bot.commands.handlers.papers import show
from bot.commands.params.papers import PAPER
from bot.commands.params.scalars import choice
from bot.commands.types import Command, Context, Group, Param
from bot.errors import Option, UserError
from bot.replies.blocks import Actions, Button, Level, Notice, Reply
from bot.replies.paper_actions import CARD, SHARED, WORDS, shared_vote_button
from bot.replies.papers import paper_card
from bot.replies.wording import count, marked_title, shorten
from store.readers.votes import VoteResult
from store.records import Mention


async def vote(context: Context, paper: Mention, shown: str | None = None) -> Reply:
    """Give the user's vote for a paper, or take it back; `shown` names the reply that shows it."""
    actor = context.actor
    if not actor.has_voters:
        raise UserError(
            "A vote counts among the people of a server or a workspace, and there is none here.",
            "Vote in one that Broadsheet is in; save keeps a paper for yourself anywhere.",
        )
    voted = await context.votes.turn(
        actor.person,
        context.workspace,
        paper.entry.ref,
        context.request,
        context.system_clock.now(),
    )
    context.notify()
    if shown == CARD:
        return await show(context, paper)
    if shown == SHARED:
        return _voted_in_shared_reply(paper, voted)
    return _voted_reply(paper, voted, quiet=shown != WORDS)


_SHOWN = choice(
    "WHAT",
    "what shows a vote",
    "A vote shows in a card, in words or in a shared card.",
    (
        Option(CARD, "the paper's card"),
        Option(WORDS, "words to the voter"),
        Option(SHARED, "a card that all see"),
    ),
)

VOTE = Command(
    name="vote",
    group=Group.LIST,
    summary="Vote for a paper; again to take your vote back",
    handler=vote,
    params=(
        Param("paper", "The paper", PAPER, required=True),
        Param("shown", "What shows the vote", _SHOWN, key="in", hidden=True),
    ),
    examples=("vote 3", "vote 2501.12948"),
    changes=True,
)


_LONGEST_TITLE = 150


def _voted_reply(paper: Mention, voted: VoteResult, *, quiet: bool = True) -> Reply:
    """Report the user's vote for a paper and the number of votes; `quiet` below a post."""
    entry = paper.entry
    title, votes = shorten(marked_title(entry), _LONGEST_TITLE), count(voted.votes, "vote")
    if voted.has_voted:
        words, again = f"You voted for {title}: {votes} here.", "Take back"
    else:
        words, again = f"Your vote for {title} is taken back: {votes} here.", "Vote again"
    buttons = Button(again, f"vote {entry.ref}"), Button("Details", f"show {entry.ref}")
    notice = Notice(Level.INFO, words)
    return Reply((notice, Actions(buttons)), command=f"show {entry.ref}", quiet=quiet)


def _voted_in_shared_reply(paper: Mention, voted: VoteResult) -> Reply:
    """Return the same for a shared card, whose button shows the new number of votes."""
    card = replace(paper_card(paper.edition, paper.entry), votes=voted.votes)
    return replace(_voted_reply(paper, voted), renamed=(shared_vote_button(card),))
