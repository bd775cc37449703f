"""Whose an address is, and where the files are that an index leads to."""

import pytest

from bot.domain.addresses import files_below, source_at, without_keys
from store.records import Source
from store.sources import Address, FollowedSource, Validators

INDEX = "https://raw.example/owner/papers/main/README.md"


def _followed(slug: str, *urls: str) -> FollowedSource:
    addresses = (Address(1, None, url, Validators(), None, None, None, None) for url in urls)
    return FollowedSource(Source(slug, slug), enabled=True, addresses=tuple(addresses))


def test_an_index_leads_to_files_beside_it_and_below() -> None:
    """Each once, whatever heading of it is meant; never to itself or to another place."""
    files = (
        "years/2026.md#january",
        "years/2026.md#may",
        "./older.md",
        "README.md#top",
        "../secret.md",
        "/etc/years.md",
        "https://elsewhere.example/2026.md",
        "file:///etc/passwd.md",
        "https://[half.md",
    )
    assert files_below(INDEX, files) == (
        "https://raw.example/owner/papers/main/years/2026.md",
        "https://raw.example/owner/papers/main/older.md",
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "https://a.example/?key=abc&x: it is none.",
            "https://a.example/?key=…&…: it is none.",
        ),
        ("At http://a.example/f?abc, and so on.", "At http://a.example/f?…, and so on."),
        ("(https://a.example/f?key=a.b)", "(https://a.example/f?key=…)"),
        (
            "https://a.example/?week=2025-W04&p=0 ends.",
            "https://a.example/?week=2025-W04&p=0 ends.",
        ),
        ("Is that so? No: why?No", "Is that so? No: why?No"),
    ],
)
def test_what_may_be_a_key_is_not_told(text: str, told: str) -> None:
    """Of an address all but its query stays, and of that the names, and which page it is."""
    assert without_keys(text) == told


KNOWN = [
    _followed("weekly", "https://weekly.example/feed"),
    _followed("archive", "https://raw.githubusercontent.com/owner/papers/main/README.md"),
    _followed("one", "https://both.example/one"),
    _followed("two", "https://both.example/two"),
]


@pytest.mark.parametrize(
    ("url", "slug"),
    [
        ("https://weekly.example/feed", "weekly"),
        ("https://weekly.example/2026/another-post", "weekly"),
        ("https://weekly.example:8443/feed", None),
        ("https://raw.githubusercontent.com/owner/papers/main/years/2026.md", "archive"),
        ("https://raw.githubusercontent.com/owner/others/main/README.md", None),
        ("https://both.example/one", "one"),
        ("https://both.example/three", None),
        ("https://unknown.example/", None),
    ],
)
def test_a_page_is_the_sources_whose_address_or_host_it_has(url: str, slug: str | None) -> None:
    """On a host where everybody has a place, whose place it is; nobody's where it may be two's."""
    assert source_at(url, KNOWN) == slug


def test_nothing_lies_below_what_is_no_address() -> None:
    """An operator may mistype an address; whoever is to fetch it says so."""
    assert files_below("https://[half", ("2026.md",)) == ()
