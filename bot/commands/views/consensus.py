"""What the sources agree on, and what they thought best over a longer time, as Replies."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import Enum, auto

from bot.domain.periods import Period
from bot.domain.weeks import Week
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
from bot.replies.paper_actions import IN_ANSWERS
from bot.replies.papers import edition_head, nearest_weeks, whole_edition
from bot.replies.wording import NO_CONSENSUS, count, days, marked_title, number, place, shorten
from store.consensus.queries import Consensus, ConsensusPaper, NearestDays
from store.library.editions import Neighbours
from store.records import Mention
from store.sources import CONSENSUS

_EXCLUSIVES = 3  # papers shown that only one source has, of each
_PLACES = 3  # told of a paper
_LONGEST_TITLE = 200
_NO_VOTES = "Nobody here has voted for any of these papers yet."
_HOW_TO_VOTE = "Vote stands below a paper where its Details show it; or name one: vote 3."
_NO_VOTERS = "Votes count in a server or a workspace that Broadsheet is in; there are none here."


class Order(Enum):
    """What ranks the papers of a period; `WITHOUT_VOTES` where there are none to do so."""

    BY_RANK = auto()
    BY_VOTES = auto()
    WITHOUT_VOTES = auto()


@dataclass(frozen=True, slots=True)
class Ranked:
    """A page of the best papers of a period: in which order, of how many, from which number on."""

    period: Period
    order: Order
    total: int
    first: int


def consensus_reply(
    found: Consensus, agreed: slice, more: str | None, beside: Neighbours, day: date
) -> Reply:
    """Show what the sources of a week agree on, what each has alone, and what they rank apart.

    Args:
        found: the consensus.
        agreed: which of the papers that they agree on are listed.
        more: the command that lists more of these, `None` where there are no more.
        beside: the nearest weeks that have a consensus.
        day: the day (UTC).
    """
    week = Week.of(found.edition.first_day)
    blocks = [*edition_head(found.edition, day), Text(found.edition.overview or "")]
    if found.agreed:
        blocks.append(_placed(found.agreed[agreed]))
    if more:
        blocks.append(Actions((Button("More that they agree on", more),)))
    for source in found.sources:
        blocks += _exclusives(source, found.only_in(source))
    if found.disputed:
        blocks += [Text("Most disputed:"), _placed(found.disputed)]
    whole = Button("All papers in order", f"week {week.name} from:{CONSENSUS}")
    buttons = (whole, *(whole_edition(source, week) for source in found.sources))
    pager = Pager(
        f"Week {week.name}",
        beside.before and _of_week(beside.before),
        beside.after and _of_week(beside.after),
    )
    return Reply((*blocks, Actions(buttons), pager), line=_of_week(week.name))


def agreed_reply(found: Consensus, page: slice, pager: Pager | None, day: date) -> Reply:
    """List a later page of what the sources of a week agree on."""
    blocks = (*edition_head(found.edition, day), _placed(found.agreed[page]))
    return Reply((*blocks, pager) if pager else blocks)


def no_consensus_reply(week: Week, covering: Sequence[str], beside: Neighbours) -> Reply:
    """Say that a week has no consensus, which sources cover it, and offer the nearest that have."""
    covered = f"only {covering[0]} covers it" if covering else "no source covers it"
    notice = Notice(
        Level.INFO,
        f"Week {week.name} ({days(week.first_day, week.last_day)}) has no consensus: {covered}.",
        "A consensus takes two sources with papers. The nearest are below.",
    )
    buttons = nearest_weeks(beside, _of_week)
    if covering:
        buttons = (*buttons, *(whole_edition(source, week) for source in covering))
    return Reply((notice, Actions(buttons)), line=_of_week(week.name))


def no_consensus_yet_reply() -> Reply:
    """Say that no week at all has a consensus."""
    notice = Notice(
        Level.INFO,
        NO_CONSENSUS,
        "What there is:",
    )
    buttons = (Button("Newest edition", "latest"), Button("Sources", "sources"))
    return Reply((notice, Actions(buttons)), line=CONSENSUS)


def top_reply(
    listed: Ranked,
    papers: Sequence[Sequence[Mention]],
    pager: Pager | None,
    *,
    has_voters: bool = True,
) -> Reply:
    """List a page of the best papers of a period, each with its places, the best place first.

    `has_voters` tells whether there is anybody who could vote.
    """
    lines = tuple(
        _paper(str(place), mentions, _places(mentions))
        for place, mentions in enumerate(papers, start=listed.first)
    )
    period, order = listed.period, listed.order
    blocks: list[Block] = [Title(f"Top papers · {days(period.first_day, period.last_day)}")]
    if order is Order.WITHOUT_VOTES:
        notice = (_NO_VOTES, _HOW_TO_VOTE) if has_voters else (_NO_VOTERS,)
        blocks.append(Notice(Level.INFO, *notice))
    first = "most votes here first, then the best over all sources"
    if order is not Order.BY_VOTES:
        first = "the best over all sources first"
    blocks.append(Text(f"{count(listed.total, 'paper')}, {first}."))
    blocks.append(PaperList(lines, menus=IN_ANSWERS))
    return Reply((*blocks, *([pager] if pager else ())))


def nothing_in_period_reply(period: Period, near: NearestDays, by: str = "") -> Reply:
    """Say that no edition ends in a period, and offer the nearest months in which one does.

    `by` is the argument that asks for the same order there, empty for the usual one.
    """
    when = "on" if period.first_day == period.last_day else "in"
    notice = Notice(
        Level.INFO,
        f"No edition ends {when} {days(period.first_day, period.last_day)}.",
        "The nearest months with papers are below.",
    )
    found = (("First one after", near.after), ("Last one before", near.before))
    # A day or a week may have both in its own month.
    months = {f"{ends:%Y-%m}": f"{label}: {ends:%b %Y}" for label, ends in found if ends}
    lines = {f"top {month} {by}".rstrip(): label for month, label in sorted(months.items())}
    buttons = (Button(label, line) for line, label in lines.items())
    return Reply((notice, Actions(tuple(buttons))))


def _of_week(week: str) -> str:
    return f"{CONSENSUS} {week}"


def _exclusives(source: str, papers: Sequence[ConsensusPaper]) -> list[Block]:
    if not papers:
        return []
    shown = papers[:_EXCLUSIVES]
    told = f"{count(len(papers), 'paper')}, the first {len(shown)} of them"
    some = told if len(papers) > len(shown) else count(len(papers), "paper")
    return [Text(f"Only in {source}, {some}:"), _placed(shown)]


def _placed(papers: Sequence[ConsensusPaper]) -> PaperList:
    """List papers under their numbers in the consensus, each with its places."""
    lines = (_paper(str(each.rank), each.mentions, _ranks(each.mentions)) for each in papers)
    return PaperList(tuple(lines), menus=IN_ANSWERS)


def _paper(called: str, mentions: Sequence[Mention], line: str) -> PaperLine:
    best = mentions[0].entry
    return PaperLine(called, shorten(marked_title(best), _LONGEST_TITLE), line, best.ref)


def _ranks(mentions: Sequence[Mention]) -> str:
    """Tell where each source has a paper: `dair #1 · hf-daily #3 · paperdive E162`."""
    return " · ".join(f"{each.edition.source} {_in_edition(each)}" for each in mentions)


def _places(mentions: Sequence[Mention]) -> str:
    """Tell in which editions a paper stands: `Number 1 in dair, Jan 5-11, 2026`."""
    told = [place(each.edition, each.entry) for each in mentions[:_PLACES]]
    if len(mentions) > _PLACES:
        told.append(f"{len(mentions) - _PLACES} more")
    return " · ".join(told)


def _in_edition(mention: Mention) -> str:
    entry = mention.entry
    return number(entry) if entry.episode else f"#{number(entry)}"
