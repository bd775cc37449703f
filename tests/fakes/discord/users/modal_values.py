"""The interaction data of a submitted modal."""

from collections.abc import Iterator, Mapping
from typing import Any

from tests.fakes.discord.rules.components import (
    CHECKBOX_GROUP,
    INPUT,
    LABEL,
    RADIO_GROUP,
    ROW,
    SELECT,
    SELECTS,
    TEXT,
    Json,
)

_TEXT_AT_MOST = 4000


def modal_data(form: Json, values: Mapping[str, Any]) -> Json:
    """Return the interaction data of a submitted modal; fields without a value keep their default.

    Args:
        form: the payload of the modal.
        values: by custom_id or label; for a select, a list of values or labels.

    Raises:
        AssertionError: if Discord would not submit it.
    """
    names = set(_names(form["components"]))
    assert values.keys() <= names, f"the form has no {values.keys() - names}"
    components = [_component(each, values) for each in form["components"]]
    return {"custom_id": form["custom_id"], "components": components}


def _names(components: list[Json]) -> Iterator[str]:
    for each in components:
        if each["type"] == LABEL:
            yield from (each["label"], each["component"]["custom_id"])
        elif each["type"] == ROW:
            yield from (field[name] for field in each["components"] for name in _OF_FIELD)


_OF_FIELD = ("label", "custom_id")


def _component(component: Json, values: Mapping[str, Any]) -> Json:
    ids = {"type": component["type"], "id": component.get("id", 0)}
    if component["type"] == TEXT:
        return ids
    if component["type"] == ROW:
        fields = component["components"]
        return {**ids, "components": [_field(each, each.get("label"), values) for each in fields]}
    inner = component["component"]
    return {**ids, "component": _field(inner, component["label"], values)}


def _field(field: Json, label: str | None, values: Mapping[str, Any]) -> Json:
    name = str(label if label in values else field["custom_id"])
    ids = {"type": field["type"], "id": field.get("id", 0), "custom_id": field["custom_id"]}
    if field["type"] == INPUT:
        return {**ids, "value": _text(field, name, values.get(name, field.get("value") or ""))}
    if field["type"] == RADIO_GROUP:
        # https://docs.discord.com/developers/components/reference#radio-group
        return {**ids, "value": next(iter(_choices(field, name, values)), None)}
    if field["type"] == CHECKBOX_GROUP:
        return {**ids, "values": _choices(field, name, values)}
    assert field["type"] in SELECTS, f"nobody here fills in a component of type {field['type']}"
    if field["type"] != SELECT:
        return {**ids, "values": _ids(field, name, values)}
    return {**ids, "values": _choices(field, name, values)}


def _text(field: Json, name: str, value: str) -> str:
    assert value or not field.get("required", True), f"{name} must be filled in"
    most = field.get("max_length") or _TEXT_AT_MOST
    assert len(value) <= most, f"{name} takes {most} characters"
    assert not value or len(value) >= (field.get("min_length") or 0), f"{name} is too short"
    return value


def _ids(field: Json, name: str, values: Mapping[str, Any]) -> list[str]:
    """Return the ids chosen in a select of roles, users or channels."""
    first = [each["id"] for each in field.get("default_values") or []]
    chosen = [str(each) for each in values.get(name, first)]
    _assert_number(field, name, chosen)
    return chosen


def _assert_number(field: Json, name: str, chosen: list[str]) -> None:
    least = field.get("min_values", 1) if field.get("required", True) else 0
    assert least <= len(chosen) <= field.get("max_values", 1), f"{name} takes not {len(chosen)}"


def _choices(field: Json, name: str, values: Mapping[str, Any]) -> list[str]:
    options = field.get("options") or []
    by_label = {option["label"]: option["value"] for option in options}
    known = [option["value"] for option in options]
    chosen = [option["value"] for option in options if option.get("default")]
    if name in values:
        given = values[name]
        chosen = [
            by_label.get(each, each) for each in ([given] if isinstance(given, str) else given)
        ]
    assert set(chosen) <= set(known), f"{name} offers {known}"
    _assert_number(field, name, chosen)
    return chosen
