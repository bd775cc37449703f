"""Absences in plain words: the weeks that somebody was away, and the end of a pause. Pure."""

import re
from calendar import month_name
from datetime import date, timedelta

from bot.commands.plain_words.filters import ReadingFacts, take_filters
from bot.domain.weeks import parse_coming

_MOST_WORDS = 30  # a longer line is a description
_COUNTS = {"few": "3", "several": "3", "some": "3", "couple": "2", "a": "1", "an": "1"}
_WEEKLY = {"edition", "issue", "newsletter", "digest"}
# "Last month" is a month of the calendar, "the last month" the days up to now.
_UP_TO_NOW = re.compile(r"\bthe (?:last|past) (week|month|quarter|year)\b", re.IGNORECASE)
_LENGTH = re.compile(
    r"(?:\b(?:since|for|after|over|in|during|within|of|about|around|almost|nearly|roughly|these"
    r"|those|the|this|my|our|last|past|previous|good|whole|full|entire)\s+)*"
    r"(?<![\d-])(?<!once )(?<!twice )\b"
    r"(\d{1,3}|(?:an?\s+)?(?:few|couple(?:\s+of)?)|several|some"
    r"|an?(?![\s-]+(?:edition|issue|newsletter|digest)\b)"
    r"|one|two|three|four|five|six|seven|eight|nine|ten)[\s-]+"
    r"(?:(?:last|past|previous|long|whole|full|good)\s+)?"
    r"(day|week|month|quarter|year|edition|issue|newsletter|digest)s?\b'?(?!\s+(?:ago|later|before|earlier)\b)",
    re.IGNORECASE,
)

_BACK_TODAY = re.compile(
    r"\b((?:back|return(?:ed|ing)?|home)(?: (?!since\b|for\b)\S+){0,3}?)(?: as of)? today\b",
    re.IGNORECASE,
)
_WEEK_OFF = re.compile(r"\b(this|next) week\b", re.IGNORECASE)
_UNTIL = re.compile(
    r"\b(?:until|till|til|up to|back on"
    r"|back (?:in|by)(?= (?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\b)"
    r"|(?:again|resume|restart|continue|start|return) (?:on|at|from|after)"
    r"|(?:again|resume|restart) in"
    r"(?= (?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\b)"
    r"|(?:again|resume) (?=(?:the )?(?:\d|next ))"
    r"|back(?= (?:(?:the|after|next) )*(?:\d|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|new year)))\b (?:after )?(?:the )?(.+)$",
    re.IGNORECASE,
)
# The last day of some: "dec 21 to jan 3".
_TO_DAY = re.compile(
    r"\b(?:\d{1,2}|(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*)"
    r" ?(?:to|through|thru|-|\u2013) ?(?:the )?((?:\d|[a-z]{3,9} \d).*)$",
    re.IGNORECASE,
)
_WEEKDAY_OF_DATE = re.compile(r"^(?:the )?[a-z]+day,? (?:the )?(?=\d|[a-z]{3,9} \d)", re.IGNORECASE)
_FOR = re.compile(
    r"\b(?:for|over|during|in) (?:the )?(?:next |coming |following )?(?:about )?(\w+)(?: of)?"
    r" (day|week|month)s?\b"
    r"|\b(\w+)(?: of)? (day|week|month)s? (?:without|off)\b",
    re.IGNORECASE,
)
# What pauses last over, and the day of the year on which one begins again.
_FEASTS = {
    "christmas": (1, 2), "xmas": (1, 2), "holidays": (1, 2), "new year": (1, 2),
    "christmas break": (1, 2), "winter break": (1, 2), "break": (1, 2), "summer": (9, 1),
    "rest of the year": (1, 1),
}  # fmt: skip
_LONGEST_FIRST = "|".join(sorted(_FEASTS, key=len, reverse=True))
_OVER = re.compile(
    rf"\b(?:over|during|for|through(?:out)?|across) (?:the )?({_LONGEST_FIRST})\b", re.IGNORECASE
)
_NAMED_DAYS = {
    "new year": (1, 1), "new years": (1, 1), "next year": (1, 1), "christmas": (12, 25),
    "xmas": (12, 25), "spring": (3, 1), "summer": (6, 1), "autumn": (9, 1), "fall": (9, 1),
}  # fmt: skip
_MONTH = (
    r"(january|february|march|april|may|june|july|august|september|october|november|december)\b"
)
_IN_MONTH = re.compile(
    rf"\b(?:in|for|during|over|all|throughout) (?:all |the whole |whole )?(?:of )?{_MONTH}"
    rf"(?: (?:to|and|until|through) {_MONTH})?",
    re.IGNORECASE,
)
_SAME_MONTH = re.compile(  # "dec 6 to 14"
    r"\b((?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*) (\d{1,2})"
    r" ?(?:to|-|through|until) ?(\d{1,2})\b",
    re.IGNORECASE,
)
_REST = re.compile(
    rf"\b(?:rest|remainder|end) of (?:the |this )?(?:(week|month)\b|{_MONTH})", re.IGNORECASE
)
_DAY_OF_MONTH = re.compile(r"(\d{1,2})(?:st|nd|rd|th)")
_LONGEST_DAY = 5  # words
_WEEKDAY = re.compile(r"(?:next |on )*((?:mon|tues|wednes|thurs|fri|satur|sun)day)s?")
_DAYS = {"day": 1, "week": 7, "month": 30}
_NUMBERS = {
    "a": 1, "one": 1, "two": 2, "couple": 2, "three": 3, "few": 3, "four": 4, "five": 5, "six": 6,
    "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
}  # fmt: skip


def about_absence(text: str, facts: ReadingFacts) -> str:
    """Return a text in which a length of time is that before today: `over the last 2 weeks`.

    Beside a period it adds nothing, and goes.
    """
    if len(text.split()) > _MOST_WORDS:
        return text
    text = _UP_TO_NOW.sub(r"the last 1 \1", without_return(text))
    if not _LENGTH.search(text):
        return text
    bare = " ".join(_LENGTH.sub(" ", text).split())
    wanted = take_filters(bare, facts)
    if wanted.period or wanted.since or wanted.until:
        return bare
    return _LENGTH.sub(_last, text, count=1)


def without_return(text: str) -> str:
    """Return a text without the day on which an absence ended: `back today`."""
    return _BACK_TODAY.sub(r"\1", text) if "today" in text else text


def _last(length: re.Match[str]) -> str:
    words = length[1].lower().split()
    counted = [word for word in words if word not in ("a", "an", "of")] or words
    number, unit = _COUNTS.get(counted[0], counted[0]), length[2].lower()
    unit = "week" if unit in _WEEKLY else unit
    return f"over the last {number} {unit}{'' if number in ('1', 'one') else 's'}"


def read_pause_end(text: str, facts: ReadingFacts) -> str | None:
    """Read the end of a pause, perhaps none: `until jan 5`, `for two weeks`, `over christmas`."""
    today = facts.today
    if (part := _FOR.search(text)) and (number := _count(part[1] or part[3])):
        unit = (part[2] or part[4]).lower()
        return f"until:{today + timedelta(days=number * _DAYS[unit])}"
    if part := _UNTIL.search(text):
        day = _coming(part[1], today)
        return f"until:{day}" if day else None
    if day := _after(text, today):
        return f"until:{day}"
    if part := _IN_MONTH.search(text):
        first = parse_coming(f"{part[2] or part[1]} 1", today)
        return f"until:{_next(first, first.month % 12 + 1, 1)}" if first else None
    if week := _WEEK_OFF.search(text):
        monday = today - timedelta(days=today.weekday())
        return f"until:{monday + timedelta(weeks=1 if week[1].lower() == 'this' else 2)}"
    return ""


def _after(text: str, today: date) -> date | None:
    """Return the last day of some, or that after the rest of a month or what a pause lasts over."""
    text = _SAME_MONTH.sub(r"\1 \2 to \1 \3", text)
    if (last := _TO_DAY.search(text)) and (day := _coming(last[1], today)):
        return day
    part = _REST.search(text)
    if part is None:
        over = _OVER.search(text)
        return _next(today, *_FEASTS[over[1].lower()]) if over else None
    if (part[1] or "").lower() == "week":
        return today + timedelta(days=7 - today.weekday())
    month = today.month if part[1] else list(month_name).index(part[2].capitalize())
    return _next(today, month % 12 + 1, 1)


def _coming(words: str, today: date) -> date | None:
    """Return the day to come that words begin with: `monday`, `the 4th of Jan`, `new year`."""
    words = _WEEKDAY_OF_DATE.sub("", words)
    parts = words.lower().removeprefix("the ").strip(" ,.!").split()
    if parts and (found := _DAY_OF_MONTH.fullmatch(parts[0])) and len(parts) == 1:
        days = (today + timedelta(days=ahead) for ahead in range(1, 62))
        return next((each for each in days if each.day == int(found[1])), None)
    for length in range(min(_LONGEST_DAY, len(parts)), 0, -1):
        name = " ".join(parts[:length]).strip(" ,.!").replace("'s", "").removesuffix(" day")
        if name in _NAMED_DAYS:
            return _next(today, *_NAMED_DAYS[name])
        weekday = _WEEKDAY.fullmatch(name)
        if day := parse_coming(weekday[1] if weekday else name, today):
            return day
    return None


def _next(today: date, month: int, day: int) -> date:
    """Return the next such day of the year after today."""
    this_year = date(today.year, month, day)
    return this_year if this_year > today else date(today.year + 1, month, day)


def _count(word: str) -> int | None:
    word = word.lower()
    if word.isdecimal():
        return int(word)
    return _NUMBERS.get(word)
