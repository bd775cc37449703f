"""The elements of a review: headings, paragraphs and the lines around them.

A plain-text copy has neither bold nor heading signs, so only length and the end of the text tell
a heading from a paragraph. The measures are in `docs/formats/review.md`. A web page states by its
tags what an element is (`bot.ingest.formats.review.page`).
"""

import re
from dataclasses import dataclass
from itertools import groupby, pairwise

from bot.domain.drafts import Note
from bot.errors import DocumentError
from store.records import Link

# The tag of an element that is a title in a page's head.
TITLE_TAG = "title"

# Headings were found to have up to 73 characters, taglines 134 to 218, paragraphs 685 and more.
_LONGEST_TITLE = 120
_LONGEST_TAGLINE = 300
# A full stop may have a few quotes and brackets behind it.
_CLOSING = 8
_SENTENCE_END = re.compile(r"[.\u2026][\"'\u2019\u201d)\]]*$")

# A block of so many filled lines shows that a mail program wrapped the paragraphs of a copy.
_WRAPPED_BLOCK = 4
_NARROWEST_WRAP = 60


@dataclass(frozen=True, slots=True)
class Element:
    """A heading, a paragraph or a piece of furniture; its lines count from 1.

    The other fields are known of a page's elements only. `level` is that of a heading, 0 of other
    elements, `None` in a text copy; `item` numbers the list item or table row that it is part of;
    `item_text` is its text as an item of a list, without the labels of its `links`.
    """

    line: int
    text: str
    last_line: int
    tag: str = ""
    level: int | None = None
    item: int = 0
    item_text: str = ""
    links: tuple[Link, ...] = ()
    has_labels: bool = False
    is_navigation: bool = False

    @property
    def is_tagged(self) -> bool:
        """True if it is a page's element, whose tag shows a heading."""
        return self.level is not None

    def notes(self, text: str) -> list[Note]:
        """Name every line of the element, the first one with the reason."""
        rest = range(self.line + 1, self.last_line + 1)
        return [
            Note(self.line, text),
            *(Note(line, "goes on from the line before") for line in rest),
        ]


def changed_page(missing: str) -> DocumentError:
    """Return the refusal of a page whose mark-up is not what it was; `missing` is a clause."""
    return DocumentError(
        f"The page's mark-up seems to have changed: {missing}.",
        "Save the whole page again; if that doesn't help, copy its text and import that.",
    )


def split_elements(lines: list[str]) -> list[Element]:
    """Take each line that is not blank as an element; wrapped paragraphs are joined again."""
    blocks = _blocks(lines)
    width = max((len(element.text) for block in blocks for element in block), default=0)
    if _is_wrapped(blocks, width):
        blocks = [[_joined(block)] if _is_filled(block, width) else block for block in blocks]
    return [element for block in blocks for element in block]


def looks_like_title(text: str) -> bool:
    """Tell the shape of a heading: short, and not ended like a sentence."""
    return len(text) <= _LONGEST_TITLE and not ends_sentence(text)


def ends_sentence(text: str) -> bool:
    """Tell whether a text ends as a statement does; headings may end in a question mark."""
    return bool(_SENTENCE_END.search(text[-_CLOSING:]))


def looks_like_tagline(text: str) -> bool:
    """Tell the shape of a tagline: a sentence that is shorter than paragraphs are."""
    return len(text) <= _LONGEST_TAGLINE and not looks_like_title(text)


def _blocks(lines: list[str]) -> list[list[Element]]:
    """Group the lines that no blank line parts."""
    elements = (Element(number, line.strip(), number) for number, line in enumerate(lines, 1))
    runs = groupby(elements, key=lambda element: bool(element.text))
    return [list(run) for has_text, run in runs if has_text]


def _is_wrapped(blocks: list[list[Element]], width: int) -> bool:
    """Tell whether paragraphs were broken: no line is long, and a whole block is filled."""
    if not _NARROWEST_WRAP <= width <= _LONGEST_TITLE:
        return False
    return any(len(block) >= _WRAPPED_BLOCK and _is_filled(block, width) for block in blocks)


def _is_filled(block: list[Element], width: int) -> bool:
    """Tell whether each next line's first word would not have fitted on the line before."""
    return all(
        len(line.text) + 1 + len(following.text.split(maxsplit=1)[0]) > width
        for line, following in pairwise(block)
    )


def _joined(block: list[Element]) -> Element:
    text = " ".join(element.text for element in block)
    return Element(block[0].line, text, block[-1].last_line)
