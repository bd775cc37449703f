"""Papers as Replies: one in full, and lists of them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import date

from bot.domain.topics import tag
from bot.domain.week_phrases import find_week
from bot.domain.weeks import Week
from bot.replies.blocks import (
    Actions,
    Block,
    Button,
    Fields,
    Level,
    Notice,
    Pager,
    PaperCard,
    PaperLine,
    PaperList,
    Reply,
    Text,
    Title,
    TopicMark,
)
from bot.replies.paper_actions import ANSWER_MENUS, answer_actions
from bot.replies.wording import count, day, days, marked_title, number, one_line, place, shorten
from store.library.arxiv import ArxivPaper
from store.library.editions import Neighbours, is_open
from store.records import Edition, Entry, Mention
from store.sources import CONSENSUS

_WORDS_SHOWN = 4  # of those that speak for a topic
_OF_THE_PAPER = frozenset({"code", "project"})  # links that are as good below any of its mentions


def paper_reply(
    mention: Mention,
    featured: Sequence[Mention],
    related: Sequence[Mention] = (),
    arxiv: ArxivPaper | None = None,
) -> Reply:
    """Show all about one paper.

    Args:
        mention: the paper as one edition has it.
        featured: all its mentions, newest first.
        related: papers that are like it.
        arxiv: what arXiv says of it, `None` where that is not known.
    """
    card = _with_links_of(featured, paper_card(mention.edition, mention.entry))
    blocks: list[Block] = [card] if arxiv is None else told_by_arxiv(card, mention.edition, arxiv)
    blocks.append(answer_actions(card))
    others = [other for other in featured if other.entry.ref != mention.entry.ref]
    if others:
        blocks += [
            Text("Also featured:"),
            PaperList(tuple(map(_place_line, others)), numbered=False),
        ]
    if related:
        blocks += [Text("Related:"), PaperList(tuple(map(_place_line, related)), numbered=False)]
        blocks.append(Actions((Button("More related papers", f"related {mention.entry.ref}"),)))
    return Reply(tuple(blocks), line=f"show {mention.entry.ref}")


def random_reply(shown: Reply, again: str) -> Reply:
    """Offer another paper below one that chance picked; `again` is the command for that."""
    return replace(shown, blocks=(*shown.blocks, Actions((Button("Another one", again),))))


def related_reply(mention: Mention, related: Sequence[Mention]) -> Reply:
    """List the papers that are most like one."""
    line = f"related {mention.entry.ref}"
    title = Title(f"Related to {shorten(marked_title(mention.entry), 100)}")
    if not related:
        return Reply((title, Notice(Level.INFO, "No other paper is much like it.")), line=line)
    back = Button("Back to the paper", f"show {mention.entry.ref}")
    lines = tuple(_summary_line(other) for other in related)
    listed = PaperList(lines, numbered=False, menus=ANSWER_MENUS)
    return Reply((title, listed, Actions((back,))), line=line)


def topic_reply(
    topic: str, summary: str, papers: Sequence[Mention], position: str, pager: Pager | None
) -> Reply:
    """List a page of the papers of a topic, newest first."""
    lines = tuple(_summary_line(paper) for paper in papers)
    blocks: tuple[Block, ...] = (
        Title(f"{topic}: {summary}"),
        Text(position),
        PaperList(lines, numbered=False, menus=ANSWER_MENUS),
    )
    return Reply((*blocks, pager) if pager else blocks)


def paper_card(edition: Edition, entry: Entry) -> PaperCard:
    """Show all that an edition says about a paper."""
    section = None if entry.title.startswith(entry.section or "") else entry.section
    where = " · ".join(filter(None, (place(edition, entry), entry.heading, section)))
    return PaperCard(
        ref=entry.ref,
        title=marked_title(entry),
        where=where,
        summary=entry.summary,
        highlights=entry.highlights,
        links=entry.links,
        arxiv_id=entry.arxiv_id,
        topics=_marks(entry),
    )


def _with_links_of(featured: Sequence[Mention], card: PaperCard) -> PaperCard:
    """Add the code and the project that other mentions of a paper link to."""
    known = {link.url for link in card.links}
    more = {
        link.url: link
        for mention in reversed(featured)
        for link in mention.entry.links
        if link.label.casefold() in _OF_THE_PAPER and link.url not in known
    }
    return replace(card, links=(*card.links, *more.values()))


def _marks(entry: Entry) -> tuple[TopicMark, ...]:
    words = {tagged.topic: tagged.words for tagged in tag(entry)}
    return tuple(TopicMark(topic, words.get(topic, ())[:_WORDS_SHOWN]) for topic in entry.topics)


def _summary_line(mention: Mention) -> PaperLine:
    entry = mention.entry
    return PaperLine(
        number(entry),
        marked_title(entry),
        one_line(entry.summary),
        entry.ref,
        place(mention.edition, entry),
    )


def _place_line(mention: Mention) -> PaperLine:
    entry = mention.entry
    where = place(mention.edition, entry)
    return PaperLine(number(entry), marked_title(entry), None, entry.ref, where)


_FIRST_OF_EACH = 3  # papers shown of each edition where a week has several


def edition_reply(edition: Edition, week: Week, beside: Neighbours, day: date) -> Reply:
    """Show an edition: its titles in order with one line each, and the way to others.

    One that may still grow on this day (UTC) is what there is so far.
    """
    blocks: list[Block] = [*edition_head(edition, day), Text(_edition_line(edition))]
    if edition.overview:
        blocks.append(Text(edition.overview))
    lines = tuple(paper_line(entry) for entry in edition.entries)
    blocks.append(PaperList(lines, menus=ANSWER_MENUS))
    line = _week_command(week.name, edition.source)
    return Reply((*blocks, *_ways_on(edition, week, beside)), line=line)


def edition_head(edition: Edition, day: date) -> list[Block]:
    """Return the title of an edition as of a day (UTC), and what to know of it before."""
    title = Title(f"{edition_title(edition)}{_so_far(edition, day)}")
    return [title, _SAMPLE] if edition.sample else [title]


_SAMPLE = Notice(
    Level.INFO,
    "This is a bundled sample: well-known papers, arranged to have something to show.",
    "Import a round-up to replace it: broadsheet import FILE.",
)


def _so_far(edition: Edition, day: date) -> str:
    return ", so far" if is_open(edition, day) else ""


def week_reply(
    week: Week, source: str | None, editions: Sequence[Edition], beside: Neighbours, day: date
) -> Reply:
    """Show a week of several editions: the first papers of each, and a button for each.

    `source` is the one that was asked for, `None` where all were.
    """
    blocks: list[Block] = [Title(f"Week {week.name} · {days(week.first_day, week.last_day)}")]
    for edition in editions:
        named = f"{_without_days(edition)}{_so_far(edition, day)}"
        blocks.append(Text(f"{named}: {_edition_line(edition)}"))
        shown = edition.entries[:_FIRST_OF_EACH]
        lines = tuple(paper_line(entry) for entry in shown)
        blocks.append(PaperList(lines, menus=ANSWER_MENUS))
    buttons = (edition_button(edition.source, week) for edition in editions)
    blocks.append(Actions(tuple(buttons)))
    line = _week_command(week.name, source)
    return Reply((*blocks, _pager(week, beside, source)), line=line)


def no_edition_reply(week: Week, source: str | None, beside: Neighbours) -> Reply:
    """Say that a week has no edition, and offer the last one before and the first one after."""
    of_source = f" of {source}" if source else ""
    notice = Notice(
        Level.INFO,
        f"There is no edition{of_source} for week {week.name}"
        f" ({days(week.first_day, week.last_day)}).",
        "The nearest are below.",
    )
    buttons = nearest_week_buttons(beside, lambda near: _week_command(near, source))
    return Reply((notice, Actions(buttons)), line=_week_command(week.name, source))


def nearest_week_buttons(beside: Neighbours, command: Callable[[str], str]) -> tuple[Button, ...]:
    """Return a button to each of the weeks beside one, by the command that shows such a week."""
    found = (("Last one before", beside.before), ("First one after", beside.after))
    return tuple(
        Button(f"{label}: {_days_of(near)}", command(near)) for label, near in found if near
    )


def edition_title(edition: Edition, longest: int | None = None) -> str:
    """Return the title of an edition with its days after it, cut where it is `longest` and more."""
    title = _without_days(edition)
    title = shorten(title, longest) if longest else title
    return f"{title} · {days(edition.first_day, edition.last_day)}"


def paper_line(entry: Entry) -> PaperLine:
    """List a paper under its number in its edition, with one line on it."""
    line = one_line(entry.summary)
    return PaperLine(number(entry), marked_title(entry), line, entry.ref, entry.heading)


def _ways_on(edition: Edition, week: Week, beside: Neighbours) -> list[Block]:
    others = [edition_button(slug, week) for slug in beside.others if slug != edition.source]
    if edition.source == CONSENSUS:
        others = [_agreed(week), *others]
    pager = _pager(week, beside, edition.source)
    blocks: list[Block] = [Actions(tuple(others))] if others else []
    return [*blocks, pager] if pager.previous or pager.next else blocks


def edition_button(source: str, week: Week) -> Button:
    """Return the button to what a source has in a week, or to what the sources agree on."""
    if source == CONSENSUS:
        return _agreed(week)
    return Button(f"{source}, {_days_of(week.name)}", _week_command(week.name, source))


def _agreed(week: Week) -> Button:
    return Button(f"{CONSENSUS}, {_days_of(week.name)}", f"{CONSENSUS} {week.name}")


def _pager(week: Week, beside: Neighbours, source: str | None) -> Pager:
    return Pager(
        position=f"Week {week.name}",
        previous=beside.before and _week_command(beside.before, source),
        next=beside.after and _week_command(beside.after, source),
    )


def _week_command(week: str, source: str | None) -> str:
    return f"week {week} from:{source}" if source else f"week {week}"


def _days_of(name: str) -> str:
    week = Week.named(name)
    return days(week.first_day, week.last_day)


def _without_days(edition: Edition) -> str:
    """Return the title up to its range of days, which is worded after it."""
    phrase = find_week(edition.title)
    before = edition.title[: phrase.start].rstrip(" (:-–—") if phrase else ""
    return before or edition.title


def _edition_line(edition: Edition) -> str:
    parts = [f"from {edition.source}", count(len(edition.entries), "paper")]
    if edition.minutes:
        parts.append(f"{edition.minutes} minutes")
    if edition.year_rule == "weekday":
        parts.append("year inferred from the weekday")
    return " · ".join(parts)


_AUTHORS_NAMED = 3
_CATEGORIES_NAMED = 5


def told_by_arxiv(card: PaperCard, edition: Edition, told: ArxivPaper) -> list[Block]:
    """Return a card and what arXiv says: the abstract only where the edition has no summary."""
    card = replace(card, arxiv_id=card.arxiv_id or told.arxiv_id)
    blocks: list[Block] = [card, Fields(tuple(_facts(edition, told)))]
    if told.withdrawn:
        notice = Notice(Level.WARNING, "This paper was withdrawn from arXiv.", told.comment or "")
        blocks.insert(0, notice)
    if not card.summary and told.abstract:
        blocks.append(Text(f"Abstract: {told.abstract}"))
    return blocks


def _facts(edition: Edition, told: ArxivPaper) -> Iterator[tuple[str, str]]:
    if told.authors:
        yield "Authors" if len(told.authors) > 1 else "Author", short_author_list(told.authors)
    yield "Submitted", day(told.submitted_at.date())
    if told.categories:
        yield "Categories", ", ".join(told.categories[:_CATEGORIES_NAMED])
    updated_on = told.updated_at.date()
    if told.version > 1 and updated_on > edition.last_day:
        yield "New version", f"v{told.version} of {day(updated_on)}, after this edition"


def short_author_list(authors: Sequence[str]) -> str:
    """Name the first authors, and say how many others there are."""
    named = authors[:_AUTHORS_NAMED]
    others = len(authors) - len(named)
    if others:
        return f"{', '.join(named)} and {count(others, 'other')}"
    *first, last = named
    return f"{', '.join(first)} and {last}" if first else last
