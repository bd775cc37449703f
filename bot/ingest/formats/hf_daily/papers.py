"""One element of the list as a paper; what the site says is believed only as validated here."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import MAXYEAR, MINYEAR, UTC, date, datetime
from typing import Annotated

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from bot.domain.drafts import RawDocument
from bot.domain.paper_ids import bare_arxiv_id
from bot.errors import DocumentError, WrongShape

# JSON can spell what no text holds and no database takes: control characters, half characters.
_BLANKS = re.compile(r"[\s\x00-\x1f\x7f]+")
_HALVES = re.compile(r"[\ud800-\udfff]")
_ADDRESS = re.compile(r"https?://[^\s<>\x00-\x1f\ud800-\udfff]{1,2000}", re.IGNORECASE)
_EXPECTED = {
    "paper": "an object with the facts of a paper",
    "id": "an arXiv id such as 2501.12948",
    "title": "a title",
    "upvotes": "a whole number of votes",
    "submittedOnDailyAt": "an instant such as 2025-01-23T06:35:00Z",
    "summary": "a text",
    "ai_summary": "a text",
    "githubRepo": "a web address",
    "projectPage": "a web address",
}

# A paper is one without these.
_OPTIONAL = frozenset({"summary", "ai_summary", "githubRepo", "projectPage"})
_LONGEST_QUOTE = 60
_BETWEEN = re.compile(r"[\s,]*")

# The signs of an answer in JSON: a list of objects, and in these a paper with the
# instant at which it was listed.
_LIST_OF_OBJECTS = re.compile(r"\s*\[\s*\{")
_HAS_PAPER = re.compile(r'"paper"\s*:\s*\{')
_LISTED_AT = "submittedOnDailyAt"
_REMEDY = (
    "Expected is the answer of https://huggingface.co/api/daily_papers?week=2025-W04,"
    " a list in JSON; if it was cut off, fetch it again."
)


@dataclass(frozen=True, slots=True)
class Element:
    """One element: its place in the list (from 1), the line on which it starts, its value."""

    place: int
    line: int
    value: object


def _arxiv_id(text: str) -> str:
    found = bare_arxiv_id(text)
    if found is None:
        raise ValueError("no arXiv id")
    return found


def _on_one_line(text: str) -> str:
    """Return a text without the line breaks at which the site wraps titles and abstracts."""
    return _BLANKS.sub(" ", _HALVES.sub("\N{REPLACEMENT CHARACTER}", text)).strip()


def _title(text: str) -> str:
    if not (title := _on_one_line(text)):
        raise ValueError("no words")
    return title


def _text(text: str | None) -> str | None:
    return _on_one_line(text or "") or None


def _address(text: str | None) -> str | None:
    stripped = (text or "").strip()
    if stripped and not _ADDRESS.fullmatch(stripped):
        raise ValueError("no address")
    return stripped or None


def _day(value: object) -> date:
    """Return the day (UTC) of an instant in ISO 8601; one without a zone is none."""
    at = datetime.fromisoformat(str(value))
    # A day at either end of the calendar has no whole week.
    if at.tzinfo is None or not MINYEAR < at.year < MAXYEAR:
        raise ValueError("no instant")
    return at.astimezone(UTC).date()


class ListedPaper(BaseModel):
    """The fields that are read of an element's `paper`.

    `listed_on` is the day (UTC) of `submittedOnDailyAt`, on which the site listed it; `takeaway` is
    `ai_summary`, the site's own sentence about the paper.
    """

    model_config = ConfigDict(extra="ignore", frozen=True)

    arxiv_id: Annotated[str, AfterValidator(_arxiv_id)] = Field(alias="id")
    title: Annotated[str, AfterValidator(_title)]
    votes: int = Field(alias="upvotes", ge=0, strict=True)
    listed_on: Annotated[date, BeforeValidator(_day)] = Field(alias="submittedOnDailyAt")
    abstract: Annotated[str | None, AfterValidator(_text)] = Field(None, alias="summary")
    takeaway: Annotated[str | None, AfterValidator(_text)] = Field(None, alias="ai_summary")
    repository: Annotated[str | None, AfterValidator(_address)] = Field(None, alias="githubRepo")
    project_page: Annotated[str | None, AfterValidator(_address)] = Field(None, alias="projectPage")


class _Element(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)

    paper: ListedPaper


@dataclass(frozen=True, slots=True)
class Reading:
    """A paper, `None` where its element is none, and the problems with it in words."""

    paper: ListedPaper | None
    problems: tuple[str, ...] = ()


def read_paper(element: object) -> Reading:
    """Read an element; an optional field that is broken is left out."""
    try:
        return Reading(_Element.model_validate(element).paper)
    except ValidationError as error:
        return _without_broken(element, error.errors())


def unread_fields(element: object) -> set[str]:
    """Return the names of the fields of an element, and of its paper, that are not read."""
    if not isinstance(element, dict) or not isinstance(element.get("paper"), dict):
        return set()
    inner = {f"paper.{name}" for name in element["paper"] if name not in _EXPECTED}
    return inner | element.keys() - {"paper"}


def _without_broken(element: object, errors: Sequence[ErrorDetails]) -> Reading:
    problems = tuple(map(_problem, errors))
    broken = {error["loc"][-1] for error in errors if error["loc"]}
    if not isinstance(element, dict) or not broken <= _OPTIONAL:
        return Reading(None, problems)
    facts = {name: value for name, value in element["paper"].items() if name not in broken}
    return Reading(ListedPaper.model_validate(facts), problems)


def _problem(error: ErrorDetails) -> str:
    where = error["loc"]
    if not where:
        return f"it is {_shown(error['input'])}, expected an object that holds a paper"
    name = ".".join(map(str, where))
    if error["type"] == "missing":
        return f"{name} is missing"
    return f"{name} is {_shown(error['input'])}, expected {_EXPECTED[str(where[-1])]}"


def _shown(value: object) -> str:
    """Return a value as JSON; of an object or a list return the name alone."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    text = json.dumps(value)
    return text if len(text) <= _LONGEST_QUOTE else f"{text[: _LONGEST_QUOTE - 1]}…"


def looks_like_list(text: str) -> bool:
    """Tell an answer of the site by a paper in its list that has an instant of listing.

    An answer that was cut off counts as one, so that it is refused with a reason.
    """
    is_marked = f'"{_LISTED_AT}"' in text and _HAS_PAPER.search(text) is not None
    if not (is_marked and text.lstrip().startswith("[")):
        return False
    try:
        return any(map(_is_listed, json.loads(text)))
    except (ValueError, RecursionError):
        return _LIST_OF_OBJECTS.match(text) is not None


def read_elements(document: RawDocument) -> list[Element]:
    """Read the list's elements in their order.

    Raises:
        DocumentError: if it is no JSON, or no list.
    """
    try:
        values = json.loads(document.text)
        if isinstance(values, list):
            return list(_with_lines(document.text, len(values)))
    except json.JSONDecodeError as error:
        sentence = (
            f"{document.path} is no whole JSON: it can't be read from line {error.lineno},"
            f" column {error.colno} on."
        )
        is_other = not document.text[: error.pos].strip()
        raise (WrongShape if is_other else DocumentError)(sentence, _REMEDY) from error
    except (ValueError, RecursionError) as error:
        raise DocumentError(f"{document.path} is no JSON that can be read.", _REMEDY) from error
    raise WrongShape(f"{document.path} is no list of papers.", _REMEDY)


def _is_listed(value: object) -> bool:
    paper = value.get("paper") if isinstance(value, dict) else None
    return isinstance(paper, dict) and _LISTED_AT in paper


def _with_lines(text: str, count: int) -> Iterator[Element]:
    """Yield the elements of a complete list with their lines, which JSON parsers lose."""
    decoder = json.JSONDecoder()
    line, seen, end = 1, 0, text.index("[") + 1
    for place in range(1, count + 1):
        start = _after_blanks(text, end)
        line, seen = line + text.count("\n", seen, start), start
        value, end = decoder.raw_decode(text, start)
        yield Element(place, line, value)


def _after_blanks(text: str, position: int) -> int:
    between = _BETWEEN.match(text, position)
    return between.end() if between else position
