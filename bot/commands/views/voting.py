"""What comes of a vote, as Replies."""

from dataclasses import replace

from bot.replies.blocks import Actions, Button, Level, Notice, Reply
from bot.replies.paper_actions import shared_vote_button
from bot.replies.papers import paper_card
from bot.replies.wording import count, marked_title, shorten
from store.readers.votes import Voted
from store.records import Mention

_LONGEST_TITLE = 150


def voted_reply(paper: Mention, voted: Voted, *, quiet: bool = True) -> Reply:
    """Say how the asker's vote for a paper stands, and how many there are; quiet below a post."""
    entry = paper.entry
    title, votes = shorten(marked_title(entry), _LONGEST_TITLE), count(voted.votes, "vote")
    if voted.stands:
        words, again = f"You voted for {title}: {votes} here.", "Take back"
    else:
        words, again = f"Your vote for {title} is taken back: {votes} here.", "Vote again"
    buttons = Button(again, f"vote {entry.ref}"), Button("Details", f"show {entry.ref}")
    notice = Notice(Level.INFO, words)
    return Reply((notice, Actions(buttons)), command=f"show {entry.ref}", quiet=quiet)


def voted_in_shared_reply(paper: Mention, voted: Voted) -> Reply:
    """Return the same for a card that all see, whose button tells the new count."""
    card = replace(paper_card(paper.edition, paper.entry), votes=voted.votes)
    return replace(voted_reply(paper, voted), renamed=(shared_vote_button(card),))
