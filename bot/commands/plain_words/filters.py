"""Filters in plain words: `agents by Bengio since march`, `best of 2025`. Pure."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from bot.commands.plain_words.phrases import places_pattern
from bot.domain.dates import leading
from bot.domain.dates.written_date import Period
from bot.domain.weeks import parse_edge, parse_week, parse_whole_period
from store.search import is_english
from store.sources import PREFERRED
from store.text import fold

_LONGEST_PERIOD = 12  # words: "the week of 5 january 2026 to 11 january 2026"
_LONGEST_NAME = 3
_MOST_WORDS = 40  # a longer text is a description, and has no filters
_SHORTEST_MISTYPED = 5  # letters: a shorter word is near to many
_SINCE = {"since", "after", "starting", "newer"}
_UNTIL = {"until", "till", "before", "older"}
_RUN = {"between", "from"}
_TO = {"and", "to", "until", "till", "through"}
_RUN_WITHIN = re.compile(r"\s(?:to|through|until|till|and)\s")
_BEYOND = {"after", "newer", "before", "older"}  # without the period itself
_IN = {"in", "from", "of", "during", "for", "over", "within", "this", "the"}
_YEAR = "year"  # may stand before its number
_PAPERS = {
    "papers", "paper", "articles", "work", "works", "research", "publications", "preprints",
    "studies", "picks", "highlights",
}  # fmt: skip
# Words that may follow a period which has no word before it: "best 2025 papers on agents".
_BEHIND_PERIOD = _PAPERS | {"on", "about", "by", "from", "with", "only"}
# What stands behind a comma, before one or in brackets, and what is counted from today.
_APART = re.compile(r"^\S*[,;:] |[,;:)]$| \(| (?:last|past|previous|yesterday)\b", re.IGNORECASE)
_VERBS = {"may", "march"}
_SHORTEST_NAME = 3  # capitals
_ENDS_OF_NOUNS = ("tion", "sion", "ment", "ness", "ity", "ance", "ence", "back", "data")
_LEAST_COMMON = 4  # letters: a shorter word may be a name
_FROM = {"from", "in", "by", "on", "via", "at", "source", "only"}
_NOT = {"not", "no", "nothing", "without", "except", "excluding", "minus"}
# A length of time that is none, such as "the last 0 weeks".
_LENGTH = re.compile(
    r"(?:\b(?:in|over|of|from|for|during|within|since)\s)?(?:\bthe\s)?"
    r"\b(?:last|past|previous)\s(?:-?\d+|zero|no)\s(?:day|week|month|quarter|year)s?\b",
    re.IGNORECASE,
)
# Small words that stand before a name or a period and say nothing: "since the beginning of 2025".
_SKIPPED = {"than", "the", "of", "on", "in", "from", "about", "at", "beginning", "start"}
# Words after "by" that are no author's name.
_NO_NAME = re.compile(
    r"votes?|our|my|your|us|them|chance|both|several|many|most|rank|the|a|an|using|means|default|hand|step|side|itself|themselves|humans?"
    r"|people|llms?|models?|far|now|design|examples?|any|all|its|their|month|week|year|date|topic",
    re.IGNORECASE,
)
_LEADING = re.compile(
    r"(?:(?:find|need|which|what(?: (?:is|are|was|were))?)\b:?\s*)?"
    r"(?:(?:any|some|all|the|a|an|new|more|other|recent|good|great|interesting|cool|relevant|few)\b"
    r"\s*)*"
    r"(?:(?:papers?|articles?|research|works?|stuff|things?|anything|something|everything|studies"
    r"|results?|publications?|literature|info(?:rmation)?|news|updates?|entries)\b\s*)?"
    r"(?:(?:that|which|who) (?:are|is|were|was|talks?|deals?|discuss(?:es)?|mentions?|covers?"
    r"|uses?)(?: (?:about|with))?\b\s*)?"
    r"(?:(?:authors? )?(?:(?:who|that) )?(?:working|works?|published|listed|written)\b\s*)?"
    r"(?:(?:on|about|for|regarding|around|in|with|of|related to|relating to|dealing with|concerning"
    r"|covering|involving|mentioning|using|to do with|to)\b\s*)?",
    re.IGNORECASE,
)
_TRAILING = re.compile(
    r"\s*\b(?:papers?|articles?|research|stuff|things?|work|on|about|from|in|of|by|and|with|only|has|have"
    r"|please|pls|plz|thx|thanks|maybe|perhaps|probably|sometime|(?:i )?(?:think|guess|believe)"
    r"|(?:come|came|comes|coming|be) out|(?:get|got) published|published|released|listed|featured"
    r"|(?:(?:the|your|our) )?(?:newsletters?|database|archive))$",
    re.IGNORECASE,
)
_FIRST_YEAR = 1900  # "2048 game" is about none
FIRST_DAY = date(2000, 1, 1)  # before any paper
_LAST_YEAR = re.compile(r"(?:19|20)\d\d$")
_ENDS_PERIOD = re.compile(r"[,.?!;:)]*(?:\s|$)")
_PARTICULAR = frozenset({
    "mamba", "lora", "dpo", "ppo", "grpo", "graphrag", "mcp", "nerf", "gaussian splatting",
    "kv cache", "attention", "law", "weather", "swarms", "sft", "peft", "ocr", "rnn", "search",
    "games", "tools", "values", "voice", "society", "corpora", "scenes", "few shot", "systems",
    "training", "thinking", "survey", "reviews", "synthetic data",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class ReadingFacts:
    """Facts that plain words are read by.

    `topics` are the slugs of topics by their folded names, `sources` the slugs of sources,
    `commands` the names of commands; `changing` are those that change something. `today` is the
    date in the user's zone.
    """

    topics: Mapping[str, str]
    sources: frozenset[str]
    commands: frozenset[str]
    changing: frozenset[str]
    today: date

    def topic(self, words: str) -> str | None:
        """Return the slug of the topic that some words name, in the singular or plural.

        The name of one method (`mamba`) is more particular than its topic, and names none here.
        """
        name = fold(words)
        if name in _PARTICULAR:
            return None
        return self.exact_topic(name) or next(
            (self.topics[each] for each in _one_slip_from(name, self.topics)), None
        )

    def spelled(self, word: str) -> str:
        """Return the word of topics that a mistyped one is a slip away from, or the word."""
        if len(word) < _SHORTEST_MISTYPED or not word.isalpha() or is_english(word):
            return word
        of_topics = {part for name in self.topics for part in name.split()}
        return word if word in of_topics else next(iter(_one_slip_from(word, of_topics)), word)

    def exact_topic(self, name: str) -> str | None:
        """Return the slug of a topic by its folded name, without correcting it."""
        if name in _PARTICULAR:
            return None
        names = (name, f"{name}s", name.removesuffix("s"))
        return next((self.topics[each] for each in names if each in self.topics), None)


def _one_slip_from(name: str, names: Iterable[str]) -> list[str]:
    """Return the name that a mistyped one of five letters or more is a slip away from."""
    if len(name) < _SHORTEST_MISTYPED or is_english(name):
        return []
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    alike = [each for each in names if each[:1] == name[:1] and len(each) >= _SHORTEST_MISTYPED]
    found = process.extractOne(name, alike, scorer=OSA.distance, score_cutoff=1)
    return [found[0]] if found else []


@dataclass(frozen=True, slots=True)
class WantedFilters:
    """The words of a request, and its filters as texts of arguments."""

    words: str
    period: str | None = None
    since: str | None = None
    until: str | None = None
    source: str | None = None
    author: str | None = None
    is_open: bool = False  # the period goes on today
    no_lengths: tuple[str, ...] = ()  # "the last 0 weeks"
    excluded: tuple[str, ...] = ()  # sources and periods that shall be left out, in their words

    @property
    def named(self) -> Iterator[tuple[str, str]]:
        """The filters that a search takes, a period as its first and last day."""
        yield from (
            (key, value)
            for key, value in (
                ("from", self.source),
                ("author", self.author),
                ("since", self.since or self.period),
                ("until", self.until or (None if self.since or self.is_open else self.period)),
            )
            if value
        )


def split_filters(text: str, facts: ReadingFacts) -> WantedFilters:
    """Return what a text is about and its filters; later filters of a kind are left as words."""
    wanted = take_filters(text, facts)
    return replace(wanted, words=content_of(wanted.words))


def take_filters(text: str, facts: ReadingFacts, *, names: bool = True) -> WantedFilters:
    """Return the filters of a text and its other words as they stand.

    Without `names` the period is the only filter.
    """
    left, place = list[str](), 0
    if len(text.split()) > _MOST_WORDS:
        return WantedFilters(text)
    text, lengths = _without_lengths(text, facts)
    wanted, words = WantedFilters("", no_lengths=lengths), text.split()
    while place < len(words):
        taken, wanted = _take_period(words[place:], left, wanted, facts)
        if names and not taken:
            taken, wanted = _take_excluded(words[place:], wanted, facts)
        if names and not taken:
            taken, wanted = _take_name(words[place:], wanted, facts)
        if not taken:
            left.append(words[place])
        place += taken or 1
    since, until = in_order(wanted.since, wanted.until, facts.today)
    is_open = bool(wanted.period and not until and _goes_on(wanted.period, facts))
    return replace(wanted, words=" ".join(left), since=since, until=until, is_open=is_open)


def in_order(since: str | None, until: str | None, today: date) -> tuple[str | None, str | None]:
    """Return the ends of a run of days, as the days of a run where they stand the wrong way round.

    `january` to `december` may end in a month to come, `june` to `may` is turned.
    """
    first, last = (parse_edge(each, today) if each else None for each in (since, until))
    if not (first and last and first.first_day > last.last_day):
        return since, until
    run = parse_whole_period(f"{since} to {until}", today) or Period(last.first_day, first.last_day)
    return run.first_day.isoformat(), run.last_day.isoformat()


def _without_lengths(text: str, facts: ReadingFacts) -> tuple[str, tuple[str, ...]]:
    """Return a text without lengths of time that are none, and these."""
    found = [each[0] for each in _LENGTH.finditer(text) if not is_period(each[0].lower(), facts)]
    for each in found:
        text = text.replace(each, " ", 1)
    return text, tuple(found)


def _goes_on(period: str, facts: ReadingFacts) -> bool:
    found = parse_whole_period(period, facts.today)
    return found is not None and found.first_day <= facts.today <= found.last_day


def content_of(text: str) -> str:
    """Return a text without the nouns and prepositions around what it is about."""
    words = text.strip(" ,.?!")
    shorter = words[_end_of_leading(words) :]
    while shorter and (found := _TRAILING.search(f" {shorter}")):
        rest = f" {shorter}"[: found.start()].strip(" ,")
        if not rest:
            break
        shorter = rest
    return shorter.strip(" ,") or ""


def _end_of_leading(words: str) -> int:
    found = _LEADING.match(words)
    return found.end() if found else 0


def _take_period(
    words: Sequence[str], before: Sequence[str], wanted: WantedFilters, facts: ReadingFacts
) -> tuple[int, WantedFilters]:
    """Return how many of the next words are a period, and the filters with it."""
    first = _plain(words[0])
    skipped = _skip(words[1:])
    found = _period(words[1 + skipped :], facts) if first in _SINCE | _UNTIL else None
    if found and first in _SINCE and _is_run(found[1]) and not wanted.period:
        return 1 + skipped + found[0], replace(wanted, period=found[1])
    if found:
        key, days = ("since", 1) if first in _SINCE else ("until", -1)
        edge = _beside(found[1], facts, days) if first in _BEYOND else found[1]
        if key == "since" and not wanted.since:
            return 1 + skipped + found[0], replace(wanted, since=edge)
        if key == "until" and not wanted.until:
            return 1 + skipped + found[0], replace(wanted, until=edge)
    if first in _RUN and (ends := _run(words[1:], facts)):
        return ends[0] + 1, replace(wanted, since=ends[1], until=ends[2])
    if not (found := _preposed_period(words, before, facts)):
        return 0, wanted
    # The same may be said twice: "of the summer (june to august)".
    is_free = wanted.period is None or _is_same(wanted.period, found[1], facts)
    return (found[0], replace(wanted, period=wanted.period or found[1])) if is_free else (0, wanted)


def _is_same(period: str, other: str, facts: ReadingFacts) -> bool:
    one, another = (parse_whole_period(each, facts.today) for each in (period, other))
    return one == another


def _take_name(
    words: Sequence[str], wanted: WantedFilters, facts: ReadingFacts
) -> tuple[int, WantedFilters]:
    """Return how many of the next words name a source or an author, and the filters with it."""
    first = _plain(words[0])
    if wanted.source is None:
        taken, slug = _source(words, facts)
        if slug:
            return taken, replace(wanted, source=slug)
    if first == "by" and wanted.author is None and (name := _name(words[1:])):
        return 1 + len(name.split()), replace(wanted, author=name)
    return 0, wanted


def _take_excluded(
    words: Sequence[str], wanted: WantedFilters, facts: ReadingFacts
) -> tuple[int, WantedFilters]:
    """Return how many of the next words leave a source or a period out, which no filter does."""
    if _plain(words[0]) not in _NOT:
        return 0, wanted
    taken, slug = _source(words[1:], facts)
    if not slug:
        skipped = _skip(words[1:])
        found = _period(words[1 + skipped :], facts)
        taken = skipped + found[0] if found else 0
    if not taken:
        return 0, wanted
    return 1 + taken, replace(wanted, excluded=(*wanted.excluded, " ".join(words[: 1 + taken])))


def _source(words: Sequence[str], facts: ReadingFacts) -> tuple[int, str | None]:
    """Return how many words name a source, and its slug: `from hf daily`, `source dair`, `dair`."""
    before = 1 if words and _plain(words[0]) in _FROM else 0
    known = facts.sources.union(PREFERRED) if before else PREFERRED
    for size in (2, 1):  # the words of a slug may stand apart
        named = words[before : before + size]
        slug = "-".join(map(_plain, named))
        if len(named) == size and slug in known:
            return before + size, slug
    return 0, None


def _is_run(period: str) -> bool:
    """Tell whether a period is written as a run of two."""
    return bool(_RUN_WITHIN.search(period))


def _plain(word: str) -> str:
    return word.lower().strip(",.?!;:()[]").removesuffix("'s")


def _beside(period: str, facts: ReadingFacts, days: int) -> str:
    """Return the day behind the end of a period, or (`days` is -1) before its beginning."""
    found = parse_edge(period, facts.today)
    if found is None:
        return period
    edge = found.last_day if days > 0 else found.first_day
    return (edge + timedelta(days=days)).isoformat()


def _skip(words: Sequence[str]) -> int:
    return next((place for place, word in enumerate(words) if word.lower() not in _SKIPPED), 0)


def _period(words: Sequence[str], facts: ReadingFacts) -> tuple[int, str] | None:
    """Return the period that words begin with, and its number of words."""
    text = " ".join(words[:_LONGEST_PERIOD]).lower()
    found = leading(text)
    if found is None or not _ENDS_PERIOD.match(text, found.end):
        return None
    printed = text[found.start : found.end]
    return (len(text[: found.end].split()), printed) if is_period(printed, facts) else None


def is_period(text: str, facts: ReadingFacts) -> bool:
    """Tell whether a text names a period, a week among them."""
    if text.isdecimal() and not _FIRST_YEAR <= int(text[:4]) <= facts.today.year + 1:
        return False
    return parse_whole_period(text, facts.today) is not None


def is_week(text: str, facts: ReadingFacts) -> bool:
    """Tell whether a text names a week."""
    return parse_week(text, facts.today) is not None


def _run(words: Sequence[str], facts: ReadingFacts) -> tuple[int, str, str] | None:
    """Return the ends of a run of different periods, and its number of words."""
    first = _period(words, facts)
    if first is None or len(words) <= first[0] or words[first[0]].lower() not in _TO:
        return None
    last = _period(words[first[0] + 1 :], facts)
    if last is None:
        return None
    # The year at the end is that of both: "between january and june 2025".
    year = _LAST_YEAR.search(last[1])
    since = f"{first[1]} {year[0]}" if year and not _LAST_YEAR.search(first[1]) else first[1]
    return first[0] + 1 + last[0], since if is_period(since, facts) else first[1], last[1]


def _preposed_period(
    words: Sequence[str], before: Sequence[str], facts: ReadingFacts
) -> tuple[int, str] | None:
    """Return a period behind a preposition, or one that begins or ends the text."""
    skipped = 0
    if words[0].lower() == _YEAR and (found := _period(words[1:], facts)):
        return (1 + found[0], found[1]) if found[1].isdecimal() else None
    while skipped < len(words) and words[skipped].lower() in _IN and skipped < 2:  # noqa: PLR2004
        found = _period(words[skipped:], facts)  # "this year" begins with such a word
        if found:
            return skipped + found[0], found[1]
        skipped += 1
    found = _period(words[skipped:], facts)
    if found is None:
        return None
    if skipped:
        return skipped + found[0], found[1]
    behind = words[found[0] :]
    if before:
        # "AIME 2024" is a name.
        is_named = before[-1].isupper() and len(before[-1]) >= _SHORTEST_NAME
        is_apart = (
            not behind
            or _source(behind, facts)[1]
            or _APART.search(f"{before[-1]} {' '.join(words[: found[0]])}")
            or _plain(behind[0]) in _BEHIND_PERIOD
            or (_plain(before[-1]) in _PAPERS and found[1] not in _VERBS)
            or all(_TRAILING.fullmatch(f" {word}") for word in behind)
        )
        return None if (is_named and found[1].isdecimal()) or not is_apart else found
    return None if behind and found[1] in _VERBS else found


def _name(words: Sequence[str]) -> str | None:
    """Return the name of an author at the beginning of some words."""
    name: list[str] = []
    for word in words[:_LONGEST_NAME]:
        plain = word.strip(",.?!")
        if not plain.replace("-", "").replace(".", "").replace("'", "").isalpha():
            break
        if plain.lower() in (*_SINCE, *_UNTIL, *_IN, "on", "about", "and", "with", "between"):
            break
        name.append(plain)
    found = " ".join(name)
    return found if may_be_person(found) else None


def may_be_person(name: str) -> bool:
    """Tell whether words may be a person's name: no company and no way of doing something.

    What is written as a name is one: "Kaiming He".
    """
    words = name.split()
    if not words or _NO_NAME.fullmatch(words[0]) or places_pattern().match(name):
        return False
    if len(words) > 1 and all(word.istitle() for word in words):
        return True
    is_common = all(len(word) >= _LEAST_COMMON and is_english(word.lower()) for word in words)
    is_manner = len(words) > 1 and is_common and _is_thing(words[-1].lower())
    return not (is_manner or words[0].lower().endswith("ing"))


def _is_thing(word: str) -> bool:
    """Tell whether an English word is a noun in the plural, or by its ending: "small edits"."""
    is_plural = word.endswith("s") and is_english(word[:-1])
    return is_plural or word.endswith(_ENDS_OF_NOUNS)


def quoted_value(text: str) -> str:
    """Return the text of an argument, in quotes if it has several words."""
    plain = text.replace('"', " ").strip()
    return f'"{plain}"' if " " in plain else plain
