"""The paths of documents: from what was fetched or imported to what is stored."""

import asyncio
import shutil
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path as File

from adapters.common.response_headers import retry_after
from adapters.web.http_client.http_fetcher import accepts
from adapters.web.http_client.redirects import parse_url, redirect_target
from adapters.web.http_client.ssrf_guard import EMPTY_ALLOWLIST, check_host, check_proxied_host
from bot.domain.addresses import files_below, without_keys
from bot.domain.drafts import ParseOptions
from bot.errors import DocumentError, FetchError
from bot.ingest import documents
from bot.ingest.decide import contribute, decide
from bot.ingest.pipeline import ImportOptions, ingest
from bot.ingest.worker import TIMEOUT
from bot.sources.arxiv_metadata import read_answer
from bot.sources.daily_papers import is_paged_list, week_in_url
from store.database import Database
from tests.slow_inputs.remembering import Call
from tests.slow_inputs.searching import Path
from tests.slow_inputs.shapes import ARXIV, DAMAGED, FOREIGN, SHAPES, Shape

_NOW = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)
_TODAY = date(2026, 11, 21)
# A document may have forty times as many, and be stored: what costs the square of it shows before.
_MOST = 1 << 18
_MOST_STORED = 1 << 17
# So that the longest document takes a third of the time that a process has for it.
_PER_CHARACTER = TIMEOUT / 3 / documents.MAX_BYTES
# Beside what the process has, some 90 MB; a document of 100 kB may take 300 MB together.
_MEMORY = 200 * 1024 * 1024
_WRITING = 4  # times as much where all of it is written to a store
_EMPTY = ("", "")


def document_paths(folder: File) -> Iterator[Path]:
    """Give the paths of documents; stores are made in a folder from its `empty.db`."""
    anything = Shape(
        tuple(each for shape in SHAPES.values() for each in shape.around),
        tuple(each for shape in SHAPES.values() for each in shape.fragments),
    )
    for kind, shape in SHAPES.items():
        yield _document_path(f"read as {kind}", shape, kind)
    yield _document_path("name a foreign kind", FOREIGN, None)
    yield _document_path("recognise", anything, None)
    damaged = Shape((("\xc2\xe2\u20ac", ""), ("", "\xc3\xa9")), DAMAGED)
    yield _document_path("mend the encoding", damaged, None)
    yield _import_path(folder, anything)
    yield Path(
        "read arXiv's answer",
        lambda text: read_answer(text.encode(errors="surrogatepass")),
        _MOST,
        (ARXIV, _EMPTY),
        refuses=(DocumentError,),
        per_character=_PER_CHARACTER,
        memory=_MEMORY,
    )
    yield from _address_paths()


def document_calls(folder: File) -> list[tuple[str, Call]]:
    """Return the calls of those paths by name, as `memory_of` takes them."""
    return [(path.name, path.call) for path in document_paths(folder) if path.memory is not None]


def _document_path(name: str, shape: Shape, kind: str | None) -> Path:
    def call(text: str) -> None:
        data = text.encode(errors="surrogatepass")
        document = documents.read("a.txt", data).document
        parsed = documents.parse(document, ParseOptions(_TODAY), kind)
        for draft in parsed.editions:
            decide(parsed.slug, draft, contribute(draft, sample=False), None)

    return Path(
        name,
        call,
        _MOST,
        (*shape.around, _EMPTY),
        shape.fragments,
        (DocumentError,),
        per_character=_PER_CHARACTER,
        memory=_MEMORY,
        weight=3,
    )


def _import_path(folder: File, shape: Shape) -> Path:
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

    return Path(
        "import",
        call,
        _MOST_STORED,
        shape.around,
        shape.fragments,
        per_character=_WRITING * _PER_CHARACTER,
        memory=_MEMORY,
    )


def _ask(text: str) -> None:
    at = parse_url(text)
    check_host(at.raw_host or "", 80, EMPTY_ALLOWLIST)
    check_proxied_host(at.raw_host or "", 80, EMPTY_ALLOWLIST)


def _address_paths() -> Iterator[Path]:
    home = parse_url("https://a.example/b")
    own = ("https://a?b=c&", "https://a.b/?", "?", "&", "=", ".", ",", ")", "a.", "1.", "0x", "%20")
    around = (_EMPTY, ("https://a.b/?c=d", ""), ("https://", ""), ("https://a.b/?c=", " e"))
    calls = {
        "without_keys": without_keys,
        "ask for an address": _ask,
        "follow a redirect": lambda text: redirect_target(home, text),
        "read Retry-After": lambda text: retry_after({"Retry-After": text, "Date": text}),
        "read a content type": lambda text: accepts("text/html, application/json", text),
        "files of an index": lambda text: files_below("https://a.b/c/d", text.split("\n")),
        "tell a page of a list": lambda text: is_paged_list(text.encode(errors="replace")),
        "tell the week of an address": week_in_url,
    }
    for name, call in calls.items():
        yield Path(
            name,
            call,
            1 << 17,
            around,
            own,
            (FetchError, DocumentError),
            per_character=_PER_CHARACTER,
        )
