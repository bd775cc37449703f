"""Lists in Markdown: numbered and bulleted items, `(1)` lines, tables, numbered headings.

A heading that names a week dates the rows below it, any other is their theme.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from bot.domain.drafts import Note
from bot.domain.week_years import YearEvidence
from bot.ingest.formats.own_list.blocks import ROW, References, cells_of, read_blocks
from bot.ingest.formats.own_list.html_items import with_items
from bot.ingest.formats.own_list.inline import (
    BREAK,
    TextRun,
    lines_of,
    pieces_of,
    text_of,
)
from bot.ingest.formats.own_list.items import (
    clean_title,
    is_titled_link,
    leading_rank,
    read_item,
    tells_paper,
    title_in_front,
)
from bot.ingest.formats.own_list.rows import (
    GrownRow,
    ListItem,
    ListRow,
    ListRows,
    WeekHeading,
    renumbered,
)
from bot.ingest.formats.own_list.sections import TITLE_LEVEL, stands_beside
from bot.ingest.formats.own_list.tables.columns import (
    Columns,
    check_columns,
    linked_columns,
    no_titles,
)
from bot.ingest.formats.own_list.titles import with_field_titles, with_titles
from bot.ingest.formats.own_list.weeks import find_named_week, without_week
from bot.ingest.limits import LONGEST_LINE

if TYPE_CHECKING:
    from markdown_it.token import Token

_FRONT_MATTER = re.compile(
    r"\s*---[ \t]*\n(?P<fields>(?:(?!---|\.\.\.)[^\n]*\n)*+)(?:---|\.\.\.)[ \t]*(?:\n|\Z)"
)
_FIELD = re.compile(r"[ \t]*(?P<name>[\w -]{1,40}?)[ \t]*:[ \t]*(?P<value>.{1,300})")
_WEEK_FIELDS = ("week", "week of", "days", "date", "first day", "start", "from", "period")
_BULLET = re.compile(
    r"\s*(?:[\u2022\u25cf\u25aa\u25e6\u2023\u2043]|[\u25cb\u25a0\u25b6\u25ba\u27a4\u2192\u2713\u2714](?=\ufe0f?\s))\ufe0f?\s*"
)
_ITEM_IN_CODE = re.compile(r"\s{0,9}(?:[-*+]|\(?\d{1,3}[.)])\s")
_LONGEST_WEEK_LINE = 100
_LONGEST_QUOTE = 60
_NAMES_WEEK = re.compile(r"\bweek\b|\bw/c\b|\d{4}-?W\d", re.IGNORECASE)
# When a document was written is no week of its rows.
_STAMP = re.compile(
    r"\b(?:updated?|modified|generated|revised)\b|\u66f4\u65b0|\uc5c5\ub370\uc774\ud2b8"
    r"|\u043e\u0431\u043d\u043e\u0432\u043b|actualizad|aktualisiert|mis \u00e0 jour",
    re.IGNORECASE,
)
_EXTRA_WORDS = 6
# A paper may name so many others below it.
_MOST_RELATED = 3


def read_markdown(text: str, evidence: YearEvidence) -> ListRows:
    """Read the rows of a document in Markdown."""
    rows = ListRows()
    said, numbers = with_items(text)
    body, lines = _read_front_matter(said, rows, evidence)
    tokens, references = read_blocks(with_field_titles(_within_lines(body, lines, rows)))
    _Reader(rows, evidence, lines, references).read(tokens)
    return rows if numbers is None else renumbered(rows, numbers)


def _within_lines(text: str, before: int, rows: ListRows) -> str:
    """Return a text whose lines are no longer than a line may be; name those that were cut."""
    lines = text.split("\n")
    for place, line in enumerate(lines):
        if len(line) > LONGEST_LINE:
            lines[place] = line[:LONGEST_LINE]
            cut = f"has more than {LONGEST_LINE:,} letters, and is cut"
            rows.warnings.append(Note(before + place + 1, cut))
    return "\n".join(lines)


def _read_front_matter(text: str, rows: ListRows, evidence: YearEvidence) -> tuple[str, int]:
    """Read the fields above the text; return the rest and the number of lines before it."""
    found = _FRONT_MATTER.match(text)
    if found is None:
        return text, 0
    fields: dict[str, str] = {}
    for line in found["fields"].split("\n"):
        if pair := _FIELD.match(line):
            name = pair["name"].lower().replace("_", " ").replace("-", " ").strip()
            fields.setdefault(name, pair["value"].strip().strip("\"'"))
    weeks = (find_named_week(fields[name], evidence) for name in _WEEK_FIELDS if name in fields)
    rows.week = next(filter(None, weeks), None)
    rows.title = fields.get("title")
    return text[found.end() :], text.count("\n", 0, found.end())


class _Reader:
    """The state of reading: the headings above, the row that text belongs to."""

    def __init__(
        self, rows: ListRows, evidence: YearEvidence, lines_before: int, references: References
    ) -> None:
        self._rows = rows
        self._evidence = evidence
        self._before = lines_before
        self._references = references
        self._last: GrownRow | None = None
        self._week: WeekHeading | None = None
        self._heading: str | None = None
        self._stack: list[ListItem] = []
        # The paragraphs behind the last item, its own if the next number follows on.
        self._behind: list[tuple[int, Sequence[TextRun]]] = []
        self._takes_text = False
        # The places of headings that are papers, and the level of the one that we are below.
        self._papers: frozenset[int] = frozenset()
        self._paper_level = 0

    def read(self, tokens: Sequence["Token"]) -> None:
        """Read all blocks of a document."""
        tokens, self._papers = with_titles(
            tokens, self._cell, lambda text: find_named_week(text, self._evidence) is not None
        )
        place = 0
        while place < len(tokens):
            token = tokens[place]
            line = self._before + (token.map[0] + 1 if token.map else 0)
            match token.type:
                case "heading_open":
                    is_paper = place in self._papers
                    place += 1
                    pieces = self._pieces(tokens[place])
                    self._read_heading(line, int(token.tag[1:]), pieces, is_paper=is_paper)
                case "table_open":
                    end = _end_of_rows(tokens, place + 1)
                    self._read_table(tokens[place + 1 : end])
                    place = end
                case "list_item_open":
                    number = int(token.info) if token.info.isdigit() else None
                    self._stack.append(ListItem(line, number))
                case "list_item_close":
                    self._close_item(self._stack.pop())
                case "inline" if self._stack:
                    self._stack[-1].paragraphs.append(self._pieces(token))
                case "inline":
                    self._read_paragraph(line, self._pieces(token))
                case "fence" if not self._stack:
                    self._read_code(line, token.content)
                case _:
                    pass
            place += 1
        self._end_behind()
        self._finish()

    def _pieces(self, token: "Token") -> Sequence[TextRun]:
        return pieces_of(token.content, self._references)

    def _read_heading(
        self, line: int, level: int, pieces: Sequence[TextRun], *, is_paper: bool
    ) -> None:
        self._end_behind()
        # A badge beside a heading is no part of it.
        words = [piece for piece in pieces if not (piece.is_tag and piece.url)]
        text = clean_title(text_of(words or pieces))
        week = None if _STAMP.search(text) else find_named_week(text, self._evidence)
        if self._takes_text and 0 < self._paper_level < level and not (is_paper or week):
            return
        self._takes_text, self._paper_level = False, 0
        if is_paper:
            if week:
                self._week = WeekHeading(line, "", week)
            self._takes_text = self._add(line, pieces, None) is not None
            self._paper_level = level
            return
        if _STAMP.search(text) and find_named_week(text, self._evidence):
            return
        first = self._rows.title is None and not self._rows.found
        if week:
            self._week, self._heading = WeekHeading(line, text, week), None
            name = without_week(text, week)
            if first and level == 1 and name:
                self._rows.title = name
        elif first and level == 1:
            self._rows.title = text or None
        else:
            self._heading = text or None

    def _read_paragraph(self, line: int, pieces: Sequence[TextRun]) -> None:
        lines = list(lines_of(pieces))
        may_name_week = not self._takes_text or (
            self._paper_level == TITLE_LEVEL
            and (_is_bold(pieces) or _NAMES_WEEK.search(text_of(pieces)))
        )
        if len(lines) == 1 and may_name_week and self._names_week(line, lines[0]):
            self._takes_text, self._paper_level = False, 0
            return
        note: list[TextRun] = []
        last = -1
        for offset, each in enumerate(lines):
            is_row = not self._is_below_paper and (
                leading_rank(each) is not None or _is_bulleted(each)
            )
            if is_row:
                self._end_behind(leading_rank(each))
                added = self._add(line + offset, _unbulleted(each), None)
                last = offset if added else -1
            elif last >= 0:
                self._extend(each)
            elif offset < len(lines) - 1 and self._names_week(line + offset, each):
                note = []
            else:
                note += [*([TextRun(BREAK)] if note else []), *each]
        if note and self._takes_text:
            self._extend(note)
        elif note:
            self._behind.append((line, note))

    def _names_week(self, line: int, pieces: Sequence[TextRun]) -> bool:
        """Tell whether a line by itself names the week, and note that week."""
        text = text_of(pieces)
        if (
            len(text) > _LONGEST_WEEK_LINE
            or leading_rank(pieces) is not None
            or _STAMP.search(text)
        ):
            return False
        pair = _FIELD.fullmatch(text)
        is_field = pair is not None and pair["name"].lower() in _WEEK_FIELDS
        week = find_named_week(text, self._evidence)
        if week is None:
            return False
        name = without_week(text, week)
        is_range = (week.last_day - week.first_day).days != 6 or _is_bold(pieces)  # noqa: PLR2004 - a week
        if not (is_field or is_range or not name or _NAMES_WEEK.search(text)):
            return False
        if not is_field and len(name.split()) > _EXTRA_WORDS:
            return False
        self._week, self._heading = WeekHeading(line, clean_title(text), week), None
        if self._rows.title is None and not self._rows.found and name and not is_field:
            self._rows.title = name
        return True

    def _close_item(self, item: ListItem) -> None:
        if self._stack:
            self._stack[-1].below.append(item)
        else:
            self._end_item(item)

    @property
    def _is_below_paper(self) -> bool:
        """True below a heading that is a paper, where all is its note."""
        return self._takes_text and self._paper_level > 0

    def _end_item(self, item: ListItem) -> None:
        first = item.paragraphs[0] if item.paragraphs else ()
        is_paper = self._paper_level == TITLE_LEVEL and title_in_front(first)
        if self._is_below_paper and self._last and not is_paper:
            self._last.add_below(item)
            return
        self._takes_text, self._paper_level = False, 0
        self._end_behind(item.number)
        names_week = item.below and item.number is None and self._names_week(item.line, first)
        if names_week or _is_category(first, item):
            self._heading = None if names_week else clean_title(text_of(first)) or None
            for each in item.below:
                self._end_item(each)
            return
        if _is_local(first):
            self._pass_over(item.line, "leads to another part of the site")
            return
        if stands_beside(self._heading, first):
            self._pass_over(item.line, "stands beside the list")
            return
        row = self._add(item.line, first, item.number)
        if row is None:
            return
        for pieces in item.paragraphs[1:]:
            self._extend(pieces)
        if self._last:
            for below in item.below:
                self._last.add_below(below)

    def _add(self, line: int, pieces: Sequence[TextRun], number: int | None) -> ListRow | None:
        item = read_item(pieces)
        if item is None:
            text = text_of(pieces) or " ".join(piece.url for piece in pieces if piece.url)
            self._rows.unread.append(
                Note(line, f"has no title of a paper, left out: {_quoted(text)}")
            )
            return None
        row = ListRow(
            line=line,
            title=item.title,
            note=item.note,
            links=item.links,
            rank=number if number is not None else item.rank,
            heading=self._heading,
            week=self._week,
        )
        self._put(row)
        return row

    def _put(self, row: ListRow) -> None:
        self._finish()
        self._last = GrownRow(row)
        self._rows.found.append(row)

    def _finish(self) -> None:
        """Put what was added to the last row into it."""
        if self._last:
            if len(self._last.papers_below) > _MOST_RELATED:
                text = "leads to a paper, and is read as a note of the one above"
                self._rows.unread += [Note(line, text) for line in self._last.papers_below]
            self._rows.found[-1] = self._last.whole()
            self._last = None

    def _extend(self, pieces: Sequence[TextRun]) -> None:
        """Add a paragraph to the note of the last row."""
        if self._last:
            self._last.add(pieces)

    def _end_behind(self, number: int | None = None) -> None:
        """Give the text behind an item to it, if the next number follows on; else pass it over."""
        behind, self._behind = self._behind, []
        follows = self._last is not None and self._last.row.rank == (number or 0) - 1
        for line, pieces in behind:
            if follows:
                self._extend(pieces)
                continue
            text = "leads to a paper, and is no part of the list"
            found = [
                Note(line + i, text) for i, each in enumerate(lines_of(pieces)) if tells_paper(each)
            ]
            self._rows.unread += found
            if not found:
                self._pass_over(line, "is no part of the list")

    def _read_table(self, tokens: Sequence["Token"]) -> None:
        self._end_behind()
        self._takes_text = False
        table = [(self._before + (row.map[0] + 1 if row.map else 0), row) for row in tokens]
        head = cells_of(tokens[0])
        check_columns(len(head), table[0][0])
        first = [[self._cell(cell) for cell in cells_of(row)] for row in tokens[:20]]
        texts = [[text_of(cell) for cell in row] for row in first]
        columns = Columns.of_table(texts, linked_columns(first[1:]))
        if columns is None:
            line = table[0][0]
            text = "a table without a column of titles"
            for at, row in table[1:]:
                kept = self._rows.unread if "://" in row.content else self._rows.passed_over
                kept.append(Note(at, text))
            self._rows.warnings.append(Note(line, f"a table: {no_titles(texts[0])}"))
            return
        has_links = any(piece.url for row in first[1:] for cell in row for piece in cell)
        for line, row in table[1:]:
            cells = columns.cells(cells_of(row)[: len(head)], self._cell)
            if has_links and (theme := columns.theme_alone(cells)):
                self._heading = theme
                continue
            for each in columns.papers(cells):
                read = columns.read(line, each, self._evidence, self._week, self._heading)
                if isinstance(read, Note):
                    self._rows.unread.append(read)
                elif read:
                    self._put(read)

    def _cell(self, text: str) -> Sequence[TextRun]:
        return pieces_of(text, self._references)

    def _read_code(self, line: int, code: str) -> None:
        """Pass code over; a list that stands in it is named."""
        found = [
            Note(line + 1 + i, "an item within code, left out")
            for i, each in enumerate(code.split("\n"))
            if _ITEM_IN_CODE.match(each) and tells_paper(pieces_of(each[:LONGEST_LINE]))
        ]
        self._rows.unread += found
        if not found:
            self._pass_over(line, "code")

    def _pass_over(self, line: int, text: str) -> None:
        self._rows.passed_over.append(Note(line, text))


def _end_of_rows(tokens: Sequence["Token"], place: int) -> int:
    while tokens[place].type == ROW:
        place += 1
    return place


def _is_bold(pieces: Sequence[TextRun]) -> bool:
    return all(piece.is_bold for piece in pieces if piece.text.strip())


def _is_bulleted(pieces: Sequence[TextRun]) -> bool:
    return bool(pieces) and not pieces[0].url and _BULLET.match(pieces[0].text) is not None


def _unbulleted(pieces: Sequence[TextRun]) -> Sequence[TextRun]:
    if not _is_bulleted(pieces):
        return pieces
    return [replace(pieces[0], text=_BULLET.sub("", pieces[0].text, count=1)), *pieces[1:]]


def _is_category(first: Sequence[TextRun], item: ListItem) -> bool:
    """Tell an item without a link whose items below are titles with links."""
    if any(piece.url for piece in first) or len(item.below) < 2:  # noqa: PLR2004 - several papers
        return False
    firsts = (below.paragraphs[0] if below.paragraphs else () for below in item.below)
    return all(any(map(is_titled_link, pieces)) for pieces in firsts)


def _is_local(pieces: Sequence[TextRun]) -> bool:
    """Tell an item whose only link leads to another part of the site, as in a table of contents."""
    words = [piece for piece in pieces if piece.text.strip() or piece.url]
    return bool(words) and all(piece.is_local for piece in words)


def _quoted(text: str) -> str:
    short = text if len(text) <= _LONGEST_QUOTE else f"{text[: _LONGEST_QUOTE - 1]}\u2026"
    return f'"{short}"'
