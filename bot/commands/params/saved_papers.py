"""Papers on the asker's own list, and any others: by all names of papers, or a word or two."""

from collections.abc import Collection
from dataclasses import dataclass

from bot.commands.params.papers import PAPER
from bot.commands.types import Context, ParamType
from bot.domain.paper_ids import arxiv_id_in_url, bare_arxiv_id
from bot.errors import ArgumentError, Option
from bot.library.paper_lookup import EXPECTED, names_entry
from bot.replies.plain_text import quoted
from bot.replies.wording import shorten
from store.readers import saved as lists
from store.readers.saved import SavedPaper
from store.records import Mention
from store.text import fold, tokens

_OFFERED = 25
_MEANT = 3
_ALIKE = 40  # percent
_LONGEST_TITLE = 70  # on a button


@dataclass(frozen=True, slots=True)
class NamedPaper:
    """A paper as it was named: the ref of an entry that is, or was, in an edition; its title."""

    ref: str
    title: str


async def listed(context: Context) -> list[SavedPaper]:
    """Return what is on the asker's list, the last saved first."""
    return await context.members.read(lists.titles, context.actor.person)


def nearest(title: str, papers: list[SavedPaper]) -> list[SavedPaper]:
    """Return the papers of a list whose titles are most like one, or the last saved."""
    from rapidfuzz import fuzz, process  # here, because it is hardly ever needed

    titles = [fold(each.title) for each in papers]
    alike = process.extract(
        fold(title), titles, scorer=fuzz.ratio, limit=_MEANT, score_cutoff=_ALIKE
    )
    return [papers[place] for _, _, place in alike] or papers[:_MEANT]


def option(paper: SavedPaper) -> Option:
    """Return a paper of a list as it is offered."""
    return Option(paper.ref, shorten(paper.title, _LONGEST_TITLE))


async def _read(text: str, context: Context) -> NamedPaper:
    """Find a paper, first of all on the list: also one that is in no edition any more.

    Raises:
        ArgumentError: if there is none, or there are several.
    """
    typed, papers = text.strip(), await listed(context)
    found = [each for each in papers if each.ref == typed] or _by_words(typed, papers)
    if len(found) > 1:
        raise ArgumentError(
            f"Several papers on your list fit {quoted(shorten(typed, 80), 80)}.",
            "Which one?",
            tuple(map(option, found[:_MEANT])),
        )
    if found:
        return NamedPaper(found[0].ref, found[0].title)
    mention: Mention = await PAPER.read(typed, context)
    return NamedPaper(mention.entry.ref, mention.entry.title)


async def _read_listed(text: str, context: Context) -> NamedPaper:
    """Do the same for who means one on the list: offer what stands there."""
    try:
        return await _read(text, context)
    except ArgumentError as error:
        near = nearest(text, await listed(context))
        if not near:
            raise
        raise ArgumentError(error.sentence, _on_list(near), tuple(map(option, near))) from None


def _on_list(papers: list[SavedPaper]) -> str:
    return "These are on your list." if len(papers) > 1 else "This is on your list."


def _by_words(typed: str, papers: list[SavedPaper]) -> list[SavedPaper]:
    """Return the papers whose titles are, or else hold, the words that were typed."""
    is_name = names_entry(typed) or arxiv_id_in_url(typed) or bare_arxiv_id(typed)
    if is_name or not tokens(typed):
        return []
    folded = fold(typed)
    exact = [each for each in papers if fold(each.title) == folded]
    wanted = set(folded.split())
    return exact or [each for each in papers if wanted <= set(tokens(each.title))]


async def _complete_listed(beginning: str, context: Context) -> list[Option]:
    typed, begun = beginning.strip().lower(), set(tokens(beginning))
    return [
        Option(each.ref, each.title)
        for each in await listed(context)
        if _begins(begun, each) or typed in each.ref.lower()
    ][:_OFFERED]


def _begins(begun: Collection[str], paper: SavedPaper) -> bool:
    """Tell whether each word that is begun begins one of the title."""
    title = tokens(paper.title)
    return all(any(word.startswith(part) for word in title) for part in begun)


async def _complete(beginning: str, context: Context) -> list[Option]:
    offers = await _complete_listed(beginning, context)
    others = await PAPER.complete(beginning, context)
    by_ref = {each.value: each for each in (*others, *offers)}
    first = [by_ref.pop(each.value) for each in offers]
    return [*first, *by_ref.values()][:_OFFERED]


LISTED = ParamType("PAPER", _read_listed, _complete_listed, EXPECTED)
"""A paper that is on the list most likely."""

LISTED_OR_ANY = ParamType("PAPER", _read, _complete, EXPECTED)
"""A paper on the list, or one that may come there."""
