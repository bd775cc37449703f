"""Papers, by any of their names or their number in a list, one or several, saved or any."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from bot.commands.parser import LONGEST_COMMAND_STRING
from bot.commands.plain_words.list_references import read_list_reference
from bot.commands.seen_list import find_refs
from bot.commands.types import Context, ParamType
from bot.domain.paper_ids import arxiv_id_in_url, bare_arxiv_id
from bot.errors import ArgumentError, Option, SeveralMeant
from bot.library.paper_lookup import EXPECTED, find_paper, names_entry
from bot.replies.naming import shown_title
from bot.replies.plain_text import quoted
from bot.replies.wording import number, place, shorten
from store.library import autocomplete
from store.library.editions import newest_edition
from store.readers import saved as lists
from store.readers.saved import SavedPaper
from store.records import Mention
from store.text import fold, tokens, typed_words

_OFFERED = 25
_OFFERED_OF_LIST = 5
_MOST_AT_ONCE = 25
_LONGEST_REFS = LONGEST_COMMAND_STRING - 100  # beside them are the command and some tags
# Names without blanks: others may have commas of their own, as titles do.
_LISTED_NAMES = re.compile(r"[^\s,]+(?:\s*,\s*[^\s,]+)+")
# Names with digits, as ids are, may have other signs between them than commas.
_BETWEEN_IDS = re.compile(r"\s*[,;]\s*(?:(?:and|&)\s+)?|\s+(?:&|\+|and)\s+")


async def _read(text: str, context: Context) -> Mention:
    typed = text.strip()
    reference = read_list_reference(typed)
    if reference is None:
        return await _find(typed, context)
    try:
        refs = await find_refs(reference, context)
    except ArgumentError as error:
        options = await _named([each.value for each in error.nearest], context)
        raise ArgumentError(error.sentence, error.remedy, options) from None
    if refs is None:  # a number, where no list was seen
        return await _find(str(reference.numbers[0]), context)
    if len(refs) > 1:
        options = await _named(refs, context)
        raise SeveralMeant("That is more than one paper.", "Which one?", options)
    return await _find(refs[0], context)


async def _find(name: str, context: Context) -> Mention:
    return await context.content.read(find_paper, name, context.day)


async def _named(refs: Iterable[str], context: Context) -> tuple[Option, ...]:
    """Return the papers of a list as options, with their titles."""
    found = [await _find(ref, context) for ref in list(refs)[:_OFFERED_OF_LIST]]
    return tuple(
        Option(each.entry.ref, shorten(shown_title(each.entry), _LONGEST_TITLE)) for each in found
    )


async def _read_several(text: str, context: Context) -> tuple[Mention, ...]:
    """Read a paper, or several: `1-3`, `2, 5 and 7`, refs and ids with commas between."""
    typed = text.strip()
    reference = read_list_reference(typed)
    if reference and not reference.is_one:
        refs = await find_refs(reference, context) or ()
    elif ids := _listed_ids(typed):
        refs = ids
    elif _LISTED_NAMES.fullmatch(typed):
        refs = tuple(filter(None, (each.strip() for each in typed.split(","))))
    else:
        return (await _read(typed, context),)
    found: dict[int, Mention] = {}
    for ref in _few(refs):
        mention = await _read(ref, context)
        found.setdefault(mention.paper_id, mention)
    _require_room([each.entry.ref for each in found.values()])
    return tuple(found.values())


def _listed_ids(typed: str) -> tuple[str, ...]:
    """Return the names with digits of a list of nothing else; none for another text."""
    names = tuple(filter(None, _BETWEEN_IDS.split(typed)))
    are_ids = all(" " not in each and any(map(str.isdigit, each)) for each in names)
    return names if len(names) > 1 and are_ids else ()


def _few(names: Iterable[str]) -> Iterable[str]:
    """Return names, each once, unless they are too many to be looked up at once."""
    few = dict.fromkeys(names)
    if len(few) > _MOST_AT_ONCE:
        raise ArgumentError(
            f"That is {len(few)} papers; at most {_MOST_AT_ONCE} go at once.", EXPECTED
        )
    return few


def _require_room(refs: Sequence[str]) -> None:
    """Refuse papers whose refs, which some sources have long, would not fit a command string."""
    fit = sum(length <= _LONGEST_REFS for length in accumulate(len(each) + 1 for each in refs))
    if fit < len(refs):
        sentence = f"That is {len(refs)} papers; at most {fit} of these go at once."
        raise ArgumentError(sentence, EXPECTED)


async def _complete_last(beginning: str, context: Context) -> list[Option]:
    """Complete the last of several papers."""
    before, comma, last = beginning.rpartition(",")
    options = await _complete(last, context)
    if not comma:
        return options
    return [Option(f"{before},{each.value}", each.label) for each in options]


async def _complete(beginning: str, context: Context) -> list[Option]:
    """Complete a paper by its number, ref, episode or arXiv id, or by words of its title.

    Before anything is typed these are the papers of the newest edition.
    """
    typed = beginning.strip()
    count = typed.removeprefix("#")
    numbered = await _of_newest(count, context) if not typed or count.isdigit() else []
    if numbered or not typed:
        return numbered
    name = arxiv_id_in_url(typed) or bare_arxiv_id(typed) or typed
    found = await context.content.read(autocomplete.by_name, name, context.day, _OFFERED)
    if words := typed_words(typed).words:
        found = found + await context.content.read(
            autocomplete.by_title, words, context.day, _OFFERED
        )
    offers = {mention.entry.ref: _option(mention) for mention in found}
    return list(offers.values())[:_OFFERED]


async def _of_newest(beginning: str, context: Context) -> list[Option]:
    newest = await context.content.read(newest_edition, None, context.day)
    return [
        Option(entry.ref, f"{number(entry)} · {shown_title(entry)}")
        for entry in (newest.entries if newest else ())
        if number(entry).startswith(beginning)
        # Digits are the position of an entry without a rank.
        or (entry.rank is None and str(entry.position + 1) == beginning)
    ]


def _option(mention: Mention) -> Option:
    where = place(mention.edition, mention.entry)
    return Option(mention.entry.ref, f"{shown_title(mention.entry)} · {where}")


PAPER = ParamType("PAPER", _read, _complete, EXPECTED, write=lambda mention: str(mention.entry.ref))
PAPERS = ParamType(
    "PAPER…",
    _read_several,
    _complete_last,
    f"{EXPECTED} Several have commas between them, or are a range: 1-3.",
    write=lambda papers: ",".join(each.entry.ref for each in papers),
)


_MEANT = 3
_ALIKE = 40  # percent
_LONGEST_TITLE = 70  # on a button


@dataclass(frozen=True, slots=True)
class NamedPaper:
    """A paper that was named: the ref of an entry, which may be gone by now, and the title."""

    ref: str
    title: str


async def saved_papers(context: Context) -> list[SavedPaper]:
    """Return the user's saved papers, the last saved first."""
    return await context.database.read(lists.list_titles, context.actor.person)


def nearest(title: str, papers: list[SavedPaper]) -> list[SavedPaper]:
    """Return the saved papers with the most similar titles, or the last saved."""
    from rapidfuzz import fuzz, process  # here, because it is hardly ever needed

    titles = [fold(each.title) for each in papers]
    alike = process.extract(
        fold(title), titles, scorer=fuzz.ratio, limit=_MEANT, score_cutoff=_ALIKE
    )
    return [papers[place] for _, _, place in alike] or papers[:_MEANT]


def option(paper: SavedPaper) -> Option:
    """Return a saved paper as an option."""
    return Option(paper.ref, shorten(paper.title, _LONGEST_TITLE))


async def _read_saved(text: str, context: Context) -> NamedPaper:
    """Find a paper, first among the saved ones, which may be in no edition any more."""
    return await _find_saved(text, await saved_papers(context), context)


async def _find_saved(text: str, papers: list[SavedPaper], context: Context) -> NamedPaper:
    typed = text.strip()
    if read_list_reference(typed):
        return _as_named(await PAPER.read(typed, context))
    found = [each for each in papers if each.ref == typed] or _by_words(typed, papers)
    if len(found) > 1:
        raise SeveralMeant(
            f"Several papers on your list fit {quoted(shorten(typed, 80), 80)}.",
            "Which one?",
            tuple(map(option, found[:_MEANT])),
        )
    if found:
        return NamedPaper(found[0].ref, found[0].title)
    return _as_named(await PAPER.read(typed, context))


def _as_named(mention: Mention) -> NamedPaper:
    return NamedPaper(mention.entry.ref, mention.entry.title)


async def _read_listed(text: str, papers: list[SavedPaper], context: Context) -> NamedPaper:
    """Find a paper that is probably saved: the error suggests saved ones."""
    try:
        return await _find_saved(text, papers, context)
    except ArgumentError as error:
        near = nearest(text, papers)
        if not near:
            raise
        remedy = "These are on your list." if len(near) > 1 else "This is on your list."
        raise ArgumentError(error.sentence, remedy, tuple(map(option, near))) from None


def _by_words(typed: str, papers: list[SavedPaper]) -> list[SavedPaper]:
    """Return the papers whose titles are the typed words, or else contain them."""
    is_name = names_entry(typed) or arxiv_id_in_url(typed) or bare_arxiv_id(typed)
    if is_name or not tokens(typed):
        return []
    folded = fold(typed)
    exact = [each for each in papers if fold(each.title) == folded]
    wanted = set(folded.split())
    return exact or [each for each in papers if wanted <= set(tokens(each.title))]


async def _complete_listed(beginning: str, context: Context) -> list[Option]:
    """Complete papers whose titles have words that begin so, each typed word one."""
    typed, begun = beginning.strip().lower(), set(tokens(beginning))
    return [
        Option(each.ref, each.title)
        for each in await saved_papers(context)
        if typed in each.ref.lower()
        or all(any(word.startswith(part) for word in tokens(each.title)) for part in begun)
    ][:_OFFERED]


async def _complete_saved(beginning: str, context: Context) -> list[Option]:
    offers = await _complete_listed(beginning, context)
    others = await PAPER.complete(beginning, context)
    by_ref = {each.value: each for each in (*others, *offers)}
    first = [by_ref.pop(each.value) for each in offers]
    return [*first, *by_ref.values()][:_OFFERED]


async def _read_several_listed(text: str, context: Context) -> tuple[NamedPaper, ...]:
    """Find papers of which the user probably saved each."""
    typed = text.strip()
    reference = read_list_reference(typed)
    if not _LISTED_NAMES.fullmatch(typed) and (reference is None or reference.is_one):
        return (await _read_listed(typed, await saved_papers(context), context),)
    if reference:
        return tuple(map(_as_named, await PAPERS.read(typed, context)))
    refs = _few(filter(None, (each.strip() for each in typed.split(","))))
    papers = await saved_papers(context)
    return tuple([await _read_listed(ref, papers, context) for ref in refs])


LISTED_PAPERS = ParamType(
    "PAPER…",
    _read_several_listed,
    _complete_listed,
    EXPECTED,
    write=lambda papers: ",".join(each.ref for each in papers),
)
"""Papers that are probably saved."""

LISTED_OR_ANY = ParamType(
    "PAPER", _read_saved, _complete_saved, EXPECTED, write=lambda paper: str(paper.ref)
)
"""A paper that is saved, or any other."""
