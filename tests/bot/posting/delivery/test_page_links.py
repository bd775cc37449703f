"""Posts that link to web pages: each message has the links, what is stored of it has none."""

import pytest

from bot.posting.page_linking_client import PageLinkingClient
from bot.replies.blocks import WebPage
from store.database import Database
from store.records import DeliveryState
from tests.bot.ingest.drafts import MONDAY
from tests.bot.posting.delivery.setup import Stage
from tests.fakes.channel_client import MemoryChannelClient

pytestmark = pytest.mark.on_sqlite

_PAGE = f"https://papers.example/editions/dair/{MONDAY}"


def _pages(client: MemoryChannelClient) -> list[str | None]:
    [message] = client.messages
    return [b.url for b in message.message.reply.blocks if isinstance(b, WebPage)]


async def test_a_post_and_its_correction_link_to_the_page(database: Database) -> None:
    """The link is there before and after."""
    memory = MemoryChannelClient()
    linking = Stage(database, client=PageLinkingClient(memory, "https://papers.example/"))  # type: ignore[arg-type] # it sends by the same
    await linking.takes_in()
    await linking.ordered()
    await linking.posted()
    assert _pages(memory) == [_PAGE]
    await linking.corrects()
    await linking.tick()
    async with linking.sending():
        await linking.until(DeliveryState.SENT, lambda _: "corrected" in memory.messages[0].text)
    assert _pages(memory) == [_PAGE]
