"""The words of a page as lines, for a file that can be compared and read. Pure."""

from html.parser import HTMLParser

_INLINE = {"a", "b", "code", "em", "i", "s", "span", "strong"}
_UNSEEN = {"style", "title"}
_VOID = {"br", "hr", "img", "input", "link", "meta"}
# What stands around the words of these.
_CONTROLS = {"button": ("[", "]"), "menu": ("(", ")")}


def lines_of(page: str) -> list[str]:
    """Return what a page says: a line a paragraph, `[…]` a button, `(…)` a menu."""
    reader = _Reader()
    reader.feed(page)
    lines = (" ".join(line.split()) for line in "".join(reader.said).split("\n"))
    return [line for line in lines if line]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []
        self._ends: list[str] = []
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        facts = dict(attrs)
        if tag in _VOID:
            self.said.append(f"\n{_picture(facts)}\n" if tag == "img" else "\n")
            return
        classes = (facts.get("class") or "").split()
        marks = next((marks for name, marks in _CONTROLS.items() if name in classes), None)
        around = "" if tag in _INLINE else "\n"
        start, end = (f" {marks[0]}", f"{marks[1]} ") if marks else (around, around)
        self.said.append(start)
        self._ends.append(end)
        self._hidden += tag in _UNSEEN

    def handle_endtag(self, tag: str) -> None:
        self.said.append(self._ends.pop())
        self._hidden -= tag in _UNSEEN

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.said.append(data)


def _picture(facts: dict[str, str | None]) -> str:
    return f"Picture: {facts.get('alt') or 'without words'}"
