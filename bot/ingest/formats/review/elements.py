"""The elements of a review, and the episode marks in their text, such as ` E162`.

Elements are headings, paragraphs, and lines such as the facts and the player.

A text copy has no signs for headings, so that only length and the end of the text tell a heading
from a paragraph; the measures are in `docs/formats/review.md`. A web page states it by its tags.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import groupby, pairwise

from bot.domain.dates import find_day
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

_FACTS = re.compile(r"weekly\s+review\s*[\u00b7\u2022|,:\u2013\u2014-]", re.IGNORECASE)
_SEPARATOR = re.compile(r"\s*[\u00b7\u2022|]\s*|\s+[\u2013\u2014-]\s+")
_KIND = re.compile(r"(?:weekly\s+)?review", re.IGNORECASE)
_EPISODES = re.compile(r"(\d{1,4})\s+(?:episode|paper)s?", re.IGNORECASE)
_LENGTH = re.compile(
    r"(?:(\d{1,2})\s?h(?:r|rs|ours?)?\.?\s)?(\d{1,3})\s?min(?:s|utes?)?\.?", re.IGNORECASE
)
_CLOCK = r"\d{1,2}:\d{2}(?::\d{2})?"
_FURNITURE = (
    (re.compile(r"[\u2190\u2192\u2039\u203a].*|.*[\u2190\u2192\u203a]"), "leads to another page"),
    (re.compile(rf"{_CLOCK}(?:\s?/\s?{_CLOCK})?"), "the player's time"),
    (_LENGTH, "a length in minutes"),
    (re.compile(r"[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}", re.IGNORECASE), "names the site"),
    (re.compile(r".*\bcover art", re.IGNORECASE), "describes the cover"),
    (re.compile(r"[\W_]+"), "a line without words"),
)
_LONGEST_FURNITURE = 300
_CAPTIONS = frozenset({"figure", "figcaption"})

# One mark, or several glued together (`E31/E32`). It is behind a blank, a bracket, a quote or a
# dash, and is no part of a longer name (`E5-large`, `E3.5`, `E2E`).
_NUMBER = r"E\d{1,4}"
_TOKEN = rf"{_NUMBER}(?:[-/,+&\u2010-\u2015]{_NUMBER})*"
_END = r"(?!\w|\.\d|[-\u2010\u2011]\w)"
_MARK = re.compile(rf"(?:^|(?<=[\s(\[\"'\u2018\u201c\u2013\u2014]))({_TOKEN}){_END}")
# Brackets that hold nothing but marks go out with them.
# A comma is a joint by either rule: without going back (`*+`) that is tried once, not in all ways.
_JOINT = r"(?:[-/,+&\u2010-\u2015]|\s?[,;&]\s?|\s(?:and\s)?)"
_BRACKETED = re.compile(rf"[(\[]({_NUMBER}(?:{_JOINT}{_NUMBER})*+)[)\]]")
_DIGITS = re.compile(r"\d+")

# Numbers of one week are close together; so many may be missing between two of them.
_SMALLEST_REACH = 10


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
        return [Note(self.line, text), *(Note(n, "goes on from the line before") for n in rest)]


def changed_page(missing: str) -> DocumentError:
    """Return the refusal of a page whose mark-up is not what it was; `missing` is a clause."""
    return DocumentError(
        f"The page's mark-up seems to have changed: {missing}.",
        "Save the whole page again; if that doesn't help, copy its text and import that.",
    )


def line_elements(lines: list[str]) -> list[Element]:
    """Return each line as an element, blank ones too."""
    return [Element(number, line.strip(), number) for number, line in enumerate(lines, 1)]


def split_elements(lines: list[str]) -> list[Element]:
    """Take each line that is not blank as an element; wrapped paragraphs are joined again.

    Paragraphs were broken if no line is long, and a whole block is filled.
    """
    elements = line_elements(lines)
    runs = groupby(elements, key=lambda element: bool(element.text))
    blocks = [list(run) for has_text, run in runs if has_text]
    width = max((len(element.text) for element in elements), default=0)
    is_wrapped = _NARROWEST_WRAP <= width <= _LONGEST_TITLE and any(
        len(block) >= _WRAPPED_BLOCK and _is_filled(block, width) for block in blocks
    )
    if is_wrapped:
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


def _is_filled(block: list[Element], width: int) -> bool:
    """Tell whether each next line's first word would not have fitted on the line before."""
    return all(
        len(line.text) + 1 + len(following.text.split(maxsplit=1)[0]) > width
        for line, following in pairwise(block)
    )


def _joined(block: list[Element]) -> Element:
    text = " ".join(element.text for element in block)
    return Element(block[0].line, text, block[-1].last_line)


@dataclass(frozen=True, slots=True)
class ReviewFacts:
    """The facts that a review states; `claimed` is the count of episodes, `minutes` its length."""

    line: int | None = field(default=None, compare=False)
    claimed: int | None = None
    published_on: date | None = None
    minutes: int | None = None


def is_kind_label(text: str) -> bool:
    """Tell a line that only names the kind of the page, such as `Review`."""
    return bool(_KIND.fullmatch(text))


def is_facts_line(text: str) -> bool:
    """Tell the line `Weekly review · 4 episodes · Mar 15, 2026 · 17 min`."""
    return len(text) <= _LONGEST_FURNITURE and bool(_FACTS.match(text))


def furniture_reason(element: Element) -> str | None:
    """Return why an element is no text of the review, or `None` if it may be."""
    text = element.text
    if element.is_navigation and looks_like_title(text):
        return "leads to another page"
    if len(text) > _LONGEST_FURNITURE:
        return None
    return next((reason for pattern, reason in _FURNITURE if pattern.fullmatch(text)), None)


def unread_reason(element: Element) -> str | None:
    """Return why an element below the first heading of a page is no text, or `None`."""
    if element.level != 0 or numbers_in(element.text):
        return None
    return "a picture's caption" if element.tag in _CAPTIONS else furniture_reason(element)


def minutes_in(text: str) -> int | None:
    """Read a length such as `17 min` or `1 h 12 min`, in minutes."""
    match = _LENGTH.fullmatch(text)
    return int(match[1] or 0) * 60 + int(match[2]) if match else None


def read_facts(element: Element) -> tuple[ReviewFacts, list[Note]]:
    """Read a line of facts in any order; return notes on the parts that were not understood."""
    claimed = published_on = minutes = None
    odd = []
    for part in _SEPARATOR.split(element.text):
        if count := _EPISODES.fullmatch(part):
            claimed = int(count[1])
        elif (length := minutes_in(part)) is not None:
            minutes = length
        elif day := find_day(part):
            published_on = day
        elif part and not _KIND.fullmatch(part):
            odd.append(Note(element.line, f"not understood among the review's facts: {part}"))
    return ReviewFacts(element.line, claimed, published_on, minutes), odd


def numbers_in(text: str) -> tuple[int, ...]:
    """Return the numbers of all marks in the text, in order, each once."""
    tokens = (match[1] for match in _MARK.finditer(text))
    return tuple(dict.fromkeys(number for token in tokens for number in _numbers_of(token)))


def counted_in(text: str, counted: frozenset[int]) -> tuple[int, ...]:
    """Return the numbers of the counted marks in a text, in order, each once."""
    return tuple(number for number in numbers_in(text) if number in counted)


def without_marks(text: str, counted: frozenset[int]) -> str:
    """Remove the marks of counted episodes, each with the blank before it.

    Gaps and punctuation stay; a bracket of marks alone is removed with them.
    """
    return _cut(_MARK, _cut(_BRACKETED, text, counted), counted).strip()


def counted_numbers(
    overview: frozenset[int],
    paragraphs: Collection[frozenset[int]],
    listed: frozenset[int],
    claimed: int | None,
) -> frozenset[int]:
    """Return the numbers that are episodes of this review; `claimed` is their stated count.

    Listed ones are. The others must be near each other, which excludes names such as "E5 models".
    Once the claimed count is met by numbers with a text of their own, the rest are references to
    other episodes. A number far away counts only if the overview and a paragraph both have it while
    fewer than claimed were found.
    """
    in_paragraphs = frozenset().union(*paragraphs)
    alone = frozenset().union(*(numbers for numbers in paragraphs if len(numbers) == 1))
    in_both = overview & in_paragraphs
    near = _cluster(sorted(in_paragraphs | overview | listed), claimed) | listed
    if claimed is not None and len(own := near & (alone | listed | in_both)) >= claimed:
        return own
    return near | in_both if claimed is None or len(near) < claimed else near


def _numbers_of(token: str) -> list[int]:
    return [int(digits) for digits in _DIGITS.findall(token)]


def _cut(pattern: re.Pattern[str], text: str, counted: frozenset[int]) -> str:
    """Cut the matches that hold a counted number, each with one blank before it."""
    kept, start = [], 0
    for match in pattern.finditer(text):
        if counted.intersection(_numbers_of(match[1])):
            before = text[start : match.start()]
            kept.append(before[:-1] if before[-1:].isspace() else before)
            start = match.end()
    return "".join([*kept, text[start:]])


def _cluster(ordered: Sequence[int], claimed: int | None) -> frozenset[int]:
    """Return the largest group of numbers without a wide gap, the later one of two equals."""
    reach = max(claimed or len(ordered), _SMALLEST_REACH)
    groups = [list(ordered[:1])]
    for number, following in pairwise(ordered):
        if following - number > reach:
            groups.append([])
        groups[-1].append(following)
    _, largest = max((len(group), group) for group in groups)
    return frozenset(largest)
