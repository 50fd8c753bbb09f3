"""HKTimeZone of records is evidence of the user's zone: a first import checks it, and `doctor` and `init` propose stays.

The checker is `support.journeys.stays`, written from the rule in docs/configuration.md; zoneinfo is its clock."""

import datetime
import json
import re
import sqlite3
import unittest
from contextlib import closing

from program import test_init
from support import journeys
from support.harness import ProgramTest
from support.journeys import HOUR, UTC, Life, export, record
from support.seeds import seeds

NEW_YORK = "America/New_York"
SUMMER = datetime.datetime(2024, 6, 15, 12, tzinfo=UTC)


class Stays(ProgramTest):
    converse = test_init.InitTest.converse

    def setUp(self):
        super().setUp()
        self.environment["TZ"] = "Etc/UTC"
        self.config = self.folder / "config/healthsync/config.json"

    def write(self, text):
        (self.folder / "export.xml").write_text(text)

    def proposed(self, *words):
        """Returns the proposal of `doctor` as the member of the configuration, or `None`."""
        findings = self.json_of("doctor", *words)["findings"]
        texts = [item["advice"] for item in findings if "timeZones" in item["advice"]]
        self.assertLessEqual(len(texts), 1)
        return texts[0][texts[0].index('"timeZones"'):] if texts else None

    def stays(self, member):
        return [(item["from"], item["zone"]) for item in json.loads("{" + member + "}")["timeZones"]] if member else []

    def days(self):
        with closing(sqlite3.connect(f"file:{self.folder}/share/healthsync/healthsync.sqlite?mode=ro", uri=True)) as connection:
            return connection.execute("SELECT day FROM daily_progress ORDER BY day").fetchall()


class Journeys(Stays):
    def test_the_proposed_stays_are_the_journeys(self):
        for seed in range(seeds(8, 30, 100)):
            with self.subTest(seed=seed):
                self.doCleanups()
                self.setUp()
                self.check(Life(seed))

    def check(self, life):
        expected = journeys.stays(life.records, life.home)
        self.check_plan(life, expected)
        self.write(life.text())
        self.succeed("historical", "--source", "export.xml", "--zone", life.home)
        member = self.proposed("--zone", life.home)
        self.assertEqual(self.stays(member), expected, life.places)
        # Nothing is applied by itself.
        counted = self.days()
        self.succeed("daily", "--source", "export.xml", "--zone", life.home)
        self.assertEqual(self.days(), counted)
        # The text is valid where it is pasted, and then nothing is left to propose.
        self.config.parent.mkdir(parents=True)
        self.config.write_text("{ " + json.dumps("zone") + ": " + json.dumps(life.home) + ", " + member + " }")
        self.assertIsNone(self.proposed())
        self.succeed("historical", "--source", "export.xml")
        self.assertIsNone(self.proposed())

    def check_plan(self, life, expected):
        """The rule finds each journey of the plan: its place, and its day unless there are no records."""
        plan = [place for place in life.places]
        self.assertEqual(len(expected), len(plan) - 1, (life.places, expected))
        for (day, zone), (place, arrival) in zip(expected, plan[1:]):
            self.assertEqual(journeys.ALIASES.get(place, place) if zone == journeys.ALIASES.get(place) else place, zone)
            late = (datetime.date.fromisoformat(day) - arrival).days
            gap = sum(1 for name, missing in life.gaps if name == place and arrival <= missing < datetime.date.fromisoformat(day))
            self.assertTrue(0 <= late <= 1 + gap, (place, arrival, day))


class FirstImport(Stays):
    def records(self, zone=NEW_YORK, count=40):
        return [record(SUMMER - number * HOUR, SUMMER - number * HOUR, zone) for number in range(count)]

    def test_a_zone_that_shares_only_the_offset_of_the_export_is_not_accepted(self):
        self.environment["TZ"] = "America/Caracas"
        self.write(export(self.records(), SUMMER, NEW_YORK))
        refused = self.run_program("historical", "--source", "export.xml")
        self.assertEqual(refused.returncode, 78, refused.stderr)
        for text in ("America/Caracas", "40 records state America/New_York", "`--zone ZONE --save` (such as America/New_York)"):
            self.assertIn(text, refused.stderr)
        self.succeed("historical", "--source", "export.xml", "--zone", NEW_YORK)

    def test_zones_that_show_the_same_time_are_accepted(self):
        for machine, stated in ((NEW_YORK, NEW_YORK), ("US/Eastern", NEW_YORK), ("America/Toronto", NEW_YORK),
                                ("America/Caracas", None), ("America/Caracas", "GMT"), ("America/Caracas", "Nowhere/Land")):
            with self.subTest(machine=machine, stated=stated):
                self.doCleanups()
                self.setUp()
                self.environment["TZ"] = machine
                self.write(export(self.records(stated), SUMMER, NEW_YORK))
                self.succeed("historical", "--source", "export.xml")
                self.assertIsNone(self.proposed())

    def test_a_few_records_of_one_day_are_no_evidence(self):
        for count, status in ((3, 0), (4, 78)):
            with self.subTest(count=count):
                self.doCleanups()
                self.setUp()
                self.environment["TZ"] = "America/Caracas"
                self.write(export(self.records(count=count), SUMMER, NEW_YORK))
                refused = self.run_program("historical", "--source", "export.xml")
                self.assertEqual(refused.returncode, status, refused.stderr)

    def test_init_proposes_the_zone_that_records_state(self):
        self.environment["TZ"] = "America/Caracas"
        self.write(export(self.records(), SUMMER, NEW_YORK))
        self.succeed("init", "--yes", "--source", "export.xml")
        self.assertEqual(json.loads(self.config.read_text())["zone"], NEW_YORK)


class Offered(Stays):
    def setUp(self):
        super().setUp()
        self.environment["TZ"] = "Europe/Berlin"
        days = [(number, "Asia/Tokyo" if 10 <= number < 14 else "Europe/Berlin") for number in range(20)]
        self.write(export(
            [record(start, start, zone) for number, zone in days for start in
             [datetime.datetime(2024, 6, 1 + number, 2 + hour, tzinfo=UTC) for hour in range(5)]],
            datetime.datetime(2024, 6, 25, tzinfo=UTC), "Europe/Berlin"))
        self.expected = [{"from": "2024-06-11", "zone": "Asia/Tokyo"}, {"from": "2024-06-15", "zone": "Europe/Berlin"}]

    def written(self):
        return json.loads(self.config.read_text()).get("timeZones")

    def test_on_a_terminal_enter_accepts_the_stays(self):
        for answers, expected in (([""], self.expected), (["perhaps", "YES"], self.expected), (["n"], None)):
            with self.subTest(answers):
                self.config.unlink(missing_ok=True)
                status, said = self.converse(
                    ["export.xml", "", *answers, ""], "init", "--data-dir", "data" + answers[-1])
                self.assertEqual(status, 0, said)
                self.assertIn("1 stay in another time zone", re.sub(r"\s+", " ", said))
                self.assertIn("2024-06-11 Asia/Tokyo", said)
                self.assertEqual(self.written(), expected)

    def test_yes_configures_no_stays(self):
        run = self.succeed("init", "--yes", "--source", "export.xml")
        self.assertIsNone(self.written())
        self.assertIn("`healthsync doctor` proposes them", run.stderr)
        self.assertEqual(json.loads("{" + self.proposed() + "}")["timeZones"], self.expected)


if __name__ == "__main__":
    unittest.main()
