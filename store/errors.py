"""The root of every error that people read, and what can go wrong with the store.

BroadsheetError
└── StoreError
├── BadDatabaseURL      the setting names no database that can be used
├── StoreUnavailable    it can't be opened or reached
├── StoreFull           its disk has no room left
├── StoreBusy           it can be reached, but others hold it
├── SchemaTooNew        written by a later version of Broadsheet
├── SchemaOutdated      a verb that does not upgrade met an older schema
├── LeaseLost           somebody else took over what this process was working on
├── SecretUnreadable    none of the keys opens what is kept encrypted
└── BackupError         a backup that can't be made or used
"""


class BroadsheetError(Exception):
    """An error in words: `sentence` says what is wrong, `remedy` what to do about it."""

    def __init__(self, sentence: str, remedy: str = "") -> None:
        self.sentence = sentence
        self.remedy = remedy
        super().__init__(f"{sentence} {remedy}".strip())


class StoreError(BroadsheetError):
    """The store could not do what was asked.

    `said` is what people in chats are told, who need not know where it is; nothing where there is
    no more to say than that something went wrong. `advice` is the remedy that goes with it.
    """

    said = ""
    advice = "Try again in a few minutes."


class BadDatabaseURL(StoreError):
    """`BROADSHEET_DATABASE_URL` names no database that can be used."""

    def __init__(self, reason: str) -> None:
        super().__init__(
            f"BROADSHEET_DATABASE_URL can't be used: {reason}.",
            "Give sqlite:///FILE or postgresql+psycopg://USER:PASSWORD@HOST/NAME.",
        )


class StoreUnavailable(StoreError):
    """The database can't be opened, reached or written, or what is there is no database."""

    said = "The store can't be reached just now."

    def __init__(self, where: str, reason: str) -> None:
        self.where = where
        super().__init__(
            f"The store at {where} can't be used: {reason}.",
            "Check BROADSHEET_DATABASE_URL and the rights on what it names.",
        )


class StoreFull(StoreError):
    """There is no room left on the disk for what was to be written; nothing of it was."""

    said = "The store has no room left."

    def __init__(self, where: str, reason: str) -> None:
        super().__init__(
            f"The store at {where} has no room left: {reason}.", "Make room on its disk."
        )


class StoreBusy(StoreError):
    """Other writers kept the store for as long as this one was willing to wait."""

    said = "The store is busy with other writers."
    advice = "Try again in a moment."

    def __init__(self) -> None:
        super().__init__("The store is busy with other writers.", "Try again in a moment.")


class SchemaTooNew(StoreError):
    """The schema's revision is one that this program does not know, and may not use.

    `meanwhile` where it was brought there while this program ran.
    """

    said = "The store was upgraded by a newer Broadsheet; this one has to be restarted with it."
    advice = ""

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
    """The schema is older than the program and the verb at hand does not upgrade it."""

    def __init__(self, revision: str | None) -> None:
        self.revision = revision
        super().__init__(
            f"The store's schema is {revision or 'not set up yet'}, older than this program.",
            "Run broadsheet db upgrade.",
        )


class LeaseLost(StoreError):
    """A delivery that this process was working on is another's now; it must not go on with it."""

    def __init__(self, delivery: int) -> None:
        self.delivery = delivery
        super().__init__(f"Delivery {delivery} was taken over.")


class SecretUnreadable(StoreError):
    """What is kept encrypted was encrypted by a key that is not given any more.

    `owner` is whose it is, or in words whose they are where there are `several`.
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
