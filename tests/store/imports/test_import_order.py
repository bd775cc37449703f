"""The same documents in any order make the same store, whatever was said of them before."""

import asyncio
import shutil
from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path
from random import Random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.domain.drafts import EditionDraft
from bot.export.json_shapes import to_json
from store.database import Database, Session
from store.identity import overrides
from store.identity.overrides import Merge, Separation, Split
from store.library import editions
from store.records import Edition
from store.sources import CONSENSUS
from tests.bot.ingest.imports import NOW, take_in
from tests.conftest import few_examples
from tests.store.imports.random_editions import DAYS, ENTRIES, IDS, KINDS, Key, drafted

Documents = list[tuple[str, EditionDraft]]


def _documents(draw: st.DrawFn) -> Documents:
    """Draft a few documents, no two of one kind and edition."""
    keys: list[Key] = []
    for _ in range(draw(st.integers(2, 6))):
        slug = draw(st.sampled_from(sorted(KINDS)))
        keys.append((slug, draw(DAYS), draw(KINDS[slug])))
    return [
        (key[0], drafted(key, 6, draw(st.lists(ENTRIES, max_size=4))))
        for key in dict.fromkeys(keys)
    ]


DOCUMENTS = st.composite(_documents)()
# Two ids are merged, an entry that any of the documents may have is split off, and two entries are
# of two papers, or not.
SAID = st.tuples(
    st.none() | st.just(Merge(f"arxiv:{IDS[0]}", f"arxiv:{IDS[1]}", NOW)),
    st.none() | st.sampled_from([Split("dair:2025-12-29#1", NOW), Split(IDS[0], NOW)]),
    st.none() | st.just(Separation("dair:2025-12-29#1", "dair:2026-01-05#1", NOW)),
)
Said = tuple[Merge | None, Split | None, Separation | None]


def _say(session: Session, said: Said) -> None:
    merge, split, apart = said
    if merge:
        overrides.add_merge(session, merge)
    if split:
        overrides.add_split(session, split.ref, split.at)
    if apart:
        overrides.add_separation(session, apart)


def _papers(found: Sequence[Edition]) -> set[frozenset[tuple[str, date, str]]]:
    """Return which entries are of one paper."""
    papers: dict[int | None, set[tuple[str, date, str]]] = {}
    for edition in found:
        for entry in edition.entries:
            place = edition.source, edition.first_day, entry.ref
            papers.setdefault(entry.paper, set()).add(place)
    return set(map(frozenset, papers.values()))


async def _taken_in(path: Path, said: Said, documents: Documents) -> tuple[object, ...]:
    """Import documents one after the other; return all that is exported, and who is who."""
    database = Database(f"sqlite:///{path}")
    await database.write(_say, said)
    for number, (slug, draft) in enumerate(documents):
        await database.write(take_in, draft, slug, NOW + timedelta(minutes=number))
    originals = await database.read(editions.export_editions)
    fused = await database.read(editions.export_editions, CONSENSUS)
    database.close()
    return to_json(originals), to_json(fused), _papers(originals)


@settings(max_examples=few_examples(), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(DOCUMENTS, SAID, st.randoms(use_true_random=False))
def test_the_order_of_documents_never_matters(
    sqlite_template: Path, tmp_path: Path, documents: Documents, said: Said, random: Random
) -> None:
    """What is exported, the consensus and who is who come out alike from any order of imports."""
    shuffled = [*documents]
    random.shuffle(shuffled)
    made = []
    for name, order in (("one.db", documents), ("other.db", shuffled)):
        path = Path(shutil.copy(sqlite_template, tmp_path / name))
        made.append(asyncio.run(_taken_in(path, said, order)))
    assert made[0] == made[1]
