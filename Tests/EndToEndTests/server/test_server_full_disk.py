"""A server with a full disk acknowledges only stored data and reports the reason."""

import contextlib
import json
import os
import signal
import sqlite3
import subprocess
import time
import unittest
import uuid
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

from support.harness import PATIENCE, ProgramTest, Server


def entry(number):
    return {"source_id": f"{number}-" + "x" * 240, "type": "steps", "granularity": "day", "day": "2024-01-15", "quantity": number,
            "unit": "y" * 64}


def sample(number):
    start = 1_700_000_000 + 60 * number
    return {"uuid": str(uuid.UUID(int=number)), "startDate": instant(start), "endDate": instant(start + 60), "count": number % 100,
            "sourceBundleId": "com.example.watch"}


def instant(seconds):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


@unittest.skipUnless(os.geteuid() == 0, "a small file system is mounted by root")
class FullDisk(ProgramTest):
    def test_it_responds_with_503_and_a_reason_and_continues_after_a_restart(self):
        mount = self.folder / "small"
        mount.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", mount], capture_output=True).returncode:
            self.skipTest("tmpfs cannot be mounted here")
        self.addCleanup(subprocess.run, ["umount", "-l", str(mount)])
        began = time.monotonic()
        server = Server(self, folder="small/served")

        def post(first):
            entries = [entry(number) for number in range(first, first + 500)]
            return first, server.request("POST", "/api/v1/progress", {"entries": entries})

        with ThreadPoolExecutor(16) as pool:
            answers = list(pool.map(post, range(0, 40_000, 500)))
        acknowledged = [first for first, (status, _, _) in answers if status == 200]
        failed = [answer for _, answer in answers if answer[0] != 200]
        self.assertTrue(failed)
        for status, headers, body in failed:
            self.assertEqual((status, headers["Retry-After"]), (503, "5"))
            self.assertNotIn(b"small", body)
        status, _, page = server.request("GET", "/view/steps?by=day&day=2024-01-15")
        self.assertIn(status, (200, 503))
        self.assertNotIn(b"received.db", page)
        server.process.send_signal(signal.SIGTERM)
        _, log = server.process.communicate(timeout=PATIENCE)
        lines = [line for line in log.splitlines() if "POST /api/v1/progress: status 503" in line]
        self.assertTrue(lines, log)
        self.assertIn("received.db", lines[0])
        self.assertIn("space", lines[0])
        minutes = 1 + (time.monotonic() - began) // 60
        self.assertLess(len(lines), 5 * minutes, "each cause is logged at most once a minute")
        subprocess.run(["mount", "-o", "remount,size=200m", str(mount)], check=True)
        again = Server(self, folder="small/served")
        with closing(sqlite3.connect(f"file:{again.database}?mode=ro", uri=True)) as database:
            stored = {int(row[0].split("-")[0]) for row in database.execute("SELECT id FROM records")}
        for first in acknowledged:
            self.assertTrue(stored.issuperset(range(first, first + 500)))
        status, _, _ = again.request("POST", "/api/v1/progress", {"entries": [entry(50_000)]})
        self.assertEqual(status, 200)
        self.assertEqual(again.stop(), 0)

    def test_it_continues_without_a_restart_once_there_is_space(self):
        mount = self.folder / "small"
        mount.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", mount], capture_output=True).returncode:
            self.skipTest("tmpfs cannot be mounted here")
        self.addCleanup(subprocess.run, ["umount", "-l", str(mount)])
        server = Server(self, "--jsonl", self.folder / "lines", folder="small/served")
        self.assertEqual(server.request("GET", "/health")[0], 200)

        def post(first):
            samples = [sample(number) for number in range(first, first + 500)]
            entries = [entry(number) for number in range(first, first + 500)]
            return first, [
                server.request("POST", "/steps", {"samples": samples})[0],
                server.request("POST", "/api/v1/progress", {"entries": entries})[0],
            ]

        with ThreadPoolExecutor(16) as pool:
            answers = list(pool.map(post, range(0, 40_000, 500)))
        self.assertEqual({status for _, both in answers for status in both}, {200, 503})
        # The remaining space might suffice for a small write: fill it completely.
        with contextlib.suppress(OSError), open(mount / "filler", "wb", buffering=0) as filler:
            while True:
                filler.write(bytes(4096))
        first, status = 50_000, 200
        # Reopened a second after a failure, the database may have room for a few more writes.
        while status == 200:
            while server.request("POST", "/api/v1/progress", {"entries": [entry(first)]})[0] == 200:
                first += 1
            status, headers, body = server.request("GET", "/health")
        self.assertEqual((status, headers["Retry-After"]), (503, "5"))
        self.assertNotIn(b"small", body)

        subprocess.run(["mount", "-o", "remount,size=200m", str(mount)], check=True)
        deadline = time.monotonic() + PATIENCE
        while server.request("GET", "/health")[0] != 200:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.1)
        with closing(sqlite3.connect(f"file:{server.database}?mode=ro", uri=True)) as database:
            stored = {int(row[0].split("-")[0]) for row in database.execute("SELECT id FROM records")}
        for first, (_, progress) in answers:
            if progress == 200:
                self.assertTrue(stored.issuperset(range(first, first + 500)))
        # Send unacknowledged data again, as every client does.
        for first, (steps, progress) in answers:
            if (steps, progress) != (200, 200):
                self.assertEqual(post(first)[1], [200, 200])
        listed = json.loads(server.request("GET", "/steps?limit=100000")[2])
        self.assertEqual(listed["total"], 40_000)
        lines = [json.loads(line)["uuid"] for line in (self.folder / "lines/steps.jsonl").read_text().splitlines()]
        self.assertEqual(sorted(lines), sorted(sample(number)["uuid"] for number in range(40_000)))
        self.assertEqual(server.stop(), 0)
        with closing(sqlite3.connect(f"file:{server.database}?mode=ro", uri=True)) as database:
            self.assertEqual(database.execute("PRAGMA integrity_check").fetchall(), [("ok",)])
            ids = [row[0] for row in database.execute("SELECT id FROM records") if int(row[0].split("-")[0]) < 50_000]
        self.assertEqual(sorted(ids), sorted(entry(number)["source_id"] for number in range(40_000)))


if __name__ == "__main__":
    unittest.main()
