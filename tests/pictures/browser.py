"""The system's Chromium, which draws pages and tells how they lie."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.pictures.table import Look

_NAMES = ("chromium", "chromium-browser", "google-chrome")
_FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip
_CHECKS = (Path(__file__).parent / "checks.js").read_text(encoding="utf-8")
_HEIGHT = 100  # a picture is as high as its page


class MissingBrowserError(Exception):
    """There is no browser on this machine."""

    def __init__(self) -> None:
        super().__init__(
            "Pictures and web pages need a browser: install one with `apt-get install chromium`, or"
            f" put {', '.join(_NAMES[:-1])} or {_NAMES[-1]} on the PATH."
        )


def find_browser() -> str:
    """Return the path of a browser.

    Raises:
        MissingBrowserError: where there is none.
    """
    found = next(filter(None, map(shutil.which, _NAMES)), None)
    if found is None:
        raise MissingBrowserError
    return found


@contextmanager
def started() -> Iterator[Browser]:
    """Give a browser.

    Raises:
        MissingBrowserError: where there is no browser.
    """
    path = find_browser()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=_FLAGS)
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def started_for_test() -> Iterator[Browser]:
    """Give a browser, or skip with the reason where there is none.

    Under `CI=true` that is a failure: nothing may go untested unnoticed.
    """
    try:
        with started() as browser:
            yield browser
    except MissingBrowserError as error:
        if os.environ.get("CI") == "true":
            pytest.fail(str(error))
        pytest.skip(str(error))


def offline_page(browser: Browser) -> Page:
    """Return a page that asks nobody for anything."""
    return browser.new_context(offline=True).new_page()


def show(page: Page, look: Look) -> None:
    """Show what a page holds in a theme, at a width."""
    page.set_viewport_size({"width": look.width, "height": _HEIGHT})
    page.emulate_media(color_scheme="dark" if look.theme == "dark" else "light")
    page.evaluate("theme => document.documentElement.dataset.theme = theme", look.theme)


def faults(page: Page) -> list[str]:
    """Return in words what is wrong with the text of a page as it lies there."""
    found: list[str] = page.evaluate(_CHECKS)
    return found
