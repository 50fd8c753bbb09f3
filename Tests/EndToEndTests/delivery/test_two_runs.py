"""Runs at the same time: the later one waits or ends with a message."""

import fcntl
import json
import unittest

from support.harness import PATIENCE, ProgramTest, integrity
from support.records import ordinary_days, write


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
