"""Backups: sqlite3, tarfile and hashlib read what the program wrote; restored stores are compared row by row."""

import concurrent.futures
import hashlib
import io
import json
import os
import pathlib
import platform
import random
import shutil
import sqlite3
import subprocess
import sys
import tarfile
import threading
import time
import unittest
from contextlib import closing

from support.harness import BINARY, PATIENCE, PEERS, Server
from support.pulling import PullTest
from senders import hozz
from senders.neutral import Person

KILLER = PEERS / "kills/kill_before_call.py"
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


class Local(BackupTest):
    def test_a_restored_store_equals_the_old_one(self):
        data = self.fill()
        before = contents(data)
        self.assertTrue({"healthsync.sqlite", "devices.sqlite", "user-profile-id", "healthsync.paused"} <= set(before))
        self.assertTrue(any(name.startswith("inbox/decoded/") for name in before))
        report = self.json_of("backup", "b.tar", "--data-dir", data)
        path = self.folder / "b.tar"
        self.assertEqual(path.stat().st_mode & 0o777, 0o600)
        files = verified(path.read_bytes())
        self.assertEqual(len(files) - 1, report["files"])
        self.assertEqual({name for name in files if name != "healthsync-backup.json"}, set(before))
        self.assertEqual(contents(data), before)
        self.assertEqual([name for name in os.listdir(data) if name.startswith(("backup", "restore"))], [])

        self.assertEqual(report.pop("deleted"), [])
        self.assertEqual(self.json_of("restore", "b.tar", "--data-dir", "copy"), report)
        self.assertEqual(contents(self.folder / "copy"), before)
        for path in (self.folder / "copy").rglob("*"):
            self.assertEqual(path.stat().st_mode & 0o077, 0, path)
        self.assertEqual(self.json_of("steps", "--data-dir", "copy"), self.json_of("steps", "--data-dir", data))

    def test_pipes(self):
        data = self.fill()
        made = subprocess.run([BINARY, "backup", "-", "--data-dir", data], env=self.environment, capture_output=True)
        self.assertEqual(made.returncode, 0, made.stderr)
        verified(made.stdout)
        restored = subprocess.run([BINARY, "restore", "-", "--data-dir", self.folder / "copy"], input=made.stdout,
                                  env=self.environment, capture_output=True)
        self.assertEqual(restored.returncode, 0, restored.stderr)
        self.assertEqual(contents(self.folder / "copy"), contents(data))
        closed = subprocess.Popen([BINARY, "backup", "-", "--data-dir", data], env=self.environment,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        closed.stdout.close()
        self.assertEqual((closed.wait(timeout=PATIENCE), closed.stderr.read().count(b"\n")), (74, 1))
        closed.stderr.close()

    def test_nothing_is_replaced_without_force(self):
        data = self.fill()
        self.succeed("backup", "b.tar", "--data-dir", data)
        before = (self.folder / "b.tar").read_bytes()
        self.assertEqual(self.run_program("backup", "b.tar", "--data-dir", data).returncode, 73)
        self.assertEqual((self.folder / "b.tar").read_bytes(), before)
        self.assertEqual(self.run_program("restore", "b.tar", "--data-dir", data).returncode, 73)
        self.succeed("backup", "b.tar", "--data-dir", data, "--force")
        old = contents(data)
        self.succeed("shoes", "add", "Later", "Pair", "--data-dir", data)
        (data / "inbox/waiting").mkdir(exist_ok=True)
        (data / "inbox/waiting/00000000000000000000").write_bytes(b"accepted, not yet imported")
        self.succeed("restore", "b.tar", "--data-dir", data, "--force")
        new = contents(data)
        self.assertEqual(new.pop("inbox/waiting/00000000000000000000"), b"accepted, not yet imported")
        self.assertEqual(new, old)
        self.assertEqual(self.run_program("backup", "c.tar", "--data-dir", "none").returncode, 66)
        self.assertEqual(self.run_program("restore", "none.tar", "--data-dir", "other").returncode, 66)
        self.assertEqual(self.run_program("restore", "b.tar", "--store", "sqlite:other.db").returncode, 65)
        self.assertFalse((self.folder / "other.db").exists())

    def test_watch_continues_in_the_restored_store(self):
        token, watch = self.pair(), self.watch()
        person = Person(11, days=2)
        requests = list(hozz.requests(person.samples, size=200))
        self.assertGreater(len(requests), 1)
        watch.accept(requests[0], token, "raw")
        self.settle()
        self.succeed("backup", "b.tar", "--data-dir", "data")
        # The watch may still derive figures.
        self.config.write_text(json.dumps({"limits": {"lockWaitSeconds": PATIENCE}}))
        self.succeed("restore", "b.tar", "--data-dir", "data", "--force", "--config", self.config)
        for request in requests[1:]:
            watch.accept(request, token, "raw")
        self.await_figures(person.samples)
        self.assertEqual(watch.terminate(), 0)

    def test_retention(self):
        self.fill()
        folder = self.folder / "backups"
        folder.mkdir()
        old = [f"healthsync-202{year}-01-01T03-30-00Z.tar" for year in range(4)]
        others = ["healthsync-server-2020-01-01T03-30-00Z.tar", "healthsync-notes.tar", "healthsync-2020-01-01.tar", "x"]
        for name in old + others:
            (folder / name).write_bytes(b"")
        made = self.json_of("backup", "backups", "--keep", "2", "--data-dir", "data")
        verified(pathlib.Path(made["path"]).read_bytes())
        self.assertEqual(made["deleted"], [str(folder / name) for name in old[:3]])
        kept = {path.name for path in folder.iterdir()}
        self.assertEqual(kept, {old[3], os.path.basename(made["path"]), *others})
        # A backup that fails deletes none.
        self.assertEqual(self.run_program("backup", "backups", "--keep", "1", "--data-dir", "none").returncode, 66)
        self.assertEqual({path.name for path in folder.iterdir()}, kept)
        self.assertEqual(self.run_program("backup", "one.tar", "--keep", "1", "--data-dir", "data").returncode, 64)
        self.assertEqual(self.succeed("backup", "new/", "--quiet", "--data-dir", "data").stdout, "")
        self.assertEqual((self.folder / "new").stat().st_mode & 0o777, 0o700)

    def test_a_backup_while_runs_write(self):
        data = self.fill()
        stop = threading.Event()

        def write():
            number = 0
            while not stop.is_set():
                number += 1
                self.succeed("shoes", "add", "Brand", f"Pair {number}", "--data-dir", data)

        writer = threading.Thread(target=write)
        writer.start()
        try:
            counts = []
            for number in range(8):
                self.succeed("backup", f"{number}.tar", "--data-dir", data)
                self.succeed("restore", f"{number}.tar", "--data-dir", f"copy{number}")
                _, tables = rows(self.folder / f"copy{number}/healthsync.sqlite")
                counts.append(len(tables["shoe"]))
        finally:
            stop.set()
            writer.join()
        self.assertEqual(counts, sorted(counts))
        self.assertGreater(counts[-1], counts[0])

    def test_a_damaged_truncated_or_foreign_file(self):
        data = self.fill()
        self.succeed("backup", "b.tar", "--data-dir", data)
        good = (self.folder / "b.tar").read_bytes()
        before = contents(data)
        rng = random.Random(3)
        with tarfile.open(self.folder / "b.tar") as tar:
            headers = [member.offset for member in tar]
        places = [start + rng.randrange(512) for start in headers for _ in range(4)][:160]
        places += [rng.randrange(len(good)) for _ in range(120)] + [len(good) - 1, len(good) - 1024]
        cases = [("changed", good[:at] + bytes([good[at] ^ (1 << rng.randrange(8))]) + good[at + 1:]) for at in places]
        cuts = [0, 1, 511, 512, len(good) - 1, len(good) - 512, len(good) - 1024]
        cases += [("truncated", good[:at]) for at in cuts + [rng.randrange(len(good)) for _ in range(30)] + headers[:40]]
        cases += [("foreign", rng.randbytes(5000)), ("foreign", (self.folder / "data.zip").read_bytes()),
                  ("longer", good + b"x"), ("twice", good + good)]
        plain = io.BytesIO()
        with tarfile.open(fileobj=plain, mode="w") as tar:
            tar.add(data / "healthsync.sqlite", "../healthsync.sqlite")
        cases.append(("foreign", plain.getvalue()))
        path = self.folder / "bad.tar"
        for number, (kind, content) in enumerate(cases):
            path.write_bytes(content)
            words = ("restore", path, "--data-dir", data, "--force") if number % 3 == 0 else ("restore", path, "--check")
            result = self.run_program(*words)
            self.assertEqual((result.returncode, result.stdout, result.stderr.count("\n")), (65, "", 1),
                             f"{kind} {number}: {result.stderr}")
        self.assertEqual(contents(data), before)
        self.succeed("restore", "b.tar", "--check")

    @unittest.skipUnless(sys.platform == "linux" and platform.machine() in ("x86_64", "aarch64"), "the kernel stops the program")
    def test_kills(self):
        """A restore and a backup are killed before every call that changes a file."""
        self.fill("new", 8)
        old = self.fill("old", 9)
        (old / "inbox/waiting/00000000000000000000").write_bytes(b"waits")
        self.succeed("backup", "b.tar", "--data-dir", "new")
        new, former = contents(self.folder / "new"), contents(old)

        def play(at):
            data = self.folder / f"run{at}"
            shutil.copytree(old, data)
            done = subprocess.run(
                [sys.executable, "-B", KILLER, "--folder", data, "--at", str(at), BINARY, "restore",
                 self.folder / "b.tar", "--data-dir", data, "--force"], env=self.environment, capture_output=True, text=True)
            self.succeed("status", "--data-dir", data)
            found = contents(data)
            waiting = found.pop("inbox/waiting/00000000000000000000")
            self.assertEqual(waiting, b"waits", at)
            expected = {name: value for name, value in former.items() if not name.endswith("/00000000000000000000")}
            self.assertIn(found, (new, expected), f"killed at {at}")
            # Whatever is left does not hinder the next restore.
            self.succeed("restore", self.folder / "b.tar", "--data-dir", data, "--force")
            again = contents(data)
            again.pop("inbox/waiting/00000000000000000000")
            self.assertEqual(again, new)
            self.assertEqual([name for name in os.listdir(data) if name.startswith(("backup", "restore"))], [])
            shutil.rmtree(data)
            return done.returncode, found == new

        outcomes, start = [], 1
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            while not outcomes or outcomes[-1][0] == 137:
                outcomes += pool.map(play, range(start, start + 20))
                start += 20
        self.assertGreater(len([one for one in outcomes if one == (137, False)]), 20)
        self.assertGreater(len([one for one in outcomes if one == (137, True)]), 3)


class OfAServer(BackupTest):
    def steps(self, start, count=50):
        return {"samples": [
            {"uuid": f"00000000-0000-4000-8000-{start + number:012x}", "startDate": "2024-01-01T00:00:00Z",
             "endDate": "2024-01-01T00:01:00Z", "count": 1, "sourceName": "s"} for number in range(count)]}

    def test_a_backup_under_load_contains_every_acknowledged_sample(self):
        server = Server(self)
        store = f"sqlite:{server.database}"
        token = server.token("ingest", "read")
        acknowledged, stop = [], threading.Event()
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

        def write():
            start = 0
            while not stop.is_set():
                status, _, body = server.request("POST", "/steps", self.steps(start), headers)
                self.assertIn(status, (200, 201), body)
                start += 50
                acknowledged.append(start)

        writer = threading.Thread(target=write)
        writer.start()
        counts = []
        try:
            while len(acknowledged) < 5 and writer.is_alive():
                time.sleep(0.01)
            for number in range(6):
                floor = acknowledged[-1]
                self.succeed("backup", f"{number}.tar", "--store", store)
                ceiling = acknowledged[-1] + 50
                target = self.folder / f"copy{number}/received.db"
                self.succeed("restore", f"{number}.tar", "--store", f"sqlite:{target}")
                with closing(sqlite3.connect(f"file:{target}?mode=ro", uri=True)) as connection:
                    count, = connection.execute("SELECT sum(count) FROM sample_pages").fetchone()
                self.assertTrue(floor <= count <= ceiling, (floor, count, ceiling))
                counts.append(count)
            self.assertGreater(counts[-1], counts[0])
            busy = self.run_program("restore", "0.tar", "--store", store, "--force")
            self.assertEqual(busy.returncode, 75, busy.stderr)
        finally:
            stop.set()
            writer.join()
        self.assertEqual(server.stop(), 0)
        self.succeed("backup", "end.tar", "--store", store)
        before = contents(server.data / "server")
        self.succeed("restore", "0.tar", "--store", store, "--force")
        self.assertNotEqual(contents(server.data / "server"), before)
        self.succeed("restore", "end.tar", "--store", store, "--force")
        self.assertEqual(contents(server.data / "server"), before)
        again = Server(self)
        self.assertEqual(again.request("GET", "/steps", headers=headers)[0], 200)

    def test_waiting_posts_and_tokens(self):
        server = self.serve()
        person, phone = Person(12, days=1), self.phone()["token"]
        for request in hozz.requests(person.samples, size=100):
            self.accept(request, phone, "raw")
        self.assertEqual(server.stop(), 0)
        before = contents(server.data / "server")
        self.assertTrue(any("/waiting/" in name for name in before))
        self.succeed("backup", "b.tar", "--store", f"sqlite:{server.database}")
        self.assertEqual(len(verified((self.folder / "b.tar").read_bytes())) - 1, len(before))
        shutil.rmtree(server.data)
        self.succeed("restore", "b.tar", "--store", f"sqlite:{server.database}")
        self.assertEqual(contents(server.data / "server"), before)
        self.serve()
        self.pull(self.inbox_token())
        self.assert_figures(person.samples)


if __name__ == "__main__":
    unittest.main()
