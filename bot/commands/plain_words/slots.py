"""The slots of the rules: each reads words as arguments of a command. Pure.

A slot returns the text of arguments, `None` where the words are no such thing.
"""

import re
from collections.abc import Callable

from bot.commands.plain_words.absences import about_absence, read_pause_end
from bot.commands.plain_words.away.recaps import read_recap
from bot.commands.plain_words.filters import (
    ReadingFacts,
    content_of,
    may_be_person,
    quoted_value,
    split_filters,
    take_filters,
)
from bot.commands.plain_words.framing import without_frame
from bot.commands.plain_words.keywords import common_words, read_intent, without_unknown
from bot.commands.plain_words.list_references import read_list_reference
from bot.commands.plain_words.phrases import meant, wanted_parts, words_of
from bot.commands.plain_words.posts.schedules import (
    read_change,
    read_channel,
    read_count,
    read_named_channel,
    read_schedule,
    read_schedule_alone,
    read_wish,
    read_zone,
)
from bot.commands.plain_words.posts.wishes import (
    read_explained,
    read_numbered,
    read_paused,
    read_resumed,
    read_setting,
    read_told,
    read_watched,
)
from bot.domain.paper_ids import arxiv_id_in_url, bare_arxiv_id
from store.text import fold

_ABOUT_PAPER = re.compile(
    r"(?:(?:the|this|that) )?(?:\w+ )?(?:paper|article|one|work)s?"
    r" (?:(?:called|titled|named|about|on|with the title) )+",
    re.IGNORECASE,
)
_OUTER = re.compile(
    r"^(?:the|a|an|about|on|of|for|to|is|are) |\s+(?:paper|papers|article|about|again)$",
    re.IGNORECASE,
)
_AND = re.compile(
    r"\s*(?:,|&|\band\b|\bvs\.?(?=\s)|\bversus\b|\bor\b|\bagainst\b)\s*", re.IGNORECASE
)
# What is left out at the end of a clause. "Learning without labels" is about no labels; a comma, a
# word that only leaves out, or "stuff" behind it tells.
_LEFT_OUT = re.compile(
    r"(?:(?:[,;]\s*|\s\()(?:but\s)?(?:without|no|not|minus|except(?:\sfor)?|excluding)\s"
    r"|\s(?:except(?:\sfor)?|excluding|(?:but\s)?nothing)\s"
    r"|\swithout\s(?=(?:the|any)\s(?:\S+\s){1,2}(?:stuff|ones?|papers?|things?)\b))"
    r"(?:(?:from|about|on|with)\s)?(?:(?:the|any|all)\s)?"
    r"(?P<what>[^\W\d_][\w-]*(?:\s(?!(?:stuff|ones?|papers?|things?|please)\b)[^\W\d_][\w-]*)?)"
    r"(?:\s(?:stuff|ones?|papers?|things?|please))*\s*(?=$|[,;)])\)?",
    re.IGNORECASE,
)
# A topic that is left out at the end; "llms are not agents" says something of both.
_NO_TOPIC = re.compile(
    r"(?:\s(?:that|which)\s(?:are|is|were)(?:\snot|n'?t)"
    r"|(?<!\bis)(?<!\bare)(?<!\bdo)(?<!\bdoes)(?<!\bcan)(?<!\bwhy)(?<!\bor)\s(?:but\s)?(?:not|no))\s"
    r"(?:(?:from|about|on|any)\s)?(?P<what>\S+)$",
    re.IGNORECASE,
)
# Why somebody asks, behind a comma: "my lab cares about it".
_REASON = re.compile(
    r"\s*[,;]\s*(?:because|cause|(?:my|our) (?:\w+ ){1,2}"
    r"(?:cares?|needs?|wants?|ask(?:s|ed)|likes?|works?)"
    r"|(?:i|we) (?:am|are|need|want|work|care|like|have to|must))\b.*$",
    re.IGNORECASE,
)
_ID = re.compile(r"(?:number |no\.? ?|nr\.? ?|#|id )?(\d{1,9})")
_NAME = re.compile(r"[^\W\d_][\w.'-]*")
_LONGEST_NAME = 3
# Words before the name of a tag, `with the tag`, and between a paper and its tags.
_TAG = r"(?:tag|label|hash ?tag|folder|category|collection)s?"
_TAG_CALLED = rf"(?:(?:the|an?|my|our|new) )*{_TAG}(?: (?:called|named|of))?:? "
_TAGGED = re.compile(
    r"(?:\b(?:and|then|also) )*"
    r"\b(?:(?P<done>tag|tagged|label|labell?ed|filed)(?: (?:it|them|this|that|these))?\b"
    rf"(?: (?:as|with|under|in|by)\b)?:? (?:{_TAG_CALLED})?"
    rf"|(?:as|with|under|in|into|to|by|has|have) (?P<called>{_TAG_CALLED})"
    r"|under (?!(?:the|an?)\b))",
    re.IGNORECASE,
)
# "in my thesis folder", "on my weekend list"; a reading list is all of it.
_MY_FOLDER = re.compile(
    rf"\b(?:(?:in|into|to|on|onto|under) )?(?:my|our) (?!(?:reading|saved|own|paper|to-read) list)"
    rf"(?P<name>[\w.+-]+) (?:{_TAG}|list)\b",
    re.IGNORECASE,
)
_IN_MY_LIST = re.compile(
    r" (?:(?:on|in|to|into|onto|for) (?:my |the )?(?:(?:reading|saved) )?"
    r"(?:list|library|bookmarks|papers|collection|later))+$",
    re.IGNORECASE,
)
_BETWEEN_PAPER_AND_TAG = re.compile(r":\s+|\s+(?:as|with|under|for|in)\s+", re.IGNORECASE)
_TAG_NAME = re.compile(r"#?[^\W_][\w.+-]*(?: [\w.+-]+){0,2}")
_BEHIND_TAG = re.compile(
    r" (?=(?:in|on|about|from|by|since|until|before|after|as|to|for|of|this|last|that|which)\b)",
    re.IGNORECASE,
)
_OWN = re.compile(
    r"\b(?:i|we|my|our|saved|list|bookmarks|bookmarked|export|download|(?:hash ?)?tags?)\b",
    re.IGNORECASE,
)
_BEFORE_TEXT = re.compile(r"\A(?:[-\u2013\u2014:]\s+)+")


def _paper(text: str, _facts: ReadingFacts) -> str | None:
    if ids := [each for each in map(_id_of, text.split()) if each]:
        return ids[0]
    words = _ABOUT_PAPER.sub("", text, count=1).strip(" \"'")
    while read_list_reference(words) is None and (shorter := _OUTER.sub("", words)) != words:
        words = shorter
    return words.strip(" \"'") or None


def _no_topic(text: str, facts: ReadingFacts) -> str | None:
    """Read a paper, unless the words are topics."""
    return None if _topics(text, facts) else _paper(text, facts)


def _id_of(word: str) -> str | None:
    bare = word.strip("<>(),.?!\"'")
    return bare_arxiv_id(bare) or arxiv_id_in_url(bare)


def _listed(text: str, _facts: ReadingFacts) -> str | None:
    """Read only words that speak of the list seen last."""
    return text if read_list_reference(text) else None


def _query(text: str, facts: ReadingFacts) -> str | None:
    wanted = take_filters(without_frame(without_unknown(_REASON.sub("", text))).subject, facts)
    named = [f"{key}:{quoted_value(value)}" for key, value in wanted.named]
    return " ".join(filter(None, (_searched(wanted.words, facts), *named))) or None


def _searched(text: str, facts: ReadingFacts) -> str:
    """Return what a text is about, with what is left out behind a minus."""
    found = [each["what"] for each in _LEFT_OUT.finditer(text)]
    text = _LEFT_OUT.sub(" ", text) if found else text
    topic = _NO_TOPIC.search(text) if "no" in text or "n't" in text else None
    if topic and facts.exact_topic(fold(topic["what"])):
        found.append(topic["what"])
        text = text[: topic.start()]
    about = content_of(text)
    left_out = (f"-{word}" for each in found for word in each.split())
    return " ".join((" ".join(about.split()), *left_out)) if about else content_of(text)


def _missed(text: str, facts: ReadingFacts) -> str | None:
    """Read what was missed in some time: `mamba in the last month`."""
    return _query(about_absence(text, facts), facts)


def _command(text: str, facts: ReadingFacts) -> str | None:
    """Read the command that words are about, if they are about nothing else."""
    words = re.findall(r"[\w'-]+", text.lower())
    if not words or not facts.commands | common_words() | words_of(
        "helped"
    ) | meant().keys() >= set(words):
        return None
    named = (meant().get(word, word) for word in words)
    return next((name for name in named if name in facts.commands), None)


def _named(text: str, facts: ReadingFacts) -> str | None:
    """Read one word that names a command."""
    return None if " " in text.strip() else _command(text, facts)


def _source(text: str, facts: ReadingFacts) -> str | None:
    slug = text.lower().strip()
    near = (each for each in sorted(facts.sources) if sorted(each) == sorted(slug))
    return slug if slug in facts.sources else next(near, None)


def _topic(text: str, facts: ReadingFacts) -> str | None:
    wanted = split_filters(text, facts)
    topic = facts.topic(wanted.words)
    named = [f"{key}:{quoted_value(value)}" for key, value in wanted.named]
    return " ".join((topic, *named)) if topic else None


def _topics(text: str, facts: ReadingFacts) -> str | None:
    names = [content_of(each) for each in _AND.split(text)]
    slugs = [facts.topic(each) for each in names if each]
    return ",".join(filter(None, slugs)) if slugs and all(slugs) else None


def _one(text: str, _facts: ReadingFacts) -> str | None:
    """Read words that speak of the list seen last, as one paper: the first of several."""
    found = read_list_reference(text)
    if found is None or found.is_all:
        return None
    return str(found.numbers[0]) if len(found.numbers) > 1 else text


def _filters(text: str, facts: ReadingFacts) -> str | None:
    """Read filters and nothing else, perhaps none."""
    wanted = split_filters(text, facts)
    named = [f"{key}:{quoted_value(value)}" for key, value in wanted.named]
    return None if wanted.words else " ".join(named)


def _narrowing(text: str, facts: ReadingFacts) -> str | None:
    """Read filters, at least one, beside which a topic or a source may stand by its name alone."""
    wanted = split_filters(text, facts)
    named = [f"{key}:{quoted_value(value)}" for key, value in wanted.named]
    name = content_of(wanted.words)
    followed = _followed(name, facts) if name else ""
    return None if followed is None else " ".join(filter(None, (followed, *named))) or None


def _denied(text: str, facts: ReadingFacts) -> str | None:
    """Read a topic of one word that shall not be in what is found."""
    name = text.strip()
    return f"-{name}" if " " not in name and facts.exact_topic(fold(name)) else None


def _author(text: str, facts: ReadingFacts) -> str | None:
    """Read one to three words that may be a person's name."""
    words = text.strip(" ,.?!").split()
    may_be = 0 < len(words) <= _LONGEST_NAME and all(_NAME.fullmatch(word) for word in words)
    small = {word.lower() for word in words}
    if not may_be or words_of("no_author") & small or small <= common_words() or facts.topic(text):
        return None
    name = " ".join(words)
    if not may_be_person(name) or take_filters(name, facts).words != name:
        return None
    return quoted_value(name)


def _authored(text: str, facts: ReadingFacts) -> str | None:
    """Read a person's name and filters: `Yann LeCun since 2024`."""
    wanted = split_filters(text, facts)
    if (author := _author(wanted.words, facts)) is None or wanted.author:
        return None
    named = (f"{key}:{quoted_value(value)}" for key, value in wanted.named)
    return " ".join((f"author:{author}", *named))


def _followed(text: str, facts: ReadingFacts) -> str | None:
    """Read the topic or the source of a subscription."""
    name = content_of(text)
    if topic := facts.topic(name):
        return f"topic:{topic}"
    return f"from:{name.lower()}" if name.lower() in facts.sources else None


def _subject(text: str, facts: ReadingFacts) -> str | None:
    """Read a topic and nothing else."""
    return facts.topic(content_of(_REASON.sub("", text)))


def _part_of_listed(text: str, _facts: ReadingFacts) -> str | None:
    """Read what speaks of the list beside one thing of a paper: `arxiv link of 3`, `has 2 code`."""
    for asked in wanted_parts().values():
        words = asked.sub(" ", text.replace(",", " ")).split()
        while words and read_list_reference(" ".join(words)) is None:
            end = next((each for each in (-1, 0) if words[each].lower() in common_words()), None)
            if end is None:
                break
            words.pop(end)
        if words and asked.search(text) and read_list_reference(" ".join(words)):
            return " ".join(words)
    return None


def _id(text: str, _facts: ReadingFacts) -> str | None:
    return found[1] if (found := _ID.fullmatch(text.strip())) else None


def _negated(text: str, facts: ReadingFacts) -> str | None:
    """Read words that shall not be in what is found, and filters: `math in 2025`."""
    wanted = split_filters(text, facts)
    words = wanted.words.split()
    if not 0 < len(words) <= _LONGEST_NAME:
        return None
    named = (f"{key}:{quoted_value(value)}" for key, value in wanted.named)
    return " ".join((*(f"-{word}" for word in words), *named))


def _tags(text: str, _facts: ReadingFacts) -> str | None:
    """Read the names of tags: `to read and #rag`."""
    named = (each.strip(" .!?'\"`") for each in _AND.split(text))
    names = [re.sub(r"^(?:the|an?|my|our) ", "", each, flags=re.IGNORECASE) for each in named]
    if not all(map(_TAG_NAME.fullmatch, names)):
        return None
    return quoted_value(",".join(name.lstrip("#") for name in names))


def _label(text: str, facts: ReadingFacts) -> str | None:
    """Read the name of a tag that nothing calls so: neither a list nor a place or a format."""
    words = set(re.findall(r"\w+", text.lower()))
    return None if words & words_of("no_label") or "#" in text else _tags(text, facts)


def _tagged(text: str, facts: ReadingFacts) -> str | None:
    """Read a paper and words that are its tags: `2 under rag`, `it with the tag thesis`."""
    found, name = _MY_FOLDER.search(text), ""
    if found:
        name = found["name"]
    elif found := _TAGGED.search(text):
        name = text[found.end() :]
    named = _IN_MY_LIST.sub("", text[: found.start()].rstrip(" ,")) if found else ""
    # A title may have the word under.
    is_sure = found and len(found[0].split()) > 1
    paper = _listed(named, facts) or _id_of(named) or (_paper(named, facts) if is_sure else None)
    tags = _tags(name, facts)
    return f"{paper} tag:{tags}" if paper and tags else None


def _labelled(text: str, facts: ReadingFacts) -> str | None:
    """Read a paper and tags behind a verb that says so: `it agents`, `2 and 3 as to read`."""
    words = text.split()
    parts = [(" ".join(words[:end]), " ".join(words[end:])) for end in range(len(words) - 1, 0, -1)]
    if between := _BETWEEN_PAPER_AND_TAG.search(text):
        parts.insert(0, (text[: between.start()], text[between.end() :]))
    for named, name in parts:
        paper = _listed(named, facts) or _id_of(named)
        if paper and (tags := _tags(re.sub(rf"^{_TAG_CALLED}", "", name), facts)):
            return f"{paper} tag:{tags}"
    return None


def _tagged_list(text: str, facts: ReadingFacts) -> str | None:
    """Read a line that asks for what the user tagged: `show my list tagged rag as csv`."""
    if found := _MY_FOLDER.search(text):
        name, behind = found["name"], [text[found.end() :]]
    elif found := _TAGGED.search(text):
        name, *behind = _BEHIND_TAG.split(text[found.end() :], maxsplit=1)
    else:
        return None
    others = " ".join([text[: found.start()], *behind])
    is_own = _OWN.search(f"{others} {found[0]}") or ("tagged" in found[0] and not facts.topic(name))
    tags = _tags(name, facts)
    if tags is None or not is_own or name.lower() in common_words():
        return None
    command = read_intent(f"my list {others}", facts)
    is_list = command is not None and command.partition(" ")[0] == "saved"
    return f"{command} tag:{tags}" if is_list else None


def _text(text: str, _facts: ReadingFacts) -> str | None:
    return _BEFORE_TEXT.sub("", text) or None


SLOTS: dict[str, Callable[[str, ReadingFacts], str | None]] = {
    "paper": _paper,
    "listed": _listed,
    "part": _part_of_listed,
    "other": _no_topic,
    "query": _query,
    "missed": _missed,
    "one": _one,
    "topic": _topic,
    "topics": _topics,
    "filters": _filters,
    "narrowing": _narrowing,
    "denied": _denied,
    "label": _label,
    "author": _author,
    "authored": _authored,
    "intent": read_intent,
    "command": _command,
    "named": _named,
    "source": _source,
    "schedule": read_schedule,
    "schedule_alone": read_schedule_alone,
    "count": read_count,
    "change": read_change,
    "setting": read_setting,
    "paused": read_paused,
    "resumed": read_resumed,
    "numbered": read_numbered,
    "explained": read_explained,
    "told": read_told,
    "wish": read_wish,
    "named_channel": read_named_channel,
    "pause": read_pause_end,
    "zone": read_zone,
    "channel": read_channel,
    "id": _id,
    "negated": _negated,
    "followed": _followed,
    "subject": _subject,
    "tags": _tags,
    "tagged": _tagged,
    "labelled": _labelled,
    "tagged_list": _tagged_list,
    "text": _text,
    "watched": read_watched,
    "recap": read_recap,
}
