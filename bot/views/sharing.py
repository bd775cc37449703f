"""Answers that are shared, and what people are told who would share what is not."""

from bot.replies import Level, Notice, Reply
from bot.views.keeping import for_all

_REFUSED = Notice(Level.ERROR, "This answer is for you alone: it can't be shared.")


def as_shared(reply: Reply) -> Reply:
    """Return an answer that is to be shared; one that is private is refused in words.

    Messages from before that was so still have a button for it.
    """
    if reply.failed:
        return reply
    return Reply((_REFUSED,), failed=True) if reply.private else for_all(reply)
