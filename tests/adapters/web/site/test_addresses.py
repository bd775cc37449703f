"""The file of a path: a safe name, the same each time, with links that hold from any folder."""

import pytest

from adapters.web.site import Addresses, file_of, path_of
from adapters.web.site_folder import is_safe


@pytest.mark.parametrize(
    ("path", "file"),
    [
        ("/", "index.html"),
        ("/weeks", "weeks.html"),
        ("/weeks/2026-W02", "weeks/2026-W02.html"),
        ("/papers/2601.00003", "papers/2601.00003.html"),
        ("/papers/cond-mat/9901001", "papers/cond-mat/9901001.html"),
        ("/feed.atom", "feed.atom"),
        ("/feed.atom?source=dair", "feeds/source/dair.atom"),
        ("/feed.atom?topic=agents", "feeds/topic/agents.atom"),
        ("/style.css", "style.css"),
        ("/feed.atom?q=sparse", None),
        ("/feed.atom?source=../dair", None),
        ("/trends?topic=agents", None),
        ("/../etc/passwd", None),
        ("/papers/../../x", None),
        ("//evil.example/x", None),
        ("/.hidden", None),
        ("/papers/a\nb", None),
        ("/papers/a\\b", None),
        ("/papers/\u202ea", None),
    ],
)
def test_a_path_has_a_file_of_its_own_or_none(path: str, file: str | None) -> None:
    """What could lead out of the folder, or is asked for with a query, has none."""
    assert file_of(path) == file
    assert file is None or is_safe(file)


def test_a_file_tells_its_path() -> None:
    """By which a page that moved is found again."""
    assert path_of("papers/dair/2026-01-05/1.html") == "/papers/dair/2026-01-05/1"
    assert path_of("feeds/source/dair.atom") is None


def test_links_lead_from_any_folder_to_any() -> None:
    """Relative in pages; in feeds by the URL, or relative and without their own address."""
    files = {each: file_of(each) or "" for each in ("/", "/weeks", "/weeks/2026-W02", "/feed.atom")}
    here, there = Addresses(files), Addresses(files, "https://papers.example/x")
    assert here.link("weeks/2026-W02.html", "/weeks") == "../weeks.html"
    assert here.link("weeks.html", "/") == "index.html"
    assert here.link("weeks.html", "/search?author=Ada") is None
    assert here.in_feed("feeds/source/dair.atom", "/weeks") == "../../weeks.html"
    assert here.in_feed("feed.atom", "/feed.atom") is None
    assert there.in_feed("feed.atom", "/feed.atom") == "https://papers.example/x/feed.atom"
    assert there.absolute("/") == "https://papers.example/x/"
    assert there.absolute("/search") is None
