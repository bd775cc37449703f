"""The columns of a table, told by their names: a sheet's, Notion's, Zotero's. All pure."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from bot.domain.drafts import Note
from bot.domain.paper_ids import arxiv_id_in_url, bare_arxiv_id
from bot.domain.week_years import YearEvidence
from bot.errors import DocumentError
from bot.ingest.formats.own_list.inline import (
    BREAK,
    TextRun,
    is_paper_address,
    text_of,
    web_address_of,
)
from bot.ingest.formats.own_list.items import (
    LINK,
    PAPER,
    arxiv_ids_in,
    arxiv_link,
    clean_note,
    clean_title,
    each_once,
    is_titled_link,
    read_item,
    read_links,
)
from bot.ingest.formats.own_list.rows import ListRow, NamedWeek, WeekHeading
from bot.ingest.formats.own_list.tables.names import (
    ABSTRACTS,
    DAYS,
    FIRST_DAYS,
    LAST_DAYS,
    LINKS,
    NAMES_LINK,
    NAMES_NOTE,
    NAMES_PAPER,
    NAMES_TITLE,
    NOTES,
    PAPER_NAMES,
    PLACEHOLDERS,
    RANKS,
    THEMES,
    TITLES,
    WEAK_TITLES,
    WEEKS,
)
from bot.ingest.formats.own_list.weeks import find_named_week, read_cell_day
from bot.ingest.limits import MOST_COLUMNS
from bot.replies.wording import shorten
from store.records import Highlight, Link

_LONGEST_NAME = 40
_MOST_NAMED = 8
_BETWEEN = re.compile(r"[\s_\-/]+")
_IN_BRACKETS = re.compile(r"[(\[\uff08][^()\[\]\uff08\uff09]{0,40}[)\]\uff09]")
_FORMULA = re.compile("'(?=['=+@\t\n\uff1d\uff0b\uff0d\uff20-])")
_SLASHED = re.compile(r"\s*(\d{1,2})([/.])(\d{1,2})\2(\d{4})(?!\d)")
_MONTHS = 12
_MOST_ADDRESSES = 10


@dataclass(frozen=True, slots=True)
class Columns:
    """The places of a table's columns, each `None` or empty where there is none of it.

    `day_first` tells how `05/01/2026` is read, `None` where the column leaves it open.
    """

    title: int
    links: tuple[int, ...] = ()
    notes: tuple[int, ...] = ()
    abstract: int | None = None
    rank: int | None = None
    day: int | None = None
    week: int | None = None
    first_day: int | None = None
    last_day: int | None = None
    theme: int | None = None
    day_first: bool | None = None
    names: tuple[str, ...] = field(default=(), compare=False)

    @classmethod
    def of_table(
        cls, table: Sequence[Sequence[str]], linked: Sequence[int] = ()
    ) -> "Columns | None":
        """Return the columns of a table by its head and some rows; `None` if none holds titles.

        Where none is named as a title it is the one that is `linked`: it alone holds titles that
        lead to papers.
        """
        if not table:
            return None
        head = [_folded(name) for name in table[0]]
        if _place(head, TITLES) is None:
            likely = linked if len(linked) == 1 else _likely_titles(head)
            if likely and likely[0] < len(head):
                head[likely[0]] = TITLES[0]
        found = cls._of_names(head, tuple(name.strip() for name in table[0]))
        if found is None:
            return None
        days = [
            row[found.day] for row in table[1:] if found.day is not None and found.day < len(row)
        ]
        return replace(found, day_first=_is_day_first(days))

    @classmethod
    def _of_names(cls, head: Sequence[str], names: tuple[str, ...]) -> "Columns | None":
        title = _place(head, TITLES)
        if title is None:
            return None
        taken = {title}

        def one(known: Sequence[str]) -> int | None:
            place = _place([name if i not in taken else "" for i, name in enumerate(head)], known)
            taken.update({place} if place is not None else ())
            return place

        rank, week = one(RANKS), one(WEEKS)
        first_day, last_day, day, theme = (
            one(FIRST_DAYS),
            one(LAST_DAYS),
            one(DAYS),
            one(THEMES),
        )
        abstract = one(ABSTRACTS)
        links = _places(head, LINKS, taken)
        notes = _places(head, NOTES, taken)
        links += _likely(head, NAMES_LINK, taken)
        notes += _likely(head, NAMES_NOTE, taken)
        return cls(
            title, links, notes, abstract, rank, day, week, first_day, last_day, theme, names=names
        )

    def cells(
        self, texts: Sequence[str], read: Callable[[str], Sequence[TextRun]]
    ) -> list[Sequence[TextRun]]:
        """Read the cells of a row; those of which nothing is kept stay text."""
        used = {
            self.title, self.abstract, self.rank, self.day, self.week, self.first_day,
            self.last_day, self.theme, *self.links, *self.notes,
        }  # fmt: skip
        return [read(text) if i in used else [TextRun(text)] for i, text in enumerate(texts)]

    def papers(self, cells: Sequence[Sequence[TextRun]]) -> Iterator[Sequence[Sequence[TextRun]]]:
        """Yield the cells of each paper of a row: one, or those that its cell of titles links."""
        title = _at(cells, self.title)
        starts = [
            i
            for i, piece in enumerate(title)
            if is_titled_link(piece) and is_paper_address(piece.url) and not piece.is_tag
            if not i or title[i - 1].url != piece.url
        ]
        if len(starts) < 2 or starts[0]:  # noqa: PLR2004 - several
            yield cells
            return
        for start, end in zip(starts, [*starts[1:], len(title)], strict=True):
            # What other columns lead to can be any one's: it stays the first one's.
            yield [
                title[start:end] if i == self.title else () if start and i in self.links else cell
                for i, cell in enumerate(cells)
            ]

    def theme_alone(self, cells: Sequence[Sequence[TextRun]]) -> str | None:
        """Return the bold words that stand alone in a row, a theme of those below."""
        title = _at(cells, self.title)
        has_more = any(
            piece.has_words or piece.url
            for i, cell in enumerate(cells)
            for piece in cell
            if i != self.title
        )
        words = [piece for piece in title if piece.text.strip() or piece.url]
        is_bold = bool(words) and all(piece.is_bold and not piece.url for piece in words)
        return (clean_title(text_of(title)) or None) if is_bold and not has_more else None

    def read(
        self,
        line: int,
        cells: Sequence[Sequence[TextRun]],
        evidence: YearEvidence,
        week: WeekHeading | None = None,
        heading: str | None = None,
    ) -> ListRow | Note | None:
        """Read a row below headings; a note where it has no title, `None` where it is blank."""
        if not any(piece.text.strip() or piece.url for cell in cells for piece in cell):
            return None
        title_cell = _at(cells, self.title)
        title, in_title = _title_of(title_cell)
        if not in_title and any(map(_is_placeholder, [title_cell] if title else cells)):
            return None
        if not title:
            return Note(line, "a row without a title of a paper, left out")
        links = [
            *in_title,
            *(link for place in self.links for link in self._links_at(cells, place)),
        ]
        if not links:
            links = [arxiv_link(each) for cell in cells for each in arxiv_ids_in(text_of(cell))]
        noted = [(place, _at(cells, place)) for place in self.notes]
        links += [link for _, cell in noted for link in read_links(cell)]
        notes = [(place, note) for place, cell in noted if (note := clean_note(_on_one_line(cell)))]
        abstract = self.abstract is not None and clean_note(_on_one_line(_at(cells, self.abstract)))
        if abstract:
            notes.append((self.abstract or 0, abstract))
        day = self._day(cells)
        return ListRow(
            line=line,
            title=title,
            note=notes[0][1] if notes else None,
            highlights=tuple(Highlight(self.names[place], note) for place, note in notes[1:]),
            links=each_once(links, _paper_named),
            rank=_number(_text(cells, self.rank)),
            heading=clean_title(_text(cells, self.theme)) or heading,
            week=self._week(line, cells, evidence) or week,
            day=day,
        )

    def _links_at(self, cells: Sequence[Sequence[TextRun]], place: int) -> list[Link]:
        cell = _at(cells, place)
        name = self.names[place] if place < len(self.names) else LINK
        is_paper = _folded(name) in PAPER_NAMES or NAMES_PAPER.search(_folded(name))
        label = PAPER if is_paper else name.strip() or LINK
        words = text_of(cell).split()[:_MOST_ADDRESSES]
        addresses = (_address_in_cell(word.strip(",;")) for word in words)
        found = read_links(cell) or [Link(label, url) for url in addresses if url]
        return [Link(label, link.url) if link.label in {LINK, PAPER} else link for link in found]

    def _day(self, cells: Sequence[Sequence[TextRun]]) -> date | None:
        text = _text(cells, self.day)
        return (
            (read_cell_day(text) or _slashed_day(text, day_first=self.day_first)) if text else None
        )

    def _week(
        self, line: int, cells: Sequence[Sequence[TextRun]], evidence: YearEvidence
    ) -> WeekHeading | None:
        if self.first_day is not None and self.last_day is not None:
            first, last = (
                read_cell_day(_text(cells, at)) for at in (self.first_day, self.last_day)
            )
            if first and last and first <= last:
                return WeekHeading(line, "", NamedWeek(first, last))
        text = _text(cells, self.week)
        if not text:
            return None
        week = find_named_week(text, evidence) or find_named_week(f"week {text}", evidence)
        return WeekHeading(line, "", week) if week else None


def check_columns(number: int, line: int) -> None:
    """Check how many columns a table has, before its rows are read.

    Raises:
        DocumentError: if they are more than any list's.
    """
    if number > MOST_COLUMNS:
        raise DocumentError(
            f"The table in line {line} has {number:,} columns, more than {MOST_COLUMNS}.",
            "Leave out those that say nothing of papers.",
        )


def is_header(cells: Iterable[str]) -> bool:
    """Tell the head of a table by a column that is named as a title."""
    names = [_folded(cell) for cell in cells]
    if any(len(name) > _LONGEST_NAME for name in names):
        return False
    place = _place(names, TITLES)
    if place is not None and names[place] in WEAK_TITLES:
        return not {*LINKS, *NOTES, *DAYS}.isdisjoint(names)
    return place is not None


def has_links(cells: Iterable[str]) -> bool:
    """Tell the head of a table that has a column of links, whatever the others are."""
    names = [_folded(cell) for cell in cells]
    known = not PAPER_NAMES.isdisjoint(names) and len(names) > 1
    return known and all(0 < len(name) <= _LONGEST_NAME for name in names)


def linked_columns(rows: Sequence[Sequence[Sequence[TextRun]]]) -> list[int]:
    """Return the columns in which most rows have a title that leads to a paper."""
    number = max(map(len, rows), default=0)
    found = [
        sum(
            any(is_titled_link(piece) and is_paper_address(piece.url) for piece in _at(row, place))
            for row in rows
        )
        for place in range(number)
    ]
    return [place for place, count in enumerate(found) if count and 2 * count >= len(rows)]


def no_titles(names: Sequence[str]) -> str:
    """Return the sentence that names the columns of a table of which none is a title."""
    seen = ", ".join(shorten(name.strip(), _LONGEST_NAME) for name in names[:_MOST_NAMED])
    more = ", \u2026" if len(names) > _MOST_NAMED else ""
    return f"none of its columns is named as a title; it has {seen}{more}: name one Title"


def without_formula_mark(text: str) -> str:
    """Return a cell without the apostrophe by which spreadsheets mark text."""
    return _FORMULA.sub("", text, count=1) if text.startswith("'") else text


def _likely_titles(head: Sequence[str]) -> list[int]:
    """Return the columns in whose longer name a title is named, and nothing else is."""
    known = {*LINKS, *NOTES, *DAYS, *ABSTRACTS}
    return [i for i, name in enumerate(head) if name not in known and NAMES_TITLE.search(name)]


def _folded(name: str) -> str:
    if (bare := _IN_BRACKETS.sub(" ", name)).strip():
        name = bare
    folded = " ".join(_BETWEEN.sub(" ", name.strip().strip("*_`").casefold()).split())
    words = "".join(char for char in folded if char.isalnum() or char in " #;:&\u2116")
    return words.strip(" :")


def _place(head: Sequence[str], known: Sequence[str]) -> int | None:
    """Return the place of the first known name that a head has."""
    return next((head.index(name) for name in known if name in head), None)


def _places(head: Sequence[str], known: Sequence[str], taken: set[int]) -> tuple[int, ...]:
    """Return the free places that have one of the names, the best name first, and take them."""
    found = [i for name in known for i, each in enumerate(head) if each == name and i not in taken]
    taken.update(found)
    return tuple(dict.fromkeys(found))


def _is_placeholder(cell: Sequence[TextRun]) -> bool:
    return text_of(cell).casefold().strip(" .!?*-") in PLACEHOLDERS


def _likely(head: Sequence[str], sign: re.Pattern[str], taken: set[int]) -> tuple[int, ...]:
    """Return the free places whose longer name has a sign, and take them."""
    found = [i for i, name in enumerate(head) if i not in taken and sign.search(name)]
    taken.update(found)
    return tuple(found)


def _at(cells: Sequence[Sequence[TextRun]], place: int | None) -> Sequence[TextRun]:
    return cells[place] if place is not None and place < len(cells) else ()


def _text(cells: Sequence[Sequence[TextRun]], place: int | None) -> str:
    return text_of(cells[place]) if place is not None and place < len(cells) else ""


def _title_of(cell: Sequence[TextRun]) -> tuple[str, tuple[Link, ...]]:
    """Return the title in a cell, whole where it holds no link with a title, and its links."""
    links = read_links(cell)
    if any(map(is_titled_link, cell)):
        item = read_item(cell)
        return (item.title, item.links) if item else ("", links)
    title = text_of([piece for piece in cell if not piece.url])
    return (title if any(char.isalpha() for char in title) else ""), links


def _on_one_line(cell: Sequence[TextRun]) -> Sequence[TextRun]:
    return [TextRun(" ") if piece.text == BREAK else piece for piece in cell]


def _address_in_cell(word: str) -> str | None:
    if found := web_address_of(word):
        return found
    arxiv_id = bare_arxiv_id(word)
    return arxiv_link(arxiv_id).url if arxiv_id else None


def _number(text: str) -> int | None:
    bare = text.strip(" .()#")
    return int(bare) or None if bare.isascii() and bare.isdigit() and len(bare) <= 4 else None  # noqa: PLR2004 - no rank has more digits


def _is_day_first(days: Sequence[str]) -> bool | None:
    """Tell from a column's days whether `13/01/2026` or `01/13/2026` is meant."""
    pairs = [(int(m[1]), int(m[3])) for day in days if (m := _SLASHED.match(day)) and m[2] == "/"]
    if any(first > _MONTHS for first, _ in pairs):
        return True
    return False if any(second > _MONTHS for _, second in pairs) else None


def _slashed_day(text: str, *, day_first: bool | None) -> date | None:
    found = _SLASHED.match(text)
    if found is None or (found[2] == "/" and day_first is None):
        return None
    first, second = int(found[1]), int(found[3])
    day, month = (first, second) if found[2] == "." or day_first else (second, first)
    return read_cell_day(f"{found[4]}-{month}-{day}")


def _paper_named(link: Link) -> tuple[str, str]:
    """Return what tells a link from others: a paper's on arXiv by its id, others by address."""
    known = arxiv_id_in_url(link.url) if link.label == PAPER else None
    return (PAPER, known) if known else ("", link.url)
