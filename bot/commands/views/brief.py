"""Briefs as Replies."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from bot.library.brief import MOST_PAPERS, Read, minutes_for, words_of
from bot.posting.digest.cutting import Cut, cut_card, details
from bot.replies.blocks import Actions, Block, Button, Level, Moments, Notice, Reply, Text, Title
from bot.replies.paper_actions import listed_card_actions
from bot.replies.papers import paper_card
from bot.replies.wording import count, day
from store.readers.unseen import Left


@dataclass(frozen=True, slots=True)
class Following:
    """Of which sources a brief is, `None` for all, and how long the next one is to take."""

    sources: tuple[str, ...] | None
    minutes: int

    @property
    def named(self) -> str:
        """The sources in words."""
        *others, last = self.sources or ("all sources",)
        return f"{', '.join(others)} and {last}" if others else last

    @property
    def next(self) -> Button:
        """The button to the next brief."""
        return Button(f"Next {count(self.minutes, 'minute')}", f"brief {self.minutes}")


def brief_reply(
    brief_id: int, papers: Sequence[Read], gone: int, left: Left, following: Following
) -> Reply:
    """Show a brief, and how much it leaves.

    Args:
        brief_id: its number.
        papers: what it lists, in order.
        gone: how many more it listed that are in no edition any more.
        left: what its reader has not seen.
        following: what the next one will be.
    """
    minutes = minutes_for(sum(each.words for each in papers))
    length = f"{count(minutes, 'minute')}, {count(len(papers), 'paper')}"
    blocks: list[Block] = [
        Title(f"Your brief: {length}"),
        Text(f"New to you from {following.named}: the newest week first, in each the best first."),
    ]
    if len(papers) == MOST_PAPERS:
        blocks.append(Text(f"{MOST_PAPERS} papers at most at once."))
    if gone:
        blocks.append(Notice(Level.INFO, f"{count(gone, 'paper')} of it can't be found any more."))
    for each in papers:
        blocks += _paper(each)
    blocks.append(Text(_left(left)))
    if left.papers:
        blocks.append(Actions((following.next,)))
    return Reply(tuple(blocks), command=f"brief of:{brief_id}")


def nothing_left_reply(
    following: Following, news: Sequence[tuple[str, datetime]], zone: str
) -> Reply:
    """Say that nothing is left, and when there usually is more.

    Args:
        following: what was asked for.
        news: when each source is likely to have its next edition, the soonest first.
        zone: the IANA zone in which that is told.
    """
    title = Title("Your brief: you are up to date")
    seen = Text(f"You have seen all there is from {following.named}.")
    blocks: list[Block] = [title, seen]
    if news:
        blocks += [Text("New editions usually come:"), Moments(tuple(news), zone)]
    ways_on = (Button("Newest edition", "latest"), Button("Sources", "sources"))
    return Reply((*blocks, Actions(ways_on)))


def _paper(read: Read) -> Iterator[Block]:
    """Show a paper by what is read of it: its links and topics are among its details."""
    entry = read.paper.entry
    card = replace(paper_card(read.paper.edition, entry), links=(), topics=())
    yield from cut_card(card, entry, Cut(highlights=read.highlights))
    yield listed_card_actions(card, details(entry))


def _left(left: Left) -> str:
    """Say how much is left, in all and of the newest."""
    if not left.papers:
        return "Nothing is left: you are up to date."
    papers, newest = count(left.papers, "paper"), len(left.recent)
    take = "takes" if newest == 1 else "take"
    time = f"{take} about {count(minutes_for(sum(map(words_of, left.recent))), 'minute')}"
    if not left.older:
        return f"{papers} left, which {time}."
    named = "one" if newest == 1 else f"{newest:,}"
    return f"{papers} left; the newest {named}, since {day(left.since)}, {time}."
