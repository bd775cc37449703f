"""Where a pressed button stands, and whose words it holds."""

from adapters.discord.interactions.context import Interaction, origin_of
from adapters.discord.render.buttons import ComponentAction
from bot.commands.types import PRESSED, LineOrigin


def is_in_ephemeral(interaction: Interaction) -> bool:
    """Tell whether the component belongs to an ephemeral message."""
    return interaction.message is not None and interaction.message.flags.ephemeral


def is_in_offer(interaction: Interaction, action: ComponentAction) -> bool:
    """Tell whether the component belongs to the line below a mention.

    That is no post, which has a key, and no answer to an interaction.
    """
    message = interaction.message
    return message is not None and message.interaction_metadata is None and not action.key


def line_origin(interaction: Interaction, action: ComponentAction) -> LineOrigin:
    """Return where the line of a button comes from.

    Its id says who typed it. An answer that others see is that of the user who shared it; below a
    mention without an id somebody typed it whom nobody knows any more.
    """
    is_own = origin_of(interaction).is_direct or is_in_ephemeral(interaction)
    if action.by is not None:
        typed = not is_own and is_in_offer(interaction, action)
        return LineOrigin(typed=typed, by=action.by)
    message = interaction.message
    if message is None or is_own or action.key:
        return PRESSED
    if message.interaction_metadata is None:
        return LineOrigin(typed=True, by="")
    return LineOrigin(typed=False, by=str(message.interaction_metadata.user.id))
