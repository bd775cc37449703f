"""Reads mrkdwn of sections as a person sees it, and finds what was not ours to mean."""

import re
from html import unescape

_TOKEN = re.compile(
    r"<(?P<url>https?://[^|<>\s]+)(?:\|(?P<label>[^<>\n]+))?>"
    r"|(?P<style>(?<!\w)[*_]|[*_](?!\w))"
    r"|(?P<effective>(?<!\w)[~`]|[~`](?!\w)|:(?=[\w+-]+:)|[<>]|^&gt;)"
    r"|(?P<plain>.)",
    re.DOTALL | re.MULTILINE,
)
# Signs that stand for those which would mean something.
_ALIKE = str.maketrans(
    {
        "\N{ASTERISK OPERATOR}": "*",
        "\N{MODIFIER LETTER LOW MACRON}": "_",
        "\N{TILDE OPERATOR}": "~",
        "\N{MODIFIER LETTER GRAVE ACCENT}": "`",
        "\N{MODIFIER LETTER COLON}": ":",
        "\u200b": "",
    }
)


def shown_words(mrkdwn: str) -> str:
    """Return mrkdwn as it is seen, each link with where it leads.

    Raises:
        AssertionError: where a sign has an effect that none of our own marks explains.
    """
    styles = [found["style"] for found in _TOKEN.finditer(mrkdwn) if found["style"]]
    assert all(styles.count(sign) % 2 == 0 for sign in "*_"), mrkdwn
    return unescape("".join(map(_seen, _TOKEN.finditer(mrkdwn)))).translate(_ALIKE)


def _seen(found: re.Match[str]) -> str:
    assert not found["effective"], found.string
    if found["label"]:
        return f"{_unstyled(found['label'])} {found['url']} "
    if found["url"]:
        return found["url"]
    return found["plain"] or ""


def _unstyled(label: str) -> str:
    assert not re.search(r"(?<!\w)[*_~`]|[*_~`](?!\w)|:[\w+-]+:", label), label
    return label
