"""A database of an earlier version is migrated, and days with changed rules are derived again."""

import datetime
import pathlib
import shutil
import sqlite3
import subprocess
import unittest
import zoneinfo
from contextlib import closing

from support.harness import ProgramTest, integrity

OLD = pathlib.Path(__file__).parent / "old_databases" / "schema_1.sql"


class OldDatabase(ProgramTest):
    def setUp(self):
        super().setUp()
        (self.folder / "data").mkdir(mode=0o700)
        self.database = self.folder / "data" / "healthsync.sqlite"
        with closing(sqlite3.connect(self.database)) as connection:
            connection.executescript(OLD.read_text())

    def rows(self):
        with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as connection:
            query = "SELECT metric, day, round(quantity, 6), revision FROM daily_progress ORDER BY metric, day"
            return connection.execute(query).fetchall()

    def outcomes(self):
        report = self.json_of(
            "historical", "--metrics", "steps,bodyMass", "--zone", "Europe/Paris", "--data-dir", "data")
        return {metric["metric"]: (metric["outcome"], metric.get("records")) for metric in report["metrics"]}

    def test_body_mass_changes_from_the_mean_to_the_last_value_of_the_day(self):
        self.assertEqual(self.rows()[0], ("bodyMass", "2024-01-15", round((80 + 80.5 + 79.4) / 3, 6), 1))
        first = self.outcomes()
        # The rule for steps changed too, without effect on this data.
        self.assertEqual(first["steps"], ("synced", 0))
        self.assertEqual(first["bodyMass"], ("synced", 1))
        self.assertGreater(self.rows()[0][3], 1)
        self.assertEqual([*self.rows()[0][:3], *self.rows()[1:]], [
            "bodyMass", "2024-01-15", 79.4, ("bodyMass", "2024-01-16", 79.1, 1),
            ("steps", "2024-01-15", 1250.0, 1),
        ])
        self.assertEqual(self.outcomes(), {"steps": ("nothingNew", None), "bodyMass": ("nothingNew", None)})
        self.assertEqual(integrity(self.database), ["ok"])

    def test_verbose_lists_the_applied_migrations(self):
        daily = ("daily", "--zone", "Europe/Paris", "--data-dir", "data", "--verbose")
        with closing(sqlite3.connect(self.database)) as connection:
            self.assertEqual(connection.execute("PRAGMA user_version").fetchone(), (1,))
        told = self.run_program(*daily).stderr
        with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as connection:
            latest = connection.execute("PRAGMA user_version").fetchone()[0]
        self.assertIn(f"schema migrations 2 to {latest} applied", told)
        self.assertNotIn("1250", told)
        self.assertNotIn("schema migration", self.run_program(*daily).stderr)

    def on_one_day(self, read):
        """Returns what `read` returns when no new day begins meanwhile."""
        today = lambda: datetime.datetime.now(zoneinfo.ZoneInfo("Europe/Paris")).date()
        while True:
            before, found = today(), read()
            if today() == before:
                return found

    def test_it_can_be_read_on_a_read_only_medium(self):
        self.outcomes()
        looks = [("summary",), ("status",), ("steps", "2024-01-15"), ("sleep",), ("heart",), ("journal",), ("shoes", "list"),
                 ("outbox", "list"), ("intervals",)]
        for look in looks:
            self.run_program(*look, "--data-dir", "data")
        mount = self.folder / "medium"
        mount.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "tmpfs", mount], capture_output=True).returncode:
            self.skipTest("tmpfs cannot be mounted here")
        self.addCleanup(subprocess.run, ["umount", "-l", str(mount)])
        # A reader leaves an empty log; a copy on a medium has none.
        log = self.database.with_name(self.database.name + "-wal")
        self.assertEqual(log.stat().st_size if log.exists() else 0, 0)
        shutil.copytree(self.folder / "data", mount / "data", ignore=shutil.ignore_patterns("*-wal", "*-shm"))
        subprocess.run(["mount", "-o", "remount,ro", str(mount)], check=True)
        for look in looks:
            result, found = self.on_one_day(
                lambda: [self.run_program(*look, "--data-dir", data) for data in ("data", mount / "data")])
            shown = found.stdout.replace(f"--data-dir {mount / 'data'}", "--data-dir data").replace("/medium/data/", "/data/")
            self.assertEqual((found.returncode, shown), (result.returncode, result.stdout), (look, found.stderr))
        self.assertEqual(self.run_program("summary", "--data-dir", mount / "data").returncode, 0)
        self.assertEqual(self.run_program("daily", "--data-dir", mount / "data").returncode, 73)

    def test_readers_reject_it_until_it_is_migrated(self):
        before = self.database.read_bytes()
        result = self.run_program("summary", "--zone", "Europe/Paris", "--data-dir", "data")
        self.assertEqual(result.returncode, 74, result.stderr)
        self.assertIn("older version", result.stderr)
        result = self.run_program("doctor", "--zone", "Europe/Paris", "--data-dir", "data")
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertEqual(result.stdout.count("older version"), 1, result.stdout)
        self.assertEqual(self.database.read_bytes(), before)
        self.outcomes()
        day = self.json_of("summary", "2024-01-15", "--zone", "Europe/Paris", "--data-dir", "data")
        self.assertEqual({metric["metric"]: metric["quantity"] for metric in day["metrics"]}["bodyMass"], 79.4)


if __name__ == "__main__":
    unittest.main()
