"""A run in another zone that is rejected or interrupted: later runs give the same results as in an undisturbed database."""

import shutil
import signal
import sqlite3
import subprocess
import time
import unittest
from contextlib import closing

from support.harness import PATIENCE, ProgramTest, figures
from reading.test_exports_side_by_side import export

HISTORY = ("historical", "--quiet")


class ZonesCutOff(ProgramTest):
    def setUp(self):
        super().setUp()
        self.environment["TZ"] = "Europe/Paris"

    def counted(self, data):
        with closing(sqlite3.connect(f"file:{self.folder}/{data}/healthsync.sqlite?mode=ro", uri=True)) as connection:
            return connection.execute("SELECT home_zone, is_whole FROM counted_days").fetchone()

    def figures(self, data):
        return figures(self.folder / data / "healthsync.sqlite")

    def cut(self, words, data, seconds, number):
        """Runs a command on a copy of the start, and sends it a signal after some seconds. Returns how many seconds it took if
        it ended before, else None."""
        shutil.rmtree(self.folder / data, ignore_errors=True)
        shutil.copytree(self.folder / "start", self.folder / data)
        began = time.monotonic()
        process = self.start(*words, "--data-dir", data)
        try:
            process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.send_signal(number)
            process.communicate()
            return None
        self.assertEqual(process.returncode, 0)
        return time.monotonic() - began

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def test_a_rejected_run_changes_no_days(self):
        first = self.write("1.xml", export("2024-03-02 10:00:00 +0100", *range(10, 34)))
        other = self.write("2.xml", export("2024-03-03 10:00:00 +0100", *range(10, 18)))
        last = self.write("3.xml", export("2024-03-04 10:00:00 +0100", *range(10, 33), 99))
        for data in ("disturbed", "reference"):
            self.succeed(*HISTORY, "--source", first, "--data-dir", data)
        refused = self.run_program(*HISTORY, "--zone", "Asia/Tokyo", "--source", other, "--data-dir", "disturbed")
        self.assertEqual(refused.returncode, 65, refused.stderr)
        self.assertEqual(self.counted("disturbed"), ("Europe/Paris", 1))
        for data in ("disturbed", "reference"):
            bounded = self.run_program(
                "historical", "--quiet", "--from", "2024-03-01", "--to", "2024-03-01", "--source", last,
                "--data-dir", data)
            self.assertEqual(bounded.returncode, 3, "2 March changed too")
        self.assertEqual(self.figures("disturbed"), self.figures("reference"))
        self.succeed("daily", "--zone", "Europe/Paris", "--quiet", "--source", last, "--data-dir", "disturbed")

    def test_killed_or_interrupted_at_many_points(self):
        source, _ = self.generate("export.zip", "--years", "1", "--seed", "11", "--last-day", "2025-06-30")
        newer, _ = self.generate("newer.zip", "--years", "1", "--seed", "11", "--last-day", "2025-07-02")
        self.succeed(*HISTORY, "--source", source, "--data-dir", "Europe-Paris")
        subprocess.run(["cp", "-r", "Europe-Paris", "start"], cwd=self.folder, check=True)
        self.succeed(*HISTORY, "--source", newer, "--data-dir", "Europe-Paris")
        self.succeed(*HISTORY, "--zone", "Asia/Tokyo", "--source", newer, "--data-dir", "Asia-Tokyo")
        words = (*HISTORY, "--zone", "Asia/Tokyo", "--source", newer)
        whole = self.cut(words, "timed", PATIENCE, signal.SIGKILL)
        ends = set()
        for step in range(1, 13):
            data = f"killed-{step}"
            while shorter := self.cut(words, data, whole * step / 13, signal.SIGKILL if step % 2 else signal.SIGINT):
                # The machine is faster now than during the measurement.
                whole = shorter
            zone, is_whole = self.counted(data)
            ends.add((zone, is_whole))
            with self.subTest(step=step, zone=zone, is_whole=is_whole):
                if zone == "Europe/Paris":
                    self.assertEqual(is_whole, 1)
                    self.succeed(*HISTORY, "--source", newer, "--data-dir", data)
                else:
                    # Any next run recomputes the remaining days.
                    self.succeed("daily", "--quiet", "--source", newer, "--data-dir", data)
                self.assertEqual(self.counted(data), (zone, 1))
                self.assertEqual(self.figures(data), self.figures(zone.replace("/", "-")))
        self.assertIn(("Europe/Paris", 1), ends)


if __name__ == "__main__":
    unittest.main()
