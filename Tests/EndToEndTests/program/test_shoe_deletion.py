"""Deleting a pair of shoes makes its steps unattributed permanently, checked with sqlite3."""

import json
import os
import pty
import sqlite3
import subprocess
import unittest
from contextlib import closing

from support.harness import BINARY, PATIENCE, ProgramTest

DAY = "2024-03-01"


class ShoeDeletion(ProgramTest):
    def setUp(self):
        super().setUp()
        rows = self.folder / "rows.jsonl"
        rows.write_text("".join(
            json.dumps({
                "type": "stepCount", "unit": "count", "value": 100, "sourceBundleId": "Phone",
                "startDate": f"{DAY}T{hour:02}:00:00Z", "endDate": f"{DAY}T{hour:02}:30:00Z"}) + "\n"
            for hour in range(8, 18)))
        self.succeed("historical", "--zone", "UTC", "--source", rows)
        for model in ("One", "Two"):
            self.succeed("shoes", "add", "Maker", model)
        self.succeed("shoes", "assign", "One", "--day", DAY, "--hours", "8-11")
        self.succeed("shoes", "assign", "Two", "--day", DAY, "--hours", "12")

    def shoes(self):
        with closing(sqlite3.connect(self.folder / "share/healthsync/healthsync.sqlite")) as connection:
            return connection.execute(
                "SELECT model, count(shoe_session.id) FROM shoe LEFT JOIN shoe_session ON shoe_id = shoe.id "
                "GROUP BY model ORDER BY model").fetchall()

    def steps(self):
        journal = self.json_of("journal", DAY)
        return {shoe["name"]: shoe["steps"] for shoe in journal["shoes"]}, journal["unattributed"]["steps"]

    def answer(self, *answers):
        """Runs the command on a terminal; returns its questions and exit status."""
        master, slave = pty.openpty()
        process = subprocess.Popen(
            [str(BINARY), "shoes", "delete", "One"], cwd=self.folder, env=self.environment, stdin=slave,
            stdout=slave, stderr=slave)
        os.close(slave)
        os.write(master, "".join(f"{answer}\n" for answer in answers).encode())
        status, text = process.wait(timeout=PATIENCE), b""
        try:
            while piece := os.read(master, 65536):
                text += piece
        except OSError:
            pass
        os.close(master)
        return text.decode(), status

    def test_its_sessions_become_unattributed(self):
        attributed, without = self.steps()
        self.assertEqual((attributed, without), ({"Maker One": 400, "Maker Two": 100}, 500))
        deleted = self.json_of("shoes", "delete", "One", "--yes")
        self.assertEqual((deleted["deleted"]["model"], deleted["sessions"]), ("One", 1))
        self.assertEqual(self.shoes(), [("Two", 1)])
        self.assertEqual(self.steps(), ({"Maker Two": 100}, 900))
        # No session starts automatically where the user had assigned hours.
        self.succeed("shoes", "default", "Two")
        self.succeed("shoes", "check", "--days", "2000")
        self.assertEqual(self.steps(), ({"Maker Two": 100}, 900))
        again = self.run_program("shoes", "delete", "One", "--yes")
        self.assertNotEqual(again.returncode, 0)

    def test_it_asks_twice_on_a_terminal_and_requires_yes_in_scripts(self):
        refused = self.run_program("shoes", "delete", "One")
        self.assertEqual(refused.returncode, 64)
        self.assertIn("--yes", refused.stderr)
        for answers, asked in [(["n"], 1), (["y", "n"], 2)]:
            text, status = self.answer(*answers)
            self.assertEqual(status, 130, text)
            self.assertEqual(text.count("[y/N]"), asked, text)
            self.assertEqual(self.shoes(), [("One", 1), ("Two", 1)])
        text, status = self.answer("y", "y")
        self.assertEqual(status, 0, text)
        self.assertIn("1 session will become unattributed", text)
        self.assertEqual(self.shoes(), [("Two", 1)])

    def test_a_pair_that_is_being_worn_cannot_be_deleted(self):
        self.succeed("shoes", "start", "One")
        refused = self.run_program("shoes", "delete", "One", "--yes")
        self.assertEqual(refused.returncode, 64)
        self.assertIn("is being worn", refused.stderr)
        self.assertEqual(self.shoes(), [("One", 2), ("Two", 1)])


if __name__ == "__main__":
    unittest.main()
