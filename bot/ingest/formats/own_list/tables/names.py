"""The names of columns, as people write them in their languages.

Zotero's names: https://github.com/zotero/translators (CSV.js). Notion writes the title first, and
the other properties under the names that people gave them.
"""

import re

TITLES = (
    "title", "paper title", "title of paper", "paper", "papers", "name", "paper name", "article",
    "article title", "publication title", "publication", "work", "titel", "titre", "t\u00edtulo",
    "titolo", "\u6807\u9898", "\u984c\u540d", "\u30bf\u30a4\u30c8\u30eb", "reading", "item",
    "document", "titulo", "title & authors", "title and authors", "title authors", "title venue",
    "paper & authors", "paper blog", "paper or blog", "blog paper", "paper & code", "title & link",
    "title link", "paper title link", "papers & links", "topic", "subject", "\u8bba\u6587",
    "\u8bba\u6587\u6807\u9898", "\u8bba\u6587\u540d\u79f0", "\u8bba\u6587\u540d",
    "\u9898\u76ee", "\u540d\u79f0", "\u6587\u7ae0", "\u8ad6\u6587", "\u8ad6\u6587\u540d",
    "\u8ad6\u6587\u30bf\u30a4\u30c8\u30eb", "\u6a19\u984c", "\u984c\u76ee", "\ub17c\ubb38",
    "\ub17c\ubb38 \uc81c\ubaa9", "\ub17c\ubb38\uba85", "\uc81c\ubaa9",
    "\u043d\u0430\u0437\u0432\u0430\u043d\u0438\u0435", "\u0441\u0442\u0430\u0442\u044c\u044f",
    "\u0437\u0430\u0433\u043e\u043b\u043e\u0432\u043e\u043a", "\u043d\u0430\u0437\u0432\u0430",
    "art\u00edculo", "articolo", "artigo", "ba\u015fl\u0131k", "makale", "ti\u00eau \u0111\u1ec1",
    "tytu\u0142", "judul",
    "aufsatz", "artikel", "papier", "ver\u00f6ffentlichung", "art\u00edculos", "trabajo",
    "\u6807\u9898\u540d", "\u6587\u7ae0\u6807\u9898", "\u8ad6\u6587\u6a19\u984c",
    "\u8ad6\u6587\u984c\u76ee", "\u6587\u732e", "\u6587\u737b", "\u6587\u732e\u540d",
    "\u8ad6\u6587\u540d\u79f0", "\u8bb0\u4e8b", "\u8a18\u4e8b", "\ub17c\ubb38 \uc774\ub984",
    "\ub17c\ubb38\uc81c\ubaa9",
    "\u043d\u0430\u0437\u0432\u0430\u043d\u0438\u0435 \u0441\u0442\u0430\u0442\u044c\u0438",
    "\u0440\u0430\u0431\u043e\u0442\u0430",
    "\u043f\u0443\u0431\u043b\u0438\u043a\u0430\u0446\u0438\u044f", "t\u00edtulo do artigo",
    "titre de l article", "t\u00edtulo del art\u00edculo",
)  # fmt: skip
WEAK_TITLES = frozenset({"topic", "subject"})
LINKS = (
    "url", "link", "links", "paper link", "paper url", "address", "arxiv", "arxiv id",
    "arxiv link", "arxiv url", "pdf", "pdf link", "doi", "code", "code link", "github", "repo",
    "project", "project page", "website", "web", "source", "href", "userdefined:url", "blog",
    "where", "links to", "resources", "enlace", "lien", "\u94fe\u63a5", "\u8bba\u6587\u94fe\u63a5",
    "\u5730\u5740", "\u4ee3\u7801", "\u30ea\u30f3\u30af", "\ub9c1\ud06c", "\ucf54\ub4dc",
    "\u0441\u0441\u044b\u043b\u043a\u0430", "\u043a\u043e\u0434",
    "verweis", "quelle", "adresse", "enlaces", "c\u00f3digo", "liens", "\u9023\u7d50",
    "\u7f51\u5740", "\u7db2\u5740", "\u539f\u6587", "\u539f\u6587\u94fe\u63a5",
    "\u8bba\u6587\u5730\u5740", "\u9879\u76ee\u5730\u5740", "\u9879\u76ee",
    "\u958b\u6e90\u5730\u5740", "\u8ad6\u6587\u30ea\u30f3\u30af", "\u30b3\u30fc\u30c9",
    "\ub17c\ubb38 \ub9c1\ud06c", "\uc8fc\uc18c", "\uae43\ud5c8\ube0c",
    "\u0441\u0441\u044b\u043b\u043a\u0438", "\u0430\u0434\u0440\u0435\u0441",
    "\u0438\u0441\u0442\u043e\u0447\u043d\u0438\u043a",
    "\u0441\u0442\u0430\u0442\u044c\u044f \u0441\u0441\u044b\u043b\u043a\u0430",
)  # fmt: skip
PAPER_NAMES = frozenset({
    "url", "link", "links", "paper link", "paper url", "address", "arxiv", "arxiv id",
    "arxiv link", "arxiv url", "pdf", "pdf link", "doi", "href", "userdefined:url", "source",
    "where", "paper", "enlace", "lien", "\u94fe\u63a5", "\u8bba\u6587\u94fe\u63a5", "\u5730\u5740",
    "\u30ea\u30f3\u30af", "\ub9c1\ud06c", "\u0441\u0441\u044b\u043b\u043a\u0430",
    "verweis", "quelle", "adresse", "enlaces", "liens", "\u9023\u7d50", "\u7f51\u5740",
    "\u7db2\u5740", "\u539f\u6587", "\u539f\u6587\u94fe\u63a5", "\u8bba\u6587\u5730\u5740",
    "\u8ad6\u6587\u30ea\u30f3\u30af", "\ub17c\ubb38 \ub9c1\ud06c", "\uc8fc\uc18c",
    "\u0441\u0441\u044b\u043b\u043a\u0438", "\u0430\u0434\u0440\u0435\u0441",
})  # fmt: skip
NOTES = (
    "note", "notes", "our note", "our notes", "comment", "comments", "why", "why it matters",
    "why read", "takeaway", "takeaways", "key takeaway", "key idea", "key ideas", "remarks",
    "remark", "thoughts", "tl;dr", "tldr", "tl dr", "one liner", "in one line", "summary",
    "description", "details", "blurb", "about", "highlights", "idea", "extra",
    "\u5907\u6ce8", "\u6458\u8981", "\u7b80\u4ecb", "\u8bf4\u660e", "\u30e1\u30e2",
    "\u6982\u8981", "\uc694\uc57d", "\ube44\uace0", "\uba54\ubaa8",
    "\u0437\u0430\u043c\u0435\u0442\u043a\u0438",
    "\u043a\u043e\u043c\u043c\u0435\u043d\u0442\u0430\u0440\u0438\u0439",
    "notas", "nota", "resumen", "notizen", "anmerkung", "anmerkungen", "remarque", "remarques",
    "notiz", "kommentar", "kommentare", "bemerkung", "bemerkungen", "beschreibung",
    "zusammenfassung", "warum", "comentario", "comentarios", "descripci\u00f3n", "resumo",
    "observa\u00e7\u00f5es", "coment\u00e1rios", "commentaire", "commentaires", "r\u00e9sum\u00e9",
    "riassunto", "commenti", "descrizione", "\u0437\u0430\u043c\u0435\u0442\u043a\u0430",
    "\u043a\u043e\u043c\u043c\u0435\u043d\u0442\u0430\u0440\u0438\u0438",
    "\u043e\u043f\u0438\u0441\u0430\u043d\u0438\u0435",
    "\u0430\u043d\u043d\u043e\u0442\u0430\u0446\u0438\u044f",
    "\u043f\u0440\u0438\u043c\u0435\u0447\u0430\u043d\u0438\u0435",
    "\u043f\u0440\u0438\u043c\u0435\u0447\u0430\u043d\u0438\u044f", "\u7b14\u8bb0", "\u7b46\u8a18",
    "\u8bc4\u8bba", "\u8a55\u8ad6", "\u70b9\u8bc4", "\u63cf\u8ff0", "\u603b\u7ed3",
    "\u603b\u7ed3\u6982\u62ec", "\u63a8\u8350\u7406\u7531", "\u4eae\u70b9", "\u5099\u8a3b",
    "\u8aaa\u660e", "\u5907\u8003", "\u5099\u8003", "\u30b3\u30e1\u30f3\u30c8", "\u8981\u7d04",
    "\u8aac\u660e", "\u611f\u60f3", "\uc124\uba85", "\ub178\ud2b8", "\ucf54\uba58\ud2b8",
    "\ud55c\uc904\ud3c9", "\ub0b4\uc6a9", "\uc815\ub9ac",
)  # fmt: skip
ABSTRACTS = ("abstract note", "abstract", "ai summary")
RANKS = (
    "rank", "#", "no", "nr", "number", "position", "place", "pos", "order", "\u2116", "rang", "num",
    "\u5e8f\u53f7", "\u7f16\u53f7", "\u6392\u540d", "\u756a\u53f7", "\u9806\u4f4d",
    "\ubc88\ud638", "\uc21c\uc704",
)  # fmt: skip
DAYS = (
    "date added", "added", "added on", "created", "created time", "created at", "created on",
    "timestamp", "date read", "read on", "shared on", "shared", "saved at", "when", "week of",
    "day", "date", "datum", "meeting", "meeting date", "presented", "discussed",
    "publish date", "published", "published on", "posted", "announced", "submitted",
    "fecha", "data", "\u65e5\u671f", "\u65f6\u95f4", "\u65e5\u4ed8", "\ub0a0\uc9dc", "\uc77c\uc790",
    "\u0434\u0430\u0442\u0430",
    "hinzugef\u00fcgt", "hinzugef\u00fcgt am", "date d ajout", "ajout\u00e9 le",
    "fecha a\u00f1adida", "\u53d1\u5e03\u65f6\u95f4", "\u53d1\u5e03\u65e5\u671f",
    "\u53d1\u8868\u65f6\u95f4", "\u6dfb\u52a0\u65f6\u95f4", "\u6dfb\u52a0\u65e5\u671f",
    "\u8ffd\u52a0\u65e5", "\u767a\u8868\u65e5", "\ub4f1\ub85d\uc77c", "\ubc1c\ud45c\uc77c",
    "\u0434\u0430\u0442\u0430 \u0434\u043e\u0431\u0430\u0432\u043b\u0435\u043d\u0438\u044f",
    "\u0434\u043e\u0431\u0430\u0432\u043b\u0435\u043d\u043e",
)  # fmt: skip
WEEKS = (
    "week", "iso week", "kw", "woche", "semaine", "semana", "settimana", "\u5468", "\u9031",
    "\uc8fc\ucc28", "\u043d\u0435\u0434\u0435\u043b\u044f",
)  # fmt: skip
FIRST_DAYS, LAST_DAYS = ("first day",), ("last day",)
THEMES = ("heading", "theme")
NAMES_TITLE = re.compile(
    r"\b(?:title|titel|titre|t[i\u00ed]tulo|titolo)\b|\u6807\u9898|\u6a19\u984c|\u9898\u76ee"
    r"|\u984c\u76ee|\u30bf\u30a4\u30c8\u30eb|\uc81c\ubaa9|\u043d\u0430\u0437\u0432\u0430\u043d\u0438\u0435"
)
NAMES_LINK = re.compile(
    r"\b(?:links?|url|lien|enlace|verweis)\b|\u94fe\u63a5|\u30ea\u30f3\u30af|\ub9c1\ud06c|\u0441\u0441\u044b\u043b"
)
NAMES_PAPER = re.compile(r"\b(?:links?|url)\b.*\bpaper\b|\bpaper\b.*\b(?:links?|url)\b")
NAMES_NOTE = re.compile(r"^why\b|\b(?:notes?|comments?|summary|thoughts|takeaways?)\b")
# Rows of a schedule for which there is no paper.
PLACEHOLDERS = frozenset({
    "break", "canceled", "cancelled", "holiday", "holidays", "n/a", "no class", "no meeting",
    "no reading group", "none", "tba", "tbc", "tbd", "to be announced", "to be decided",
    "\u5f85\u5b9a", "\u672a\u5b9a", "\ubbf8\uc815",
})  # fmt: skip
