"""CSV files of Health Auto Export state local times without UTC offsets. Read in one zone and then in another, each row
counts once, at the time that the last zone gives it. Python's zoneinfo computes the expected instants."""

import collections
import datetime
import json
import random
import sqlite3
import unittest
import zoneinfo
from contextlib import closing

from support.harness import Peer, ProgramTest

UTC = datetime.timezone.utc
HOUR = datetime.timedelta(hours=1)
# Clocks that are set back and forth on different days, by an hour and by half an hour, at midnight, or never.
ZONES = ("Europe/Berlin", "America/New_York", "Asia/Tokyo", "Australia/Lord_Howe", "America/Santiago", "Asia/Kathmandu",
         "Pacific/Kiritimati", "UTC")
HEADER = "Date/Time,Step Count (count),Heart Rate [Avg] (count/min)"


def instants(texts, zone):
    """Yields each local time with its instant; `None` if the clock of the zone skips it. A time that is not later than
    the one before is the second one of a repeated hour."""
    rules, latest = zoneinfo.ZoneInfo(zone), datetime.datetime.min
    for text in texts:
        wall = datetime.datetime.fromisoformat(text)
        first, second = (wall.replace(tzinfo=rules, fold=fold).astimezone(UTC) for fold in (0, 1))
        if first.astimezone(rules).replace(tzinfo=None) != wall:
            yield text, None
            continue
        yield text, second if wall <= latest else first
        latest = max(latest, wall)


class LocalTimes(ProgramTest):
    def write(self, rows, name="HealthMetrics.csv"):
        path = self.folder / name
        path.write_text("\n".join([HEADER, *(f"{text},{steps},{rate}" for text, steps, rate in rows)]) + "\n")
        return path

    def rows(self, chance, zone, first, hours):
        """Returns hourly sums as the app writes them on a phone in `zone`, and a heart rate now and then."""
        rules = zoneinfo.ZoneInfo(zone)
        start = first.replace(tzinfo=rules, fold=0).astimezone(UTC)
        for hour in range(hours):
            local = (start + hour * HOUR).astimezone(rules)
            yield f"{local:%Y-%m-%d %H:%M:%S}", chance.randrange(1, 900), ""
            if hour % 9 == 4:
                local += datetime.timedelta(minutes=17, seconds=23)
                yield f"{local:%Y-%m-%d %H:%M:%S}", "", chance.randrange(60, 90)

    def expected(self, rows, zone):
        """Returns the samples by type and start, and the sums by local day."""
        samples = {}
        for (text, start), (_, steps, rate) in zip(instants([row[0] for row in rows], zone), rows):
            if start is not None:
                kind = "HeartRate" if steps == "" else "StepCount"
                samples[kind, start] = float(rate if steps == "" else steps)
        days = collections.Counter()
        for (kind, start), value in samples.items():
            if kind == "StepCount":
                days[str(start.astimezone(zoneinfo.ZoneInfo(zone)).date())] += value
        return samples, days

    def stored(self, zone, data):
        self.succeed("export", "--format", "jsonl", "--out", "rows.jsonl", "--zone", zone, "--data-dir", data)
        samples = []
        for line in (self.folder / "rows.jsonl").read_text().splitlines():
            row = json.loads(line)
            start = datetime.datetime.fromisoformat(row["startDate"]).astimezone(UTC)
            samples.append(((row["type"].split("Identifier")[1], start), float(row["value"])))
        (self.folder / "rows.jsonl").unlink()
        self.assertEqual(len(samples), len(dict(samples)), "a sample is stored twice")
        return dict(samples)

    def steps(self, data):
        path = f"file:{self.folder}/{data}/healthsync.sqlite?mode=ro"
        with closing(sqlite3.connect(path, uri=True)) as connection:
            rows = connection.execute("SELECT day, quantity FROM daily_progress WHERE metric = 'steps' AND quantity > 0")
            return dict(rows.fetchall())

    def check(self, rows, zone, data="data", peer=None, source="HealthMetrics.csv"):
        words = ("historical", "--source", source, "--zone", zone, "--data-dir", data)
        reply = self.json_of(*words, *(("--server", peer.url) if peer else ()))
        samples, days = self.expected(rows, zone)
        self.assertIsNone(reply.get("zoneNotice"), "times without offsets prove nothing about the zone")
        self.assertEqual(self.stored(zone, data), samples)
        self.assertEqual(self.steps(data), dict(days))
        if peer:
            kept = {key.split("/")[-1]: record["body"]["quantity"]
                    for key, record in peer.state()["records"]["progress"].items() if key.startswith("steps/day/")}
            self.assertEqual({day: quantity for day, quantity in kept.items() if quantity}, dict(days))
        return reply

    def test_a_file_that_is_read_again_in_other_zones(self):
        for seed, first in enumerate((datetime.datetime(2024, 10, 25), datetime.datetime(2024, 3, 29),
                                      datetime.datetime(2024, 9, 6), datetime.datetime(2024, 11, 1))):
            chance = random.Random(seed)
            phone = chance.choice(ZONES)
            rows = list(self.rows(chance, phone, first, 24 * 6))
            peer = Peer(self) if seed == 0 else None
            for step, zone in enumerate((phone, *chance.sample(ZONES, 4), phone)):
                with self.subTest(seed=seed, phone=phone, step=step, zone=zone):
                    known = rows[:len(rows) * (step + 3) // 8]
                    self.write(known)
                    data = f"data {seed}"
                    self.check(known, zone, data, peer)
                    self.check(known, zone, f"fresh {seed} {step}")

    def test_both_hours_count_when_the_clock_is_set_back(self):
        for order in (1, -1):
            with self.subTest(order=order):
                rows = list(self.rows(random.Random(1), "Europe/Berlin", datetime.datetime(2024, 10, 27), 25))
                self.write(rows[::order])
                samples, days = self.expected(rows, "Europe/Berlin")
                self.assertEqual(len([kind for kind, _ in samples if kind == "StepCount"]), 25)
                words = ("historical", "--source", "HealthMetrics.csv", "--zone", "Europe/Berlin", "--data-dir", f"d{order}")
                self.succeed(*words)
                self.assertEqual(self.stored("Europe/Berlin", f"d{order}"), samples)

    def test_a_time_that_the_clock_skips_is_rejected_with_its_reason(self):
        self.write([("2024-03-31 01:00:00", 10, ""), ("2024-03-31 02:00:00", 20, ""), ("2024-03-31 03:00:00", 40, "")])
        result = self.run_program("historical", "--source", "HealthMetrics.csv", "--zone", "Europe/Berlin", "--data-dir", "d")
        self.assertIn("a local time that the time zone skips", result.stdout + result.stderr)
        self.assertEqual(self.steps("d"), {"2024-03-31": 50})

    def test_an_unchanged_file_is_not_read_again_in_the_same_zone(self):
        rows = list(self.rows(random.Random(2), "Asia/Tokyo", datetime.datetime(2024, 5, 1), 30))
        self.write(rows)
        words = ("historical", "--source", "HealthMetrics.csv", "--data-dir", "d", "--zone")
        self.succeed(*words, "Asia/Tokyo")
        again = self.json_of(*words, "Asia/Tokyo")
        self.assertTrue(again["sources"][0]["unchanged"], again["sources"])
        moved = self.json_of(*words, "Asia/Kathmandu")
        self.assertFalse(moved["sources"][0]["unchanged"], moved["sources"])

    def test_another_file_with_the_same_rows(self):
        """Both files are from one phone, so a row counts once."""
        rows = list(self.rows(random.Random(3), "Asia/Tokyo", datetime.datetime(2024, 5, 1), 60))
        self.write(rows[:40])
        self.check(rows[:40], "Europe/Berlin")
        self.write(rows, "new.csv")
        self.check(rows, "Asia/Tokyo", source="new.csv")


if __name__ == "__main__":
    unittest.main()
