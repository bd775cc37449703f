"""Untrusted text made safe for Discord's Markdown. Pure.

Any sign but a letter, a digit and a blank stands for itself after a backslash. What Discord's
own helper leaves as it is (the colons of emoji and addresses, numbers that begin a list, text
beside addresses) is why none of it is used:
https://support.discord.com/hc/articles/210298617-Markdown-Text-101
"""

import re

from adapters.common.layout.texts import is_address

# Beginnings of what mentions somebody even where nothing of it is shown as a mention.
_PING = r"@(?=everyone|here|[!&]?\d)"
_SIGNS = re.compile(rf"(?P<ping>{_PING})|[\\*_~|`<\[\]]|:(?=//|[\w+-]{{1,64}}:)")
_ANY_SIGN = re.compile(r"[\\*_~|`<\[\]:@]")  # nothing above is without one
_MEANING = re.compile(rf"(?P<url>https?://[^\s<>]+)|{_SIGNS.pattern}", re.IGNORECASE)
# Any other sign has its meaning by itself.
_MORE_THAN_A_SIGN = re.compile(r"[:@]")
_ESCAPES = str.maketrans({sign: f"\\{sign}" for sign in "\\*_~|`<[]"})
# What makes a line a heading, a list, a quotation, small print.
_START = re.compile(r"\s*(?:\d+(?=[.)](?:\s|$))|(?=[-+>#]))")
_AFTER_URL = ".,:;!?'\")]}*_~|"
_RISKY_IN_URL = re.compile(rf"[()*]|{_PING}")
_UNSEEN = "\u200b"
# Brackets in pairs, as Discord wants them in the words of a link.
_PAIRED = re.compile(r"[^\[\]]*(?:\[[^\[\]]*\][^\[\]]*)*")


def in_markdown(words: str, *, starts: bool = True) -> str:
    """Return words on one line as Markdown that shows them as they stand.

    Addresses lead to themselves. `starts` where the words stand at the beginning of the line.
    """
    shown = _without_meaning(words) if _ANY_SIGN.search(words) else words
    start = _START.match(shown) if starts else None
    return f"{start[0]}\\{shown[start.end() :]}" if start else shown


def _without_meaning(words: str) -> str:
    if _MORE_THAN_A_SIGN.search(words):
        return _MEANING.sub(_meant, words)
    return words.translate(_ESCAPES)


def linked(label: str, url: str, *, starts: bool = False) -> str:
    """Return a link of these words to an address.

    Discord shows no words that look like an address as a link to another. `starts` where the words
    stand at the beginning of the line.
    """
    address = f"<{shown_address(url)}>"
    if label == url:
        return address
    if "://" in label or not _PAIRED.fullmatch(label):
        return f"{in_markdown(label, starts=starts)} {address}"
    return f"[{in_markdown(label, starts=False)}]({address})"


def leading_to_itself(url: str) -> str:
    """Return an address that leads where it says, in its own signs.

    With signs that are risky in one it is the words of a link, without its scheme: words with a
    scheme would be no link.
    """
    return linked(url.partition("://")[2] if _RISKY_IN_URL.search(url) else url, url)


def shown_address(url: str) -> str:
    """Return an address without signs that end a link or mean something in it."""
    return _RISKY_IN_URL.sub(lambda found: f"%{ord(found[0]):02X}", url)


def length(text: str) -> int:
    """Return how long a text is as whoever counts most would count it: in units of UTF-16."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def _meant(found: re.Match[str]) -> str:
    """Return what has a meaning without it; an address that is safe keeps its."""
    url = found["url"]
    if url is None:
        return _escaped(found)
    bare = url.rstrip(_AFTER_URL)
    if is_address(bare) and not _RISKY_IN_URL.search(bare):
        return f"<{bare}>{_SIGNS.sub(_escaped, url[len(bare) :])}"
    return _SIGNS.sub(_escaped, url)


def _escaped(found: re.Match[str]) -> str:
    return f"@{_UNSEEN}" if found["ping"] else f"\\{found[0]}"
