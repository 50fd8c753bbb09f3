"""The output of summary, sleep, steps and heart equals what sqlite3 reads from the local database of a generated year."""

import collections
import datetime
import json
import sqlite3
import subprocess
import unittest
from contextlib import closing
from zoneinfo import ZoneInfo

from support.harness import BINARY, PATIENCE, ProgramTest
from support.seeds import DENSITY
from support.terminal import in_terminal

FIRST, LAST = datetime.date(2025, 1, 1), datetime.date(2025, 12, 31)
RANGE = ("--from", FIRST, "--to", LAST)
ZONE = ZoneInfo("Europe/Paris")
NAMES = {
    "day": lambda day: f"{day}", "month": lambda day: f"{day:%Y-%m}", "year": lambda day: f"{day:%Y}",
    "week": lambda day: "{0:04}-W{1:02}".format(*day.isocalendar()),
}


def days(first=FIRST, last=LAST):
    return [first + datetime.timedelta(days=offset) for offset in range((last - first).days + 1)]


def hours(day):
    """Returns the starts of the local hours of a day."""
    begin = datetime.datetime.combine(day, datetime.time(), ZONE).astimezone(datetime.timezone.utc)
    end = datetime.datetime.combine(day + datetime.timedelta(days=1), datetime.time(), ZONE)
    count = round((end.astimezone(datetime.timezone.utc) - begin).total_seconds() / 3600)
    return [(begin + datetime.timedelta(hours=hour)).astimezone(ZONE).isoformat() for hour in range(count)]


class Views(ProgramTest):
    def setUp(self):
        super().setUp()
        self.export, _ = self.generate(
            "export.zip", "--years", "1", "--seed", "42", "--zone", "Europe/Paris", "--last-day", LAST,
            "--density", DENSITY)
        self.config = self.folder / "zones.json"
        # Without travel, zoneinfo alone determines where hours begin.
        self.config.write_text(json.dumps({"zone": "Europe/Paris"}))
        self.succeed("historical", "--config", self.config, "--source", self.export, "--data-dir", "data")

    def view(self, *words):
        return self.json_of(*words, "--config", self.config, "--data-dir", "data")

    def rows(self, query, *values):
        with closing(sqlite3.connect(f"file:{self.folder}/data/healthsync.sqlite?mode=ro", uri=True)) as connection:
            connection.row_factory = sqlite3.Row
            return connection.execute(query, values).fetchall()

    def progress(self, metric):
        query = "SELECT * FROM daily_progress WHERE metric = ? AND day BETWEEN ? AND ?"
        return {row["day"]: row for row in self.rows(query, metric, str(FIRST), str(LAST))}

    def near(self, found, wanted, what=None):
        if wanted is None:
            self.assertIsNone(found, what)
        else:
            self.assertAlmostEqual(found, wanted, delta=1e-9 * max(1, abs(wanted)), msg=what)

    def test_steps(self):
        recorded = self.progress("steps")
        self.assertGreater(len(recorded), 300)
        for unit, name in NAMES.items():
            view = self.view("steps", "--by", unit, *RANGE)
            groups = collections.defaultdict(list)
            for day in days():
                groups[name(day)].append(day)
            self.assertEqual([period["period"] for period in view["periods"]], list(groups))
            for period in view["periods"]:
                asked = groups[period["period"]]
                self.assertEqual((period["first"], period["last"]), (str(asked[0]), str(asked[-1])))
                own = [recorded[str(day)] for day in asked if str(day) in recorded]
                total = sum(row["quantity"] for row in own) if own else None
                self.near(period["steps"], total, period["period"])
                self.near(period["averageStepsPerDay"], total / len(own) if own else None)
                self.assertEqual(period["recordedDays"], len(own))
                origins = collections.Counter()
                for row in own:
                    for origin in json.loads(row["origins"]):
                        origins[origin["source"]] += origin["quantity"]
                self.assertEqual([origin["source"] for origin in period["origins"]], sorted(origins))
                for origin in period["origins"]:
                    self.near(origin["steps"], origins[origin["source"]])
            self.near(view["totalSteps"], sum(row["quantity"] for row in recorded.values()))
            self.assertEqual(view["recordedDays"], len(recorded))
            best = max(recorded.values(), key=lambda row: (row["quantity"], -days().index(datetime.date.fromisoformat(row["day"]))))
            self.assertEqual(view["best"]["day"], best["day"])

    def test_hours(self):
        lengths = set()
        for day in (datetime.date(2025, 3, 30), datetime.date(2025, 10, 26), datetime.date(2025, 6, 2)):
            for command, metric, member, column in (
                ("steps", "steps", "steps", "quantity"),
                ("heart", "heartRate", "meanBeatsPerMinute", "quantity"),
                ("heart", "heartRate", "minimumBeatsPerMinute", "minimum"),
                ("heart", "heartRate", "maximumBeatsPerMinute", "maximum"),
                ("heart", "heartRate", "measurementCount", "count"),
            ):
                period = self.view(command, day)["periods"][0]
                starts = [hour["start"] for hour in period["hours"]]
                self.assertEqual(starts, hours(day))
                lengths.add(len(starts))
                query = f"SELECT start_ms, {column} FROM hour_progress WHERE metric = ? AND day = ?"
                wanted = dict(tuple(row) for row in self.rows(query, metric, str(day)))
                self.assertGreater(len(wanted), 0)
                for hour in period["hours"]:
                    start = round(datetime.datetime.fromisoformat(hour["start"]).timestamp() * 1000)
                    self.near(hour[member], wanted.pop(start, None), (command, hour["start"]))
                self.assertEqual(wanted, {})
        self.assertEqual(lengths, {23, 24, 25})

    def test_heart(self):
        recorded, resting = self.progress("heartRate"), self.progress("restingHeartRate")
        self.assertGreater(len(recorded), 300)
        for unit, name in NAMES.items():
            view = self.view("heart", "--by", unit, *RANGE)
            for period in view["periods"] + [dict(view, period=None)]:
                asked = [str(day) for day in days() if period["period"] in (None, name(day))]
                own = [recorded[day] for day in asked if day in recorded]
                count = sum(row["count"] for row in own)
                self.assertEqual(period["measurementCount"], count or None)
                self.near(period["minimumBeatsPerMinute"], min((row["minimum"] for row in own), default=None))
                self.near(period["maximumBeatsPerMinute"], max((row["maximum"] for row in own), default=None))
                held = sum(row["held_ms"] for row in own)
                mean = sum(row["quantity"] * row["held_ms"] for row in own) / held if count else None
                self.near(period["heldMinutes"], held / 60_000 if count else None)
                self.near(period["meanBeatsPerMinute"], mean, period["period"])
                rest = [resting[day]["quantity"] for day in asked if day in resting]
                self.near(period["restingBeatsPerMinute"], sum(rest) / len(rest) if rest else None)
                self.assertEqual(period["recordedDays"], sum(day in recorded or day in resting for day in asked))

    def test_sleep(self):
        view = self.view("sleep", *RANGE)
        stored = self.rows(
            "SELECT *, 1 AS counts FROM sleep_episode WHERE day BETWEEN ? AND ?", str(FIRST), str(LAST))
        stored += self.rows(
            "SELECT * FROM sleep_session WHERE NOT counts AND day BETWEEN ? AND ?",
            str(FIRST), str(LAST))
        shown = view["naps"] + view["otherNaps"]
        for night in view["nights"]:
            shown += [night["main"]] + night["additional"] + night["others"]
        found = {(datetime.datetime.fromisoformat(item["start"]).timestamp() * 1000, item["counts"]): item for item in shown}
        self.assertEqual(len(shown), len(stored))
        for row in stored:
            item = found[row["start_ms"], bool(row["counts"])]
            self.assertEqual(datetime.datetime.fromisoformat(item["end"]).timestamp() * 1000, row["end_ms"])
            self.assertEqual((item["day"], item["role"]), (row["day"], row["role"]))
            for name, column in (
                ("timeInBed", "in_bed"), ("totalSleep", "asleep"), ("awake", "awake"), ("rem", "rem"), ("core", "core"),
                ("deep", "deep"), ("unspecified", "unspecified"),
            ):
                if name != "timeInBed" and (row["asleep_ms"], row["awake_ms"]) == (0, 0):  # Only time in bed is known.
                    self.assertIsNone(item[f"{name}Minutes"], (row["day"], name))
                    self.assertIsNone(item["sleepEfficiencyPercentage"])
                else:
                    self.near(item[f"{name}Minutes"], row[f"{column}_ms"] / 60_000, (row["day"], name))
            self.check_segments(item)
        mains = [row for row in stored if row["role"] == "main" and row["counts"]]
        self.assertEqual([night["day"] for night in view["nights"]], sorted(row["day"] for row in mains))
        self.check_averages(view["averages"], [row for row in mains if row["asleep_ms"] > 0])
        self.assertGreater(len(view["naps"]), 0)

    def check_segments(self, item):
        lengths, at = collections.Counter(), item["start"]
        for segment in item["segments"]:
            # Between the parts of a night is nothing.
            wake = (datetime.datetime.fromisoformat(segment["start"]) - datetime.datetime.fromisoformat(at)).total_seconds()
            self.assertTrue(wake == 0 or 3600 < wake <= 3 * 3600, (segment["start"], at))
            at = segment["end"]
            begin, end = (datetime.datetime.fromisoformat(segment[name]) for name in ("start", "end"))
            lengths[segment["stage"]] += (end - begin).total_seconds() / 60
        self.assertEqual(at, item["end"])
        for stage in ("awake", "rem", "core", "deep"):
            self.near(lengths[stage], item[f"{stage}Minutes"] or 0)
        begin, end = (datetime.datetime.fromisoformat(item[name]) for name in ("start", "end"))
        if begin.utcoffset() == begin.astimezone(ZONE).utcoffset():
            self.assertEqual(item["end"], end.astimezone(ZONE).isoformat())
        else:  # The samples of a night on a journey state their zone.
            self.assertEqual(end.utcoffset(), begin.utcoffset())

    def check_averages(self, averages, slept):
        mean = lambda values: sum(values) / len(values)
        self.assertEqual(averages["nights"], len(slept))
        self.near(averages["timeInBedMinutes"], mean([row["in_bed_ms"] / 60_000 for row in slept]))
        self.near(averages["totalSleepMinutes"], mean([row["asleep_ms"] / 60_000 for row in slept]))
        self.near(
            averages["sleepEfficiencyPercentage"],
            mean([min(100, row["asleep_ms"] / row["in_bed_ms"] * 100) for row in slept]))
        staged = [row for row in slept if row["core_ms"] + row["deep_ms"] + row["rem_ms"] > 0]
        self.assertEqual(averages["stages"]["nights"], len(staged))
        for stage in ("awake", "rem", "core", "deep"):
            self.near(averages["stages"][f"{stage}Minutes"], mean([row[f"{stage}_ms"] / 60_000 for row in staged]))

    def test_summary(self):
        view = self.view("summary")
        for member, metric in (("steps", "steps"), ("heartRate", "heartRate")):
            query = "SELECT * FROM daily_progress WHERE metric = ? ORDER BY day DESC LIMIT 1"
            row = self.rows(query, metric)[0]
            self.assertEqual((view[member]["day"], view[member]["quantity"]), (row["day"], row["quantity"]))
            self.assertEqual((view[member]["minimum"], view[member]["maximum"]), (row["minimum"], row["maximum"]))
        rest = self.rows("SELECT * FROM daily_progress WHERE metric = 'restingHeartRate' AND day = ?", view["heartRate"]["day"])
        self.assertEqual([view["restingHeartRate"]["quantity"]], [row["quantity"] for row in rest])
        night = self.rows(
            "SELECT * FROM sleep_episode WHERE role = 'main' ORDER BY day DESC LIMIT 1")[0]
        self.assertEqual(view["sleep"]["day"], night["day"])
        self.near(view["sleep"]["totalSleepMinutes"], night["asleep_ms"] / 60_000)
        members = {
            "steps": "steps", "walkingDistanceKilometres": "walking_distance_km",
            "activeEnergyKilocalories": "active_energy_kcal", "exerciseMinutes": "exercise_minutes",
            "restingHeartRate": "resting_heart_rate", "minutesAsleep": "minutes_asleep",
        }
        snapshots = {row["day"]: row for row in self.rows("SELECT * FROM activity_snapshot")}
        last = max(snapshots)
        self.assertEqual(view["week"][-1], view["snapshot"])
        week = days(datetime.date.fromisoformat(last) - datetime.timedelta(days=6), datetime.date.fromisoformat(last))
        self.assertEqual([day["day"] for day in view["week"]], [str(day) for day in week])
        for day in view["week"]:
            for member, column in members.items():
                self.near(day[member], snapshots[day["day"]][column] if day["day"] in snapshots else None)

    def test_an_export_to_a_reader_that_ends_is_no_failure(self):
        process = subprocess.Popen([BINARY, "export", "--out", "-", "--data-dir", "data", "--format", "jsonl"], cwd=self.folder,
                                   env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.stderr.close)
        self.assertIn("startDate", json.loads(process.stdout.readline()))
        process.stdout.close()
        self.assertEqual(process.wait(PATIENCE), 0)
        self.assertNotIn("written", process.stderr.read(), "neither a failure nor the number of all samples")

    def test_an_empty_range_is_not_an_error(self):
        for command, members in (("sleep", ("nights", "naps")), ("steps", ("periods",)), ("heart", ("periods",))):
            view = self.view(command, "2001-01-01")
            for member in members:
                self.assertEqual(view[member], [])

    def test_only_a_terminal_gets_charts(self):
        words = ("steps", *RANGE, "--by", "month", "--config", self.config, "--data-dir", "data")
        plain = self.succeed(*words).stdout
        self.assertNotIn("█", plain)
        for variables, has_color in (({}, True), ({"NO_COLOR": "1"}, False)):
            text = in_terminal(self, *words, columns=80, **variables)
            self.assertEqual("\x1b[" in text, has_color)
            self.assertEqual(text.count("█" * 8) > 6, True)
            for month in range(1, 13):
                self.assertIn(f"2025-{month:02}", text)


if __name__ == "__main__":
    unittest.main()
