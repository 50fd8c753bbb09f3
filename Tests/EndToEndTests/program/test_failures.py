"""Commands that fail: each reports the problem in text and JSON, exits with the status of the table in
docs/command-line.md, and records failed runs."""

import json
import pathlib
import re
import socket
import unittest

from support.harness import ROOT, ProgramTest, Server

WORDS = ("--zone", "Europe/Paris")


def documented_statuses():
    """Returns the exit statuses in the documentation."""
    text = (ROOT / "docs/command-line.md").read_text()
    table = text.split("## Exit status")[1].split("## ")[0]
    return {int(number) for number in re.findall(r"^\| (\d+) \|", table, re.M)}


class Failures(ProgramTest):
    def setUp(self):
        super().setUp()
        self.rows = self.folder / "rows.jsonl"
        self.rows.write_text("".join(
            json.dumps({
                "type": "HKQuantityTypeIdentifierStepCount", "unit": "count", "value": 100 + hour, "sourceBundleId": "Phone",
                "startDate": f"2024-03-01T{hour:02}:00:00+01:00", "endDate": f"2024-03-01T{hour:02}:10:00+01:00"}) + "\n"
            for hour in range(8, 20)))
        (self.folder / "empty").mkdir()
        (self.folder / "garbage.zip").write_bytes(b"no archive at all")
        # A port that is bound but does not listen.
        away = socket.socket()
        self.addCleanup(away.close)
        away.bind(("127.0.0.1", 0))
        self.away = f"http://127.0.0.1:{away.getsockname()[1]}"

    def configure(self, **members):
        path = self.folder / "config/healthsync/config.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(members))

    def fill(self, *words):
        self.succeed("historical", *WORDS, "--source", self.rows, *words)

    def last_run(self):
        return json.loads(self.run_program("status", *WORDS, "--json").stdout)["runs"][0]

    def fails(self, status, says, words, outcome=None):
        """Runs the command in text and JSON mode. With `outcome`, checks the outcome and reason of the recorded run."""
        self.assertIn(status, documented_statuses())
        for json_too in [(), ("--json",)]:
            with self.subTest(words=words, json=bool(json_too)):
                done = self.run_program(*words, *json_too)
                self.assertEqual(done.returncode, status, done.stdout + done.stderr)
                told = done.stdout + done.stderr
                self.assertRegex(told.replace("\n", " "), says)
                if json_too and done.stdout:
                    self.assertEqual(json.loads(done.stdout)["exitStatus"], status)
                if outcome:
                    run = self.last_run()
                    self.assertEqual(run["outcome"], outcome)
                    self.assertRegex(" ".join(f["reason"] for f in run["failures"]), says)

    def test_sources_that_are_missing(self):
        none = "no source was given, so nothing was imported"
        self.fails(66, "no source is configured and nothing is stored", ("daily", *WORDS))
        self.fails(66, "no source is configured and nothing is stored", ("historical", *WORDS))
        self.fill()
        self.fails(66, none, ("daily", *WORDS), "completedWithFailures")
        self.configure(sources=[])
        self.fails(66, none, ("daily", *WORDS), "completedWithFailures")
        self.configure(sources=[str(self.folder / "gone.zip")])
        self.fails(66, "no such file or folder", ("daily", *WORDS), "failed")
        self.configure()
        for command in ["daily", "historical"]:
            self.fails(66, "no such file or folder", (command, *WORDS, "--source", "gone.zip"), "failed")
            self.fails(65, "the folder is empty", (command, *WORDS, "--source", "empty"), "failed")
            self.fails(65, ".", (command, *WORDS, "--source", "garbage.zip"), "failed")
        self.fails(66, "no such file or folder", ("inspect", "gone.zip"))
        self.fails(65, "the folder is empty", ("inspect", "empty"))
        # Stored samples can be derived again without a source.
        self.succeed("historical", *WORDS)

    def test_nothing_to_derive(self):
        self.fill()
        self.configure(metrics=[])
        for command in ["daily", "historical"]:
            self.fails(78, "the list is empty", (command, *WORDS, "--source", self.rows), "failed")
        doctor = self.run_program("doctor", *WORDS)
        self.assertEqual(doctor.returncode, 1)
        self.assertRegex(doctor.stdout, r"error\s+metrics\s+.*the list is empty")
        # Keeping and sending raw samples needs no metric.
        self.configure(metrics=[], types=["stepCount"])
        self.succeed("historical", *WORDS, "--source", self.rows)
        self.configure()
        for name in ["--metrics", "--types", "--source"]:
            self.fails(64, "empty value", ("daily", *WORDS, name, ""))
        self.fails(64, "no such metric", ("daily", *WORDS, "--metrics", "stepps"))

    def test_a_first_run_that_was_interrupted(self):
        store = self.folder / "share/healthsync/healthsync.sqlite"
        store.parent.mkdir(parents=True, mode=0o700)
        store.touch(mode=0o600)
        for command in ("steps", "status", "summary"):
            self.fails(66, "first run has not finished.*healthsync import FILE", (command, *WORDS))
        self.fill()
        self.assertIn("steps", self.succeed("summary", *WORDS).stdout)

    def test_a_server_that_is_away(self):
        refused = "[Cc]ouldn't connect"
        self.fill()
        self.fails(3, f"{refused}.*nothing is waiting for it", ("push", *WORDS, "--server", self.away), "completedWithFailures")
        self.fails(3, f"{refused}.*nothing is waiting for it", ("resume", *WORDS, "--server", self.away))
        self.fails(3, "[Cc]ould not resolve|[Cc]ouldn't resolve", ("push", *WORDS, "--server", "http://nowhere.invalid"))
        self.fails(3, f"{refused}.*nothing was verified", ("verify", *WORDS, "--server", self.away))
        self.fails(3, refused, ("verify", *WORDS, "--repair", "--server", self.away), "failed")
        waiting = f"{refused}.*items wait"
        ending = ("--server", self.away, "--deadline", "1")
        self.fails(3, waiting, ("historical", *WORDS, *ending), "completedWithFailures")
        self.fails(3, waiting, ("historical", *WORDS, "--source", self.rows, *ending), "completedWithFailures")
        self.fails(3, waiting, ("push", *WORDS, *ending), "completedWithFailures")
        # The failure is also reported during the run, not only minutes later at its end.
        done = self.run_program("push", *WORDS, *ending)
        self.assertRegex(done.stderr, f"{re.escape(self.away)}: {refused}.*; next attempt at ")

    def test_no_server_and_a_new_server(self):
        self.fill()
        for command in [("push",), ("verify",), ("verify", "--repair"), ("clear", "--remote", "--yes")]:
            self.fails(64, "no server is configured", (*command, *WORDS))
        self.assertIn("no longer paused", self.succeed("resume", *WORDS).stdout)
        address = Server(self).url
        self.fails(
            3, "nothing was ever queued for this server", ("push", *WORDS, "--server", address),
            "completedWithFailures")
        self.succeed("historical", *WORDS, "--server", address)
        self.assertIn("0 records delivered", self.succeed("push", *WORDS, "--server", address).stdout)
        # What the message advises sends everything to a new server.
        other = ("--server", Server(self, folder="other").url)
        done = self.run_program("push", *WORDS, *other)
        self.assertIn(f"run `healthsync push --all --server {other[1]}`", done.stdout + done.stderr)
        self.succeed("push", "--all", *WORDS, *other)
        self.assertIn("equal, all", self.succeed("verify", *WORDS, *other).stdout)

    def test_files_that_exist(self):
        self.fill()
        there = self.folder / "there.csv"
        there.write_text("precious")
        self.fails(73, "already exists", ("export", "--out", there))
        for name in ["there.zip", "there.xml"]:
            path = self.folder / name
            path.write_text("precious")
            self.fails(73, "already exists", ("generate", "--years", "1", "--out", path))
            self.assertEqual(path.read_text(), "precious")
        self.fails(
            73, "already exists", ("generate", "--years", "1", "--out", "new.xml", "--truth", there))
        self.assertFalse((self.folder / "new.xml").exists())
        folder = self.folder / "folder.xml"
        folder.mkdir()
        self.fails(73, "already exists", ("generate", "--years", "1", "--out", folder))
        link = self.folder / "link.xml"
        link.symlink_to(self.folder / "nowhere")
        self.fails(73, "already exists", ("generate", "--years", "1", "--out", link))
        words = ("--years", "1", "--density", "0.05", "--force")
        self.succeed("generate", *words, "--out", "there.xml", "--truth", there)
        self.assertIn("<HealthData", (self.folder / "there.xml").read_text())
        self.assertIn("homeZone", json.loads(there.read_text()))

    def test_what_names_nothing(self):
        self.fill()
        self.fails(64, "no such metric", ("reset-tracking", "--metric", "foo"))
        self.fails(64, ".", ("export", "--out", "x.csv", "--types", "foo"))
        self.fails(64, "no item 77", ("outbox", "retry", "77"))
        self.fails(64, "no item 77", ("outbox", "drop", "77"))
        self.fails(64, "missing SOURCE", ("inspect",))
        self.assertFalse(pathlib.Path(self.folder / "x.csv").exists())


if __name__ == "__main__":
    unittest.main()
