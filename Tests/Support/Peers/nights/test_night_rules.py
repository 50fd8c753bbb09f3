#!/usr/bin/env python3
"""Worked examples of figures.md, exact boundaries, and properties of night_rules.py."""

import datetime
import os
import random
import sys
import tempfile
import unittest
import xml.etree.ElementTree
import zoneinfo

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import night_rules  # noqa: E402
import random_lives  # noqa: E402
from night_rules import AWAKE, CORE, DEEP, IN_BED, MINUTE, REM, UNSPECIFIED  # noqa: E402

ZONE = zoneinfo.ZoneInfo
BERLIN = "Europe/Berlin"
PRIORITIES = {"Watch": 1, "Watch A": 1, "Watch B": 1, "Oura": 2, "iPhone": 3}


def instant(text, zone=BERLIN):
    """Returns the instant of "15 13:00" or "15 13:00:01" in January 2024."""
    day, clock = text.split()
    hour, minute, second = ([int(part) for part in clock.split(":")] + [0])[:3]
    wall = datetime.datetime(2024, 1, int(day), hour, minute, second, tzinfo=ZONE(zone))
    return int(wall.timestamp()) * 1_000


def sleep(source, start, end, stage=CORE, zone=None, written_in=BERLIN, manual=False):
    return {
        "source": source, "kind": "", "priority": 0 if manual else PRIORITIES.get(source, 4),
        "start": instant(start, written_in), "end": instant(end, written_in), "stage": stage,
        "zone": zone, "manual": manual,
    }


def table(samples, zone=BERLIN, **options):
    """Returns {day of the month: (main, naps, additional)} in minutes asleep."""
    def minutes(found):
        return found["asleep"] / MINUTE

    days = night_rules.expected(samples, zone, **options)["days"]
    return {int(day["day"][-2:]): (
        day["main"] and minutes(day["main"]), [minutes(nap) for nap in day["naps"]],
        [minutes(other) for other in day["additional"]]) for day in days}


def only(samples, zone=BERLIN, **options):
    (day,) = night_rules.expected(samples, zone, **options)["days"]
    return day


class Examples(unittest.TestCase):
    def test_f2_ring_completes_watch(self):
        samples = [sleep("Watch", "14 23:00", "15 01:00"), sleep("Oura", "14 23:00", "15 07:00")]
        self.assertEqual(table(samples), {15: (480, [], [])})

    def test_f2_app_without_stages_completes_watch(self):
        samples = [sleep("Watch", "14 23:00", "15 01:00"),
                   sleep("Pillow", "14 23:00", "15 07:00", UNSPECIFIED)]
        self.assertEqual(table(samples), {15: (480, [], [])})

    def test_f2_replaced_watch(self):
        samples = [sleep("Watch A", "14 23:00", "15 02:00"),
                   sleep("Watch B", "15 02:00", "15 07:00")]
        self.assertEqual(table(samples), {15: (480, [], [])})

    def test_f3_afternoon_nap(self):
        samples = [sleep("Watch", "14 23:00", "15 07:00"), sleep("Watch", "15 14:00", "15 15:30")]
        self.assertEqual(table(samples), {15: (480, [90], [])})

    def test_f4_day_sleeper(self):
        samples = [sleep("Watch", "15 12:10", "15 18:30"), sleep("Watch", "16 11:50", "16 18:50"),
                   sleep("Watch", "17 12:10", "17 18:40")]
        self.assertEqual(table(samples), {15: (380, [], []), 16: (420, [], []), 17: (390, [], [])})

    def test_f4_afternoon_alone(self):
        self.assertEqual(table([sleep("Watch", "15 12:30", "15 19:30")]), {15: (420, [], [])})

    def test_f4_long_sleep_between_two_nights(self):
        samples = [sleep("Watch", "14 23:00", "15 07:00"), sleep("Watch", "15 13:00", "15 17:00"),
                   sleep("Watch", "15 23:00", "16 07:00")]
        self.assertEqual(table(samples), {15: (480, [], [240]), 16: (480, [], [])})

    def test_f5_sleep_outranks_time_in_bed(self):
        samples = [sleep("Clock", "15 13:00", "15 21:00", IN_BED),
                   sleep("Clock", "15 23:00", "16 06:00", UNSPECIFIED)]
        days = night_rules.expected(samples, BERLIN)["days"]
        self.assertEqual([day["day"] for day in days], ["2024-01-15", "2024-01-16"])
        self.assertIsNone(days[0]["main"]["efficiency"])
        self.assertEqual(days[0]["main"]["time_in_bed"], 480 * MINUTE)
        self.assertEqual(days[1]["main"]["asleep"], 420 * MINUTE)

    def test_m5_long_wake(self):
        samples = [sleep("Watch", "14 23:00", "15 02:23"), sleep("Watch", "15 03:46", "15 07:00")]
        day = only(samples)
        self.assertEqual(day["main"]["asleep"], 397 * MINUTE)
        self.assertEqual(day["main"]["time_in_bed"], 397 * MINUTE)
        self.assertEqual(day["main"]["awake"], 0)
        self.assertEqual(len(day["main"]["sessions"]), 2)


class Sessions(unittest.TestCase):
    def count(self, *samples):
        return len(night_rules.expected(samples, BERLIN)["sessions"])

    def test_gap(self):
        first = sleep("Watch", "15 00:00", "15 01:00")
        self.assertEqual(self.count(first, sleep("Watch", "15 02:00", "15 03:00")), 1)
        self.assertEqual(self.count(first, sleep("Watch", "15 02:00:01", "15 03:00")), 2)

    def test_gap_from_latest_end(self):
        self.assertEqual(self.count(
            sleep("Watch", "15 00:00", "15 04:00", IN_BED), sleep("Watch", "15 00:30", "15 01:00"),
            sleep("Watch", "15 04:30", "15 05:00")), 1)

    def test_longest_time_in_bed(self):
        inside = sleep("Clock", "15 00:00", "15 06:00", UNSPECIFIED)
        for end, bed in (("15 13:00", 960), ("15 13:00:01", 360)):
            day = only([sleep("Clock", "14 21:00", end, IN_BED), inside])
            self.assertEqual(day["main"]["time_in_bed"], bed * MINUTE)

    def test_longest_wake(self):
        parts = [sleep("Watch", "14 22:00", "15 00:00"), sleep("Watch", "15 03:00", "15 05:00")]
        (session,) = night_rules.expected(
            [*parts, sleep("Watch", "15 00:00", "15 03:00", AWAKE)], BERLIN)["sessions"]
        self.assertEqual(session["end"], parts[1]["end"])
        # One second more of it is nothing: the sleeps are two periods of one night.
        day = only([*parts, sleep("Watch", "15 00:00", "15 03:00:01", AWAKE)])
        self.assertEqual((day["main"]["asleep"], day["main"]["awake"]), (240 * MINUTE, 0))

    def test_overlapping_stages(self):
        main = only([
            sleep("Watch", "14 22:00", "15 07:00", IN_BED),
            sleep("Watch", "14 23:00", "15 06:00", UNSPECIFIED),
            sleep("Watch", "15 01:00", "15 03:00", CORE),
            sleep("Watch", "15 02:00", "15 04:00", REM),
            sleep("Watch", "15 02:00", "15 05:00", DEEP),
            sleep("Watch", "15 05:30", "15 06:30", AWAKE),
        ])["main"]
        self.assertEqual([main[name] / MINUTE for name in (
            "asleep", "unspecified", "core", "deep", "rem", "awake", "time_in_bed")],
            [420, 180, 60, 180, 0, 30, 540])

    def test_awake_before_between_and_after_sleep(self):
        main = only([
            sleep("Watch", "14 22:00", "14 23:00", AWAKE), sleep("Watch", "14 23:00", "15 02:00"),
            sleep("Watch", "15 02:00", "15 02:20", AWAKE), sleep("Watch", "15 02:20", "15 06:00"),
            sleep("Watch", "15 06:00", "15 06:30", AWAKE)])["main"]
        self.assertEqual(main["awake"], 110 * MINUTE)
        self.assertEqual(main["time_in_bed"], 510 * MINUTE)

    def test_by_hand_is_a_recorder(self):
        samples = [sleep("iPhone", "15 00:00", "15 01:00", UNSPECIFIED),
                   sleep("iPhone", "15 00:30", "15 01:30", UNSPECIFIED, manual=True)]
        self.assertEqual(self.count(*samples), 2)


class Periods(unittest.TestCase):
    def test_recorders_that_differ_by_minutes(self):
        watch = sleep("Watch", "14 23:00", "15 06:00")
        for start, total in (("14 22:00", 420), ("14 21:59:59", 480 + 1 / 60)):
            self.assertAlmostEqual(table([watch, sleep("Oura", start, "15 06:50")])[15][0], total)

    def test_short_rest_that_nothing_covers(self):
        samples = [sleep("Watch", "14 23:00", "15 06:00"), sleep("Oura", "15 06:10", "15 06:40")]
        self.assertEqual(table(samples), {15: (450, [], [])})
        self.assertEqual(len(only(samples)["main"]["sessions"]), 2)

    def test_wakes_are_covered(self):
        samples = [sleep("Watch", "14 23:00", "15 01:00"),
                   sleep("Watch", "15 01:00", "15 03:30", AWAKE),
                   sleep("Watch", "15 03:30", "15 06:00"), sleep("Oura", "14 23:00", "15 06:00")]
        main = only(samples)["main"]
        self.assertEqual((main["asleep"], main["awake"]), (270 * MINUTE, 150 * MINUTE))

    def test_staged_before_priority(self):
        samples = [sleep("Watch", "14 23:00", "15 07:00", UNSPECIFIED),
                   sleep("Pillow", "14 23:10", "15 06:50", DEEP)]
        self.assertEqual(only(samples)["main"]["deep"], 460 * MINUTE)

    def test_hand_before_watch(self):
        samples = [sleep("Watch", "14 23:00", "15 07:00", UNSPECIFIED),
                   sleep("Health", "14 23:10", "15 06:50", UNSPECIFIED, manual=True)]
        self.assertEqual(only(samples)["main"]["asleep"], 460 * MINUTE)

    def test_bed_of_those_that_count(self):
        samples = [sleep("Watch", "14 23:00", "15 07:00"), sleep("Oura", "14 22:30", "15 07:00"),
                   sleep("Oura", "14 20:00", "15 09:00", IN_BED),
                   sleep("iPhone", "14 19:00", "15 10:00", IN_BED)]
        day = only(samples)
        self.assertEqual(day["main"]["time_in_bed"], 480 * MINUTE)
        self.assertEqual((day["naps"], day["additional"]), ([], []))
        samples[0] = sleep("Watch", "14 23:00", "15 01:00")
        self.assertEqual(only(samples)["main"]["time_in_bed"], 780 * MINUTE)


class Nights(unittest.TestCase):
    def test_night_gap(self):
        first = sleep("Watch", "14 22:00", "15 01:00")
        self.assertEqual(table([first, sleep("Oura", "15 04:00", "15 05:00")]), {15: (240, [], [])})
        lone = table([first, sleep("Oura", "15 04:00:01", "15 05:00:01")])
        self.assertEqual(lone, {15: (180, [60], [])})

    def test_begin_at_nine(self):
        night = sleep("Watch", "15 01:00", "15 07:00")
        before, at_nine = ("15 08:59:59", "15 09:29:59"), ("15 09:00", "15 09:30")
        self.assertEqual(table([night, sleep("Watch", *before)])[15], (390, [], []))
        self.assertEqual(table([night, sleep("Watch", *at_nine)])[15], (360, [30], []))

    def test_ninety_minutes_before_noon(self):
        night = sleep("Watch", "15 03:00", "15 09:30")
        for start, end, expected in (
                ("15 11:00", "15 12:30", (480, [], [])), ("15 11:00", "15 12:29", (390, [89], [])),
                ("15 12:00", "15 13:30", (390, [90], [])), ("15 12:00", "15 15:00", (570, [], []))):
            self.assertEqual(table([night, sleep("Watch", start, end)])[15], expected)

    def test_evening(self):
        night = sleep("Watch", "14 22:30", "15 06:00")
        for start, end, expected in (
                ("14 18:00", "14 19:30", {15: (540, [], [])}),
                ("14 18:00", "14 19:29", {14: (None, [89], []), 15: (450, [], [])}),
                ("14 17:59", "14 20:00", {14: (None, [121], []), 15: (450, [], [])}),
                ("14 17:59", "14 20:59", {15: (630, [], [])}),
                ("14 21:00", "14 21:10", {15: (460, [], [])})):
            self.assertEqual(table([night, sleep("Watch", start, end)]), expected)

    def test_doze_between(self):
        samples = [sleep("Watch", "15 03:00", "15 08:30"), sleep("Watch", "15 09:35", "15 09:45"),
                   sleep("Watch", "15 11:00", "15 12:30")]
        self.assertEqual(table(samples), {15: (420, [10], [])})

    def test_sleepless_between(self):
        samples = [sleep("Watch", "14 22:00", "15 01:00"), sleep("Watch", "15 03:30", "15 06:00"),
                   sleep("iPhone", "14 22:00", "15 09:00", IN_BED)]
        found = night_rules.expected(samples, BERLIN)
        phone = [s for s in found["sessions"] if s["source"] == "iPhone"][0]
        self.assertEqual((phone["night"], phone["role"], phone["counted"]), (None, None, []))
        self.assertEqual({s["night"] for s in found["sessions"] if s["source"] == "Watch"},
                         {f"Watch|{instant('14 22:00')}"})


class Days(unittest.TestCase):
    def test_midnight(self):
        self.assertEqual(table([sleep("Watch", "14 14:00", "15 00:00")]), {15: (600, [], [])})
        self.assertEqual(table([sleep("Watch", "14 14:00", "14 23:59")]), {14: (599, [], [])})
        self.assertEqual(table([sleep("Watch", "14 18:00", "14 23:00")]), {15: (300, [], [])})
        self.assertEqual(table([sleep("Watch", "14 17:59", "14 23:00")]), {14: (301, [], [])})

    def test_end_at_ten(self):
        self.assertEqual(table([sleep("Watch", "14 20:00", "14 21:59")]), {14: (None, [119], [])})
        self.assertEqual(table([sleep("Watch", "14 20:00", "14 22:00")]), {15: (120, [], [])})
        self.assertEqual(table([sleep("Watch", "14 17:00", "14 19:59")]), {14: (None, [179], [])})
        self.assertEqual(table([sleep("Watch", "14 17:00", "14 20:00")]), {14: (180, [], [])})

    def test_losing_nap_is_listed_on_its_end(self):
        samples = [sleep("Watch", "14 21:30", "14 23:00"), sleep("Watch", "15 02:30", "15 10:00")]
        self.assertEqual(table(samples), {14: (None, [90], []), 15: (450, [], [])})

    def test_tie(self):
        samples = [sleep("Watch", "15 00:00", "15 04:00", DEEP),
                   sleep("Watch", "15 10:00", "15 14:00")]
        day = only(samples)
        self.assertEqual(day["main"]["deep"], 240 * MINUTE)
        self.assertEqual(len(day["additional"]), 1)

    def test_in_bed_only(self):
        samples = [sleep("iPhone", "14 23:00", "15 06:00", IN_BED),
                   sleep("Clock", "14 22:59", "15 06:00", IN_BED),
                   sleep("iPhone", "15 13:00", "15 14:00", IN_BED)]
        day = only(samples)
        self.assertEqual((day["main"]["time_in_bed"], day["naps"]), (421 * MINUTE, []))
        day = only([*samples, sleep("Watch", "15 15:00", "15 15:20")])
        self.assertEqual((day["main"], len(day["naps"])), (None, 1))

    def test_in_bed_from_the_evening(self):
        self.assertEqual(only([sleep("iPhone", "14 18:00", "14 23:00", IN_BED)])["day"],
                         "2024-01-15")
        self.assertEqual(only([sleep("iPhone", "14 17:59", "14 23:00", IN_BED)])["day"],
                         "2024-01-14")


class Clocks(unittest.TestCase):
    def test_stated_zone(self):
        # 01:00 to 08:00 in Honolulu is 12:00 to 19:00 in Berlin.
        for zone, night in ((None, False), ("Pacific/Honolulu", True)):
            samples = [sleep("Watch", "15 12:00", "15 14:00", zone=zone)]
            self.assertEqual(table(samples)[15], (120, [], []) if night else (None, [120], []))

    def test_the_last_that_states_a_zone(self):
        samples = [sleep("Watch", "15 01:00", "15 05:00", zone="Asia/Tokyo"),
                   sleep("Watch", "15 05:00", "15 08:00", zone="Pacific/Honolulu"),
                   sleep("Watch", "15 08:00", "15 09:00", zone="No/Where"),
                   sleep("Watch", "15 09:00", "15 09:10")]
        self.assertEqual(only(samples)["day"], "2024-01-14")  # 22:10 of the 14th, from 14:00

    def test_zone_of_those_that_count(self):
        samples = [sleep("Watch", "15 01:00", "15 09:00"),
                   sleep("Oura", "15 01:00", "15 09:30", zone="Pacific/Honolulu")]
        self.assertEqual(only(samples)["day"], "2024-01-15")

    def test_configured_stay(self):
        travel = [{"from": "2024-01-10", "zone": "Pacific/Honolulu"},
                  {"from": "2024-01-20", "zone": BERLIN}]
        samples = [sleep("Watch", "15 12:00", "15 19:00")]
        self.assertEqual(only(samples, travel=travel)["main"]["asleep"], 420 * MINUTE)
        night_before = [sleep("Watch", "10 01:00", "10 09:00")]
        self.assertEqual(only(night_before, travel=travel)["day"], "2024-01-10")

    def test_date_that_apia_skipped(self):
        def at(*parts):
            wall = datetime.datetime(2011, 12, *parts, tzinfo=ZONE("Pacific/Apia"))
            return int(wall.timestamp()) * 1_000

        sample = dict(sleep("Watch", "15 01:00", "15 02:00"), start=at(29, 18), end=at(29, 23))
        self.assertEqual(only([sample], "Pacific/Apia")["day"], "2011-12-31")


class Properties(unittest.TestCase):
    def sleeps(self, day):
        return ([day["main"]] if day["main"] else []) + day["naps"] + day["additional"]

    def test_lives(self):
        for seed in range(96):
            life = random_lives.life(seed)
            found = night_rules.expected_of_life(life)
            shuffled = random.Random(seed).sample(life["samples"], len(life["samples"]))
            again = night_rules.expected(shuffled, life["zone"], life["travel"])
            with self.subTest(seed=seed):
                self.assertEqual(found, again)
                self.check(life, found)

    def check(self, life, found):
        sessions = {session["id"]: session for session in found["sessions"]}
        self.assertEqual(len(sessions), len(found["sessions"]))
        shown = [sleep for day in found["days"] for sleep in self.sleeps(day)]
        for one in shown:
            stages = one["core"] + one["deep"] + one["rem"] + one["unspecified"]
            self.assertEqual(one["asleep"], stages)
            self.assertLessEqual(one["awake"], one["time_in_bed"] - one["asleep"])
            self.assertEqual(one["asleep"], sum(sessions[id]["asleep"] for id in one["sessions"]))
        listed = [id for one in shown for id in one["sessions"]]
        self.assertEqual(len(listed), len(set(listed)))
        self.assertEqual(set(listed), {id for id, one in sessions.items() if one["counted"]})
        counted = sorted(tuple(span) for one in sessions.values() for span in one["counted"]
                         if one["asleep"])
        self.assertTrue(all(a[1] <= b[0] for a, b in zip(counted, counted[1:])))
        self.assertEqual(found["days"], sorted(found["days"], key=lambda day: day["day"]))

    def test_export_holds_the_samples(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "export.xml")
            for seed in range(36):
                life = random_lives.life(seed)
                random_lives.write_export(life, path)
                self.assertEqual(read_export(path), [without_class(s) for s in life["samples"]])


def without_class(sample):
    return {name: sample[name] for name in ("source", "start", "end", "stage", "zone", "manual")}


def read_export(path):
    root = xml.etree.ElementTree.parse(path).getroot()
    exported = root.find("ExportDate").get("value")
    samples = []
    for record in root.iter("Record"):
        metadata = {entry.get("key"): entry.get("value") for entry in record}
        dates = [record.get("startDate"), record.get("endDate")]
        assert all(date[-5:] == exported[-5:] and parsed(date) < parsed(exported) for date in dates)
        stage = record.get("value").removeprefix("HKCategoryValueSleepAnalysis")
        samples.append({
            "source": record.get("sourceName"), "start": parsed(dates[0]), "end": parsed(dates[1]),
            "stage": random_lives.STAGE_NAMES.index(stage), "zone": metadata.get("HKTimeZone"),
            "manual": metadata.get("HKWasUserEntered") == "1",
        })
    return samples


def parsed(date):
    return int(datetime.datetime.strptime(date, "%Y-%m-%d %H:%M:%S %z").timestamp()) * 1_000


if __name__ == "__main__":
    unittest.main()
