"""Small inputs of users' reports that gave wrong figures, each with the figure that is right. The expected values were
calculated by hand."""

import datetime
import itertools
import json
import random
import sqlite3
import unittest
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

from support.watch import ZONE, InboxTest

from senders import hcgateway  # noqa: E402, from the folder that support.watch adds
from senders.neutral import Request  # noqa: E402

QUANTITY = "HKQuantityTypeIdentifier"
SLEEP = "HKCategoryTypeIdentifierSleepAnalysis"
BY_HAND = '<MetadataEntry key="HKWasUserEntered" value="1"/>'
UTC = datetime.timezone.utc


def export(*records, date="2024-06-01 12:00:00 +0200"):
    return ('<?xml version="1.0" encoding="UTF-8"?><HealthData locale="en_US">'
            f'<ExportDate value="{date}"/>{"".join(records)}</HealthData>')


def record(kind, source, start, end, value, unit, body=""):
    """Returns a record; times are `2024-01-15 09:00:00 +0100`, or `09:00` of that day."""
    start, end = (time if len(time) > 5 else f"2024-01-15 {time}:00 +0100" for time in (start, end))
    unit = unit.replace("<", "&lt;").replace(">", "&gt;")
    text = (f'<Record type="{QUANTITY}{kind}" sourceName="{source}" unit="{unit}" startDate="{start}" endDate="{end}"'
            f' value="{value}"')
    return f"{text}>{body}</Record>" if body else f"{text}/>"


def metric_of(kind):
    return kind[0].lower() + kind[1:]


def at(kind, source, time, value, unit, body=""):
    return record(kind, source, time, time, value, unit, body)


def sleep(source, start, end, stage="AsleepCore", body="", offset="+0100"):
    """Returns a record of sleep; times are `15 07:00` of January 2024, or have a month."""
    start, end = (f"2024-{'01-' if time[2] == ' ' else ''}{time}:00 {offset}" for time in (start, end))
    value = f' value="HKCategoryValueSleepAnalysis{stage}"' if stage else ""
    return f'<Record type="{SLEEP}" sourceName="{source}" startDate="{start}" endDate="{end}"{value}>{body}</Record>'


def entries(name, unit, *data):
    """Returns a file of Health Auto Export."""
    return json.dumps({"data": {"metrics": [{"name": name, "units": unit, "data": list(data)}]}})


def json_lines(*rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


def hozz(kind, start, end, value, unit, identifier, source, **more):
    return json_lines({
        "schemaVersion": 1, "kind": "quantity", "id": identifier, "type": QUANTITY + kind, "startDate": start, "endDate": end,
        "source": {"name": source}, "quantity": {"value": value, "unit": unit}, "metadata": {}, **more})


class Inputs(InboxTest):
    def setUp(self):
        super().setUp()
        self.config.write_text("{}")
        self.stores = itertools.count(1)

    def store(self, *runs, metrics=None, zone=ZONE, data=None, words=()):
        """Imports each run, a text or a tuple of texts; returns the name of the store."""
        data = data or f"data{next(self.stores)}"
        for run in runs:
            sources = []
            for text in (run,) if isinstance(run, str) else run:
                kind = ".xml" if text.startswith("<") else ".json" if text.startswith('{"data"') else ".jsonl"
                path = self.folder / f"{data}-{next(self.stores)}{kind}"
                path.write_text(text, encoding="utf-8")
                sources += ["--source", path]
            self.succeed("historical", *sources, "--zone", zone, "--data-dir", data,
                         *(("--metrics", metrics) if metrics else ()), *words)
        return data

    def concurrently(self, cases, store):
        """Returns each case with its store; the imports of all cases run at the same time, since they wait for the disk."""
        with ThreadPoolExecutor(6) as pool:
            return list(zip(cases, pool.map(lambda case: store(*case), cases)))

    def posted(self, *requests, place="bearer"):
        """Returns the name of a store after the posts of one phone."""
        data = f"data{next(self.stores)}"
        self.run_after_posts(data, *requests, place=place)
        return data

    def query(self, data, text):
        with closing(sqlite3.connect(f"file:{self.folder}/{data}/healthsync.sqlite?mode=ro", uri=True)) as connection:
            return connection.execute(text).fetchall()

    def figures(self, data, metric):
        return dict(self.query(data, f"SELECT day, quantity FROM daily_progress WHERE metric = '{metric}' ORDER BY day"))

    def assert_figures(self, data, metric, expected):
        found = self.figures(data, metric)
        self.assertEqual(found.keys(), expected.keys(), found)
        for day, figure in expected.items():
            self.assertAlmostEqual(found[day], figure, delta=1e-5 * abs(figure))

    def exported(self, data):
        path = self.folder / f"{data}-rows.jsonl"
        self.succeed("export", "--format", "jsonl", "--out", path, "--data-dir", data, "--zone", ZONE)
        return [json.loads(line) for line in path.read_text().splitlines()]

    def nights(self, data, zone=ZONE, days=("2024-01-01", "2024-12-31")):
        """Returns what `sleep` shows, as `2024-01-15 main 480`, and the mean of the nights."""
        shown = self.json_of("sleep", "--from", days[0], "--to", days[1], "--data-dir", data, "--zone", zone)
        found = [(sleep["day"], sleep["role"], sleep["totalSleepMinutes"]) for night in shown["nights"]
                 for sleep in (night["main"], *night["additional"]) if sleep]
        found += [(nap["day"], "nap", nap["totalSleepMinutes"]) for nap in shown["naps"]]
        lines = [f"{day} {role} {'in bed' if minutes is None else round(minutes)}" for day, role, minutes in found]
        return sorted(lines), shown["averages"]

    def lines_of(self, *sleeps):
        return [f"2024-{'01-' if line[2] == ' ' else ''}{line}" for line in sleeps]

    def assert_nights(self, data, *expected, zone=ZONE):
        self.assertEqual(self.nights(data, zone)[0], sorted(self.lines_of(*expected)))


class Nights(Inputs):
    NIGHT = sleep("Watch", "14 23:00", "15 07:00")

    def test_a_recorder_that_stopped_does_not_hide_the_night_of_another(self):
        """A night of eight hours is shown as one of eight hours, not as the two that the watch recorded."""
        early = sleep("Watch", "14 23:00", "15 01:00")
        for name, other in {
            "ring": (early, sleep("Oura", "14 23:00", "15 07:00")),
            "app without stages": (early, sleep("Pillow", "14 23:00", "15 07:00", "Asleep")),
            "replaced watch": (sleep("Watch A", "14 23:00", "15 02:00"), sleep("Watch B", "15 02:00", "15 07:00")),
        }.items():
            for order in (other, other[::-1]):
                with self.subTest(name):
                    self.assert_nights(self.store(export(*order)), "15 main 480")

    def test_a_nap_of_the_afternoon_is_no_night(self):
        """The nap is listed on its day, the next day has no night, and the average is that of the night."""
        def night(start, end, hours):
            start, end = (f"2024-01-{time}:00 +0100" for time in (start, end))
            return {"date": "2024-01-15 00:00:00 +0100", "sleepStart": start, "sleepEnd": end, "inBedStart": start, "inBedEnd": end,
                    "core": hours, "deep": 0, "rem": 0, "awake": 0, "asleep": 0, "inBed": 0, "source": "Watch"}

        def line(start, end):
            return {"type": "sleepAnalysis", "startDate": f"2024-01-{start}:00+01:00", "endDate": f"2024-01-{end}:00+01:00",
                    "value": "HKCategoryValueSleepAnalysisAsleepCore", "sourceBundleId": "Watch"}
        for name, text, nap in (
                ("export", export(self.NIGHT, sleep("Watch", "15 14:00", "15 15:30")), 90),
                ("by hand", export(self.NIGHT, sleep("Health", "15 14:00", "15 15:30", "Asleep", BY_HAND)), 90),
                ("Health Auto Export", entries("sleep_analysis", "hr", night("14 23:00", "15 07:00", 8),
                                               night("15 14:00", "15 15:00", 1)), 60),
                ("JSON Lines", json_lines(line("14T23:00", "15T07:00"), line("15T14:00", "15T15:30")), 90)):
            with self.subTest(name):
                data = self.store(text)
                self.assert_nights(data, "15 main 480", f"15 nap {nap}")
                averages = self.nights(data)[1]
                self.assertEqual((averages["nights"], averages["totalSleepMinutes"]), (1, 480))
                next_day = self.json_of("summary", "2024-01-16", "--data-dir", data, "--zone", ZONE)
                self.assertEqual((next_day["sleep"], next_day["snapshot"]), ([], None))

    def test_a_nap_that_open_wearables_posted_is_no_night(self):
        """The nap is listed on its day."""
        sleeps = [{"id": f"a1b20000-0000-4000-8000-00000000000{number}", "parentId": None, "stage": "asleepCore",
                   "startDate": start, "endDate": end, "zoneOffset": None, "values": None, "metadata": [],
                   "source": {"name": "Watch", "deviceType": "watch"}} for number, (start, end) in enumerate((
                       ("2024-01-14T22:00:00Z", "2024-01-15T06:00:00Z"), ("2024-01-15T13:00:00Z", "2024-01-15T14:30:00Z")))]
        body = {"provider": "apple", "sdkVersion": "0.6.0", "syncTimestamp": "2024-01-16T10:30:00Z",
                "data": {"records": [], "sleep": sleeps, "workouts": []}}
        data = self.posted(Request("POST", "/api/v1/sdk/users/anna/sync", {"Content-Type": "application/json"},
                                   json.dumps(body).encode()))
        self.assert_nights(data, "15 main 480", "15 nap 90")

    def test_a_nap_on_the_day_before_the_clocks_change(self):
        """The nap is listed on its day in spring and in autumn."""
        for night, nap, offset in (("03-29 23:00", "03-30", "+0100"), ("10-25 23:00", "10-26", "+0200")):
            with self.subTest(nap):
                data = self.store(export(sleep("Watch", night, f"{nap} 07:00", offset=offset),
                                         sleep("Watch", f"{nap} 14:00", f"{nap} 15:30", offset=offset),
                                         date="2024-12-01 12:00:00 +0100"))
                self.assert_nights(data, f"{nap} main 480", f"{nap} nap 90")

    def test_a_nap_of_today_is_shown_today(self):
        """In the evening, `sleep` and `summary` show the nap of the afternoon."""
        now = datetime.datetime.now(UTC)
        # A zone in which it is evening.
        shift = next(hours for hours in range(-12, 15) if (now.hour + hours) % 24 == 20)
        zone, today = f"Etc/GMT{-shift:+}", (now + datetime.timedelta(hours=shift)).date()

        def stretch(day, first, last):
            start, end = (datetime.datetime.combine(today + datetime.timedelta(days=number), datetime.time(*time)) - (
                datetime.timedelta(hours=shift)) for number, time in ((day, first), (0, last)))
            return (f'<Record type="{SLEEP}" sourceName="Watch" startDate="{start} +0000" endDate="{end} +0000"'
                    ' value="HKCategoryValueSleepAnalysisAsleepCore"/>')
        text = export(stretch(-1, (23,), (7,)), stretch(0, (14,), (15, 30)), date=f"{now:%Y-%m-%d %H:%M:%S} +0000")
        data = self.store(text, zone=zone)
        shown = self.json_of("sleep", str(today), "--data-dir", data, "--zone", zone)
        self.assertEqual([nap["totalSleepMinutes"] for nap in shown["naps"]], [90])
        summary = self.json_of("summary", str(today), "--data-dir", data, "--zone", zone)
        self.assertEqual([(one["role"], one["totalSleepMinutes"]) for one in summary["sleep"]], [("main", 480), ("nap", 90)])

    def test_sleep_by_day_counts_on_the_day_on_which_it_ends(self):
        """Three sleeps around noon are the main sleeps of their three days; four hours between two nights are additional."""
        for name, sleeps, expected in (
                ("shift worker", [("15 12:10", "15 18:30"), ("16 11:50", "16 18:50"), ("17 12:10", "17 18:40")],
                 ["15 main 380", "16 main 420", "17 main 390"]),
                ("alone", [("15 12:30", "15 19:30")], ["15 main 420"]),
                ("between two nights", [("14 23:00", "15 07:00"), ("15 13:00", "15 17:00"), ("15 23:00", "16 07:00")],
                 ["15 main 480", "15 additional 240", "16 main 480"])):
            with self.subTest(name):
                self.assert_nights(self.store(export(*[sleep("Watch", *times) for times in sleeps])), *expected)

    def test_sleep_outranks_time_in_bed(self):
        """Seven hours asleep after eight hours in bed are the night, and the average includes them."""
        bed = sleep("Clock", "15 13:00", "15 21:00", "InBed")
        data = self.store(export(bed, sleep("Clock", "15 23:00", "16 06:00", "Asleep")))
        nights, averages = self.nights(data)
        self.assertIn("2024-01-16 main 420", nights)
        self.assertEqual((averages["nights"], averages["totalSleepMinutes"]), (1, 420))

    def test_a_long_wake_does_not_cut_the_night(self):
        """203 and 194 minutes with a wake of more than an hour are a night of 6 h 37 min."""
        for wake in ("03:24", "05:23"):
            end = datetime.datetime.strptime(wake, "%H:%M") + datetime.timedelta(minutes=194)
            with self.subTest(wake):
                self.assert_nights(self.store(export(
                    sleep("Watch", "14 23:00", "15 02:23"), sleep("Watch", f"15 {wake}", f"15 {end:%H:%M}"))), "15 main 397")

    def test_sleep_without_a_value_is_time_in_bed(self):
        """An export of an old phone shows the time in bed and rejects nothing."""
        data = self.store(export(sleep("Clock", "14 23:00", "15 07:00", None)))
        self.assert_nights(data, "15 main in bed")
        self.assertEqual(self.query(data, "SELECT in_bed_ms / 60000 FROM sleep_episode"), [(480,)])


class Events(Inputs):
    def test_events_of_several_apps_add_up(self):
        """The day shows everything that the user drank, ate, took or logged."""
        cases = (
            ("within an hour", "DietaryWater", "mL", [("09:00", 250), ("09:20", 300)], 550),
            ("over the hour", "DietaryWater", "mL", [("09:59", 250), ("10:01", 300)], 550),
            ("equal", "DietaryWater", "mL", [("09:00", 250), ("09:20", 250)], 500),
            ("three apps", "DietaryWater", "mL", [("09:00", 250), ("09:20", 300), ("09:40", 100)], 650),
            ("caffeine", "DietaryCaffeine", "mg", [("09:00", 80), ("09:20", 95)], 175),
            ("energy", "DietaryEnergyConsumed", "kcal", [("09:00", 600), ("09:20", 150)], 750),
            ("insulin", "InsulinDelivery", "IU", [("09:00", 5), ("09:20", 3)], 8),
            ("falls", "NumberOfTimesFallen", "count", [("09:00", 1), ("09:20", 1)], 2),
            ("alcohol", "NumberOfAlcoholicBeverages", "count", [("09:00", 1), ("09:20", 2)], 3),
            ("inhaler", "InhalerUsage", "count", [("09:00", 1), ("09:20", 2)], 3),
            ("protein", "DietaryProtein", "g", [("09:00", 30), ("09:20", 20)], 50))

        def store(name, kind, unit, events, expected):
            return self.store(export(*[at(kind, app, time, value, unit) for app, (time, value) in zip("ABC", events)]),
                              metrics=metric_of(kind))
        for (name, kind, _, _, expected), data in self.concurrently(cases, store):
            with self.subTest(name):
                self.assert_figures(data, metric_of(kind), {"2024-01-15": expected})

    def test_drinks_of_other_inputs_add_up(self):
        """The day shows both drinks, also of Health Auto Export, JSON Lines, and one by hand."""
        lines = [{"type": "dietaryWater", "startDate": time, "endDate": time, "value": value, "unit": "mL", "sourceBundleId": app}
                 for app, time, value in (("A", "2024-01-15T09:00:00+01:00", 250), ("B", "2024-01-15T09:20:00+01:00", 300))]
        for name, text in {
            "Health Auto Export": entries(
                "dietary_water", "mL", {"date": "2024-01-15 08:00:07 +0100", "qty": 250, "source": "WaterMinder"},
                {"date": "2024-01-15 08:20:09 +0100", "qty": 300, "source": "Health"}),
            "JSON Lines": json_lines(*lines),
            "by hand": export(
                at("DietaryWater", "Health", "09:00", 250, "mL", BY_HAND), at("DietaryWater", "B", "09:20", 300, "mL")),
        }.items():
            with self.subTest(name):
                self.assert_figures(self.store(text, metrics="dietaryWater"), "dietaryWater", {"2024-01-15": 550})

    def test_steps_without_length_of_watch_and_phone_do_not_add_up(self):
        """100 steps of a watch and 80 of a phone within an hour are 100."""
        text = export(at("StepCount", "Watch", "09:00", 100, "count"), at("StepCount", "iPhone", "09:30", 80, "count"))
        self.assert_figures(self.store(text), "steps", {"2024-01-15": 100})

    def test_entries_of_a_renamed_source_count_once(self):
        """After a phone or watch was renamed, the next export shows the same figures."""
        for name, kind, metric, unit, value, body, expected in (
                ("by hand", "DietaryWater", "dietaryWater", "mL", 250, BY_HAND, 3000),
                ("of an app", "DietaryWater", "dietaryWater", "mL", 250, "", 3000),
                ("heart rates", "HeartRate", "heartRate", "count/min", 60, "", 60)):
            with self.subTest(name):
                former, later = (export(*[at(kind, source, f"{hour:02}:00", value, unit, body) for hour in range(8, 20)],
                                        date=f"2024-06-0{day} 12:00:00 +0200")
                                 for day, source in ((1, "Annas iPhone"), (2, "Phone of Anna")))
                data = self.store(former, later, metrics=metric)
                self.assert_figures(data, metric, {"2024-01-15": expected})
                if kind == "HeartRate":
                    self.assertEqual(self.query(data, "SELECT count FROM daily_progress"), [(12,)])

    def test_events_that_differ_in_their_uuid_only_count_each(self):
        """Three glasses of one moment are 750 mL and three rows of an export."""
        moment = "2024-01-15T09:00:00Z"
        data = self.store(json_lines(*[{
            "type": "dietaryWater", "startDate": moment, "endDate": moment, "value": 250, "unit": "mL", "sourceBundleId": "Water",
            "uuid": f"5d1f0a52-79c5-4f4a-8d0e-2f7f3ad0b00{number}"} for number in range(3)]), metrics="dietaryWater")
        self.assert_figures(data, "dietaryWater", {"2024-01-15": 750})
        self.assertEqual(len(self.exported(data)), 3)


class Posts(Inputs):
    def webhook(self, **lists):
        return Request("POST", "/webhook", {"Content-Type": "application/json"}, json.dumps(
            {"timestamp": "2024-01-15T12:00:00Z", "app_version": "1.9.19", **lists}).encode())

    def test_a_record_that_is_sent_again_or_corrected_counts_once(self):
        """The same record twice is one, and a corrected weight is the weight."""
        steps = {"count": 1000, "start_time": "2024-01-15T09:00:00Z", "end_time": "2024-01-15T10:00:00Z",
                 "metadata": {"data_origin": "com.a"}}
        self.assert_figures(self.posted(self.webhook(steps=[steps]), self.webhook(steps=[steps])), "steps", {"2024-01-15": 1000})
        self.config.write_text(json.dumps({"metrics": ["bodyMass"]}))
        weights = [self.webhook(weight=[{"kilograms": value, "time": "2024-01-15T07:00:00Z", "metadata": steps["metadata"]}])
                   for value in (80.5, 79.5)]
        self.assert_figures(self.posted(*weights), "bodyMass", {"2024-01-15": 79.5})

    def test_a_percentage_of_a_shortcut_is_a_fraction(self):
        """An oxygen saturation of 97 % is not 9,700 %."""
        self.config.write_text(json.dumps({"metrics": ["oxygenSaturation"]}))
        time = "2024-01-15T09:00:00+01:00"
        data = self.posted(Request("POST", "/shortcuts", {"Content-Type": "text/plain"},
                                   f"oxygenSaturation,{time},{time},97,%\n".encode()))
        self.assert_figures(data, "oxygenSaturation", {"2024-01-15": 0.97})

    def test_variability_of_health_connect_is_kept(self):
        """RMSSD of a post and of an export are the same metric."""
        self.config.write_text(json.dumps({"metrics": ["heartRateVariabilityRMSSD"]}))
        posted = self.posted(self.webhook(heart_rate_variability=[{"rmssd_millis": 38.5, "time": "2024-01-15T06:10:00Z"}]))
        stated = self.store(export(at("HeartRateVariabilityRMSSD", "Watch", "07:10", 38.5, "ms")),
                            metrics="heartRateVariabilityRMSSD")
        for data in (posted, stated):
            self.assert_figures(data, "heartRateVariabilityRMSSD", {"2024-01-15": 38.5})


    def test_of_overlapping_sessions_of_an_app_the_one_written_last_counts(self):
        """A session that is written again under another identifier replaces the former one."""
        def session(number, start, end, modified):
            return hcgateway.request("POST", "/api/v2/sync/SleepSession", {"data": {
                "startTime": f"2024-01-{start}Z", "endTime": f"2024-01-{end}Z", "stages": [], "metadata": {
                    "id": f"5d1f0a52-79c5-4f4a-8d0e-2f7f3ad0b00{number}", "dataOrigin": "com.a",
                    "lastModifiedTime": f"2024-01-{modified}Z"}}})
        first = session(1, "14T22:00:00", "15T06:00:00", "15T07:00:00")
        second = session(2, "14T23:30:00", "15T05:30:00", "15T08:00:00")
        for order in ((first, second), (second, first)):
            self.assert_nights(self.posted(*order), "15 main 360")

    def test_the_type_of_a_device_may_be_a_word(self):
        """500 steps of a watch and 480 of a phone in one hour are 500, whatever the names of their apps."""
        def steps(value, app, kind, number):
            return {"type": "STEP_COUNT", "zoneOffset": "+01:00", "startDate": "2024-01-15T09:00:00Z", "endDate": "2024-01-15T10:00:00Z", "value": value,
                    "unit": "count", "id": f"5d1f0a52-79c5-4f4a-8d0e-2f7f3ad0b00{number}",
                    "source": {"appId": app, "deviceModel": f"SM-{number}", "deviceType": kind}}
        for kind in ("watch", "ring", "fitness_band"):
            with self.subTest(kind):
                body = {"provider": "samsung", "sdkVersion": "1.0", "data": {"records": [
                    steps(500, "com.b", kind, 1), steps(480, "com.a", "phone", 2)], "sleep": [], "workouts": []}}
                found = self.posted(Request("POST", "/api/v1/sdk/users/1/sync", {"Content-Type": "application/json"},
                                            json.dumps(body).encode()))
                self.assert_figures(found, "steps", {"2024-01-15": 500})


class Values(Inputs):
    def test_values_that_cannot_be_do_not_count(self):
        """Percentages are fractions, and impossible temperatures and weights change no figure."""
        for name, kind, unit, values, expected in (
                ("97 %", "OxygenSaturation", "%", (97, 0.95), 0.96), ("25 %", "BodyFatPercentage", "%", (25,), 0.25),
                ("-300 degC", "BodyTemperature", "degC", (36.6, -300), 36.6), ("-80 kg", "BodyMass", "kg", (80.5, -80), 80.5),
                ("0 kg", "BodyMass", "kg", (80.5, 0), 80.5)):
            with self.subTest(name):
                metric = metric_of(kind)
                text = export(*[at(kind, "A", f"{8 + hour:02}:00", value, unit) for hour, value in enumerate(values)])
                self.assert_figures(self.store(text, metrics=metric), metric, {"2024-01-15": expected})

    def test_more_than_100_percent_is_rejected(self):
        """A saturation of 140 % is not 1.4 %."""
        def feed(*values):
            return entries("blood_oxygen_saturation", "%", *[
                {"date": f"2024-01-15 {8 + number:02}:00:07 +0100", "qty": value, "source": "A"}
                for number, value in enumerate(values)])
        data = self.store(feed(97, 140, 100.00000000000001, 250), metrics="oxygenSaturation")
        self.assert_figures(data, "oxygenSaturation", {"2024-01-15": 0.985})

    def test_a_saturation_of_zero_does_not_count(self):
        data = self.store(export(at("OxygenSaturation", "A", "08:00", 0, "%"), at("OxygenSaturation", "A", "09:00", 0.96, "%")),
                          metrics="oxygenSaturation")
        self.assert_figures(data, "oxygenSaturation", {"2024-01-15": 0.96})

    def test_the_offsets_of_lines_are_evidence_of_the_zone(self):
        """Walks at -04:00 are not imported on a machine in UTC without a word; instants of a program in UTC are no evidence."""
        walks = {offset: json_lines(*[{
            "startDate": f"2024-06-0{day}T20:30:00{offset}", "endDate": f"2024-06-0{day}T20:40:00{offset}",
            "sourceBundleId": "a", "count": 100} for day in range(1, 6)]) for offset in ("-04:00", "Z", "+00:00")}
        for offset, status in (("-04:00", 78), ("Z", 0), ("+00:00", 0)):
            (self.folder / "walks.jsonl").write_text(walks[offset])
            self.environment["TZ"] = "UTC"
            result = self.run_program("historical", "--source", "walks.jsonl", "--data-dir", f"at{status}{offset[0]}")
            self.assertEqual(result.returncode, status, result.stderr)

    def test_an_unknown_value_or_unit_is_reported_with_its_place(self):
        """The report names type, value or unit, and byte."""
        bleeding, skin = "HKCategoryTypeIdentifierBleedingAfterMenopause", f"{QUANTITY}ElectrodermalActivity"
        category = f'<Record type="{bleeding}" sourceName="A" startDate="2024-01-15 09:00:00 +0100" ' \
            'endDate="2024-01-15 09:00:00 +0100" value="{}"/>'
        for name, text, words in (
                ("value", export(category.format(2), category.format("HKCategoryValueNew")), (bleeding, "HKCategoryValueNew")),
                ("unit", export(*[at("ElectrodermalActivity", "A", "09:00", 5, unit) for unit in ("mcS", "S")]), (skin, '"S"'))):
            with self.subTest(name):
                path = self.folder / f"{name}.xml"
                path.write_text(text)
                result = self.json_of("historical", "--source", path, "--types", "all", "--zone", ZONE, "--data-dir", name)
                source, = result["sources"]
                self.assertEqual((source["stored"], sum(source["rejected"].values())), (1, 1))
                problem, = source["problems"]
                self.assertEqual(problem["byteOffset"], text.rindex("<Record"))
                for word in words:
                    self.assertIn(word, problem["what"])

    def test_a_member_that_occurs_twice_is_reported(self):
        """A line with two counts is not read as the first one without a word."""
        (self.folder / "lines.jsonl").write_text('{"startDate":"2024-01-15T08:00:00Z","endDate":"2024-01-15T08:10:00Z",'
                                                 '"sourceBundleId":"a","count":100,"count":900}\n')
        source, = self.json_of("historical", "--source", "lines.jsonl", "--zone", ZONE, "--data-dir", "twice")["sources"]
        self.assertEqual((source["stored"], source["rejected"]), (0, {"a member occurs twice": 1}))

    def test_every_record_of_an_export_is_in_a_count(self):
        """`inspect` counts records of types without the usual prefix, and says that its times are UTC."""
        goals = [at("Goal", "A", f"11:0{minute}", 480, "min").replace(f"{QUANTITY}Goal", "HKDataTypeSleepDurationGoal")
                 for minute in range(4)]
        (self.folder / "goals.xml").write_text(export(
            *[at("StepCount", "A", f"09:{minute:02}", 10, "count") for minute in range(47)],
            *[at("StepCount", "A", f"10:{minute:02}", "many", "count") for minute in range(3)], *goals))
        reading = self.json_of("inspect", self.folder / "goals.xml")["sources"][0]["reading"]
        self.assertEqual((reading["read"], sum(reading["rejected"].values()), reading["notSelected"]), (54, 3, 4))
        self.assertEqual(reading["skipped"], {"HKDataTypeSleepDurationGoal": 4})
        self.assertIn("times: UTC", self.succeed("inspect", self.folder / "goals.xml").stdout)

    def test_the_hour_in_which_clocks_move_by_half_an_hour_ends_there(self):
        """In Caracas, the half hour from 2:00 and the hour from 3:00 of 2016-05-01 have their steps."""
        walk = record("StepCount", "iPhone", "2016-05-01 06:30:00 +0000", "2016-05-01 08:00:00 +0000", 900, "count")
        data = self.store(export(walk), zone="America/Caracas")
        shown = self.json_of("steps", "2016-05-01", "--by", "hour", "--data-dir", data, "--zone", "America/Caracas")
        self.assertEqual([(hour["start"], hour["steps"]) for hour in shown["periods"][0]["hours"] if hour["steps"]],
                         [("2016-05-01T02:00:00-04:30", 300), ("2016-05-01T03:00:00-04:00", 600)])


class Units(Inputs):
    IDENTIFIER = "5d1f0a52-79c5-4f4a-8d0e-2f7f3ad0b001"
    NAME = "Anna’s iPhone"
    # Hozz, JSON Lines, and a file of Health Auto Export state the value of an app.
    CASES = (
        ("DistanceWalkingRunning", "walking_running_distance", "walkingDistance", "mi", "0.230651", (
            ("Hozz", "m", 371.19718044428157), ("JSON Lines", "m", 371.19718044428157),
            ("Health Auto Export", "km", 0.37119718044428157), ("JSON Lines", "mi", 0.23065123456789)), 0.371197),
        ("ActiveEnergyBurned", "active_energy", "activeEnergy", "kJ", "51.6543", (
            ("Hozz", "kcal", 12.3456789), ("Health Auto Export", "kcal", 12.3456789)), 12.3457),
        ("DietaryWater", "dietary_water", "dietaryWater", "fl_oz_us", "8.45351", (
            ("Hozz", "mL", 250), ("Health Auto Export", "mL", 250), ("JSON Lines", "mL", 250)), 250),
        ("BodyMass", "weight_body_mass", "bodyMass", "lb", "154.324", (("Hozz", "kg", 70.0001),), 70.0001),
        ("BodyTemperature", "body_temperature", "bodyTemperature", "degF", "98.6", (("Hozz", "degC", 37),), 37),
        ("BloodGlucose", "blood_glucose", "bloodGlucose", "mmol<180.1558800000541>/L", "5.55075", (("Hozz", "mg/dL", 100),), 100),
    )

    def feed(self, app, kind, name, unit, value):
        start, end = "2024-03-05T08:00:07.250Z", "2024-03-05T08:05:12.750Z"
        if app == "Hozz":
            return hozz(kind, start, end, value, unit, self.IDENTIFIER, self.NAME)
        if app == "JSON Lines":
            return json_lines({"type": QUANTITY + kind, "startDate": start, "endDate": end, "value": value, "unit": unit,
                               "sourceBundleId": self.NAME})
        start, end = (f"{time[:10]} {time[11:19]} +0000" for time in (start, end))
        return entries(name, unit, {"date": start, "start": start, "end": end, "qty": value, "source": self.NAME})

    def test_an_export_in_another_unit_beside_a_phone_app_counts_once(self):
        """A walk in miles, energy in kilojoules or a drink in ounces is shown once beside the app's figure, and is one row."""
        cases = [(case, app, order) for case in self.CASES for app in case[5] for order in range(3)]

        def store(case, app, order):
            kind, name, metric, unit, text = case[:5]
            stated = export(record(kind, self.NAME, "2024-03-05 08:00:07 +0000", "2024-03-05 08:05:12 +0000", text, unit))
            posted = self.feed(app[0], kind, name, *app[1:])
            data = self.store(*([(stated, posted)], [stated, posted], [posted, stated])[order], metrics=metric)
            return data, len(self.exported(data))
        for (case, app, order), (data, rows) in self.concurrently(cases, store):
            with self.subTest(kind=case[0], app=app, order=order):
                self.assert_figures(data, case[2], {"2024-03-05": case[6]})
                self.assertEqual(rows, 1)

    def test_many_walks_in_miles_beside_a_phone_app_count_once(self):
        """Twenty days of walks in miles and in meters are as long as those of the app alone."""
        chance, lines, records, expected = random.Random(1), [], [], {}
        for day in range(1, 21):
            for hour in range(8, 20):
                value = chance.uniform(1, 1900)
                times = [f"2024-03-{day:02} {hour:02}:{minute} +0000" for minute in ("00:07", "09:12")]
                expected[f"2024-03-{day:02}"] = expected.get(f"2024-03-{day:02}", 0) + value / 1000
                records.append(record("DistanceWalkingRunning", "iPhone", *times, f"{value / 1609.344:.6g}", "mi"))
                lines.append({"type": "distanceWalkingRunning", "startDate": times[0][:10] + f"T{hour:02}:00:07.5Z", "unit": "m",
                              "endDate": times[1][:10] + f"T{hour:02}:09:12.25Z", "value": value, "sourceBundleId": "iPhone"})
        data = self.store(export(*records), json_lines(*lines), metrics="walkingDistance")
        self.assert_figures(data, "walkingDistance", expected)

    def test_sixty_measurements_in_two_units_are_sixty_rows(self):
        """Weights in pounds, temperatures in Fahrenheit and glucose in mmol/L are exported once."""
        chance, records, lines = random.Random(2), [], []
        for kind, unit, other, written, least, most in (
                ("BodyMass", "lb", "kg", lambda value: value / 0.45359237, 60, 90),
                ("BodyTemperature", "degF", "degC", lambda value: value * 9 / 5 + 32, 36, 39),
                ("BloodGlucose", "mmol<180.1558800000541>/L", "mg/dL", lambda value: value / 18.01558800000541, 70, 180)):
            for minute in range(20):
                value, start = chance.uniform(least, most), f"2024-03-05 08:{minute:02}:00 +0000"
                records.append(record(kind, "iPhone", start, start, f"{written(value):.6g}", unit))
                time = f"2024-03-05T08:{minute:02}:00Z"
                lines.append({"type": QUANTITY + kind, "startDate": time, "endDate": time, "value": value, "unit": other,
                              "sourceBundleId": "iPhone"})
        data = self.store(export(*records), json_lines(*lines), metrics="bodyMass,bodyTemperature,bloodGlucose")
        self.assertEqual(len(self.exported(data)), 60)

    def changed(self, first, second, new, metrics):
        """Imports both exports, the second with the first one's samples in another unit and with new samples. Returns the store,
        its figures after each, and the number of its rows."""
        text = "SELECT metric, day, quantity FROM daily_progress ORDER BY metric, day"
        data = self.store(export(*first, date="2024-02-01 08:00:00 +0100"), metrics=metrics)
        before = self.query(data, text)
        self.store(export(*second, *new, date="2024-03-01 08:00:00 +0100"), metrics=metrics, data=data)
        return data, before, self.query(data, text), len(self.exported(data))

    def test_a_changed_preference_of_a_unit_changes_no_figure(self):
        """The next export, in miles, ounces or kilojoules, is that of the same phone: new samples count, former figures stay."""
        new = [record("StepCount", "iPhone", "2024-02-20 09:00:00 +0100", "2024-02-20 09:10:00 +0100", 500, "count")]
        kilometers = [number / 10 + 0.03457 for number in range(1, 7)]

        def rows(kind, unit, values):
            times = ([f"{8 + minute // 60:02}:{minute % 60:02}" for minute in (start, start + 1)] for start in range(0, 600, 5))
            return [record(kind, "iPhone", *pair, f"{value:.6g}", unit) for pair, value in zip(times, values)]
        steps, rates = rows("StepCount", "count", range(101, 107)), rows("HeartRate", "count/min", range(60, 90))
        calories = [9.2345 + number / 7 for number in range(48)]
        metrics = "steps,walkingDistance,activeEnergy,heartRate,dietaryWater"
        cases = (
            ("miles and steps", steps, "DistanceWalkingRunning", ("km", kilometers), ("mi", 1 / 1.609344), new),
            ("watch", rates, "ActiveEnergyBurned", ("kcal", calories), ("kJ", 4.184), new),
            ("miles alone", [], "DistanceWalkingRunning", ("km", kilometers), ("mi", 1 / 1.609344), []),
            ("ounces alone", [], "DietaryWater", ("mL", [250] * 12), ("fl_oz_us", 1 / 29.5735295625), []),
            ("kilojoules alone", [], "ActiveEnergyBurned", ("kcal", calories), ("kJ", 4.184), []))

        def store(name, shared, kind, former, later, fresh):
            written = [float(f"{value:.6g}") * later[1] for value in former[1]]
            return self.changed(shared + rows(kind, *former), shared + rows(kind, later[0], written), fresh, metrics)
        for (name, shared, _, former, _, fresh), (data, before, after, count) in self.concurrently(cases, store):
            with self.subTest(name):
                self.assertEqual([row for row in after if row[1] == "2024-01-15"], before)
                self.assertEqual(count, len(shared) + len(former[1]) + len(fresh))
                self.assertEqual(self.figures(data, "steps").get("2024-02-20"), 500 if fresh else None)


class Entries(Inputs):
    def test_heart_rates_on_whole_and_half_minutes_are_single_measurements(self):
        """180 at 8:04:00 and 90 at 8:04:30 are two measurements with the maximum 180."""
        data = self.store(entries("heart_rate", "bpm", *[
            {"date": f"2024-01-15 08:04:{second} +0100", "Min": rate, "Avg": rate, "Max": rate, "source": "Watch"}
            for second, rate in (("00", 180), ("30", 90))]))
        self.assertEqual(self.query(data, "SELECT minimum, maximum, count FROM daily_progress"), [(90, 180, 2)])

    def test_entries_on_a_whole_minute_beside_others_are_no_buckets(self):
        """Glasses, meals and injections of one minute add up, and so do entries on and within a minute."""
        def rows(*values):
            return [{"date": f"2024-01-15 {time} +0100", "qty": value, "source": source} for time, value, source in values]
        cases = (
            ("dietary_water", "mL", "dietaryWater", rows(("08:00:00", 250, "A"), ("08:20:09", 300, "A")), 550),
            ("dietary_water", "mL", "dietaryWater", rows(("08:00:00", 250, "A"), ("08:20:09", 300, "B")), 550),
            ("dietary_water", "mL", "dietaryWater",
             rows(("08:00:00", 250, "A"), ("08:00:00", 300, "B"), ("08:07:00", 100, "A")), 650),
            ("dietary_water", "mL", "dietaryWater", rows(*[("08:00:07", 250, "A")] * 2), 500),
            ("dietary_energy", "kcal", "dietaryEnergyConsumed", rows(
                ("12:00:00", 200, "A"), ("12:00:00", 300, "A"), ("12:00:00", 150, "A"), ("12:31:00", 90, "A")), 740),
            ("protein", "g", "dietaryProtein", rows(*[("12:00:00", value, "A") for value in (20, 30, 15)]), 65),
            ("insulin_delivery", "IU", "insulinDelivery",
             rows(("12:00:00", 5, "A"), ("12:00:00", 3, "A"), ("12:31:00", 1, "A")), 9),
            ("step_count", "count", "steps", rows(("08:03:00", 100, "A"), ("08:03:20", 50, "A"), ("08:10:10", 200, "A")), 350),
            # Minutes throughout are buckets: the largest of one bucket counts.
            ("step_count", "count", "steps", rows(("08:03:00", 100, "A"), ("08:03:00", 90, "B"), ("08:04:00", 50, "A")), 150))

        def store(name, unit, metric, data, _):
            return self.store(entries(name, unit, *data), metrics=metric)
        for (name, _, metric, data, expected), found in self.concurrently(cases, store):
            with self.subTest(name, data=data):
                self.assert_figures(found, metric, {"2024-01-15": expected})

    def test_a_night_that_is_stated_again_with_another_start_is_replaced(self):
        """What a later file says of most of a stretch counts; what it does not mention stays."""
        def night(*stretches):
            return entries("sleep_analysis", "hr", *[
                {"startDate": f"2024-01-{start}:00 +0100", "endDate": f"2024-01-{end}:00 +0100", "value": stage, "source": "Watch"}
                for start, end, stage in stretches])
        for first, second, minutes in (
                ([("14 22:00", "15 06:00", "Core")], [("14 23:30", "15 06:00", "Core")], 390),
                ([("14 22:00", "15 02:00", "Core"), ("15 02:00", "15 06:00", "REM")],
                 [("14 22:30", "15 01:00", "Core"), ("15 01:00", "15 06:30", "REM")], 480),
                ([("14 22:00", "15 03:00", "Core")], [("15 02:50", "15 06:00", "Core")], 480),
                ([("14 22:00", "15 06:00", "In Bed")], [("14 23:00", "15 06:00", "Core")], 420)):
            with self.subTest(first=first):
                self.assert_nights(self.store(night(*first), night(*second)), f"15 main {minutes}")

    def test_the_mean_of_the_day_after_the_autumn_change_is_its_own(self):
        """In New York, means of 80 and 100 of two days are 80 and 100 though the first day has 25 hours."""
        data = self.store(entries("heart_rate", "bpm", *[
            {"date": f"2023-11-0{day} 00:00:00 -0{offset}00", "Min": rate, "Avg": rate, "Max": rate, "source": "Watch"}
            for day, offset, rate in ((5, 4, 80), (6, 5, 100))]), zone="America/New_York")
        self.assert_figures(data, "heartRate", {"2023-11-05": 80, "2023-11-06": 100})

    def test_an_entry_without_source_beside_an_export_counts_once(self):
        """One heart rate of both is one measurement, in any order."""
        stated = export(record("HeartRate", "Watch", "2024-01-15 08:04:07 +0100", "2024-01-15 08:04:07 +0100", 61, "count/min"))
        feed = entries("heart_rate", "bpm", {"date": "2024-01-15 08:04:07 +0100", "Min": 61, "Avg": 61, "Max": 61})
        for runs in ([(stated, feed)], [stated, feed], [feed, stated]):
            self.assertEqual(self.query(self.store(*runs), "SELECT count FROM daily_progress"), [(1,)])

    def test_a_number_marks_an_entry_by_hand(self):
        """5,000 steps by hand count besides 200 of a phone, also if the mark of Hozz is the number 1."""
        walk = hozz("StepCount", "2024-01-15T08:00:00Z", "2024-01-15T08:30:00Z", 200, "count",
                    "5d1f0a52-79c5-4f4a-8d0e-2f7f3ad0b001", "iPhone")
        typed = hozz("StepCount", "2024-01-15T08:10:00Z", "2024-01-15T08:10:00Z", 5000, "count",
                     "5d1f0a52-79c5-4f4a-8d0e-2f7f3ad0b002", "Health",
                     metadata={"HKWasUserEntered": {"type": "number", "value": 1}})
        self.assert_figures(self.store(walk + typed), "steps", {"2024-01-15": 5200})

    def test_mindful_minutes_are_read(self):
        """Sessions of Health Auto Export are stored with their length."""
        data = self.store(entries("mindful_minutes", "min", {"date": "2024-01-15 08:00:00 +0000", "qty": 20, "source": "Calm"}),
                          words=("--types", "all"))
        row, = self.exported(data)
        self.assertEqual((row["type"], row["startDate"], row["endDate"]), (
            "HKCategoryTypeIdentifierMindfulSession", "2024-01-15T08:00:00Z", "2024-01-15T08:20:00Z"))


if __name__ == "__main__":
    unittest.main()
