"""Pages are fetched by https from hosts that can prove who they are, and from no others."""

import asyncio
from pathlib import Path

from tests.bot.ingest.formats.feed.printer import Printed, print_markup, print_rss
from tests.fakes.certificates import self_signed
from tests.fakes.web_sites import Answer, serve_site
from tests.flows.posting.slack_bot import WEEK
from tests.flows.program import Program


async def test_a_page_comes_by_https(tmp_path: Path) -> None:
    """From a host whose certificate an authority vouches for that the system trusts, by its name.

    One that is vouched for as another host is not even asked.
    """
    program = Program(tmp_path, f"sqlite:///{tmp_path / 'store.db'}")
    own, other = tmp_path / "own.pem", tmp_path / "other.pem"
    feed = Answer(print_rss(Printed(print_markup(WEEK))).encode())
    async with (
        serve_site(self_signed(own)) as site,
        serve_site(self_signed(other, "127.0.0.2")) as false,
    ):
        trusted = tmp_path / "trusted.pem"
        trusted.write_bytes(own.read_bytes() + other.read_bytes())
        for each in (site, false):
            each.put("/feed", feed)
        done = await asyncio.to_thread(
            program,
            "import",
            site.url("/feed"),
            false.url("/feed"),
            BROADSHEET_FETCH_ALLOW="127.0.0.1",
            SSL_CERT_FILE=str(trusted),
        )
    assert "1 edition" in done.out
    assert "There is no secure connection to 127.0.0.1." in done.err
    assert (done.code, len(site.requests), len(false.requests)) == (1, 1, 0)
