"""The body of a review's page: its headings, sections, paragraphs and lists, by their tags."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.ingest.formats.review.furniture import furniture_reason
from bot.ingest.formats.review.lines import Element, looks_like_tagline, looks_like_title
from bot.ingest.formats.review.lists import EpisodeList, FoldedBody, is_list_marker, opens_heading
from bot.ingest.formats.review.marks import numbers_in, without_marks
from bot.ingest.formats.review.outline import HeadingStart, Outline, SectionStart, Text
from bot.ingest.formats.review.page.blocks import Block
from bot.ingest.formats.review.page.errors import changed
from bot.ingest.formats.review.page.links import text_links
from bot.ingest.formats.review.page.lists import OpenList, read_item, stands_as_item
from bot.ingest.formats.review.shapes import counted_in
from bot.ingest.formats.review.title import title_in
from store.records import Link

_CAPTIONS = frozenset({"figure", "figcaption"})
_ITEMS = frozenset({"li", "dd", "td"})


@dataclass(slots=True)
class PageBody:
    """The parts of a body in order, and the levels of its headings by their places.

    `items` are the places of paragraphs that stand in a list or a table; `links` are those of
    each paragraph that may be its episode's own.
    """

    folded: FoldedBody = field(default_factory=FoldedBody)
    levels: dict[int, int] = field(default_factory=dict)
    items: set[int] = field(default_factory=set)
    links: dict[Element, tuple[Link, ...]] = field(default_factory=dict)

    def outline(self, counted: frozenset[int]) -> Outline:
        """Tell what each part is, knowing the episodes' numbers.

        Raises:
            DocumentError: if a list closes no heading, or a heading is no heading any more.
        """
        return _OutlineMaker(self, counted).make()


def read_page_body(blocks: Sequence[Block], own: frozenset[str]) -> PageBody:
    """Sort the blocks below the head into headings, paragraphs and lists."""
    reader = _BodyReader(blocks, own)
    for at, block in enumerate(blocks):
        reader.take(at, block)
    reader.end_list()
    return reader.body


class _BodyReader:
    """Walks the blocks once; `_list` is the list that is open."""

    def __init__(self, blocks: Sequence[Block], own: frozenset[str]) -> None:
        self.body = PageBody()
        self._own = own
        self._elements = [block.element for block in blocks]
        self._list: OpenList | None = None
        self._level = 0

    def take(self, at: int, block: Block) -> None:
        """Take the next block."""
        if is_list_marker(block.text):
            self._begin_list(block)
        elif self._list and block.level > self._list.floor and self._list.takes(block):
            return
        elif block.level:
            self._take_heading(block)
        elif self._takes_unread(block) or (self._list and self._takes_into_list(at, block)):
            return
        elif stands_as_item(block, self._own):
            self._begin_unmarked_list(block)
        else:
            self._take_paragraph(at, block)

    def end_list(self) -> None:
        """Put the open list, if there is one, in its place."""
        if self._list is None:
            return
        self.body.folded.parts.append(self._list.closed())
        self.body.folded.warnings += self._list.warnings
        self.body.folded.passed_over += self._list.passed_over
        self._list = None

    def _begin_list(self, block: Block) -> None:
        self.end_list()
        self._list = OpenList(block.line, block.level or self._level, self._own)
        self._list.passed_over += block.element.notes("marks a list of episodes")
        if numbers_in(block.text):
            self._warn(block, f"not understood in a list of episodes: {block.text}")

    def _begin_unmarked_list(self, block: Block) -> None:
        self.end_list()
        self._list = OpenList(block.line, self._level, self._own)
        self._list.takes(block)
        self._warn(block, "a list of episodes that does not say what it is")

    def _takes_into_list(self, at: int, block: Block) -> bool:
        if not read_item(block, self._own).numbers:
            self._refuse_lost_heading(at, block)
        return self._list is not None and self._list.takes(block)

    def _take_heading(self, block: Block) -> None:
        self.end_list()
        if title_in(block.element):
            self._warn(block, f"not understood among the headings: {block.text}")
            return
        self._level = block.level
        self.body.levels[len(self.body.folded.parts)] = block.level
        self._add(block.element)

    def _takes_unread(self, block: Block) -> bool:
        """Pass over what is no text, unless a list is open, where it may belong to an item."""
        if numbers_in(block.text):
            return False
        reason = "a picture's caption" if block.tag in _CAPTIONS else None
        if not self._list:
            reason = reason or furniture_reason(block.text)
            if block.is_way and looks_like_title(block.text):
                reason = reason or "leads to another page"
        if reason:
            self.body.folded.passed_over += block.element.notes(reason)
        return reason is not None

    def _take_paragraph(self, at: int, block: Block) -> None:
        self.end_list()
        self._refuse_lost_heading(at, block)
        if block.tag in _ITEMS:
            self.body.items.add(len(self.body.folded.parts))
        self._add(block.element)
        if links := text_links(block, self._own):
            self.body.links[block.element] = links

    def _refuse_lost_heading(self, at: int, block: Block) -> None:
        """Refuse a page on which a topic is no heading by its tag.

        Raises:
            DocumentError: if a short line, a tagline and a section's title stand here.
        """
        if not numbers_in(block.text) and opens_heading(self._elements, at):
            raise changed(f"“{block.text}” on line {block.line} is no heading by its tag")

    def _add(self, element: Element) -> None:
        self.body.folded.parts.append(element)

    def _warn(self, block: Block, text: str) -> None:
        self.body.folded.warnings += block.element.notes(text)


class _OutlineMaker:
    """Walks the parts once.

    `_is_open` is true under a heading until a list closes it, `_awaits` where the next part is
    the tagline that was taken already.
    """

    def __init__(self, body: PageBody, counted: frozenset[int]) -> None:
        self.outline = Outline()
        self._parts = body.folded.parts
        self._levels = body.levels
        self._items = body.items
        self._counted = counted
        levels = set(body.levels.values())
        self._top = min(levels, default=0)
        self._has_lists = bool(body.folded.lists)
        self._is_flat = self._has_lists and len(levels) == 1
        self._is_open = False
        self._awaits = False

    def make(self) -> Outline:
        """Fill the outline."""
        for place, part in enumerate(self._parts):
            if isinstance(part, EpisodeList):
                self._take_list(part)
            elif place not in self._levels:
                self._take_text(place, part)
            elif self._is_heading(place):
                self._take_heading(place, part)
            else:
                self._take_section(part)
        return self.outline

    def _is_heading(self, place: int) -> bool:
        """Tell a heading from a section's title; where all have one level, the lists tell."""
        if self._is_flat and self._is_open:
            return False
        return self._levels[place] == self._top

    def _take_list(self, part: EpisodeList) -> None:
        if not self._is_open:
            raise changed(f"no heading stands over the list of episodes on line {part.line}")
        self.outline.pieces.append(part)
        self._is_open = self._awaits = False

    def _take_heading(self, place: int, element: Element) -> None:
        if self._is_open and self._has_lists:
            self._warn(element, "no list of episodes closes the heading before this one")
        tagline = self._tagline(place)
        if tagline is None:
            self._warn(element, f"the heading “{element.text}” has no tagline")
        self.outline.pieces.append(HeadingStart(element, tagline))
        self._is_open, self._awaits = True, tagline is not None

    def _take_section(self, element: Element) -> None:
        numbers = counted_in(element.text, self._counted)
        title = without_marks(element.text, self._counted) or element.text
        self.outline.pieces.append(SectionStart(element, title, next(iter(numbers), None)))
        self._awaits = False

    def _tagline(self, place: int) -> Element | None:
        """Return the tagline: all that stands before the section's title, or a short sentence."""
        following = next(iter(self._parts[place + 1 : place + 2]), None)
        if not isinstance(following, Element) or place + 1 in self._levels:
            return None
        if counted_in(following.text, self._counted):
            return None
        fits = place + 2 in self._levels or looks_like_tagline(following.text)
        return following if fits else None

    def _take_text(self, place: int, element: Element) -> None:
        numbers = counted_in(element.text, self._counted)
        is_text = place in self._items or not looks_like_title(element.text)
        if self._awaits:
            self._awaits = False
        elif numbers or is_text:
            self.outline.pieces.append(Text(element, numbers))
        else:
            self._warn(element, f"left out, a short line that is no heading: {element.text}")

    def _warn(self, element: Element, text: str) -> None:
        self.outline.warnings += element.notes(text)
