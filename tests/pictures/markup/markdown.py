"""Discord's Markdown as HTML: its own rules for lines, CommonMark's within a line.

https://support.discord.com/hc/articles/210298617-Markdown-Text-101
"""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markupsafe import Markup, escape

from bot.replies.wording import count
from tests.adapters.common.services import NOW

_FENCE = re.compile(r"^```(?:\w*\n)?(.*?)\n?```$", re.MULTILINE | re.DOTALL)
_LINE = re.compile(r"(?P<mark>#{1,3} |-# |> |[-*] |\d+\. )?(?P<words>.*)", re.DOTALL)
_TAGS = {
    "# ": (Markup("<h1>"), Markup("</h1>")),
    "## ": (Markup("<h2>"), Markup("</h2>")),
    "### ": (Markup("<h3>"), Markup("</h3>")),
    "-# ": (Markup("<small>"), Markup("</small>")),
    "> ": (Markup("<blockquote>"), Markup("</blockquote>")),
}
_SPECIAL = re.compile(
    r"<t:(?P<at>-?\d+)(?::(?P<style>[tTdDfFR]))?>|<@!?(?P<user>\d+)>|<#(?P<channel>\d+)>"
    # The address of a message, which the client shows as the name of its channel.
    r"|<https://discord\.com/channels/(?:\d+|@me)/(?P<place>\d+)/\d+>"
)
_STYLES = {
    "t": "%-I:%M %p",
    "T": "%-I:%M:%S %p",
    "d": "%m/%d/%Y",
    "D": "%B %-d, %Y",
    "f": "%B %-d, %Y at %-I:%M %p",
    "F": "%A, %B %-d, %Y at %-I:%M %p",
}
_DAY = 86_400


def html_of(text: str, names: dict[str, str] | None = None) -> Markup:
    """Return a text in Markdown as HTML, instants as a reader in UTC sees them.

    `names` are those of channels and users by their ids.
    """
    around, *others = _FENCE.split(text)
    shown = _lines(around, names or {})
    for kept, after in zip(others[::2], others[1::2], strict=True):
        shown += Markup("<pre>{}</pre>").format(kept) + _lines(after, names or {})
    return shown


def _lines(text: str, names: dict[str, str]) -> Markup:
    return Markup("").join(_blocks(text.strip("\n"), names)) if text.strip("\n") else Markup("")


def _blocks(text: str, names: dict[str, str]) -> Iterator[Markup]:
    for line in text.split("\n"):
        found = _LINE.fullmatch(line)
        mark, words = (found["mark"] or "", found["words"]) if found else ("", line)
        inline = _inline(words, names)
        if mark in {"- ", "* "}:
            yield Markup('<div class="bullet">{}</div>').format(inline)
        elif mark[:1].isdigit():
            yield Markup('<div class="line">{}{}</div>').format(mark, inline)
        elif mark:
            before, after = _TAGS[mark]
            yield before + inline + after
        else:
            yield Markup('<div class="line">{}</div>').format(inline or Markup("&nbsp;"))


def _inline(text: str, names: dict[str, str]) -> Markup:
    # The parser has checked what it lets through: no HTML of the text's own.
    return Markup(_parser().renderInline(text, {"names": names}))  # noqa: S704


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("zero", {"html": False})
    rules = [
        "escape",
        "emphasis",
        "strikethrough",
        "backticks",
        "link",
        "autolink",
        "balance_pairs",
    ]
    parser.enable([*rules, "fragments_join"])
    parser.inline.ruler.before("autolink", "special", _special)
    return parser


def _special(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - the library's signature
    """Read an instant or a mention."""
    found = _SPECIAL.match(state.src, state.pos)
    if found is None:
        return False
    if not silent:
        said = _said(found, state.env["names"])
        token = state.push("html_inline", "", 0)
        token.content = said if found["at"] else f'<span class="mention">{said}</span>'
    state.pos = found.end()
    return True


def _said(found: re.Match[str], names: dict[str, str]) -> Markup:
    if found["at"]:
        return escape(_instant(int(found["at"]), found["style"] or "f"))
    if found["place"]:
        return escape(f"#{names[found['place']]} ›")
    if found["user"]:
        return escape(f"@{names[found['user']]}")
    return escape(f"#{names[found['channel']]}")


def _instant(at: int, style: str) -> str:
    if style == "R":
        return _relative(at - int(NOW.timestamp()))
    return datetime.fromtimestamp(at, UTC).strftime(_STYLES[style])


def _relative(seconds: int) -> str:
    days, hours = divmod(abs(seconds) // 3600, 24)
    words = count(days, "day") if abs(seconds) >= _DAY else count(hours, "hour")
    return f"in {words}" if seconds > 0 else f"{words} ago"
