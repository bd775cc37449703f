"""Papers, by any of their names."""

from bot.commands.types import Context, ParamType
from bot.domain.paper_ids import arxiv_id_in_url, bare_arxiv_id
from bot.errors import Option
from bot.library.paper_lookup import EXPECTED, find_paper
from bot.replies.wording import marked_title, number, place
from store.library import autocomplete
from store.library.editions import newest_edition
from store.records import Entry, Mention
from store.text import typed_words

_OFFERED = 25


async def _read(text: str, context: Context) -> Mention:
    return await context.content.read(find_paper, text.strip(), context.day)


async def _complete(beginning: str, context: Context) -> list[Option]:
    """Offer papers by number, ref, episode or arXiv id, and by words of the title.

    Before anything is typed these are the papers of the newest edition.
    """
    typed = beginning.strip()
    count = typed.removeprefix("#")
    numbered = await _of_newest(count, context) if not typed or count.isdigit() else []
    if numbered or not typed:
        return numbered
    name = arxiv_id_in_url(typed) or bare_arxiv_id(typed) or typed
    found = await context.content.read(autocomplete.by_name, name, _OFFERED)
    if words := typed_words(typed).words:
        found = found + await context.content.read(autocomplete.by_title, words, _OFFERED)
    offers = {mention.entry.ref: _option(mention) for mention in found}
    return list(offers.values())[:_OFFERED]


async def _of_newest(beginning: str, context: Context) -> list[Option]:
    newest = await context.content.read(newest_edition, None, context.day)
    entries = newest.entries if newest else ()
    return [
        Option(entry.ref, f"{number(entry)} · {marked_title(entry)}")
        for entry in entries
        if number(entry).startswith(beginning) or _is_count(entry, beginning)
    ]


def _is_count(entry: Entry, typed: str) -> bool:
    """Tell whether digits name an entry by its position, as they do where there are no ranks."""
    return entry.rank is None and str(entry.position + 1) == typed


def _option(mention: Mention) -> Option:
    where = place(mention.edition, mention.entry)
    return Option(mention.entry.ref, f"{marked_title(mention.entry)} · {where}")


PAPER = ParamType("PAPER", _read, _complete, EXPECTED)
