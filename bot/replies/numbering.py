"""The numbers of papers in an answer: from 1, on over its lists and pages. Pure."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import count

from bot.replies.blocks import Block, PaperCard, PaperList, Reply


def with_numbers(reply: Reply) -> Reply:
    """Return a reply with its listed papers numbered as they stand.

    A paper that stands in two lists has one number. A card is no list: the papers below it have
    none.
    """
    if any(isinstance(block, PaperCard) for block in reply.blocks):
        return reply
    return replace(reply, blocks=tuple(_numbered(reply)))


def _numbered(reply: Reply) -> Iterator[Block]:
    lists = [block for block in reply.blocks if isinstance(block, PaperList)]
    numbers = count(lists[0].first if lists else 1)
    given: defaultdict[str, str] = defaultdict(lambda: str(next(numbers)))
    for block in reply.blocks:
        if isinstance(block, PaperList) and block.numbered:
            lines = (replace(each, number=given[each.ref]) for each in block.papers)
            yield replace(block, papers=tuple(lines))
        else:
            yield block
