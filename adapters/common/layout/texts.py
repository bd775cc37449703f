"""Foreign text made fit to be shown, and cut by meaning. Pure."""

import re
import unicodedata
from collections.abc import Callable, Iterator

from bot.replies.plain_text import printable
from store.text import storable

# An address that can stand in a link: RFC 3986's signs after a plain host. No `@` comes before
# the path, where it would pass for another host. No platform promises to know
# a scheme in capitals.
_ADDRESS = re.compile(
    r"https?://[a-zA-Z0-9][a-zA-Z0-9.-]*(:\d{1,5})?"
    r"([/?#][a-zA-Z0-9._~:/?#\[\]@!$&'()*+,;=%-]*)?",
    re.ASCII,
)
_WEB = re.compile(r"\bhttps?://[^\s<>]+")
_AFTER_ADDRESS = ".,:;!?'\")]}*_~|"
# Controls, signs of format, blanks.
_INVISIBLE = {"Cc", "Cf", "Zs", "Zl", "Zp"}
_SENTENCE_ENDS = (". ", "? ", "! ", "; ", "。")


def cleaned(text: str) -> str:
    """Return a text on one line with single blanks, empty where nothing of it can be seen."""
    words = " ".join(text.split())
    if words.isprintable():  # as nearly every text is: it holds no sign of those dropped below
        return words
    words = " ".join(printable(storable(text)).split())
    return words if any(map(_is_visible, words)) else ""


def paragraphs(text: str) -> list[str]:
    """Return the paragraphs of a text that show something, cleaned."""
    return [words for words in map(cleaned, text.split("\n\n")) if words]


def is_address(url: str) -> bool:
    """Tell whether a text is an address of the web without any sign that means more."""
    return bool(_ADDRESS.fullmatch(url))


def addresses(text: str) -> Iterator[tuple[int, int]]:
    """Give the places of the addresses in a text, without the signs of the sentence after them."""
    for found in _WEB.finditer(text):
        url = found[0].rstrip(_AFTER_ADDRESS)
        if is_address(url):
            yield found.start(), found.start() + len(url)


def runs(text: str, heaviest: int, weight: Callable[[str], int]) -> list[str]:
    """Cut a text into runs of at most this weight, after sentences, else words, else anywhere."""
    found, start = [], 0
    while _is_heavier(rest := text[start : start + heaviest + 1], heaviest, weight):
        end = _cut(rest, heaviest, weight)
        found.append(rest[:end])
        start += end
    return [*found, rest] if rest else found


def kept_lines(text: str, heaviest: int, weight: Callable[[str], int]) -> list[str]:
    """Return a text of several lines as it stands, cut between lines into texts of this weight.

    A line that weighs more by itself is cut as well. Signs that nothing may show are blanks.
    """
    found: list[list[str]] = []
    held, line_end = 0, weight("\n")
    for line in map(printable, map(storable, text.splitlines())):
        for run in runs(line, heaviest, weight) or [""]:
            heft = weight(run)
            # No text weighs more than its lines, so that it is weighed itself only near the end.
            if found and held + line_end + heft <= heaviest:
                found[-1].append(run)
                held += line_end + heft
            elif found and not _is_heavier(more := "\n".join([*found[-1], run]), heaviest, weight):
                found[-1].append(run)
                held = weight(more)
            else:
                found.append([run])
                held = heft
    return ["\n".join(lines) for lines in found]


def beginning(text: str, heaviest: int, weight: Callable[[str], int]) -> str:
    """Return a text, cut and with an ellipsis where it weighs more."""
    if not _is_heavier(text, heaviest, weight):
        return text
    return f"{text[: _cut(text, heaviest, weight)].rstrip()}…"


def _is_heavier(text: str, heaviest: int, weight: Callable[[str], int]) -> bool:
    """Tell whether a text weighs more, without weighing a long one: each sign weighs 1 or more."""
    return len(text) > heaviest or weight(text) > heaviest


def _cut(text: str, heaviest: int, weight: Callable[[str], int]) -> int:
    end = heaviest
    while weight(text[:end]) > heaviest:
        end = end * 3 // 4
    half = end // 2
    sentence = max(text.rfind(sign, half, end) + len(sign) for sign in _SENTENCE_ENDS)
    if sentence > half:
        return sentence
    word = text.rfind(" ", 1, end) + 1
    return word or end


def _is_visible(sign: str) -> bool:
    return unicodedata.category(sign) not in _INVISIBLE
