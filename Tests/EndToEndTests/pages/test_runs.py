"""Recorded runs as other processes see them: `status` reports the outcome of each. Checked with sqlite3 and the independent
receiving server."""

import os
import signal
import sqlite3
import unittest
from contextlib import closing

from support.harness import PATIENCE
from support.runs_test import Runs
from support.times import instant


class Recorded(Runs):
    def test_each_run_and_how_it_ended(self):
        self.assertEqual(self.run_program(*self.words("historical", "--source", self.export)).returncode, 3)
        first = self.json_of(*self.words("daily", "--source", self.export))
        self.run_program(*self.words("push"))
        self.assertEqual(self.run_program(*self.words("daily", "--source", "away.zip")).returncode, 66)
        # A command that only marks items for the next run is not recorded.
        self.run_program("outbox", "retry", "--all", "--data-dir", "data")
        runs = self.runs()
        self.assertEqual(
            [(run["command"], run["outcome"]) for run in runs],
            [("daily", "failed"), ("push", "completed"), ("daily", "completed"), ("historical", "completedWithFailures")])
        self.assertEqual(self.rows(), [(run["command"], run["outcome"]) for run in reversed(runs)])
        failed, push, daily, historical = runs
        self.assertEqual([failure["code"] for failure in failed["failures"]], ["noInput"])
        self.assertIn("away.zip", failed["failures"][0]["subject"])
        # A run derives days in reach of a sample, too; the history states those with records.
        recorded = self.json_of("status", "--data-dir", "data")["recordedDays"]
        self.assertEqual(daily["days"], recorded)
        self.assertLessEqual(first["days"]["first"], recorded["first"])
        self.assertGreaterEqual(first["days"]["last"], recorded["last"])
        self.assertEqual((daily["read"]["unchangedSources"], daily["read"]["records"]), (1, 0))
        read = historical["read"]
        self.assertEqual(read["records"], read["stored"] + read["alreadyKnown"] + read["rejected"] + read["notSelected"])
        self.assertEqual(historical["delivery"]["rejected"], 1)
        self.assertGreater(historical["delivery"]["delivered"], 1000)
        self.assertEqual({failure["code"] for failure in historical["failures"]}, {"deliveryIncomplete"})
        self.assertEqual(push["delivery"]["delivered"], 0)
        for run in runs:
            self.assertLessEqual(instant(run["start"]), instant(run["end"]))
        text = self.succeed("status", *self.ZONE).stdout
        self.assertIn("completed with failures", text)
        self.assertIn("away.zip", text)

    def test_stopped_and_killed(self):
        self.run_program(*self.words("historical", "--source", self.export))
        self.answer(seconds=PATIENCE)
        process = self.slow_run()
        phases = self.wait_until(lambda: self.runs()[0]["progress"])
        self.assertTrue(all(phase["phase"] and phase["done"] >= 0 for phase in phases))
        self.assertEqual(os.stat(self.folder / "data/healthsync.progress").st_mode & 0o777, 0o600)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=PATIENCE), 130)
        self.assertEqual(self.runs()[0]["outcome"], "cancelled")
        self.assertIsNone(self.runs()[0]["progress"])
        self.assertFalse((self.folder / "data/healthsync.progress").exists())

        process = self.slow_run()
        self.wait_until(lambda: self.runs()[0]["progress"])
        process.kill()
        process.wait()
        killed = self.runs()[0]
        self.assertEqual((killed["outcome"], killed["end"], killed["progress"]), ("cutOff", None, None))
        self.assertIsNone(self.rows()[-1][1], "status changes nothing")
        self.assertIn("cut off", self.succeed("status", *self.ZONE).stdout)
        # Now another process holds the folder.
        holder = self.start("serve", "--port", "0", "--store", f"sqlite:{self.folder}/data/received.db")
        self.addCleanup(self.stop, holder)
        self.assertIn("serving", holder.stdout.readline())
        self.assertEqual(self.runs()[0]["outcome"], "cutOff")
        self.stop(holder)
        self.answer(seconds=0)
        self.run_program(*self.words("daily"))
        self.assertEqual([ending for _, ending in self.rows()][1:3], ["cancelled", "cutOff"])
        self.assertFalse((self.folder / "data/healthsync.progress").exists())

    def test_the_last_thousand_are_kept(self):
        self.run_program(*self.words("historical", "--source", self.export))
        with closing(sqlite3.connect(self.folder / "data/healthsync.sqlite")) as connection:
            connection.execute("PRAGMA journal_mode = wal")
            connection.executemany(
                "INSERT INTO run (command, started_at_ms, ending) VALUES ('daily', ?, 'completed')", [(n,) for n in range(1500)])
            connection.execute("INSERT INTO run_metric (run_id, metric, outcome) VALUES (2, 'steps', 'nothingNew')")
            connection.commit()
        self.run_program(*self.words("daily"))
        self.assertEqual(len(self.rows()), 1000)
        with closing(sqlite3.connect(f"file:{self.folder}/data/healthsync.sqlite?mode=ro", uri=True)) as connection:
            self.assertEqual(connection.execute("SELECT count(*) FROM run_metric WHERE run_id < 500").fetchone(), (0,))
            self.assertEqual(connection.execute("PRAGMA integrity_check").fetchone(), ("ok",))


if __name__ == "__main__":
    unittest.main()
