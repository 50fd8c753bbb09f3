"""A server whose disk is full: nothing is acknowledged that is not stored, and whoever runs it is told why."""

import os
import signal
import sqlite3
import subprocess
import unittest
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

from support.harness import ProgramTest, Server


def entry(number):
    return {"source_id": f"{number}-" + "x" * 240, "type": "steps", "granularity": "day", "day": "2024-01-15", "quantity": number,
            "unit": "y" * 64}


@unittest.skipUnless(os.geteuid() == 0, "a small file system is mounted by root")
class FullDisk(ProgramTest):
    def test_it_answers_503_says_why_and_goes_on_after_a_restart(self):
        mount = self.folder / "small"
        mount.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", mount], capture_output=True).returncode:
            self.skipTest("tmpfs cannot be mounted here")
        self.addCleanup(subprocess.run, ["umount", "-l", str(mount)])
        server = Server(self, folder="small/served")

        def post(first):
            entries = [entry(number) for number in range(first, first + 500)]
            return first, server.request("POST", "/api/v1/progress", {"entries": entries})

        with ThreadPoolExecutor(16) as pool:
            answers = list(pool.map(post, range(0, 40_000, 500)))
        acknowledged = [first for first, (status, _, _) in answers if status == 200]
        refused = [answer for _, answer in answers if answer[0] != 200]
        self.assertTrue(refused)
        for status, headers, body in refused:
            self.assertEqual((status, headers["Retry-After"]), (503, "5"))
            self.assertNotIn(b"small", body)
        status, _, page = server.request("GET", "/view/steps?by=day&day=2024-01-15")
        self.assertIn(status, (200, 503))
        self.assertNotIn(b"received.db", page)
        server.process.send_signal(signal.SIGTERM)
        _, told = server.process.communicate(timeout=60)
        lines = [line for line in told.splitlines() if "POST /api/v1/progress answered 503" in line]
        self.assertTrue(lines, told)
        self.assertIn("received.db", lines[0])
        self.assertIn("space", lines[0])
        self.assertLess(len(lines), 5, "the same reason stands once a minute")
        subprocess.run(["mount", "-o", "remount,size=200m", str(mount)], check=True)
        again = Server(self, folder="small/served")
        with closing(sqlite3.connect(f"file:{again.database}?mode=ro", uri=True)) as database:
            stored = {int(row[0].split("-")[0]) for row in database.execute("SELECT id FROM records")}
        for first in acknowledged:
            self.assertTrue(stored.issuperset(range(first, first + 500)))
        status, _, _ = again.request("POST", "/api/v1/progress", {"entries": [entry(50_000)]})
        self.assertEqual(status, 200)
        self.assertEqual(again.stop(), 0)


if __name__ == "__main__":
    unittest.main()
