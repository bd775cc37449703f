"""A DNS resolver that checks addresses before they are connected to."""

import asyncio
import socket
from collections.abc import Awaitable, Callable
from ipaddress import ip_address

from aiohttp.abc import AbstractResolver, ResolveResult

from adapters.web.http_client.ssrf_guard import EMPTY_ALLOWLIST, Allowlist, check_addresses

# Resolves a host name and a port to addresses.
Resolve = Callable[[str, int], Awaitable[list[str]]]


async def resolve_with_system(host: str, port: int) -> list[str]:
    """Resolve a name with the system's resolver.

    Raises:
        OSError: if it has no address.
    """
    loop = asyncio.get_running_loop()
    try:
        found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except UnicodeError as error:
        raise socket.gaierror(socket.EAI_NONAME, "no name") from error
    return [str(address[0]) for *_, address in found]


class CheckedResolver(AbstractResolver):
    """A resolver for aiohttp, which connects to exactly the addresses that it returns.

    Each name is resolved once, so that no second lookup can return other addresses than the checked
    ones (DNS rebinding). aiohttp does not call it for hosts that are IP addresses; `check_host`
    covers these.

    Args:
        resolve: resolves names.
        allowlist: the hosts and networks that are allowed beside the public internet.
    """

    def __init__(self, resolve: Resolve, allowlist: Allowlist = EMPTY_ALLOWLIST) -> None:
        self._resolve = resolve
        self._allowlist = allowlist

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """Return the addresses of a name.

        Raises:
            AddressRefused: if one of them may not be connected to.
            OSError: if there are none.
        """
        del family
        found = await self._resolve(host, port)
        if not found:
            raise socket.gaierror(socket.EAI_NONAME, "no address")
        check_addresses(host, port, found, self._allowlist)
        return [_result(host, port, address) for address in found]

    async def close(self) -> None:
        """Do nothing: there is nothing to close."""


def _result(host: str, port: int, address: str) -> ResolveResult:
    is_ipv4 = ip_address(address).version == 4  # noqa: PLR2004 - IP's version
    return ResolveResult(
        hostname=host,
        host=address,
        port=port,
        family=socket.AF_INET if is_ipv4 else socket.AF_INET6,
        proto=socket.IPPROTO_TCP,
        flags=socket.AI_NUMERICHOST,
    )
