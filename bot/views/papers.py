"""Papers as Replies: one in full, and lists of them."""

from collections.abc import Sequence
from dataclasses import replace

from bot.ingest.topics import tag
from bot.replies import (
    Actions,
    Block,
    Button,
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
from bot.views.arxiv import told_by_arxiv
from bot.views.keeping import IN_ANSWERS, below_answer
from bot.wording import marked_title, number, one_line, place, shorten
from store.library.arxiv import ArxivPaper
from store.records import Edition, Entry, Mention

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
    blocks.append(below_answer(card))
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
    listed = PaperList(lines, numbered=False, menus=IN_ANSWERS)
    return Reply((title, listed, Actions((back,))), line=line)


def topic_reply(
    topic: str, summary: str, papers: Sequence[Mention], position: str, pager: Pager | None
) -> Reply:
    """List a page of the papers of a topic, newest first."""
    lines = tuple(_summary_line(paper) for paper in papers)
    blocks: tuple[Block, ...] = (
        Title(f"{topic}: {summary}"),
        Text(position),
        PaperList(lines, numbered=False, menus=IN_ANSWERS),
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
