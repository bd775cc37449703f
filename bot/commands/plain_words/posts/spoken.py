"""Times, days and amounts as people say them, put into figures: `friday after lunch`. Pure."""

import re
from functools import lru_cache

HOURS = (
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
)  # fmt: skip
NUMBER = rf"\d{{1,2}}|{'|'.join(HOURS)}"
# "Half eight" is half past eight.
MINUTES_PAST = {
    "half past": 30, "half": 30, "quarter past": 15, "quarter to": -15, "twenty past": 20,
    "ten past": 10, "five past": 5, "twenty to": -20,
}  # fmt: skip
QUARTERS = "|".join(MINUTES_PAST)
PAPERS = r"(?:papers?|ones|articles|entries|items)"
_THE_DAY = r"(?:the |my |our )?(?:(?:working|work|business|office) )?day"
_THE_WEEK = r"of the (?:working )?week\b"
_LUNCH = (
    r"lunch(?:[ -]?(?:time|hour|break))?(?=\s*(?:[,.;!?]|$)"
    r"| (?:on|every|each|is|would|works?|suits|please|instead|rather|in|here|\w+days?)\b)"
)
_PARTS_OF_DAY = "(?:morning|afternoon|evening|night)"
_NO_END = r"(?<!until )(?<!till )(?<!since )(?<!until the )(?<!till the )(?<!since the )"
_AT = r"(?:(?:at|by|around|over|during|towards) )?(?:the )?"
_IS_ENOUGH = r"(?:is|are|would be|will be) (?:quite |more than )?(?:enough|plenty|sufficient)"
_SPOKEN = {
    rf"\bbefore {_LUNCH}": "at 11:00",
    rf"\bafter {_LUNCH}": "at 13:00",
    rf"\b{_AT}{_LUNCH}": "at noon",
    rf"\b{_AT}tea ?time\b": "at 16:00",
    rf"\b{_AT}(?:end of {_THE_DAY}|close of (?:business|play)|eod|cob)\b": "at 17:00",
    rf"\b{_AT}(?:start|beginning) of {_THE_DAY}\b": "at 08:00",
    r"\bfirst thing(?: in the morning)?(?=\s*(?:[,.;!?]|$)| (?:on|every|each|please|\w+days?)\b)": (
        "at 08:00"
    ),
    rf"{_NO_END}\b{_AT}end {_THE_WEEK}": "friday",
    rf"{_NO_END}\b{_AT}(?:start|beginning) {_THE_WEEK}": "monday",
    rf"{_NO_END}\b(?:in )?{_AT}(?:mid[ -]?week\b|middle {_THE_WEEK})": "wednesday",
    r"\b(?:at )?noon ?ish\b": "at noon",
    r"\b(?:at )?(\d{1,2}(?::\d\d)?) sharp\b": r"at \1",
    r"\b(?:not|never|nothing) (?:before|until) (\d{1,2}(?::\d\d)?)"
    r"(?= ?(?:[ap]m|[,.;!?]|$|please))": r"at \1",
    r"\bafter (\d{1,2}(?::\d\d)?)(?= (?:would|is|works|please|suits))": r"at \1",
    r"\b(?:at )?(\d{1,2}(?::\d\d)?) ?ish\b": r"at \1",
    rf"\bsat(?= {_PARTS_OF_DAY}s?\b)": "saturday",
    rf"\bsun(?= {_PARTS_OF_DAY}s?\b)": "sunday",
}
_ANY_SPOKEN = re.compile(
    r"\blunch|\btea ?time|\b(?:end|close|start|beginning|middle) of |\beod\b|\bcob\b"
    r"|\bfirst thing|\bmid[ -]?week|ish\b|\bs(?:at|un) |\d sharp\b|\b(?:before|until|after) \d",
    re.IGNORECASE,
)
_AMOUNTS = re.compile(
    rf"\b(?:{PAPERS}|too (?:many|much)|a lot|overkill|plenty|enough|time for|reads?|fewer|less)\b",
    re.IGNORECASE,
)
_ENOUGH = re.compile(rf"\b({NUMBER}) {_IS_ENOUGH}\b", re.IGNORECASE)
_OF_PAPERS = rf"(?: {PAPERS})?(?: (?:per|a|each|every) (?:week|post|time))?"
_ANOTHER = rf"(?=.*\b(?:{NUMBER})\b.*\b(?:{NUMBER})\b)"
_NO_HOUR = r"(?! ?(?:[ap]\.?m\b|[:.]\d|o'?clock))\b"
# An amount that posts had or shall not have: "ten papers are too many", "not 10 papers".
_REFUSED_AMOUNT = re.compile(
    rf"\b(?:{NUMBER}){_OF_PAPERS} (?:is|are|was|were|feels?|seems?)"
    r"(?: (?:way|far|just|a bit|really))*"
    r" (?:too (?:many|much|few|little)|not enough|a lot|a bit much|overkill|more than [^,.;!]*)"
    rf"|\b(?:instead of|rather than|not|(?:less|fewer) than{_ANOTHER}|no need for"
    r"|(?:do|does) not (?:need|want|read)"
    r"|(?:nobody|no one|noone) (?:reads|needs|wants|has (?:the )?time for)|no time for)"
    rf"(?: all)?(?: the)? (?:{NUMBER}){_OF_PAPERS}{_NO_HOUR}",
    re.IGNORECASE,
)
# A number that is neither an hour nor a length of time.
_BARE_NUMBER = re.compile(
    rf"(?<![#:.\d-])(?<!\bat )(?<!\baround )\b({NUMBER})\b"
    r"(?! ?(?:[ap]\.?m\b|[:.]\d|o'?clock|%"
    rf"|(?:minutes?|hours?|days?|weeks?|months?|{PAPERS})\b))",
    re.IGNORECASE,
)
# A clause that refuses an hour: "9 is too early", "nobody is up at 9".
_REFUSED_HOUR = re.compile(
    r"\b(?:(?:too|bit|rather) (?:early|late)|(?:asleep|sleep(?:s|ing)|in bed)\b.*\d"
    r"|(?:nobody|no one|noone|not|none of us)(?: \S+){0,4} (?:up|in|here|there|awake|around|online)"
    rf"(?: yet)? (?:at|by|before) (?:{NUMBER}))\b",
    re.IGNORECASE,
)
_DAY_BEFORE_HOUR = re.compile(rf"\b(\w{{3,6}}days?),? (?:at )?(?:{NUMBER})\b", re.IGNORECASE)
_CLAUSE_ENDS = re.compile(
    r"(?<=[,.;!?])\s+"
    r"|\s+(?:so |and |please )?(?=(?:make|try|move|change|set|push) (?:it|that|to|for|\d))",
    re.IGNORECASE,
)
_MANY = rf"\d{{1,3}}|an?|(?:a )?couple of|{'|'.join(HOURS)}"
_SHIFT = re.compile(
    rf"\b(?P<n>{_MANY}) ?(?P<unit>minute|min|hour|hr|day)s?"
    r" (?P<way>earlier|sooner|early|before|later|late)\b"
    r"(?=\s*(?:[,.;!?]|$)| (?:please|would|is|on|in|for|than|instead|if|here)\b)"
    r"|\bthe day (?P<beside>before|after)\b"
    r"|\b(?:a (?:bit|little)|slightly|somewhat) (?P<slightly>earlier|sooner|later)\b"
    r"|\b(?P<verb>push|move|bring|pull|put|shift|delay|postpone|set)(?:ed|ing)?"
    r"(?: (?!to\b)\S+){0,3}? (?:(?P<to>back|forwards?|up|out|off) )?(?:by )?"
    rf"(?P<m>{_MANY}) ?(?P<of>minute|min|hour|hr|day)s?\b(?: (?P<on>back|forwards?))?",
    re.IGNORECASE,
)
# One of these is in each change by some time.
_OF_SHIFTS = (
    "earl", "sooner", "late", "before", "after", "back", "forward", " up", " out", " off", "delay",
    "postpone",
)  # fmt: skip
_EARLIER = ("earlier", "sooner", "early", "before", "forward", "forwards", "up")


_LATE = r"(?:late|the|an?|any|missing|next|new) [^,.;!]*\bedition\w*|it\b|late\b|the late"
_NONE = " , patience:0"
_PATIENCE = re.compile(
    r"\b(?:but |and |to )*wait(?:s|ing)?"
    r"(?: (?:up to|at most|max(?:imum)?|no (?:more|longer) than|for))*"
    rf" (?P<n>{NUMBER}) ?(?P<unit>day|hour|hr|d|h)s?\b"
    rf"(?: at most| max(?:imum)?)?(?: for (?:{_LATE}))?"
    rf"|\b(?:but |and )*(?:(?:do|does|should) not wait|without waiting|never wait) for (?:{_LATE})",
    re.IGNORECASE,
)


def _patience(found: re.Match[str]) -> str:
    return f" , patience:{count_of(found['n'])}{found['unit'][0].lower()}" if found["n"] else _NONE


@lru_cache(maxsize=64)
def in_figures(text: str) -> str:
    """Return a text with times, days and amounts in figures, without an amount that is refused.

    How long a post shall wait for a late edition is its argument.
    """
    if "wait" in text.lower():
        text = _PATIENCE.sub(_patience, text)
    if _ANY_SPOKEN.search(text):
        for said, meant in _patterns():
            text = said.sub(meant, text)
    if _REFUSED_HOUR.search(text):
        text = _without_refused_hour(text)
    if not _AMOUNTS.search(text):
        return text
    # What somebody has enough of is what they want.
    text = _ENOUGH.sub(lambda found: f"{count_of(found[1])} papers", text)
    rest = _REFUSED_AMOUNT.sub(" ", text)
    if rest == text:
        return text
    return _BARE_NUMBER.sub(lambda found: f"{count_of(found[1])} papers", rest, count=1)


def _without_refused_hour(text: str) -> str:
    """Return a text in which a bare number beside an hour that is refused is the hour meant."""
    clauses = _CLAUSE_ENDS.split(text)
    kept = [clause for clause in clauses if not _REFUSED_HOUR.search(clause)]
    if len(kept) == len(clauses):
        return text
    # "Monday 9 is too early" refuses the hour, and not the day.
    days = (_DAY_BEFORE_HOUR.search(clause) for clause in clauses if clause not in kept)
    rest = " ".join([*(day[1] for day in days if day), *kept])
    if not re.search(QUARTERS, rest, re.IGNORECASE):
        rest = _BARE_NUMBER.sub(r"at \1", rest, count=1)
    return rest if re.search(rf"\b(?:{NUMBER})\b", rest, re.IGNORECASE) else text


@lru_cache(maxsize=1)
def _patterns() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(said, re.IGNORECASE), meant) for said, meant in _SPOKEN.items())


def refuses_amount(text: str) -> bool:
    """Tell whether a line names an amount that posts shall not have."""
    return _AMOUNTS.search(text) is not None and _REFUSED_AMOUNT.search(text) is not None


def shift_in(text: str) -> str | None:
    """Return by how much a post shall come earlier or later: `time:30m-earlier`, `day:1d-later`."""
    may_shift = any(word in text.lower() for word in _OF_SHIFTS)
    found = _SHIFT.search(text) if may_shift else None
    if found is None:
        return None
    if found["beside"]:
        return f"day:1d-{'earlier' if found['beside'].lower() == 'before' else 'later'}"
    if slightly := found["slightly"]:
        return f"time:1h-{'later' if slightly.lower() == 'later' else 'earlier'}"
    way, number, unit = found["way"], found["n"] or found["m"], found["unit"] or found["of"]
    if not way:
        is_late = found["verb"].lower() in ("delay", "postpone")
        way = found["to"] or found["on"] or ("later" if is_late else "")
    if not way:
        return None
    told = "earlier" if way.lower() in _EARLIER else "later"
    count = count_of(number)
    return f"{'day' if unit.lower() == 'day' else 'time'}:{count}{unit[0].lower()}-{told}"


def count_of(number: str) -> int:
    """Return the number of a word."""
    number = number.lower()
    if number.isdecimal():
        return int(number)
    return 2 if "couple" in number else HOURS.index(number) + 1 if number in HOURS else 1
