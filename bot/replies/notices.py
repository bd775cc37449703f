"""Answers that are shared, and what people are told who would share what is not."""

from bot.replies.blocks import Level, Notice, Reply
from bot.replies.paper_actions import for_all
from store.errors import StoreError

_REFUSED = Notice(Level.ERROR, "This answer is for you alone: it can't be shared.")


def as_shared(reply: Reply) -> Reply:
    """Return an answer that is to be shared; one that is private is refused in words.

    Messages from before that was so still have a button for it.
    """
    if reply.failed:
        return reply
    return Reply((_REFUSED,), failed=True) if reply.private else for_all(reply)


def excuse(error: StoreError) -> Reply:
    """Say that the store failed, and nothing of where it is."""
    told = (
        (error.chat_sentence, error.chat_remedy)
        if error.chat_sentence
        else ("Something went wrong.", "It was logged.")
    )
    return Reply((Notice(Level.ERROR, *told),), failed=True)
