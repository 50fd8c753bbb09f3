"""Stores to back up, and what sqlite3, tarfile and hashlib read in backups of them."""

import hashlib
import io
import sqlite3
import tarfile
from contextlib import closing

from support.pulling import PullTest
from senders import hozz
from senders.neutral import Person

POSTS = ("waiting", "decoded", "undecoded", "pulled")


def rows(database):
    """Returns the definition of every object and the rows of every table."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        objects = connection.execute("SELECT type, name, sql FROM sqlite_schema ORDER BY type, name").fetchall()
        tables = [name for kind, name, _ in objects if kind == "table"]
        return objects, {name: sorted(map(repr, connection.execute(f'SELECT * FROM "{name}"'))) for name in tables}


def contents(folder):
    """Returns the durable contents of a data folder or a server's folder: rows of databases, bytes of other files."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder)
        is_post = any(state in name.parts for state in POSTS)
        if path.suffix in (".sqlite", ".db") or path.name.endswith("-tokens"):
            found[str(name)] = rows(path)
        elif path.is_file() and (is_post or path.name in ("user-profile-id", "inbox-deliveries.json", "healthsync.paused")):
            found[str(name)] = path.read_bytes()
    return found


def verified(archive):
    """Returns the files of a backup after checking every one against SHA256SUMS, as `sha256sum -c` does."""
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        files = {member.name: tar.extractfile(member).read() for member in tar}
    sums = dict(reversed(line.split("  ")) for line in files.pop("SHA256SUMS").decode().splitlines())
    assert sums == {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    return files


class BackupTest(PullTest):
    def fill(self, data="data", seed=7):
        """A local store with days, an outbox, shoes, a phone, posts, and a pause."""
        self.succeed("pause", "--data-dir", data)
        source, _ = self.generate(f"{data}.zip", "--years", "1", "--seed", str(seed), "--density", "0.05")
        self.run_program("historical", "--source", source, "--data-dir", data, "--zone", "Europe/Paris",
                         "--server", "http://127.0.0.1:9")
        self.succeed("shoes", "add", "Brand", f"Model {seed}", "--data-dir", data)
        person = Person(seed, days=1)
        token, watch = self.pair(data=data), self.watch(data=data)
        for request in hozz.requests(person.samples, size=200):
            watch.accept(request, token, "raw")
        self.settle(data)
        self.assertEqual(watch.terminate(), 0)
        return self.folder / data
