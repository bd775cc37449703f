"""The checks of components and modals.

https://docs.discord.com/developers/components/reference
"""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

Json = dict[str, Any]

ROW, BUTTON, SELECT, INPUT = 1, 2, 3, 4
SELECTS = (SELECT, 5, 6, 7, 8)
SECTION, TEXT, THUMBNAIL, GALLERY, SEPARATOR, CONTAINER, LABEL = 9, 10, 11, 12, 14, 17, 18
RADIO_GROUP, CHECKBOX_GROUP = 21, 22
LINK_STYLE = 5
_FILE = 13
_TOP = {ROW, SECTION, TEXT, GALLERY, _FILE, SEPARATOR, CONTAINER}
_INSIDE = {
    None: _TOP,
    ROW: {BUTTON, *SELECTS},
    SECTION: {TEXT},
    CONTAINER: _TOP - {CONTAINER},
}
_MOST_COMPONENTS = 40
_MOST_TEXT = 4000
_ROWS = 5
_BUTTONS_IN_ROW = 5
_OPTIONS = 25
_OPTIONS_IN_GROUP = 10
_LONGEST_ID = 100
_LONGEST_URL = 512
_MODAL_COMPONENTS = 5
_ITEMS = 10


def walk(components: list[Json]) -> Iterator[Json]:
    """Yield every component, each before its children."""
    for component in components:
        yield component
        yield from walk(component.get("components") or [])
        inside = (component.get("accessory"), component.get("component"))
        yield from walk([each for each in inside if each])


def length(name: str, text: str, least: int, most: int) -> Iterator[str]:
    """Yield the problem of a text that is too short or too long."""
    if not least <= len(text) <= most:
        yield f"{name} has {len(text)} characters, of {least} to {most}: {text[:40]!r}"


def components_problems(components: list[Json], *, v2: bool) -> Iterator[str]:
    """Yield the problems of the components of a message."""
    every = list(walk(components))
    if v2:
        yield from _totals(every)
    else:
        if any(component["type"] != ROW for component in components):
            yield "components v2 without their flag"
        if len(components) > _ROWS:
            yield f"{len(components)} rows, of {_ROWS}"
    yield from _places(components, None)
    yield from _ids(every)
    for component in every:
        yield from component_problems(component)


def modal_problems(modal: Json) -> Iterator[str]:
    """Yield the problems of a modal."""
    components = modal.get("components") or []
    yield from length("the form's title", (modal.get("title") or "").strip(), 1, 45)
    yield from length("the form's custom_id", modal.get("custom_id") or "", 1, _LONGEST_ID)
    if not 1 <= len(components) <= _MODAL_COMPONENTS:
        yield f"the form has {len(components)} components, of 1 to {_MODAL_COMPONENTS}"
    for component in components:
        if component["type"] not in (ROW, TEXT, LABEL):
            yield f"a component of type {component['type']} in a form"
    every = list(walk(components))
    yield from _ids(every)
    for component in every:
        yield from component_problems(component)


def component_problems(component: Json) -> Iterator[str]:
    """Yield the problems of one component, without those of its children."""
    if "custom_id" in component:
        yield from length("a custom_id", component["custom_id"] or "", 1, _LONGEST_ID)
    check = _CHECKS.get(component["type"])
    if check:
        yield from check(component)


def _totals(every: list[Json]) -> Iterator[str]:
    if len(every) > _MOST_COMPONENTS:
        yield f"{len(every)} components, of {_MOST_COMPONENTS}"
    text = sum(len(component["content"]) for component in every if component["type"] == TEXT)
    if text > _MOST_TEXT:
        yield f"the texts hold {text} characters, of {_MOST_TEXT}"


def _places(components: list[Json], parent: int | None) -> Iterator[str]:
    for component in components:
        kind = component["type"]
        if kind not in _INSIDE.get(parent, set()):
            yield f"a component of type {kind} inside {parent or 'a message'}"
        yield from _places(component.get("components") or [], kind)


def _ids(every: list[Json]) -> Iterator[str]:
    for name in ("custom_id", "id"):
        counts = Counter(each[name] for each in every if each.get(name))
        yield from (f"the {name} {value} stands twice" for value in counts if counts[value] > 1)


def _button_problems(button: Json) -> Iterator[str]:
    if not button.get("label") and not button.get("emoji"):
        yield "a button has neither a label nor an emoji"
    yield from length("a button's label", button.get("label") or "", 0, 80)
    url = button.get("url")
    if (button["style"] == LINK_STYLE) != bool(url) or bool(url) == bool(button.get("custom_id")):
        yield f"a button has either an address and its style, or a custom_id: {button}"
    yield from _url_problems(url)


def _url_problems(url: str | None) -> Iterator[str]:
    if url and not url.startswith(("http://", "https://", "discord://")):
        yield f"no address: {url[:40]!r}"
    yield from length("an address", url or "", 0, _LONGEST_URL)


def _select_problems(select: Json) -> Iterator[str]:
    if not select.get("custom_id"):
        yield "a select has no custom_id"
    yield from length("a placeholder", select.get("placeholder") or "", 0, 150)
    options = select.get("options") or []
    least, most = select.get("min_values", 1), select.get("max_values", 1)
    if select["type"] == SELECT and not 1 <= len(options) <= _OPTIONS:
        yield f"a select has {len(options)} options, of 1 to {_OPTIONS}"
    if not (0 <= least <= most and 1 <= most <= _OPTIONS):
        yield f"a select takes {least} to {most} values"
    if select["type"] == SELECT and most > len(options):
        yield f"a select takes {most} values of {len(options)}"
    yield from _options_problems(options, most)


def _radio_problems(group: Json) -> Iterator[str]:
    options = group.get("options") or []
    if not 2 <= len(options) <= _OPTIONS_IN_GROUP:
        yield f"a radio group has {len(options)} options, of 2 to {_OPTIONS_IN_GROUP}"
    yield from _options_problems(options, 1)


def _checkbox_problems(group: Json) -> Iterator[str]:
    options = group.get("options") or []
    if not 1 <= len(options) <= _OPTIONS_IN_GROUP:
        yield f"a checkbox group has {len(options)} options, of 1 to {_OPTIONS_IN_GROUP}"
    least, most = group.get("min_values", 1), group.get("max_values", len(options))
    if not 0 <= least <= most <= len(options):
        yield f"a checkbox group takes {least} to {most} values of {len(options)}"
    if least == 0 and group.get("required", True):
        yield "a checkbox group that is required takes no value"
    yield from _options_problems(options, most)


def _options_problems(options: list[Json], most: int) -> Iterator[str]:
    if sum(bool(option.get("default")) for option in options) > most:
        yield "more options are chosen than may be"
    counts = Counter(option["value"] for option in options)
    yield from (f"the value {value!r} stands twice" for value in counts if counts[value] > 1)
    for option in options:
        yield from length("an option's label", option["label"].strip(), 1, 100)
        yield from length("an option's value", option["value"], 1, 100)
        yield from length("an option's description", option.get("description") or "", 0, 100)


def _row_problems(row: Json) -> Iterator[str]:
    kinds = [component["type"] for component in row.get("components") or []]
    if not 1 <= len(kinds) <= _BUTTONS_IN_ROW:
        yield f"a row of {len(kinds)}"
    if len(kinds) > 1 and set(kinds) != {BUTTON}:
        yield "a row of a select and more"


def _section_problems(section: Json) -> Iterator[str]:
    if not 1 <= len(section.get("components") or []) <= 3:
        yield "a section holds one to three texts"
    accessory = section.get("accessory")
    if not accessory or accessory["type"] not in (BUTTON, THUMBNAIL):
        yield "a section has a button or a picture beside it"


def _input_problems(field: Json) -> Iterator[str]:
    yield from length("a field's placeholder", field.get("placeholder") or "", 0, 100)
    yield from length("a field's value", field.get("value") or "", 0, 4000)
    least, most = field.get("min_length") or 0, field.get("max_length") or 4000
    if not 0 <= least <= most <= 4000:
        yield f"a field of {least} to {most} characters"
    if not field.get("custom_id"):
        yield "a field has no custom_id"


def _text_problems(text: Json) -> Iterator[str]:
    if not text["content"].strip():
        yield "a text is blank"


def _gallery_problems(gallery: Json) -> Iterator[str]:
    if not 1 <= len(gallery.get("items") or []) <= _ITEMS:
        yield f"a gallery of {len(gallery.get('items') or [])}"


def _container_problems(container: Json) -> Iterator[str]:
    if not container.get("components"):
        yield "a container is empty"


def _label_problems(label: Json) -> Iterator[str]:
    yield from length("a label", label["label"].strip(), 1, 45)
    yield from length("a label's description", label.get("description") or "", 0, 100)


_CHECKS: dict[int, Callable[[Json], Iterator[str]]] = {
    ROW: _row_problems,
    BUTTON: _button_problems,
    **dict.fromkeys(SELECTS, _select_problems),
    INPUT: _input_problems,
    RADIO_GROUP: _radio_problems,
    CHECKBOX_GROUP: _checkbox_problems,
    SECTION: _section_problems,
    TEXT: _text_problems,
    GALLERY: _gallery_problems,
    CONTAINER: _container_problems,
    LABEL: _label_problems,
}
