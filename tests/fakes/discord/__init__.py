"""A fake of Discord's servers and users, as strict as Discord's documentation.

```python
async with FakeDiscord() as discord:
    guild = discord.add_guild("G")
    channel = guild.add_channel("general")
    ann = guild.add_member("ann", permissions=Permission.MANAGE_GUILD)
    ...  # the bot connects with discord.api_url and discord.token
    await discord.connected()
    answer = await ann.asks(channel, "search", query="moe")
    await ann.presses(answer.message, "Details 3")
```
"""

from tests.fakes.discord.guild import Server
from tests.fakes.discord.identities import Role, User
from tests.fakes.discord.interactions import Interaction, Modal
from tests.fakes.discord.permissions import Permission
from tests.fakes.discord.records import Channel, Message
from tests.fakes.discord.rest.limits import Limits
from tests.fakes.discord.rest.requests import Refuse
from tests.fakes.discord.rules.components import Json
from tests.fakes.discord.server import FakeDiscord
from tests.fakes.discord.users.users import Person
from tests.fakes.faults import Drop, RateLimited, ServerError, Slow

__all__ = [
    "Channel",
    "Drop",
    "FakeDiscord",
    "Interaction",
    "Json",
    "Limits",
    "Message",
    "Modal",
    "Permission",
    "Person",
    "RateLimited",
    "Refuse",
    "Role",
    "Server",
    "ServerError",
    "Slow",
    "User",
]
