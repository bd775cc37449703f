"""Long lists in pages: which page a command shows, and the commands of the pages beside it."""

from collections.abc import Mapping

from bot.commands.parser import write
from bot.commands.types import Command
from bot.replies.blocks import Pager


def pager(
    command: Command, arguments: Mapping[str, object], page: int, *, more: bool
) -> Pager | None:
    """Return where a list stands and its neighbours; `None` where it has one page only.

    `arguments` are those of the command without its page, which is its parameter `page`.
    """
    if page == 1 and not more:
        return None

    return Pager(
        position=f"Page {page}",
        previous=page_line(command, arguments, page - 1) if page > 1 else None,
        next=page_line(command, arguments, page + 1) if more else None,
    )


def page_line(command: Command, arguments: Mapping[str, object], page: int) -> str:
    """Return the line that asks for a page; the first has no number."""
    return write(command, {**arguments, "page": None if page == 1 else page})
