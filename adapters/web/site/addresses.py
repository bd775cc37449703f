"""The file of each path, and the links between files. Pure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from bot.domain.page_paths import FEED, HOME, ICON, STYLE, relative

# Tells GitHub Pages to take files as they are:
# https://docs.github.com/en/pages/getting-started-with-github-pages/about-github-pages-and-jekyll
AS_THEY_ARE = ".nojekyll"
_INDEX, _PAGE = "index.html", ".html"
_SAFE = re.compile(r"[A-Za-z0-9][\w.-]*(?:/[A-Za-z0-9][\w.-]*)*", re.ASCII)
_FEED = re.compile(re.escape(FEED) + r"\?(source|topic)=([a-z0-9-]+)")


def is_safe(file: str) -> bool:
    """Tell whether a file's name leads to a place below its folder, and to nothing hidden."""
    return file == AS_THEY_ARE or _SAFE.fullmatch(file) is not None


def file_of(path: str) -> str | None:
    """Return the file of a path: `weeks/2026-W02.html`; `None` for a path that can have none."""
    if path == HOME:
        return _INDEX
    if feed := _FEED.fullmatch(path):
        return f"feeds/{feed[1]}/{feed[2]}.atom"
    file = path.removeprefix("/") + ("" if path in {FEED, STYLE, ICON} else _PAGE)
    return file if is_safe(file) else None


def path_of(file: str) -> str | None:
    """Return the path of a page's file, `None` for the file of something else."""
    return f"/{file.removesuffix(_PAGE)}" if file.endswith(_PAGE) else None


@dataclass(frozen=True, slots=True)
class Addresses:
    """The addresses of files; several paths may have the same one.

    `url` is where the files are published, without a slash at its end, empty if nobody said.
    """

    files: Mapping[str, str]
    url: str = ""

    def link(self, seen_from: str, path: str) -> str | None:
        """Return the address of a path in the links of a file, `None` where nothing is at it."""
        file = self.files.get(path)
        return relative(f"/{file}", f"/{seen_from}") if file else None

    def place(self, path: str) -> str | None:
        """Return what stands for a path behind the URL, `None` where nothing is at it."""
        file = self.files.get(path)
        return f"/{'' if file == _INDEX else file}" if file else None

    def absolute(self, path: str) -> str | None:
        """Return the address of a path below the URL, `None` where nothing is at it."""
        place = self.place(path)
        return f"{self.url}{place}" if place else None

    def in_feed(self, seen_from: str, path: str) -> str | None:
        """Return the address of a path in the links of a feed.

        Without a URL nobody knows where a feed is, so it does not name itself.
        """
        if self.url:
            return self.absolute(path)
        return None if path.startswith(FEED) else self.link(seen_from, path)
