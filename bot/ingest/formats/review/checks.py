"""The checks that a review is complete: its claims against the episodes that were found."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from bot.domain.drafts import Note
from bot.domain.week_phrases import ResolvedWeek
from bot.errors import DocumentError, WrongShape
from bot.ingest.formats.review.body import Episode
from bot.ingest.formats.review.elements import Element, Facts, changed_page
from bot.ingest.formats.review.head import Title
from bot.ingest.formats.review.lists import EpisodeList, ListedEpisode
from bot.ingest.formats.review.marks import numbers_in

# One episode in ten may be missing before the copy is refused.
_TOLERATED = 10
_LATEST_PUBLICATION = timedelta(days=31)
# A week this long is more likely a slip of the pen than a week.
_LONGEST_WEEK = timedelta(days=14)


@dataclass(frozen=True, slots=True)
class Findings:
    """The numbers that count, those that got an entry, and the body's parts."""

    counted: frozenset[int]
    entered: frozenset[int]
    parts: Sequence[Element | EpisodeList]

    @property
    def is_closed(self) -> bool:
        """True if the text ends with a list of episodes, as a whole review does."""
        return isinstance(self.parts[-1], EpisodeList) if self.parts else False

    @property
    def open_texts(self) -> list[Element]:
        """The texts with marks behind the last list; none where there is no list at all."""
        behind: list[Element] = []
        for part in reversed(self.parts):
            if isinstance(part, EpisodeList):
                return behind
            if self.counted.intersection(numbers_in(part.text)):
                behind.append(part)
        return []


def refuse_incomplete(facts: Facts, findings: Findings) -> None:
    """Refuse a review without episodes, or one that was cut short.

    Raises:
        DocumentError: if none was found; if fewer than expected were found and the text does
            not end with a list; or if more than one in ten of the claimed ones is missing.
    """
    found = len(findings.entered)
    if not found:
        raise WrongShape(
            "The review names no episode: no paragraph has a mark such as E162.",
            "Copy the whole page again, with its paragraphs.",
        )
    expected = len(findings.counted) if facts.claimed is None else facts.claimed
    too_many = facts.claimed is not None and (expected - found) * _TOLERATED > expected
    if found < expected and (too_many or not findings.is_closed):
        raise DocumentError(
            f"The review looks cut short: it names {expected} episodes and has texts of {found}.",
            "Copy the whole page again, down to its last list of episodes.",
        )


def check_counts(facts: Facts, findings: Findings, overview: Iterable[Element]) -> list[Note]:
    """Report a wrong count, episodes that the overview alone has, and a missing last list."""
    notes = []
    if facts.line and facts.claimed not in (None, len(findings.entered)):
        note = f"claims {facts.claimed} episodes; {len(findings.entered)} were found"
        notes.append(Note(facts.line, note))
    missing = findings.counted - findings.entered
    notes += [
        Note(line, f"E{number} is named in the overview and has no text")
        for number, line in _first_lines(overview, missing)
    ]
    notes += [
        Note(text.line, "no list of episodes ends the text; it may be cut short")
        for text in findings.open_texts[:1]
    ]
    return notes


def check_left_marks(facts: Facts, findings: Findings, elements: Iterable[Element]) -> list[Note]:
    """Report possible marks that were left in the text, unless the count is met without them."""
    if facts.claimed == len(findings.entered):
        return []
    seen = frozenset(number for element in elements for number in numbers_in(element.text))
    left = _first_lines(elements, seen - findings.counted)
    return [Note(line, f"E{number} was not taken for an episode") for number, line in left]


def check_days(title: Title, facts: Facts, week: ResolvedWeek) -> list[Note]:
    """Report a week that is too long, and a publication before it or long after it."""
    is_long = week.last_day - week.first_day >= _LONGEST_WEEK
    odd = [Note(title.element.line, "the week is longer than two weeks")] if is_long else []
    return odd + _odd_publication(facts, week)


def _odd_publication(facts: Facts, week: ResolvedWeek) -> list[Note]:
    if facts.line is None or facts.published_on is None:
        return []
    if week.first_day <= facts.published_on <= week.last_day + _LATEST_PUBLICATION:
        return []
    note = f"was published on {facts.published_on}, for the week that ends on {week.last_day}"
    return [Note(facts.line, note)]


def _first_lines(elements: Iterable[Element], numbers: frozenset[int]) -> list[tuple[int, int]]:
    """Return each number with the first line that has its mark."""
    lines: dict[int, int] = {}
    for element in elements:
        for number in numbers_in(element.text):
            if number in numbers:
                lines.setdefault(number, element.line)
    return list(lines.items())


def refuse_changed(
    facts: Facts, episodes: Mapping[int, Episode], lists: Iterable[EpisodeList]
) -> None:
    """Refuse a page whose episodes are not those that it counts or lists.

    Raises:
        DocumentError: if they are not, or if there is none.
    """
    texts = {number for number, episode in episodes.items() if episode.paragraphs}
    if not texts:
        raise changed_page("no paragraph names an episode, such as E162")
    listed = {episode.number for found in lists for episode in found.episodes}
    if missing := sorted(listed - texts):
        names = ", ".join(f"E{number}" for number in missing)
        raise changed_page(f"the lists name {names}, and no paragraph does")
    if facts.claimed is not None and facts.claimed != len(episodes):
        raise changed_page(f"it counts {facts.claimed} episodes, and {len(episodes)} were found")


def check_lists(episodes: Iterable[Episode], lists: Sequence[EpisodeList]) -> list[Note]:
    """Report what a page's lists lack about an episode; empty lists are named once."""
    listed: dict[int, ListedEpisode] = {}
    for item in (item for found in lists for item in found.episodes):
        if item.number not in listed or not listed[item.number].title:
            listed[item.number] = item
    if not listed:
        line = lists[0].line if lists else next((e.line for e in episodes), 1)
        return [Note(line, "the lists of episodes hold none: no titles of papers, no links")]
    notes = []
    for episode in episodes:
        found = listed.get(episode.number)
        if found is None:
            notes.append(Note(episode.line, f"E{episode.number} is in no list of episodes"))
        elif found.title is None:
            notes.append(Note(found.line, f"E{episode.number} is listed without a title"))
        elif not found.links:
            notes.append(Note(found.line, f"E{episode.number} is listed without a link"))
    return notes
