"""What the person who installed the bot is told: three things to do first."""

from collections.abc import Sequence

from adapters.slack.render import message, render_message
from adapters.slack.traffic import Traffic
from bot.command import Command
from bot.errors import SendError
from bot.replies import Actions, Button, Reply, Text, Title

_EXAMPLE = "search mixture of experts"


def welcome(commands: Sequence[Command]) -> Reply:
    """Return the message; it promises weekly posts where a command orders them."""
    names = {command.name for command in commands}
    third = (
        "3. Have each week's edition posted: type /papers subscribe in the channel that it is for."
        " A private one needs /invite @Broadsheet first"
        if "subscribe" in names
        else "3. Invite Broadsheet to a channel, by /invite @Broadsheet there; then it answers"
        " when you mention it: @Broadsheet latest"
    )
    return Reply(
        (
            Title("Welcome to Broadsheet"),
            Text("The top AI papers of each week, wherever you type /papers. Three things first:"),
            Text("1. Read the newest edition: /papers latest"),
            Text(f"2. Find papers: /papers {_EXAMPLE}"),
            Text(third),
            Actions(
                (
                    Button("Newest edition", "latest"),
                    Button("Try a search", _EXAMPLE),
                    Button("All commands", "help"),
                )
            ),
        )
    )


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
