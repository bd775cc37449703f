"""Pages of a list: what stands on one, and the command strings of those beside it. Pure."""

from dataclasses import dataclass

from bot.commands.parser import command_string
from bot.commands.types import Command, Context
from bot.errors import Suggestion, UserError
from bot.replies.blocks import Pager


@dataclass(frozen=True, slots=True)
class ListPage:
    """A page of a list by its number, from 1, and the items that one holds."""

    number: int
    size: int

    @property
    def start(self) -> int:
        """The number of items before it."""
        return (self.number - 1) * self.size

    @property
    def stop(self) -> int:
        """The number of items before the next page."""
        return self.number * self.size


def page_of(context: Context, number: int) -> ListPage:
    """Return a page as long as the user's platform shows a list at once."""
    return ListPage(number, context.actor.page_size)


def pager(
    command: Command, context: Context, page: ListPage, total: int, *, or_more: bool = False
) -> Pager | None:
    """Return the pager of a list of so many items, `None` if one page holds them all.

    With `or_more` there may be more of them than were counted.
    """
    if total <= page.size and page.number == 1:
        return None
    counted = f"more than {total:,}" if or_more else f"{total:,}"
    is_last = page.stop >= total and not or_more
    return Pager(
        position=f"{page.start + 1}–{total if is_last else page.stop} of {counted}",
        previous=page_string(command, context, page.number - 1) if page.number > 1 else None,
        next=None if is_last else page_string(command, context, page.number + 1),
    )


def page_string(command: Command, context: Context, page: int) -> str:
    """Return the command string of a page, which names no page if it is the first."""
    return command_string(command, {**context.arguments, "page": None if page == 1 else page})


def no_page(what: str, first: str) -> UserError:
    """Return the error for a page after the last one; `first` is the first one's command string."""
    suggestion = Suggestion("The first page", first)
    return UserError(f"{what} has no page so far on.", suggestions=(suggestion,))
