"""The root of every error that users read, and the errors of the store."""


class BroadsheetError(Exception):
    """An error in words: `sentence` says what is wrong, `remedy` what to do about it."""

    def __init__(self, sentence: str, remedy: str = "") -> None:
        self.sentence = sentence
        self.remedy = remedy
        super().__init__(f"{sentence} {remedy}".strip())


class StoreError(BroadsheetError):
    """The store failed.

    `chat_sentence` and `chat_remedy` are the error for users in chats, who need not know where the
    store is; without a sentence they get a general one.
    """

    chat_sentence = ""
    chat_remedy = "Try again in a few minutes."


class BadDatabaseURL(StoreError):
    """A URL, mostly `BROADSHEET_DATABASE_URL`, names no database that can be used."""

    def __init__(self, reason: str, what: str = "BROADSHEET_DATABASE_URL") -> None:
        self.reason = reason
        super().__init__(
            f"{what} can't be used: {reason}.",
            "Give sqlite:///FILE or postgresql+psycopg://USER:PASSWORD@HOST/NAME.",
        )


class StoreUnavailable(StoreError):
    """The database can't be opened, reached or written, or its file is no database."""

    chat_sentence = "The store can't be reached just now."

    def __init__(self, where: str, reason: str) -> None:
        self.where = where
        super().__init__(
            f"The store at {where} can't be used: {reason}.",
            "Check BROADSHEET_DATABASE_URL and the rights on what it names.",
        )


class StoreFull(StoreError):
    """The disk has no room left for a write; nothing of it was written."""

    chat_sentence = "The store has no room left."

    def __init__(self, where: str, reason: str) -> None:
        super().__init__(
            f"The store at {where} has no room left: {reason}.", "Make room on its disk."
        )


class StoreBusy(StoreError):
    """Other writers kept the store locked for longer than a writer waits."""

    chat_sentence = "The store is busy with other writers."
    chat_remedy = "Try again in a moment."

    def __init__(self) -> None:
        super().__init__("The store is busy with other writers.", "Try again in a moment.")


class SchemaTooNew(StoreError):
    """The schema's revision is one that this program does not know, and may not use.

    `meanwhile` tells that it was upgraded while this program ran.
    """

    chat_sentence = (
        "The store was upgraded by a newer Broadsheet; this one has to be restarted with it."
    )
    chat_remedy = ""

    def __init__(self, revision: str, *, meanwhile: bool = False) -> None:
        self.revision = revision
        if meanwhile:
            super().__init__(
                f"The store was upgraded by a newer Broadsheet (schema {revision}); restart this"
                " one with that version."
            )
        else:
            super().__init__(
                f"The store was written by a newer Broadsheet (schema {revision}).",
                "Install that version, or restore a backup that this one made.",
            )


class SchemaOutdated(StoreError):
    """The schema is older than the program, and the command at hand does not upgrade it."""

    def __init__(self, revision: str | None) -> None:
        self.revision = revision
        super().__init__(
            f"The store's schema is {revision or 'not set up yet'}, older than this program.",
            "Run broadsheet db upgrade.",
        )


class SchemaTooOld(StoreError):
    """The schema is older than the first that this program can upgrade."""

    commit = "546f535ce00442b8e1d6e55a5125abccc6905ccf"
    tag = "schema-0024"

    def __init__(self, revision: str) -> None:
        self.revision = revision
        super().__init__(
            f"The schema {revision} is too old for this Broadsheet; upgrade it first with commit"
            f" {self.commit} (tag {self.tag}).",
            "There run broadsheet db upgrade; a backup is a store of its own, sqlite:///FILE.",
        )


class LeaseLost(StoreError):
    """Another process claimed a delivery that this one was working on, which must stop."""

    def __init__(self, delivery: int) -> None:
        self.delivery = delivery
        super().__init__(f"Delivery {delivery} was taken over.")


class SecretUnreadable(StoreError):
    """An encrypted token was encrypted with a key that is missing now.

    `owner` is the token's owner, or a description of the owners where there are `several`.
    """

    def __init__(self, owner: str, *, several: bool = False) -> None:
        self.owner = owner
        what = "tokens" if several else "token"
        super().__init__(
            f"No key in BROADSHEET_SECRET_KEY opens the {what} of {owner}.",
            "Put the old key behind the new one and a comma, or install there again.",
        )


class BackupError(StoreError):
    """A backup can't be written where it was asked for, or can't be restored from."""


class CopyError(StoreError):
    """A store can't be copied to where it was asked to be, or the copy differs."""
