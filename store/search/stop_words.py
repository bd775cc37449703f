"""Words that say nothing about a paper."""

# Those of grammar, those of asking, and those of any paper.
STOP_WORDS = frozenset({
    "a", "an", "the", "this", "that", "these", "those", "it", "its", "they", "them", "their",
    "there", "he", "she", "his", "her", "i", "me", "my", "we", "us", "our", "you", "your",
    "one", "ones",
    "and", "or", "but", "nor", "so", "yet", "if", "then", "than", "as", "because", "while",
    "though", "although",
    "of", "in", "on", "at", "to", "for", "from", "by", "with", "into", "onto", "over",
    "under", "about", "between", "through", "during", "without", "within", "per", "via",
    "like",
    "is", "are", "was", "were", "be", "been", "being", "am", "do", "does", "did", "doing",
    "done", "has", "have", "had", "having", "can", "could", "may", "might", "must", "shall",
    "should", "will", "would", "get", "gets", "got", "let", "lets", "make", "makes", "made",
    "want", "wants",
    "not", "no", "also", "just", "only", "even", "very", "too", "more", "most", "much",
    "many", "some", "any", "all", "each", "every", "both", "such", "other", "others", "same",
    "how", "what", "when", "where", "which", "who", "whom", "whose", "why", "find", "show",
    "shows", "showing",
    "paper", "papers", "article", "study", "work", "works", "use", "uses", "used", "using",
})  # fmt: skip
