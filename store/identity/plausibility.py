"""What entries say, as far as it tells one work from another, and whether an id can be theirs.

A link is copied into the wrong row now and then, and one work goes by many titles: shortened, with
its name before a colon, or renamed. So an id is believed unless the words clearly speak against it.
All pure.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

from store.records import Link
from store.text import stem, tokens

# Words that any title or summary in this field may hold; they tell no work from another.
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
    """.split()  # noqa: SIM905 - words are easier to find and to add so
)
_SHORTEST = 2  # of what a word tells
_HELD = 4  # so long a word may stand inside another, as "streaming" in "streamingllm"
_BEGINNING = 5  # words that begin alike are forms of one: "behavioral", "behaviors"
_ENOUGH = 2  # with fewer words that tell something nothing can be said


# Hosts whose pages name no work: posts about one, and ids, which are compared as such.
_NO_PAGES = frozenset({"x.com", "twitter.com", "arxiv.org", "doi.org", "dx.doi.org"})
_PAGES_OF_IDS = ("huggingface.co/papers/",)
_REPOSITORY = 3  # parts of an address that name one: github.com, its owner, its name


@dataclass(frozen=True, slots=True)
class Words:
    """What an entry says, as far as it tells its work from others.

    `title` are the telling words of its title and `all` those of all that it says. `pages` are the
    addresses that it links to, without those of posts and of ids.
    """

    title: frozenset[str]
    all: frozenset[str]
    pages: frozenset[str] = frozenset()


def words_of(title: str, texts: Iterable[str] = (), links: Iterable[Link] = ()) -> Words:
    """Return what an entry says in its title, in the texts under it and by its links."""
    titled = _telling(title)
    return Words(titled, titled.union(*map(_telling, texts)), pages_of(links))


def pages_of(links: Iterable[Link]) -> frozenset[str]:
    """Return the pages that links lead to, each in one spelling; a repository is one page."""
    found = (_page(each.url) for each in links if each.label.casefold() != "tweet")
    return frozenset(page for page in found if page)


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


def stems(words: Iterable[str]) -> frozenset[str]:
    """Return the stems of words."""
    return frozenset(map(stem, words))


def may_be_one(one: Words, other: Words) -> bool:
    """Tell whether two entries that carry one id can be of one work.

    They can unless both say enough and no telling word of either title stands in the other entry.
    """
    return min(len(one.all), len(other.all)) < _ENOUGH or are_alike(one, other)


def are_alike(one: Words, other: Words) -> bool:
    """Tell whether a telling word of either title stands in the other entry."""
    return _is_met(one.title, other.all) or _is_met(other.title, one.all)


def _telling(text: str) -> frozenset[str]:
    return frozenset(
        word
        for word in tokens(text)
        if len(word) >= _SHORTEST and word not in _COMMON and not word.isdigit()
    )


def _is_met(words: frozenset[str], others: frozenset[str]) -> bool:
    if not words.isdisjoint(others):
        return True
    return any(_is_form(word, other) for word in words for other in others)


def _is_form(word: str, other: str) -> bool:
    shorter, longer = sorted((word, other), key=len)
    if len(shorter) >= _HELD and shorter in longer:
        return True
    return len(shorter) >= _BEGINNING and shorter[:_BEGINNING] == longer[:_BEGINNING]
