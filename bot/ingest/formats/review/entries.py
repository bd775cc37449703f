"""From the episodes of a review to the entries of its edition."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache, partial

from bot.domain.drafts import EntryDraft, Note
from bot.ingest.formats.review.body import Episode
from bot.ingest.formats.review.lists import EpisodeList, ListedEpisode, joined_links
from bot.ingest.formats.review.marks import without_marks


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
    """Return what the lists say of each episode; of two titles the first stands."""
    listed: dict[int, ListedEpisode] = {}
    odd = []
    for episode in (episode for each in lists for episode in each.episodes):
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
    return EntryDraft(
        line=episode.line,
        title=(listed and listed.title) or _title(episode, shared),
        episode=f"E{episode.number}",
        summary="\n\n".join(text for text in paragraphs if text) or None,
        heading=episode.heading,
        section=episode.section,
        links=listed.links if listed else (),
    )


def _title(episode: Episode, shared: Counter[str]) -> str:
    """Name an episode by its section; the number tells it from others of the same section."""
    place = _place(episode)
    return f"{place} (E{episode.number})" if shared[place] > 1 else place


def _place(episode: Episode) -> str:
    """Return the nearest title that is printed over an episode, or its number."""
    return episode.section or episode.heading or f"Episode E{episode.number}"
