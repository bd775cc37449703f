"""The verbs of the command line: what they print, where, and with which exit code."""

import json
import shlex
import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from tests.bot.ingest.drafts import edition, entry
from tests.flows.program import Program, write_week

WEEK = edition(
    *(entry(rank, f"Invented Paper {rank}", f"It does thing {rank}.") for rank in range(1, 11)),
    title="The Top AI Papers of the Week (January 5-11)",
)


@pytest.fixture
def week(broadsheet: Program) -> Path:
    """Return the path of an invented newsletter in the program's folder."""
    return write_week(broadsheet.folder, WEEK).rename(broadsheet.folder / "week.txt")


@pytest.fixture(scope="module")
def imported(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a store into which that week was imported; tests copy it."""
    folder = tmp_path_factory.mktemp("imported")
    store = Path(shutil.copy(sqlite_template, folder / "broadsheet.db"))
    assert Program(folder, f"sqlite:///{store}")("import", str(write_week(folder, WEEK))).code == 0
    return store


@pytest.fixture
def stocked(broadsheet: Program, imported: Path) -> Program:
    """Return the program on a store that holds that week."""
    shutil.copyfile(imported, broadsheet.folder / "broadsheet.db")
    return broadsheet


@pytest.mark.parametrize(
    ("arguments", "code", "where", "words"),
    [
        (["--help"], 0, "out", "\n  discord "),
        (["--version"], 0, "out", "0.1.0"),
        (["serch", "x"], 2, "err", "Did you mean 'search'?"),
        (["search", "--limit", "many", "x"], 2, "err", "'many' is not a valid integer"),
        (["import"], 2, "err", "Missing argument"),
        (["import", "--kind", "novel", "x"], 2, "err", "'novel' is not one of"),
        (["import", "--source", "Not A Slug", "x"], 1, "err", "can't name a source"),
        (["import", "nowhere.txt"], 1, "err", "nowhere.txt can't be read: No such file"),
        (["import", "."], 1, "err", ". can't be read: Is a directory"),
        (["import", "http://127.0.0.1:9/"], 1, "err", "not on the public internet"),
        (["import", "ftp://example.org/"], 1, "err", "http"),
        (["sync", "weekly"], 1, "err", "No source 'weekly' is followed."),
        (["sources", "list"], 0, "out", "paperdive, AI Papers Week in Review (disabled)"),
        (["sources", "list"], 0, "out", "hf-daily, Hugging Face Daily Papers, usually every day"),
        (["sources", "add", "a", "https://a.example", "--day", "monday"], 1, "err", "Say both"),
        (["sources", "add", "dair", "https://a.example", "--hour", "9:00"], 1, "err", "of dair"),
        (["sources", "remove", "dair"], 1, "err", "comes with Broadsheet"),
        (["sources", "add", "weekly", "nowhere"], 1, "err", "no address of a web server"),
        (["sources", "add", "weekly", "https://a:b@example.org/"], 1, "err", "is not kept"),
        (["sources", "add", "weekly", "https://a.example/ b"], 1, "err", "no address of a web"),
        (["sources", "add", "mine", "https://nlp.elvissaravia.com/feed"], 0, "out", "So is dair:"),
        (["editions", "--source", "darr"], 1, "err", "no source 'darr'"),
        (["editions", "--source", "consensus"], 0, "out", ""),
        (["export", "--source", "darr"], 1, "err", "The sources are dair,"),
        (["sources", "add", "consensus", "https://example.org/"], 1, "err", "is computed"),
        (["sources", "add", "all", "https://example.org/"], 1, "err", "stands for every source"),
        (["sources", "add", "weekly", "https://example.org/"], 0, "out", "weekly is followed at"),
        (["sources", "enable", "weekly"], 1, "err", "No source 'weekly' is followed."),
        (["sources", "remove", "weekly"], 1, "err", "No source 'weekly' is followed."),
        (["export", "--format", "clay"], 2, "err", "'clay' is not"),
        (["ask", "show", "me"], 1, "err", "No title holds the words 'me'."),
        (["ask", "dance"], 0, "out", "Read as: search dance"),
        (["ask"], 1, "err", "No edition is stored yet."),
        (["show", "3"], 1, "err", "No edition is stored yet."),
        (["search", "--", "-x", "??"], 0, "out", "No paper matches -x ??."),
        (["editions"], 0, "out", ""),
        (["db", "restore", "b.db"], 1, "err", "b.db can't be read: No such file"),
        (["deliveries", "retry", "9" * 20], 2, "err", "is not in the range"),
        (["sources", "enable", "\udcff"], 1, "err", "is followed."),
        (["search", "a\udcff\x9b\u202eb"], 0, "out", "No paper matches a b."),
        (["search", "--json", "\udcff\x9b"], 0, "out", r'"query": " \u009b"'),
        (["show", "a:\udcff"], 1, "err", "No title holds the words"),
        (["import", "\udcffa\u202eb\n.txt"], 1, "err", "\ufffdab .txt can't be read: No such"),
    ],
)
def test_each_call_ends_as_it_should(
    broadsheet: Program, arguments: list[str], code: int, where: str, words: str
) -> None:
    """Zero when done, one for an error in words on standard error, two for wrong usage."""
    ran = broadsheet(*arguments)
    assert ran.code == code, ran
    assert words in getattr(ran, where)
    assert "Traceback" not in ran.out + ran.err
    assert where == "out" or ran.out == ""


def test_without_a_store_that_is_said(storeless: Program) -> None:
    """Nothing is made by looking; `db upgrade` and every verb that keeps something make it."""
    for verb in (["check"], ["backup", "b.db"], ["copy", "sqlite:///b.db"]):
        ran = storeless("db", *verb)
        assert (ran.code, ran.out) == (1, "")
        assert "There is no store at broadsheet.db." in ran.err
    assert "will be made at first use" in storeless("doctor").out
    assert list(storeless.folder.iterdir()) == []
    ran = storeless("db", "upgrade")
    assert (ran.code, ran.err) == (0, "")
    assert "broadsheet.db is now at schema" in ran.out
    assert storeless("db", "check").code == 0


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"BROADSHEET_DATABASE_URL": "sqlite:///no/such/folder/x.db"}, "can't be used"),
        ({"BROADSHEET_TIMEZONE": "Mars/Olympus"}, "BROADSHEET_TIMEZONE=Mars/Olympus"),
        ({"BROADSHEET_CLOCK_OFFSET": "soon"}, "BROADSHEET_CLOCK_OFFSET=soon"),
        ({"BROADSHEET_CLOCK_OFFSET": "nan"}, "BROADSHEET_CLOCK_OFFSET=nan"),
        ({"BROADSHEET_CLOCK_OFFSET": "1e12"}, "BROADSHEET_CLOCK_OFFSET=1e12"),
        ({"BROADSHEET_WEB_PORT": "70000"}, "BROADSHEET_WEB_PORT=70000"),
        ({"BROADSHEET_SECRET_KEY": "hunter2"}, "BROADSHEET_SECRET_KEY has fewer than 16"),
        ({"BROADSHEET_DATABASE_URL": "mysql://me:hunter2@x"}, "mysql is not supported"),
    ],
)
def test_a_wrong_setting_is_named(
    broadsheet: Program, settings: dict[str, str], words: str
) -> None:
    """One sentence with the variable, its value unless it is secret, and what was expected."""
    ran = broadsheet("editions", **settings)
    assert (ran.code, ran.out) == (1, "")
    assert words in ran.err
    assert "hunter2" not in ran.err
    assert "Traceback" not in ran.err


_LOOKUPS = (
    ("ask", "latest"),
    ("search", "paper"),
    ("show", "1"),
    ("editions",),
    ("export",),
    ("subscriptions", "list"),
    ("deliveries", "list"),
    ("papers", "list"),
    ("sources", "list"),
)


def test_lookups_wait_for_no_writer(stocked: Program) -> None:
    """While another process holds the store's write lock each verb that only looks answers."""
    answers = [stocked(*verb) for verb in _LOOKUPS]
    with closing(sqlite3.connect(stocked.folder / "broadsheet.db")) as writer:
        writer.execute("BEGIN IMMEDIATE")
        assert [stocked(*verb) for verb in _LOOKUPS] == answers
    assert {each.code for each in answers} == {0}


@pytest.mark.parametrize("url", ["mysql://me:hunter2@x", "postgresql://me:hunter2"])
def test_debug_shows_the_traceback(broadsheet: Program, url: str) -> None:
    """Who asks for it gets to see where an error came from, and no secret of a setting."""
    ran = broadsheet("--debug", "editions", BROADSHEET_DATABASE_URL=url)
    assert ran.code == 1
    assert "Traceback" in ran.err
    assert "hunter2" not in ran.err


def test_settings_may_stand_in_a_file(broadsheet: Program, week: Path) -> None:
    """`.env` in the folder is read, and the environment beats it."""
    env = broadsheet.folder / ".env"
    env.write_text("BROADSHEET_TIMEZONE=Mars/Olympus\n")
    assert "Mars/Olympus" in broadsheet("import", str(week)).err
    assert broadsheet("import", str(week), BROADSHEET_TIMEZONE="UTC").code == 0


def test_one_bad_document_does_not_stop_the_others(broadsheet: Program, week: Path) -> None:
    """Every document gets its answer, and the exit code tells that one failed."""
    (broadsheet.folder / "notes.txt").write_text("Lunch is at noon.\n")
    ran = broadsheet("import", "notes.txt", str(week), "--json")
    bad, good = json.loads(ran.out)["documents"]
    assert ran.code == 1
    assert "no round-up" in bad["error"]
    assert (bad["editions"], good["error"]) == ([], None)
    assert [edition["outcome"] for edition in good["editions"]] == ["new"]


def test_fifty_megabytes_are_refused_at_once(broadsheet: Program) -> None:
    """A file of that size is not even read."""
    with (broadsheet.folder / "big.txt").open("wb") as file:
        file.truncate(50 * 1024 * 1024)
    ran = broadsheet("import", "big.txt")
    assert (ran.code, ran.out) == (1, "")
    assert (
        ran.err == "Not imported: big.txt has 50 MB, more than the 10 MB of the longest round-up.\n"
    )


def test_an_import_can_be_read(broadsheet: Program, week: Path) -> None:
    """The report says kind, week, rule and counts, and names lines by file and number."""
    week.write_text(week.read_text().replace("It does thing 3.\n", "It does thing 3.\nStray\n"))
    ran = broadsheet("import", "week.txt")
    assert ran.out.splitlines() == [
        "week.txt: newsletter, 1 edition with 10 entries",
        "  dair, Jan 5–11, 2026 (year by weekday): new; entries: 10 new",
    ]
    line = week.read_text().split("\n").index("Stray") + 1
    assert ran.err.startswith(f"  week.txt:{line}: ")


def test_other_papers_are_taken_for_a_week_on_the_operators_word(
    broadsheet: Program, week: Path
) -> None:
    """An import of other papers leaves the week, ends with 1 and says what replaces just it."""
    told = "import", "week.txt", "--source", "kites", "--year", "2025"
    assert broadsheet(*told).code == 0
    week.write_text(week.read_text().replace("Invented Paper", "Spoon").replace("thing", "soup"))
    refused = broadsheet(*told)
    assert refused.code == 1
    assert "  kites, Jan 5\u201311, 2025 (year by option): refused; entries: 10 unchanged" in (
        refused.out.splitlines()
    )
    assert "'Spoon 1' in that of 'Invented Paper 1'" in refused.err
    said = refused.err.rpartition(": broadsheet ")[2]
    assert said == f"{shlex.join(told)} --replace\n"
    replaced = broadsheet(*shlex.split(said))
    assert (replaced.code, replaced.err) == (0, "")
    assert "changed; entries: 10 changed" in replaced.out


def test_ask_prints_json_for_programs(stocked: Program) -> None:
    """Text, visibility, blocks, what was run and quoted; an error is an answer, with code 1."""
    answer = json.loads(stocked("ask", "--json", "latest").out)
    assert set(answer) == {"text", "visibility", "blocks", "command", "quotes"}
    assert (answer["command"], answer["quotes"]) == ("latest", [])
    assert (answer["visibility"], answer["blocks"][0]["type"]) == ("private", "title")
    assert "Invented Paper 1" in answer["text"]
    failed = stocked("ask", "--json", "week banana from:dair")
    assert failed.code == 1
    assert json.loads(failed.out)["blocks"][0]["level"] == "error"


def test_editions_are_listed(stocked: Program) -> None:
    """For people a line each, for programs the export's objects without entries."""
    assert "Jan 5–11, 2026" in stocked("editions").out
    [listed] = json.loads(stocked("editions", "--json").out)["editions"]
    assert "entries" not in listed
    assert listed["first_day"] == "2026-01-05"


def test_the_prompt_answers_lines_until_it_ends(broadsheet: Program) -> None:
    """`chat` fills an empty store, answers what is piped in, and leaves at `exit`."""
    ran = broadsheet("chat", stdin="search attention\n# a remark\n\nshwo 1\nexit\nlatest\n")
    assert ran.code == 0
    assert "Papers for attention" in ran.out
    assert "Read as: show " in ran.out
    assert "bundled sample" not in ran.out
    assert "bundled sample" in broadsheet("ask").out
    empty = {"BROADSHEET_DATABASE_URL": "sqlite:///e.db"}
    assert broadsheet("chat", "--no-samples", **empty).code == 0
    assert "No edition" in broadsheet("ask", **empty).err


def test_only_run_and_chat_bring_samples(broadsheet: Program, week: Path) -> None:
    """Any other verb leaves an empty store empty of samples."""
    dry_run = ("import", str(week), "--dry-run")
    for verb in (("ask",), ("editions",), dry_run, ("export",), ("search", "attention")):
        broadsheet(*verb)
    assert json.loads(broadsheet("editions", "--json").out) == {"editions": []}


@pytest.mark.parametrize(
    ("form", "beginning"),
    [("bibtex", "@misc{"), ("ris", "TY  - "), ("csv", "ref,source,"), ("atom", "<?xml")],
)
def test_each_format_is_exported(stocked: Program, form: str, beginning: str) -> None:
    """Every format begins as its readers expect and holds every paper."""
    ran = stocked("export", "--format", form)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith(beginning)
    assert all(f"Invented Paper {rank}" in ran.out for rank in range(1, 11))


def test_an_export_can_be_bounded(sampled: Program) -> None:
    """A week, a topic and a source each leave out what is not of them."""

    def exported(*options: str) -> list[tuple[str, int]]:
        found = json.loads(sampled("export", *options).out)["editions"]
        return [(each["source"], len(each["entries"])) for each in found]

    assert exported("--week", "2025-W25") == [("sample-review", 6), ("sample-weekly", 10)]
    assert exported("--week", "jun 16, 2025", "--source", "sample-weekly") == [
        ("sample-weekly", 10)
    ]
    robots = json.loads(sampled("export", "--topic", "robotics").out)["editions"]
    assert robots
    assert all("robotics" in entry["topics"] for each in robots for entry in each["entries"])
    assert "'soon' as a week" in sampled("export", "--week", "soon").err
    assert sampled("export", "--topic", "nothing").code == 1


def test_the_web_pages_are_written_as_files(stocked: Program) -> None:
    """A line says how many; where they can't stand is said in words, and so is a wrong address."""
    first = stocked("site", "pages", "--url", "https://papers.example.org/")
    assert (first.code, first.err) == (0, "")
    assert first.out.endswith(" files written in pages.\n")
    again = stocked("site", "pages", "--url", "https://papers.example.org/")
    number = first.out.split()[0]
    assert again.out == f"0 files written, {number} unchanged in pages.\n"
    paper = (stocked.folder / "pages/papers/dair/2026-01-05/1.html").read_text()
    assert "https://papers.example.org/papers/dair/2026-01-05/1.html" in paper
    refused = stocked("site", ".")
    assert (refused.code, refused.out) == (1, "")
    assert refused.err.startswith("Error: . has files, and broadsheet site did not write them.\n")
    assert stocked("site", "pages", "--url", "papers.example.org").code == 2


def test_the_doctor_finds_what_would_not_work(stocked: Program) -> None:
    """Exit 0 while all would work; 1 with the remedy for what would not."""
    well = stocked("doctor")
    assert (well.code, well.err) == (0, "")
    assert "broadsheet.db is sound" in well.out
    assert "slack: It is not configured." in well.out
    for settings, remedy in (
        ({"BROADSHEET_TIMEZONE": "Mars/Olympus"}, "BROADSHEET_TIMEZONE=Mars/Olympus"),
        ({"BROADSHEET_TIMEZON": "UTC"}, "Did you mean BROADSHEET_TIMEZONE?"),
        ({"BROADSHEET_SECRET_KEY": "short,old"}, "Put a longer one"),
        ({"BROADSHEET_DATABASE_URL": "mysql://x"}, "Give sqlite:///FILE"),
        ({"BROADSHEET_DATABASE_URL": "sqlite:///no/such/folder/x.db"}, "Make the folder"),
    ):
        ill = stocked("doctor", **settings)
        assert ill.code == 1
        assert remedy in ill.out


def test_the_doctor_names_what_others_may_read(broadsheet: Program, week: Path) -> None:
    """What the program makes is private; what somebody opened is told, with the way to close it."""
    broadsheet("import", str(week))
    broadsheet("db", "backup", "a backup.db")
    (broadsheet.folder / ".env").touch(0o600)
    assert "Others on this machine" not in broadsheet("doctor").out
    for name in (".env", "broadsheet.db", "a backup.db"):
        (broadsheet.folder / name).chmod(0o644)
    ran = broadsheet("doctor")
    assert ran.code == 0
    assert "note     settings: Others on this machine may read .env.\n" in ran.out
    assert "         chmod 600 .env\n" in ran.out
    assert "note     store: Others on this machine may read " in ran.out
    command = next(line for line in ran.out.splitlines() if "backup.db'" in line)
    subprocess.run(shlex.split(command), cwd=broadsheet.folder, check=True)
    assert {path.stat().st_mode & 0o077 for path in broadsheet.folder.glob("*.db")} == {0}


def test_a_backup_can_be_restored(broadsheet: Program, week: Path) -> None:
    """Backed up, changed, restored: what is exported is what was."""
    broadsheet("import", str(week))
    before = broadsheet("export").out
    assert broadsheet("db", "backup", "b.db").code == 0
    assert "exists already" in broadsheet("db", "backup", "b.db").err
    broadsheet("import", str(week), "--source", "other")
    assert broadsheet("export").out != before
    assert broadsheet("db", "restore", "b.db").code == 0
    assert broadsheet("export").out == before
    assert broadsheet("db", "check").out == "The store is sound.\n"


def test_a_newer_store_is_refused_by_every_verb(broadsheet: Program, week: Path) -> None:
    """A store of a later version is left alone, in one sentence."""
    with closing(sqlite3.connect(broadsheet.folder / "broadsheet.db")) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    for call in (["ask"], ["import", str(week)], ["export"], ["db", "upgrade"], ["db", "check"]):
        ran = broadsheet(*call)
        assert (ran.code, ran.out) == (1, "")
        assert "written by a newer Broadsheet (schema 9999)" in ran.err


def test_without_a_terminal_run_serves_until_a_signal(broadsheet: Program) -> None:
    """It shows the newest edition, says what is missing, waits, and ends with exit code 0."""
    with broadsheet.start("run") as running:
        assert running.stdout
        shown = ""
        while "No chat platform" not in shown:
            assert running.poll() is None
            shown += running.stdout.readline()
        assert "Attention Is All You Need" in shown
        assert running.stdin
        running.stdin.close()  # the end of its input is no reason to end
        with pytest.raises(subprocess.TimeoutExpired):
            running.wait(timeout=1)
        running.send_signal(signal.SIGINT)
        assert running.wait(timeout=15) == 0


def _loaded(program: Program, *arguments: str) -> set[str]:
    """Return the modules that a call has loaded in the end."""
    code = (
        "import sys; from adapters.main import cli\n"
        f"cli({arguments}, standalone_mode=False)\n"
        "print(*sys.modules)"
    )
    ran = replace(program, executable=Path(sys.executable))("-c", code)
    assert ran.code == 0, ran
    return {*ran.out.splitlines()[-1].split()}


def test_asking_loads_nothing_that_it_does_not_need(stocked: Program) -> None:
    """No chat platform, no prompt, no plotting, no importer, no migration is imported."""
    loaded = _loaded(stocked, "ask", "search", "invented")
    unwanted = {
        "aiohttp", "alembic", "apscheduler", "cryptography", "discord", "feedparser", "matplotlib",
        "prometheus_client", "prompt_toolkit", "psycopg", "rapidfuzz", "slack_bolt", "slack_sdk",
        "wcwidth", "yaml",
    }  # fmt: skip
    assert unwanted & {name.partition(".")[0] for name in loaded} == set()
    assert "bot.ingest.pipeline" not in loaded


def test_importing_opens_the_store_and_nothing_else(broadsheet: Program, week: Path) -> None:
    """An import loads no command, no subscription, no post, and no adapter but its own."""
    loaded = _loaded(broadsheet, "import", str(week))
    rooms = {".".join(name.split(".")[:2]) for name in loaded}
    assert {each for each in rooms if each.startswith(("adapters", "bot"))} == {
        "adapters", "adapters.cli", "adapters.main", "bot", "bot.clock", "bot.coordination",
        "bot.domain", "bot.errors", "bot.ingest", "bot.operations", "bot.replies", "bot.settings",
        "bot.sources",
    }  # fmt: skip


def test_the_search_verb_understands_filters(sampled: Program) -> None:
    """What may be asked in chat may be asked of the verb, and a wrong filter gets its words."""
    found = json.loads(sampled("search", "--json", "--", "from:sample-review", "robots").out)
    assert {hit["source"] for hit in found["hits"]} == {"sample-review"}
    assert found["query"] == "from:sample-review robots"
    assert found["corrected"] is None
    mended = json.loads(sampled("search", "--json", "--", "retreival").out)
    assert (mended["query"], mended["corrected"]) == ("retreival", "retrieval")
    assert len(mended["hits"]) > 1
    wrong = sampled("search", "--", "from:sampel-review", "robots")
    assert (wrong.code, wrong.out) == (1, "")
    assert wrong.err.splitlines()[0] == "Error: from: There is no source 'sampel-review'."
    assert "  search robots from:sample-review" in wrong.err.splitlines()
