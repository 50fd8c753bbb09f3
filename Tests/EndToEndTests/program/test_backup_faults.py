"""Backups while the store changes, and damaged backups."""

import io
import random
import sqlite3
import tarfile
import threading
import unittest
from contextlib import closing

from support.backups import BackupTest, contents, rows
from support.harness import PATIENCE, Server
from support.seeds import seeds


class Local(BackupTest):
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
        # The damages of one kind are alike.
        every = seeds(10, 4, 1)
        cases = [case for number, case in enumerate(cases) if number % every == 0 or case[0] not in ("changed", "truncated")]
        path = self.folder / "bad.tar"
        for number, (kind, content) in enumerate(cases):
            path.write_bytes(content)
            words = ("restore", path, "--data-dir", data, "--force") if number % 3 == 0 else ("restore", path, "--check")
            result = self.run_program(*words)
            self.assertEqual((result.returncode, result.stdout, result.stderr.count("\n")), (65, "", 1),
                             f"{kind} {number}: {result.stderr}")
        self.assertEqual(contents(data), before)
        self.succeed("restore", "b.tar", "--check")


class OfAServer(BackupTest):
    def steps(self, start, count=50):
        return {"samples": [
            {"uuid": f"00000000-0000-4000-8000-{start + number:012x}", "startDate": "2024-01-01T00:00:00Z",
             "endDate": "2024-01-01T00:01:00Z", "count": 1, "sourceName": "s"} for number in range(count)]}

    def test_a_backup_under_load_contains_every_acknowledged_sample(self):
        server = Server(self)
        store = f"sqlite:{server.database}"
        token = server.token("ingest", "read")
        acknowledged, stop, is_loaded = [], threading.Event(), threading.Event()
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

        def write():
            start = 0
            while not stop.is_set():
                status, _, body = server.request("POST", "/steps", self.steps(start), headers)
                self.assertIn(status, (200, 201), body)
                start += 50
                acknowledged.append(start)
                if len(acknowledged) == 5:
                    is_loaded.set()

        writer = threading.Thread(target=write)
        writer.start()
        counts = []
        try:
            self.assertTrue(is_loaded.wait(PATIENCE))
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


if __name__ == "__main__":
    unittest.main()
