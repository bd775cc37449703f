"""Health checks of a serving process, and the routes `/livez`, `/healthz` and `/metrics`."""

from collections.abc import Mapping

from aiohttp import web

from bot.operations import health
from bot.operations.health import Condition, State
from bot.operations.metrics import Metrics
from store.database import Database
from store.database.fair_threads import on_behalf_of
from store.maintenance import health as probes

# A proxy must not answer with a former state.
_NO_STORE = {"Cache-Control": "no-store"}


def operations_routes(checks: health.Parts, metrics: Metrics) -> list[web.RouteDef]:
    """Return the routes of liveness, health and metrics."""

    async def livez(_request: web.Request) -> web.Response:
        return web.Response(text="ok\n", headers=_NO_STORE)

    async def healthz(request: web.Request) -> web.Response:
        # Anyone may request this any number of times, and some checks read the store.
        with on_behalf_of(("web", request.remote)):
            found = await health.conditions(checks)
        states = {
            name: {"state": condition.state.value, "sentence": condition.sentence}
            for name, condition in found.items()
        }
        status = 200 if all(condition.healthy for condition in found.values()) else 503
        return web.json_response(states, status=status, headers=_NO_STORE)

    async def exposition(_request: web.Request) -> web.Response:
        text, content_type = metrics.text()
        return web.Response(body=text, headers={**_NO_STORE, "Content-Type": content_type})

    return [
        web.get("/livez", livez),
        web.get("/healthz", healthz),
        web.get("/metrics", exposition),
    ]


def collect_checks(
    database: Database, platforms: Mapping[str, health.Check | None], services: health.Parts
) -> health.Parts:
    """Return all health checks by name; a platform without one is not configured."""

    async def check_database() -> Condition:
        await database.read(probes.probe_read)
        if database.trouble:
            # Reads may succeed while writes fail.
            await database.write(probes.probe_write)
        return Condition(State.OK)

    return {
        "database": check_database,
        **{name: check or _not_configured for name, check in platforms.items()},
        **_DISABLED,
        **services,
    }


async def _sync_off() -> Condition:
    return Condition(State.OFF, "No source is fetched by itself (BROADSHEET_SYNC).")


async def _not_configured() -> Condition:
    return Condition(State.OFF, "It is not configured.")


# The services that run only with a platform, and with sync on.
_DISABLED: health.Parts = {
    "scheduler": _not_configured,
    "outbox": _not_configured,
    "sources": _sync_off,
}
