"""Subscriptions in plain words: `fridays at 5pm in berlin about agents, five papers`. Pure."""

import re
from collections.abc import Iterator
from functools import lru_cache

from bot.commands.plain_words.filters import ReadingFacts
from bot.commands.plain_words.keywords import common_words
from bot.commands.plain_words.phrases import city_pattern, words_of, zones_of_places
from bot.commands.plain_words.posts.spoken import (
    HOURS,
    MINUTES_PAST,
    NUMBER,
    PAPERS,
    QUARTERS,
    in_figures,
    refuses_amount,
    shift_in,
)
from bot.domain.zones import SHORT_NAMES, known_zones, zones_meant

_DAY_NAMES = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_DAY = re.compile(
    rf"\b(?:(?:every|each|on|next|per|a) )*({_DAY_NAMES})s?\b"
    r"(?: (morning|afternoon|evening|night)s?\b)?",
    re.IGNORECASE,
)
# A day that was, in a request for its papers.
_PAST_DAY = re.compile(
    rf"\b(?:from|since|last|of|after|before|until) {_DAY_NAMES}\b", re.IGNORECASE
)
_SHORT_DAY = re.compile(r"\b(?:every|each|on) (mon|tue|wed|thu|fri|sat|sun)s?\b", re.IGNORECASE)
# The hour of a day's part that is named alone; a post comes in the morning anyway.
_HOUR_OF = {"afternoon": "14:00", "evening": "18:00", "night": "20:00"}
_HALVES = {"morning": "am", "afternoon": "pm", "evening": "pm", "night": "pm"}
_TIME = re.compile(
    r"(?:\b(?:at|around|by) )?\b(?:"
    r"((?:[01]?\d|2[0-3])(?:[:.][0-5]\d)? ?[ap]\.?m\b\.?"
    rf"|(?:{QUARTERS}) (?:1[0-2]|[1-9]|{'|'.join(HOURS)})(?: ?[ap]m)?\b(?! {PAPERS}\b)"
    r"|(?:[01]?\d|2[0-3])(?::[0-5]\d|\.[0-5]\d(?![\d%])|h(?:[0-5]\d)?)|noon|midday|midnight)"
    # A bare number is an hour behind "at", and behind a day, of which a comma is left.
    r"|(?:(?<=at )|(?<=around )|(?<=like )|(?<=say )|(?<= ,  ))"
    rf"(\d{{1,2}}|{'|'.join(HOURS)})(?: o'?clock)?)"
    r"(?: (?:in|of) the (morning|afternoon|evening))?(?=[\s,.;!]|$)",
    re.IGNORECASE,
)
_BY_QUARTERS = re.compile(rf"({QUARTERS}) ({NUMBER}) ?([ap]m)?")
_FIRST_HOUR = 6  # nobody is up before, so "at 4" is in the afternoon
_AN_HOUR, _HALF_A_DAY = 60, 12 * 60  # minutes
_DOT = re.compile(r"\.(?=\d)")
_ZONE = re.compile(
    r"\b(?:in )?(?:the )?([A-Z][a-z]+/[A-Za-z_]+|(?:utc|gmt)(?: ?[-+]\d{1,2}(?::?\d\d)?)?|cet|cest"
    rf"|[ecmp][sd]t|ist|bst|jst|(?-i:{'|'.join(SHORT_NAMES)}))\b(?: time\b)?"
    r"|\b(?:in )?([a-z]+(?: [a-z]+)?) (?:time|timezone|time zone)\b"
    # Behind a time, of which a comma is left.
    r"|(?<= ,  )(eastern|pacific|central|mountain)\b",
    re.IGNORECASE,
)
# "Change the time", "same time".
_NO_ZONE = re.compile(
    r"\b(?:the|an?|this|that|what|which|our|its?|same|post\w*|delivery|different|other) time",
    re.IGNORECASE,
)
# Some other place, whose zone may not be known.
_BEHIND_TIME = re.compile(
    r"[ ,]*\b(?:in )?([a-z][a-z-]{3,})(?: time)?(?=\s*(?:[,.;!]|$|please\b))", re.IGNORECASE
)
_EVERY_WEEK = re.compile(
    r"\b(?:every|each|once a|per) week\b|\bweekly\b"
    rf"|(?P<other>\b(?:every|each|once a|per) (?:(?:other|second) (?:week|day|{_DAY_NAMES})"
    r"|day|weekday|morning|month)\b|(?<![\w-])(?:daily|weekdays|monthly|biweekly|bi-weekly|fortnightly"
    r"|(?:twice|(?:two|three|2|3) (?:times|posts|digests)) (?:a|per) week)\b)",
    re.IGNORECASE,
)
_WEEKEND = re.compile(r"\b(?:weekends?|weekdays|(?:working|business) days)\b", re.IGNORECASE)
_ON_ONE_DAY = "A post comes once a week, on the one day that you choose."
_CHANNEL = re.compile(
    r"(?:\b(?:in|into|to|with|on|at|for) )?(?:the )?"
    r"((?<!\w)#(?=\d*[^\W\d])[\w-]+|<#\w+(?:\|[^>]*)?>)"
)
# The channel that posts leave: "out of #general and into #ml".
_LEFT = re.compile(r"\b(?:from|out of|instead of|not in|off) (?:#[\w-]+|<#\w+(?:\|[^>]*)?>)")
_SIZE = re.compile(
    r"\b(?:(?:no more than|at most|up to|max(?:imum)?(?: of)?|only|just|limit(?:ed)? to) )*"
    rf"(?:the )?(?:(?:top|best) ({NUMBER})(?: {PAPERS})?"
    rf"|({NUMBER}) (?:(?:(?:best|top|newest|latest) )?{PAPERS}|max(?:imum)?\b|tops|at most))\b",
    re.IGNORECASE,
)
_COMPARED = re.compile(
    r"\b(fewer|less|more) (?:papers|stuff|items|entries|things)\b", re.IGNORECASE
)
_COUNT = re.compile(rf"({NUMBER})(?: {PAPERS})?", re.IGNORECASE)
_LAYOUT = re.compile(
    r"\b(?:as |in )?(?:a |the )?(?:(?P<unthreaded>(?:no|not|without|instead of|rather than)"
    r"(?: an?| in| as)* threads?|(?:one|a single) message(?! (?:per|for))"
    r"|threads (?:are|is) (?:\w+ ){0,2}?(?:annoying|bad|noisy|messy|too|hard|not|confusing|ugly))"
    r"|(?P<word>compact|full|thread|threads|threaded)"
    r"(?: (?:version|layout|form|format|text|length|summar(?:y|ies)))?"
    r"|(?P<full>(?:whole|complete|entire|all the|with)"
    r" (?:summar(?:y|ies)|texts?|abstracts?|highlights)"
    r"|not (?:only|just)(?: the)? titles)"
    r"|(?P<compact>(?:only|just)(?: the)? (?:titles|headlines)|(?:titles|headlines) only"
    r"|list of (?:titles|headlines))"
    r"|(?P<apart>(?:each|every) (?:paper|one) (?:separately|apart|(?:on|as|in) its own(?: \w+)?)"
    r"|(?:one|a|its own) (?:message|post) (?:per|for each|for every) paper))\b",
    re.IGNORECASE,
)
_NO_TOPIC = "and|or|from|in|for|of|our|the|on|at|to|please|but|so"
_NOT = re.compile(
    r"\b(?:except(?: for)?|but (?:no|not)|without|exclud(?:e|ing)|other than|no|drop|leave out|skip"
    r"|(?:everything|anything|all|topics) but|remove"
    r"|filter out|never|not interested in|too (?:many|much)|fewer|less|not so (?:many|much)"
    r"|enough(?: of)?)"
    r" (?:(?:any|all|the|anything|everything|stuff|papers?|more|things) |(?:about|on|with|from) )*"
    rf"([\w-]+(?:,? (?:and |or )?(?!(?:{_NO_TOPIC})\b)[\w-]+)*)",
    re.IGNORECASE,
)
_ALSO = re.compile(r"\b(?:also|too|as well|add|in addition|on top)\b", re.IGNORECASE)
_FROM_ALL = re.compile(
    r"\b(?:all|every|both)(?: (?:of )?(?:the|your|its))? (?:sources?|newsletters?)\b|\bfrom all\b",
    re.IGNORECASE,
)
# The day or time that a post had or shall not have: "from monday to friday", "monday is bad".
_DAYS_OR_HOUR = rf"(?:(?:{_DAY_NAMES})s?|(?<!too )\d{{1,2}}(?:[:.]\d\d)? ?(?:[ap]m|o'?clock)?)"
_BEFORE_CHANGE = re.compile(
    r"\bfrom \S+ (?=to\b)"
    rf"|\b(?:swap|replace|drop|skip|leave|trade) (?:{_DAY_NAMES})s? (?:for|with|and)\b"
    rf"|\b(?:instead of|rather than|not|never|(?:not|never) post) (?:on |at )?(?:{_DAY_NAMES})s?\b"
    rf"(?:,? (?:and|or|nor) (?:on )?(?:{_DAY_NAMES})s?\b)*"
    rf"|\bfrom (?:{NUMBER}) papers\b"
    r"|\b(?:instead of|rather than|(?:better|easier|nicer)(?: for us)? than) (?:at )?"
    rf"{_DAYS_OR_HOUR}"
    rf"|\b(?:on |at )?{_DAYS_OR_HOUR}(?: morning| afternoon| evening)?s?"
    r" (?:is|are|was|does|do|has|have|clashes|collides|never|will) (?:\S+ ){0,2}?"
    r"(?:bad|busy|busiest|hell|packed|chaos|crazy|blocked|not|too|full|awful|terrible|inconvenient|crowded|hard|off"
    r"|difficult|with|work(?:s|ed)?|holidays?)\b[^,.;!]*",
    re.IGNORECASE,
)
# The source that posts had: "instead of dair".
_OTHER_SOURCE = re.compile(
    r"\b(?:instead of|rather than|(?:and )?not|no longer|without) (?:from )?([\w-]+)", re.IGNORECASE
)
# Words of a line that wants an end of posts, an alert, or one paper in a channel.
_AGAINST = re.compile(
    r"\b(?:stop\w*|cancel\w*|paus\w+|mut\w+|unsubscrib\w+|remov\w+|quit\w*|off|not|alerts?"
    r"|(?:a|one|this|that) (?:paper|article))\b",
    re.IGNORECASE,
)
_NEVER = re.compile(r"\b(?:do not|never|stop|not on|wait|waiting)\b", re.IGNORECASE)
# Signs of a schedule, of which a repeated day is two: "friday 4pm", "fridays", "every week".
_FEWEST_SIGNS = 2
_RECURS = re.compile(r"\b(?:every|each|weekly)\b|days\b", re.IGNORECASE)
_SO = re.compile(
    r"[,;.]? \bso (?:that )?(?=(?:we|i|it|the|our|please|can|could|post|send)\b)", re.IGNORECASE
)
_USUAL = "monday"  # the day of a subscription that names none
_LONGEST_TOPIC = 3
_NO_NAME = re.compile(r"wrong|incorrect|off|right|fine|ok|not \w+|different|the same")
_REASON = re.compile(
    r"[,;.!?:]\s| (?:because|since|please|as (?:we|i)|for (?:the|all|every|our))\b"
)


def read_schedule(text: str, facts: ReadingFacts) -> str | None:
    """Read the arguments of a subscription wherever they stand; `None` without a day or time."""
    text = _meant(text)
    if _PAST_DAY.search(text) or _NEVER.search(text):
        return None
    when, what = _arguments(text, facts)
    if not when and not _EVERY_WEEK.search(text):
        return None
    return " ".join((*when, *what)) or _USUAL


def read_schedule_alone(text: str, facts: ReadingFacts) -> str | None:
    """Read a schedule from a line that says nothing else; it has two signs of one."""
    rest, signs = in_figures(text), 0
    for pattern in (_CHANNEL, _SIZE, _EVERY_WEEK, _DAY, _SHORT_DAY, _TIME):
        part, rest = _cut(pattern, rest)
        signs += part is not None and (1 + bool(_RECURS.search(part[0])))
    zone, rest = _zone(rest)
    _, rest = _cut(_LAYOUT, rest)
    _, others = _topics(rest, facts)
    is_alone = not set(others) - words_of("scheduling") - facts.sources
    return read_schedule(text, facts) if is_alone and signs + bool(zone) >= _FEWEST_SIGNS else None


@lru_cache(maxsize=64)
def _meant(text: str) -> str:
    """Return a text in figures, without what a post had or shall not have."""
    return _BEFORE_CHANGE.sub("", in_figures(text))


def signs_of_schedule(text: str, facts: ReadingFacts) -> Iterator[str]:
    """Yield what of a schedule a text names: `channel`, `size`, `day`, `time`, `zone`."""
    said, text = text, _meant(text)
    channel, rest = _cut_channel(text)
    size, rest = _cut(_SIZE, rest)
    day, rest = _cut(_DAY, rest)
    if day is None:
        day, rest = _cut(_SHORT_DAY, rest)
    half_of_day = day and day.re is _DAY and (day[2] or "").lower() in _HOUR_OF
    time, rest = _cut(_TIME, rest)
    layout, rest = _cut(_LAYOUT, rest)
    zone, rest = _zone(rest)
    about = {each.partition(":")[0] for each in _about(rest, facts)}
    told = {
        "channel": channel, "size": size, "time": time or half_of_day, "layout": layout,
        # "Test time" is no zone; beside a time of day one that is not known is asked about.
        "zone": zone and (time or _is_zone(zone)),
        "day": day and not _PAST_DAY.search(text),
        "topic": about & {"topic", "not"}, "source": "from" in about, "shift": shift_in(text),
        "refused": size and refuses_amount(said), "patience": "patience:" in text,
    }  # fmt: skip
    yield from (sign for sign, found in told.items() if found)


def without_schedule(text: str) -> str:
    """Return a text without what of a schedule it names; commas are left."""
    _, rest = _cut_channel(_cut_patience(in_figures(text))[1])
    for pattern in (_SIZE, _DAY, _DAY, _SHORT_DAY, _TIME, _TIME, _LAYOUT, _EVERY_WEEK):
        _, rest = _cut(pattern, rest)
    return _zone(rest)[1]


@lru_cache(maxsize=256)
def _is_zone(name: str) -> bool:
    return bool(zones_meant(name, known_zones()))


def read_count(text: str, _facts: ReadingFacts) -> str | None:
    """Read how many papers a post has at most."""
    found = _COUNT.fullmatch(text.strip(" ,.!"))
    return str(_number(found[1])) if found else None


def read_change(text: str, facts: ReadingFacts) -> str | None:
    """Read what a subscription shall be from now on, `None` where nothing of that is named."""
    text = _meant(text)
    if _PAST_DAY.search(text):
        return None
    when, what = _arguments(text, facts)
    return " ".join((*when, *what)) or (_USUAL if _EVERY_WEEK.search(text) else None)


def is_refused(text: str) -> bool:
    """Tell whether a line names a day or a time that a post shall not have."""
    return _BEFORE_CHANGE.search(text) is not None or refuses_amount(text)


def unmet_rhythm(text: str) -> str:
    """Return what is said where a line asks for posts oftener or rarer than once a week."""
    rhythms = (found["other"] for found in _EVERY_WEEK.finditer(text))
    other = next(filter(None, rhythms), None)
    if other is None:
        return _ON_ONE_DAY if _WEEKEND.search(text) else ""
    return f"A post comes once a week, not {other.lower()}."


def read_wish(text: str, facts: ReadingFacts) -> str | None:
    """Read the arguments of a subscription; `None` where something shall end."""
    text = in_figures(text)
    _, rest = _cut(_LAYOUT, text)
    if _AGAINST.search(rest) or _PAST_DAY.search(text):
        return None
    when, what = _arguments(text, facts)
    is_moved = what and _LEFT.search(text)
    return " ".join((*(when or (() if is_moved else (_USUAL,))), *what))


def _arguments(text: str, facts: ReadingFacts) -> tuple[list[str], list[str]]:
    """Return the day and the time that a text names, and the other arguments of a subscription."""
    patience, rest = _cut_patience(text)
    channel, rest = _cut_channel(rest)
    size, rest = _cut(_SIZE, rest)
    day, rest = _cut(_DAY, _without_reason(rest))
    if day is None:
        day, rest = _cut(_SHORT_DAY, rest)
    half = day[2] if day and day.re is _DAY else None
    whole = rest
    time, rest = _cut(_TIME, whole)
    shift = None if time else shift_in(whole)
    hour = _time(time, half) if time else shift or _HOUR_OF.get((half or "").lower())
    when = [*([day[1].lower()] if day else []), *([hour] if hour else [])]
    zone, rest = _zone(_EVERY_WEEK.sub(" ", rest))
    if zone is None and time:
        zone = _place_behind(whole[time.end() :], facts)
    layout, rest = _cut(_LAYOUT, rest)
    return when, [
        *([zone] if zone else []),
        *([f"in:{channel[1]}"] if channel else []),
        *_about(rest, facts),
        *_size(size, rest),
        *([f"layout:{_layout(layout)}"] if layout else []),
        *([patience] if patience else []),
    ]


def _without_reason(text: str) -> str:
    """Return a text without the day and time before a wish with one: "we meet at 3, so at 2"."""
    told = _SO.split(text, maxsplit=1)
    if len(told) == 1:
        return text
    reason, wish = told
    for pattern in (_DAY, _TIME):
        reason = pattern.sub(" ", reason) if pattern.search(wish) else reason
    return f"{reason} , {wish}"


def _cut_channel(text: str) -> tuple[re.Match[str] | None, str]:
    """Cut out the channels of a text; none is the one that posts come to if they leave it."""
    rest = _LEFT.sub(" ", text)
    return _cut(_CHANNEL, rest)


def _cut_patience(text: str) -> tuple[str | None, str]:
    told = next((each for each in text.split() if each.startswith("patience:")), None)
    return told, text.replace(told, " ") if told else text


def _size(size: re.Match[str] | None, rest: str) -> Iterator[str]:
    if size:
        yield f"size:{_number(size[1] or size[2])}"
    elif compared := _COMPARED.search(rest):
        yield "size:more" if compared[1].lower() == "more" else "size:fewer"


def _cut(pattern: re.Pattern[str], text: str) -> tuple[re.Match[str] | None, str]:
    found = pattern.search(text)
    if found is None:
        return None, text
    return found, f"{text[: found.start()]} , {text[found.end() :]}"


def _number(word: str) -> int:
    return int(word) if word.isdecimal() else HOURS.index(word.lower()) + 1


def _time(part: re.Match[str], half: str | None) -> str:
    half = (part[3] or half or "").lower()
    if part[1]:
        if said := _BY_QUARTERS.fullmatch(part[1].lower()):
            return _time_by_quarters(said, said[3] or _HALVES.get(half, ""))
        time = part[1].lower().replace(" ", "")
        return "noon" if time == "midday" else _DOT.sub(":", time)
    hour = _number(part[2])
    half = _HALVES.get(half) or ("pm" if 0 < hour < _FIRST_HOUR else "")
    if half and 0 < hour <= len(HOURS):
        return f"{hour}{half}"
    return f"{hour:02}:00"


def _time_by_quarters(said: re.Match[str], half: str) -> str:
    """Return the time of a clock: `half past ten`, `quarter to nine in the evening`."""
    minutes = _AN_HOUR * _number(said[2]) + MINUTES_PAST[said[1]]
    is_late = half == "pm" or (not half and minutes < _AN_HOUR * _FIRST_HOUR)
    if is_late and minutes < _HALF_A_DAY:
        minutes += _HALF_A_DAY
    return f"{minutes // _AN_HOUR:02}:{minutes % _AN_HOUR:02}"


def _zone(text: str) -> tuple[str | None, str]:
    for pattern in (city_pattern(), _ZONE):
        part, rest = _cut(pattern, text)
        if part and not _NO_ZONE.search(part[0]):
            name = next(filter(None, part.groups()))
            return zones_of_places().get(name.lower(), name), rest
    return None, text


def _place_behind(behind: str, facts: ReadingFacts) -> str | None:
    """Return the word behind a time that may be a place: `Atlantis`, which no zone is known of."""
    found = _BEHIND_TIME.match(behind)
    if found is None:
        return None
    word = found[1].lower()
    is_known = word in words_of("scheduling") | common_words() | facts.sources
    is_known = is_known or facts.topic(word) is not None
    return None if is_known or _LAYOUT.match(word) or _DAY.match(word) else found[1]


def _layout(found: re.Match[str]) -> str:
    if found["word"] is None:
        return "thread" if found["apart"] else "full" if found["full"] else "compact"
    word = found["word"].lower()
    return "thread" if word.startswith("thread") else word


def _about(text: str, facts: ReadingFacts) -> Iterator[str]:
    """Yield the sources and topics of a subscription, and the topics that it leaves out."""
    part, rest = _cut(_NOT, text)
    unwanted = _topics(part[1], facts)[0] if part else []
    if not unwanted:
        rest = text
    told = _OTHER_SOURCE.sub(lambda it: " " if it[1].lower() in facts.sources else it[0], rest)
    words = [word.strip(",.;!?:").lower().removesuffix("'s") for word in told.split()]
    sources = [word for word in words if word in facts.sources]
    if _FROM_ALL.search(rest):
        sources = ["all"]
    topics, _ = _topics(rest, facts)
    if sources and _ALSO.search(rest):
        sources = ["more", *sources]
    for name, values in (("from", sources), ("topic", topics), ("not", unwanted)):
        if values:
            yield f"{name}:{','.join(dict.fromkeys(values))}"


def _topics(text: str, facts: ReadingFacts) -> tuple[list[str], list[str]]:
    """Return the topics that a text names, and its other words in lower case."""
    words = list(filter(None, (word.strip(",.;!?").lower() for word in text.split())))
    topics: list[str] = []
    others: list[str] = []
    place = 0
    while place < len(words):
        for length in range(min(_LONGEST_TOPIC, len(words) - place), 0, -1):
            if topic := facts.exact_topic(" ".join(words[place : place + length])):
                topics.append(topic)
                place += length - 1
                break
        else:
            others.append(words[place])
        place += 1
    return topics, others


def read_zone(text: str, _facts: ReadingFacts) -> str | None:
    """Read the name of a zone or a city."""
    told = _REASON.split(text.strip(" ,.!?"))[0]
    name = told.lower().removeprefix("the ").removesuffix(" time")
    if _NO_NAME.fullmatch(name):
        return None
    return zones_of_places().get(name) or told or None


def read_channel(text: str, _facts: ReadingFacts) -> str | None:
    """Read the channel that a line names, perhaps none."""
    found, _ = _cut_channel(text)
    found = found or _CHANNEL.search(text)
    return f"in:{found[1]}" if found else ""


def read_named_channel(text: str, _facts: ReadingFacts) -> str | None:
    """Read a channel that is named and nothing else."""
    found = _CHANNEL.fullmatch(text.strip())
    return f"in:{found[1]}" if found else None
