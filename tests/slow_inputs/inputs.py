"""Inputs of any size, put together from fragments by chance."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

# In a fragment it stands for the number of the repetition, so that no two are the same.
NUMBER = "{i}"

# What parsers, renderers and folding stumble over: signs that open something and those that close
# it, letters that become many, signs that weigh nothing, beginnings of what never ends.
FRAGMENTS = (
    "a", "A", "1", "9", "0", " ", "\n", "\t", "\r\n", "\u00a0", "\u2003", "\x0b",
    "(", ")", "[", "]", "{", "}", "<", ">", "()", "[]", "[a]", "](", "[a](b)", "![",
    "<a ", "<a", "</a>", "<a{i}=1 ", "x{i}=1 ", "<b>", "<i>a", "</", "</b>", "<p>", "<div>",
    "<li>", "<table>", "<td>", "<br>", "<!--", "-->", "<![CDATA[", "]]>", "<script>", "<svg>",
    "&", "&amp;", "&amp", "&#", "&#9", "&#1;", "&lt;", ";", "&a",
    "*", "**", "***", "_", "__", "`", "```", "~", "~~", "|", "||", "\\", "\\*", "/", "//",
    "#", "##",
    "-", "--", "\u2013", "\u2014", "+", "=", "%", "$", "^", "@", "!", "?", ".", "...", ",", ":",
    "'", '"', "\u201c", "\u201d", "\u2018", "\u2019", "''", '""',
    "a.", "a. ", "A ", "a b ", "a,", "a, ", ".)", '."', "a-", "-a", "a_", "_a", "a:", "a: ",
    "1.", "1. ",
    "1) ", "- ", "* ", "> ", "| ", "|1. ", "word{i} ", "w{i}\n", "Word{i} ", "W{i}: w\n\n",
    "http", "http://", "https://a", "http://a.b/?", "http://a.b/?c", "https://a.b/{i} ",
    "https://a.b/?a={i}&",
    "www.", ".com", "a.b/", "arxiv.org/abs/", "arxiv.org/abs/2601.0{i} ", "2601.00001 ", "10.1000/",
    "E1", "E1 ", "E1,", "(E1", "(E1,", "E{i} ", "(E{i}) ", "E1-", "E1\u2014", "[E1 and ",
    "Jan 1", "Jan 1 - ", "(Jan 1 - Jan 2) ", "(Jan 1-7)", "2026 ", "2026-01-01 ", "w1 ", "Jan ",
    "topic:", "topic:agents ", "from:", "year:", "in:", "before:", 'a:"', "-a ", "OR ", "NOT ",
    "\ufdfa", "\u3316", "\u3300", "\ufb03", "\xbd", "\xdf", "\u0130", "\xe9", "e\u0301",
    "\u0301", "\u0345",
    "\u0600", "\u4e2d", "\uac00", "\u1100\u1161", "\u200b", "\u200d", "\ufe0f", "\U0001f44d",
    "\U0001f469\u200d", "\U0001f1e6", "\u202e", "\u2028", "\xad", "\U0001d400",
    "\xc2", "\xe2\u20ac", "\xc3\xa9", "\xe2", "\xef\xbb\xbf", "\xf0\u0178", "\xe2\x80\x99", "\x80",
    "@everyone", "<@1>", "<@", "<#C1|", "<#C1|a>", "<!here>", "<t:1:F>", ":a:", ":a", "<:a:1>",
    "n\xe2t ", "can't ", "vs. ", "et al. ", "e.g. ",
)  # fmt: skip
_ALONE = 0.5
_MOST_JOINED = 3
_MOST_PARTS = 3


@dataclass(frozen=True, slots=True)
class Input:
    """What grows between a head and a tail: parts, each of which is repeated equally often."""

    parts: tuple[str, ...]
    head: str = ""
    tail: str = ""

    def of(self, size: int) -> str:
        """Return it with so many characters, or a few less."""
        times = self.times(size)
        return "".join([self.head, *(_repeated(part, times) for part in self.parts), self.tail])

    def times(self, size: int) -> int:
        """Return how often each part is repeated for so many characters."""
        each = sum(map(len, self.parts))
        return max(1, (size - len(self.head) - len(self.tail)) // each)

    def literal(self, size: int) -> str:
        """Return what gives it at such a size in Python."""
        times = self.times(size)
        grown = (_literal(part, times) for part in self.parts)
        around = [repr(self.head)] if self.head else [], [repr(self.tail)] if self.tail else []
        return " + ".join([*around[0], *grown, *around[1]])


def _repeated(part: str, times: int) -> str:
    if NUMBER not in part:
        return part * times
    return "".join([part.replace(NUMBER, str(number)) for number in range(times)])


def _literal(part: str, times: int) -> str:
    if NUMBER not in part:
        return f"{part!r} * {times}"
    return f'"".join({part!r}.replace("{NUMBER}", str(i)) for i in range({times}))'


def invented(dice: Random, fragments: Sequence[str], around: Sequence[tuple[str, str]]) -> Input:
    """Put an input together: of one fragment as often as not, else of some that are joined."""
    if dice.random() < _ALONE:
        return Input((dice.choice(fragments),), *dice.choice(around))
    parts = tuple(_part(dice, fragments) for _ in range(dice.randint(1, _MOST_PARTS)))
    return Input(parts, *dice.choice(around))


def _part(dice: Random, fragments: Sequence[str]) -> str:
    return "".join(dice.choice(fragments) for _ in range(dice.randint(1, _MOST_JOINED)))
