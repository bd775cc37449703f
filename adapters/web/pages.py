"""What the web server answers of the house itself: life, health, metrics."""

from aiohttp import web

from bot.operations.health import Parts, conditions
from bot.operations.metrics import Metrics
from store.database.fair_threads import on_behalf_of

# A proxy's memory of how things were is of no use to anybody.
_FRESH = {"Cache-Control": "no-store"}


def house_routes(parts: Parts, metrics: Metrics) -> list[web.RouteDef]:
    """Return the routes of `/livez`, `/healthz` and `/metrics`."""

    async def alive(_request: web.Request) -> web.Response:
        return web.Response(text="ok\n", headers=_FRESH)

    async def health(request: web.Request) -> web.Response:
        # Strangers may ask this as often as they like, and some parts ask the store.
        with on_behalf_of(("web", request.remote)):
            found = await conditions(parts)
        said = {
            name: {"state": condition.state.value, "sentence": condition.sentence}
            for name, condition in found.items()
        }
        status = 200 if all(condition.healthy for condition in found.values()) else 503
        return web.json_response(said, status=status, headers=_FRESH)

    async def measured(_request: web.Request) -> web.Response:
        text, content_type = metrics.text()
        return web.Response(body=text, headers={**_FRESH, "Content-Type": content_type})

    return [
        web.get("/livez", alive),
        web.get("/healthz", health),
        web.get("/metrics", measured),
    ]
