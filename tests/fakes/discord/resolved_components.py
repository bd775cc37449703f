"""Components with ids, and the texts of embeds."""

from collections.abc import Iterator

from tests.fakes.discord.rules.components import Json, walk


def with_ids(components: list[Json]) -> list[Json]:
    """Return components that each have an id, as Discord stores them."""
    copied = [_copy(component) for component in components]
    taken = {each["id"] for each in walk(copied) if each.get("id")}
    free = (number for number in range(1, 1000) if number not in taken)
    for each in walk(copied):
        if not each.get("id"):
            each["id"] = next(free)
    return copied


def _copy(component: Json) -> Json:
    copied = dict(component)
    if "components" in copied:
        copied["components"] = [_copy(each) for each in copied["components"]]
    for name in ("accessory", "component"):
        if copied.get(name):
            copied[name] = _copy(copied[name])
    return copied


def embed_texts(embeds: list[Json]) -> Iterator[str]:
    """Yield all texts of embeds, in order."""
    for embed in embeds:
        yield from (embed[name] for name in ("title", "description") if embed.get(name))
        for each in embed.get("fields", []):
            yield from (each["name"], each["value"])
        if embed.get("footer"):
            yield embed["footer"]["text"]
