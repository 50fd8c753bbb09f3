"""A local database of schema 18 (version 0.1.1) has nights from noon to noon by one recorder each. One run merges them by time,
keeps the ids, says what changed in the past, and makes an old and a new server equal to the oracle."""

import json
import pathlib
import sqlite3
import sys
import unittest
from contextlib import closing

from support.harness import PEERS, ProgramTest, Server, integrity

sys.path.insert(0, str(PEERS / "nights"))
import night_rules  # noqa: E402
import random_lives  # noqa: E402

OLD = pathlib.Path(__file__).parent / "old_databases" / "schema_18_nights.sql"
SEED, DAYS = 5, 14


def short_life():
    """Returns the life of the fixture: the first days of a generated one."""
    life = random_lives.life(SEED)
    first = min(sample["start"] for sample in life["samples"])
    return {**life, "samples": [s for s in life["samples"] if s["end"] < first + DAYS * 86_400_000]}


class OldNights(ProgramTest):
    def setUp(self):
        super().setUp()
        self.life = short_life()
        self.expected = night_rules.expected_of_life(self.life)
        self.export = self.folder / "export.xml"
        random_lives.write_export(self.life, self.export)
        (self.folder / "data").mkdir(mode=0o700)
        self.database = self.folder / "data" / "healthsync.sqlite"
        with closing(sqlite3.connect(self.database)) as connection:
            connection.executescript(OLD.read_text().replace("/home/anna", str(self.folder)))
        self.database.chmod(0o600)
        self.words = ("--zone", self.life["zone"], "--data-dir", "data")

    def rows(self, text):
        with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as connection:
            return connection.execute(text).fetchall()

    def mains(self):
        return dict(self.rows("SELECT day, asleep_ms FROM sleep_episode WHERE role = 'main'"))

    def wanted(self):
        return {day["day"]: day["main"]["asleep"] for day in self.expected["days"] if day["main"]}

    def test_one_run_merges_the_nights_and_keeps_the_ids(self):
        query = "SELECT source_name, start_ms, end_ms, source_id FROM sleep_session ORDER BY 1, 2"
        before = {row[:3]: row[3] for row in self.rows(query)}
        former = dict(self.rows(
            "SELECT night, asleep_ms FROM sleep_session WHERE role = 'main' AND is_preferred AND asleep_ms > 0"))
        told = self.succeed("historical", *self.words, "--source", self.export).stdout
        self.assertEqual(self.mains(), self.wanted())
        after = {row[:3]: row[3] for row in self.rows(query)}
        same = before.keys() & after.keys()
        self.assertGreater(len(same), 10)
        self.assertEqual({key: after[key] for key in same}, {key: before[key] for key in same})
        last = max(former)
        changed = {day for day, asleep in former.items()
                   if day < last and abs(self.wanted().get(day, 0) - asleep) >= 60_000}
        self.assertGreater(len(changed), 0)
        self.assertIn(f"changed {len(changed)} night", told)
        change = self.json_of("status", *self.words)["historyChange"]
        self.assertEqual((change["version"], change["nights"], change["figures"]), ("0.2.0", len(changed), 0))
        self.assertEqual(change["last"]["day"], max(changed))
        self.assertEqual(round(change["last"]["former"] * 60_000), former[max(changed)])
        self.assertNotIn("of the past", self.succeed("historical", *self.words, "--source", self.export).stdout)
        self.assertEqual(integrity(self.database), ["ok"])

    def test_a_new_server_gets_the_nights(self):
        server = Server(self)
        self.succeed("historical", *self.words, "--source", self.export, "--server", server.url)
        verdict = self.run_program("verify", "--repair", *self.words, "--server", server.url)
        self.assertEqual(verdict.returncode, 0, verdict.stdout + verdict.stderr)
        _, _, body = server.request("GET", "/api/v1/sleep?limit=1000")
        nights = {}
        for session in json.loads(body)["data"]["sessions"]:
            if session["role"] == "main" and session["counted"]:
                nights[session["day"]] = nights.get(session["day"], 0) + session["counted"]["asleep_minutes"] * 60_000
        self.assertEqual(
            {day: round(asleep / 1000) for day, asleep in nights.items()},
            {day: asleep // 1000 for day, asleep in self.wanted().items()})


if __name__ == "__main__":
    unittest.main()
