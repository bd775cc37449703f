"""The topical weekly review, as a web page or as a plain-text copy of it.

The shape and the rules in their order: `docs/formats/review.md`. A review has no ranks: its entries
are episodes, with marks in the text (` E162`).
"""

import re
from collections.abc import Iterable

from bot.domain.dates import find_days
from bot.domain.drafts import (
    DocumentKind,
    EditionDraft,
    Format,
    Note,
    ParsedDocument,
    ParseOptions,
    RawDocument,
    YearRule,
)
from bot.domain.week_years import ResolvedWeek, YearEvidence, resolve_week
from bot.errors import DocumentError
from bot.ingest.formats.review.body import Body, make_entries
from bot.ingest.formats.review.checks import ReadReview, check, refuse
from bot.ingest.formats.review.elements import (
    Element,
    counted_numbers,
    is_facts_line,
    line_elements,
    numbers_in,
    read_facts,
    split_elements,
    without_marks,
)
from bot.ingest.formats.review.head import (
    ReviewHead,
    names_review,
    read_head,
    read_page_head,
    title_in,
)
from bot.ingest.formats.review.lists import FoldedBody, refuse_lost_heading
from bot.ingest.formats.review.page import is_page, read_page
from bot.ingest.formats.slugs import source_slug

# The predefined source is recognised by its site, which the player names.
_PAPERDIVE, _PAPERDIVE_SITE = "paperdive", "paperdive.ai"
_UNNAMED = "Weekly review"

_REVIEW_PAGE = re.compile(
    r"week\s+in\s+review|weekly\s+review\s*(?:\u00b7|\u2022|&)", re.IGNORECASE
)
# Web pages and feeds begin with a tag, JSON with a bracket; archives hold tables.
_OTHER_FORMAT = re.compile(r"\A\s*(?:[<{]|\[\s*[{\"\]])|^[ \t]*\|.*\|[ \t]*$", re.MULTILINE)


def recognise(text: str) -> bool:
    """Tell a review: the title or the line of facts that reviews have, and episode marks."""
    if is_page(text):
        return bool(_REVIEW_PAGE.search(text))
    if _OTHER_FORMAT.search(text):
        return False
    elements = line_elements(text.split("\n"))
    return any(map(_is_headline, elements)) and any(numbers_in(e.text) for e in elements)


def parse(document: RawDocument, options: ParseOptions) -> ParsedDocument:
    """Make one edition of a review: its lists first, whose numbers count, then its texts.

    Raises:
        DocumentError: if the review has no week or no episode, was cut short, or is two reviews.
    """
    if is_page(document.text):
        head = read_page_head(read_page(document.text))
    else:
        head = read_head(split_elements(document.lines))
    week, year_rule = _week(head, options)
    refuse_lost_heading(head.body)
    folded = FoldedBody(head.body)
    counted = counted_numbers(
        overview=frozenset(n for element in head.overview for n in numbers_in(element.text)),
        paragraphs=[frozenset(numbers_in(element.text)) for element in folded.elements],
        listed=folded.listed_numbers,
        claimed=head.facts.claimed,
    )
    body = Body(folded.parts, counted)
    findings = ReadReview(head, folded, counted, body.episodes)
    refuse(findings)
    entries, odd = make_entries(list(body.episodes.values()), folded.lists, counted)
    overview = (without_marks(element.text, counted) for element in head.overview)
    edition = EditionDraft(
        line=head.title.element.line,
        kind=DocumentKind.REVIEW,
        title=head.title.text,
        first_day=week.first_day,
        last_day=week.last_day,
        year_rule=year_rule,
        published_on=head.facts.published_on,
        overview="\n\n".join(text for text in overview if text) or None,
        minutes=head.minutes,
        url=head.url,
        headings=tuple(body.headings),
        entries=entries,
    )
    warnings = [*head.warnings, *folded.warnings, *body.warnings, *odd, *check(findings, week)]
    return ParsedDocument(
        kind=DocumentKind.REVIEW,
        slug=_slug(head, document.text),
        source_title=head.title.without_days or _UNNAMED,
        editions=(edition,),
        warnings=_in_order(warnings),
        passed_over=_in_order([*head.passed_over, *folded.passed_over]),
    )


FORMAT = Format(kind=DocumentKind.REVIEW, recognise=recognise, parse=parse)


def _is_headline(element: Element) -> bool:
    """Tell a title with its week, or a line of facts with at least two of its three."""
    if not is_facts_line(element.text):
        return title_in(element) is not None
    facts, _ = read_facts(element)
    stated = [facts.claimed, facts.published_on, facts.minutes]
    return sum(fact is not None for fact in stated) > 1


def _week(head: ReviewHead, options: ParseOptions) -> tuple[ResolvedWeek, YearRule | None]:
    """Resolve the days; with a year in the title there is no rule for it.

    Raises:
        DocumentError: if there is no year in which both days are real and in order.
    """
    phrase, published = head.title.phrase, head.facts.published_on
    stated = phrase.first_year or phrase.last_year
    if not stated and not published:  # the overview may have the days with their year
        found = (find_days(element.text) for element in head.overview)
        days = phrase.first, phrase.last
        phrase = next((p for p in found if p and (p.first, p.last) == days), phrase)
    evidence = YearEvidence(options.today, option=options.year, published=published)
    week = resolve_week(phrase, evidence)
    if week is None:
        raise DocumentError(
            f"The days in “{head.title.text}” are no days of the calendar.",
            "Correct the range of days in the title, or the year given with --year.",
        )
    has_year = bool(stated) and week.year_rule is YearRule.HEADING
    return week, None if has_year else week.year_rule


def _slug(head: ReviewHead, text: str) -> str:
    """Return the slug by the title, or of the predefined source if its site is named too."""
    if names_review(head.title.text) and _PAPERDIVE_SITE in text.lower():
        return _PAPERDIVE
    return source_slug(head.title.without_days or _UNNAMED)


def _in_order(notes: Iterable[Note]) -> tuple[Note, ...]:
    """Sort notes by line, each once."""
    return tuple(sorted(dict.fromkeys(notes), key=lambda note: note.line))
