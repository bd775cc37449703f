"""A message edited as a whole: what it says, and that its links make no preview cards."""

import discord
from discord.http import handle_message_parameters

from adapters.discord.drafts import Draft


async def edit_message(client: discord.Client, channel: int, message: int, draft: Draft) -> None:
    """Put a draft in the place of a message.

    Flags are sent together, and those that an edit leaves out are taken away:
    https://docs.discord.com/developers/resources/message#edit-message
    The library's own edits tell only that a message is of components.
    """
    flags = discord.MessageFlags(**draft.flags) if draft.flags else discord.utils.MISSING
    # What was sent as embeds takes components only without them.
    contents = {"content": None, "embeds": [], **draft.contents}
    with handle_message_parameters(**contents, flags=flags) as params:
        await client.http.edit_message(channel, message, params=params)
