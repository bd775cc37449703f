"""A fake of the daily papers endpoint of Hugging Face, in memory.

Its documentation is https://huggingface.co/docs/hub/en/api#get-apidailypapers.
"""

import json
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from bot.errors import PageGone, SourceError
from bot.ingest.documents import MAX_BYTES
from bot.sources.fetcher import NO_VALIDATORS, FetchedPage, Validators

URL = "https://papers.example/api/daily_papers"


@dataclass
class DailyPapers:
    """A fetcher of the listed papers of a week or a day, in pages, the most votes first.

    A page has at most `cap` papers. Papers that are `hidden` are left out after paging, so that
    a page may be short. Weeks that are `refused` and days after `today` get a 400. A URL that
    contains a key of `instead` gets that text, or raises that error.
    """

    listed: list[Any] = field(default_factory=list)
    today: date = date.max
    cap: int = 100
    hidden: frozenset[str] = frozenset()
    refused: frozenset[str] = frozenset()
    instead: dict[str, str | SourceError] = field(default_factory=dict)
    requests: list[str] = field(default_factory=list)

    async def fetch(
        self,
        url: str,
        known: Validators = NO_VALIDATORS,
        *,
        accept: str = "*/*",
        most: int = MAX_BYTES,
    ) -> FetchedPage | None:
        """Return the page that a URL asks for."""
        del known, accept, most
        self.requests.append(urlsplit(url).query)
        answer = next((answer for words, answer in self.instead.items() if words in url), None)
        if isinstance(answer, SourceError):
            raise answer
        text = json.dumps(self._page(url)) if answer is None else answer
        return FetchedPage(url, text.encode(), Validators('"1"'))

    def weeks(self) -> list[str]:
        """Return the requested weeks, each once, and clear the requests."""
        weeks = list(dict.fromkeys(dict(parse_qsl(each)).get("week", "") for each in self.requests))
        self.requests.clear()
        return weeks

    def _page(self, url: str) -> list[Any]:
        query = dict(parse_qsl(urlsplit(url).query))
        limit = min(int(query.get("limit", "50")), self.cap)
        start = int(query.get("p", "0")) * limit
        ranked = sorted(self.listed, key=lambda each: -each["paper"]["upvotes"])
        page = [each for each in ranked if self._is_wanted(each, query)][start : start + limit]
        return [each for each in page if each["paper"]["id"] not in self.hidden]

    def _is_wanted(self, element: Any, query: dict[str, str]) -> bool:
        if query.get("week") in self.refused:
            raise PageGone("papers.example answers with 400.", status=400)
        if date.fromisoformat(query.get("date", "0001-01-01")) > self.today:
            raise PageGone("papers.example answers with 400.", status=400)
        at = datetime.fromisoformat(element["paper"]["submittedOnDailyAt"])
        days = {"week": f"{at:%G-W%V}", "date": f"{at:%Y-%m-%d}"}
        return all(query.get(name, day) == day for name, day in days.items())
