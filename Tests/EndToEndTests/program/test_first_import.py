"""The first import on a machine in UTC, and in any other zone: no answer, advice or default gives wrong days.

The expected figures and the zones that fit are calculated by Python.
"""

import datetime
import json
import re
import sqlite3
import unittest
import zoneinfo
from contextlib import closing

from program import test_init
from support.harness import ProgramTest

# The zone of the phone, and the day of the export.
PHONES = ["Europe/Paris", "America/New_York", "Asia/Kolkata", "Asia/Tokyo", "Australia/Lord_Howe", "Etc/UTC"]
EXPORTED = datetime.datetime(2024, 2, 1, 11, tzinfo=datetime.timezone.utc)


def export(zone, exported=EXPORTED, place=None):
    """Returns an export of walks around midnight, and the steps of each day. It states the UTC offset of `place`, by default
    the zone, at the time `exported`."""
    clock = zoneinfo.ZoneInfo(zone)
    offset = exported.astimezone(zoneinfo.ZoneInfo(place or zone))
    fixed = datetime.timezone(offset.utcoffset())
    text = lambda instant: instant.astimezone(fixed).strftime("%Y-%m-%d %H:%M:%S ") + offset.strftime("%z")
    days, rows = {}, []
    for number in range(60):
        start = datetime.datetime(2024, 1, 10, tzinfo=clock) + datetime.timedelta(hours=7 * number, minutes=5)
        start = start.astimezone(datetime.timezone.utc)
        count = 100 + number
        local = start.astimezone(clock)
        days[str(local.date())] = days.get(str(local.date()), 0) + count
        end = start + datetime.timedelta(minutes=10)
        rows.append(f'<Record type="HKQuantityTypeIdentifierStepCount" sourceName="iPhone" unit="count"'
                    f' startDate="{text(start)}" endDate="{text(end)}" value="{count}"/>')
    head = f'<?xml version="1.0" encoding="UTF-8"?><HealthData locale="en_US"><ExportDate value="{text(exported)}"/>'
    return head + "".join(rows) + "</HealthData>", days


class FirstImport(ProgramTest):
    converse = test_init.InitTest.converse

    def setUp(self):
        super().setUp()
        self.config = self.folder / "config/healthsync/config.json"

    def machine(self, zone):
        """The program's environment on a machine in `zone`; `None` unsets TZ."""
        if zone is None:
            self.environment.pop("TZ", None)
        else:
            self.environment["TZ"] = zone

    def steps(self):
        with closing(sqlite3.connect(f"file:{self.folder}/share/healthsync/healthsync.sqlite?mode=ro", uri=True)) as connection:
            return {day: int(count) for day, count in
                    connection.execute("SELECT day, quantity FROM daily_progress WHERE metric = 'steps'")}

    def check_rest(self, expected):
        """Runs what a user runs next: nothing may fail or contradict."""
        for words in (["daily"], ["daily"], ["status"], ["summary"], ["doctor"]):
            run = self.run_program(*words)
            self.assertEqual(run.returncode, 0, (words, run.stdout, run.stderr))
            self.assertNotIn("zone", run.stderr, words)
        self.assertEqual(self.steps(), expected)

    def test_enter_is_always_right(self):
        for machine in (None, "UTC", "Europe/Paris"):
            for phone in PHONES:
                with self.subTest(machine=machine, phone=phone):
                    self.doCleanups()
                    self.setUp()
                    self.machine(machine)
                    text, expected = export(phone)
                    (self.folder / "export.xml").write_text(text)
                    status, said = self.converse(["export.xml", "", "", ""], "init")
                    self.assertEqual(status, 0, said)
                    zone = zoneinfo.ZoneInfo(json.loads(self.config.read_text())["zone"])
                    self.assertEqual(EXPORTED.astimezone(zone).utcoffset(),
                                     EXPORTED.astimezone(zoneinfo.ZoneInfo(phone)).utcoffset(), said)
                    # In January all these zones have one offset, and so have the candidates.
                    self.check_rest(expected)

    def test_a_guess_without_data_is_not_written(self):
        self.machine("UTC")
        status, said = self.converse(["", "", ""], "init")
        self.assertEqual(status, 0, said)
        self.assertNotIn("zone", json.loads(self.config.read_text()))
        text, expected = export("Asia/Tokyo")
        (self.folder / "export.xml").write_text(text)
        refused = self.run_program("daily", "export.xml")
        self.assertEqual(refused.returncode, 78)
        # The first zone that the message proposes.
        zone = re.search(r"such as ([A-Za-z_/]+)", refused.stderr)[1]
        self.assertEqual(self.run_program("import", "export.xml", "--zone", zone).returncode, 0)
        self.assertEqual(self.steps(), expected)
        self.assertEqual(self.run_program("daily", "export.xml").returncode, 0)

    def test_yes_accepts_the_zone_of_the_data(self):
        self.machine("UTC")
        text, expected = export("America/New_York")
        (self.folder / "export.xml").write_text(text)
        self.succeed("init", "--yes", "--source", "export.xml")
        self.check_rest(expected)

    def repair(self, answers, *words):
        """Imports by UTC as if the user had chosen it, then again by the right zone; returns the output of the latter."""
        self.machine("UTC")
        text, expected = export("Europe/Paris")
        (self.folder / "export.xml").write_text(text)
        self.config.parent.mkdir(parents=True)
        self.config.write_text(f'{{ "zone" : "Etc/UTC",\n "sources": ["{self.folder}/export.xml"] }}\n')
        self.assertEqual(self.run_program("daily").returncode, 0)
        self.assertNotEqual(self.steps(), expected)
        status, said = self.converse(answers, "historical", "--zone", "Europe/Paris", *words)
        self.assertEqual(status, 0, said)
        self.assertEqual(self.steps(), expected)
        return said, expected

    def test_another_zone_is_saved_when_told_or_asked(self):
        for answers, words in ((["y"], []), ([], ["--save"])):
            with self.subTest(words=words):
                self.doCleanups()
                self.setUp()
                _, expected = self.repair(answers, *words)
                self.assertEqual(self.config.read_text(),
                                 f'{{ "zone" : "Europe/Paris",\n "sources": ["{self.folder}/export.xml"] }}\n')
                self.check_rest(expected)

    def test_a_zone_that_is_not_saved_leads_to_an_advice_that_works(self):
        said, expected = self.repair(["n"])
        advice = re.search(r"`healthsync (historical --zone Europe/Paris --save)`", said.replace("\r\n", " "))
        self.assertTrue(advice, said)
        self.assertIn("Etc/UTC", self.config.read_text())
        self.assertEqual(self.run_program("daily").returncode, 78)
        self.succeed(*advice[1].split())
        self.check_rest(expected)

    def test_saving_changes_the_zone_only(self):
        text, expected = export("Europe/Paris")
        (self.folder / "export.xml").write_text(text)
        self.config.parent.mkdir(parents=True)
        former = ["{}", " {\n} ", '{"logLevel": "info"}', '{\n\t"zone"\t:\t"Etc\\/UTC"}', '{"lookBackDays": 3, "zone": "Etc\\u002FUTC"\n}\n',
                  '{"zone": "Etc/UTC", "originPriority": ["a \\"zone\\": b"]}', None]
        for before in former:
            with self.subTest(before=before):
                self.config.unlink(missing_ok=True)
                if before is not None:
                    self.config.write_text(before)
                self.succeed("historical", "export.xml", "--zone", "Europe/Paris", "--save")
                wanted = {**json.loads(before or "{}"), "zone": "Europe/Paris"}
                self.assertEqual(json.loads(self.config.read_text()), wanted)
                after = self.config.read_bytes()
                self.succeed("historical", "export.xml", "--zone", "Europe/Paris", "--save")
                self.assertEqual(self.config.read_bytes(), after)
                self.assertEqual(self.config.stat().st_mode & 0o777, 0o600)

    def test_every_way_to_name_a_file_imports_it(self):
        text, expected = export("Etc/UTC")
        for words in (["import", "export.xml"], ["export.xml"], ["historical", "export.xml"], ["daily", "export.xml"],
                      ["./export.xml", "--quiet"], ["import", "--source", "export.xml"]):
            with self.subTest(words=words):
                self.doCleanups()
                self.setUp()
                self.machine("UTC")
                (self.folder / "export.xml").write_text(text)
                self.succeed(*words)
                self.assertEqual(self.steps(), expected)
        for words, meant in ((["sync"], "daily"), (["upload"], "push"), (["import", "nothing.xml"], "no such file")):
            run = self.run_program(*words)
            self.assertNotEqual(run.returncode, 0)
            self.assertIn(meant, run.stderr)
        self.assertEqual(self.run_program("historical", "--save").returncode, 64)

    def test_metrics_have_everyday_names(self):
        self.machine("UTC")
        rows = [("BodyMass", "kg", 80.5), ("HeartRateVariabilitySDNN", "ms", 44), ("OxygenSaturation", "%", 0.97),
                ("BloodPressureSystolic", "mmHg", 120), ("BloodPressureDiastolic", "mmHg", 80)]
        records = "".join(f'<Record type="HKQuantityTypeIdentifier{kind}" sourceName="A" unit="{unit}" value="{value}"'
                          ' startDate="2024-01-15 08:00:00 +0000" endDate="2024-01-15 08:00:00 +0000"/>' for kind, unit, value in rows)
        (self.folder / "export.xml").write_text(
            '<HealthData locale="en_US"><ExportDate value="2024-02-01 08:00:00 +0000"/>' + records + "</HealthData>")
        self.succeed("import", "export.xml", "--metrics", "weight,hrv,SpO2,blood pressure")
        for name, expected in (("weight", 80.5), ("HRV", 44), ("spo2", 0.97), ("systolic", 120), ("blood-oxygen", 0.97)):
            self.assertIn(str(expected), self.succeed("metric", name, "2024-01-15", "--json").stdout, name)
        both = self.run_program("metric", "blood pressure")
        self.assertEqual(both.returncode, 64)
        self.assertIn("bloodPressureSystolic or bloodPressureDiastolic", both.stderr)


if __name__ == "__main__":
    unittest.main()
