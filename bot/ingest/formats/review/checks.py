"""The checks that a review is complete: its claims against the episodes that were found."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta

from bot.domain.drafts import Note
from bot.domain.week_years import ResolvedWeek
from bot.errors import DocumentError, WrongShape
from bot.ingest.formats.review.body import Episode
from bot.ingest.formats.review.elements import Element, changed_page, counted_in, numbers_in
from bot.ingest.formats.review.head import ReviewHead
from bot.ingest.formats.review.lists import EpisodeList, FoldedBody, ListedEpisode

# One episode in ten may be missing before the copy is refused.
_TOLERATED = 10
_LATEST_PUBLICATION = timedelta(days=31)
# A week this long is more likely a slip of the pen than a week.
_LONGEST_WEEK = timedelta(days=14)


@dataclass(frozen=True, slots=True)
class ReadReview:
    """The head and the body of a review, the numbers that count, and their episodes."""

    head: ReviewHead
    folded: FoldedBody
    counted: frozenset[int]
    episodes: Mapping[int, Episode]


def refuse(findings: ReadReview) -> None:
    """Refuse a review without episodes, a changed page, or a text that was cut short.

    Raises:
        DocumentError: if none was found; if a page's episodes are not those that it counts or
            lists; if fewer than expected were found and the text does not end with a list; or
            if more than one in ten of the claimed ones is missing.
    """
    if findings.head.title.element.is_tagged:
        _refuse_changed(findings)
    found, claimed = len(findings.episodes), findings.head.facts.claimed
    if not found:
        raise WrongShape(
            "The review names no episode: no paragraph has a mark such as E162.",
            "Copy the whole page again, with its paragraphs.",
        )
    expected = len(findings.counted) if claimed is None else claimed
    too_many = claimed is not None and (expected - found) * _TOLERATED > expected
    parts = findings.folded.parts
    is_closed = bool(parts) and isinstance(parts[-1], EpisodeList)
    if found < expected and (too_many or not is_closed):
        raise DocumentError(
            f"The review looks cut short: it names {expected} episodes and has texts of {found}.",
            "Copy the whole page again, down to its last list of episodes.",
        )


def check(findings: ReadReview, week: ResolvedWeek) -> list[Note]:
    """Report what a review that is kept lacks, and what in it is odd."""
    is_page = findings.head.title.element.is_tagged
    notes = _check_lists(findings) if is_page else []
    return notes + _check_counts(findings) + _check_days(findings.head, week)


def _refuse_changed(findings: ReadReview) -> None:
    found, claimed = len(findings.episodes), findings.head.facts.claimed
    texts = {number for number, episode in findings.episodes.items() if episode.paragraphs}
    if not texts:
        raise changed_page("no paragraph names an episode, such as E162")
    if missing := sorted(findings.folded.listed_numbers - texts):
        names = ", ".join(f"E{number}" for number in missing)
        raise changed_page(f"the lists name {names}, and no paragraph does")
    if claimed not in (None, found):
        raise changed_page(f"it counts {claimed} episodes, and {found} were found")


def _check_lists(findings: ReadReview) -> list[Note]:
    """Report what a page's lists lack about an episode; empty lists are named once."""
    listed: dict[int, ListedEpisode] = {}
    lists, episodes = findings.folded.lists, findings.episodes.values()
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


def _check_counts(findings: ReadReview) -> list[Note]:
    """Report a wrong count, numbers without a text, texts behind the last list, and marks left.

    Marks are left in the text where they may be names; a count that is met shows that they are.
    """
    facts, overview, counted = findings.head.facts, findings.head.overview, findings.counted
    found = len(findings.episodes)
    notes = []
    if facts.line and facts.claimed not in (None, found):
        notes.append(Note(facts.line, f"claims {facts.claimed} episodes; {found} were found"))
    missing = counted.difference(findings.episodes)
    notes += [
        Note(line, f"E{number} is named in the overview and has no text")
        for number, line in _first_lines(overview).items()
        if number in missing
    ]
    if text := _open_text(findings):
        notes.append(Note(text.line, "no list of episodes ends the text; it may be cut short"))
    if facts.claimed != found:
        notes += [
            Note(line, f"E{number} was not taken for an episode")
            for number, line in _first_lines([*overview, *findings.folded.elements]).items()
            if number not in counted
        ]
    return notes


def _open_text(findings: ReadReview) -> Element | None:
    """Return the last text with marks behind the last list; none where there is no list."""
    behind = None
    for part in reversed(findings.folded.parts):
        if isinstance(part, EpisodeList):
            return behind
        if behind is None and counted_in(part.text, findings.counted):
            behind = part
    return None


def _first_lines(elements: Iterable[Element]) -> dict[int, int]:
    """Return the first line of each number's marks."""
    lines: dict[int, int] = {}
    for element in elements:
        for number in numbers_in(element.text):
            lines.setdefault(number, element.line)
    return lines


def _check_days(head: ReviewHead, week: ResolvedWeek) -> list[Note]:
    """Report a week that is too long, and a publication before it or long after it."""
    notes = []
    if week.last_day - week.first_day >= _LONGEST_WEEK:
        notes.append(Note(head.title.element.line, "the week is longer than two weeks"))
    line, published = head.facts.line, head.facts.published_on
    if line is None or published is None:
        return notes
    if not week.first_day <= published <= week.last_day + _LATEST_PUBLICATION:
        note = f"was published on {published}, for the week that ends on {week.last_day}"
        notes.append(Note(line, note))
    return notes
