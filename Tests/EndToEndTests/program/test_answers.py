"""What a user asks about ten years of data, each answered by one command. The trends are planted here, and the answers
computed from the truth of the generated data."""

import collections
import datetime
import json
import re
import sqlite3
import statistics
import unittest
from contextlib import closing
from zoneinfo import ZoneInfo

from support.harness import Peer, ProgramTest, Server
from support.records import ordinary_days, write

ZONE = ZoneInfo("Europe/Paris")
FALL = 0.8  # beats per minute in a year
FIRST = datetime.date(2016, 1, 1)
MOST = datetime.date(2019, 5, 14)
KEPT = ("QuantityTypeIdentifierStepCount", "QuantityTypeIdentifierRestingHeartRate", "CategoryTypeIdentifierSleepAnalysis")
REFUSED = "steps/hour/2024-03-02/2024-03-02T08:00:00Z"
VALUE = re.compile(r'value="([^"]*)"')
START = re.compile(r'startDate="([^"]*)"')
TIMES = re.compile(r'(creationDate|startDate|endDate)="[^"]*"')


def years_after(day):
    return (day - FIRST).days / 365.25


def local(text):
    return datetime.datetime.strptime(text, "%Y-%m-%d %H:%M:%S %z").astimezone(ZONE)


def planted(line):
    """Returns a record with the trends: less REM sleep in December 2025, a resting heart rate that falls."""
    if "RestingHeartRate" in line:
        fall = FALL * years_after(local(START.search(line)[1]).date())
        return VALUE.sub(lambda match: f'value="{float(match[1]) - fall:.6f}"', line)
    if "AsleepREM" in line:
        start = local(START.search(line)[1])
        if (start + datetime.timedelta(hours=12)).date() >= datetime.date(2025, 12, 1):
            return line.replace("AsleepREM", "Awake")
    return line


def walk(pattern, day, hour, steps):
    """Returns a record of `pattern`, a record of steps, with another time: 50 minutes from five minutes past `hour`."""
    start = datetime.datetime.combine(day, datetime.time(hour, 5), ZONE)
    end = start + datetime.timedelta(minutes=50)
    times = {"startDate": start, "endDate": end, "creationDate": end}
    line = TIMES.sub(lambda match: f'{match[1]}="{times[match[1]]:%Y-%m-%d %H:%M:%S %z}"', pattern)
    return VALUE.sub(f'value="{steps}"', line)


def plant(source, target):
    """Copies the kept records of an export, and adds walks."""
    pattern, keeps, begun = None, True, False
    kept = tuple(f' <Record type="HK{kind}"'.encode() for kind in KEPT)
    with open(source, "rb") as lines, open(target, "w", encoding="utf-8") as file:
        for line in lines:
            if line.startswith(b" <Record "):
                begun, keeps = True, line.startswith(kept)
                if keeps:
                    text = planted(line.decode())
                    if pattern is None and "StepCount" in text and "Watch" in text and text.endswith("/>\n"):
                        pattern = text
                    file.write(text)
                continue
            # The lines within a record belong to it; other elements are left out.
            if begun and not line.startswith((b"  ", b" </Record")):
                keeps = False
            if keeps:
                file.write(line.decode())
        for number in range(3653):
            day = FIRST + datetime.timedelta(number)
            file.write(walk(pattern, day, 17, 2_000))
            if day.isoweekday() == 6:
                file.write(walk(pattern, day, 18, 4_000))
        for hour in (10, 11, 12):
            file.write(walk(pattern, MOST, hour, 15_000))
        file.write("</HealthData>\n")


class Answers(ProgramTest):
    def setUp(self):
        super().setUp()
        export, truth = self.generate(
            "export.xml", "--years", "10", "--seed", "11", "--density", "0.05", "--no-travel", "--zone", ZONE.key)
        plant(export, self.folder / "planted.xml")
        export.unlink()
        self.days = {
            datetime.date.fromisoformat(day["day"]): day for day in json.loads(truth.read_text())["days"]}
        self.words = ("--zone", ZONE.key, "--data-dir", "data")
        self.succeed(
            "historical", *self.words, "--source", "planted.xml", "--metrics", "steps,restingHeartRate,sleep")

    def text(self, *words):
        return self.succeed(*words, *self.words).stdout

    def rows(self, query):
        with closing(sqlite3.connect(f"file:{self.folder}/data/healthsync.sqlite?mode=ro", uri=True)) as connection:
            return connection.execute(query).fetchall()

    def test_answers(self):
        self.sleep_of_this_month_and_the_last()
        self.when_most_is_walked()
        self.whether_the_resting_rate_falls()
        self.which_shoes_and_swapped_hours()

    def asleep(self, year, month):
        """Returns the mean minutes of sleep of the nights of a month."""
        nights = [
            night["totalSleepMinutes"] - (night["stageMinutes"].get("rem", 0) if (year, month) == (2025, 12) else 0)
            for day, figures in self.days.items() if (day.year, day.month) == (year, month)
            for night in [figures.get("sleep", {}).get("main")] if night and night.get("totalSleepMinutes")]
        return statistics.fmean(nights), len(nights)

    def sleep_of_this_month_and_the_last(self):
        words = ("sleep", "--by", "month", "--to", "2025-12-31")
        found = {period["period"]: period["averages"] for period in self.json_of(*words, *self.words)["periods"]}
        self.assertEqual(len(found), 12)
        for month in (11, 12):
            mean, nights = self.asleep(2025, month)
            self.assertAlmostEqual(found[f"2025-{month}"]["totalSleepMinutes"], mean, delta=0.01)
            self.assertEqual(found[f"2025-{month}"]["nights"], nights)
        now, before = round(self.asleep(2025, 12)[0]), self.asleep(2025, 11)[0]
        difference = round(abs(self.asleep(2025, 12)[0] - before))
        self.assertIn(
            f"2025-12: {now // 60} h {now % 60} min a night, {difference // 60} h {difference % 60} min less than in 2025-11"
            .replace(", 0 h ", ", "), self.text(*words))

    def when_most_is_walked(self):
        words = ("steps", "--by", "year", "--from", "2016-01-01", "--to", "2025-12-31")
        found = self.json_of(*words, *self.words)
        self.assertEqual(found["best"]["day"], str(MOST))
        self.assertEqual((found["bestWeekday"]["weekday"], found["bestHour"]["hour"]), ("Saturday", 17))
        days = {
            datetime.date.fromisoformat(day): quantity for day, quantity in
            self.rows("SELECT day, quantity FROM daily_progress WHERE metric = 'steps' AND day BETWEEN '2016' AND '2026'")}
        saturdays = [quantity for day, quantity in days.items() if day.isoweekday() == 6]
        self.assertAlmostEqual(found["bestWeekday"]["averagePerDay"], statistics.fmean(saturdays), places=6)
        hours = collections.Counter()
        for start, quantity in self.rows(
                "SELECT start_ms, quantity FROM hour_progress WHERE metric = 'steps' AND day BETWEEN '2016' AND '2026'"):
            hours[datetime.datetime.fromtimestamp(start / 1000, ZONE).hour] += quantity
        self.assertEqual(hours.most_common(1)[0][0], 17)
        self.assertAlmostEqual(found["bestHour"]["averagePerDay"], hours[17] / len(days), places=5)
        text = self.text(*words)
        self.assertRegex(text, rf"\nmost +[\d,]+ on Tue {MOST}\n")
        self.assertRegex(text, r"\nbest weekday +Saturday, [\d,]+ a day\nbest hour +17:00 to 18:00, [\d,]+ a day\n")

    def whether_the_resting_rate_falls(self):
        words = ("heart", "--by", "year", "--from", "2016-01-01", "--to", "2025-12-31")
        rates = {
            day: figures["restingHeartRate"] - FALL * years_after(day)
            for day, figures in self.days.items() if "restingHeartRate" in figures}
        found = self.json_of(*words, *self.words)
        slope = statistics.linear_regression([day.toordinal() for day in rates], list(rates.values())).slope * 365.25
        self.assertAlmostEqual(found["restingChangePerYear"], slope, delta=1e-4)
        self.assertAlmostEqual(slope, -FALL, delta=0.3)
        for period in found["periods"]:
            own = [rate for day, rate in rates.items() if str(day.year) == period["period"]]
            self.assertAlmostEqual(period["restingBeatsPerMinute"], statistics.fmean(own), delta=1e-4)
        self.assertIn(f"resting heart rate: falling by {abs(slope):.1f}/min a year\n", self.text(*words))

    def which_shoes_and_swapped_hours(self):
        for model in ("Speedcross", "Pegasus"):
            self.succeed("shoes", "add", "Maker", model, *self.words)
        self.succeed("shoes", "assign", "speed", "--day", MOST, "--hours", "10-12", *self.words)
        self.succeed("shoes", "assign", "peg", "--day", MOST, "--hours", "17", *self.words)

        def worn():
            return {
                hour["hour"]: [wearing["name"] for wearing in hour["wearings"]]
                for hour in self.json_of("journal", MOST, *self.words)["hours"] if hour["wearings"]}

        speedcross, pegasus = ["Maker Speedcross"], ["Maker Pegasus"]
        self.assertEqual(worn(), {"10": speedcross, "11": speedcross, "12": speedcross, "17": pegasus})
        self.succeed("shoes", "assign", "Pegasus", "--day", MOST, "--hours", "11-12", *self.words)
        self.assertEqual(worn(), {"10": speedcross, "11": pegasus, "12": pegasus, "17": pegasus})


class Delivery(ProgramTest):
    def setUp(self):
        super().setUp()
        write(self.folder / "a.xml", ordinary_days(4))
        self.words = ("--zone", "UTC", "--data-dir", "data")

    def test_did_everything_arrive(self):
        server = Server(self)
        words = (*self.words, "--server", server.url)
        self.succeed("historical", *words, "--source", "a.xml")
        self.assertRegex(self.succeed("verify", *words).stdout, r"equal, all \d+ records and \d+ samples verified\n")
        self.assertRegex(self.succeed("status", *words).stdout, r"\nverified +all [\d,]+ records and [\d,]+ samples verified ")

    def test_what_failed_why_and_again(self):
        peer = Peer(self)
        peer.script([{"match": "POST *", "do": "reject_ids", "ids": [REFUSED], "reason": "no such hour", "times": None}])
        words = (*self.words, "--server", peer.url)
        self.assertEqual(self.run_program("historical", *words, "--source", "a.xml").returncode, 3)
        self.assertRegex(self.succeed("outbox", "list", *words).stdout, r"rejected +progress +steps/2024-03-02.*no such hour")
        self.assertRegex(self.succeed("status", *words).stdout, r"\noutbox +.*\b1 rejected\n")
        peer.script([])
        self.succeed("outbox", "retry", "--all", *words)
        self.succeed("push", *words)
        self.assertEqual(self.succeed("outbox", "list", *words).stdout, "the outbox is empty\n")

    def test_revoke_a_named_token(self):
        for name in ("laptop", "laptop", "phone"):
            self.succeed("token", "create", "--name", name, *self.words)
        several = self.run_program("token", "revoke", "laptop", *self.words)
        self.assertEqual(several.returncode, 64)
        ids = [token["id"] for token in self.json_of("token", "list", *self.words)["tokens"] if token["name"] == "laptop"]
        self.assertEqual(sorted(several.stderr.strip().split("use an id: ")[1].split(", ")), sorted(ids))
        self.succeed("token", "revoke", "phone", *self.words)
        self.succeed("token", "revoke", ids[0], *self.words)
        self.succeed("token", "revoke", "laptop", *self.words)
        states = {token["state"] for token in self.json_of("token", "list", *self.words)["tokens"]}
        self.assertEqual(states, {"revoked"})
        self.assertEqual(self.run_program("token", "revoke", "phone", *self.words).returncode, 66)


if __name__ == "__main__":
    unittest.main()
