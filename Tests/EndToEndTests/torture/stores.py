"""Commands that are interrupted while they pull posts, back up or restore a store, or send to another server."""

import collections
import json
import shutil
import sqlite3
from contextlib import closing

from support.backups import contents, verified
from support.harness import figures
from torture.posts import POSTS, pair, posted, pull_command, pulled
from torture.scenarios import LOCAL, Command, created, historical, to_server
from torture.services import imported
from torture.worlds import World

WAITING = "inbox/waiting/00000000000000000000"
TARGET = "served/b.tar"


def fill(world, source, name):
    """A local store with days, an outbox, shoes, a phone, posts, and a pause."""
    world.succeed("pause", *LOCAL)
    world.succeed(*to_server(world, *historical(source=source)), statuses=(0, 3))
    world.succeed("shoes", "add", "Maker", name, *LOCAL)
    pair(world)
    for post in POSTS[:2]:
        status, body = post(world)
        assert 200 <= status < 300, (status, body)
    imported(world)
    world.stop_server()


def store_and_backup(world):
    """A backup of one store, and another store in its place, in which a post waits."""
    fill(world, "second.xml", "New")
    (world.folder / "other.tar").unlink(missing_ok=True)
    world.succeed("backup", "other.tar", *LOCAL)
    world.empty()
    fill(world, "first.xml", "Old")
    waiting = world.data / WAITING
    waiting.parent.mkdir(exist_ok=True, mode=0o700)
    waiting.touch(mode=0o600)
    waiting.write_bytes(b"waits")


def restored(world):
    return contents(world.data)


def is_old_or_new(world, expected):
    """A restore changes everything or nothing, and the store can be used."""
    world.succeed("status", *LOCAL)
    assert contents(world.data) in (expected, contents(world.folder / "kept-before/data")), "a part was restored"


def store(world):
    world.served.mkdir(mode=0o700)
    fill(world, "first.xml", "Old")


def backed_up(world):
    """Returns what a restore of the backup contains, which must be whole."""
    verified((world.folder / TARGET).read_bytes())
    shutil.rmtree(world.folder / "copy", ignore_errors=True)
    world.succeed("restore", TARGET, "--config", "config.json", "--data-dir", "copy")
    return contents(world.folder / "copy"), contents(world.data)


def is_missing_or_whole(world, expected):
    """A backup never has the name of a complete one before it is."""
    if (world.folder / TARGET).exists():
        assert backed_up(world) == expected, "the backup is not complete"


def at_the_peer(world):
    """Returns what the independent server stores and which violations of the protocol it saw; it stores each record once."""
    stored = collections.Counter()
    kept = {}
    for line in (world.served / "received.jsonl").read_text().splitlines():
        record = json.loads(line)
        if record["status"] in ("created", "updated"):
            stored[record["kind"], record["id"], record["revision"]] += 1
            kept[record["kind"], record["id"]] = {name: value for name, value in record["body"].items() if name != "revision"}
    assert max(stored.values(), default=1) == 1, [key for key, times in stored.items() if times > 1]
    return world.local(), kept, (world.served / "violations.jsonl").read_text()


def to_peer(world):
    return to_server(world, *historical("--raw", "heartRate"))


def year(world):
    """A store, and the archive of a year, which is imported and derived in many transactions."""
    if not (world.folder / "year.zip").exists():
        world.succeed("generate", "--out", "year.zip", "--truth", "year.json", "--years", "1", "--seed", "11",
                      "--density", "0.05", "--last-day", "2025-06-30")


def zone_of_days(world):
    """Returns the zone by which the stored days are counted, and whether all of them are."""
    with closing(sqlite3.connect(f"file:{world.data}/healthsync.sqlite?mode=ro", uri=True)) as connection:
        return connection.execute("SELECT home_zone, is_whole FROM counted_days").fetchone()


PLAIN = ("--config", "plain.json", "--data-dir", "data")
TO_TOKYO = ("historical", "--zone", "Asia/Tokyo", "--source", "year.zip", *PLAIN)


def counted_in_paris(world):
    """A store whose zone no configuration names."""
    year(world)
    (world.folder / "plain.json").write_text("{}")
    world.succeed("historical", "--zone", "Europe/Paris", "--source", "year.zip", *PLAIN)


def is_whole_until_tokyo(world, expected):
    """The days are counted by the former zone completely, or by the new one."""
    assert zone_of_days(world) == ("Europe/Paris", 1) or zone_of_days(world)[0] == "Asia/Tokyo", zone_of_days(world)


def continued_in_tokyo(world):
    """Any next run recomputes the remaining days."""
    return [TO_TOKYO if zone_of_days(world)[0] == "Europe/Paris" else ("daily", "--source", "year.zip", *PLAIN)]


def days_and_zone(world):
    return figures(world.data / "healthsync.sqlite"), zone_of_days(world)


def resumed(world):
    """What is left is held by a pause, and delivered later without the source."""
    words = ("--raw", "heartRate")
    return [("pause", *LOCAL), to_server(world, *historical(*words)), to_server(world, "resume", *LOCAL),
            to_server(world, "historical", *words, *LOCAL)]


def empty_database(world):
    """The state after a kill between the creation of the database and its first byte."""
    world.data.mkdir(mode=0o700)
    (world.data / "healthsync.sqlite").touch(mode=0o600)


YEAR = Command("historical of the archive of a year", year, lambda world: historical(source="year.zip"), points=400)
PEER = Command("historical, to another server", created, to_peer,
               lambda world: [to_peer(world), to_server(world, "push", *LOCAL)], has_server=True, serve=World.serve_peer,
               content=at_the_peer)
PULL = Command("pull", posted, pull_command, has_server=True, content=pulled)
RESTORE = Command("restore --force", store_and_backup, lambda world: ("restore", "other.tar", "--force", *LOCAL),
                  content=restored, check=is_old_or_new)
BACKUP = Command("backup", store, lambda world: ("backup", TARGET, "--data-dir", "data"),
                 lambda world: [("backup", TARGET, "--force", "--data-dir", "data")], content=backed_up,
                 check=is_missing_or_whole, counted=".")
RAW_WITHOUT_SERVER = historical("--metrics", "steps", "--raw", "heartRate", source="year.zip")
RAW = Command("raw samples of a year", year, lambda world: to_server(world, *RAW_WITHOUT_SERVER), has_server=True, points=400)
STORES = [
    Command("historical into an empty database file", empty_database, lambda world: historical()),
    YEAR,
    PEER,
    PULL,
    RAW,
    Command("historical, then a pause", created, lambda world: to_server(world, *historical("--raw", "heartRate")), resumed,
            has_server=True, statuses=(0, 3)),
    Command("another zone, then any run", counted_in_paris, lambda world: TO_TOKYO, continued_in_tokyo, content=days_and_zone,
            check=is_whole_until_tokyo, points=400),
    RESTORE,
    BACKUP,
]
