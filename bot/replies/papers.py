"""Replies about papers: one in full, lists, editions, weeks, facts from arXiv, web pages. Pure."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import lru_cache
from itertools import islice

from bot.cache import once_each
from bot.domain.dates import find_days
from bot.domain.page_paths import named_paper, paper_path
from bot.domain.paper_ids import arxiv_url, entry_url, with_small_scheme
from bot.domain.topics import tag
from bot.domain.weeks import Week
from bot.replies.blocks import (
    Actions,
    Block,
    Button,
    Fields,
    Level,
    Notice,
    PaperCard,
    PaperLine,
    PaperList,
    Reply,
    Text,
    Title,
    TopicMark,
    WebPage,
)
from bot.replies.naming import line_about, listed_titles, shown_title
from bot.replies.one_lines import LINE_LENGTH
from bot.replies.paper_actions import NO_VOTES, answer_actions
from bot.replies.wording import count, day, days, number, place, places, shorten, with_gaps
from store.library.arxiv import ArxivPaper
from store.library.editions import Neighbours, is_open
from store.records import Edition, Entry, Link, Mention
from store.sources import CONSENSUS

_WORDS_SHOWN = 4  # of those that matched a topic
_SHARED_LINKS = frozenset({"code", "project"})  # links that belong to all mentions of a paper
_AUTHORS_NAMED = 3
_CATEGORIES_NAMED = 5
_PLACES_NAMED = 4
_TEXTS_OFFERED = 3
_TOPICS_NAMED = 3  # in a list
_KEPT = 1024  # lines: what one answer shows others show too
_WEB_PAGE = "Web page"
SAMPLE = Notice(
    Level.INFO,
    "This is a bundled sample: well-known papers, arranged to have something to show.",
    "Import a round-up to replace it: broadsheet import FILE.",
)


def paper_reply(  # noqa: PLR0913 - each is a part of the answer
    mention: Mention,
    featured: Sequence[Mention],
    related: Sequence[Mention] = (),
    arxiv: ArxivPaper | None = None,
    votes: Mapping[str, int] = NO_VOTES,
    *,
    voted: bool = False,
) -> Reply:
    """Show one paper in full, with all its places and similar papers.

    `votes` are those of all these papers, by ref; `voted` tells whether the user has voted for it.
    """
    ref = mention.entry.ref
    others = [other for other in featured if other.entry.ref != ref]
    card = _with_shared_links(paper_card(mention.edition, mention.entry, votes), featured)
    card = replace(card, where=_all_places(mention, others))
    blocks: list[Block] = [card, _no_authors(card)]
    if arxiv:
        blocks = _with_arxiv(card, mention.edition, arxiv)
    actions = answer_actions(card, voted=voted)
    blocks.append(Actions((*actions.buttons, *_other_texts(mention, others))))
    if related:
        lines = tuple(place_line(each, votes) for each in related)
        blocks += [Text("Related:"), PaperList(lines, numbered=False)]
        blocks.append(Actions((Button("More related papers", f"related {ref}"),)))
    return Reply(tuple(blocks), command=f"show {ref}")


def _all_places(mention: Mention, others: Sequence[Mention]) -> str:
    """Word where a paper was featured, in this edition first, and below which headings there."""
    shown = [mention, *others][:_PLACES_NAMED]
    more = f"{len(others) + 1 - len(shown)} more" if len(shown) <= len(others) else ""
    return " · ".join(filter(None, (places(shown), more, *_headings(mention.entry))))


def _other_texts(mention: Mention, others: Sequence[Mention]) -> Iterator[Button]:
    """Yield buttons to what other editions say of a paper, of each source the newest."""
    newest = {each.edition.source: each for each in reversed(others)}
    newest.pop(mention.edition.source, None)
    for source, each in islice(sorted(newest.items()), _TEXTS_OFFERED):
        yield Button(f"Read it in {source}", f"show {each.entry.ref}", turns=True)


def _headings(entry: Entry) -> tuple[str | None, str | None]:
    return entry.heading, None if entry.title.startswith(entry.section or "") else entry.section


def paper_card(edition: Edition, entry: Entry, votes: Mapping[str, int] = NO_VOTES) -> PaperCard:
    """Show an entry in full."""
    words = {tagged.topic: tagged.words[:_WORDS_SHOWN] for tagged in tag(entry)}
    return PaperCard(
        ref=entry.ref,
        title=shown_title(entry),
        where=" · ".join(filter(None, (place(edition, entry), *_headings(entry)))),
        summary=entry.summary and with_gaps(entry, entry.summary),
        highlights=tuple(replace(h, text=with_gaps(entry, h.text)) for h in entry.highlights),
        links=_links(entry),
        arxiv_id=entry.arxiv_id,
        topics=tuple(TopicMark(topic, words.get(topic, ())) for topic in entry.topics),
        votes=votes.get(entry.ref, 0),
        url=entry_url(entry),
    )


def _links(entry: Entry) -> tuple[Link, ...]:
    return tuple(replace(link, url=with_small_scheme(link.url)) for link in entry.links)


def _with_shared_links(card: PaperCard, featured: Sequence[Mention]) -> PaperCard:
    known = {link.url for link in card.links}
    more = {
        link.url: link
        for mention in reversed(featured)
        for link in _links(mention.entry)
        if link.label.casefold() in _SHARED_LINKS and link.url not in known
    }
    return replace(card, links=(*card.links, *more.values()))


def _with_arxiv(card: PaperCard, edition: Edition, arxiv: ArxivPaper) -> list[Block]:
    """Return a card and arXiv's facts, with the abstract if the edition has no summary."""
    if card.arxiv_id is None:
        card = replace(card, arxiv_id=arxiv.arxiv_id, url=arxiv_url(arxiv.arxiv_id))
    blocks: list[Block] = [card, Fields(tuple(_arxiv_fields(edition, arxiv)))]
    if arxiv.withdrawn:
        notice = Notice(Level.WARNING, "This paper was withdrawn from arXiv.", arxiv.comment or "")
        blocks.insert(0, notice)
    if not card.summary and arxiv.abstract:
        blocks.append(Text(f"Abstract: {arxiv.abstract}"))
    return blocks


def _no_authors(card: PaperCard) -> Fields:
    """Say why nobody is named, as who asks who wrote a paper is shown its card."""
    why = "not stored yet" if card.arxiv_id else "not stored, as no arXiv id is"
    return Fields((("Authors", why),))


def _arxiv_fields(edition: Edition, arxiv: ArxivPaper) -> Iterator[tuple[str, str]]:
    if arxiv.authors:
        yield "Authors" if len(arxiv.authors) > 1 else "Author", short_author_list(arxiv.authors)
    yield "Submitted", day(arxiv.submitted_at.date())
    if arxiv.categories:
        yield "Categories", ", ".join(arxiv.categories[:_CATEGORIES_NAMED])
    updated_on = arxiv.updated_at.date()
    if arxiv.version > 1 and updated_on > edition.last_day:
        yield "New version", f"v{arxiv.version} of {day(updated_on)}, after this edition"


def short_author_list(authors: Sequence[str]) -> str:
    """Name the first authors, and count the others."""
    named = authors[:_AUTHORS_NAMED]
    others = len(authors) - len(named)
    if others:
        return f"{', '.join(named)} and {count(others, 'other')}"
    *first, last = named
    return f"{', '.join(first)} and {last}" if first else last


def place_line(mention: Mention, votes: Mapping[str, int] = NO_VOTES) -> PaperLine:
    """Return a paper as a line with its place and without a summary."""
    return _voted(_placed(mention), votes)


@once_each(_KEPT)
def _placed(mention: Mention) -> PaperLine:
    entry = mention.entry
    return PaperLine(
        number(entry),
        shown_title(entry),
        None,
        entry.ref,
        place(mention.edition, entry),
        url=entry_url(entry),
        topics=entry.topics[:_TOPICS_NAMED],
    )


def _voted(line: PaperLine, votes: Mapping[str, int]) -> PaperLine:
    counted = votes.get(line.ref, 0)
    return replace(line, votes=counted) if counted else line


def edition_head(edition: Edition, day: date) -> list[Block]:
    """Return the title of an edition as of a day (UTC), and a notice if it is a sample."""
    title = Title(f"{edition_title(edition)}{so_far(edition, day)}")
    return [title, SAMPLE] if edition.sample else [title]


def edition_title(edition: Edition, longest: int | None = None) -> str:
    """Return the title of an edition, cut to `longest` characters, and its days."""
    title = title_without_days(edition)
    title = shorten(title, longest) if longest else title
    return f"{title} · {days(edition.first_day, edition.last_day)}"


def edition_button(source: str, week: Week) -> Button:
    """Return the button to a source's edition of a week, or to the week's consensus."""
    is_consensus = source == CONSENSUS
    command = f"{CONSENSUS} {week.name}" if is_consensus else week_command(week.name, source)
    return Button(f"{source}, {_days_of(week.name)}", command)


def paper_line(
    entry: Entry, votes: Mapping[str, int] = NO_VOTES, length: int = LINE_LENGTH
) -> PaperLine:
    """Return an entry as a line of its edition, with one line of its summary."""
    return _voted(_summed_up(entry, length), votes)


@once_each(_KEPT)
def _summed_up(entry: Entry, length: int) -> PaperLine:
    return PaperLine(
        number(entry),
        shown_title(entry),
        line_about(entry, length),
        entry.ref,
        heading=entry.heading,
        url=entry_url(entry),
        topics=entry.topics[:_TOPICS_NAMED],
    )


def paper_lines(
    entries: Sequence[Entry], votes: Mapping[str, int] = NO_VOTES, length: int = LINE_LENGTH
) -> list[PaperLine]:
    """Return entries as the lines of one list, in which no two bear the same title."""
    lines = [paper_line(each, votes, length) for each in entries]
    return [
        line if line.title == title else replace(line, title=title)
        for line, title in zip(lines, listed_titles(entries), strict=True)
    ]


def nearest_week_buttons(beside: Neighbours, command: Callable[[str], str]) -> tuple[Button, ...]:
    """Return the buttons to the weeks before and after; `command` makes their commands."""
    found = (("Last one before", beside.before), ("First one after", beside.after))
    return tuple(
        Button(f"{label}: {_days_of(near)}", command(near)) for label, near in found if near
    )


def so_far(edition: Edition, day: date) -> str:
    """Mark the title of an edition that is open on a day (UTC)."""
    return ", so far" if is_open(edition, day) else ""


def week_command(week: str, source: str | None) -> str:
    """Return the command string of a week, of one source or of all."""
    return f"week {week} from:{source}" if source else f"week {week}"


def _days_of(name: str) -> str:
    week = Week.named(name)
    return days(week.first_day, week.last_day)


def title_without_days(edition: Edition) -> str:
    """Return the title of an edition without the days that it ends with."""
    return _without_days(edition.title)


@lru_cache(256)  # an edition is named in each answer from it
def _without_days(title: str) -> str:
    phrase = find_days(title)
    before = title[: phrase.start].rstrip(" (:-–—") if phrase else ""
    return before or title


def with_page_links(reply: Reply, public_url: str | None) -> Reply:
    """Return a reply whose papers and editions link to their pages below a public URL.

    The title of a paper leads there only where the paper has no page elsewhere. Without a public
    URL nothing changes.
    """
    if not public_url:
        return reply
    blocks = (with_page_link(block, public_url) for block in reply.blocks)
    return replace(reply, blocks=tuple(blocks))


def with_page_link(block: Block, public_url: str | None) -> Block:
    """Return a block that links to pages as `with_page_links` has it."""
    base = (public_url or "").rstrip("/")
    if not base:
        return block
    match block:
        case WebPage() if block.path:
            return replace(block, url=f"{base}{block.path}")
        case PaperList():
            return replace(block, papers=tuple(_linked_line(line, base) for line in block.papers))
        case PaperCard():
            return _linked_card(block, base)
        case _:
            return block


def _linked_line(line: PaperLine, base: str) -> PaperLine:
    return line if line.url else replace(line, url=_page(None, line.ref, base))


def _linked_card(card: PaperCard, base: str) -> PaperCard:
    page = _page(card.arxiv_id, card.ref, base)
    if page is None:
        return card
    return replace(card, url=card.url or page, links=(*card.links, Link(_WEB_PAGE, page)))


def _page(arxiv_id: str | None, ref: str, base: str) -> str | None:
    """Return the page of a paper, `None` for one that stands in no edition any more."""
    path = paper_path(arxiv_id, ref)
    return f"{base}{path}" if named_paper(path.removeprefix(paper_path(None, ""))) else None
