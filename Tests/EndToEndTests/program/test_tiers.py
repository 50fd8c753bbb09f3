"""`.ci/run` and `.ci/test`: the phases of each tier, and the jobs that a tier runs, with stubs for what they start."""

import fcntl
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
        for call in ("install-tools check", "mutants --check", "public-api --check", "make --silent release", "test check"):
            self.assertEqual(calls.splitlines().count(call), 1, call)
        self.assertEqual(calls.count("swift build"), 1)

    def test_selected_jobs_run_alone(self):
        done, calls = self.run_tier("check", TESTS="server")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(calls.count("test check TESTS=server"), 1)
        self.assertNotIn("mutants", calls)

    def test_a_phase_that_fails_ends_the_run(self):
        for fails, last in (("public-api", "public API"), ("make", "release build, tests"), ("test", "release build, tests")):
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

    def listed(self, tier):
        return subprocess.run([ROOT / ".ci/test", tier, "list"], capture_output=True, text=True, check=True,
                              env={name: value for name, value in os.environ.items() if name != "TESTS"}).stdout.split()

    def test_the_check_runs_every_test_once(self):
        jobs = self.listed("check")
        tests, peers = ROOT / "Tests/EndToEndTests", ROOT / "Tests/Support/Peers"
        expected = {"examples", "examples.outside", "gates"}
        expected |= {path.relative_to(ROOT).parts[1] for path in (ROOT / "Tests").glob("*Tests/**/*.swift")}
        expected |= {f"peers.{path.parent.name}" for path in peers.glob("*/test_*.py")}
        for path in tests.glob("*/test_*.py"):
            file = ".".join(path.relative_to(tests).with_suffix("").parts)
            if any(name.startswith(f"{file}.") for name in jobs):
                # Each class with tests is a job.
                suite = unittest.defaultTestLoader.loadTestsFromName(file)
                expected |= {f"{file}.{type(case).__name__}" for one in suite for case in one}
            else:
                expected.add(file)
        self.assertEqual(len(jobs), len(set(jobs)))
        self.assertEqual(set(jobs), expected)


class Waiting(unittest.TestCase):
    """Jobs that need the program wait while the release build holds its lock; the others do not."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / ".ci").mkdir()
        for name in ("test", "temporary-folder"):
            shutil.copy(ROOT / f".ci/{name}", self.folder / f".ci/{name}")
        for place in ("Tests/EndToEndTests/one", "Tests/Support/Peers/two"):
            (self.folder / place).mkdir(parents=True)
            path = self.folder / place / f"test_{place[-3:]}.py"
            path.write_text("import unittest\nclass Case(unittest.TestCase):\n    def test(self): pass\n")
        self.lock = self.folder / "lock"

    def run_jobs(self, is_built):
        """Returns the status and the output, of which the first line was written before the build ended."""
        environment = {name: value for name, value in os.environ.items() if name not in ("HEALTHSYNC_SEEDS", "HEALTHSYNC_BINARY")}
        with open(self.lock, "w") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            process = subprocess.Popen(
                [".ci/test", "check"], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                env={**environment, "TESTS": "one.test_one peers.two", "RELEASE": str(self.lock)})
            first = process.stdout.readline()
            if is_built:
                (self.folder / "lock.done").touch()
        with process:
            return process.wait(), first, process.stdout.read()

    def test_a_job_begins_when_the_program_is_built(self):
        status, first, rest = self.run_jobs(is_built=True)
        self.assertEqual(status, 0, first + rest)
        self.assertTrue(first.startswith("peers.two: Ran 1 test"), first)
        self.assertIn("one.test_one: Ran 1 test", rest)

    def test_no_job_begins_without_the_program(self):
        status, first, rest = self.run_jobs(is_built=False)
        self.assertNotEqual(status, 0)
        self.assertTrue(first.startswith("peers.two: Ran 1 test"), first)
        self.assertIn("one.test_one: the program is not built", rest)
        self.assertNotIn("one.test_one: Ran", rest)


if __name__ == "__main__":
    unittest.main()
