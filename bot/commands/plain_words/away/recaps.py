"""Recaps in plain words: what somebody missed who was away, and in which time.

A line has parts: some tell of the person, the others ask. Pure.
"""

import re
from dataclasses import replace
from datetime import timedelta
from functools import cache

from bot.commands.plain_words.absences import about_absence, without_return
from bot.commands.plain_words.away.subjects import (
    places_of_topics,
    subjects_among,
    topics_in,
    topics_lacked,
)
from bot.commands.plain_words.filters import (
    ReadingFacts,
    WantedFilters,
    content_of,
    is_period,
    quoted_value,
    take_filters,
)
from bot.commands.plain_words.keywords import brief_words
from bot.commands.plain_words.signs import (
    has_sign,
    sign_patterns,
    unknown_words,
    words_in,
    words_of_asks,
)
from bot.domain.dates import find
from bot.domain.dates.spoken import with_days
from bot.domain.dates.written_date import Unit
from bot.domain.weeks import parse_edge

_MOST_WORDS = 40  # a longer line is a description
_LAST_VISIT = "last visit"
_BETWEEN = " , "  # parts of one kind
_SOMEBODY_ASKS = r"(?:asks?|asked|wonders?|wondered|wants? to know) (?:me |us )?"
_ASKED = re.compile(rf"^(?:and )?{_SOMEBODY_ASKS}", re.IGNORECASE)
_PART = re.compile(
    r"\s*[.;:!?]+(?:\s+|$)|,\s+|\s+(?:-|\u2013|\u2014)+\s+|\s+(?:so|and then)\s+"
    rf"|\s+(?:and\s+)?(?={_SOMEBODY_ASKS}(?:how|what|why|if|who))"
    r"|\s+(?=(?:kindly|please|(?:can|could|would|will) you) (?!not\b)\w)"
    r"|\s+(?=and (?:i |we )?(?:never|still|have not|did not)\b)"
    r"|\s+(?=(?:since|when|after|because|as|during) (?:i|we|my|our)\b|(?:while|whilst) \w)"
    r"|(?<!since)(?<!while)(?<!when)(?<!what)(?<!where)(?<!after)(?<!because)(?<!as)(?<!that)"
    r"(?<!which)(?<!papers)(?<!and)\s+(?=(?:i|we) (?:was|were|had|have|took|spent|went|got)\b)",
    re.IGNORECASE,
)
_SOME_TIME = (
    r"(?:the |our )?(?:last|past|this|q[1-4]|20\d\d|may(?= (?:for|in|on|go|been)\b)|january"
    r"|february|march|april|june|july|august|september|october|november|december)\b"
)
# The beginning of a part that tells of the person: what they did, and how long they did it.
_OF_PERSON = re.compile(
    r"(?:(?:and|but|so|sorry|well|hi|hello|hey|good morning|ok|okay|as|because|when|after|since) )*"
    r"(?:(?:i|we) (?!(?:can|could|should|would|will|must|may|want|need|wish|like|love|hope|wonder"
    r"|do)\b(?! not\b))\S+"
    r"|(?:just |finally |been |now )*(?:back|been|returned|returning|coming back|away|off|gone"
    r"|behind(?= (?:since|for|by)\b)|spent|lost|took|went|stuck|had)\b"
    r"|(?:my|our) (?:\S+ ){1,4}?(?:(?:is|are) (?=(?:back|away|off|gone|ill|sick|out)\b)"
    r"|(?:was|were|had|got|came|died|broke|arrived|started|began|took)\b)"
    r"|(?:have|had|did|could) not\b|(?:no|zero|little) (?:time|reading)\b"
    r"|it (?:is|has) been (?:about |almost )?(?:\d|(?:an?|one|two|three|four|five|six|several)\b)"
    r"|(?:after|during|on|following) (?:(?:my|our|a|the)|(?:\w+ )?(?:leave|holidays?|vacation))\b"
    r"|(?:been|while|whilst) "
    rf"|(?:was|were) (?!{_SOME_TIME}))"
    r"|(?:for |after |about |almost |nearly |over )?"
    r"(?:\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|several|a few|a couple of)"
    r" (?:day|week|month|year)s? (?:of|in|on|at|with|without|no|off|away|behind)\b",
    re.IGNORECASE,
)
# "8 months parental leave".
_LONG = re.compile(r"(?:\d{1,3}|\w+) (?:day|week|month|year)s? \w", re.IGNORECASE)
_TELLER = re.compile(r"\b(?:i|we|my|our)\b", re.IGNORECASE)
_PERSON = re.compile(
    r"\b(?:i|we|my|our|me|us|been|back)\b|^(?:have|had|did) not\b|^nothing\b", re.IGNORECASE
)
_ASKS = re.compile(
    r"\b(?:what(?! an? )|which|where|anything|something|recap|summar\w+|catch|caught|fill|should"
    r"|need|want|can|could(?! not\b)|give|show|tell|miss|help|top|best|key)\b"
    r"|(?:^|[.,;!?] )\w+ (?:me|us)\b|\bask(?:s|ed)? (?:me |us )?(?:about|for|how|if|why)\b",
    re.IGNORECASE,
)
# "Wake me up", "bring us to today".
_BROUGHT = re.compile(
    r"\b\w+ (?:me|us) (?:(?:up )?to (?:date|today|now|the present)|up|in|back|through)\b"
    r"(?! (?:the|this|these|those|last|past|my|our|an?|\d+)\b)",
    re.IGNORECASE,
)
# "Start me from September".
_FROM_THERE = re.compile(
    r"\b((?:start|begin|continue|go on)(?: (?:me|us|it))?) (?:from|at|in|with)\b", re.IGNORECASE
)
_TO_COME = re.compile(r"\b(?:will|next (?:week|month)|going to be|shall|tomorrow)\b", re.IGNORECASE)
_SINCE_THEN = re.compile(
    r"\bsince(?: then| that (?:day|date|time)\b|(?=\s*(?:[.,;!?]|$)))"
    r"|\blast (?:time )?(?:(?:i|we) )?"
    r"(?:looked|read|checked|visited|(?:was |were )?here|opened|logged)",
    re.IGNORECASE,
)
# A question about one thing or person, or a wish for one: "what is lora?", "who wrote here", "how
# many were there", "give me the link".
_OF_ONE = re.compile(
    rf"(?:and |so |but |also |{_SOMEBODY_ASKS})*"
    r"(?:(who|whose|how (?:many|much|long|often)"
    r"|did (?:any|some)(?:one|body))|((?:(?:show|send|get) )?(?:me|us) (?:the|an?|its|that))"
    r"|what (?:is|are|does|do)|what(?: \S+){1,3} (?:is|are|means?)$"
    r"|how|why|is|are|does|do|explain|define)\b",
    re.IGNORECASE,
)
# Months whose names are no other words.
_MONTH = re.compile(
    r"\b(?:january|february|april|june|july|august|september|october|november|december)"
    r"(?: (?:19|20)\d\d)?\b",
    re.IGNORECASE,
)
# "Started in August" is since then.
_BEGAN = re.compile(
    r"\b((?:start(?:ed|ing)|began|begun|beginning|left|leaving|stopped|quit|born|arrived"
    r"|since (?:my|our|the)|gave birth"
    r"|had (?:(?:a|an|my|our|the) )?(?:\w+ )?"
    r"(?:baby|twins|son|daughter|child|surgery|operation|accident))"
    r"(?: (?!in\b|on\b|at\b|around\b)\S+){0,3}) (?:in|on|at|around) "
    r"(?=(?:the )?(?:(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|\d|last|q[1-4]))",
    re.IGNORECASE,
)
_THE_PAPER = re.compile(
    r"\b(?:the|that|a) (?:\S+ )?(?:paper|article) (?:on|about|by|from|where|that|which)\b",
    re.IGNORECASE,
)
# What one saw last: "the last edition I saw was of oct 19", "I have read up to week 43".
_KNOWN_TO = re.compile(
    r"\b(?:last|latest) (?:edition|issue|digest|newsletter|post|thing|one|paper) (?:that )?(?:i|we)"
    r" (?:have )?(?:saw|seen|read|opened|remember)(?: here)? (?:was|is)(?: (?:from|of|on))?(?= )"
    r"|\b(?:i|we)(?: have)? (?:read|seen|followed|know)(?: \w+){0,2}? (?:up to|until|till)(?= )",
    re.IGNORECASE,
)
_WEEK_OF = re.compile(r"\b(?:(?:in|during|for|the) )*week (?:of|from) (?:the )?$", re.IGNORECASE)
_THIS_PAPER = ("this paper", "that paper", "this article", "that article")
_IT = re.compile(r"\b(?:it|this|that|these|those|they|them)\b(?! all\b)", re.IGNORECASE)
# "What did the model miss", "agents that catch up".
_NO_PEOPLE = r"(?!(?:\w+ )?(?:lab|team|group|company|office|class|interns?|students?|others)\b)"
_OTHERS = re.compile(
    rf"\bdid (?:the|a|an|this|that|these|those) {_NO_PEOPLE}(?:\w+ ){{1,2}}miss\b"
    rf"|\bwhat (?:the|a|an|these|those) {_NO_PEOPLE}(?:\w+ ){{1,3}}miss(?:es|ed)?\b"
    r"|\b(?!papers |things |ones |results |news )\w+s (?:that|which|who)"
    r" (?:catch|summari[sz]e|recap|miss|travel|return|leave|read|learn)\b",
    re.IGNORECASE,
)
# A question that is not how some time was: "how was September for RAG?".
_HOW = re.compile(
    r"(?:and |so |but |also )*(?:how|why)\b"
    rf"(?! (?:was|were|is|are|has|have|did) {_SOME_TIME})",
    re.IGNORECASE,
)
_YEAR_ALONE = re.compile(r"\b(?:19|20)\d\d\b(?!-\d)")
_REGULAR = re.compile(
    r"\b(?:the |a |my |your |our )?(daily|weekly|monthly|quarterly|yearly|annual)\b", re.IGNORECASE
)
_UNITS = frozenset({"day", "week", "month", "quarter", "year"})
_LENGTHS = {
    "daily": "1 day", "weekly": "7 days", "monthly": "30 days", "quarterly": "3 months",
    "yearly": "1 year", "annual": "1 year",
}  # fmt: skip
# Words that add nothing to a period: "2026 so far", "year in review 2025".
_SO_FAR = re.compile(r"\bso far\b|\byear(?= in review (?:of |for )?(?:19|20)\d\d)", re.IGNORECASE)
_MINUTES = re.compile(r"\b(\d{1,3}) minutes?\b", re.IGNORECASE)


def tells_of_absence(words: str, facts: ReadingFacts) -> bool:
    """Tell whether a line says that its person was away, or what they did in some time."""
    return has_sign("away", words) or asks_beside_story(words, facts)


def asks_beside_story(words: str, facts: ReadingFacts) -> bool:
    """Tell whether a line says what its person did in some time, and asks for what there is.

    There are more reasons to be away than words for them: "had the flu for ten days". So beside
    them nothing is asked but what there is, in words that name no subject and nothing else.
    """
    if not _ASKS.search(words):
        return False
    asked, told = _parts(_without_asides(_with_days(words, facts)), facts)
    return _is_story(asked, told, facts)


def asked_beside_absence(words: str, facts: ReadingFacts) -> str | None:
    """Return the question about one thing that stands beside an absence, `None` if there is none.

    "I was away for a week. What is LoRA?" asks for no recap. Of a question that only the whole
    line tells, about people or *it*, it is empty.
    """
    if not has_sign("away", words):
        return None
    asked, told = _parts(words, facts)
    parts = asked.split(_BETWEEN)
    found = next((each for each in parts if _asks_for_one(each, facts)), None) if told else None
    if found is None:
        return None
    of_one = _OF_ONE.match(found)
    is_plain = of_one and not of_one[1] and not _IT.search(found)
    return _ASKED.sub("", found) if is_plain else ""


def farewell_in(words: str) -> str:
    """Return what somebody says at the end who is leaving: "I am off on holiday, bye"."""
    told, _, said = words.rpartition(", ")
    return said if told and has_sign("away", told) and not _ASKS.search(told) else ""


def is_of_one_paper(words: str) -> bool:
    """Tell whether a line speaks of the one paper that was seen: "the point of this paper"."""
    return any(each in words.lower() for each in _THIS_PAPER)


def is_of_days_past(words: str, facts: ReadingFacts) -> bool:
    """Tell whether a line asks for a recap of a run of days, which are none of a schedule."""
    return has_sign("recap", words) and "until:" in (read_recap(words, facts) or "")


def read_recap(words: str, facts: ReadingFacts) -> str | None:
    """Return the command of a line by somebody who was away, or who asks for a recap.

    What a part of the line tells of the person is no subject; a period that is asked for comes
    before one in which the person was away.
    """
    of_others = _OTHERS.search(words) and not _TELLER.search(words)
    is_other = _TO_COME.search(words) or _THE_PAPER.search(words)
    if len(words.split()) > _MOST_WORDS or is_other or of_others:
        return None
    words = _with_days(words, facts)
    is_recap, is_away = has_sign("recap", words), has_sign("away", words)
    text = _without_asides(words)
    if is_recap and not is_away:
        text = _REGULAR.sub(lambda found: f"the last {_LENGTHS[found[1].lower()]}", text)
    asked, told = _parts(" ".join(_SO_FAR.sub(" ", text).split()), facts)
    is_away = is_away and bool(is_recap or (asked and told) or _PERSON.search(words))
    if _asks_for_one(asked, facts) or not (is_recap or is_away or _is_story(asked, told, facts)):
        return None
    asked = _FROM_THERE.sub(r"\1 since", _BROUGHT.sub("catch me up", asked))
    minutes = _MINUTES.search(asked) or _MINUTES.search(told)
    wanted = _time(asked, told, facts, since_told=_SINCE_THEN.search(words) is not None)
    if wanted.until and not wanted.since and is_away and _ASKS.search(asked):
        wanted = replace(wanted, until=None)  # it began at an unknown day
    has_period = wanted.period or wanted.since or wanted.until
    if not (is_away or has_period) or (wanted.until and not wanted.since):
        return None
    about = wanted.words
    for sign in ("recap", "away"):
        about = sign_patterns()[sign].sub(" , ", about)
    topics = topics_in(about, facts) or topics_lacked(told, facts)
    unknown = [each for each in unknown_words(about, facts) if each not in _open_words()]
    if is_away or _TELLER.search(words):
        unknown = subjects_among(about, unknown)  # the others tell why
    if len(topics) > 1 or (unknown and not (told and is_recap and has_period)):
        return None
    values = {
        "from": wanted.source,
        "author": wanted.author,
        "topic": topics[0] if topics else None,
        **{key: value for key, value in wanted.named if key in ("since", "until")},
    }
    if not has_period and not minutes:
        values["since"] = _LAST_VISIT
    begun = f"search {content_of(' '.join(unknown))}" if unknown else "brief"
    named = (f"{key}:{quoted_value(value)}" for key, value in values.items() if value)
    return " ".join((begun, *([minutes[1]] if minutes and not unknown else ()), *named))


def _with_days(words: str, facts: ReadingFacts) -> str:
    """Return words with the days that they mean: `the week of nov 2` has seven."""
    words = _KNOWN_TO.sub("I read nothing since", with_days(without_return(words), facts.today))
    for found in reversed([each for each in find(words) if each.of_week]):
        before, day = words[: found.start], parse_edge(words[found.start : found.end], facts.today)
        if day and (week := _WEEK_OF.search(before)):
            monday = day.first_day - timedelta(days=day.first_day.weekday())
            run = f"from {monday} to {monday + timedelta(days=6)}"
            words = before[: week.start()] + run + words[found.end :]
    return words


def _without_asides(words: str) -> str:
    return sign_patterns()["aside"].sub(" ", words.replace("(", ", ").replace(")", ", "))


def _parts(text: str, facts: ReadingFacts) -> tuple[str, str]:
    """Return what a line asks for, and what it tells of its person.

    Where one part asks for a recap, others of words that no rule knows tell why.
    """
    parts = list(filter(None, map(str.strip, _PART.split(text))))
    asks_recap = any(has_sign("recap", each) and not _tells(each) for each in parts)
    asked: list[str] = []
    told: list[str] = []
    for part in parts:
        is_filter = _YEAR_ALONE.search(part) and not (
            _PERSON.search(part) or has_sign("away", part)
        )
        is_absence = has_sign("away", part) and not _ASKS.search(part)
        is_why = asks_recap and (is_absence or not (has_sign("recap", part) or is_filter))
        is_why = is_why and any(unknown_words(part, facts))
        (told if is_why or _tells(part) else asked).append(part)
    return _BETWEEN.join(asked), _BETWEEN.join(told)


def _tells(part: str) -> bool:
    is_told = _OF_PERSON.match(part) or (_LONG.match(part) and has_sign("away", part))
    return bool(is_told) and not _ASKS.search(part)


def _is_story(asked: str, told: str, facts: ReadingFacts) -> bool:
    """Tell whether a time is told, and nothing asked but what there is."""
    if not told or not _ASKS.search(asked):
        return False
    wanted = _time_of(asked, told, facts, since_told=False)
    return bool(wanted.period or wanted.since) and _is_open(wanted.words, facts)


def _is_open(text: str, facts: ReadingFacts) -> bool:
    """Tell whether a text asks for whatever there is: "what came in", "anything on agents"."""
    words = words_in(_BROUGHT.sub(" ", text))
    of_topics = places_of_topics(words, facts)
    return all(
        place in of_topics or word in words_of_asks() or word.isdecimal() or word.endswith("ly")
        for place, word in enumerate(words)
    )


def _asks_for_one(asked: str, facts: ReadingFacts) -> bool:
    """Tell whether a part of what is asked is about one thing or person, and for no recap."""
    for part in asked.split(_BETWEEN):
        if not (found := _OF_ONE.match(part)):
            continue
        words = words_in(part)
        of_topics = places_of_topics(words, facts)
        if has_sign("recap", part) and not (of_topics and _HOW.match(part)):
            continue
        of_topics = of_topics if found[2] else frozenset()
        if (
            found[1]
            or _IT.search(part)
            or any(
                place not in of_topics and word not in _open_words()
                for place, word in enumerate(words)
            )
        ):
            return True
    return False


@cache
def _open_words() -> frozenset[str]:
    return words_of_asks() | brief_words()


def _time(asked: str, told: str, facts: ReadingFacts, *, since_told: bool) -> WantedFilters:
    """Return the filters of a line, a day on which an absence began as that since which it was."""
    asked, told = (_BEGAN.sub(r"\1 since ", each) for each in (asked, told))
    wanted = _time_of(asked, told, facts, since_told=since_told)
    period = wanted.period
    is_told = period is not None and (
        period.lower() in told.lower()
        or has_sign("away", asked)
        or f"from {period.lower()}" in asked.lower()
    )
    if period and (since_told or is_told) and (since_told or _begins(period, facts)):
        return replace(wanted, since=period, period=None)
    return wanted


def _time_of(asked: str, told: str, facts: ReadingFacts, *, since_told: bool) -> WantedFilters:
    """Return the filters of what is asked, and the time of it, else that which is told."""
    wanted, of_person = (_filters(_MINUTES.sub(" ", each), facts) for each in (asked, told))
    if (of_person.period or "").lower() in _UNITS:  # "once a month"
        of_person = replace(of_person, period=None)
    elif not (of_person.period or of_person.since or of_person.until):
        of_person = replace(of_person, period=_date_in(told, facts))
    if not (wanted.period or wanted.since or wanted.until or of_person.period or of_person.since):
        month = _MONTH.search(asked)
        period = (_date_in(asked, facts) or month[0]) if month else None
        words = _MONTH.sub(" ", wanted.words.replace(period or "", " " if period else ""))
        wanted = replace(wanted, period=period, words=words)
    if since_told or not (wanted.period or wanted.since or wanted.until):
        source = wanted.source or of_person.source
        if of_person.period or of_person.since or of_person.until:
            return replace(of_person, words=wanted.words, source=source)
    return wanted


def _date_in(told: str, facts: ReadingFacts) -> str | None:
    """Return the date that somebody tells of, wherever it stands: `took October off`."""
    if month := _MONTH.search(told):
        told = told[: month.start()] + "in " + told[month.start() :]
    dates = (told[each.start : each.end] for each in find(told) if each.unit != Unit.YEAR)
    return next((each for each in dates if is_period(each, facts)), None)


def _begins(period: str, facts: ReadingFacts) -> bool:
    """Tell whether a period is the day on which an absence began: `14 September`, `2 years ago`."""
    found = parse_edge(period, facts.today)
    return found is not None and (
        found.first_day == found.last_day or period.lower().endswith(" ago")
    )


def _filters(text: str, facts: ReadingFacts) -> WantedFilters:
    return take_filters(about_absence(text, facts), facts)
