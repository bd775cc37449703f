"""The pages of a long list: the command strings of other pages, and the pager below a page."""

from bot.commands.parser import command_string
from bot.commands.types import Command, Context
from bot.errors import Suggestion, UserError
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


def no_page(what: str, first: str) -> UserError:
    """Return the error for a page after the last one; `first` is the first one's command string."""
    suggestion = Suggestion("The first page", first)
    return UserError(f"{what} has no page so far on.", suggestions=(suggestion,))
