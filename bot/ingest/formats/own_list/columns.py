"""The columns of a table, told by their names: a sheet's, Notion's, Zotero's. All pure.

Zotero's names: https://github.com/zotero/translators (CSV.js). Notion writes the title first, and
the other properties under the names that people gave them.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from bot.domain.drafts import Note
from bot.domain.paper_ids import bare_arxiv_id
from bot.errors import DocumentError
from bot.ingest.formats.own_list.inline import (
    BREAK,
    Piece,
    is_paper_address,
    text_of,
    web_address_of,
)
from bot.ingest.formats.own_list.items import (
    LINK,
    PAPER,
    arxiv_link,
    clean_note,
    clean_title,
    is_titled_link,
    read_item,
    read_links,
)
from bot.ingest.formats.own_list.rows import NamedWeek, Row, WeekHeading
from bot.ingest.formats.own_list.weeks import Evidence, find_named_week, read_cell_day
from bot.ingest.limits import MOST_COLUMNS
from bot.replies.wording import shorten
from store.records import Highlight, Link

_TITLES = (
    "title", "paper title", "title of paper", "paper", "papers", "name", "paper name", "article",
    "article title", "publication title", "publication", "work", "titel", "titre", "t\u00edtulo",
    "titolo", "\u6807\u9898", "\u984c\u540d", "\u30bf\u30a4\u30c8\u30eb", "reading", "item",
    "document", "titulo", "title & authors", "title and authors", "title authors", "title venue",
    "paper & authors", "paper blog", "paper or blog", "blog paper", "paper & code", "title & link",
    "title link", "paper title link", "papers & links", "topic", "subject", "\u8bba\u6587",
    "\u8bba\u6587\u6807\u9898", "\u8bba\u6587\u540d\u79f0", "\u8bba\u6587\u540d",
    "\u9898\u76ee", "\u540d\u79f0", "\u6587\u7ae0", "\u8ad6\u6587", "\u8ad6\u6587\u540d",
    "\u8ad6\u6587\u30bf\u30a4\u30c8\u30eb", "\u6a19\u984c", "\u984c\u76ee", "\ub17c\ubb38",
    "\ub17c\ubb38 \uc81c\ubaa9", "\ub17c\ubb38\uba85", "\uc81c\ubaa9",
    "\u043d\u0430\u0437\u0432\u0430\u043d\u0438\u0435", "\u0441\u0442\u0430\u0442\u044c\u044f",
    "\u0437\u0430\u0433\u043e\u043b\u043e\u0432\u043e\u043a", "\u043d\u0430\u0437\u0432\u0430",
    "art\u00edculo", "articolo", "artigo", "ba\u015fl\u0131k", "makale", "ti\u00eau \u0111\u1ec1",
    "tytu\u0142", "judul",
    "aufsatz", "artikel", "papier", "ver\u00f6ffentlichung", "art\u00edculos", "trabajo",
    "\u6807\u9898\u540d", "\u6587\u7ae0\u6807\u9898", "\u8ad6\u6587\u6a19\u984c",
    "\u8ad6\u6587\u984c\u76ee", "\u6587\u732e", "\u6587\u737b", "\u6587\u732e\u540d",
    "\u8ad6\u6587\u540d\u79f0", "\u8bb0\u4e8b", "\u8a18\u4e8b", "\ub17c\ubb38 \uc774\ub984",
    "\ub17c\ubb38\uc81c\ubaa9",
    "\u043d\u0430\u0437\u0432\u0430\u043d\u0438\u0435 \u0441\u0442\u0430\u0442\u044c\u0438",
    "\u0440\u0430\u0431\u043e\u0442\u0430",
    "\u043f\u0443\u0431\u043b\u0438\u043a\u0430\u0446\u0438\u044f", "t\u00edtulo do artigo",
    "titre de l article", "t\u00edtulo del art\u00edculo",
)  # fmt: skip
_WEAK_TITLES = frozenset({"topic", "subject"})
_MOST_NAMED = 8
_LINKS = (
    "url", "link", "links", "paper link", "paper url", "address", "arxiv", "arxiv id",
    "arxiv link", "arxiv url", "pdf", "pdf link", "doi", "code", "code link", "github", "repo",
    "project", "project page", "website", "web", "source", "href", "userdefined:url", "blog",
    "where", "links to", "resources", "enlace", "lien", "\u94fe\u63a5", "\u8bba\u6587\u94fe\u63a5",
    "\u5730\u5740", "\u4ee3\u7801", "\u30ea\u30f3\u30af", "\ub9c1\ud06c", "\ucf54\ub4dc",
    "\u0441\u0441\u044b\u043b\u043a\u0430", "\u043a\u043e\u0434",
    "verweis", "quelle", "adresse", "enlaces", "c\u00f3digo", "liens", "\u9023\u7d50",
    "\u7f51\u5740", "\u7db2\u5740", "\u539f\u6587", "\u539f\u6587\u94fe\u63a5",
    "\u8bba\u6587\u5730\u5740", "\u9879\u76ee\u5730\u5740", "\u9879\u76ee",
    "\u958b\u6e90\u5730\u5740", "\u8ad6\u6587\u30ea\u30f3\u30af", "\u30b3\u30fc\u30c9",
    "\ub17c\ubb38 \ub9c1\ud06c", "\uc8fc\uc18c", "\uae43\ud5c8\ube0c",
    "\u0441\u0441\u044b\u043b\u043a\u0438", "\u0430\u0434\u0440\u0435\u0441",
    "\u0438\u0441\u0442\u043e\u0447\u043d\u0438\u043a",
    "\u0441\u0442\u0430\u0442\u044c\u044f \u0441\u0441\u044b\u043b\u043a\u0430",
)  # fmt: skip
_PAPER_NAMES = frozenset({
    "url", "link", "links", "paper link", "paper url", "address", "arxiv", "arxiv id",
    "arxiv link", "arxiv url", "pdf", "pdf link", "doi", "href", "userdefined:url", "source",
    "where", "paper", "enlace", "lien", "\u94fe\u63a5", "\u8bba\u6587\u94fe\u63a5", "\u5730\u5740",
    "\u30ea\u30f3\u30af", "\ub9c1\ud06c", "\u0441\u0441\u044b\u043b\u043a\u0430",
    "verweis", "quelle", "adresse", "enlaces", "liens", "\u9023\u7d50", "\u7f51\u5740",
    "\u7db2\u5740", "\u539f\u6587", "\u539f\u6587\u94fe\u63a5", "\u8bba\u6587\u5730\u5740",
    "\u8ad6\u6587\u30ea\u30f3\u30af", "\ub17c\ubb38 \ub9c1\ud06c", "\uc8fc\uc18c",
    "\u0441\u0441\u044b\u043b\u043a\u0438", "\u0430\u0434\u0440\u0435\u0441",
})  # fmt: skip
_NOTES = (
    "note", "notes", "our note", "our notes", "comment", "comments", "why", "why it matters",
    "why read", "takeaway", "takeaways", "key takeaway", "key idea", "key ideas", "remarks",
    "remark", "thoughts", "tl;dr", "tldr", "tl dr", "one liner", "in one line", "summary",
    "description", "details", "blurb", "about", "highlights", "idea", "extra",
    "\u5907\u6ce8", "\u6458\u8981", "\u7b80\u4ecb", "\u8bf4\u660e", "\u30e1\u30e2",
    "\u6982\u8981", "\uc694\uc57d", "\ube44\uace0", "\uba54\ubaa8",
    "\u0437\u0430\u043c\u0435\u0442\u043a\u0438",
    "\u043a\u043e\u043c\u043c\u0435\u043d\u0442\u0430\u0440\u0438\u0439",
    "notas", "nota", "resumen", "notizen", "anmerkung", "anmerkungen", "remarque", "remarques",
    "notiz", "kommentar", "kommentare", "bemerkung", "bemerkungen", "beschreibung",
    "zusammenfassung", "warum", "comentario", "comentarios", "descripci\u00f3n", "resumo",
    "observa\u00e7\u00f5es", "coment\u00e1rios", "commentaire", "commentaires", "r\u00e9sum\u00e9",
    "riassunto", "commenti", "descrizione", "\u0437\u0430\u043c\u0435\u0442\u043a\u0430",
    "\u043a\u043e\u043c\u043c\u0435\u043d\u0442\u0430\u0440\u0438\u0438",
    "\u043e\u043f\u0438\u0441\u0430\u043d\u0438\u0435",
    "\u0430\u043d\u043d\u043e\u0442\u0430\u0446\u0438\u044f",
    "\u043f\u0440\u0438\u043c\u0435\u0447\u0430\u043d\u0438\u0435",
    "\u043f\u0440\u0438\u043c\u0435\u0447\u0430\u043d\u0438\u044f", "\u7b14\u8bb0", "\u7b46\u8a18",
    "\u8bc4\u8bba", "\u8a55\u8ad6", "\u70b9\u8bc4", "\u63cf\u8ff0", "\u603b\u7ed3",
    "\u603b\u7ed3\u6982\u62ec", "\u63a8\u8350\u7406\u7531", "\u4eae\u70b9", "\u5099\u8a3b",
    "\u8aaa\u660e", "\u5907\u8003", "\u5099\u8003", "\u30b3\u30e1\u30f3\u30c8", "\u8981\u7d04",
    "\u8aac\u660e", "\u611f\u60f3", "\uc124\uba85", "\ub178\ud2b8", "\ucf54\uba58\ud2b8",
    "\ud55c\uc904\ud3c9", "\ub0b4\uc6a9", "\uc815\ub9ac",
)  # fmt: skip
_ABSTRACTS = ("abstract note", "abstract", "ai summary")
_RANKS = (
    "rank", "#", "no", "nr", "number", "position", "place", "pos", "order", "\u2116", "rang", "num",
    "\u5e8f\u53f7", "\u7f16\u53f7", "\u6392\u540d", "\u756a\u53f7", "\u9806\u4f4d",
    "\ubc88\ud638", "\uc21c\uc704",
)  # fmt: skip
_DAYS = (
    "date added", "added", "added on", "created", "created time", "created at", "created on",
    "timestamp", "date read", "read on", "shared on", "shared", "saved at", "when", "week of",
    "day", "date", "datum", "meeting", "meeting date", "presented", "discussed",
    "publish date", "published", "published on", "posted", "announced", "submitted",
    "fecha", "data", "\u65e5\u671f", "\u65f6\u95f4", "\u65e5\u4ed8", "\ub0a0\uc9dc", "\uc77c\uc790",
    "\u0434\u0430\u0442\u0430",
    "hinzugef\u00fcgt", "hinzugef\u00fcgt am", "date d ajout", "ajout\u00e9 le",
    "fecha a\u00f1adida", "\u53d1\u5e03\u65f6\u95f4", "\u53d1\u5e03\u65e5\u671f",
    "\u53d1\u8868\u65f6\u95f4", "\u6dfb\u52a0\u65f6\u95f4", "\u6dfb\u52a0\u65e5\u671f",
    "\u8ffd\u52a0\u65e5", "\u767a\u8868\u65e5", "\ub4f1\ub85d\uc77c", "\ubc1c\ud45c\uc77c",
    "\u0434\u0430\u0442\u0430 \u0434\u043e\u0431\u0430\u0432\u043b\u0435\u043d\u0438\u044f",
    "\u0434\u043e\u0431\u0430\u0432\u043b\u0435\u043d\u043e",
)  # fmt: skip
_WEEKS = (
    "week", "iso week", "kw", "woche", "semaine", "semana", "settimana", "\u5468", "\u9031",
    "\uc8fc\ucc28", "\u043d\u0435\u0434\u0435\u043b\u044f",
)  # fmt: skip
_FIRST_DAYS, _LAST_DAYS = ("first day",), ("last day",)
_THEMES = ("heading", "theme")
_LONGEST_NAME = 40
_BETWEEN = re.compile(r"[\s_\-/]+")
_IN_BRACKETS = re.compile(r"[(\[\uff08][^()\[\]\uff08\uff09]{0,40}[)\]\uff09]")
_NAMES_TITLE = re.compile(
    r"\b(?:title|titel|titre|t[i\u00ed]tulo|titolo)\b|\u6807\u9898|\u6a19\u984c|\u9898\u76ee"
    r"|\u984c\u76ee|\u30bf\u30a4\u30c8\u30eb|\uc81c\ubaa9|\u043d\u0430\u0437\u0432\u0430\u043d\u0438\u0435"
)
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
        if _place(head, _TITLES) is None:
            likely = linked if len(linked) == 1 else _likely_titles(head)
            if likely and likely[0] < len(head):
                head[likely[0]] = _TITLES[0]
        found = cls._of_names(head, tuple(name.strip() for name in table[0]))
        if found is None:
            return None
        days = [
            row[found.day] for row in table[1:] if found.day is not None and found.day < len(row)
        ]
        return replace(found, day_first=_is_day_first(days))

    @classmethod
    def _of_names(cls, head: Sequence[str], names: tuple[str, ...]) -> "Columns | None":
        title = _place(head, _TITLES)
        if title is None:
            return None
        taken = {title}

        def one(known: Sequence[str]) -> int | None:
            place = _place([name if i not in taken else "" for i, name in enumerate(head)], known)
            taken.update({place} if place is not None else ())
            return place

        rank, week = one(_RANKS), one(_WEEKS)
        first_day, last_day, day, theme = (
            one(_FIRST_DAYS),
            one(_LAST_DAYS),
            one(_DAYS),
            one(_THEMES),
        )
        abstract = one(_ABSTRACTS)
        links = _places(head, _LINKS, taken)
        notes = _places(head, _NOTES, taken)
        return cls(
            title, links, notes, abstract, rank, day, week, first_day, last_day, theme, names=names
        )

    def cells(
        self, texts: Sequence[str], read: Callable[[str], Sequence[Piece]]
    ) -> list[Sequence[Piece]]:
        """Read the cells of a row; those of which nothing is kept stay text."""
        used = {
            self.title, self.abstract, self.rank, self.day, self.week, self.first_day,
            self.last_day, self.theme, *self.links, *self.notes,
        }  # fmt: skip
        return [read(text) if i in used else [Piece(text)] for i, text in enumerate(texts)]

    def read(
        self,
        line: int,
        cells: Sequence[Sequence[Piece]],
        evidence: Evidence,
        week: WeekHeading | None = None,
        heading: str | None = None,
    ) -> Row | Note | None:
        """Read a row below headings; a note where it has no title, `None` where it is blank."""
        if not any(piece.text.strip() or piece.url for cell in cells for piece in cell):
            return None
        title_cell = _at(cells, self.title)
        title, in_title = _title_of(title_cell)
        if not title:
            return Note(line, "a row without a title of a paper, left out")
        links = [
            *in_title,
            *(link for place in self.links for link in self._links_at(cells, place)),
        ]
        noted = [(place, _at(cells, place)) for place in self.notes]
        links += [link for _, cell in noted for link in read_links(cell)]
        notes = [(place, note) for place, cell in noted if (note := clean_note(_on_one_line(cell)))]
        abstract = self.abstract is not None and clean_note(_on_one_line(_at(cells, self.abstract)))
        if abstract:
            notes.append((self.abstract or 0, abstract))
        day = self._day(cells)
        return Row(
            line=line,
            title=title,
            note=notes[0][1] if notes else None,
            highlights=tuple(Highlight(self.names[place], note) for place, note in notes[1:]),
            links=_unique(links),
            rank=_number(_text(cells, self.rank)),
            heading=clean_title(_text(cells, self.theme)) or heading,
            week=self._week(line, cells, evidence) or week,
            day=day,
        )

    def _links_at(self, cells: Sequence[Sequence[Piece]], place: int) -> list[Link]:
        cell = _at(cells, place)
        name = self.names[place] if place < len(self.names) else LINK
        label = PAPER if _folded(name) in _PAPER_NAMES else name.strip() or LINK
        words = text_of(cell).split()[:_MOST_ADDRESSES]
        addresses = (_address_in_cell(word.strip(",;")) for word in words)
        found = read_links(cell) or [Link(label, url) for url in addresses if url]
        return [Link(label, link.url) if link.label in {LINK, PAPER} else link for link in found]

    def _day(self, cells: Sequence[Sequence[Piece]]) -> date | None:
        text = _text(cells, self.day)
        return (
            (read_cell_day(text) or _slashed_day(text, day_first=self.day_first)) if text else None
        )

    def _week(
        self, line: int, cells: Sequence[Sequence[Piece]], evidence: Evidence
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
    place = _place(names, _TITLES)
    if place is not None and names[place] in _WEAK_TITLES:
        return not {*_LINKS, *_NOTES, *_DAYS}.isdisjoint(names)
    return place is not None


def has_links(cells: Iterable[str]) -> bool:
    """Tell the head of a table that has a column of links, whatever the others are."""
    names = [_folded(cell) for cell in cells]
    known = not _PAPER_NAMES.isdisjoint(names) and len(names) > 1
    return known and all(0 < len(name) <= _LONGEST_NAME for name in names)


def linked_columns(rows: Sequence[Sequence[Sequence[Piece]]]) -> list[int]:
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
    known = {*_LINKS, *_NOTES, *_DAYS, *_ABSTRACTS}
    return [i for i, name in enumerate(head) if name not in known and _NAMES_TITLE.search(name)]


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


def _at(cells: Sequence[Sequence[Piece]], place: int | None) -> Sequence[Piece]:
    return cells[place] if place is not None and place < len(cells) else ()


def _text(cells: Sequence[Sequence[Piece]], place: int | None) -> str:
    return text_of(cells[place]) if place is not None and place < len(cells) else ""


def _title_of(cell: Sequence[Piece]) -> tuple[str, tuple[Link, ...]]:
    """Return the title in a cell, whole where it holds no link with a title, and its links."""
    links = read_links(cell)
    if any(map(is_titled_link, cell)):
        item = read_item(cell)
        return (item.title, item.links) if item else ("", links)
    title = text_of([piece for piece in cell if not piece.url])
    return (title if any(char.isalpha() for char in title) else ""), links


def _on_one_line(cell: Sequence[Piece]) -> Sequence[Piece]:
    return [Piece(" ") if piece.text == BREAK else piece for piece in cell]


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


def _unique(links: Iterable[Link]) -> tuple[Link, ...]:
    found: dict[str, Link] = {}
    for link in links:
        found.setdefault(link.url, link)
    return tuple(found.values())
