"""What the person who installed the bot is told of it, for the whole workspace."""

from collections.abc import Sequence

from adapters.slack.api.paced_calls import Traffic
from adapters.slack.render import message, render_message
from bot.commands.handlers.help import workspace_welcome
from bot.commands.types import Command
from bot.errors import SendError
from bot.replies.blocks import Reply

_HINT = "A private one needs /invite @Broadsheet first."


def welcome(commands: Sequence[Command]) -> Reply:
    """Return the message."""
    return workspace_welcome(commands, by_name=False, hint=_HINT)


async def send_welcome(
    traffic: Traffic, token: str, workspace: str, user: str, commands: Sequence[Command]
) -> bool:
    """Send the welcome to a person, as the bot; return whether Slack took it.

    What goes wrong is logged where it is called and ends here: the installation stands without it.
    https://docs.slack.dev/reference/methods/chat.postMessage#app_home
    """
    said = {"channel": user, **message(render_message(welcome(commands)))}
    try:
        await traffic.answer(token, workspace, said)
    except SendError:
        return False
    return True
