"""The head of a review's page: its title, its facts, the player and the overview."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta

from bot.domain.drafts import Note
from bot.domain.week_phrases import find_week
from bot.errors import DocumentError
from bot.ingest.formats.review.furniture import (
    furniture_reason,
    is_facts_line,
    is_kind_label,
    minutes_in,
    read_facts,
    shared_minutes,
)
from bot.ingest.formats.review.head import Head, take_facts
from bot.ingest.formats.review.lines import Element, looks_like_title
from bot.ingest.formats.review.lists import is_list_marker
from bot.ingest.formats.review.marks import numbers_in
from bot.ingest.formats.review.page.blocks import Block
from bot.ingest.formats.review.page.errors import changed
from bot.ingest.formats.review.page.meta import Meta
from bot.ingest.formats.review.title import Title, title_in

# Midnight is not the same everywhere.
_ONE_DAY = timedelta(days=1)


def read_page_head(blocks: Sequence[Block], meta: Meta) -> tuple[Head, list[Block]]:
    """Part a page's head from its body, which begins with the first heading below the title.

    Raises:
        DocumentError: if no title names a week, or if texts stand under two weeks.
    """
    title, at = _find_title(blocks, meta)
    start = _body_start(blocks, at)
    head = Head(title, url=meta.url)
    _refuse_second_review(head, blocks)
    _check_titles(head, meta)
    _read_head(head, blocks[:start], at)
    _check_facts(head, meta)
    return head, list(blocks[start:])


def _find_title(blocks: Sequence[Block], meta: Meta) -> tuple[Title, int]:
    """Return the title and its place; one that only the page's head has stands before all."""
    titled = [(place, title) for place, b in enumerate(blocks) if (title := title_in(b.element))]
    titled.sort(key=lambda found: blocks[found[0]].level or 7)
    for place, title in titled:
        if blocks[place].level:
            return title, place
    for place, block in enumerate(blocks):
        if block.level == 1 and (phrase := find_week(block.text)):
            return Title(block.element, block.text, phrase), place
    for element in meta.titles:
        if title := title_in(element):
            return title, -1
    raise changed("no title names a week, as in “Week in Review: June 1\u20137, 2026”")


def _body_start(blocks: Sequence[Block], at: int) -> int:
    return next(
        (place for place in range(at + 1, len(blocks)) if _begins_body(blocks[place])),
        len(blocks),
    )


def _begins_body(block: Block) -> bool:
    if is_list_marker(block.text):
        return True
    known = title_in(block.element) or is_facts_line(block.text) or furniture_reason(block.text)
    return block.level > 0 and not known and not is_kind_label(block.text)


def _refuse_second_review(head: Head, blocks: Sequence[Block]) -> None:
    """Refuse a page with texts both before and after the heading of another week.

    Raises:
        DocumentError: if it has.
    """
    texts = [at for at, block in enumerate(blocks) if not block.level and numbers_in(block.text)]
    for at, block in enumerate(blocks):
        other = title_in(block.element) if block.level else None
        if other and texts and texts[0] < at < texts[-1] and not other.agrees_with(head.title):
            raise DocumentError(
                f"The page holds two reviews: “{head.title.text}” and “{other.text}”.",
                "Import each review from a page of its own.",
            )


def _check_titles(head: Head, meta: Meta) -> None:
    if head.title.element in meta.titles:
        note = "no heading has the title; it was taken from the page's head"
        head.warnings.append(Note(head.title.element.line, note))
    for element in meta.titles:
        other = title_in(element)
        if other and not other.agrees_with(head.title):
            head.warnings += element.notes(f"names another week than the title: {other.text}")


def _read_head(head: Head, blocks: Sequence[Block], at: int) -> None:
    """Take each block for what it is; the prose is the overview."""
    lengths: list[Element] = []
    for place, block in enumerate(blocks):
        if place != at and not _takes_known(head, block, lengths):
            _take_text(head, block, is_above=place < at)
    head.minutes, odd = shared_minutes(head.facts, lengths)
    head.warnings += odd


def _takes_known(head: Head, block: Block, lengths: list[Element]) -> bool:
    """Take a title, a fact, or a piece of furniture, or tell that the block is none."""
    element = block.element
    if title := title_in(element):
        agrees = title.agrees_with(head.title)
        head.passed_over += element.notes("repeats the title") if agrees else []
        head.warnings += [] if agrees else element.notes(f"names another week: {title.text}")
    elif is_facts_line(block.text):
        take_facts(head, element)
    elif reason := _furniture(block):
        head.passed_over += element.notes(reason)
        lengths += [element] if minutes_in(block.text) is not None else []
    else:
        return not head.overview and looks_like_title(block.text) and _takes_fact(head, element)
    return True


def _furniture(block: Block) -> str | None:
    if is_kind_label(block.text):
        return "names the kind of page"
    if block.is_way and looks_like_title(block.text):
        return "leads to another page"
    return furniture_reason(block.text)


def _takes_fact(head: Head, element: Element) -> bool:
    """Take a fact that stands alone: a count of episodes or a day."""
    facts, odd = read_facts(element)
    if odd:
        return False
    head.facts = replace(
        head.facts,
        line=head.facts.line or element.line,
        claimed=facts.claimed if head.facts.claimed is None else head.facts.claimed,
        published_on=head.facts.published_on or facts.published_on,
    )
    head.passed_over += element.notes("one of the review's facts")
    return True


def _take_text(head: Head, block: Block, *, is_above: bool) -> None:
    has_marks = bool(numbers_in(block.text))
    if not has_marks and (is_above or looks_like_title(block.text)):
        where = "above the title" if is_above else "before the first heading"
        head.warnings += block.element.notes(f"not understood {where}: {block.text[:60]}")
    else:
        head.overview.append(block.element)


def _check_facts(head: Head, meta: Meta) -> None:
    """Fill in the day of publication from the page's head, and report what is missing or odd."""
    facts, line = head.facts, head.title.element.line
    if facts.claimed is None:
        head.warnings.append(Note(line, "no count of episodes is stated that could be checked"))
    if not head.overview:
        head.warnings.append(Note(line, "the page has no overview"))
    if facts.published_on is None:
        where = facts.line or (meta.published.line if meta.published else None)
        head.facts = replace(facts, line=where, published_on=meta.published_on)
    elif meta.published and _is_other_day(meta.published_on, facts.published_on):
        note = f"the page's head gives another day of publication: {meta.published_on}"
        head.warnings += meta.published.notes(note)


def _is_other_day(one: date | None, other: date) -> bool:
    return one is not None and abs(one - other) > _ONE_DAY
