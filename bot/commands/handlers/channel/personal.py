"""Personal digests in answers: the papers that one would list now."""

from dataclasses import replace

from bot.commands.types import Context
from bot.library.personal_digest import personal_picks
from bot.library.profile import Pick
from bot.posting.digest.personal import lay_out_personal
from bot.replies.blocks import Actions, Block, Level, Notice, PaperList, Text, Title
from bot.replies.papers import place_line
from bot.replies.wording import count
from store.records import Subscription

_FIRST_FEW = 3


async def next_picks(context: Context, subscription: Subscription) -> tuple[Pick, ...]:
    """Return the papers that a personal subscription would list now."""
    return await context.database.read(personal_picks, subscription, context.clock.now())


async def short_preview(context: Context, subscription: Subscription) -> list[Block]:
    """Say how many papers the digest would list now, and name the first with their reasons."""
    picks = await next_picks(context, subscription)
    if not picks:
        return [nothing_unseen()]
    lines = (
        replace(place_line(each.mention), topics=(), reason=each.reason)
        for each in picks[:_FIRST_FEW]
    )
    words = f"Would list {count(len(picks), 'paper')} that you have not seen, best for you first."
    return [Text(f"{words} The first of them:"), PaperList(tuple(lines))]


async def whole_preview(context: Context, subscription: Subscription) -> list[Block]:
    """Show the message of a personal digest as it would be now, without its buttons."""
    picks = await next_picks(context, subscription)
    post = lay_out_personal(picks, context.today, lambda _: True)
    if post is None:
        return [nothing_unseen()]
    blocks = post.messages[0].reply.blocks
    return [each for each in blocks if not isinstance(each, Actions | Title)]


def nothing_unseen() -> Notice:
    """Say that there is nothing to list."""
    return Notice(
        Level.INFO,
        "There is no paper of the last weeks that you have not seen.",
        "The digest comes again once there is one; samples are never in it.",
    )
