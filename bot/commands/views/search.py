"""The results of a search as Replies."""

from collections.abc import Iterator, Mapping, Sequence

from bot.library.search import Hit, Hits
from bot.replies.blocks import (
    Actions,
    Block,
    Button,
    Level,
    Notice,
    Pager,
    PaperLine,
    PaperList,
    Reply,
    Text,
    Title,
)
from bot.replies.paper_actions import ANSWER_MENUS
from bot.replies.plain_text import quoted
from bot.replies.wording import edition_name, marked_title, number, place
from store.records import Edition


def search_reply(
    query: str, found: Hits, page: int, pager: Pager | None, votes: Mapping[str, int]
) -> Reply:
    """List a page of hits, each with its snippet, those with every word first."""
    blocks: list[Block] = [Title(f"Papers for {found.corrected or query}")]
    if found.corrected:
        unknown = quoted(query, 80)
        blocks.append(Notice(Level.INFO, f"No paper spells it {unknown}; this is the nearest."))
    blocks += _left_out(found)
    complete = tuple(_line(hit, votes) for hit in found.hits if hit.complete)
    partial = tuple(_line(hit, votes) for hit in found.hits if not hit.complete)
    if complete:
        blocks.append(_hits(complete))
    if partial:
        none = "" if complete or page > 1 else "No paper holds every word. "
        blocks += [Text(f"{none}These hold most:"), _hits(partial)]
    return Reply((*blocks, pager) if pager else tuple(blocks))


def _hits(lines: tuple[PaperLine, ...]) -> PaperList:
    return PaperList(lines, numbered=False, menus=ANSWER_MENUS)


def _line(hit: Hit, votes: Mapping[str, int]) -> PaperLine:
    entry, edition = hit.mention.entry, hit.mention.edition
    return PaperLine(
        number(entry),
        marked_title(entry),
        hit.snippet,
        entry.ref,
        place(edition, entry),
        votes.get(entry.ref, 0),
    )


def _left_out(found: Hits) -> Iterator[Notice]:
    return (Notice(Level.INFO, sentence) for sentence in found.cut)


def nothing_found_reply(
    query: str, found: Hits, others: Sequence[str], latest: Edition | None
) -> Reply:
    """Say that nothing was found, and offer `others`, which are similar searches."""
    notice = Notice(
        Level.INFO,
        f"No paper matches {query}.",
        "Perhaps one of these:" if others else "Try fewer or other words, or look at what is new.",
    )
    buttons = [Button(other, other) for other in others]
    if latest is not None:
        buttons.append(Button(f"Newest edition ({edition_name(latest)})", "latest"))
    offers = (Actions(tuple(buttons)),) if buttons else ()
    return Reply((notice, *_left_out(found), *offers))
