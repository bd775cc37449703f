"""The pictures of what people see: up to date, and every text of them can be read."""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page

from tests.pictures.browser import (
    MissingBrowserError,
    faults,
    find_browser,
    offline_page,
    show,
    started_for_test,
)
from tests.pictures.kept import FACTS, FOLDER, facts_of, names_kept
from tests.pictures.scenes.gather import pages
from tests.pictures.table import ALL_LOOKS


@pytest.fixture(scope="module")
def made() -> dict[str, str]:
    """Return the pages of all scenes."""
    return pages()


@pytest.fixture(scope="module")
def browser() -> Iterator[Page]:
    """Give a page of a browser."""
    with started_for_test() as started:
        yield offline_page(started)


def test_pictures_are_up_to_date(made: dict[str, str]) -> None:
    """The pictures that are kept show what the program says now; else `make pictures` is due."""
    assert json.loads(FACTS.read_text(encoding="utf-8")) == json.loads(facts_of(made))
    assert {path.name for path in FOLDER.glob("*.png")} == names_kept()


def test_every_text_can_be_read(made: dict[str, str], browser: Page) -> None:
    """In every look each text lies in its frame, none over another, none faint, none too wide."""
    found = {}
    for key, html in made.items():
        browser.set_content(html)
        for look in ALL_LOOKS:
            show(browser, look)
            if wrong := faults(browser):
                found[f"{key}-{look.suffix}"] = wrong
    assert found == {}


def test_faults_are_found(browser: Page) -> None:
    """The check of a page tells each kind of fault."""
    browser.set_content(
        '<body style="margin: 0"><div class="message" style="width: 99px; white-space: nowrap">'
        '<p style="color: #999">Much too wide for its message, and faint</p>'
        '<p style="position: relative; top: -30px">Above</p></div>'
        '<p style="width: 2000px; white-space: nowrap">Wide</p></body>'
    )
    show(browser, ALL_LOOKS[-1])
    kinds = {fault.partition(":")[0].partition(",")[0] for fault in faults(browser)}
    assert kinds == {"faint", "outside its frame", "over each other", "scrolls sideways"}


def test_a_missing_browser_is_told_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a browser one sentence says how to get one."""
    monkeypatch.setenv("PATH", "")
    with pytest.raises(MissingBrowserError, match="apt-get install chromium"):
        find_browser()
