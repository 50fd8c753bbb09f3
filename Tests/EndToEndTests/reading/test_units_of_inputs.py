"""An export in any unit beside a feed in any unit: each measurement counts once and is stored once, and a changed unit
preference changes nothing."""

import itertools
import json
import os
import random
import sqlite3
import unittest
from contextlib import closing

from support import life_in_units
from support.harness import Peer, ProgramTest
from support.life_in_units import FEEDS, METRICS, SOURCE

ROUNDS = int(os.environ.get("HEALTHSYNC_ROUNDS", "4"))


class UnitsTest(ProgramTest):
    def sync(self, *sources, data="data", words=(), command="historical", status=0):
        named = [word for source in sources for word in ("--source", source)]
        result = self.run_program(command, *named, "--metrics", METRICS + ",waterTemperature,steps,heartRate", "--zone", "UTC",
                                  "--data-dir", data, *words)
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        return result.stdout + result.stderr

    def figures(self, data="data"):
        with closing(sqlite3.connect(f"file:{self.folder}/{data}/healthsync.sqlite?mode=ro", uri=True)) as connection:
            rows = connection.execute("SELECT metric, day, quantity, count FROM daily_progress").fetchall()
        return {(metric, day): (quantity, count) for metric, day, quantity, count in rows}

    def stored(self, data="data"):
        """Returns the measurements that the program exports."""
        path = self.folder / "rows.jsonl"
        path.unlink(missing_ok=True)
        self.succeed("export", "--format", "jsonl", "--out", path, "--data-dir", data, "--zone", "UTC")
        return [json.loads(line) for line in path.read_text().splitlines()]

    def assert_figures(self, data, expected, words=""):
        found = self.figures(data)
        self.assertEqual(found.keys(), expected.keys(), words)
        for key, (quantity, count) in expected.items():
            self.assertEqual(found[key][1], count, f"{key} {words}")
            self.assertAlmostEqual(found[key][0], quantity, delta=1e-8 * abs(quantity), msg=f"{key} {words}")


class OneLife(UnitsTest):
    """Acceptance 2."""

    def test_every_pair_of_units_digits_feeds_and_orders_gives_the_life_alone(self):
        chance = random.Random(35)
        items = life_in_units.life(chance)
        self.sync(life_in_units.hozz(self.folder / "alone.ndjson", items, 0), data="alone")
        expected = self.figures("alone")
        self.assertEqual(len(expected), 6)
        every = list(itertools.product(range(3), (6, None), FEEDS, range(3), (0, 1, 2)))
        cases = every if ROUNDS > 4 else chance.sample(every, 18)
        for number, (unit, digits, feed, other, order) in enumerate(cases):
            data, words = f"case{number}", f"unit {unit}, {digits} digits, {feed} in unit {other}, order {order}"
            export = life_in_units.export(self.folder / "export.xml", items, unit, digits)
            lines = FEEDS[feed](self.folder / feed, items, other)
            for sources in [[(export, lines)], [(export,), (lines,)], [(lines,), (export,)]][order]:
                self.sync(*sources, data=data)
            self.assert_figures(data, expected, words)
            self.assertEqual(len(self.stored(data)), len(items), words)


class MeasuredCases(UnitsTest):
    """M1: small inputs that counted twice."""

    CASES = {
        "mi and Hozz in m": ("DistanceWalkingRunning", "mi", "0.230651", "m", 371.19718044428157, 0.37119718044428157),
        "mi and more digits": ("DistanceWalkingRunning", "mi", "0.230651", "mi", 0.23065123456789, 0.371197),
        "km and mi": ("DistanceWalkingRunning", "km", "0.371197", "mi", 0.23065123456789, 0.371197),
        "kJ and kcal": ("ActiveEnergyBurned", "kJ", "52.3", "kcal", 12.5, 12.5),
        "fl oz and mL": ("DietaryWater", "fl_oz_us", "8.45351", "mL", 250, 250),
        "L and mL": ("DietaryWater", "L", "0.25", "mL", 250, 250),
        "lb and kg": ("BodyMass", "lb", "154.324", "kg", 70.0001, 70.0001),
        "degF and degC": ("BodyTemperature", "degF", "98.6", "degC", 37, 37),
        "below zero": ("WaterTemperature", "degF", "31.1", "degC", -0.5, -0.5),
        "mmol and mg": ("BloodGlucose", "mmol&lt;180.1558800000541>/L", "5.55075", "mg/dL", 100, 100),
        "an exponent": ("DistanceWalkingRunning", "mi", "6.21371e-05", "m", 0.1, 0.0001),
    }

    def test_each_case_counts_once_in_every_order(self):
        for number, (name, (kind, unit, text, other, value, expected)) in enumerate(self.CASES.items()):
            export, lines = self.folder / "export.xml", self.folder / "lines.jsonl"
            export.write_text(
                '<?xml version="1.0" encoding="UTF-8"?><HealthData locale="en_US">'
                f'<ExportDate value="2024-06-01 12:00:00 +0200"/><Record type="HKQuantityTypeIdentifier{kind}"'
                f' sourceName="{SOURCE}" unit="{unit}" startDate="2024-03-05 08:00:07 +0000"'
                f' endDate="2024-03-05 08:05:12 +0000" value="{text}"/></HealthData>')
            lines.write_text(json.dumps({
                "type": "HKQuantityTypeIdentifier" + kind, "startDate": "2024-03-05T08:00:07.250Z",
                "endDate": "2024-03-05T08:05:12.750Z", "value": value, "unit": other, "sourceBundleId": "Anna’s iPhone",
                "uuid": "5d1f0a52-79c5-4f4a-8d0e-2f7f3ad0b001"}) + "\n")
            for order, runs in enumerate([[(export, lines)], [(export,), (lines,)], [(lines,), (export,)]]):
                data = f"{number}-{order}"
                for sources in runs:
                    self.sync(*sources, data=data)
                (quantity, _), = self.figures(data).values()
                self.assertAlmostEqual(quantity, expected, delta=1e-5 * abs(expected), msg=name)
                self.assertEqual(len(self.stored(data)), 1, name)

    def test_a_near_neighbor_is_another_measurement(self):
        lines = self.folder / "lines.jsonl"
        item = {"type": "HKQuantityTypeIdentifierDistanceWalkingRunning", "startDate": "2024-03-05T08:00:07Z",
                "endDate": "2024-03-05T08:05:12Z", "value": 0.2307, "unit": "mi", "sourceBundleId": "A"}
        lines.write_text(json.dumps(item | {"value": 0.2307}) + "\n")
        export = self.folder / "export.xml"
        export.write_text(
            '<HealthData><ExportDate value="2024-06-01 12:00:00 +0200"/>'
            '<Record type="HKQuantityTypeIdentifierDistanceWalkingRunning" sourceName="A" unit="mi"'
            ' startDate="2024-03-05 08:00:07 +0000" endDate="2024-03-05 08:05:12 +0000" value="0.2308"/></HealthData>')
        self.sync(export, lines)
        self.assertEqual(len(self.stored()), 2)


class ChangedPreference(UnitsTest):
    """F18: the next export of the same phone is in other units."""

    def export(self, name, date, *records):
        lines = "".join(
            f'<Record type="HKQuantityTypeIdentifier{kind}" sourceName="iPhone" unit="{unit}" startDate="2024-01-{day:02}'
            f' {hour:02}:00:00 +0000" endDate="2024-01-{day:02} {hour:02}:10:00 +0000" value="{value}"/>'
            for kind, unit, day, hour, value in records)
        path = self.folder / name
        path.write_text(f'<?xml version="1.0" encoding="UTF-8"?><HealthData><ExportDate value="{date} 08:00:00 +0000"/>'
                        f"{lines}</HealthData>")
        return path

    def check(self, first, second, *new):
        """Imports both exports, the second with the samples of the first in another unit and `new` ones."""
        kept = self.sync(self.export("one.xml", "2024-02-01", *first))
        before, rows = self.figures(), self.stored()
        for command in ("daily", "historical"):
            report = self.sync(self.export("two.xml", "2024-03-01", *second, *new), command=command)
            self.assertNotIn("another", report + kept)
        after = self.figures()
        self.assertEqual({key: after[key] for key in before}, before)
        identities = {row["uuid"] for row in self.stored()}
        self.assertLessEqual({row["uuid"] for row in rows}, identities)
        self.assertEqual(len(identities), len(rows) + len(new))

    DISTANCES = [f"{number / 10 + 0.03457:.6g}" for number in range(1, 7)]

    def test_kilometers_become_miles(self):
        steps = [("StepCount", "count", 10, hour, 100 + hour) for hour in range(6)]
        first = [("DistanceWalkingRunning", "km", 10, hour, value) for hour, value in enumerate(self.DISTANCES)]
        second = [("DistanceWalkingRunning", "mi", 10, hour, f"{float(value) / 1.609344:.6g}")
                  for hour, value in enumerate(self.DISTANCES)]
        self.check(steps + first, steps + second, ("StepCount", "count", 20, 9, 500))

    def test_a_server_gets_nothing_again_and_no_deletion(self):
        peer = Peer(self)
        words = ("--server", peer.url, "--raw", "distanceWalkingRunning")
        first = [("DistanceWalkingRunning", "km", 10, hour, value) for hour, value in enumerate(self.DISTANCES)]
        second = [("DistanceWalkingRunning", "mi", 10, hour, f"{float(value) / 1.609344:.6g}")
                  for hour, value in enumerate(self.DISTANCES)]
        self.sync(self.export("one.xml", "2024-02-01", *first), words=words)
        before = peer.state()
        self.sync(self.export("two.xml", "2024-03-01", *second), words=words)
        after = peer.state()
        self.assertEqual(after["violations"], [])
        self.assertEqual(after, before)
        with closing(sqlite3.connect(f"file:{self.folder}/data/healthsync.sqlite?mode=ro", uri=True)) as connection:
            self.assertEqual(connection.execute("SELECT count(*) FROM sample_revision").fetchone(), (0,))
            self.assertEqual(connection.execute("SELECT count(*) > 0 FROM sync_interval").fetchone(), (1,))

    def test_distances_alone_are_not_a_second_phone(self):
        first = [("DistanceWalkingRunning", "km", 10, hour, value) for hour, value in enumerate(self.DISTANCES)]
        second = [("DistanceWalkingRunning", "mi", 10, hour, f"{float(value) / 1.609344:.6g}")
                  for hour, value in enumerate(self.DISTANCES)]
        self.check(first, second)

    def test_glasses_become_fluid_ounces_and_calories_joules(self):
        first = [("DietaryWater", "mL", 10, hour, 250) for hour in range(12)]
        second = [("DietaryWater", "fl_oz_us", 10, hour, f"{250 / 29.5735295625:.6g}") for hour in range(12)]
        first += [("ActiveEnergyBurned", "kcal", 11, hour, f"{9.2345 + hour:.6g}") for hour in range(20)]
        second += [("ActiveEnergyBurned", "kJ", 11, hour, f"{(9.2345 + hour) * 4.184:.6g}") for hour in range(20)]
        self.check(first, second)

    def test_a_deleted_sample_is_deleted_in_the_other_unit(self):
        first = [("DistanceWalkingRunning", "km", 10, hour, value) for hour, value in enumerate(self.DISTANCES)]
        second = [("DistanceWalkingRunning", "mi", 10, hour, f"{float(value) / 1.609344:.6g}")
                  for hour, value in enumerate(self.DISTANCES)]
        self.sync(self.export("one.xml", "2024-02-01", *first))
        self.sync(self.export("two.xml", "2024-03-01", *second[:5]))
        self.assertEqual(len(self.stored()), 5)
        # An older export in either unit does not bring it back.
        for number, records in enumerate((first, second)):
            self.sync(self.export(f"old{number}.xml", "2024-02-15", *records))
            self.assertEqual(len(self.stored()), 5)


class Identity(UnitsTest):
    """Names, identifiers, and entries without a source."""

    def export(self, *records):
        path = self.folder / "export.xml"
        path.write_text('<?xml version="1.0" encoding="UTF-8"?><HealthData><ExportDate value="2024-06-01 12:00:00 +0000"/>'
                        + "".join(f"<Record {record}/>" for record in records) + "</HealthData>")
        return path

    def steps(self, name, count):
        return (f'type="HKQuantityTypeIdentifierStepCount" sourceName="{name}" unit="count" value="{count}"'
                ' startDate="2024-01-15 10:00:00 +0000" endDate="2024-01-15 10:10:00 +0000"')

    def test_the_order_of_the_user_matches_a_no_break_space(self):
        export = self.export(self.steps("Anna’s Apple\u00a0Watch", 1000), self.steps("iPhone", 950))
        configuration = self.folder / "order.json"
        for names, expected in {("Anna’s Apple Watch", "iPhone"): 1000, ("iPhone", "Anna’s Apple Watch"): 950}.items():
            configuration.write_text(json.dumps({"originPriority": [*names, "Bob’s iPhone"]}))
            self.sync(export, words=("--config", configuration))
            self.assertEqual(self.figures()["steps", "2024-01-15"][0], expected)
        found = self.run_program("doctor", "--config", configuration, "--data-dir", "data", "--zone", "UTC").stdout
        self.assertIn("Bob’s iPhone", found)
        self.assertNotIn("Anna’s", found)

    def test_glasses_that_differ_in_their_uuid_only_count_each(self):
        path = self.folder / "lines.jsonl"
        path.write_text("".join(json.dumps({
            "type": "HKQuantityTypeIdentifierDietaryWater", "startDate": "2024-01-15T10:00:00Z", "value": 250, "unit": "mL",
            "endDate": "2024-01-15T10:00:00Z", "sourceBundleId": "Water",
            "uuid": f"5d1f0a52-79c5-4f4a-8d0e-2f7f3ad0b00{number}"}) + "\n" for number in range(3)))
        self.sync(path)
        self.assertEqual(len(self.stored()), 3)
        self.assertEqual(self.figures()["dietaryWater", "2024-01-15"][0], 750)

    def test_an_entry_without_source_is_the_measurement_of_any_source(self):
        export = self.export('type="HKQuantityTypeIdentifierHeartRate" sourceName="Watch" unit="count/min" value="61"'
                             ' startDate="2024-01-15 10:04:07 +0000" endDate="2024-01-15 10:04:07 +0000"')
        feed = self.folder / "HealthAutoExport-2024-01-15.json"
        feed.write_text(json.dumps({"data": {"metrics": [{"name": "heart_rate", "units": "count/min", "data": [
            {"date": "2024-01-15 10:04:07 +0000", "Min": 61, "Avg": 61, "Max": 61},
            {"date": "2024-01-15 10:09:07 +0000", "Min": 64, "Avg": 64, "Max": 64}]}]}}))
        for data, runs in {"together": [(export, feed)], "feed first": [(feed,), (export,)]}.items():
            for sources in runs:
                self.sync(*sources, data=data)
            self.assertEqual(self.figures(data)["heartRate", "2024-01-15"][1], 2)

    def test_a_number_marks_a_manual_entry_of_hozz(self):
        path = self.folder / "batch.ndjson"
        path.write_text(json.dumps({
            "schemaVersion": 1, "kind": "quantity", "id": "5d1f0a52-79c5-4f4a-8d0e-2f7f3ad0b001",
            "type": "HKQuantityTypeIdentifierStepCount", "startDate": "2024-01-15T10:00:00Z",
            "endDate": "2024-01-15T10:00:00Z", "source": {"name": "Health"}, "quantity": {"value": 50, "unit": "count"},
            "metadata": {"HKWasUserEntered": {"type": "number", "value": 1}}}) + "\n")
        self.sync(path)
        self.assertEqual([row.get("wasUserEntered") for row in self.stored()], [True])


if __name__ == "__main__":
    unittest.main()
