"""The consensus of a week and the best papers of a period, as Replies."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import Enum, auto

from bot.domain.weeks import Period, Week
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
from bot.replies.paper_actions import ANSWER_MENUS, NO_VOTES
from bot.replies.papers import edition_button, edition_head, nearest_week_buttons
from bot.replies.wording import NO_CONSENSUS, count, days, marked_title, number, place, shorten
from store.consensus.queries import Consensus, ConsensusPaper, NearestDays
from store.library.editions import Neighbours
from store.records import Mention
from store.sources import CONSENSUS

_EXCLUSIVES = 3  # papers shown that only one source has, of each
_PLACES = 3  # shown of a paper
_LONGEST_TITLE = 200
_NO_VOTES = "Nobody here has voted for any of these papers yet."
_HOW_TO_VOTE = "Vote stands below a paper where its Details show it; or name one: vote 3."
_NO_VOTERS = "Votes count in a server or a workspace that Broadsheet is in; there are none here."


class Order(Enum):
    """The order of the papers of a period; `WITHOUT_VOTES` if nobody has voted."""

    BY_RANK = auto()
    BY_VOTES = auto()
    WITHOUT_VOTES = auto()


@dataclass(frozen=True, slots=True)
class Ranked:
    """A page of the best papers of a period, from the number `first` on, of `total` in an order.

    `votes` are those of the papers by ref; `has_voters` tells whether anybody can vote.
    """

    period: Period
    order: Order
    total: int
    first: int
    votes: Mapping[str, int]
    has_voters: bool = True


def consensus_reply(  # noqa: PLR0913 - each is a part of the answer
    found: Consensus,
    agreed: slice,
    more: str | None,
    beside: Neighbours,
    day: date,
    *,
    votes: Mapping[str, int] = NO_VOTES,
) -> Reply:
    """Show what the sources of a week agree on, what each has alone, and what they rank apart.

    Args:
        found: the consensus.
        agreed: the papers that they agree on of the first page.
        more: the command string of the next page, `None` if there is none.
        beside: the nearest weeks that have a consensus.
        day: the day (UTC).
        votes: the votes of papers, by ref.
    """
    week = Week.of(found.edition.first_day)
    blocks = [*edition_head(found.edition, day), Text(found.edition.overview or "")]
    if found.agreed:
        blocks.append(_placed(found.agreed[agreed], votes))
    if more:
        blocks.append(Actions((Button("More that they agree on", more),)))
    for source in found.sources:
        blocks += _exclusives(source, found.only_in(source), votes)
    if found.disputed:
        blocks += [Text("Most disputed:"), _placed(found.disputed, votes)]
    whole = Button("All papers in order", f"week {week.name} from:{CONSENSUS}")
    buttons = (whole, *(edition_button(source, week) for source in found.sources))
    pager = Pager(
        f"Week {week.name}",
        beside.before and _of_week(beside.before),
        beside.after and _of_week(beside.after),
    )
    return Reply((*blocks, Actions(buttons), pager), command=_of_week(week.name))


def agreed_reply(
    found: Consensus,
    page: slice,
    pager: Pager | None,
    day: date,
    votes: Mapping[str, int] = NO_VOTES,
) -> Reply:
    """List a later page of what the sources of a week agree on."""
    blocks = (*edition_head(found.edition, day), _placed(found.agreed[page], votes))
    return Reply((*blocks, pager) if pager else blocks)


def no_consensus_reply(week: Week, covering: Sequence[str], beside: Neighbours) -> Reply:
    """Say that a week has no consensus, and offer the nearest weeks that have one."""
    covered = f"only {covering[0]} covers it" if covering else "no source covers it"
    notice = Notice(
        Level.INFO,
        f"Week {week.name} ({days(week.first_day, week.last_day)}) has no consensus: {covered}.",
        "A consensus takes two sources with papers. The nearest are below.",
    )
    buttons = nearest_week_buttons(beside, _of_week)
    if covering:
        buttons = (*buttons, *(edition_button(source, week) for source in covering))
    return Reply((notice, Actions(buttons)), command=_of_week(week.name))


def no_consensus_yet_reply() -> Reply:
    """Say that no week at all has a consensus."""
    notice = Notice(
        Level.INFO,
        NO_CONSENSUS,
        "What there is:",
    )
    buttons = (Button("Newest edition", "latest"), Button("Sources", "sources"))
    return Reply((notice, Actions(buttons)), command=CONSENSUS)


def top_reply(listed: Ranked, papers: Sequence[Sequence[Mention]], pager: Pager | None) -> Reply:
    """List a page of the best papers of a period, each with its places, the best place first."""
    lines = tuple(
        _paper(str(place), mentions, _places(mentions), listed.votes)
        for place, mentions in enumerate(papers, start=listed.first)
    )
    period, order = listed.period, listed.order
    blocks: list[Block] = [Title(f"Top papers · {days(period.first_day, period.last_day)}")]
    if order is Order.WITHOUT_VOTES:
        notice = (_NO_VOTES, _HOW_TO_VOTE) if listed.has_voters else (_NO_VOTERS,)
        blocks.append(Notice(Level.INFO, *notice))
    first = "most votes here first, then the best over all sources"
    if order is not Order.BY_VOTES:
        first = "the best over all sources first"
    blocks.append(Text(f"{count(listed.total, 'paper')}, {first}."))
    blocks.append(PaperList(lines, menus=ANSWER_MENUS))
    return Reply((*blocks, *([pager] if pager else ())))


def nothing_in_period_reply(period: Period, near: NearestDays, by: str = "") -> Reply:
    """Say that no edition ends in a period, and offer the nearest months with one.

    `by` is the argument of the order, empty for the default.
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
    buttons = (
        Button(label, f"top {month} {by}".rstrip()) for month, label in sorted(months.items())
    )
    return Reply((notice, Actions(tuple(buttons))))


def _of_week(week: str) -> str:
    return f"{CONSENSUS} {week}"


def _exclusives(
    source: str, papers: Sequence[ConsensusPaper], votes: Mapping[str, int]
) -> list[Block]:
    if not papers:
        return []
    shown = papers[:_EXCLUSIVES]
    some = count(len(papers), "paper")
    if len(papers) > len(shown):
        some += f", the first {len(shown)} of them"
    return [Text(f"Only in {source}, {some}:"), _placed(shown, votes)]


def _placed(papers: Sequence[ConsensusPaper], votes: Mapping[str, int]) -> PaperList:
    """List papers under their numbers in the consensus, each with its places."""
    lines = (_paper(str(each.rank), each.mentions, _ranks(each.mentions), votes) for each in papers)
    return PaperList(tuple(lines), menus=ANSWER_MENUS)


def _paper(
    name: str, mentions: Sequence[Mention], line: str, votes: Mapping[str, int]
) -> PaperLine:
    best = mentions[0].entry
    title = shorten(marked_title(best), _LONGEST_TITLE)
    return PaperLine(name, title, line, best.ref, votes=votes.get(best.ref, 0))


def _ranks(mentions: Sequence[Mention]) -> str:
    """Word the rank of a paper in each source: `dair #1 · hf-daily #3 · paperdive E162`."""
    return " · ".join(f"{each.edition.source} {_in_edition(each)}" for each in mentions)


def _places(mentions: Sequence[Mention]) -> str:
    """Word the editions of a paper: `Number 1 in dair, Jan 5-11, 2026`."""
    places = [place(each.edition, each.entry) for each in mentions[:_PLACES]]
    if len(mentions) > _PLACES:
        places.append(f"{len(mentions) - _PLACES} more")
    return " · ".join(places)


def _in_edition(mention: Mention) -> str:
    entry = mention.entry
    return number(entry) if entry.episode else f"#{number(entry)}"
