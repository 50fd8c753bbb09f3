"""The commands that are interrupted: how each begins, what is interrupted, and what completes it afterwards."""

import dataclasses
import datetime
import json
import pathlib
import sqlite3
from collections.abc import Callable
from contextlib import closing

from support.harness import PATIENCE
from support.records import COUNT, DAY_ONE, ordinary_days, write
from torture.worlds import World

OLD = pathlib.Path(__file__).parents[1] / "program/old_databases"
LOCAL = ("--config", "config.json", "--data-dir", "data")


def write_sources(world):
    """Writes a configuration and two exports; the second one has other values, deletions and more days."""
    (world.folder / "config.json").write_text(json.dumps({"zone": "Europe/Paris"}))
    limit_requests(world, PATIENCE)
    first = ordinary_days(5)
    write(world.folder / "first.xml", first)
    second = [one for index, one in enumerate(ordinary_days(7)) if index not in (3, 9, 13)]
    second[1] = (*second[1][:3], 4321, "count")
    write(world.folder / "second.xml", second, export_date="2024-05-01")


def limit_requests(world, seconds):
    """Sets how long a request may take."""
    path = world.folder / "config.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "limits": {"requestTimeoutSeconds": seconds}}))


def historical(*words, source="first.xml"):
    return ("historical", "--source", source, *LOCAL, *words)


def to_server(world, *words):
    return (*words, "--server", world.url)


@dataclasses.dataclass(frozen=True)
class Run:
    """A run of an interrupted program. A server answered so many requests with 2xx; `refusal` is the status and body of the next
    answer, or (None, "") if the connection failed. The requests with the numbers in `resent` are sent again."""

    status: int
    output: str
    errors: str
    answered: int = 0
    refusal: tuple = None
    resent: tuple = ()


@dataclasses.dataclass(frozen=True)
class Command:
    """`prepare` creates the state before the interrupted command, `command` returns that command, and `complete` the commands
    that follow the interruption. Commands of `complete` may end with the statuses in `statuses` if the interrupted command
    had already taken effect. `content` returns what is compared; `check` examines the state between both commands."""

    name: str
    prepare: Callable
    command: Callable
    complete: Callable = None
    has_server: bool = False
    statuses: tuple = (0,)
    serve: Callable = World.serve
    content: Callable = World.content
    check: Callable = None
    # The folder whose calls count.
    counted: str = "data"
    # The largest number of kill points, also with many seeds.
    points: int = None

    def set_up(self, world):
        """Keeps the state before the command."""
        world.empty()
        if self.has_server:
            self.serve(world)
        self.prepare(world)
        world.stop_server(kill=False)
        world.save("before")

    def begin(self, world):
        world.restore("before")
        if self.has_server:
            self.serve(world)

    def run(self, world, variables, first=0):
        done = world.run(*self.command(world), environment=variables)
        return Run(done.returncode, done.stdout, done.stderr)

    def is_complete(self, world, run, expected):
        """Returns whether the interrupted command had its whole effect."""
        try:
            return self.content(world) == expected
        except (AssertionError, OSError, sqlite3.Error):
            return False

    def finish(self, world, run):
        """Completes what was interrupted; returns the content."""
        for command in self.complete(world) if self.complete else [self.command(world)]:
            world.succeed(*command, statuses=self.statuses)
        return self.content(world)


def nothing(world):
    del world


def created(world):
    """A store without samples."""
    world.succeed("shoes", "add", "Maker", "First", *LOCAL)


def imported(world):
    world.succeed(*historical())


def delivered(world):
    world.succeed(*to_server(world, *historical("--raw", "heartRate")))


def queued(world):
    world.succeed(*to_server(world, *historical("--raw", "heartRate", "--no-push")), statuses=(0, 3))


def altered_server(world):
    """The server lost a record, has other values in a second one, and one that is not stored locally."""
    delivered(world)
    assert world.request("DELETE", "/api/v1/progress/steps%2Fday%2F2024-03-02?revision=1900000000000")[0] == 200
    entry = {"source_id": "steps/day/2023-01-01", "type": "steps", "granularity": "day", "start": "2023-01-01T00:00:00+01:00",
             "day": "2023-01-01", "quantity": 7, "unit": "count", "revision": 3}
    assert world.request("POST", "/api/v1/progress", {"entries": [entry]})[0] == 200
    sample = {"uuid": "00000000-0000-4000-8000-000000000001", "startDate": "2024-03-02T09:00:00Z",
              "endDate": "2024-03-02T09:01:00Z", "count": 11, "sourceBundleId": "other"}
    assert world.request("POST", "/steps", {"samples": [sample]})[0] == 200


def with_shoes(world):
    imported(world)
    world.succeed("shoes", "add", "Maker", "Trail", *LOCAL)
    world.succeed("shoes", "add", "Maker", "Road", "--price", "99 EUR", *LOCAL)
    world.succeed("shoes", "assign", "Trail", "--day", "2024-03-02", "--hours", "8-11", *LOCAL)


def old_database(name):
    def prepare(world):
        world.data.mkdir(mode=0o700)
        path = world.data / "healthsync.sqlite"
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript((OLD / name).read_text())
        path.chmod(0o600)
    return prepare


def shoes(name, *words, statuses=(0,)):
    """A command on shoes. The journal afterwards computes the figures of a day, which also writes."""
    return Command(f"shoes {name}", with_shoes, lambda world: ("shoes", name, *words, *LOCAL), statuses=statuses)


def add_unless_added(world):
    """Two pairs of shoes may have the same name, so a user looks before adding one again."""
    listed = world.succeed("shoes", "list", *LOCAL).stdout
    return [] if "Beach" in listed else [("shoes", "add", "Maker", "Beach", "--price", "20 EUR", *LOCAL)]


def again_with(*commands):
    return lambda world: [command(world) if callable(command) else command for command in commands]


def with_server(*words):
    return lambda world: to_server(world, *words, *LOCAL)


def sync(source):
    return lambda world: to_server(world, *historical("--raw", "heartRate", source=source))


CLIENT = [
    Command("historical", nothing, lambda world: historical()),
    Command("historical, sending", created, lambda world: to_server(world, *historical()), has_server=True),
    Command("historical, sending raw samples", created, sync("first.xml"), has_server=True),
    Command("historical of a newer export", delivered, sync("second.xml"), has_server=True),
    Command("daily of a newer export", delivered,
             lambda world: to_server(world, "daily", "--source", "second.xml", "--raw", "heartRate", *LOCAL), has_server=True),
    Command("historical --force", delivered,
             lambda world: to_server(world, *historical("--raw", "heartRate", "--force")), has_server=True),
    Command("push", queued, with_server("push"), has_server=True),
    Command("verify --repair", altered_server, with_server("verify", "--repair", "--allow-deletions"), has_server=True),
    Command("clear --local --remote", delivered, with_server("clear", "--local", "--remote", "--yes"),
             again_with(sync("first.xml"), with_server("verify", "--repair")), has_server=True),
    Command("clear --local", delivered, with_server("clear", "--local", "--yes"), again_with(sync("first.xml")), has_server=True),
    Command("reset-tracking", imported, lambda world: ("reset-tracking", *LOCAL),
             again_with(lambda world: ("reset-tracking", *LOCAL), lambda world: historical())),
    Command("another zone", delivered,
             lambda world: to_server(world, *historical("--raw", "heartRate", "--zone", "Asia/Tokyo")), has_server=True),
    Command("migrations from schema 1", old_database("schema_1.sql"),
             lambda world: ("historical", "--metrics", "steps,bodyMass", *LOCAL)),
    Command("migrations from schema 9", old_database("schema_9.sql"), lambda world: ("historical", *LOCAL)),
    Command("shoes add", with_shoes, lambda world: ("shoes", "add", "Maker", "Beach", "--price", "20 EUR", *LOCAL),
             add_unless_added),
    shoes("edit", "Road", "--colour", "blue"),
    shoes("default", "Road"),
    shoes("assign", "Road", "--day", "2024-03-02", "--hours", "10-13"),
    shoes("unassign", "--day", "2024-03-02", "--hours", "9"),
    shoes("archive", "Trail", statuses=(0, 64)),
    shoes("delete", "Trail", "--yes", statuses=(0, 64)),
]


# Other input, with which the comparison must fail.
OTHER = Command("other input", nothing, lambda world: historical(source="other.xml"))


def write_other(world):
    write(world.folder / "other.xml", [*ordinary_days(5), (COUNT, DAY_ONE, DAY_ONE + datetime.timedelta(minutes=1), 1, "count")])
