"""The web pages and feeds as files: which file a path is, and the writing of all."""

import re
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import partial
from importlib.resources import files as resources
from pathlib import Path

from adapters.web.pages.feeds import feed
from adapters.web.pages.finder import all_paths, find_page
from adapters.web.pages.page import Library, Moved, PageFacts
from adapters.web.pages.rendering import Renderer
from adapters.web.site_folder import AS_THEY_ARE, is_safe, opened
from bot.domain.page_paths import (
    CONSENSUS,
    FEED,
    HOME,
    ICON,
    SEARCH,
    STYLE,
    relative,
    source_path,
    topic_path,
    with_query,
)
from bot.replies.wording import count
from store.database import Database, Session
from store.library import editions, related, statistics
from store.search import Filters, SearchQuery
from store.sources import CONSENSUS as MERGED

_INDEX, _PAGE, _MISSING = "index.html", ".html", "404.html"
_FEED_OF = re.compile(re.escape(FEED) + r"\?(source|topic)=([a-z0-9-]+)")
_ELSEWHERE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Moved · Broadsheet</title>
<meta http-equiv="refresh" content="0; url={0}">
<link rel="stylesheet" href="{1}">
</head>
<body>
<main><p><a href="{0}">This page is elsewhere now.</a></p></main>
</body>
</html>
"""


def file_of(path: str) -> str | None:
    """Return the file of a path: `weeks/2026-W02.html`; `None` for a path that can have none."""
    if path == HOME:
        return _INDEX
    if named := _FEED_OF.fullmatch(path):
        return f"feeds/{named[1]}/{named[2]}.atom"
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


Progress = Callable[[int, int], None]
"""Is called with the number of files that are done, and of all."""


@dataclass(frozen=True, slots=True)
class Written:
    """The numbers of files that were written, were there already, and were removed."""

    written: int
    unchanged: int
    removed: int

    def __str__(self) -> str:
        """Return the numbers in words."""
        unchanged = f", {self.unchanged:,} unchanged" if self.unchanged else ""
        removed = f", {self.removed:,} removed" if self.removed else ""
        return f"{count(self.written, 'file')} written{unchanged}{removed}"


async def write_site(  # noqa: PLR0913 - what to write, where, how, and whom to tell
    database: Database,
    day: date,
    root: Path,
    url: str = "",
    progress: Progress | None = None,
    *,
    force: bool = False,
) -> Written:
    """Write the files that changed, and remove those of earlier runs that are no more.

    `day` (UTC) is the day that they are written on. `url` is where they are going to be published,
    without a slash at its end, empty if nobody said.

    Raises:
        UserError: if the folder can't be written, or has files of somebody else and `force` is not
            set.
    """
    stopped = threading.Event()

    def write(session: Session) -> Written:
        with opened(root, force=force) as folder:
            bodies = bodies_of(Library(session, day, related.Known()), url, folder.earlier)
            files, written = frozenset(bodies), 0
            folder.announce(files)
            for number, (file, make) in enumerate(bodies.items(), start=1):
                if stopped.is_set():  # nobody waits for it any more
                    return Written(written, number - 1 - written, 0)
                written += folder.put(file, make())
                if progress:
                    progress(number, len(files))
            return Written(written, len(files) - written, folder.finish(files))

    try:
        return await database.read(write)
    finally:
        stopped.set()


def bodies_of(
    library: Library, url: str, earlier: frozenset[str]
) -> Mapping[str, Callable[[], bytes]]:
    """Return the files of a site, each with the function that makes what is in it.

    Where the page of an earlier file has another path now, the file leads there: addresses are for
    good.
    """
    pages = [path for path in all_paths(library) if file_of(path)]
    feeds = {path: typed for path, typed in _feeds(library) if file_of(path)}
    files = {path: file for path in (STYLE, ICON, *pages, *feeds) if (file := file_of(path))}
    others = {path: files[other] for path, other in _redirects(library) if other in files}
    addresses = Addresses({**files, **others}, url)
    renderer = Renderer(url, place=lambda path: addresses.place(path) or path)
    nowhere = PageFacts("/404", "missing.html", "No such page", "Nothing is here.", {})

    def page(path: str, file: str) -> bytes:
        link = partial(addresses.link, file)
        found = find_page(library, path)
        if isinstance(found, Moved):
            return _ELSEWHERE.format(link(found.path), link(STYLE)).encode()
        return renderer.render(found or nowhere, link).encode()

    def written_feed(path: str, file: str) -> bytes:
        typed = feeds[path]
        query = SearchQuery(filters=Filters(topic=typed.get("topic")))
        return feed(library, query, typed, partial(addresses.in_feed, file)).encode()

    beside = resources("adapters.web.pages").joinpath
    bodies: dict[str, Callable[[], bytes]] = {
        **{files[path]: partial(page, path, files[path]) for path in pages},
        **{files[path]: partial(written_feed, path, files[path]) for path in feeds},
        files[STYLE]: beside("style.css").read_bytes,
        files[ICON]: beside("icon.svg").read_bytes,
        AS_THEY_ARE: bytes,
    }
    if url:  # it is shown at any address, so that relative links would lead nowhere
        bodies[_MISSING] = lambda: Renderer().render(nowhere, addresses.absolute).encode()
    for file in sorted(earlier - set(bodies)):
        path = path_of(file)
        found = find_page(library, path) if path else None
        if path and isinstance(found, Moved) and found.path in addresses.files:
            bodies[file] = partial(page, path, file)
    return bodies


def _feeds(library: Library) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the paths of the feeds that pages name, with the fields of their searches."""
    sources = (each.source.slug for each in editions.source_states(library.session, library.day))
    topics = (each.topic for each in statistics.topic_counts(library.session))
    searches = (
        {},
        *({"source": slug} for slug in sources),
        *({"topic": slug} for slug in topics),
    )
    for typed in searches:
        yield with_query(FEED, **typed), typed


def _redirects(library: Library) -> Iterator[tuple[str, str]]:
    """Yield paths that others stand for in links; a search for a topic is one in its feed."""
    for path in (CONSENSUS, source_path(MERGED)):
        if isinstance(found := find_page(library, path), Moved):
            yield path, found.path
    for each in statistics.topic_counts(library.session):
        yield with_query(SEARCH, topic=each.topic), topic_path(each.topic)
