"""The sentences about filters of a line that no command used. Pure."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from bot.commands.plain_words.cleaning import clean
from bot.commands.plain_words.filters import ReadingFacts, WantedFilters, take_filters
from bot.domain.dates import find_misread
from bot.replies.plain_text import quoted
from store.text import fold

_OF_TIME = ("since", "until", "period", "week")  # parameters
_MOST_WORDS = 40  # a longer line is a description


@dataclass(frozen=True, slots=True)
class RunCommand:
    """The command that a line was read as, the names of what it takes, and its arguments."""

    name: str
    takes: frozenset[str]
    texts: Mapping[str, str]

    @property
    def lists(self) -> bool:
        """True if it takes a filter, so that the others are missed."""
        return not self.takes.isdisjoint({*_OF_TIME, "source", "topic", "topics"})

    def holds(self, words: str) -> bool:
        """Tell whether words stand in its arguments."""
        given = f" {fold(' '.join(self.texts.values()))} "
        return f" {fold(words)} " in given


def unused_parts(line: str, ran: RunCommand, facts: ReadingFacts) -> tuple[str, ...]:
    """Return what is said of the filters of a line that the command it was read as lacks."""
    if not ran.lists or len(line.split()) > _MOST_WORDS:
        return ()
    words = clean(line, facts.today)
    return (*_unreadable(words), *_left_out(take_filters(words, facts), ran))


def _unreadable(words: str) -> Iterator[str]:
    """Yield what is said of days that the calendar does not have, or that may be two."""
    for place, real in find_misread(words):
        named = quoted(words[place])
        yield f"{named} may be two days." if real else f"There is no such day as {named}."


def _left_out(wanted: WantedFilters, ran: RunCommand) -> Iterator[str]:
    for each in wanted.no_lengths:
        yield f"{quoted(each.strip().capitalize())} is no length of time, so it was left out."
    for each in wanted.excluded:
        yield f"No source or period can be left out, so {quoted(each)} was not looked at."
    for name, value in (("source", wanted.source), ("author", wanted.author)):
        if value and name not in ran.texts and not ran.holds(value):
            yield f"{ran.name} takes no {name}, so {quoted(value)} was left out."
    period = wanted.period or wanted.since or wanted.until
    is_used = wanted.is_open or any(name in ran.texts for name in _OF_TIME)
    if period and not is_used and not ran.holds(period):
        yield f"{ran.name} takes no such period, so {quoted(period)} was left out."
