"""Pages in a browser: by keys, without script, on a phone, in the dark, on paper, read aloud."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from itertools import cycle, product
from pathlib import Path
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped] # it has none
from playwright.sync_api import Browser, Page, ViewportSize

from store.database import Database
from store.library import arxiv
from tests.adapters.web.pages.serving import beside, pages_of
from tests.bot.ingest.drafts import MONDAY, edition, entry
from tests.bot.ingest.imports import NOW, take_in
from tests.fakes.arxiv import withdrawn
from tests.pictures.browser import faults, started_for_test
from tests.pictures.editions import fill

_LONG = "Antidisestablishmentarianism" * 8
_HOSTILE = f"{_LONG} <b>\u202eevil\u202c & \u2066\N{PILE OF POO}\u2069 " + "wide " * 60
_LATER = MONDAY + timedelta(days=7)
_ID = "2510.04871"

# A page of every kind, by what it is.
_KINDS = {
    "home": "/",
    "edition": "/editions/dair/2026-01-05",
    "review": "/editions/paperdive/2026-01-05",
    "edition of long words": f"/editions/dair/{_LATER}",
    "source": "/editions/dair",
    "week": "/weeks/2026-W02",
    "weeks": "/weeks",
    "year": "/weeks/2025",
    "paper": f"/papers/{_ID}",
    "paper of long words": f"/papers/dair/{_LATER}/1",
    "topics": "/topics",
    "topic": "/topics/agents",
    "best": "/top/2026-01",
    "trends": "/trends",
    "consensus": "/consensus/2026-W02",
    "search": "/search",
    "found": "/search?q=small+models",
    "found in words": "/search?q=anything+on+models+since+2025",
    "answered": "/search?q=best+papers+on+agents+in+2025",
    "quoted": "/search?q=why+do+language+models+hallucinate%3F",
    "for chat": "/search?q=remind+me+every+friday+at+5pm",
    "not found": f"/search?q={_LONG}",
    "not understood": "/search?q=models&since=someday",
    "about": "/about",
    "chat": "/chat",
    "missing": "/nothing",
    "missing week": "/weeks/2026-W40",
}
_PHONE, _DESK = ViewportSize(width=320, height=800), ViewportSize(width=1280, height=800)
_SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")

# What WCAG 2.2 asks for at level AA, and what its readers call good practice.
_OPTIONS = {
    "resultTypes": ["violations"],
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
}
_GRAVE = {"serious", "critical"}

# Elements that end beside the page, and text too small to read, in words.
_BESIDE = """() => [...document.body.querySelectorAll("*")]
  .filter(each => each.checkVisibility() && !each.closest("pre *"))
  .filter(each => {
    const box = each.getBoundingClientRect();
    return box.left < -0.5 || box.right > innerWidth + 0.5;
  })
  .map(each => `beside the page: ${each.outerHTML.slice(0, 80)}`)"""
_SMALL = """() => [...document.body.querySelectorAll("*")]
  .filter(each => each.checkVisibility() && [...each.childNodes].some(n => n.nodeName == "#text"))
  .filter(each => {
    const scale = each.getScreenCTM ? each.getScreenCTM().a : 1;
    return parseFloat(getComputedStyle(each).fontSize) * scale < 12;
  })
  .map(each => `small: ${each.outerHTML.slice(0, 80)}`)"""

# Which of all that takes keys has the focus, and whether that is seen.
_FOCUS = """() => {
  const all = "a[href], button, input, select, summary, [tabindex]";
  const seen = [...document.querySelectorAll(all)].filter(each => each.checkVisibility());
  const style = getComputedStyle(document.activeElement);
  const marked = style.outlineStyle != "none" && parseFloat(style.outlineWidth) >= 2;
  return [seen.indexOf(document.activeElement), seen.length, marked];
}"""


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve half a year of three sources, with authors and words that no page is made for."""
    path = tmp_path_factory.mktemp("pages") / "store.db"
    with beside(_pages(path)) as url:
        yield url


@asynccontextmanager
async def _pages(path: Path) -> AsyncIterator[str]:
    await fill(path)
    async with Database(f"sqlite:///{path}") as database:
        await _add_hostile(database)
        async with pages_of(database, has_chat=True) as url:
            yield url


async def _add_hostile(database: Database) -> None:
    hostile = entry(
        1, _HOSTILE, _HOSTILE, highlights=[_HOSTILE], links=[f"https://{'a' * 60}.example/{_LONG}"]
    )
    draft = edition(
        replace(hostile, heading=_HOSTILE, section=_HOSTILE),
        replace(entry(2, "Deep"), rank=99999),
        first_day=_LATER,
        title=_HOSTILE,
    )
    await database.write(take_in, replace(draft, overview=_HOSTILE), "dair")
    told = replace(
        withdrawn(_ID),
        authors=("Ada North", _LONG, *(f"Ben van der East {n}" for n in range(30))),
        abstract=_HOSTILE,
    )
    await database.write(arxiv.store_answers, [_ID], [told], NOW, NOW)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Give a browser."""
    with started_for_test() as browser:
        yield browser


@pytest.fixture
def plain(browser: Browser) -> Iterator[Page]:
    """Give a page that runs no script, as wide as a phone."""
    with browser.new_context(java_script_enabled=False, viewport=_PHONE) as context:
        yield context.new_page()


@pytest.fixture
def scripted(browser: Browser) -> Iterator[Page]:
    """Give a page that runs scripts."""
    with browser.new_context(viewport=_PHONE) as context:
        yield context.new_page()


def _grave(page: Page) -> list[str]:
    """Return what axe-core finds to be a serious barrier."""
    found = Axe().run(page, options=_OPTIONS).response["violations"]
    return [
        f"{each['id']}: {node['html'][:100]}"
        for each in found
        if each["impact"] in _GRAVE
        for node in each["nodes"]
    ]


def _wrong(page: Page) -> list[str]:
    """Return what does not lie well on a page."""
    return [*faults(page), *page.evaluate(_BESIDE), *page.evaluate(_SMALL)]


def test_no_page_has_a_serious_barrier(scripted: Page, url: str) -> None:
    """Axe-core finds none on any kind of page, by turns light on a desk and dark on a phone."""
    found = {}
    looks = cycle(zip((_DESK, _PHONE), _SCHEMES, strict=True))
    for (kind, path), (size, scheme) in zip(_KINDS.items(), looks, strict=False):
        scripted.set_viewport_size(size)
        scripted.emulate_media(color_scheme=scheme)
        scripted.goto(f"{url}{path}")
        if grave := _grave(scripted):
            found[kind, scheme] = grave
    assert found == {}


def test_every_page_fits_a_phone_and_a_desk(plain: Page, url: str) -> None:
    """In light and dark nothing lies beside it or over other text, or is small, faint or wide.

    It asks nobody else for anything, and its own policy refuses nothing.
    """
    plain.on("console", lambda message: said.append(message.text))
    plain.on("request", lambda request: asked.append(request.url))
    found = {}
    for kind, path in _KINDS.items():
        said: list[str] = []
        asked: list[str] = []
        answer = plain.goto(f"{url}{path}")
        assert all(each.startswith(f"{url}/") for each in asked), kind
        # A browser remarks on a status that is an error.
        assert answer
        assert len(said) == (not answer.ok), (kind, said)
        for size, scheme in product((_PHONE, _DESK), _SCHEMES):
            plain.set_viewport_size(size)
            plain.emulate_media(color_scheme=scheme)
            if wrong := _wrong(plain):
                found[kind, size["width"], scheme] = wrong
    assert found == {}


def test_all_of_a_page_is_reached_by_keys(plain: Page, url: str) -> None:
    """Tab goes through every link and field in the order of the text, and the place is seen."""
    for kind in ("edition", "paper", "trends", "found"):
        plain.goto(f"{url}{_KINDS[kind]}")
        count = plain.evaluate(_FOCUS)[1]
        assert count > 5
        for place in range(count):
            plain.keyboard.press("Tab")
            assert plain.evaluate(_FOCUS) == [place, count, True], (kind, place)


def test_keys_alone_skip_to_the_content_and_search(plain: Page, url: str) -> None:
    """The first Tab shows a link past the navigation; words and Enter make a search."""
    plain.goto(url)
    plain.keyboard.press("Tab")
    assert plain.inner_text(":focus") == "Skip to the content"
    box = plain.locator(":focus").bounding_box()
    assert box
    assert (box["x"] >= 0, box["width"] > 100) == (True, True)
    plain.keyboard.press("Enter")
    plain.keyboard.press("Tab")
    assert plain.locator("main :focus").count() == 1
    plain.locator("header input").focus()
    plain.keyboard.type("small models")
    with plain.expect_navigation():
        plain.keyboard.press("Enter")
    assert plain.url == f"{url}/search?q=small+models"
    assert "Small Language Models" in plain.inner_text("main")


def test_answers_in_the_chat_are_such_pages_too(scripted: Page, url: str) -> None:
    """Each line is typed and sent by keys; its answer fits, and has no barrier."""
    found = {}
    scripted.goto(f"{url}/chat")
    for line in ("help", "search models", "1", "consensus", "sources", "trends", "week banana"):
        scripted.locator("input[name=line]").focus()
        scripted.keyboard.type(line)
        with scripted.expect_navigation():
            scripted.keyboard.press("Enter")
        for size, scheme in zip((_DESK, _PHONE), _SCHEMES, strict=True):
            scripted.set_viewport_size(size)
            scripted.emulate_media(color_scheme=scheme)
            if wrong := _wrong(scripted):
                found[line, scheme] = wrong
        if grave := _grave(scripted):
            found[line, scheme] = grave
    assert found == {}


def test_a_printed_page_has_its_content_alone(plain: Page, url: str) -> None:
    """Navigation, fields and feeds stay on the screen."""
    plain.goto(f"{url}{_KINDS['edition']}")
    screen = plain.inner_text("body")
    plain.emulate_media(media="print")
    paper = plain.inner_text("body")
    for words in ("Weeks", "Search", "Feed:", "About these pages"):
        assert (words in screen, words in paper) == (True, False), words
    assert "Less is More" in paper


def test_barriers_and_misfits_are_found(scripted: Page) -> None:
    """The checks of this file tell a page that has them."""
    scripted.set_content(
        '<html lang="en"><title>A page</title><main><h1>A page</h1><button></button>'
        '<input style="width: 9000px" aria-label="Wide"><p style="font-size: 9px">Tiny</p></main>'
    )
    assert [each.partition(":")[0] for each in _grave(scripted)] == ["button-name", "target-size"]
    assert {"beside the page", "small"} <= {each.partition(":")[0] for each in _wrong(scripted)}
