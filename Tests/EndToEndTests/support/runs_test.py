"""Runs that deliver to the independent receiving server, which may be slow."""

import signal
import sqlite3
import time
from contextlib import closing

from support.dashboard_test import DashboardTest
from support.harness import PATIENCE, Peer

REFUSED = "steps/day/2025-03-03"


class Runs(DashboardTest):
    ZONE = ("--zone", "Europe/Paris", "--data-dir", "data")

    def setUp(self):
        super().setUp()
        self.peer = Peer(self)
        self.export, truth = self.generate("export.zip", "--years", "1", "--seed", "11", "--last-day", "2025-06-30")
        self.configuration = self.configuration_for(truth)
        self.answer(seconds=0)

    def answer(self, seconds):
        """Makes the peer reject one record and delay each response by `seconds`, or until it is called again."""
        refuse = {"match": "POST */progress", "do": "reject_ids", "ids": [REFUSED], "reason": "no such <b>day", "times": None}
        slow = {"match": "POST *", "do": "slow", "seconds": seconds, "times": None}
        self.peer.script([refuse] + ([slow] if seconds else []))

    def words(self, command, *more):
        return (command, "--config", self.configuration, "--data-dir", "data", "--server", self.peer.url, *more)

    def runs(self):
        return self.command("status")["runs"]

    def rows(self):
        with closing(sqlite3.connect(f"file:{self.folder}/data/healthsync.sqlite?mode=ro", uri=True)) as connection:
            return connection.execute("SELECT command, ending FROM run ORDER BY id").fetchall()

    def wait_until(self, what):
        """Waits until `what` returns a true value; returns the value."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if found := what():
                return found
            time.sleep(0.05)
        self.fail("nothing happened")

    def stop(self, process):
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=PATIENCE)
        process.stdout.close()
        process.stderr.close()

    def slow_run(self):
        """Starts a run that the peer slows down, and waits until `status` shows it; returns its process."""
        # Without a stated deadline, a run ends by itself after a minute without an answer.
        process = self.start(*self.words("historical", "--force", "--concurrency", "1", "--quiet", "--deadline", "604800"))
        self.addCleanup(self.stop, process)
        self.wait_until(lambda: self.runs()[0]["outcome"] == "atWork" or process.poll() is not None)
        self.assertIsNone(process.poll(), "the run ended too early")
        return process
