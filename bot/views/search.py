"""What a search found, or did not, as Replies."""

from collections.abc import Sequence

from bot.lookups import Hit
from bot.replies import (
    Actions,
    Block,
    Button,
    Level,
    Notice,
    Pager,
    PaperLine,
    PaperList,
    Reply,
    Title,
)
from bot.wording import edition_name, number, place
from store.records import Edition


def search_reply(query: str, hits: Sequence[Hit], pager: Pager | None) -> Reply:
    """List hits, each with the sentence that shows why."""
    blocks: tuple[Block, ...] = (
        Title(f"Papers for {query}"),
        PaperList(tuple(map(_line, hits)), numbered=False),
    )
    return Reply((*blocks, pager) if pager else blocks)


def _line(hit: Hit) -> PaperLine:
    entry, edition = hit.mention.entry, hit.mention.edition
    return PaperLine(number(entry), entry.title, hit.snippet, entry.ref, place(edition, entry))


def nothing_found_reply(query: str, latest: Edition | None) -> Reply:
    """Say that nothing was found, and offer what there is."""
    notice = Notice(
        Level.INFO,
        f"No paper matches {query}.",
        "Try fewer or other words, or look at what is new.",
    )
    if latest is None:
        return Reply((notice,))
    button = Button(f"Newest edition ({edition_name(latest)})", "latest")
    return Reply((notice, Actions((button,))))
