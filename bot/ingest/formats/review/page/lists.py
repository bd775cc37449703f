"""The lists "Episodes in this topic" of a page, whatever elements they are made of.

A block that begins with an episode's number begins an item, and the blocks behind it add to it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from bot.domain.drafts import Note
from bot.ingest.formats.review.items import ListLine, read_list_line
from bot.ingest.formats.review.lines import ends_sentence, looks_like_title
from bot.ingest.formats.review.lists import EpisodeList, ListedEpisode, joined_links
from bot.ingest.formats.review.marks import numbers_in
from bot.ingest.formats.review.page.blocks import Block, Piece, spaced
from bot.ingest.formats.review.page.links import Found, is_sharing, listed_link

_LONGEST_ITEM = 300
_ITEMS = frozenset({"li", "td", "dt"})


@dataclass(slots=True)
class OpenList:
    """A list as it grows; `floor` is the level below which a heading is an item's title."""

    line: int
    floor: int
    own: frozenset[str]
    episodes: list[ListedEpisode] = field(default_factory=list)
    warnings: list[Note] = field(default_factory=list)
    passed_over: list[Note] = field(default_factory=list)
    _item: int = 0

    def takes(self, block: Block) -> bool:
        """Take a block into the list, or tell that the list has ended."""
        line = read_item(block, self.own)
        if _begins_item(block, line):
            title = line.words[0] if line.words else None
            self.episodes += [
                ListedEpisode(block.line, number, title, block.line, line.links)
                for number in line.numbers
            ]
            self._item = block.item
        elif line.numbers or numbers_in(block.text):
            return False
        elif self._is_of_last(block) and (line.is_fact or self._awaits_title(block, line)):
            self._add(block, line)
        else:
            self._warn(block, block.text)
            return True
        self._note_rest(block, line)
        return True

    def closed(self) -> EpisodeList:
        """Return the list as it is known to the rest of the review."""
        return EpisodeList(self.line, tuple(self.episodes))

    def _is_of_last(self, block: Block) -> bool:
        """Tell whether a block stands in the item of the last episode."""
        return bool(self.episodes) and block.item == self._item

    def _awaits_title(self, block: Block, line: ListLine) -> bool:
        """Tell whether words are the title of the number before them."""
        fits = bool(line.words) and looks_like_title(block.text)
        return fits and self.episodes[-1].title is None

    def _add(self, block: Block, line: ListLine) -> None:
        last = self.episodes[-1]
        if line.words:
            last = replace(last, title=line.words[0], title_line=block.line)
        self.episodes[-1] = replace(last, links=joined_links(last.links, line.links))

    def _note_rest(self, block: Block, line: ListLine) -> None:
        for words in line.words[1:]:
            self._warn(block, words)
        if line.dropped:
            note = "the length or version in a list of episodes"
            self.passed_over.append(Note(block.line, note))

    def _warn(self, block: Block, words: str) -> None:
        note = f"not understood in a list of episodes: {words[:_LONGEST_ITEM]}"
        self.warnings.append(Note(block.line, note))


def read_item(block: Block, own: frozenset[str]) -> ListLine:
    """Take a block of a list apart; a link's label gives way to its address."""
    found = [(piece, listed_link(piece, own)) for piece in _joined(block.pieces)]
    text = spaced(
        "".join(" \u00b7 " if _is_no_word(piece, link) else piece.text for piece, link in found)
    )
    line = read_list_line(text)
    links = [link.link for _, link in found if link]
    labelled = any(link and link.is_labelled for _, link in found)
    return replace(
        line,
        links=tuple(dict.fromkeys((*links, *line.links))),
        dropped=line.dropped or labelled,
    )


def stands_as_item(block: Block, own: frozenset[str]) -> bool:
    """Tell an item where no list was begun: its title is missing from the page."""
    line = read_item(block, own)
    is_short = block.tag in _ITEMS and _begins_item(block, line) and not ends_sentence(block.text)
    return is_short and (bool(line.links) or line.dropped)


def _begins_item(block: Block, line: ListLine) -> bool:
    """Tell an episode's item from a paragraph that names an episode."""
    if not line.is_item or len(block.text) > _LONGEST_ITEM:
        return False
    return looks_like_title(block.text) or bool(line.links) or line.dropped


def _is_no_word(piece: Piece, link: Found | None) -> bool:
    """Tell a link whose words only label it, or ask to share the page."""
    return bool(link and link.is_labelled) or bool(piece.url and is_sharing(piece.url))


def _joined(pieces: Sequence[Piece]) -> list[Piece]:
    """Join the pieces of one link, however its words are marked up."""
    joined: list[Piece] = []
    for url, group in groupby(pieces, key=lambda piece: piece.url or None):
        same = list(group)
        joined += [Piece("".join(piece.text for piece in same), url)] if url else same
    return joined
