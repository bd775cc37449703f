"""What a searcher typed, as a query: words, "phrases" and -exclusions."""

import re
from collections.abc import Iterable
from datetime import date

from store.folding import tokens, words
from store.search import SearchQuery

# A quoted run, straight or curly, or a word; either may be excluded by a hyphen before it.
_PART = re.compile(r'(?P<minus>-?)(?:["“”](?P<phrase>[^"“”]*)["“”]|(?P<word>[^\s"“”]+|["“”]))')
_LETTERS = re.compile(r"[^\W_]+")


def parse_query(
    text: str,
    source: str | None = None,
    topic: str | None = None,
    since: date | None = None,
    until: date | None = None,
) -> SearchQuery:
    """Read what was typed; signs that mean nothing here part words, whatever they are."""
    typed: list[str] = []
    phrases: list[tuple[str, ...]] = []
    excluded: list[tuple[str, ...]] = []
    for part in _PART.finditer(text):
        found = tuple(tokens(part["phrase"] or part["word"] or ""))
        if not found:
            continue
        if part["minus"]:
            excluded.append(found)
        elif part["phrase"] is not None:
            phrases.append(found)
        else:
            typed += found
    return SearchQuery(
        words=tuple(typed),
        phrases=tuple(phrases),
        excluded=tuple(excluded),
        source=source,
        topic=topic,
        since=since,
        until=until,
        text=text,
    )


def corrected_text(text: str, corrections: Iterable[tuple[str, str]]) -> str | None:
    """Return what was typed with its words corrected; `None` where none was.

    What stands in quotes or is excluded stays as it is.
    """
    meant = dict(corrections)
    if not meant:
        return None

    def corrected(part: re.Match[str]) -> str:
        if part["minus"] or part["phrase"] is not None:
            return part[0]
        return _LETTERS.sub(lambda word: meant.get(words(word[0]), word[0]), part[0])

    return _PART.sub(corrected, text)
