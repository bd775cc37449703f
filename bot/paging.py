"""Long lists in pages: which page a command shows, and the commands of the pages beside it."""

from collections.abc import Mapping

from bot.command import Command
from bot.parsing import write
from bot.replies import Pager


def pager(
    command: Command, arguments: Mapping[str, object], page: int, *, more: bool
) -> Pager | None:
    """Return where a list stands and its neighbours; `None` where it has one page only.

    `arguments` are those of the command without its page, which is its parameter `page`.
    """
    if page == 1 and not more:
        return None

    def line(number: int) -> str:
        return write(command, {**arguments, "page": None if number == 1 else number})

    return Pager(
        position=f"Page {page}",
        previous=line(page - 1) if page > 1 else None,
        next=line(page + 1) if more else None,
    )
