"""The pages of a long list: the command strings of other pages, and the pager below a page."""

from bot.commands.parser import command_string
from bot.commands.types import Command, Context
from bot.replies.blocks import Pager


def pager(command: Command, context: Context, page: int, *, more: bool) -> Pager | None:
    """Return the pager of a page, `None` if it is the only one."""
    if page == 1 and not more:
        return None
    return Pager(
        position=f"Page {page}",
        previous=page_string(command, context, page - 1) if page > 1 else None,
        next=page_string(command, context, page + 1) if more else None,
    )


def page_string(command: Command, context: Context, page: int) -> str:
    """Return the command string of a page, which names no page if it is the first."""
    return command_string(command, {**context.arguments, "page": None if page == 1 else page})
