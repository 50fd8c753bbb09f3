"""The mean heart rate equals a mean over minutes, computed from the measurement that is valid in each minute."""

import collections
import datetime
import json
import random
import sqlite3
import unittest
import zoneinfo
from contextlib import closing

from support.harness import ProgramTest

UTC = datetime.timezone.utc
SOURCES = ["Zoe", "Yan", "Xia"]


def held_by_minute(measurements, hold):
    """Returns the rate that is valid in each minute since 1970, of the first source that has one. A measurement is valid
    until its source measures again, but at most `hold` minutes; several measurements in one minute count as their mean."""
    found = {}
    for source in reversed(SOURCES):
        by_minute = collections.defaultdict(set)
        for name, minute, rate in measurements:
            if name == source and 20 <= rate <= 300:
                by_minute[minute].add(rate)
        for minute in sorted(by_minute):
            for later in range(minute, minute + hold):
                if later > minute and later in by_minute:
                    break
                found[later] = sum(by_minute[minute]) / len(by_minute[minute])
    return found


class HeartRate(ProgramTest):
    def sync(self, measurements, zone, stays=(), hold=None, data="data"):
        lines = [
            json.dumps({
                "type": "heartRate", "unit": "count/min", "value": rate, "sourceBundleId": source,
                "startDate": stamp, "endDate": stamp,
            })
            for source, minute, rate in measurements
            for stamp in [datetime.datetime.fromtimestamp(minute * 60, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")]
        ]
        path, config = self.folder / f"{data}.jsonl", self.folder / f"{data}.json"
        path.write_text("\n".join(lines) + "\n")
        settings = {"zone": zone, "timeZones": list(stays), "originPriority": SOURCES}
        if hold:
            settings["heartRate"] = {"holdMinutes": hold}
        config.write_text(json.dumps(settings))
        self.succeed("historical", "--config", config, "--source", path, "--metrics", "heartRate", "--data-dir", data)
        return config

    def rows(self, query, data="data"):
        with closing(sqlite3.connect(f"file:{self.folder / data}/healthsync.sqlite?mode=ro", uri=True)) as connection:
            connection.row_factory = sqlite3.Row
            return [dict(row) for row in connection.execute(query)]

    def expect(self, figures, minutes, found, where):
        held = [found[minute] for minute in minutes if minute in found]
        self.assertEqual(figures["held_ms"], len(held) * 60_000, where)
        self.assertAlmostEqual(figures["quantity"], sum(held) / len(held), delta=1e-9 * 300, msg=str(where))

    def test_rest_outweighs_an_hour_of_exercise(self):
        start = int(datetime.datetime(2024, 5, 14, tzinfo=UTC).timestamp()) // 60
        exercise = range(start + 18 * 60, start + 19 * 60)
        measurements = [("Zoe", minute, 60) for minute in range(start, start + 1440, 5) if minute not in exercise]
        measurements += [("Zoe", minute, 150) for minute in exercise]
        self.sync(measurements, "UTC")
        day = self.rows("SELECT * FROM daily_progress")[0]
        self.assertEqual(
            [day[name] for name in ("quantity", "minimum", "maximum", "count", "held_ms")],
            [63.75, 60, 150, 276 + 60, 86_400_000])
        self.assertEqual(
            [row["quantity"] for row in self.rows("SELECT quantity FROM hour_progress ORDER BY start_ms")],
            [60] * 18 + [150] + [60] * 5)

    def check_days(self, zone_of, first, last, found, measured):
        """Checks every local day and hour; returns the minutes of each day that has figures. A day ends where the next one
        begins, which after a journey may be midnight in another zone."""
        days = {row["day"]: row for row in self.rows("SELECT * FROM daily_progress")}
        hours = collections.defaultdict(dict)
        for row in self.rows("SELECT * FROM hour_progress"):
            hours[row["day"]][row["start_ms"] // 60_000] = row
        recorded = {}
        for step in range(-1, (last - first).days + 2):
            day = first + datetime.timedelta(step)
            zone = zoneinfo.ZoneInfo(zone_of(day))
            begin, end = (
                int(datetime.datetime.combine(one, datetime.time(), zoneinfo.ZoneInfo(zone_of(one))).timestamp()) // 60
                for one in (day, day + datetime.timedelta(1)))
            minutes, day = range(begin, end), str(day)
            if measured.isdisjoint(minutes):
                self.assertNotIn(day, days)
                continue
            recorded[day] = minutes
            self.expect(days.pop(day), minutes, found, day)
            buckets = collections.defaultdict(list)
            for minute in minutes:
                wall = datetime.datetime.fromtimestamp(minute * 60, zone)
                buckets[wall.date(), wall.hour, wall.utcoffset()].append(minute)
            for bucket in buckets.values():
                if not measured.isdisjoint(bucket):
                    self.expect(hours[day].pop(bucket[0]), bucket, found, (day, bucket[0]))
        self.assertEqual((days, {day: rest for day, rest in hours.items() if rest}), ({}, {}))
        return recorded

    def test_random_days_of_several_sources(self):
        stays = [{"from": "2024-04-03", "zone": "America/New_York"}, {"from": "2024-04-06", "zone": "Asia/Kolkata"}]
        first, last = datetime.date(2024, 3, 28), datetime.date(2024, 4, 9)

        def zone_of(day):
            names = [stay["zone"] for stay in stays if stay["from"] <= str(day)]
            return names[-1] if names else "Europe/Paris"

        for seed, hold in ((1, None), (2, 3), (3, 45)):
            with self.subTest(seed=seed):
                chance, data = random.Random(seed), f"data-{seed}"
                start = int(datetime.datetime.combine(first, datetime.time(), UTC).timestamp()) // 60
                measurements = []
                for source in SOURCES:
                    minute = start + chance.randrange(600)
                    while minute < start + (last - first).days * 1440:
                        rate = chance.choice([15, 301, 44.5]) if chance.random() < 0.03 else chance.randrange(40, 190)
                        measurements += [(source, minute, rate)] * (2 if chance.random() < 0.02 else 1)
                        if chance.random() < 0.02:
                            measurements.append((source, minute, rate + 1))
                        minute += chance.choice([1, 2, 4, 5, 5, 6, 11, 40, 700 if chance.random() < 0.2 else 5])
                config = self.sync(measurements, "Europe/Paris", stays, hold, data)
                self.rows = lambda query, data=data: HeartRate.rows(self, query, data)
                found = held_by_minute(measurements, hold or 10)
                measured = {minute for _, minute, rate in measurements if 20 <= rate <= 300}
                recorded = self.check_days(zone_of, first, last, found, measured)
                for by in ("week", "month", "year"):
                    view = self.json_of(
                        "heart", "--config", config, "--data-dir", data, "--from", "2024-03-25", "--to", "2024-04-30",
                        "--by", by)
                    for period in view["periods"]:
                        own = [days for day, days in recorded.items() if period["first"] <= day <= period["last"]]
                        if own:
                            held = sum(minute in found for days in own for minute in days)
                            self.assertEqual(period["heldMinutes"], held)
                            figures = {"held_ms": held * 60_000, "quantity": period["meanBeatsPerMinute"]}
                            self.expect(figures, [minute for days in own for minute in days], found, (by, period["first"]))


if __name__ == "__main__":
    unittest.main()
