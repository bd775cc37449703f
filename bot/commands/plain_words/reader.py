"""The reading of plain words: what a line means as commands, or that it is a courtesy. Pure."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from bot.commands.plain_words.away.evidence import is_to_go_on, wishes_in
from bot.commands.plain_words.away.recaps import (
    asked_beside_absence,
    farewell_in,
    is_of_days_past,
    is_of_one_paper,
    read_recap,
    tells_of_absence,
)
from bot.commands.plain_words.cleaning import (
    clauses,
    clean,
    has_picture,
    is_frowned,
    is_laughed,
    is_waved,
    tidy,
    without_pictures,
)
from bot.commands.plain_words.filters import ReadingFacts
from bot.commands.plain_words.framing import is_frame, listed_alone, says_nothing, without_frame
from bot.commands.plain_words.keywords import (
    drops_filters,
    read_intent,
    unknown_superlatives,
    words_of_intents,
)
from bot.commands.plain_words.languages.reading import (
    ForeignLine,
    Sentence,
    foreign_lines,
    sentences,
)
from bot.commands.plain_words.list_references import (
    ADDRESS,
    paper_alone,
    paper_within,
    read_list_reference,
)
from bot.commands.plain_words.not_offered import NotOffered, find_not_offered
from bot.commands.plain_words.phrases import (
    Rule,
    all_rules,
    courtesies,
    courtesy_words,
    turns,
    vocabulary,
    wanted_parts,
)
from bot.commands.plain_words.posts.wishes import (
    is_of_posts,
    may_be_meant,
    read_post_wishes,
    wishes_for_posts,
    words_of_posts,
)
from bot.commands.plain_words.signs import (
    SHORTEST_MISTYPED,
    mistyped_command,
    near_commands,
    nearest_word,
    spelled_by,
    words_to_spell,
)
from bot.commands.plain_words.slots import SLOTS

_SLOT = re.compile(r"\{(\w+)(?::(\w+))?\}")
_HELP = re.compile(r"\?+|help\??|h|/help|!help|-h|--?help")
_QUESTION = re.compile(
    r"(?:who|whose|whom|what|which|when|where|why|how|is|are|was|were|does|do|did|can|could|should"
    r"|would|will|has|have|had|am)\b.* .+",
    re.IGNORECASE,
)
_ALSO_IN = re.compile(r"(?:what about|how about|and|about|on|regarding)\s+", re.IGNORECASE)
_AUTHOR = re.compile(r'\bauthor:(?:"([^"]*)"|(\S+))')
_SOURCE = re.compile(r"\s?\bfrom:\S+")
_SIGNS = ",;:.!?"
_ASKING = re.compile(
    r"(?:why|did|does|was|were|what|which|who|when|where|is|are|has|how)\b", re.IGNORECASE
)
# A question that is no request for papers.
_REAL_QUESTION = re.compile(
    r"(?:why|how|does|do|did|can|could|is|are|was|were|will|would|should|who|whose|which|what)\b"
    r"(?! (?:there|you|we|they|i|papers?|articles?|works?|research|about|else)\b)(?=.* .* )"
    r"(?!.*\b(?:i|we) miss(?:ed)? )(?! (?:was|is) that (?:\w+ )?(?:paper|article|one)\b)",
    re.IGNORECASE,
)
_WEAK = ("search", "ask", "show", "related")
# Commands that a few words ask for, beside which others may wish for a change.
_LOOSE = ("help", 'brief since:"last visit"')
_OF_LAST = "of:last"
_OF_AUTHOR = "search author:"
_NOTHING_NAMED = "find a paper"
# Commands that list papers, which somebody who was away wants in a brief.
_OF_LISTS = ("latest", "week", "top", "topic")
_MOST_WORDS = 40  # a longer line is a question or a description


class Courtesy(StrEnum):
    """Words that ask for nothing."""

    GREETING = "greeting"
    LAUGHTER = "laughter"
    THANKS = "thanks"


class Turn(StrEnum):
    """Words that turn the page of the list seen last."""

    MORE = "more"
    BACK = "back"


@dataclass(frozen=True, slots=True)
class Reading:
    """The command strings that a line may mean, the likeliest first; the first that can be run is.

    `sure` are those that a rule gave; the others only ask or search for the line. `wanted` is the
    one thing of a paper that it asks for: `pdf`, `code`, `bibtex` or `link`.
    """

    commands: tuple[str, ...]
    sure: tuple[str, ...] = ()
    wanted: str | None = None

    def other_than(self, typed: str) -> tuple[str, ...]:
        """Return what a line means for sure that names a command but is none.

        Where that is the very line, the command was misused, and nothing else is meant.
        """
        is_same = self.sure and self.sure[0].lower() == " ".join(typed.lower().split())
        return () if is_same else self.sure


def read(text: str, facts: ReadingFacts) -> Reading | Turn | Courtesy | NotOffered:
    """Read a line of plain words, which is not empty."""
    bare = tidy(text)
    if _HELP.fullmatch(text.strip().lower()) or not re.search(r"[^\W_]", bare):
        return _without_words(text)
    words = clean(text, facts.today)
    foreign = _foreign(without_pictures(text), facts)
    said = _turn(bare) or _turn(words.lower()) or (isinstance(foreign, Courtesy) and foreign)
    if aside := _courtesy(bare, words.lower()) or said or find_not_offered(words, bare):
        return aside
    found = (foreign,) if foreign else tuple(dict.fromkeys(_sure(words, bare, facts)))
    if found in (("more",), ("back",)):
        return Turn(found[0])
    if not found or (_is_loose(found[0]) and _REAL_QUESTION.match(words)):
        asked = None if found or not says_nothing(words) else find_not_offered(_NOTHING_NAMED)
        return asked or Reading(tuple(_unsure(text, words, facts)))
    command, _, rest = found[0].partition(" ")
    wanted = _wanted(words, rest) if command == "show" else None
    if read_list_reference(rest):
        return Reading(found[:1], found[:1], wanted)
    # A mistyped command alone is no search, nor is a paper's id or what was seen last.
    is_all = command in facts.changing or found[0] in facts.commands
    is_all = is_all or rest.endswith(_OF_LAST) or (command == "show" and bool(paper_alone(rest)))
    others = () if is_all else _unsure(text, words, facts)
    return Reading((*found, *others), found, wanted)


def _wanted(words: str, paper: str) -> str | None:
    """Return the one thing of a paper that words ask for, beside those that name it."""
    about = ADDRESS.sub(" ", words)
    if read_list_reference(paper) is None:
        about = about.replace(paper, " ")
    return next((part for part, asked in wanted_parts().items() if asked.search(about)), None)


def _is_weak(command: str) -> bool:
    """Tell whether a command takes any words, which a line may have for other reasons."""
    name, _, rest = command.partition(" ")
    if name == "related" and read_list_reference(rest):
        return False
    return name in _WEAK and (name != "search" or _is_loose(command))


def _is_loose(command: str) -> bool:
    """Tell whether a command looks for words, which any line has."""
    name, _, rest = command.partition(" ")
    return name == "search" and ":" not in rest.partition(" ")[0]


def _looks_for_nothing(command: str) -> bool:
    """Tell whether a command looks for words that any request may have."""
    return _is_loose(command) and is_frame(command.partition(" ")[2])


def _without_words(text: str) -> Reading | Courtesy | NotOffered:
    if has_picture(text):
        if is_laughed(text):
            return Courtesy.LAUGHTER
        if is_frowned(text) and (blamed := find_not_offered("not helpful")):
            return blamed
        return Courtesy.GREETING if is_waved(text) else Courtesy.THANKS
    return Reading(("help",), ("help",))


def _courtesy(bare: str, cleaned: str) -> Courtesy | None:
    """Return the courtesy that a line in lower case is, by the line or by its words alone."""
    if kind := courtesies().get(bare):
        return Courtesy(kind)
    for kind, words in courtesy_words().items():
        if words.fit(bare, f"{_SIGNS}()'\"-"):
            return Courtesy(kind)
    kind = courtesies().get(cleaned) or courtesies().get(farewell_in(cleaned), "")
    return Courtesy(kind) if kind else None


def _turn(words: str) -> Turn | None:
    return next((turn for turn in Turn if turns()[turn].fullmatch(words)), None)


def _sure(words: str, bare: str, facts: ReadingFacts) -> Iterator[str]:
    """Yield the commands that the first rule that fits means."""
    if paper := paper_alone(words) or _listed(words, bare):
        yield f"show {paper}"
        return
    if len(words.split()) > _MOST_WORDS:
        return
    found = [_unless_asked(each, words, facts) for each in _by_rules(all_rules(), words, facts)]
    found = _by_posts(found, words, bare, facts) or _by_other_signs(found, words, facts)
    if found and found[0].startswith("brief") and is_of_one_paper(words):
        found = ["show it"]
    paper = paper_within(words)
    if paper and (not found or found[0].startswith("search ")):
        yield from mistyped_command(words, facts)
        yield f"show {paper}"
        return
    if found:
        is_weak = _is_weak(found[0]) or found[0].startswith(_OF_AUTHOR)
        yield from _spelled(words, facts) if is_weak else ()
        yield from (each for each in found if not _looks_for_nothing(each))
        return
    yield from _named(words, facts)
    yield from mistyped_command(words, facts)
    yield from _corrected(words, facts)


def _listed(words: str, bare: str) -> str | None:
    """Return what speaks of the list seen last where a line asks for nothing else."""
    is_all = read_list_reference(words) or read_list_reference(bare)
    return words if is_all else listed_alone(words)


def _by_other_signs(found: list[str], words: str, facts: ReadingFacts) -> list[str]:
    """Return what a line means by its signs where they are surer than `found`, else that."""
    if found and not may_be_meant(found[0], words, facts):
        return []
    if not found or _is_weak(found[0]):
        return _by_evidence(words, facts) or found or _by_clauses(words, facts)
    if _may_wish(found[0], words) and (meant := _by_evidence(words, facts)):
        is_meant = meant[0].partition(" ")[0] in facts.changing
        is_meant = is_meant or (found[0] == "help" and meant[0].startswith("brief since:"))
        return meant if is_meant else found
    is_list = found[0] in _LOOSE or found[0].partition(" ")[0] in _OF_LISTS
    if is_list and tells_of_absence(words, facts):
        return [recap] if (recap := read_recap(words, facts)) else found
    return found


def _unless_asked(command: str, words: str, facts: ReadingFacts) -> str:
    """Return the search that a question is which asks for a paper: "what was that one about …"."""
    if not command.startswith("ask ") or not without_frame(words).of_paper:
        return command
    return f"search {SLOTS['query'](words, facts) or words}"


def _may_wish(command: str, words: str) -> bool:
    """Tell whether a line that a rule read as a lookup may wish for a change by its other words."""
    is_loose = command in _LOOSE or command.startswith((_OF_AUTHOR, "dismiss "))
    return is_loose or (command.partition(" ")[0] in _OF_LISTS and is_to_go_on(words))


def _foreign(text: str, facts: ReadingFacts) -> Courtesy | str | None:
    """Return the courtesy or the command that a line in another language is."""
    for line in foreign_lines(text, facts):
        if line.courtesy:
            return Courtesy(line.courtesy)
        if command := _of_foreign(line, facts):
            return command
    return None


def _of_foreign(line: ForeignLine, facts: ReadingFacts) -> str | None:
    """Return the command of a line in another language by the first sentence that can be read."""
    for sentence in sentences():
        if not any(signs <= line.signs for signs in sentence.when):
            continue
        rests = (line.rest, line.known) if sentence.is_loose else (line.rest,)
        commands = (_of_sentence(sentence, rest, facts) for rest in dict.fromkeys(rests))
        if command := next(filter(None, commands), None):
            return command
    return None


def _of_sentence(sentence: Sentence, rest: str, facts: ReadingFacts) -> str | None:
    if sentence.command:
        return _fill(sentence.command, {"rest": rest}, facts)
    english = clean(sentence.says.format(rest=rest), facts.today)
    found = next(_sure(english, english.lower(), facts), "")
    return found if found.partition(" ")[0] in sentence.means else None


def _by_evidence(words: str, facts: ReadingFacts) -> list[str]:
    """Return the command of the first wish that a line has the signs of."""
    words = spelled_by(words, words_to_spell(), facts)
    return _by_wishes(wishes_in(words, facts), words, facts)


def _by_posts(found: Sequence[str], words: str, bare: str, facts: ReadingFacts) -> list[str]:
    """Return the command of the first wish for posts or alerts; `found` are those of rules."""
    may_wish = bool(found) and (_is_weak(found[0]) or _may_wish(found[0], words))
    if found and not may_wish and not is_of_posts(found):
        return []
    known = words_to_spell() | words_of_posts()
    if (spelled := spelled_by(words, known, facts)) != words:
        words, bare = spelled, spelled
    meant = _by_wishes(read_post_wishes(words, bare, facts), words, facts)
    return [] if meant and meant[0].count(" ") == 1 and is_of_days_past(words, facts) else meant


def _by_wishes(wishes: Iterable[str], words: str, facts: ReadingFacts) -> list[str]:
    for command in wishes:
        filled = _fill(command, {"raw": words}, facts)
        if filled and _may_mean(filled, words, facts):
            return [filled]
    return []


def _by_clauses(words: str, facts: ReadingFacts) -> list[str]:
    """Return the command of the first clause that asks for more than words to be looked for.

    Of an absence and a question about something else it is the question.
    """
    parts = clauses(words)
    asked = asked_beside_absence(words, facts) if parts or " and " in words else None
    if asked:
        return list(_sure(asked, asked.lower(), facts)) or [f"ask {asked}?"]
    for clause in parts:
        if read_list_reference(clause):
            continue
        found = _by_rules(all_rules(), clause, facts)
        name = found[0].partition(" ")[0] if found else ""
        if name == "brief" and asked is not None:
            return []
        if found and name not in (*_WEAK, "narrow") and not drops_filters(found[0], words, facts):
            return found
    return []


def _by_rules(rules: Sequence[Rule], words: str, facts: ReadingFacts) -> list[str]:
    """Return the commands of the first rule that fits a line and whose slots can be read in it."""
    parts = frozenset(word.strip(_SIGNS) for word in words.lower().split())
    for rule in rules:
        for slots in rule.matches(words, parts):
            slots["raw"] = words
            filled = (_fill(command, slots, facts) for command in rule.commands)
            if found := [each for each in filled if each and _may_mean(each, words, facts)]:
                return found
    return []


def _may_mean(command: str, words: str, facts: ReadingFacts) -> bool:
    """Tell whether a line may ask for a command: a question asks for no change.

    "Tell me when" is no question, and it asks for an alert; "how do we get this in our channel" and
    "how can we get rid of these posts" are wishes for posts.
    """
    name = command.partition(" ")[0]
    is_wish = name == "alert" or wishes_for_posts(name, words)
    return bool(is_wish) or name not in facts.changing or not _ASKING.match(words)


def _fill(command: str, slots: Mapping[str, str], facts: ReadingFacts) -> str | None:
    """Return a command with its slots filled, `None` if one can't be read."""
    parts: list[str] = []
    end = 0
    for slot in _SLOT.finditer(command):
        text = slots.get(slot[1], "")
        value = SLOTS[slot[2]](text, facts) if slot[2] else text
        if value is None:
            return None
        parts += [command[end : slot.start()], value]
        end = slot.end()
    return " ".join("".join([*parts, command[end:]]).split())


def _named(words: str, facts: ReadingFacts) -> Iterator[str]:
    """Yield the line without politeness if it then begins with a command."""
    name = words.lower().split(" ", 1)[0].removeprefix("/")
    if name in facts.commands:
        yield words


def _corrected(words: str, facts: ReadingFacts) -> Iterator[str]:
    """Yield what a line means with a mistyped command, or other mistyped words of the rules."""
    name, _, rest = words.lower().partition(" ")
    yield from (f"{near} {rest}".strip() for near in near_commands(name, facts))
    yield from _spelled(words, facts, weak=True)


def _spelled(words: str, facts: ReadingFacts, *, weak: bool = False) -> Sequence[str]:
    """Return what a line means with the words of rules put right, which may be `weak`."""
    parts, known = words.split(), vocabulary() | words_of_intents()
    meant = [nearest_word(part, known, SHORTEST_MISTYPED) for part in parts]
    line = "" if meant == parts else " ".join(meant)
    intent = read_intent(line, facts) if line else None
    found = [intent] if intent else _by_rules(all_rules(), line, facts) if line else []
    return found if weak or not (found and _is_weak(found[0])) else []


def _unsure(text: str, words: str, facts: ReadingFacts) -> Iterator[str]:
    """Yield an answer to a question, then a search for the words."""
    begun = _ALSO_IN.match(words)
    query = SLOTS["query"](words[begun.end() :] if begun else words, facts)
    is_filtered = query is not None and query != words and ":" in query
    is_ranked = bool(unknown_superlatives(words))
    is_of_paper = without_frame(words).of_paper
    if not (is_ranked or is_of_paper) and _is_question(text, words, is_filtered=is_filtered):
        yield f"ask {' '.join(text.split())}"
    if query:
        if ":" in query.partition(" ")[0] and (alone := SLOTS["filters"](words, facts)):
            yield f"narrow {alone}"
        plain = _AUTHOR.sub(r"\1\2", query)  # an author may not be known
        loose = (_SOURCE.sub("", each) for each in (query, plain))  # nor a source
        yield from (f"search {each}" for each in dict.fromkeys((query, plain, *loose)) if each)
    yield f"search {words}"


def _is_question(text: str, words: str, *, is_filtered: bool) -> bool:
    """Tell whether a line asks; words with a filter and no question word are a search."""
    is_asked = text.rstrip().endswith("?") and len(words.split()) > 2  # noqa: PLR2004
    return bool((is_asked and not is_filtered) or _QUESTION.fullmatch(words))
