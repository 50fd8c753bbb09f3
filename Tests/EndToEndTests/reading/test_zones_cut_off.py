"""A run in another zone that is rejected: later runs give the same results as in an undisturbed database."""

import sqlite3
import unittest
from contextlib import closing

from support.harness import ProgramTest, figures
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


if __name__ == "__main__":
    unittest.main()
