"""Briefs as Replies."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from bot.library.brief import MOST_PAPERS, Read, minutes_for, words_of
from bot.posting.digest.cards import Cut, cut_card, details_button
from bot.replies.blocks import Actions, Block, Button, Level, Moments, Notice, Reply, Text, Title
from bot.replies.paper_actions import listed_card_actions
from bot.replies.papers import paper_card
from bot.replies.wording import count, day
from store.readers.seen import Brief
from store.readers.unseen import UnseenSummary


@dataclass(frozen=True, slots=True)
class Following:
    """The sources of a brief, `None` for all, and the minutes of the next one."""

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
    brief: Brief,
    papers: Sequence[Read],
    left: UnseenSummary,
    following: Following,
    votes: Mapping[str, int],
) -> Reply:
    """Show a brief, and how many papers are left.

    Args:
        brief: the stored brief.
        papers: its papers, fitted to its minutes.
        left: what its reader has not seen.
        following: the next brief.
        votes: the votes of the papers, by ref.
    """
    minutes = minutes_for(sum(each.words for each in papers))
    length = f"{count(minutes, 'minute')}, {count(len(papers), 'paper')}"
    blocks: list[Block] = [
        Title(f"Your brief: {length}"),
        Text(f"New to you from {following.named}: the newest week first, in each the best first."),
    ]
    if len(papers) == MOST_PAPERS:
        blocks.append(Text(f"{MOST_PAPERS} papers at most at once."))
    if brief.gone:
        gone = f"{count(brief.gone, 'paper')} of it can't be found any more."
        blocks.append(Notice(Level.INFO, gone))
    for each in papers:
        blocks += _paper(each, votes)
    blocks.append(Text(_left(left)))
    if left.papers:
        blocks.append(Actions((following.next,)))
    return Reply(tuple(blocks), command=f"brief of:{brief.id}")


def nothing_left_reply(
    following: Following, news: Sequence[tuple[str, datetime]], zone: str
) -> Reply:
    """Say that no paper is left, and when more usually come.

    Args:
        following: the sources that were asked for.
        news: the expected time of each source's next edition, the soonest first.
        zone: the IANA zone of these times.
    """
    title = Title("Your brief: you are up to date")
    seen = Text(f"You have seen all there is from {following.named}.")
    blocks: list[Block] = [title, seen]
    if news:
        blocks += [Text("New editions usually come:"), Moments(tuple(news), zone)]
    buttons = (Button("Newest edition", "latest"), Button("Sources", "sources"))
    return Reply((*blocks, Actions(buttons)))


def _paper(read: Read, votes: Mapping[str, int]) -> Iterator[Block]:
    """Show the part of a paper that is read; links and topics are behind Details."""
    entry = read.paper.entry
    card = replace(paper_card(read.paper.edition, entry, votes), links=(), topics=())
    yield from cut_card(card, entry, Cut(highlights=read.highlights))
    yield listed_card_actions(card, details_button(entry))


def _left(left: UnseenSummary) -> str:
    """Say how many papers are left, in all and of the newest."""
    if not left.papers:
        return "Nothing is left: you are up to date."
    papers, newest = count(left.papers, "paper"), len(left.recent)
    take = "takes" if newest == 1 else "take"
    time = f"{take} about {count(minutes_for(sum(map(words_of, left.recent))), 'minute')}"
    if not left.older:
        return f"{papers} left, which {time}."
    named = "one" if newest == 1 else f"{newest:,}"
    return f"{papers} left; the newest {named}, since {day(left.since)}, {time}."
