"""Posts of phones: to `watch`, and to a server from which they are pulled."""

import collections
import dataclasses
import os

from senders import hozz
from senders.health_auto_export import HealthAutoExport
from senders.http_client import authorize, compressed
from senders.neutral import APPLE, Person, Request
from support.watch import ZONE
from torture.scenarios import LOCAL

TOKEN = "token"


@dataclasses.dataclass(frozen=True)
class Post:
    """A request of a phone; returns its answer."""

    request: Request
    place: str = "raw"

    def __call__(self, world):
        sent = authorize(self.request, world.token, self.place)
        return world.request(sent.method, world.posts + sent.path, sent.body, sent.headers)


def posts():
    """Returns samples in batches, a feed without identifiers, whose retry would count twice if its content did not identify
    it, and deletions."""
    person = Person(211, days=2)
    gone = [one for one in person.samples if one.kind == "steps" and one.source == APPLE.watch][::4]
    feed = HealthAutoExport(APPLE, ZONE)
    energy = [one for one in person.samples if one.kind == "energy"]
    return (*map(Post, hozz.requests(person.samples, size=200)), Post(feed.post({"metrics": feed.metrics(energy)}), "bearer"),
            Post(compressed(hozz.deletions(gone, 99))))


POSTS = posts()


def pair(world):
    """Pairs a phone that posts to `watch`, which creates the store."""
    world.token, world.posts = world.json_of("pair", "phone", "--data-dir", "data")["token"], ""
    world.watch().until("listening")


def phone_and_puller(world):
    """Pairs a phone that posts to the server, and writes the token of the machine that pulls."""
    paired = world.json_of("pair", "phone", "--user", "anna", "--address", "https://health.example",
                           "--data-dir", "served")
    world.token, world.posts = paired["token"], "/inbox"
    created = world.json_of("token", "create", "--user", "anna", "--scope", "inbox", "--data-dir", "served")
    with open(os.open(world.folder / TOKEN, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        file.write(created["token"])


def posted(world):
    """All posts wait on the server."""
    phone_and_puller(world)
    world.serve()
    for post in POSTS:
        status, body = post(world)
        assert 200 <= status < 300, (status, body)


def pull_command(world):
    return ("pull", "--server", world.url, "--token-file", TOKEN, *LOCAL)


def pull(world):
    """Pulls in the place of a request of a client; raises an error if the server does not complete it."""
    done = world.run(*pull_command(world))
    if done.returncode:
        raise ConnectionError(done.stderr)
    return 200, done.stdout


def archive(data):
    """Returns how often each body was archived. Every archived post must be decoded."""
    found = collections.Counter()
    for path in (data / "inbox").rglob("*"):
        if path.is_file() and not path.name.endswith(".outcome"):
            assert path.parent.name == "decoded", path
            head, newline, body = path.read_bytes().partition(b"\n")
            # A killed writer may have left the draft of an outcome, which the next attempt replaces.
            assert newline, path
            found[body] += 1
    return found


def stored(world):
    """Returns the content of the local store. What waits in the outbox depends on which posts were imported together."""
    return {name: value for name, value in (world.local() or {}).items() if name not in ("outbox", "removed")}


def pulled(world):
    """Returns what a pull leaves on both sides."""
    inboxes = world.served / "server/received.db-inbox"
    left = sorted(path.name for path in inboxes.rglob("*") if path.is_file() and path.name != "healthsync.lock")
    return {"local": stored(world), "archive": archive(world.data), "left": left}
