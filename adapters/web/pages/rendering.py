"""Pages as HTML, by the templates beside this module."""

from collections.abc import Callable
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from adapters.web.pages.page import PageFacts
from adapters.web.pages.trends import drawing_of_chart, share_of
from bot.domain import page_paths
from bot.domain.paper_ids import arxiv_url, entry_url, web_address
from bot.library.trends import percent
from bot.replies import wording
from bot.replies.naming import line_about, line_found
from bot.replies.papers import SAMPLE, short_author_list, title_without_days

Link = Callable[[str], str | None]
"""Returns the address that a page has for a path, `None` where nothing is at it."""

_PARAGRAPHS = Markup("").join


class Renderer:
    """Renders pages; templates are loaded at their first use.

    Args:
        public_url: the URL below which the pages are served, without a slash at its end; previews
            and canonical links need it.
        has_chat: the server has the chat too, which pages then link to.
        place: returns what stands behind the URL for a path, by default the path.
    """

    def __init__(
        self,
        public_url: str | None = None,
        *,
        has_chat: bool = False,
        place: Callable[[str], str] = str,
    ) -> None:
        self._absolute = (lambda path: f"{public_url}{place(path)}") if public_url else None
        self._environment = Environment(
            loader=PackageLoader("adapters.web.pages"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.filters |= {
            "count": wording.count,
            "day": wording.day,
            "drawing": drawing_of_chart,
            "paragraphs": _paragraphs,
            "percent": percent,
            "share": share_of,
            "authors": short_author_list,
            "title_without_days": title_without_days,
            "web_address": web_address,
        }
        self._environment.globals |= {
            "days": wording.days,
            "place": wording.place,
            "places": wording.places,
            "number": wording.number,
            "line_about": line_about,
            "sample": SAMPLE.text,
            "line_found": line_found,
            "with_gaps": wording.with_gaps,
            "entry_url": entry_url,
            "arxiv_url": arxiv_url,
            "paths_to": page_paths,
            "iso_week": _iso_week,
            "has_chat": has_chat,
        }

    def render(self, page: PageFacts, link: Link, **more: Any) -> str:  # noqa: ANN401 - variables of templates
        """Return a page as HTML; `more` are further variables of its template."""
        template = self._environment.get_template(page.template)
        return template.render(page=page, link=link, absolute=self._absolute, **page.facts, **more)


def _iso_week(edition: Any) -> str:  # noqa: ANN401 - an edition of a template
    from store.library.editions import iso_week

    return iso_week(edition.first_day, edition.last_day)


def _paragraphs(text: str | None) -> Markup:
    """Return the lines of a text as paragraphs, escaped."""
    lines = (line.strip() for line in (text or "").split("\n"))
    return _PARAGRAPHS(Markup("<p>{}</p>").format(line) for line in lines if line)
