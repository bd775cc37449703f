"""The paths of documents: from what was fetched or imported to what is stored."""

import asyncio
import shutil
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path as File

from bot.enriching.answers import read_answer
from bot.errors import DocumentError, FetchError, SettingsError
from bot.following.addresses import discreet, files_below
from bot.following.weekly_pages import comes_in_pages, week_named
from bot.ingest import documents
from bot.ingest.apart.apart import PATIENCE
from bot.ingest.decide import contribute, decide
from bot.ingest.drafts import ParseOptions
from bot.ingest.pipeline import ImportOptions, ingest
from store.database import Database
from tests.slow_inputs.searching import Path

_NOW = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)
_TODAY = date(2026, 11, 21)
_MOST = 1 << 18
_MOST_STORED = 1 << 17
# So that the longest document takes a third of the time that a process has for it.
_PER_CHARACTER = PATIENCE / 3 / documents.MAX_BYTES

_NEWSLETTER = (
    ("Top AI Papers of the Week (January 5 - January 11)\n\n1. A Title\n\n", "\n"),
    ("Top AI Papers of the Week (January 5 - January 11)\n\n1. A Title\n\nWords.\n\n", "\n"),
    ("Top AI Papers of the Week (January 5 - January 11)\n\n1. A Title\n\nWords.\n\n- ", "\n"),
    ("Top AI Papers of the Week (January 5 - January 11)\n\n", "\n\n1. A Title\n\nWords.\n"),
    ("", "\nTop AI Papers of the Week (January 5 - January 11)\n\n1. A Title\n\nWords.\n"),
    ("Top AI Papers of the Week (January 5 - January 11)\n\n1. ", "\n\nWords.\n"),
    ("Top Papers (January 5 - January 11)\n\n1. T\n\nW.\n\nPaper: https://a.b/c ", " | https://a.b\n"),
)  # fmt: skip
_WEEK = "# Papers\n## Top AI Papers of the Week (January 5 - January 11) - 2026\n| **P** | **L** |\n|---|---|\n"
_LINKS = " | [Paper](https://arxiv.org/abs/2601.00001) |\n"
_ARCHIVE = (
    (f"{_WEEK}| 1) **A Title** - ", _LINKS),
    (f"{_WEEK}| 1) **A Title** - Words.<br>\u25cf **Lead**: ", _LINKS),
    (f"{_WEEK}| 1) ", _LINKS),
    (f"{_WEEK}| 1) **A Title** - Words. | ", " |\n"),
    (f"{_WEEK}| 1) **A Title** - Words. | [Paper](https://arxiv.org/abs/2601.00001)", " |\n"),
    (f"{_WEEK}| 1) **A Title** - Words.{_LINKS}", "\n"),
    ("# Papers\n", f"\n{_WEEK}| 1) **A Title** - Words.{_LINKS}"),
    ("# Papers\n## 2026\n- [Jan 5 - Jan 11](./2026.md)\n- [Jan 12 - Jan 18](./", ")\n"),
    (f"{_WEEK}| 1) **A Title** - Words.{_LINKS}## Top ", "\n"),
)
_REVIEW = (
    ("Week in Review: June 1\u20137, 2026\n\nAn overview.\n\nA Heading\nOf a tagline.\n\nA title\n\n", "\n\nE1 says so. E2 too.\n"),
    ("Week in Review: June 1\u20137, 2026\n\nA Heading\nOf a tagline.\n\nA title\n\nWords of E1.", "\n\nEpisodes in this topic\nE1 A Title\n"),
    ("Week in Review: June 1\u20137, 2026\n\nA Heading\n\nWords of E1.\n\nEpisodes in this topic\n", "\n"),
    ("Week in Review: June 1\u20137, 2026", "\n\nA Heading\n\nWords of E1.\n"),
    ("", "\nWeek in Review: June 1\u20137, 2026\n\nA Heading\n\nWords of E1.\n"),
)  # fmt: skip
_PAGE_HEAD = "<html><head><title>Week in Review: June 1\u20137, 2026</title></head><body><main><h1>Week in Review: June 1\u20137, 2026</h1>"
_PAGE = (
    (f"{_PAGE_HEAD}<h2>A Heading</h2><p>Words of E1.</p>", "</main></body></html>"),
    (f"{_PAGE_HEAD}<h2>A Heading</h2><p>Words of E1.", "</p></main></body></html>"),
    (f"{_PAGE_HEAD}<h2>A Heading</h2><p>Words of E1.</p><a ", ">a</a></main></body></html>"),
    (f"{_PAGE_HEAD}<h2>A Heading</h2><p>E1.</p><p>Episodes in this topic</p><ul><li>E1 ", "</ul></main></body></html>"),
    ("", f"{_PAGE_HEAD}<h2>A Heading</h2><p>Words of E1.</p></main></body></html>"),
    (f"{_PAGE_HEAD}", "<h2>A Heading</h2><p>Words of E1.</p></main></body></html>"),
)  # fmt: skip
_CHANNEL = '<rss version="2.0"><channel><title>Letter</title>'
_ITEM = f"{_CHANNEL}<item><title>Top Papers (January 5-11)</title><link>https://a.b/c</link><pubDate>Mon, 12 Jan 2026 09:00:00 GMT</pubDate>"
_ENDED = "</item></channel></rss>"
_POST = f"{_ITEM}<description><![CDATA[<p>1. A Title</p><p>Words.</p>"
_ATOM = '<feed xmlns="http://www.w3.org/2005/Atom"><title>Letter</title><entry><title>Top Papers (January 5-11)</title>'
_FEED = (
    (_POST, f"]]></description>{_ENDED}"),
    (f"{_POST}<p ", f">a</p>]]></description>{_ENDED}"),
    (f"{_POST}<p>", f"</p>]]></description>{_ENDED}"),
    (f"{_POST}<p>a</p>]]></description><category ", f">a</category>{_ENDED}"),
    (f"{_POST}<p>a</p>]]></description>", _ENDED),
    (f"{_CHANNEL}<item><title>", f"</title><description>a</description>{_ENDED}"),
    (f"{_ITEM}<description>", f"</description>{_ENDED}"),
    ("", f"{_POST}]]></description>{_ENDED}"),
    ('<rss version="2.0" ', f"><channel><title>t</title><item><title>a</title>{_ENDED}"),
    (f"{_ATOM}<content type=\"html\">&lt;p&gt;1. A Title&lt;/p&gt;", "</content></entry></feed>"),
    (f"{_ATOM}<content type=\"xhtml\"><div xmlns=\"http://www.w3.org/1999/xhtml\"><p>1. A</p>", "</div></content></entry></feed>"),
    (_ATOM, "</entry></feed>"),
)  # fmt: skip
_PAPER = '{"paper": {"id": "2601.00001", "upvotes": 1, "submittedOnDailyAt": "2026-01-05T06:35:00Z", "title": "A"'
_DAILY = (
    (f'[{_PAPER}, "summary": "', '"}}]'),
    (f'[{_PAPER}, "githubRepo": "https://', '"}}]'),
    (f"[{_PAPER}}}}}", "]"),
    (f"[{_PAPER}, ", "}}]"),
    (f'[{_PAPER}, "id": "', '"}}]'),
    ("[", f"{_PAPER}}}}}]"),
)
_LISTED = '{"paper": {"id": "26{i}.00001", "upvotes": {i}, "submittedOnDailyAt": "2026-01-05T06:35:00Z", "title": "A"}},'
_ARXIV = (
    '<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>http://arxiv.org/abs/2601.00001v1</id><title>',
    "</title></entry></feed>",
)

_MARKUP = ("<b></b>", "<b> </b>", "<b>a</b>", "<p><b a{i}>", "<b a{i}>", "<p>", "<div>", "<a href=https://a.b>", "</a>", "<br>", "<ul><li>", "<table><tr><td>", "<h2>", "<span>", "</p>", "<p hidden>", "<svg>", "<time>", "<a>", "<i>")

_FORMATS = {
    "newsletter": (_NEWSLETTER, ("1. A\n\nb\n", "2. A\n", "{i}. A\n\nb\n", "- Lead: a\n", "(Jan 5 - Jan 11)\n", "(January 5 - January 11)\n{i}a\n")),
    "archive": (_ARCHIVE, ("<br>\u25cf ", "| {i}) **A** - b | [P](https://a.b/{i}) |\n", "|", "\n|1)", "[P](", "**A", "## Jan 5 - Jan 11\n", "- Jan 5 - Jan 11\n")),
    "review": ((*_REVIEW, *_PAGE), ("E1 a\n", "E1 https://a.b/{i}\n", "https://a.b/{i}\n", "E{i}\n\n", "(Jan 5 - Jan 11)\na\n", "A Heading\n\n", "Episodes in this topic\n", "<h2>a</h2>", "<p>E{i}</p>", "<time datetime=", "<main>", "<a href=https://a.b/{i}>E{i}</a> ", *_MARKUP)),
    "feed": (_FEED, ("<item>", "</item>", "<item><title>a</title></item>", "<b>", "<p>{i}. A</p><p>b</p>", 'a{i}="" ', "&lt;p", "<![CDATA[", "<a:b>", *_MARKUP)),
    "hf-daily": (_DAILY, (_LISTED, "[", '{"a":', '"a{i}":1,', "\\u0000", "\\ud800", "1")),
}  # fmt: skip


def document_paths(folder: File) -> Iterator[Path]:
    """Give the paths of documents; stores are made in a folder from its `empty.db`."""
    for kind, (around, own) in _FORMATS.items():
        yield _document_path(f"read as {kind}", (*around, ("", "")), own, kind)
    anything = tuple(each for around, _ in _FORMATS.values() for each in around)
    signs = tuple(each for _, own in _FORMATS.values() for each in own)
    yield _document_path("recognise", (*anything, ("", "")), signs, None)
    yield _document_path("mend the encoding", (("\xc2\xe2\u20ac", ""), ("", "\xc3\xa9")), _DAMAGED, None)
    yield _import_path(folder, anything, signs)
    yield Path(
        "read arXiv's answer",
        lambda text: read_answer(text.encode(errors="surrogatepass")),
        _MOST,
        (_ARXIV, ("", "")),
        refuses=(DocumentError,),
        per_character=_PER_CHARACTER,
    )
    yield from _address_paths()


_DAMAGED = ("\xc2", "\xc3", "\xe2", "\xe2\u20ac", "\x80", "\x99", "\xe2\x80", "\xf0", "\xa0", "n\xe2t ", "s\xe2 a", "\xe2a")


def _document_path(
    name: str, around: tuple[tuple[str, str], ...], own: tuple[str, ...], kind: str | None
) -> Path:
    def call(text: str) -> None:
        data = text.encode(errors="surrogatepass")
        document = documents.read("a.txt", data).document
        parsed = documents.parse(document, ParseOptions(_TODAY), kind)
        for draft in parsed.editions:
            decide(parsed.slug, draft, contribute(draft, sample=False), None)

    refuses = (DocumentError,)
    return Path(name, call, _MOST, around, own, refuses, per_character=_PER_CHARACTER, weight=3)


def _import_path(
    folder: File, around: tuple[tuple[str, str], ...], own: tuple[str, ...]
) -> Path:
    store = folder / "imported.db"

    async def take_in(text: str) -> None:
        async with Database(f"sqlite:///{store}") as database:
            data = text.encode(errors="surrogatepass")
            await ingest(database, "a.txt", data, ImportOptions(), _NOW)

    def call(text: str) -> None:
        for each in folder.glob(f"{store.name}*"):
            each.unlink()
        shutil.copy(folder / "empty.db", store)
        asyncio.run(take_in(text))

    return Path("import", call, _MOST_STORED, around, own, per_character=4 * _PER_CHARACTER)


def _address_paths() -> Iterator[Path]:
    from adapters.web.fetching.addresses import NOTHING_ALLOWED, check_host, check_name
    from adapters.web.fetching.answers import is_wanted, rest
    from adapters.web.fetching.hops import hop, target

    def ask(text: str) -> None:
        at = target(text)
        check_host(at.raw_host or "", 80, NOTHING_ALLOWED)
        check_name(at.raw_host or "", 80, NOTHING_ALLOWED)

    home = target("https://a.example/b")
    own = ("https://a?b=c&", "https://a.b/?", "?", "&", "=", ".", ",", ")", "a.", "1.", "0x", "%20", "[", "::")
    around = (("", ""), ("https://a.b/?c=d", ""), ("https://", ""), ("https://a.b/?c=", " e"))
    refuses = (FetchError, SettingsError, DocumentError)
    calls = {
        "discreet": discreet,
        "ask for an address": ask,
        "follow a redirect": lambda text: hop(home, text),
        "read Retry-After": lambda text: rest({"Retry-After": text, "Date": text}),
        "read a content type": lambda text: is_wanted(text, "text/html, application/json"),
        "files of an index": lambda text: files_below("https://a.b/c/d", text.split("\n")),
        "tell a page of a list": lambda text: comes_in_pages(text.encode(errors="replace")),
        "tell the week of an address": week_named,
    }
    for name, call in calls.items():
        yield Path(name, call, 1 << 17, around, own, refuses, per_character=_PER_CHARACTER)
