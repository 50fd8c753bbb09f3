"""Offsets in sources: a wrong system zone is detected, and the buckets of a feed keep their days.

zoneinfo is the oracle of offsets and days."""

import datetime
import json
import re
import sqlite3
import unittest
import urllib.request
from contextlib import closing
from zoneinfo import ZoneInfo

from support.harness import Dashboard, ProgramTest

UTC = datetime.timezone.utc


def export_of(export_date, steps=100):
    return "\n".join([
        '<?xml version="1.0" encoding="UTF-8"?>', '<HealthData locale="en_US">', f' <ExportDate value="{export_date}"/>',
        ' <Record type="HKQuantityTypeIdentifierStepCount" sourceName="iPhone" unit="count"'
        f' startDate="2024-06-01 21:30:00 +0000" endDate="2024-06-01 21:40:00 +0000" value="{steps}"/>',
        "</HealthData>", ""])


class Stating(ProgramTest):
    def setUp(self):
        super().setUp()
        self.environment["TZ"] = "Etc/UTC"
        self.database = self.folder / "share/healthsync/healthsync.sqlite"

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return name

    def feed(self, name, dates, unit="count", values=None):
        """Writes a Health Auto Export file with steps at `dates`, which are zone-aware."""
        entries = [
            {"date": f"{date:%Y-%m-%d %H:%M:%S %z}", "qty": value, "source": "Watch"}
            for date, value in zip(dates, values or range(1000, 1000 + len(dates)))
        ]
        metrics = [{"name": "step_count", "units": unit, "data": entries}]
        return self.write(name, json.dumps({"data": {"metrics": metrics}}))

    def rows(self, query):
        with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as connection:
            return connection.execute(query).fetchall()

    def days(self):
        return dict(self.rows("SELECT day, quantity FROM daily_progress WHERE metric = 'steps'"))

    def candidates(self, text):
        return re.search(r"such as ([^)]*)\)", text).group(1).split(", ")


class WrongZone(Stating):
    def assert_rejected(self, *words):
        result = self.run_program("historical", *words)
        self.assertEqual(result.returncode, 78, result.stderr)
        if self.database.exists():
            for table in ("sample_page", "ingested_source", "daily_progress", "day_tracking", "counted_days"):
                self.assertEqual(self.rows(f"SELECT count(*) FROM {table}"), [(0,)], table)
        return result.stderr

    def test_a_first_import_that_contradicts_the_system_zone_changes_nothing(self):
        for date, offset in (("2024-06-15 08:00:00 +0200", "+02:00"), ("2024-01-15 08:00:00 +0530", "+05:30"),
                             ("20240115080000-0330", "-03:30")):
            with self.subTest(date):
                text = self.assert_rejected("--source", self.write("export.xml", export_of(date)))
                self.assertIn("Etc/UTC (+00:00)", text)
                self.assertIn(offset, text)
                moment = datetime.datetime.strptime(
                    date, "%Y-%m-%d %H:%M:%S %z" if " " in date else "%Y%m%d%H%M%S%z")
                names = self.candidates(text)
                self.assertTrue(1 <= len(names) <= 8)
                for name in names:
                    self.assertEqual(moment.astimezone(ZoneInfo(name)).utcoffset(), moment.utcoffset(), name)

    def test_it_imports_with_a_zone_or_a_consistent_export(self):
        source = self.write("export.xml", export_of("2024-06-15 08:00:00 +0200"))
        self.assert_rejected("--source", source)
        self.succeed("historical", "--source", source, "--zone", "Europe/Berlin")
        self.assertEqual(self.days(), {"2024-06-01": 100})
        source = self.write("other.xml", export_of("2024-06-15 08:00:00 +0000"))
        self.succeed("historical", "--source", source, "--data-dir", "other")
        self.environment["TZ"] = "Europe/Berlin"
        source = self.write("third.xml", export_of("2024-06-15 08:00:00 +0200"))
        self.succeed("historical", "--source", source, "--data-dir", "third")

    def test_a_feed_of_a_year_fits_zones_with_the_same_transitions(self):
        zone = ZoneInfo("Australia/Sydney")
        dates = [datetime.datetime(2018, 1, 1, tzinfo=zone) + datetime.timedelta(days=n) for n in range(365)]
        text = self.assert_rejected("--source", self.feed("feed.json", dates))
        names = self.candidates(text)
        self.assertIn("Australia/Sydney", names)
        for name in names:
            for date in dates:
                self.assertEqual(date.astimezone(UTC).astimezone(ZoneInfo(name)).utcoffset(), date.utcoffset(), name)

    def test_runs_doctor_and_pages_report_a_later_contradiction(self):
        first = self.write("a.xml", export_of("2024-06-15 08:00:00 +0200"))
        self.succeed("historical", "--source", first, "--zone", "Europe/Berlin", "--metrics", "steps")
        later = self.write("b.xml", export_of("2024-07-15 08:00:00 +0900", 200))
        words = ("daily", "--metrics", "steps", "--zone", "Europe/Berlin", "--days", "3650", "--source")
        for _ in range(2):
            run = self.succeed(*words, later)
            self.assertIn("appleHealth states +09:00 for 2024-07-15", run.stderr)
            self.assertIn("Europe/Berlin (+02:00)", run.stderr)
            self.assertIn("Asia/Tokyo", self.candidates(run.stderr))
        report = self.run_program(*words, later, "--json")
        # Every five seconds a slow run writes a line of progress, such as `derive steps: 50 %, 4 s left`.
        self.assertEqual(re.sub(r"^(?!healthsync: )[^:\n]+: [0-9].*\n", "", report.stderr, flags=re.MULTILINE), "")
        self.assertIn("+09:00", json.loads(report.stdout)["zoneNotice"])
        finding = [item for item in self.json_of("doctor", "--zone", "Europe/Berlin")["findings"]
                   if item["level"] == "warning" and item["subject"] == "time zone"]
        self.assertEqual(len(finding), 1)
        self.assertIn("+09:00", finding[0]["finding"])
        pages = Dashboard(self, "--zone", "Europe/Berlin")
        with urllib.request.urlopen(pages.url) as answer:
            self.assertIn("states +09:00", answer.read().decode())
        newest = self.write("c.xml", export_of("2024-08-15 08:00:00 +0200", 200))
        self.assertNotIn("states", self.succeed(*words, newest).stderr)


class BucketsOfFeeds(Stating):
    def test_days_follow_their_own_offset(self):
        zone = datetime.timezone(datetime.timedelta(hours=1))
        dates = [datetime.datetime(2024, 1, day, tzinfo=zone) for day in (15, 16, 17)]
        name = self.feed("feed.json", dates, values=[10_000, 5_000, 8_000])
        expected = {"2024-01-15": 10_000, "2024-01-16": 5_000, "2024-01-17": 8_000}
        for number, stated in enumerate(("UTC", "Europe/Paris", "Asia/Kolkata", "America/Los_Angeles", "Pacific/Auckland")):
            with self.subTest(stated):
                self.database = self.folder / f"data{number}" / "healthsync.sqlite"
                self.succeed("historical", "--source", name, "--zone", stated, "--data-dir", f"data{number}",
                             "--metrics", "steps")
                self.assertEqual(self.days(), expected)

    def test_a_year_of_days_in_any_zone(self):
        """Includes days of 23 and 25 hours, and a correction of the zone."""
        zone = ZoneInfo("America/New_York")
        dates = [datetime.datetime(2023, 1, 1, tzinfo=zone) + datetime.timedelta(days=n) for n in range(365)]
        name = self.feed("feed.json", dates)
        expected = {f"{date:%Y-%m-%d}": 1000 + number for number, date in enumerate(dates)}
        for stated in ("UTC", "Asia/Tokyo", "America/New_York"):
            with self.subTest(stated):
                self.succeed("historical", "--source", name, "--zone", stated, "--metrics", "steps")
                self.assertEqual(self.days(), expected)

    def test_hours_in_a_zone_with_a_half_hour_offset(self):
        zone = datetime.timezone(datetime.timedelta(hours=5, minutes=30))
        dates = [datetime.datetime(2024, 1, 15, hour, tzinfo=zone) for hour in range(24)]
        name = self.feed("feed.json", dates)
        self.succeed("historical", "--source", name, "--zone", "UTC", "--metrics", "steps")
        ((day, hours),) = self.rows("SELECT day, hours FROM daily_progress WHERE metric = 'steps'")
        self.assertEqual(day, "2024-01-15")
        found = {hour["start"]: hour["quantity"] for hour in json.loads(hours)}
        self.assertEqual(found, {
            int(date.timestamp() * 1000): 1000 + number for number, date in enumerate(dates)})


if __name__ == "__main__":
    unittest.main()
