"""The links of an archive's right cell, wherever they stand in it."""

import re
from dataclasses import dataclass

from bot.ingest.formats.archive.text import ADDRESS, LABEL, plain_text, unescaped
from store.records import Link

# `[label](address)`, also with blanks about the address, in `<…>`, or never closed.
_LINK = re.compile(
    rf"!?\[(?P<label>{LABEL})\]"
    rf'\s*+\(\s*+<?(?P<address>{ADDRESS})>?(?:\s++"[^"]*")?\s*+(?P<end>\))?'
)
_BARE_ADDRESS = re.compile(r"https?://[^\s<>()\[\]|\"']+", re.IGNORECASE)
_WEB_ADDRESS = re.compile(r"https?://[^\s/]+\.[^\s/]+", re.IGNORECASE)
_HOST_WITHOUT_SCHEME = re.compile(r"(?:[\w-]+\.)+[a-z]{2,24}(?:[/?#]|$)", re.IGNORECASE)

# Separators are unreliable in real archives: stray brackets and underscores mean nothing.
_SEPARATORS = " \t\n.,;:()[]<>_*/&+|\\-\u2013\u2014\u00b7\u2022\u00a0"
_LINE_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_UNLABELLED = "Link"

# What was not understood is quoted so far; its line holds the rest.
_LONGEST_QUOTE = 80


@dataclass(frozen=True, slots=True)
class LinkCell:
    """The links of a cell in their order, and in words what of it was not understood."""

    links: tuple[Link, ...]
    problems: tuple[str, ...]


def holds_link(cell: str) -> bool:
    """Tell whether a cell has a link or a bare address anywhere."""
    return "](" in cell or _LINK.search(cell) is not None or _BARE_ADDRESS.search(cell) is not None


def only_links(cell: str) -> bool:
    """Tell whether a cell has links and, beside them, nothing but separators."""
    return holds_link(cell) and not _leftover(_BARE_ADDRESS.sub(" ", _LINK.sub(" ", cell)))


def read_links(cell: str) -> LinkCell:
    """Read every link of a cell; one that stands there twice alike counts once."""
    links: dict[Link, None] = {}
    problems: list[str] = []
    for match in _LINK.finditer(cell):
        if not match["end"]:
            problems.append(f"the link {_quoted(match['label'])} is not closed")
        _add(links, problems, match["label"], match["address"])
    rest = _LINK.sub(" ", cell).strip(_SEPARATORS)
    for match in _BARE_ADDRESS.finditer(rest):
        _add(links, problems, "", match[0])
    if rest and (leftover := _leftover(_BARE_ADDRESS.sub(" ", rest))):
        problems.append(f"among the links stands {_quoted(leftover)}, which is no link")
    return LinkCell(tuple(links), tuple(problems))


def _add(links: dict[Link, None], problems: list[str], label: str, address: str) -> None:
    """Keep a link under its cleaned label, or say why its address can't be one."""
    name = plain_text(label).strip("()[]_, ") or _UNLABELLED
    url = unescaped(address).rstrip(",;")
    if _WEB_ADDRESS.match(url):
        links[Link(name, url)] = None
    elif _HOST_WITHOUT_SCHEME.match(url):
        problems.append(f"the address {_quoted(url)} lacks https://, which was added")
        links[Link(name, f"https://{url}")] = None
    else:
        problems.append(
            f"the link {_quoted(name)} leads to {_quoted(url)}, which is no web address"
        )


def _leftover(text: str) -> str:
    """Return what is left of a cell without its links, or "" for mere separators."""
    return plain_text(_LINE_BREAK.sub(" ", text).strip(_SEPARATORS)).strip(_SEPARATORS)


def _quoted(text: str) -> str:
    return f'"{text}"' if len(text) <= _LONGEST_QUOTE else f'"{text[:_LONGEST_QUOTE]}\u2026"'
