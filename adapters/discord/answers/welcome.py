"""The onboarding message, which follows the first answer of a user."""

from collections.abc import Awaitable, Callable

from bot.actor import Actor
from bot.app import Broadsheet
from bot.replies.blocks import Reply


async def welcome_after(
    reply: Reply, app: Broadsheet, user: Actor, send: Callable[[Reply], Awaitable[bool]]
) -> None:
    """Send a new user the onboarding message after an answer.

    `send` returns whether it may have arrived; if not, it follows the next answer.
    """
    onboarding = app.onboarding
    if onboarding is None or not onboarding.may_follow(reply, user.person, user.workspace):
        return
    welcome = await onboarding.welcome(user, app.commands)
    if welcome and not await send(welcome.reply):
        await onboarding.undo(welcome)
