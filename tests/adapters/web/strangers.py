"""What strangers send: absurd headers and values, as bytes over a socket."""

import asyncio
from urllib.parse import urlsplit

NAMES = (
    b"If-Modified-Since", b"If-None-Match", b"If-Match", b"If-Unmodified-Since", b"If-Range",
    b"Range", b"Accept", b"Accept-Encoding", b"Accept-Language", b"Accept-Charset", b"Host",
    b"Origin", b"Referer", b"Cookie", b"Authorization", b"X-Forwarded-For", b"X-Forwarded-Proto",
    b"Forwarded", b"Content-Length", b"Content-Type", b"Transfer-Encoding", b"Connection",
    b"Upgrade", b"Expect", b"TE", b"User-Agent", b"Sec-Fetch-Site", b"X-Slack-Request-Timestamp",
    b"X-Slack-Signature",
)  # fmt: skip
VALUES = (
    b"", b"*", b",,,", b'"', b'W/"', b"0", b"-1", b"9" * 20, b"9" * 5000, b"1e999", b"nan",
    b"Mon, 01 Jan 99999999999 00:00:00 GMT", b"Mon, 99 Jan 2026 00:00:00 GMT",
    b"Mon, 01 Jan 2026 00:00:00 +99999999999", b"Mon, 01 Jan 0000 00:00:00 -2400",
    b"Mon, 01 Jan 2026 99999999999:00:00 GMT", b"bytes=0-", b"bytes=9999999999999999999999-1",
    b"bytes=,,-", b"gzip;q=", b"gzip;q=9e999", b"gzip;q=0.0000, *;q=", b"application/json;q=x",
    b"\xff\xfe", b"\xed\xa0\x80", b"\xd9\xa1\xd9\xa2", b"[::1", b"[]:0", b"a:99999", b"@", b"null",
    b'a=b; c="; =; $Version=9', b"Basic =", b"Bearer \xff", b"1.2.3.4, unknown, \xff",
    b"chunked, gzip", b"text/html; charset=no-such", b"multipart/form-data; boundary=",
    b"100-continue, x", b"websocket",
)  # fmt: skip
TEXTS = (
    b"", b"0", b"-1", b"1.5", b"9" * 20, b"9" * 900, b"\xd9\xa1\xd9\xa2", b"\xef\xbc\x92",
    b"\0", b"\xff",
    b"\xed\xa0\x80", b"\xc0\x80", b"99999-01-01", b"0000-00-00", b"9999-12-31", b"10000-W01",
    b"2026-W99", b"1e9", b"NaN", b"%", b"%zz", b"+" * 500, b"a" * 900, b"\xef\xb7\xba" * 200,
    b"last 99999999999 weeks", b"99999999999 weeks ago", b"[", b"(" * 500, b'"', b"-" * 500,
)  # fmt: skip
BAD_STATUSES = {500, 501, 502}


async def status_of(url: str, request: bytes) -> int:
    """Send bytes, and return the status of the first response; 0 where there is none."""
    host, port = urlsplit(url).hostname, urlsplit(url).port
    reader, writer = await asyncio.open_connection(host, port)
    try:
        writer.write(request)
        async with asyncio.timeout(20):
            line = await reader.readline()
    except ConnectionError:
        return 0
    finally:
        writer.close()
    return int(line.split()[1]) if line else 0


def request_for(path: str, *headers: tuple[bytes, bytes]) -> bytes:
    """Return the bytes that ask for a path, with some headers."""
    own = [] if any(name == b"Host" for name, _ in headers) else [(b"Host", b"localhost")]
    lines = b"".join(b"%b: %b\r\n" % pair for pair in (*own, *headers))
    return b"GET %b HTTP/1.1\r\n%b\r\n" % (path.encode("ascii"), lines)
