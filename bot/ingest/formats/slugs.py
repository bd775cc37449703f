"""The slug that a local document's own title gives its source."""

import hashlib
import re
import unicodedata

# One editor under two names: the ranked newsletter and the archive of the same weeks.
_PREDEFINED = {
    "top-ai-papers-of-the-week": "dair",
    "top-ml-papers-of-the-week": "dair",
}
_WORD = re.compile(r"[a-z0-9]+")
_APOSTROPHE = re.compile(r"['\u2018\u2019]")
_ARTICLES = frozenset({"a", "an", "the"})

# Long enough to be unique, short enough to be typed after `from:`.
_LONGEST = 60


def source_slug(title: str) -> str:
    """Make a slug from a title: lower-case ASCII words joined by `-`, never empty.

    The titles of the predefined sources give their slugs (`Top AI Papers of the Week` is
    `dair`). A title without a single ASCII letter or digit gives `source-` and a digest, so
    that two such titles stay two sources.
    """
    words = _words(title)
    slug = "-".join(words)
    if slug in _PREDEFINED:
        return _PREDEFINED[slug]
    if not slug:
        digest = hashlib.sha256(title.encode("utf-8", "surrogatepass")).hexdigest()
        return f"source-{digest[:8]}"
    if len(slug) <= _LONGEST:
        return slug
    whole, dash, _ = slug[: _LONGEST + 1].rpartition("-")
    return whole if dash else slug[:_LONGEST]  # a first word that is too long is cut


def is_predefined(slug: str) -> bool:
    """Tell whether a slug is that of a predefined source."""
    return slug in _PREDEFINED.values()


def _words(title: str) -> list[str]:
    """Fold a title to its ASCII words, without an article in front."""
    folded = unicodedata.normalize("NFKD", _APOSTROPHE.sub("", title))
    words = _WORD.findall(folded.encode("ascii", "ignore").decode().lower())
    return words[1:] if len(words) > 1 and words[0] in _ARTICLES else words
