"""Every run derives all days whose inputs changed since they were last derived, however old they are.

The oracle is twofold: the sums of each day, worked out here from the records of the last export, and one `historical` of
that export in an empty folder."""

import collections
import datetime
import json
import random
import shutil
import sqlite3
import unittest
import zoneinfo
from contextlib import closing

from support.harness import ProgramTest, Server, figures
from support.records import COUNT, RATE, SLEEP
from support.seeds import seeds

SEEDS = seeds(5, 50, 1_000)
ZONE = zoneinfo.ZoneInfo("Europe/Berlin")
UTC = datetime.timezone.utc
# Days between imports, and the number of imports.
IMPORTS = {1: 8, 2: 7, 7: 6, 8: 6, 9: 6, 14: 5, 60: 3}
HOUR = datetime.timedelta(hours=1)
STAGES = [f"HKCategoryValueSleepAnalysis{name}" for name in ("AsleepCore", "AsleepDeep", "AsleepREM")]


def write(path, records, date):
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<HealthData locale="en_US">',
             f' <ExportDate value="{date:%Y-%m-%d %H:%M:%S} +0000"/>']
    for kind, start, end, value in records:
        unit = {COUNT: ' unit="count"', RATE: ' unit="count/min"'}.get(kind, "")
        lines.append(f' <Record type="{kind}" sourceName="Watch"{unit} startDate="{start:%Y-%m-%d %H:%M:%S} +0000"'
                     f' endDate="{end:%Y-%m-%d %H:%M:%S} +0000" value="{value}"/>')
    path.write_text("\n".join([*lines, "</HealthData>", ""]))
    return path


def local(day, hour, minute=0):
    """Returns an instant of a day in the zone."""
    at = datetime.datetime.combine(day, datetime.time(hour % 24, minute), ZONE) + datetime.timedelta(days=hour // 24)
    return at.astimezone(UTC)


def day_of(instant):
    return instant.astimezone(ZONE).date()


def truth(records):
    """Returns for each day the sum of steps and the count, minimum and maximum of heart rates, and for each night the
    minutes asleep."""
    steps, rates, asleep = collections.Counter(), collections.defaultdict(list), collections.Counter()
    for kind, start, end, value in records:
        if kind == COUNT:
            first, last = day_of(start), day_of(end - datetime.timedelta(seconds=1))
            # A sample across midnight has equal parts before and after it.
            for day, share in ((first, 1),) if first == last else ((first, 0.5), (last, 0.5)):
                steps[day] += value * share
        elif kind == RATE:
            rates[day_of(start)].append(value)
        else:
            asleep[day_of(start + 12 * HOUR)] += (end - start) / datetime.timedelta(minutes=1)
    return (
        {f"{day}": float(sum_) for day, sum_ in steps.items()},
        {f"{day}": (len(all_), float(min(all_)), float(max(all_))) for day, all_ in rates.items()},
        {f"{night}": minutes for night, minutes in asleep.items()},
    )


class Life:
    """Synthetic records, each with the time from which exports contain it: one in ten up to 60 hours late, one in twenty up
    to 20 days."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        gaps = list(IMPORTS)
        self.gap = gaps[seed % len(gaps)]
        self.first = datetime.date(2024, 2, 20) + datetime.timedelta(days=self.chance.randrange(60))
        self.now = local(self.first, 12)
        self.records = []
        for number in range(self.gap * (IMPORTS[self.gap] + 1)):
            self.live(self.first + datetime.timedelta(days=number))

    def live(self, day):
        chance = self.chance
        if chance.random() < 0.05:
            return
        for hour in chance.sample(range(8, 21), 3):
            self.add(COUNT, local(day, hour, 5 * chance.randrange(10)), 10, chance.randrange(1, 1500))
        if chance.random() < 0.3:
            self.add(COUNT, local(day, 23, 45), 30, 2 * chance.randrange(1, 300))
        for hour in chance.sample(range(7, 23), 2):
            self.add(RATE, local(day, hour, chance.randrange(60)), 0, chance.randrange(45, 170))
        night = local(day, 22, 30)
        for part in range(4):
            self.add(SLEEP, night + part * 2 * HOUR, 105, chance.choice(STAGES))

    def add(self, kind, start, minutes, value):
        end = start + datetime.timedelta(minutes=minutes)
        late = self.chance.random()
        delay = self.chance.random() * (60 if late < 0.1 else 480 if late < 0.15 else 0) * HOUR
        self.records.append((end + delay, (kind, start, end, value)))

    def change(self):
        """Corrects and deletes a few records of any age."""
        for _ in range(self.chance.randrange(4)):
            known = [place for place, (since, _) in enumerate(self.records) if since <= self.now]
            if not known:
                return
            place = self.chance.choice(known)
            since, (kind, start, end, value) = self.records[place]
            if self.chance.random() < 0.4:
                del self.records[place]
            elif kind != SLEEP:
                self.records[place] = (since, (kind, start, end, value + 2))

    def next(self):
        """Returns the records of the next export."""
        self.now += datetime.timedelta(days=self.gap)
        self.change()
        return [record for since, record in self.records if since <= self.now]


class ChangedDays(ProgramTest):
    words = ("--zone", "Europe/Berlin", "--data-dir", "data")

    @property
    def database(self):
        return self.folder / "data/healthsync.sqlite"

    def rows(self, query, database=None):
        with closing(sqlite3.connect(f"file:{database or self.database}?mode=ro", uri=True)) as connection:
            return connection.execute(query).fetchall()

    def stored(self):
        """Returns `truth` in the form of the database."""
        return (
            dict(self.rows("SELECT day, quantity FROM daily_progress WHERE metric = 'steps'")),
            {day: tuple(rest) for day, *rest in self.rows(
                "SELECT day, count, minimum, maximum FROM daily_progress WHERE metric = 'heartRate'")},
            dict(self.rows("SELECT day, sum(counted_asleep_ms) / 60000.0 FROM sleep_session GROUP BY day")),
        )

    def local(self):
        """Returns each record as the server must have it."""
        found = {}
        for metric, day, *rest in self.rows("SELECT metric, day, quantity, minimum, maximum, count FROM daily_progress"):
            found[f"{metric}/day/{day}".lower()] = (day, *rest)
        for metric, day, start, *rest in self.rows(
                "SELECT metric, day, start, quantity, minimum, maximum, count FROM hour_progress"):
            found[f"{metric}/hour/{day}/{start}".lower()] = (day, *rest)
        for identity, stages in self.rows("SELECT source_id, stages FROM sleep_session"):
            found[identity] = len(json.loads(stages))
        for day, steps, asleep in self.rows("SELECT day, steps, minutes_asleep FROM activity_snapshot"):
            found[f"snapshot/{day}"] = (steps, asleep)
        return found

    def served(self, server):
        """Returns the same from the server."""
        found = {}
        for kind, identity, text in self.rows(
                "SELECT kind, id, body FROM records WHERE NOT is_deleted", server.database):
            body = json.loads(text)
            if kind == "progress":
                found[identity.lower()] = (body["day"], *(body.get(name) for name in ("quantity", "min", "max", "count")))
            elif kind == "sleep":
                found[identity] = len(body["stages"])
            elif kind == "snapshots":
                found[identity] = (body.get("steps"), body.get("sleep_minutes"))
        return found

    def disturb(self, chance):
        """Performs an action of a user between two runs; the next `daily` must handle it."""
        match chance.randrange(8):
            case 0:
                return ("reset-tracking", "--from", "2024-03-01", "--to", "2024-03-20")
            case 1:
                return ("clear", "--local", "--yes")
            case 2:
                return ("historical", "--no-push", "--from", "2024-03-05", "--to", "2024-03-09")
            case 3:
                return ("daily", "--no-push", "--days", "3")
            case 4:
                return ("historical", "--no-push", "--metrics", "steps")
        return None

    def follow(self, seed):
        shutil.rmtree(self.folder / "data", ignore_errors=True)
        life, chance = Life(seed), random.Random(seed)
        server = Server(self, folder=f"served-{seed}")
        words = (*self.words, "--server", server.url)
        for number in range(IMPORTS[life.gap]):
            records = life.next()
            source = write(self.folder / f"export-{number}.xml", records, life.now)
            if number and (words_between := self.disturb(chance)):
                # With few samples, two are more than the fifth that an export may delete.
                reads = ("--source", source, "--allow-deletions") if words_between[0] in ("daily", "historical") else ()
                result = self.run_program(*words_between, *(words if reads else self.words), *reads)
                self.assertIn(result.returncode, (0, 3), result.stderr)
            report = self.json_of("daily", *words, "--source", source, "--allow-deletions")
            self.assertEqual(self.stored(), truth(records), f"import {number}, every {life.gap} days")
            self.assertEqual(report["outOfDate"]["days"], 0)
        self.assertEqual(self.served(server), self.local())
        self.succeed("historical", "--zone", "Europe/Berlin", "--data-dir", "fresh", "--source", source)
        self.assertEqual(figures(self.database), figures(self.folder / "fresh/healthsync.sqlite"))
        shutil.rmtree(self.folder / "fresh")
        server.stop()

    def test_growing_exports_give_the_result_of_one_historical_run(self):
        for seed in range(SEEDS):
            with self.subTest(seed=seed):
                self.follow(seed)

    def daily(self, records, date, *words, status=0):
        source = write(self.folder / "export.xml", records, date)
        result = self.run_program("daily", *self.words, "--source", source, "--json", *words)
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        return json.loads(result.stdout)

    def march(self, until):
        """Returns five hundred steps at 8:00 and at 18:00 of each day, as far as an export of that time contains them."""
        records = []
        for day in range(1, 32):
            for hour in (8, 18):
                start = local(datetime.date(2024, 3, day), hour)
                if start < until:
                    records.append((COUNT, start, start + HOUR / 6, 500))
        return records

    def test_exports_of_10_and_31_march(self):
        for day in (10, 31):
            date = local(datetime.date(2024, 3, day), 12)
            self.daily(self.march(date), date)
        sums = self.stored()[0]
        self.assertEqual(sums, {f"2024-03-{day:02}": 500.0 if day == 31 else 1000.0 for day in range(1, 32)})
        self.assertEqual(sum(sums.values()), 30_500)

    def test_corrected_and_deleted_days_of_three_weeks_ago(self):
        date = local(datetime.date(2024, 3, 31), 12)
        records = self.march(date)
        self.daily(records, date)
        kind, start, end, _ = records[20]
        records[20] = (kind, start, end, 777)
        del records[4:6]
        report = self.daily(records, date + HOUR)
        self.assertEqual(self.stored()[0], truth(records)[0])
        self.assertNotIn("2024-03-03", self.stored()[0])
        self.assertEqual(
            report["outOfDate"], {"dayCount": 0, "days": 0, "first": None, "last": None, "command": None})

    def test_the_first_daily_derives_all_of_the_export(self):
        date = local(datetime.date(2024, 3, 31), 12)
        report = self.daily(self.march(date), date)
        self.assertEqual(len(self.stored()[0]), 31)
        self.assertEqual([one["outcome"] for one in report["metrics"] if one["metric"] == "steps"], ["synced"])
        again = self.daily(self.march(date), date)
        self.assertEqual({one["outcome"] for one in again["metrics"]}, {"nothingNew"})

    def test_a_bounded_run_reports_out_of_date_days_and_historical_updates_them(self):
        date = local(datetime.date(2024, 3, 31), 12)
        records = self.march(date)
        bounded = self.daily(records, date, "--days", "7", status=3)["outOfDate"]
        self.assertEqual(bounded["command"], "healthsync historical --data-dir data")
        # The tracking of a day covers the UTC days around it, so adjacent days without records may count too.
        self.assertTrue(31 <= bounded["days"] <= 36, bounded)
        status = self.json_of("status", *self.words)
        self.assertEqual(status["outOfDate"], bounded)
        self.assertIn("out of date", self.succeed("status", *self.words).stdout)
        doctor = json.loads(self.run_program("doctor", *self.words, "--json").stdout)["findings"]
        self.assertEqual([one["level"] for one in doctor if one["subject"] == "days"], ["warning"])
        part = self.run_program("historical", *self.words, "--from", "2024-03-01", "--to", "2024-03-20")
        self.assertEqual(part.returncode, 3, part.stdout + part.stderr)
        self.assertIn("out of date", part.stdout)
        self.assertEqual(len(self.stored()[0]), 20)
        self.succeed("historical", *self.words)
        self.assertEqual(self.stored()[0], truth(records)[0])
        self.assertEqual(self.json_of("status", *self.words)["outOfDate"]["days"], 0)
        # Without a source this run fails only because it imports nothing.
        last = self.run_program("daily", *self.words, "--days", "7")
        self.assertEqual(last.returncode, 66, last.stdout + last.stderr)
        self.assertNotIn("out of date", last.stdout)

    def test_a_new_metric_and_a_data_folder_from_a_backup(self):
        date = local(datetime.date(2024, 3, 31), 12)
        records = self.march(date)
        records += [(RATE, start, start, 70) for _, start, _, _ in records]
        self.daily(records, date, "--metrics", "steps", "--types", "heartRate")
        self.assertGreater(self.json_of("status", *self.words)["outOfDate"]["days"], 30)
        shutil.copytree(self.folder / "data", self.folder / "backup")
        self.daily(records, date)
        self.assertEqual(self.stored()[:2], truth(records)[:2])
        shutil.rmtree(self.folder / "data")
        shutil.copytree(self.folder / "backup", self.folder / "data")
        self.daily(records[:-3], date + HOUR)
        self.assertEqual(self.stored()[:2], truth(records[:-3])[:2])


if __name__ == "__main__":
    unittest.main()
