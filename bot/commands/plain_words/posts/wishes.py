"""Wishes for posts and alerts by what a line does, to what, and what of a schedule it names.

Pure, once `wishes.toml` is loaded.
"""

import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from bot.commands.plain_words.absences import read_pause_end
from bot.commands.plain_words.filters import (
    ReadingFacts,
    content_of,
    quoted_value,
    split_filters,
)
from bot.commands.plain_words.keywords import topics_of
from bot.commands.plain_words.posts.schedules import (
    is_refused,
    read_change,
    read_channel,
    signs_of_schedule,
    without_schedule,
)
from bot.commands.plain_words.posts.spoken import in_figures
from bot.commands.plain_words.signs import (
    Wish,
    has_sign,
    known_words,
    sign_patterns,
    wishes_of,
    words_in,
)
from bot.domain.dates import find

_MOST_WORDS = 40  # a longer line is a description
_MOST_UNKNOWN = 8  # words of reasons beside a wish that is sure
_MOST_BESIDE_CHANNEL = 3
_FEW = 1
_MIN_MISTYPED = 5  # letters
_CHANGES = frozenset({"subscribe", "unsubscribe", "pause", "resume", "deliver"})
_WITHOUT_WORDS = _CHANGES - {"subscribe"}  # they take no words of a subject
_COMMANDS = _CHANGES | {"preview", "subscriptions", "alert", "alerts", "unalert"}
_WISHING = re.compile(
    r"(?:how (?:(?:do|can|could|would|should) (?:i|we|you|one|my|our)|to)"
    r"|what (?:(?:must|should|can|could|would|do) (?:i|we|one) )?(?:(?:have|need) to )?"
    r"(?:do|does it take)|what is the (?:\S+ )?(?:trick|way|procedure|command)"
    r"|is it possible|is there|how about)\b",
    re.IGNORECASE,
)
_STOPPING = frozenset({"halted", "ended", "none", "next_one"})  # they may have an end
_SIZES = (("complaint", "fewer"), ("longer", "more"))
_SLOTS = frozenset({"day", "time", "zone", "size", "layout", "source", "patience"})
_COUNTED = re.compile(r"\b(?:size|not):")
_USUAL = "monday"  # the day of a subscription that names none
_TELLING = (
    "place", "weekly", "notified", "unnotified", "watching", "ended", "halted", "resumed",
    "is_over", "next_one", "explain", "altered", "chosen", "complaint", "rehearsed",
    "sampled", "plan", "oftener", "threaded", "narrowed", "weekend", "hooked",
    "for_one", "before_others",
)  # fmt: skip
_NUMBERED = re.compile(
    r"(?:\b(?:number|no\.?|nr\.?|subscription|alert|id)|(?<!\w)#) ?#?(\d{1,9})\b(?! papers)",
    re.IGNORECASE,
)
# What makes a noun one's own, whatever word stands between.
_OWN = re.compile(r"\b(?:our|your|my|this|these|weekly)(?: [^\s,.;:!?]+){0,2}$", re.IGNORECASE)
_WORD_BEHIND = re.compile(r" ([^\s,.;:!?]+)")
_WORD_BEFORE = re.compile(r"([^\s,.;:!?]+) $")
_OFTEN = re.compile(r"\b(?:every|each)$", re.IGNORECASE)


@cache
def _table() -> dict[str, Any]:
    path = files("bot.commands.plain_words.posts").joinpath("wishes.toml")
    return tomllib.loads(path.read_text(encoding="utf-8"))


@cache
def post_wishes() -> tuple[Wish, ...]:
    """Return the wishes for posts and alerts in the order in which they are tried."""
    return wishes_of(_table()["wishes"])


@cache
def _patterns(kind: str) -> dict[str, re.Pattern[str]]:
    return {
        name: re.compile(
            rf"(?<![\w#-])(?:{'|'.join(words).replace(' ', '[,;:]* ')})(?![\w-])", re.IGNORECASE
        )
        for name, words in _table()[kind].items()
    }


@cache
def _trigger() -> re.Pattern[str]:
    """Return what every wish for posts or alerts has one word of."""
    table = _table()
    signs = (table["signs"][sign] for sign in _TELLING)
    words = [each for told in (*table["objects"].values(), *signs) for each in told]
    return re.compile(
        rf"#|(?<!\d)\d{{1,2}}(?!\d)|day\b|(?<![\w-])(?:{'|'.join(words)})(?![\w-])", re.IGNORECASE
    )


@cache
def words_of_posts() -> frozenset[str]:
    """Return the longer words of wishes for posts, which a mistyped one may mean."""
    return frozenset(word for word in _own_words() if len(word) >= _MIN_MISTYPED)


@cache
def _own_words() -> frozenset[str]:
    """Return the single words of the objects and signs."""
    words = (
        word for kind in ("objects", "signs") for each in _table()[kind].values() for word in each
    )
    found = [word for each in words for word in re.findall(r"[a-z]{2,}\??", each)]
    known = frozenset(_table()["words"]["known"].split())
    return known | frozenset(
        form
        for word in found
        for form in (word.rstrip("?"), word[:-2] if word[-1] == "?" else word)
    )


def read_post_wishes(words: str, bare: str, facts: ReadingFacts) -> Iterator[str]:
    """Yield the commands, with slots to be filled, that a line wishes for.

    `words` are those of the cleaned line; `bare` has those that are politeness elsewhere: "let me
    check" and "now".
    """
    if len(words.split()) > _MOST_WORDS or not _trigger().search(f"{bare} ; {in_figures(words)}"):
        return
    signs = _signs(words, bare, facts)
    yield from (wish.command for wish in post_wishes() if wish.is_told_by(signs))


def _signs(words: str, bare: str, facts: ReadingFacts) -> frozenset[str]:
    """Return the signs of a line, none of one that speaks of something else."""
    signs = {name for name, found in _patterns("objects").items() if _is_named(found, words, facts)}
    told = set(signs_of_schedule(words, facts))
    signs |= told
    both = f"{bare} ; {words}"
    signs |= {name for name, found in _patterns("signs").items() if found.search(both)}
    if not signs:
        return frozenset()
    if not _STOPPING.isdisjoint(signs) and _pause_end(words, facts):
        # "We are back on 4 jan" is yet to come.
        signs = signs - {"is_over"} | {"until"}
    signs |= {sign for sign in ("away", "recap") if has_sign(sign, words)}
    if "ended" in signs and _NUMBERED.search(words):
        signs.add("id")
    if not _SLOTS.isdisjoint(told):
        signs.add("slot")
    rest = _without_dates(words) if "until" in signs else words
    unknown = len(list(_unknown(rest, facts)))
    is_named = not signs.isdisjoint(("post", "alerts"))
    is_placed = "channel" in signs or {"place", "day"} <= signs
    most = _MOST_UNKNOWN if is_named else _MOST_BESIDE_CHANNEL if is_placed else _FEW
    if unknown > most or (unknown and "ruled_out" in signs):
        return frozenset({"notified", "whenever"} & signs)
    if unknown <= _FEW:
        signs.add("few")
    if not unknown:
        signs.add("plain")
    return frozenset(signs)


def _without_dates(words: str) -> str:
    for date in reversed(list(find(words))):
        words = f"{words[: date.start]} , {words[date.end :]}"
    return words


def _is_named(noun: re.Pattern[str], words: str, facts: ReadingFacts) -> bool:
    """Tell whether a noun stands for itself in a line: no other word makes it another thing."""
    return any(_stands_alone(found, words, facts) for found in noun.finditer(words))


def _stands_alone(found: re.Match[str], words: str, facts: ReadingFacts) -> bool:
    behind = _WORD_BEHIND.match(words, found.end())
    if behind and not _is_everyday(behind[1], facts):
        return False
    before = words[: found.start()]
    word = _WORD_BEFORE.search(before)
    if word is None or _OWN.search(before.rstrip()):
        return True
    return _is_everyday(word[1], facts) or facts.topic(word[1]) is not None


def _is_everyday(word: str, facts: ReadingFacts) -> bool:
    word = word.lower().strip("'\"()").removesuffix("'s")
    is_known = word in known_words() | _own_words() | facts.sources
    return is_known or not word[:1].isalpha()


def _unknown(words: str, facts: ReadingFacts) -> Iterator[str]:
    """Yield the words of a line that are neither everyday, nor of a schedule, nor a topic."""
    rest = words_in(without_schedule(words))
    of_topics = {place for first, end, _ in topics_of(rest, facts) for place in range(first, end)}
    for place, word in enumerate(rest):
        if place not in of_topics and not _is_everyday(word, facts) and "#" not in word:
            yield word


def _has(sign: str, text: str) -> bool:
    return _patterns("signs")[sign].search(text) is not None


def is_of_posts(commands: Sequence[str]) -> bool:
    """Tell whether commands are one of posts or alerts; those of a choice are not."""
    name = commands[0].partition(" ")[0]
    is_choice = len(commands) > 1 and name == "subscribe"
    is_sure = commands[0].startswith("alert author:")
    return name in _COMMANDS and not is_choice and not is_sure


def is_subject(words: str, facts: ReadingFacts) -> bool:
    """Tell whether what stands behind a command of posts is a subject: `resume screening bias`."""
    name, _, rest = words.lower().partition(" ")
    return name in _WITHOUT_WORDS and len(list(_unknown(rest, facts))) > _FEW


def is_for_one(words: str) -> bool:
    """Tell whether posts shall come to one person alone: "in my DMs instead"."""
    return _has("for_one", words)


def wishes_for_posts(name: str, words: str) -> bool:
    """Tell whether a question with "how" is a wish for a command of posts."""
    return name in _CHANGES and _WISHING.match(words) is not None


def may_be_meant(command: str, words: str, facts: ReadingFacts) -> bool:
    """Tell whether a line may mean a command: a change of posts is not about another thing."""
    name = command.partition(" ")[0]
    if name not in _CHANGES:
        return True
    signs = _signs(words, words, facts)
    if not signs.isdisjoint(("post", "alerts", "channel", "place", "notified")):
        return True
    is_about_topic = "topic" in signs and name != "subscribe"
    return len(list(_unknown(words, facts))) <= _FEW and not is_about_topic


def read_setting(text: str, facts: ReadingFacts) -> str | None:
    """Read what a subscription shall be: what the line names of one, else the usual one."""
    told = read_change(text, facts) or ""
    # Too many of one topic are none of it.
    if not _COUNTED.search(told) and (sizes := [size for sign, size in _SIZES if _has(sign, text)]):
        return f"{'' if told == _USUAL else told} size:{sizes[0]}".strip()
    return told or ("" if is_refused(text) else _USUAL)


def read_paused(text: str, facts: ReadingFacts) -> str | None:
    """Read the number of a subscription, the end of a pause and the channel, perhaps none."""
    parts = read_numbered(text, facts), _pause_end(text, facts), read_channel(text, facts)
    return " ".join(filter(None, parts))


def read_resumed(text: str, facts: ReadingFacts) -> str:
    """Read a command that goes on with posts: one that pauses them until a day that is named."""
    end, channel = _pause_end(text, facts), read_channel(text, facts)
    return " ".join(filter(None, ("pause" if end else "resume", end, channel)))


_THROUGH = re.compile(r"\bthrough (?=(?:the )?(?:\d|[a-z]{3,9} \d))", re.IGNORECASE)


def _pause_end(text: str, facts: ReadingFacts) -> str | None:
    return read_pause_end(_THROUGH.sub("until ", text), facts)


def read_numbered(text: str, _facts: ReadingFacts) -> str | None:
    """Read the number of a subscription or an alert."""
    found = _NUMBERED.search(text)
    return found[1] if found else None


_EXPLAINED = {
    "halted": "pause", "resumed": "resume", "ended": "unsubscribe", "sampled": "preview",
    "alerts": "alert", "started": "subscribe",
}  # fmt: skip


def read_explained(text: str, _facts: ReadingFacts) -> str | None:
    """Read the command of posts that a question is about."""
    patterns = _patterns("signs") | _patterns("objects")
    acts = (name for sign, name in _EXPLAINED.items() if patterns[sign].search(text))
    is_of_posts = any(patterns[each].search(text) for each in ("post", "plan"))
    usual = "subscribe" if is_of_posts else None
    return next(acts, usual)


_OR = re.compile(r"\s+or\s+", re.IGNORECASE)
_QUOTED = re.compile(r"[\"\u201c]([^\"\u201c\u201d]{2,80})[\"\u201d]")


_REASON = re.compile(
    r"(?:[,;.?!] |\s[-\u2013\u2014]+ |\b(?:because|as|since)\b )"
    r"(?:its?|this|my|our|i|we|that)\b.*$",
    re.IGNORECASE,
)
_EVER = re.compile(
    r"\b(?:ever|finally|eventually|at last|at some point|some ?day|one day)\b ?", re.IGNORECASE
)


def read_told(text: str, facts: ReadingFacts) -> str | None:
    """Read what somebody wants to be told of, and the channel where."""
    channel = read_channel(text, facts)
    if quoted := _QUOTED.search(text):
        what: str | None = f'"{quoted[1]}"'
    else:
        rest = _patterns("signs")["notified"].sub(" ", _EVER.sub("", _REASON.sub("", text)))
        what = read_watched(rest, facts)
        # Words match more than the topic of this name.
        if what and what.startswith("topic:"):
            what = what.removeprefix("topic:").replace("-", " ")
    return " ".join(filter(None, (what, channel))) if what else None


def read_watched(text: str, facts: ReadingFacts) -> str | None:
    """Read what somebody wants to be told of: the words that are no sign of the wish."""
    for sign in ("watch", "tell", "whenever"):
        text = sign_patterns()[sign].sub(" ", text)
    text = _TOLD.sub(" ", text)
    wanted = split_filters(" ".join(text.split()).strip(" ,.;:!?"), facts)
    subject = content_of(_OF.sub("", wanted.words))
    named = [f"{k}:{quoted_value(v)}" for k, v in wanted.named if k in ("from", "author")]
    if (
        not (subject or wanted.author)
        or subject.partition(" ")[0] == "and"
        or len(subject.split()) > _MOST_WATCHED
    ):
        return None
    if named or wanted.since or wanted.until:
        return " ".join(filter(None, (subject, *named)))
    if (topic := facts.topic(subject)) and topic.replace("-", " ") == subject.lower():
        return f"topic:{topic}"
    return (
        " OR ".join(map(quoted_value, parts)) if len(parts := _OR.split(subject)) > 1 else subject
    )


_OF = re.compile(r"^(?:about|of|on|with) ", re.IGNORECASE)
_TOLD = re.compile(
    r"\b(?:and|please|for (?:me|us)|there (?:is|are|be)|is there"
    r"|(?:somebody|someone|anyone|anybody|people) (?:publish\w*|writes?|releases?|posts?|puts? out)"
    r"|(?:one|it|they) (?=(?:comes?|appears?|drops?|pops?|shows?|arrives?|lands?|is|are)\b)"
    r"|(?:comes?|came|pops?|shows?|turns?) up|appears?|drops?|arrives?|lands?|has|have"
    r"|(?:comes?|is|are|gets?) (?:out|published|released|mentioned|featured)"
    r"|in (?:a )?(?:dm|direct messages?|private)|by (?:dm|mail|message)|new|ever|i|to"
    r"|an?(?= (?:new )?(?:paper|article)s?\b))\b",
    re.IGNORECASE,
)
_MOST_WATCHED = 8
