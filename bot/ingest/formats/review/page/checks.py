"""Whether a page can be trusted: what its facts and lists promise against what its text has."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from bot.domain.drafts import EntryDraft, Note
from bot.ingest.formats.review.body import Episode
from bot.ingest.formats.review.furniture import Facts
from bot.ingest.formats.review.lines import Element
from bot.ingest.formats.review.lists import EpisodeList
from bot.ingest.formats.review.page.errors import changed
from bot.ingest.formats.review.page.links import united
from store.records import Link


def refuse_changed(
    facts: Facts, episodes: Mapping[int, Episode], lists: Iterable[EpisodeList]
) -> None:
    """Refuse a page whose episodes are not those that it counts or lists.

    Raises:
        DocumentError: if they are not, or if there is none.
    """
    texts = {number for number, episode in episodes.items() if episode.paragraphs}
    if not texts:
        raise changed("no paragraph names an episode, such as E162")
    listed = {episode.number for each in lists for episode in each.episodes}
    if missing := sorted(listed - texts):
        names = ", ".join(f"E{number}" for number in missing)
        raise changed(f"the lists name {names}, and no paragraph does")
    if facts.claimed is not None and facts.claimed != len(episodes):
        raise changed(f"it counts {facts.claimed} episodes, and {len(episodes)} were found")


def check_lists(episodes: Iterable[Episode], lists: Sequence[EpisodeList]) -> list[Note]:
    """Report what the lists should say of an episode and don't; empty ones are named once."""
    listed = {episode.number: episode for each in lists for episode in each.episodes}
    if not listed:
        line = lists[0].line if lists else next((e.line for e in episodes), 1)
        return [Note(line, "the lists of episodes hold none: no titles of papers, no links")]
    notes = []
    for episode in episodes:
        item = listed.get(episode.number)
        if item is None:
            notes.append(Note(episode.line, f"E{episode.number} stands in no list of episodes"))
        elif item.title is None:
            notes.append(Note(item.line, f"E{episode.number} is listed without a title"))
        elif not item.links:
            notes.append(Note(item.line, f"E{episode.number} is listed without a link"))
    return notes


def add_links(
    entries: Iterable[EntryDraft],
    episodes: Mapping[int, Episode],
    links: Mapping[Element, tuple[Link, ...]],
) -> tuple[EntryDraft, ...]:
    """Add the links that stand in an episode's own paragraphs to those of its list."""
    in_texts = {
        f"E{number}": [link for element in episode.paragraphs for link in links.get(element, ())]
        for number, episode in episodes.items()
    }
    return tuple(
        replace(entry, links=united(entry.links, in_texts.get(str(entry.episode), ())))
        for entry in entries
    )
