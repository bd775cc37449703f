"""Comparing two entries: may they share an id, and are they of one paper? Pure.

A link is copied into the wrong row now and then, and one paper has many titles: shortened, with its
name before a colon, or renamed. So an id is believed unless the words clearly contradict it.
Without ids, titles, pages and the words that the summaries share decide. The limits were measured:
`docs/identity.md`.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from urllib.parse import urlsplit

from store.records import Link
from store.text import stem, tokens

# Words of any title or summary in this field; they don't tell one paper from another.
_COMMON = frozenset(
    """
    a about across after all also an and any are as at be been before better between both but by can
    could do does each even few first for from further has have high how in into is it its just key
    less like low make making many may more most much need needs new no not of on one only or other
    our out over own rather same several should show shows single so some such than that the their
    them then there these they this those three through to toward towards two under up use used
    using very via vs was we well what when where which while who why will with within without you
    your
    accuracy achieve achieves ai algorithm analysis answer answers approach approaches architecture
    art author authors based baseline baselines benchmark benchmarks capability capabilities complex
    comprehensive data dataset datasets deep demonstrate demonstrates design different domain
    domains effective efficient efficiently enable enables enhance enhancing evaluate evaluating
    evaluation existing experiment experiments finding findings finds framework general generate
    generated generation generative gpt human improve improved improvement improvements improves
    improving include includes including information inference input introduces introducing
    knowledge language large learn learning level leverages llm llms long lm lms method methods ml
    model modeling models multi multiple neural novel open outperform outperforms overview paper
    papers performance present presents problem problems process propose proposes provide provides
    question questions real reasoning report reports research researchers result results review
    robust scale scaling self set significantly simple small source specific state step steps
    strong study support supports survey system systems task tasks technical technique techniques
    test text time token tokens tool tools train trained training tuned tuning understanding work
    works world
    """.split()  # noqa: SIM905 - easier to read and to extend
)
_SHORTEST_WORD = 2
_CONTAINED = 4  # so long a word may be part of another, as "streaming" of "streamingllm"
_BEGINNING = 5  # words that begin alike are forms of one: "behavioral", "behaviors"
_ENOUGH_WORDS = 2  # with fewer distinctive words nothing can be decided

# Hosts whose pages identify no paper: posts about one, and ids, which are compared as such.
_NO_PAGES = frozenset({"x.com", "twitter.com", "arxiv.org", "doi.org", "dx.doi.org"})
_PAGES_OF_IDS = ("huggingface.co/papers/",)
_REPOSITORY = 3  # parts of an address that name one: github.com, its owner, its name

# Two summaries must share this part of the shorter one's words, without those of the titles.
_ENOUGH = 0.25
# Of few words fewer are enough if title and year agree: chance hits a short summary less.
_FEW, _ENOUGH_OF_FEW = 25, 0.2
_FEWEST, _FEWEST_IN_ONE_YEAR = 4, 2
_ENOUGH_UNDER_OTHER_TITLES = 0.35


@dataclass(frozen=True, slots=True)
class EntryWords:
    """The distinctive words of an entry's title and of all its texts, and the pages it links to.

    `pages` leave out posts and ids.
    """

    title: frozenset[str]
    all: frozenset[str]
    pages: frozenset[str] = frozenset()


class Sameness(Enum):
    """The result of a comparison: one paper, perhaps one, two papers, or unknown."""

    ONE = "one"
    DOUBTFUL = "doubtful"
    TWO = "two"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class ComparedEntry:
    """The facts of an entry that are compared.

    `title` and `name` (before the title's colon) are compact; the ids are those accepted as its
    own. `year` is that of its arXiv id, else of its edition.
    """

    title: str
    name: str | None
    arxiv_id: str | None
    doi: str | None
    year: int
    words: EntryWords

    @property
    def has_no_links(self) -> bool:
        """True without an id or a page, so that none can contradict."""
        return not (self.arxiv_id or self.doi or self.words.pages)


@dataclass(frozen=True, slots=True)
class Overlap:
    """The number of words that two summaries share, and of the words in the shorter one."""

    shared: int
    of: int

    @property
    def part(self) -> float:
        """The shared part of the shorter summary."""
        return self.shared / self.of if self.of else 0.0

    @property
    def strength(self) -> float:
        """The same, but a part of few words counts less."""
        return self.shared / (self.of + _FEWEST)


@dataclass(frozen=True, slots=True)
class Comparison:
    """A verdict and the strength of its evidence: a common page beats any words."""

    verdict: Sameness
    strength: float = 0.0


def words_of(title: str, texts: Iterable[str] = (), links: Iterable[Link] = ()) -> EntryWords:
    """Return the distinctive words of an entry's title and texts, and the pages of its links."""
    in_title = _distinctive(title)
    return EntryWords(in_title, in_title.union(*map(_distinctive, texts)), pages_of(links))


def pages_of(links: Iterable[Link]) -> frozenset[str]:
    """Return the pages that links lead to, each in one spelling; a repository is one page."""
    found = (_page(link.url) for link in links if link.label.casefold() != "tweet")
    return frozenset(page for page in found if page)


def may_share_id(one: EntryWords, other: EntryWords) -> bool:
    """Tell whether two entries that link to one id may be of one paper.

    They may unless both have enough words and no distinctive word of either title is in the other
    entry.
    """
    enough = min(len(one.all), len(other.all)) >= _ENOUGH_WORDS
    return not enough or share_title_words(one, other)


def share_title_words(one: EntryWords, other: EntryWords) -> bool:
    """Tell whether a distinctive word of either title, or a form of it, is in the other entry."""
    return _is_in(one.title, other.all) or _is_in(other.title, one.all)


def compare(one: ComparedEntry, other: ComparedEntry) -> Comparison:
    """Compare two entries that have a key in common."""
    if one.arxiv_id and other.arxiv_id:
        is_one = one.arxiv_id == other.arxiv_id
        return Comparison(Sameness.ONE if is_one else Sameness.TWO, float(is_one))
    overlap = overlap_of(one.words, other.words)
    # Two titles are one, or one is the bare name before the other's colon.
    if other.title not in {one.title, one.name} and other.name != one.title:
        return _compare_under_other_titles(one, other, overlap)
    if one.words.pages & other.words.pages:
        return Comparison(Sameness.ONE, 1 + overlap.strength)
    in_one_year = one.year == other.year
    is_one = overlap.shared >= _FEWEST and overlap.part >= _ENOUGH
    if in_one_year and overlap.of < _FEW:
        is_one = overlap.shared >= _FEWEST_IN_ONE_YEAR and overlap.part >= _ENOUGH_OF_FEW
    nothing_contradicts = in_one_year and (one.has_no_links or other.has_no_links)
    if is_one or (nothing_contradicts and overlap.of < _FEW):
        return Comparison(Sameness.ONE, overlap.strength)
    return Comparison(Sameness.DOUBTFUL, overlap.strength)


def overlap_of(one: EntryWords, other: EntryWords) -> Overlap:
    """Count the stems that two entries share, without those of both titles."""
    titles = _stems(one.title | other.title)
    first, second = _stems(one.all) - titles, _stems(other.all) - titles
    return Overlap(len(first & second), min(len(first), len(second)))


def _compare_under_other_titles(
    one: ComparedEntry, other: ComparedEntry, overlap: Overlap
) -> Comparison:
    """Compare entries that share the beginning of their titles, or a name."""
    if overlap.shared >= _FEWEST and overlap.part >= _ENOUGH_UNDER_OTHER_TITLES:
        return Comparison(Sameness.ONE, overlap.strength)
    if one.name is not None and one.name == other.name:
        return Comparison(Sameness.TWO)
    is_near = overlap.shared >= _FEWEST and overlap.part >= _ENOUGH
    return Comparison(Sameness.DOUBTFUL if is_near else Sameness.UNKNOWN, overlap.strength)


def _page(url: str) -> str | None:
    try:
        parts = urlsplit(url)
    except ValueError:  # as of brackets that don't close
        return None
    host = parts.netloc.lower().removeprefix("www.")
    page = host + parts.path.rstrip("/")
    if not host or host in _NO_PAGES or page.startswith(_PAGES_OF_IDS):
        return None
    if host == "github.com":
        return "/".join(page.lower().split("/")[:_REPOSITORY])
    return f"{page}?{parts.query}" if parts.query else page


def _distinctive(text: str) -> frozenset[str]:
    return frozenset(
        word
        for word in tokens(text)
        if len(word) >= _SHORTEST_WORD and word not in _COMMON and not word.isdigit()
    )


def _stems(words: Iterable[str]) -> frozenset[str]:
    return frozenset(map(stem, words))


def _is_in(words: frozenset[str], others: frozenset[str]) -> bool:
    if not words.isdisjoint(others):
        return True
    return any(_is_form(word, other) for word in words for other in others)


def _is_form(word: str, other: str) -> bool:
    shorter, longer = sorted((word, other), key=len)
    if len(shorter) >= _CONTAINED and shorter in longer:
        return True
    return len(shorter) >= _BEGINNING and shorter[:_BEGINNING] == longer[:_BEGINNING]
