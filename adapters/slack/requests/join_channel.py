"""Joining of a channel and opening of direct messages, before anything is posted there."""

from adapters.slack.api.client import Api
from adapters.slack.requests.user_channels import Member
from bot.actor import ChannelInfo
from bot.errors import Gone, NotAllowed, SendError, UserError
from bot.posting.ports import DIRECT

INVITE = "Invite it there: /invite @Broadsheet."


async def join_channel(api: Api, member: Member, channel: ChannelInfo) -> None:
    """Join a public channel, with the token of a user's workspace.

    https://docs.slack.dev/reference/methods/conversations.join

    Raises:
        UserError: where the bot has to be invited, or Slack fails.
    """
    try:
        await api.call_idempotent(member.token, "conversations.join", channel=channel.id)
    except (Gone, NotAllowed) as error:
        raise UserError(f"Broadsheet is not in #{channel.name}.", INVITE) from error
    except SendError as error:
        raise user_error(error) from error


async def require_own_direct_message(api: Api, member: Member, channel: str) -> None:
    """Check that a direct message channel is with the bot, not between two users.

    Raises:
        UserError: if it is not, or Slack fails.
    """
    try:
        data = await api.call_idempotent(member.token, "conversations.open", users=member.user)
    except NotAllowed:
        return  # the first post will fail if it is not
    except SendError as error:
        raise user_error(error) from error
    if data["channel"]["id"] != channel:
        raise UserError(
            "Broadsheet is not part of that conversation.",
            "Ask in a channel, or in a direct message to Broadsheet itself.",
        )


async def open_direct_messages(api: Api, member: Member) -> ChannelInfo:
    """Open the direct messages of a user with the bot.

    Raises:
        UserError: where Slack refuses or fails.
    """
    try:
        data = await api.call_idempotent(member.token, "conversations.open", users=member.user)
    except SendError as error:
        raise user_error(error) from error
    return ChannelInfo(str(data["channel"]["id"]), DIRECT, private=True, direct=True)


def user_error(error: SendError) -> UserError:
    """Return an error of Slack's as the user reads it."""
    return UserError(error.sentence, error.remedy)
