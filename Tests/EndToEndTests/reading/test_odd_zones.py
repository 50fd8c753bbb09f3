"""Days in zones with unusual transitions, compared with zoneinfo."""

import collections
import datetime
import json
import sqlite3
import unittest
from contextlib import closing
from zoneinfo import ZoneInfo

from support.harness import ProgramTest

UTC = datetime.timezone.utc
STRETCHES = [
    ("Australia/Lord_Howe", "2023-10-01"),
    ("Australia/Lord_Howe", "2024-04-07"),
    ("Pacific/Apia", "2011-12-30"),
    ("Pacific/Apia", "2012-04-01"),
    ("Pacific/Kiritimati", "2024-01-01"),
    ("America/St_Johns", "2007-03-11"),
    ("America/Sao_Paulo", "2018-11-04"),
    ("America/Sao_Paulo", "2018-02-18"),
    ("Africa/Casablanca", "2024-04-14"),
    ("Asia/Kathmandu", "2024-01-01"),
    ("Antarctica/Troll", "2024-10-27"),
    ("Asia/Gaza", "2023-10-28"),
    ("Africa/Cairo", "2024-04-26"),
    ("America/Caracas", "2016-05-01"),
]


def export_of(records, export_date="2025-01-01 00:00:00 +0000"):
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<HealthData locale="en_US">', f' <ExportDate value="{export_date}"/>']
    for start, end, value in records:
        lines.append(
            ' <Record type="HKQuantityTypeIdentifierStepCount" sourceName="iPhone" unit="count"'
            f' startDate="{start:%Y-%m-%d %H:%M:%S} +0000" endDate="{end:%Y-%m-%d %H:%M:%S} +0000" value="{value}"/>'
        )
    return "\n".join([*lines, "</HealthData>", ""])


def days_and_hours(records, zone):
    """Returns the steps of each local day and hour, counted minute by minute."""
    days, hours = collections.Counter(), collections.Counter()
    for start, end, value in records:
        minutes = int((end - start).total_seconds()) // 60
        for minute in range(minutes):
            local = (start + datetime.timedelta(minutes=minute)).astimezone(ZoneInfo(zone))
            days[local.date().isoformat()] += value / minutes
            hours[local.strftime("%Y-%m-%dT%H%z")] += value / minutes
    return days, hours


class OddZones(ProgramTest):
    def check(self, zone, day):
        middle = datetime.datetime.fromisoformat(day).replace(tzinfo=UTC)
        first = middle - datetime.timedelta(hours=52, minutes=7)
        records = [
            (first + datetime.timedelta(minutes=20 * n), first + datetime.timedelta(minutes=20 * n + 11), 66 + n % 7)
            for n in range(3 * 104)
        ]
        name = f"{zone.replace('/', '-')}-{day}"
        source = self.folder / f"{name}.xml"
        source.write_text(export_of(records))
        self.succeed("historical", "--source", source, "--zone", zone, "--data-dir", name, "--metrics", "steps")
        days, hours = days_and_hours(records, zone)
        with closing(sqlite3.connect(self.folder / name / "healthsync.sqlite")) as connection:
            found = dict(connection.execute("SELECT day, quantity FROM daily_progress WHERE metric = 'steps'"))
            parts = connection.execute("SELECT day, hours FROM daily_progress WHERE metric = 'steps'").fetchall()
        self.assertEqual(sorted(found), sorted(days))
        for key, value in days.items():
            self.assertAlmostEqual(found[key], value, delta=1.01, msg=key)
        self.assertEqual(sum(found.values()), sum(value for _, _, value in records))
        return parts, hours, found

    def test_days(self):
        for zone, day in STRETCHES:
            with self.subTest(f"{zone} {day}"):
                parts, hours, found = self.check(zone, day)
                for key, text in parts:
                    self.assertAlmostEqual(sum(hour["quantity"] for hour in json.loads(text)), found[key], places=6)


if __name__ == "__main__":
    unittest.main()
