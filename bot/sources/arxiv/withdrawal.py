"""Telling from arXiv's words whether a paper was withdrawn, for its API has no field for that.

Whoever withdraws one says so at the beginning of the comment or of the abstract
(https://info.arxiv.org/help/withdraw.html), in words of their own. What is known of these is told
here, and nothing is guessed: other papers are about what was withdrawn. Pure.
"""

import re

_NOUN = (
    r"(?:paper|article|manuscript|submission|preprint|e-?print|document|work|report|note|version)"
)
_GONE = r"(?:withdrawn|retracted)"
_WHO = (
    r"(?:(?:the|its|their|all|both|first|corresponding|submitting)\s)*"
    r"(?:authors?|author\(s\)|submitters?|arXiv)\b"
)
# A paper may also be withdrawn from a conference.
_FROM_HERE = r"(?!\sfrom\s(?!arXiv\b|the\sarXiv\b))"
# "This paper has been withdrawn", "The authors have withdrawn this paper", "We withdraw our paper".
_SENTENCE = (
    rf"(?:this|the|the\spresent|our)\s{_NOUN}\s"
    rf"(?:(?:has|have)(?:\s(?:now|since))?\sbeen|was|is(?:\s(?:now|being))?)"
    rf"\s(?:temporarily\s)?{_GONE}\b{_FROM_HERE}"
    rf"|(?:this|the)\s{_NOUN}\s(?:has\sbeen|was)\sremoved\sby\sarXiv\b"
    rf"|(?:{_WHO}|we|I)\s(?:(?:have|has|hereby|wish\sto|would\slike\sto|decided\sto)\s)*"
    rf"(?:withdraw|withdrew|withdrawn|retract|retracted)\s(?:this|the|our|my)\s{_NOUN}\b{_FROM_HERE}"
)
# "Withdrawn by the authors", "Paper withdrawn due to an error", and the bare word.
_REMARK = (
    rf"(?:{_NOUN}\s)?(?:temporarily\s)?{_GONE}"
    rf"(?:\s*[.;!)\]]|\s*$|\sby\s{_WHO}|\sfrom\s(?:the\s)?arXiv\b"
    r"|,?\s(?:due\sto|because|pending|in\sfavou?r\sof|owing\sto)\b)"
)
_ADMIN = r"(?:arXiv\sadmin\s(?:note|comment)\s?:\s*)?"
_BEGINS = re.compile(rf"[\W_]*{_ADMIN}(?:{_SENTENCE}|{_REMARK})", re.IGNORECASE)
# A comment often names pages and figures first.
_SAYS = re.compile(rf"(?<=[.;!])\s{_ADMIN}(?:{_SENTENCE})", re.IGNORECASE)


def is_withdrawn(comment: str | None, abstract: str) -> bool:
    """Tell whether a paper was withdrawn by its comment and abstract, each on one line."""
    if comment and (_BEGINS.match(comment) or _SAYS.search(comment)):
        return True
    return _BEGINS.match(abstract) is not None
