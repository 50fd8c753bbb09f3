"""`.ci/parts` runs long targets in parts: it keeps results, continues where it ended, and reports the commit of each part."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from support.harness import ROOT

PARTS = """# A comment.
first: echo one >>runs
second: echo two >>runs && test ! -e broken
third: mkdir -p bench-output/long/third && touch bench-output/long/third/file && echo three >>runs
"""


class Parts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / ".ci").mkdir()
        shutil.copy(ROOT / ".ci/parts", self.folder / ".ci/parts")
        (self.folder / ".ci/long.parts").write_text(PARTS)
        (self.folder / ".gitignore").write_text("bench-output/\nruns\nbroken\n")
        self.git("init", "--quiet")
        self.commit()

    def git(self, *words):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], cwd=self.folder, check=True)

    def commit(self):
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "-m", "one")

    def parts(self, *words, **variables):
        environment = {name: value for name, value in os.environ.items() if name not in ("PARTS", "MINUTES")}
        return subprocess.run([".ci/parts", *words], cwd=self.folder, capture_output=True, text=True,
                              env={**environment, **variables})

    def runs(self):
        path = self.folder / "runs"
        found = path.read_text().split() if path.exists() else []
        path.unlink(missing_ok=True)
        return found

    def results(self):
        return [line.split()[:2] for line in self.parts("long", "report").stdout.splitlines()[1:]]

    def test_every_part_runs_once_for_each_commit(self):
        self.assertEqual(self.results(), [["first", "not-run"], ["second", "not-run"], ["third", "not-run"]])
        self.assertEqual(self.parts("long").returncode, 0)
        self.assertEqual(self.runs(), ["one", "two", "three"])
        self.assertEqual(self.results(), [["first", "passed"], ["second", "passed"], ["third", "passed"]])
        self.assertEqual(self.parts("long").returncode, 0)
        self.assertEqual(self.runs(), [])
        head = subprocess.check_output(["git", "rev-parse", "--short=12", "HEAD"], cwd=self.folder, text=True).strip()
        self.commit()
        self.assertIn(head, self.parts("long", "report").stdout.splitlines()[1])
        self.assertEqual(self.parts("long").returncode, 0)
        self.assertEqual(self.runs(), ["one", "two", "three"])

    def test_a_failed_part_ends_the_target_with_an_error_and_is_repeated(self):
        (self.folder / "broken").touch()
        self.assertEqual(self.parts("long").returncode, 1)
        self.assertEqual(self.runs(), ["one", "two", "three"])
        self.assertEqual(self.results()[1], ["second", "failed"])
        (self.folder / "broken").unlink()
        self.assertEqual(self.parts("long").returncode, 0)
        self.assertEqual(self.runs(), ["two"])

    def test_what_ran_longest_ago_is_first(self):
        self.assertEqual(self.parts("long", PARTS="second").returncode, 0)
        self.assertEqual(self.runs(), ["two"])
        self.commit()
        self.assertEqual(self.parts("long").returncode, 0)
        self.assertEqual(self.runs(), ["one", "three", "two"])

    def test_no_part_begins_after_the_time(self):
        stopped = self.parts("long", MINUTES="0")
        self.assertEqual((stopped.returncode, self.runs()), (0, []))
        self.assertIn("parts are left; continue with: make long", stopped.stdout)

    def test_with_uncommitted_changes_every_part_runs_again(self):
        (self.folder / "new").touch()
        for _ in range(2):
            self.assertEqual(self.parts("long").returncode, 0)
            self.assertEqual(self.runs(), ["one", "two", "three"])
        self.assertIn("+changes", self.parts("long", "report").stdout)

    def test_the_folder_of_a_part_is_empty_at_its_start(self):
        old = self.folder / "bench-output/long/third/old"
        old.parent.mkdir(parents=True)
        old.touch()
        self.assertEqual(self.parts("long").returncode, 0)
        self.assertEqual(os.listdir(old.parent), ["file"])

    def test_unknown_targets_and_parts_are_rejected(self):
        self.assertEqual(self.parts("none").returncode, 64)
        self.assertEqual(self.parts("long", PARTS="none").returncode, 64)
        self.assertEqual(self.runs(), [])

    def test_every_long_target_is_well_formed(self):
        for path in (ROOT / ".ci").glob("*.parts"):
            lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
            names = [line.partition(": ")[0] for line in lines]
            self.assertEqual(len(names), len(set(names)))
            for line in lines:
                self.assertRegex(line, r"^[a-z0-9-]+: \S")
                subprocess.run(["bash", "-nc", line.partition(": ")[2]], check=True)


if __name__ == "__main__":
    unittest.main()
