"""Plain words made ready to be read: straight quotes, whole words, no politeness. Pure."""

import re

_SIGNS = str.maketrans("“”„’‘´`", "\"\"\"''''")
_CONTRACTIONS = {
    r"\b(what|who|where|how|when|which|that|there|it|here)'?s\b(?=\s)": r"\1 is",
    r"\b(week|month|year|today|yesterday)'s\b": r"\1",
    r"\b(yesterday|today)s\b": r"\1",
    r"\bwhats\b": "what is",
    r"\bi'?m\b": "i am",
    r"\bi'?d\b": "i would",
    r"\bi'?ve\b": "i have",
    r"\bcan'?t\b": "can not",
    r"\b(do|does|did|is|are|was|have|has)n'?t\b": r"\1 not",
    r"\bwanna\b": "want to",
    r"\bgimme\b": "give me",
    r"\blemme\b": "let me",
    r"\btl;\s?dr\b": "tldr",
    r"\bsth\b": "something",
    r"\bu\b(?=\s|$)": "you",
    r"\bur\b": "your",
}
_EXPANDED = [(re.compile(short, re.IGNORECASE), whole) for short, whole in _CONTRACTIONS.items()]
_PICTURES = re.compile(
    r":[a-z0-9_+-]{2,}:|[\U0001f300-\U0001faff\u2600-\u27bf\ufe0f\u200d]|[:;]-?[)(DP]\B"
)
_NAME = r"(?:@?(?:broadsheet|bot|papers ?bot|/papers)\b[ ,:!-]*)"
_PLEASE = r"(?:please|pls|plz|kindly)"
_OPENING = re.compile(
    r"(?:" + r"|".join((
        _NAME,
        rf"{_PLEASE}\b,?",
        r"(?:so|and|ok|okay|well|also|now|then|just|um|uh|oh|btw|fyi|actually|quick question)\b[ ,:-]*(?=\S)",
        r"(?:hi|hey|hello|yo|hiya|good morning|thanks|thank you|thx|great|cool|nice)(?: (?:there|all|folks|team|broadsheet|bot))?\s*[,!.:-]+(?=\s*\S)",
        r"(?:hey|hi) (?=(?:what|which|show|can|could|do|any|is|are|who|how|give|find|tell|search|please|bot|broadsheet)\b)",
        rf"(?:can|could|would|will) (?:you|we|u|i)(?: guys)?(?: {_PLEASE})?(?: maybe| quickly| just| also)? (?=(?:tell|show|give|get|find|search|look|list|explain|summari[sz]e|send|post|remind|save|recommend|suggest|pull|fetch|have|see|read|bring|point|catch|surprise|pick|help|please|bookmark|add|vote|subscribe|stop|pause|open|link)\b)",
        r"(?:i|we) (?:want|would like|would love|need|like|wish|am looking|am trying|was hoping) (?:to (?:see|read|know about|know|find|get|look at|learn about|hear about|check)|for)(?: about| out)?\b",
        r"(?:i|we) (?:want|would like|would love|need)\b(?= (?:the|some|something|a|papers?|everything|anything|all|more|my)\b)",
        r"(?:i am|we are) (?:interested in|curious about|looking for|searching for|looking into)\b",
        r"(?:i am|we are) (?:so )?(?:bored|new here|lost|curious|back)\b *[,;.!:-]+(?=\s*\S)",
        r"let me (?:see|know|have)(?: about)?\b",
    )) + r")\s*",
    re.IGNORECASE,
)  # fmt: skip
_CLOSING = re.compile(
    r"(?:[\s,.!?;:…-]+|\b(?:please|pls|plz|thanks|thank you|thx|ty|for me|mate|man|dude|bot|broadsheet"
    r"|by any chance|if you can|if possible|right now|real quick|real fast|asap|lol|haha|then|again"
    r"|you have|do you have|you got|out there|in there|there)\b)$",
    re.IGNORECASE,
)


def clean(text: str) -> str:
    """Return the words that carry the meaning, in their case; empty if there are none.

    Greetings before other words, politeness and signs at the end go; contractions become words.
    """
    words = " ".join(_PICTURES.sub(" ", text.translate(_SIGNS)).split())
    for short, whole in _EXPANDED:
        words = short.sub(whole, words)
    return _without_closings(_without_openings(words))


def tidy(text: str) -> str:
    """Return a text in lower case without pictures and signs at its ends: `Thanks!!` → `thanks`."""
    words = _PICTURES.sub(" ", text.translate(_SIGNS)).lower()
    return " ".join(words.split()).strip(" .,!?~-¡¿。！？、")


def _without_openings(words: str) -> str:
    while (found := _OPENING.match(words)) and found.end():
        rest = words[found.end() :]
        if not rest:
            return words
        words = rest
    return words


def _without_closings(words: str) -> str:
    while found := _CLOSING.search(words):
        rest = words[: found.start()].rstrip()
        if not rest:
            return words.strip(" .,!?")
        words = rest
    return words
