"""`.ci/run` and `.ci/test`: the phases of each tier, and the jobs that a tier runs, with stubs for what they start."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from support.harness import ROOT


class Phases(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / ".ci").mkdir()
        shutil.copy(ROOT / ".ci/run", self.folder / ".ci/run")
        for name in (".ci/test", ".ci/install-tools", ".ci/mutants", ".ci/public-api", "bin/swift", "bin/make"):
            path = self.folder / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(f'#!/bin/bash\necho "{path.name} $*${{TESTS:+ TESTS=$TESTS}}" >>calls\n[ "${{FAILS:-}}" != {path.name} ]\n')
            path.chmod(0o755)

    def run_tier(self, *words, **variables):
        """Returns the finished process and what it started."""
        environment = {name: value for name, value in os.environ.items() if name != "TESTS"}
        environment |= {"PATH": f"{self.folder}/bin:{os.environ['PATH']}", **variables}
        done = subprocess.run([".ci/run", *words], cwd=self.folder, capture_output=True, text=True, env=environment)
        calls = (self.folder / "calls").read_text() if (self.folder / "calls").exists() else ""
        return done, calls

    def test_the_quick_tier_builds_once(self):
        done, calls = self.run_tier("test")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(re.findall(r"^(?:install-tools|swift build|make|test)\b.*", calls, re.M), [
            "install-tools test", "swift build --build-tests --explicit-target-dependency-import-check error", "test test"])
        self.assertEqual(re.findall(r"^ +\d+ s  (.*)", done.stdout, re.M), ["tools", "debug build", "tests"])

    def test_the_check_runs_each_job_once(self):
        done, calls = self.run_tier()
        self.assertEqual(done.returncode, 0, done.stderr)
        for call in ("install-tools check", "mutants --check", "public-api --check", "make --silent release",
                     "test check TESTS=suites", "test check TESTS=others"):
            self.assertEqual(calls.splitlines().count(call), 1, call)
        self.assertEqual(calls.count("swift build"), 1)

    def test_selected_jobs_run_alone(self):
        done, calls = self.run_tier("check", TESTS="server")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(calls.count("test check TESTS=server"), 1)
        self.assertNotIn("mutants", calls)

    def test_a_phase_that_fails_ends_the_run(self):
        for fails, last in (("public-api", "public API"), ("make", "suites, release build"), ("test", "suites, release build")):
            done, _ = self.run_tier("check", FAILS=fails)
            self.assertEqual(done.returncode, 1)
            self.assertIn(f"{last} failed with status 1", done.stderr)
            self.assertEqual(re.findall(r"^ +\d+ s  (.*)", done.stdout, re.M)[-1], last)

    def test_an_unknown_tier_is_rejected(self):
        done, calls = self.run_tier("tests")
        self.assertEqual((done.returncode, calls), (64, ""))


class Jobs(unittest.TestCase):
    def test_the_jobs_of_the_quick_tier_exist(self):
        names = re.search(r"^quick=\(\n(.*?)^\)", (ROOT / ".ci/test").read_text(), re.M | re.S).group(1).split()
        self.assertEqual(len(names), len(set(names)))
        found = unittest.defaultTestLoader.loadTestsFromNames(names)
        self.assertEqual(unittest.defaultTestLoader.errors, [])
        self.assertGreater(found.countTestCases(), 50)


if __name__ == "__main__":
    unittest.main()
