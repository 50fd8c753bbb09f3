"""A program that embeds healthsync, beside a `watch` that changes its data: what it reads equals `--json`, and it misses no change,
however often it is killed. Run by run-demo, with HEALTH_JOURNAL and HEALTHSYNC_BINARY; HEALTHSYNC_CHANGES changes, else 60."""

import datetime
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "Tests/EndToEndTests"))
from support.harness import PATIENCE  # noqa: E402
from support.watch import InboxTest  # noqa: E402
from senders.neutral import Request  # noqa: E402

JOURNAL = os.environ["HEALTH_JOURNAL"]
CHANGES = int(os.environ.get("HEALTHSYNC_CHANGES", "60"))
FIRST = datetime.date(2024, 1, 1)


class Follower:
    """A `health-journal follow`: the days that it printed, by metric."""

    def __init__(self, test):
        self.days, self.changed = set(), threading.Condition()
        self.process = subprocess.Popen([JOURNAL, "follow", test.folder / "data"], stdout=subprocess.PIPE, text=True,
                                        env=test.environment)
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()
        test.addCleanup(self.kill)

    def read(self):
        for line in self.process.stdout:
            with self.changed:
                self.days.add(line.strip())
                self.changed.notify_all()

    def await_days(self, test, wanted):
        with self.changed:
            test.assertTrue(self.changed.wait_for(lambda: wanted <= self.days, PATIENCE), sorted(wanted - self.days)[:5])

    def kill(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
        self.reader.join()
        self.process.stdout.close()


class JournalTest(InboxTest):
    def entry(self, day):
        result = subprocess.run([JOURNAL, "show", self.folder / "data", day], capture_output=True, text=True, env=self.environment)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)


class Following(JournalTest):
    def setUp(self):
        super().setUp()
        rows = [{"type": "stepCount", "startDate": "2023-12-31T10:00:00Z", "endDate": "2023-12-31T10:05:00Z", "value": 7,
                 "unit": "count", "sourceBundleId": "app"}]
        (self.folder / "first.jsonl").write_text("\n".join(map(json.dumps, rows)))
        self.succeed("import", "first.jsonl", "--data-dir", "data", "--zone", "Europe/Paris")

    def walk(self, number, steps):
        """A post of steps on day `number`."""
        day = FIRST + datetime.timedelta(days=number)
        row = {"type": "stepCount", "startDate": f"{day}T10:00:00Z", "endDate": f"{day}T10:05:00Z", "value": steps, "unit": "count",
               "sourceBundleId": "app"}
        return f"steps {day}", Request("POST", "/lines", {"Content-Type": "application/json"}, json.dumps(row).encode())

    def test_no_change_is_missed(self):
        token, watch = self.pair(), self.watch()
        chance = random.Random(1)
        follower, wanted, figures = Follower(self), {"steps 2023-12-31"}, {}
        for number in range(CHANGES):
            # Some days change again, and the follower is killed in between.
            day = chance.randrange(number + 1) if chance.random() < 0.3 else number
            figures[day] = number + 1
            text, request = self.walk(day, figures[day])
            watch.accept(request, token)
            wanted.add(text)
            if chance.random() < 0.1:
                follower.kill()
                follower = Follower(self)
        follower.await_days(self, wanted)
        self.settle()
        self.assertEqual(watch.terminate(), 0)
        for day in list(figures)[::max(1, len(figures) // 20)]:
            date = str(FIRST + datetime.timedelta(days=day))
            self.assertEqual(self.entry(date)["figures"]["steps"], figures[day], date)

    def test_a_follower_that_is_killed_after_every_change_misses_none(self):
        token, watch = self.pair(), self.watch()
        follower, wanted = Follower(self), set()
        for number in range(12):
            text, request = self.walk(number, number + 1)
            watch.accept(request, token)
            wanted.add(text)
            follower.kill()
            follower = Follower(self)
        follower.await_days(self, wanted)
        self.assertEqual(watch.terminate(), 0)

    def test_each_change_reaches_a_follower_that_lives(self):
        token, watch, follower = self.pair(), self.watch(), Follower(self)
        follower.await_days(self, {"steps 2023-12-31"})
        for number in range(5):
            text, request = self.walk(number, 100)
            watch.accept(request, token)
            follower.await_days(self, {text})
            # The same day again: it must be printed again.
            with follower.changed:
                follower.days.discard(text)
            watch.accept(self.walk(number, 200 + number)[1], token)
            follower.await_days(self, {text})
        self.assertEqual(watch.terminate(), 0)


class Life(JournalTest):
    def test_the_entries_of_a_life_equal_the_json_of_the_program(self):
        source, _ = self.generate("export.zip", "--years", "1", "--seed", "11", "--density", "0.05")
        data = ("--data-dir", "data")
        self.succeed("import", source, *data, "--zone", "Europe/Paris")
        self.succeed("shoes", "add", "Brooks", "Ghost", *data)
        last = datetime.date.fromisoformat(self.json_of("status", *data)["recorded"]["last"])
        self.succeed("shoes", "assign", "Ghost", "--day", str(last), "--hours", "8-20", *data)
        for back in (0, 1, 2, 40, 100, 200):
            day = str(last - datetime.timedelta(days=back))
            entry, shown = self.entry(day), self.json_of("summary", day, *data)
            expected = {one["metric"]: one["quantity"] for one in shown["metrics"]}
            self.assertEqual(entry["figures"], expected, day)
            nights = [night for night in shown["sleep"] if night["role"] == "main" and night["counts"]]
            self.assertEqual(bool(nights), "night" in entry, day)
            for night in nights:
                found = entry["night"]["minutes"]
                self.assertAlmostEqual(found["asleep"], night["totalSleepMinutes"], places=6)
                for stage in ("core", "deep", "rem", "awake"):
                    self.assertAlmostEqual(found[stage], night[f"{stage}Minutes"] or 0, places=6, msg=(day, stage))
            journal = self.json_of("journal", day, *data)
            worn = {one["shoe"]: one["steps"] for one in journal["shoes"]}
            self.assertEqual(len(entry["shoes"]), len(worn), (day, journal))
            self.assertAlmostEqual(sum(one["steps"] for one in entry["shoes"]), sum(worn.values()), places=6)


if __name__ == "__main__":
    unittest.main()
