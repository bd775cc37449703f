"""What a searcher typed, as a query: words, "phrases" and -exclusions."""

import re
from datetime import date

from store.folding import tokens
from store.search import SearchQuery, significant

# A quoted run, straight or curly, or a word; either may be excluded by a hyphen before it.
_PART = re.compile(r'(?P<minus>-?)(?:["“”](?P<phrase>[^"“”]*)["“”]|(?P<word>[^\s"“”]+|["“”]))')


def parse_query(
    text: str,
    source: str | None = None,
    topic: str | None = None,
    since: date | None = None,
    until: date | None = None,
) -> SearchQuery:
    """Read what was typed; signs that mean nothing here part words, whatever they are."""
    words: list[str] = []
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
            words += found
    return SearchQuery(
        words=significant(words),
        phrases=tuple(phrases),
        excluded=tuple(excluded),
        source=source,
        topic=topic,
        since=since,
        until=until,
    )
