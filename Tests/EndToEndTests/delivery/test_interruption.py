"""After an interruption, the next run gives the same result as an uninterrupted one, and the server has each record once."""

import collections
import json
import random
import signal
import sqlite3
import subprocess
import time
import unittest
from contextlib import closing

from support.harness import PATIENCE, Peer, ProgramTest, figures, integrity, samples
from support.records import ordinary_days, write


class Interruption(ProgramTest):
    WORDS = ("historical", "--zone", "Europe/Paris", "--quiet")

    def setUp(self):
        super().setUp()
        self.export, _ = self.generate("export.zip", "--years", "1", "--seed", "11", "--last-day", "2025-06-30")

    def reference(self, *words):
        started = time.monotonic()
        self.succeed(*self.WORDS, "--source", self.export, "--data-dir", "reference", *words)
        self.seconds = time.monotonic() - started

    def kill_until_done(self, data, signal_number, moments, *words):
        """Starts the run repeatedly and kills it at each of `moments`, as fractions of the duration of a complete run; then
        lets it finish."""
        killed = 0
        for moment in moments:
            started = time.monotonic()
            process = self.start(*self.WORDS, "--source", self.export, "--data-dir", data, *words)
            try:
                process.communicate(timeout=self.seconds * moment)
            except subprocess.TimeoutExpired:
                process.send_signal(signal_number)
                process.communicate()
            if process.returncode in (-signal_number, 130):
                killed += 1
            else:
                # The machine is faster now than during the measurement.
                self.seconds = min(self.seconds, time.monotonic() - started)
        self.succeed(*self.WORDS, "--source", self.export, "--data-dir", data, *words)
        return killed

    def assert_equals_reference(self, data):
        database, reference = (self.folder / name / "healthsync.sqlite" for name in (data, "reference"))
        self.assertEqual(integrity(database), ["ok"])
        self.assertEqual(samples(database), samples(reference))
        self.assertEqual(figures(database), figures(reference))

    def test_killed_at_many_points(self):
        self.reference()
        moments = [step / 25 for step in range(1, 25)]
        random.Random(5).shuffle(moments)
        # Kill one database repeatedly and fresh ones once, so that every stage is interrupted early and late.
        killed = self.kill_until_done("often", signal.SIGKILL, moments[:8])
        self.assert_equals_reference("often")
        for index, moment in enumerate(moments[8:]):
            with self.subTest(moment=moment):
                killed += self.kill_until_done(f"once-{index}", signal.SIGKILL, [moment])
                self.assert_equals_reference(f"once-{index}")
        self.assertGreater(killed, 5)

    def test_killed_before_the_first_byte_of_the_database(self):
        self.reference()
        (self.folder / "empty").mkdir(mode=0o700)
        (self.folder / "empty/healthsync.sqlite").touch(mode=0o600)
        self.kill_until_done("empty", signal.SIGKILL, [])
        self.assert_equals_reference("empty")

    def test_interrupted_by_a_signal(self):
        self.reference()
        killed = self.kill_until_done("polite", signal.SIGINT, [step / 8 for step in range(1, 8)])
        self.assertGreater(killed, 0)
        self.assert_equals_reference("polite")

    def test_killed_while_delivering(self):
        peer = Peer(self)
        self.reference()
        self.kill_until_done("sender", signal.SIGKILL, [step / 6 for step in range(2, 14)], "--server", peer.url)
        self.succeed("push", "--data-dir", "sender", "--server", peer.url)
        self.assert_each_record_once(peer, self.folder / "sender/healthsync.sqlite")

    def test_server_misbehaves(self):
        peer = Peer(self)
        peer.script(
            [
                {"match": "POST /api/v1/progress", "times": 2, "do": "close_after_store"},
                {"match": "POST /api/v1/progress", "times": 1, "after": 3, "do": "status", "status": 503,
                 "headers": {"Retry-After": "1"}},
                {"match": "POST /api/v1/sleep", "times": 1, "do": "garbage"},
                {"match": "POST /api/v1/snapshots", "times": 1, "do": "close"},
                {"match": "POST /api/v1/sleep", "times": 1, "do": "truncate"},
            ]
        )
        delivery = ("--data-dir", "sender", "--server", peer.url, "--deadline", str(PATIENCE))
        self.run_program(*self.WORDS, "--source", self.export, *delivery)
        for _ in range(5):
            if self.run_program("push", *delivery).returncode == 0:
                break
        self.assert_each_record_once(peer, self.folder / "sender/healthsync.sqlite")

    def assert_each_record_once(self, peer, database):
        state = peer.state()
        self.assertEqual(state["violations"], [])
        with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
            count = lambda query: connection.execute(query).fetchone()[0]
            expected = {
                "progress": count("SELECT count(*) FROM daily_progress") + count("SELECT count(*) FROM hour_progress"),
                "sleep": count("SELECT count(*) FROM sleep_session"),
                "snapshots": count("SELECT count(*) FROM activity_snapshot"),
            }
            waiting = count("SELECT count(*) FROM outbox_item")
        kept = {kind: len(state["records"].get(kind, {})) for kind in expected}
        self.assertEqual(kept, expected)
        self.assertEqual(waiting, 0)
        stored = collections.Counter()
        for line in (peer.folder / "received.jsonl").read_text().splitlines():
            record = json.loads(line)
            if record["status"] in ("created", "updated"):
                stored[record["kind"], record["id"], record["revision"]] += 1
        self.assertEqual([key for key, times in stored.items() if times > 1], [])


class TwoRuns(ProgramTest):
    def test_the_second_run_waits_or_exits(self):
        export, _ = self.generate("export.zip", "--years", "1", "--seed", "11", "--last-day", "2025-06-30")
        words = ("historical", "--zone", "Europe/Paris", "--source", export, "--data-dir", "data")
        processes = [self.start(*words) for _ in range(3)]
        results = [(*process.communicate(timeout=PATIENCE), process.returncode) for process in processes]
        statuses = sorted(status for _, _, status in results)
        self.assertIn(0, statuses)
        self.assertLessEqual(set(statuses), {0, 75}, results)
        self.assertEqual(integrity(self.folder / "data/healthsync.sqlite"), ["ok"])

    def test_the_second_run_reports_who_holds_the_lock(self):
        import fcntl

        (self.folder / "data").mkdir(mode=0o700)
        export = write(self.folder / "export.xml", ordinary_days(1))
        config = self.folder / "c.json"
        config.write_text(json.dumps({"limits": {"lockWaitSeconds": 1}}))
        with open(self.folder / "data/healthsync.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            lock.write("4242\nhistorical\n2025-01-01T00:00:00Z\n")
            lock.flush()
            result = self.run_program("daily", "--zone", "Europe/Paris", "--data-dir", "data", "--config", config, "--source", export)
        self.assertEqual(result.returncode, 75, result.stderr)
        self.assertIn("4242", result.stderr)


if __name__ == "__main__":
    unittest.main()
