"""Sources, named by their slug."""

from collections.abc import Sequence
from difflib import get_close_matches

from bot.commands.types import Context, ParamType
from bot.errors import ArgumentError, Option
from bot.replies.plain_text import quoted
from store.library import editions
from store.records import Source
from store.sources import CONSENSUS

_OFFERED = 3


async def _read(text: str, context: Context) -> str:
    return find_source(text, await _sources(context))


def find_source(text: str, sources: Sequence[Source]) -> str:
    """Return the slug of the source that a text names.

    Raises:
        ArgumentError: if there is none, with the nearest.
    """
    known = {source.slug: source.title for source in sources}
    slug = text.strip().lower()
    if slug in known or slug == CONSENSUS:  # it may be named before there is one
        return slug
    by_title = {title.lower(): slug for slug, title in known.items()}
    near = get_close_matches(slug, [*known, *by_title], n=_OFFERED, cutoff=0.4)
    slugs = dict.fromkeys(by_title.get(name, name) for name in near) or list(known)[:_OFFERED]
    raise ArgumentError(
        f"There is no source {quoted(text)}.",
        f"The sources are {', '.join(known)}." if known else "None is stored yet.",
        tuple(Option(each) for each in slugs),
    )


async def _complete(beginning: str, context: Context) -> list[Option]:
    typed = beginning.strip().lower()
    return [
        Option(source.slug, source.title)
        for source in await _sources(context)
        if typed in source.slug or typed in source.title.lower()
    ]


async def _sources(context: Context) -> list[Source]:
    return await context.content.read(editions.list_sources)


SOURCE = ParamType(
    "SOURCE", _read, _complete, "A source is named by its slug; sources lists them.", write=str
)
