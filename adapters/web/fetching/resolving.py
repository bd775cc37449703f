"""Names looked up, and nothing connected to that was not checked first."""

import asyncio
import socket
from collections.abc import Awaitable, Callable
from ipaddress import ip_address

from aiohttp.abc import AbstractResolver, ResolveResult

from adapters.web.fetching.addresses import NOTHING_ALLOWED, Allowed, check_addresses

# From a host's name and a port to the addresses that the name leads to.
Resolve = Callable[[str, int], Awaitable[list[str]]]


async def system_addresses(host: str, port: int) -> list[str]:
    """Return the addresses that the system knows of a name.

    Raises:
        OSError: where it knows none.
    """
    loop = asyncio.get_running_loop()
    try:
        found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except UnicodeError as error:
        raise socket.gaierror(socket.EAI_NONAME, "no name") from error
    return [str(address[0]) for *_, address in found]


class CheckedResolver(AbstractResolver):
    """Looks names up for aiohttp, which connects to the very addresses that it is given.

    Nothing is looked up twice, so that a name can't lead elsewhere once it is checked. aiohttp
    does not ask it for hosts that are addresses already; `check_host` is for these.

    Args:
        resolve: looks names up.
        besides: what may be connected to besides the public internet.
    """

    def __init__(self, resolve: Resolve, besides: Allowed = NOTHING_ALLOWED) -> None:
        self._resolve = resolve
        self._besides = besides

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """Return the addresses of a name.

        Raises:
            AddressRefused: where one of them may not be connected to.
            OSError: where there are none.
        """
        del family
        found = await self._resolve(host, port)
        if not found:
            raise socket.gaierror(socket.EAI_NONAME, "no address")
        check_addresses(host, port, found, self._besides)
        return [_result(host, port, address) for address in found]

    async def close(self) -> None:
        """Do nothing: there is nothing to close."""


def _result(host: str, port: int, address: str) -> ResolveResult:
    is_old = ip_address(address).version == 4  # noqa: PLR2004 - IP's version
    return ResolveResult(
        hostname=host,
        host=address,
        port=port,
        family=socket.AF_INET if is_old else socket.AF_INET6,
        proto=socket.IPPROTO_TCP,
        flags=socket.AI_NUMERICHOST,
    )
