"""The episodes of a review and the entries made of them, from its outline.

A paragraph belongs to the episode of its mark; without one to the episode before it in its section,
or to the first one behind it.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial

from bot.domain.drafts import EntryDraft, Note
from bot.ingest.formats.review.elements import Element
from bot.ingest.formats.review.links import united
from bot.ingest.formats.review.lists import EpisodeList, ListedEpisode, joined_links
from bot.ingest.formats.review.marks import without_marks
from bot.ingest.formats.review.outline import HeadingStart, Piece, SectionStart, Text
from store.records import Heading


@dataclass(slots=True)
class Episode:
    """An episode: the line where it begins, its heading and section, and its paragraphs."""

    number: int
    line: int
    heading: str | None
    section: str | None
    paragraphs: list[Element] = field(default_factory=list)


@dataclass(slots=True)
class Body:
    """Headings and episodes in the order of the text, and notes on oddities."""

    headings: list[Heading] = field(default_factory=list)
    episodes: dict[int, Episode] = field(default_factory=dict)
    warnings: list[Note] = field(default_factory=list)


def read_body(pieces: Sequence[Piece]) -> Body:
    """Give each paragraph to its episode, and each episode its heading and section."""
    reader = _BodyReader(pieces)
    for place, piece in enumerate(pieces):
        reader.read(place, piece)
    reader.finish()
    return reader.body


class _BodyReader:
    """Walks the pieces once.

    `_episode` is the one that an unmarked text belongs to, `_pending` are paragraphs of an episode
    that is not known yet, `_open_heading` and `_open_section` have no episode so far.
    """

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self.body = Body()
        self._last_places = _last_places(pieces)
        self._heading: str | None = None
        self._section: str | None = None
        self._episode: int | None = None
        self._pending: list[Element] = []
        self._behind_list = False
        self._open_heading: Element | None = None
        self._open_section: Element | None = None
        self._seen: dict[str, int] = {}

    def read(self, place: int, piece: Piece) -> None:
        """Read the next piece."""
        match piece:
            case HeadingStart():
                self._start_heading(piece)
            case SectionStart():
                self._start_section(piece)
            case EpisodeList():
                self._read_list(piece)
            case Text():
                self._read_text(place, piece)

    def finish(self) -> None:
        """Report the section and the heading that are still open."""
        self._end_section()
        self._end_heading()

    def _start_heading(self, piece: HeadingStart) -> None:
        self.finish()
        title = piece.element.text
        tagline = piece.tagline.text if piece.tagline else None
        self.body.headings.append(Heading(title, tagline))
        self._heading, self._section, self._behind_list = title, None, False
        self._open_heading = piece.element

    def _start_section(self, piece: SectionStart) -> None:
        self._end_section()
        self._section, self._episode, self._behind_list = piece.title, piece.number, False
        self._open_section = piece.element

    def _end_section(self) -> None:
        for element in self._pending:
            self._warn(element, "left out: no episode is named in this section")
        if self._open_section:
            self._warn(self._open_section, f"no episode begins in the section “{self._section}”")
        self._pending, self._open_section, self._episode = [], None, None

    def _end_heading(self) -> None:
        if self._open_heading:
            self._warn(self._open_heading, f"there is no episode under “{self._heading}”")
        self._open_heading = None

    def _read_list(self, piece: EpisodeList) -> None:
        """Close the section, and add the episodes that are only listed."""
        self._end_section()
        self._section = None
        for listed in piece.episodes:
            if listed.number not in self._last_places and listed.number not in self.body.episodes:
                self._add_listed(listed)
        self._behind_list = True

    def _add_listed(self, listed: ListedEpisode) -> None:
        self._begin(listed.number, listed.line)
        note = f"E{listed.number} is listed here and has no text"
        self.body.warnings.append(Note(listed.line, note))

    def _read_text(self, place: int, text: Text) -> None:
        first_line = self._seen.setdefault(text.element.text, text.element.line)
        if first_line != text.element.line:
            self._warn(text.element, f"left out: repeats line {first_line}")
        elif text.numbers:
            self._read_marked(place, text)
        elif self._episode is not None:
            self._add(self._episode, text.element)
        else:
            self._pending.append(text.element)

    def _read_marked(self, place: int, text: Text) -> None:
        owner = self._owner(place, text.numbers)
        if owner in self.body.episodes and owner != self._episode:
            self._warn(text.element, f"E{owner} comes again; the text was added to it")
        for element in self._pending:
            self._warn(element, f"names no episode; read as the opening of E{owner}")
            self._add(owner, element)
        self._pending = []
        self._add(owner, text.element)
        for number in text.numbers:
            if number != owner:
                self._note_second_mark(place, number, owner, text.element)
        self._episode = owner

    def _owner(self, place: int, numbers: Sequence[int]) -> int:
        """Return the episode of a paragraph with several marks.

        The first episode that has no text yet and no mark further down; else the first without a
        text; else the one before, or the first named.
        """
        without_text = [number for number in numbers if number not in self.body.episodes]
        last_chance = [number for number in without_text if self._last_places[number] == place]
        before = [number for number in numbers if number == self._episode]
        return next(iter([*last_chance, *without_text, *before, *numbers]))

    def _note_second_mark(self, place: int, number: int, owner: int, element: Element) -> None:
        """Report a second mark; an episode that is named nowhere else is kept with the text."""
        if number in self.body.episodes or self._last_places[number] != place:
            self._warn(element, f"E{number} is named too; the text was taken as E{owner}'s")
            return
        self._add(number, element)
        self._warn(element, f"E{number} is named only beside E{owner}; both have this text")

    def _add(self, number: int, element: Element) -> None:
        if number not in self.body.episodes:
            if self._open_heading and self._section is None:
                self._warn(element, f"there is no section's title under “{self._heading}”")
            self._begin(number, element.line)
        self.body.episodes[number].paragraphs.append(element)

    def _begin(self, number: int, line: int) -> None:
        self.body.episodes[number] = Episode(number, line, self._heading, self._section)
        self._open_heading = self._open_section = None
        if self._heading is None or self._behind_list:
            self.body.warnings.append(Note(line, f"E{number} is outside of a heading's texts"))

    def _warn(self, element: Element, text: str) -> None:
        self.body.warnings += element.notes(text)


def _last_places(pieces: Sequence[Piece]) -> dict[int, int]:
    """Return for each number the last place that has its mark."""
    places: dict[int, int] = {}
    for place, piece in enumerate(pieces):
        if isinstance(piece, Text):
            places.update(dict.fromkeys(piece.numbers, place))
        elif isinstance(piece, SectionStart) and piece.number is not None:
            places[piece.number] = place
    return places


def make_entries(
    episodes: Sequence[Episode], lists: Iterable[EpisodeList], counted: frozenset[int]
) -> tuple[tuple[EntryDraft, ...], list[Note]]:
    """Make an entry of each episode, with the paper's title and links where a list has them."""
    listed, odd = _listed(lists)
    shared = Counter(_place(episode) for episode in episodes)
    # A paragraph may be about very many episodes.
    clean = cache(partial(without_marks, counted=counted))
    entries = tuple(
        _entry(episode, listed.get(episode.number), shared, clean) for episode in episodes
    )
    return entries, odd


def _listed(lists: Iterable[EpisodeList]) -> tuple[dict[int, ListedEpisode], list[Note]]:
    """Return the listed facts of each episode; of two titles the first counts."""
    listed: dict[int, ListedEpisode] = {}
    odd = []
    for episode in (episode for found in lists for episode in found.episodes):
        first = listed.setdefault(episode.number, episode)
        links = joined_links(first.links, episode.links)
        titled = first if first.title else episode
        if episode.title not in (None, titled.title):
            note = f"E{episode.number} is listed on line {first.line} with another title"
            odd.append(Note(episode.title_line, note))
        listed[episode.number] = replace(titled, links=links)
    return listed, odd


def _entry(
    episode: Episode,
    listed: ListedEpisode | None,
    shared: Counter[str],
    clean: Callable[[str], str],
) -> EntryDraft:
    paragraphs = [clean(element.text) for element in episode.paragraphs]
    in_text = (link for element in episode.paragraphs for link in element.links)
    return EntryDraft(
        line=episode.line,
        title=(listed and listed.title) or _title(episode, shared),
        episode=f"E{episode.number}",
        summary="\n\n".join(text for text in paragraphs if text) or None,
        heading=episode.heading,
        section=episode.section,
        links=united(listed.links if listed else (), in_text),
    )


def _title(episode: Episode, shared: Counter[str]) -> str:
    """Title an episode by its section, with its number if the section has several."""
    place = _place(episode)
    return f"{place} (E{episode.number})" if shared[place] > 1 else place


def _place(episode: Episode) -> str:
    """Return the nearest title above an episode, or its number."""
    return episode.section or episode.heading or f"Episode E{episode.number}"
