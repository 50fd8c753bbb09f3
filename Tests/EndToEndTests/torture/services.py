"""The servers that are interrupted while a client posts: what they begin with, and the requests."""

import dataclasses
import datetime
import http.client
import json
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing

from support.watch import eventually
from torture.posts import POSTS, Post, archive, pair, phone_and_puller, pull, pulled, stored
from torture.scenarios import OLD, Run, nothing


def steps(first, count, value=10):
    return {"samples": [
        {"uuid": f"00000000-0000-4000-8000-{first + number:012x}", "startDate": f"2024-01-{1 + number % 28:02}T08:00:00Z",
         "endDate": f"2024-01-{1 + number % 28:02}T08:10:00Z", "count": value + number, "sourceBundleId": "com.example"}
        for number in range(count)]}


def entries(day, revision, quantity):
    return {"entries": [
        {"source_id": f"steps/day/2024-01-{day:02}", "type": "steps", "granularity": "day", "start": f"2024-01-{day:02}T00:00:00Z",
         "day": f"2024-01-{day:02}", "quantity": quantity, "unit": "count", "revision": revision}]}


def session(number):
    start = datetime.datetime(2024, 1, number, 22, tzinfo=datetime.timezone.utc)
    stages = [{"stage": "core", "start_time": (start + datetime.timedelta(hours=hour)).isoformat(),
               "end_time": (start + datetime.timedelta(hours=hour + 1)).isoformat()} for hour in range(4)]
    return {"start_time": start.isoformat(), "end_time": (start + datetime.timedelta(hours=4)).isoformat(), "source": "Watch",
            "source_id": f"night-{number}", "notes": None, "stages": stages}


def rates(first, count):
    return {"samples": [
        {"uuid": f"00000000-0000-4000-9000-{first + number:012x}", "startDate": f"2024-01-02T08:{number % 60:02}:00Z",
         "endDate": f"2024-01-02T08:{number % 60:02}:00Z", "value": 60 + number % 40, "unit": "count/min",
         "sourceBundleId": "com.example"} for number in range(count)]}


# Requests of a client of the server, in this order; each is repeated until it is answered with 2xx.
REQUESTS = [
    ("POST", "/steps", steps(1, 30)),
    ("POST", "/api/v1/progress", entries(3, 1, 100)),
    # Half of these are known.
    ("POST", "/steps", steps(16, 30)),
    ("POST", "/api/v1/sleep", session(5)),
    ("POST", "/api/v1/samples/heartRate", rates(1, 40)),
    ("POST", "/api/v1/progress", entries(3, 2, 200)),
    ("DELETE", "/api/v1/sleep/night-5?revision=9", None),
    ("POST", "/api/v1/deletions/steps", {"deletions": [{"id": "00000000-0000-4000-8000-000000000002", "revision": 1}]}),
    ("POST", "/api/v1/sleep", session(6)),
]
CLEARED = [REQUESTS[0], ("DELETE", "/steps", None), ("POST", "/steps", steps(200, 10)), REQUESTS[1]]


def check_posts(found, requests, run):
    """Checks that each post is in the archive once. One that was stored but not answered is sent again."""
    for number, post in enumerate(requests):
        if isinstance(post, Post):
            count = found.pop(post.request.body, 0)
            assert 1 <= count <= 1 + run.resent.count(number), f"post {number} is in the archive {count} times"
    assert not found, f"posts that were not sent: {found}"


def stored_and_left(world):
    return {name: value for name, value in pulled(world).items() if name != "archive"}


@dataclasses.dataclass(frozen=True)
class Service:
    """A server that is interrupted while a client sends `requests`: the arguments of World.request, or functions that return
    what it returns."""

    name: str
    words: tuple = ()
    requests: tuple = ()
    prepare: Callable = nothing
    content: Callable = None
    check: Callable = None
    counted: str = "served"
    points: int = None

    def set_up(self, world):
        world.empty()
        self.prepare(world)
        world.stop_server(kill=False)
        world.save("before")

    def begin(self, world):
        world.restore("before")
        (world.folder / self.counted).mkdir(exist_ok=True, mode=0o700)

    def send(self, world, request):
        return request(world) if callable(request) else world.request(*request)

    def run(self, world, variables, first=0):
        """Sends the requests from number `first` on."""
        answered, refusal = first, None
        if self.start(world, variables):
            for request in self.requests[first:]:
                try:
                    status, body = self.send(world, request)
                except (OSError, http.client.HTTPException):
                    refusal = None, ""
                    break
                if status not in (200, 201, 202):
                    refusal = status, body
                    break
                answered += 1
                self.wait(world, answered - first)
        # A process that was killed stays killed. One that a signal stops would end at once at a second signal.
        is_stopping = refusal and dict(variables).get("CALLS_ACTION") == "signal"
        status, errors = self.stop(world, is_stopping)
        return Run(status, "", errors, answered, refusal, (answered,))

    def start(self, world, variables):
        """Returns whether the server is ready, which it is not if it was killed before."""
        return world.start_server(*self.words, environment=variables)

    def wait(self, world, answered):
        """Waits for what follows an answer."""

    def stop(self, world, is_stopping=False):
        return world.stop_server(kill=False, wait=is_stopping)

    def is_complete(self, world, run, expected):
        return run.answered == len(self.requests)

    def finish(self, world, run):
        """Starts a server that is not interrupted and sends the rest; returns the content."""
        if not self.start(world, ()):
            raise AssertionError(f"{self.name} does not start: {self.stop(world)}")
        for request in self.requests[run.answered:]:
            status, body = self.send(world, request)
            if status not in (200, 201, 202):
                raise AssertionError(f"{request}: {status} {body}")
        content = self.content(world) if self.content else world.remote()
        status, errors = self.stop(world)
        if status:
            raise AssertionError(f"status {status}: {errors[-3000:]}")
        lines = world.served / "lines/steps.jsonl"
        if lines.exists():
            content["lines"] = sorted(json.loads(line)["uuid"] for line in lines.read_text().splitlines())
        check_posts(archive(world.data), self.requests, run)
        return content


def imported(world):
    """Waits until `watch` has imported every post."""
    folder = world.data / "inbox/waiting"

    def check():
        assert not folder.exists() or not os.listdir(folder), "posts wait"
    eventually(check)


class Watching(Service):
    """`watch`, to which phones post. Each post is imported before the next one is sent."""

    def start(self, world, variables):
        return bool(world.watch(*self.words, environment=variables).until("listening"))

    def wait(self, world, answered):
        world.watching.until("imported", answered)

    def stop(self, world, is_stopping=False):
        watch = world.watching
        if not is_stopping and not watch.has_ended:
            watch.process.terminate()
        status = watch.ended()
        if status == 0 and "stopping" not in [event["event"] for event in watch.events]:
            raise AssertionError(f"no event of the stop: {watch.events[-5:]}")
        world.stop_server()
        return status, "".join(watch.errors)

    def finish(self, world, run):
        super().finish(world, run)
        return stored(world)


def old_server(world):
    folder = world.served / "server"
    folder.mkdir(parents=True, mode=0o700)
    path = folder / "received.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((OLD / "received_3.sql").read_text())
    path.chmod(0o600)


PULLED = Service("serve, posts and a pull", (), (*POSTS[:3], pull, *POSTS[3:], pull), phone_and_puller, stored_and_left)
WATCH = Watching("watch", (), POSTS, pair, imported, counted="data")
SERVER = [
    Service("serve", (), tuple(REQUESTS)),
    Service("serve --jsonl", ("--jsonl", "served/lines"), tuple(REQUESTS)),
    Service("serve --jsonl, all steps deleted", ("--jsonl", "served/lines"), tuple(CLEARED)),
    Service("serve, migrations from schema 3", (), tuple(REQUESTS[:2]), old_server),
    PULLED,
    WATCH,
]
