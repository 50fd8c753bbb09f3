"""Events of several apps add up, copies count once, and values that cannot be are skipped. Python computes the results."""

import json
import random
import sqlite3
import unittest
from contextlib import closing

from support.harness import ProgramTest

WATER, CAFFEINE, FALLS = "dietaryWater", "dietaryCaffeine", "numberOfTimesFallen"
TYPES = {"dietaryWater": "mL", "dietaryCaffeine": "mg", "dietaryProtein": "g", "dietaryEnergyConsumed": "kcal",
         "insulinDelivery": "IU", "numberOfTimesFallen": "count", "numberOfAlcoholicBeverages": "count", "inhalerUsage": "count"}


def record(kind, source, start, end, value, unit, identifier="Quantity"):
    written = f' unit="{unit}"' if unit else ""
    return (f'<Record type="HK{identifier}TypeIdentifier{kind[0].upper()}{kind[1:]}" sourceName="{source}"{written}'
            f' startDate="2024-01-15 {start} +0000" endDate="2024-01-15 {end} +0000" value="{value}"/>')


def export(records):
    return ('<?xml version="1.0" encoding="UTF-8"?><HealthData locale="en_US"><ExportDate value="2024-06-01 12:00:00 +0000"/>'
            + "".join(records) + "</HealthData>")


class Events(ProgramTest):
    def figures(self, content, *metrics, name="export.xml", data="data"):
        (self.folder / name).write_text(content)
        result = self.run_program("historical", "--source", self.folder / name, "--zone", "UTC", "--data-dir", data,
                                  "--metrics", ",".join(metrics), "--json")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        with closing(sqlite3.connect(f"file:{self.folder / data}/healthsync.sqlite?mode=ro", uri=True)) as connection:
            found = dict(connection.execute("SELECT metric, quantity FROM daily_progress"))
        return found, json.loads(result.stdout)

    def test_events_of_two_apps_within_an_hour_add_up(self):
        cases = [(kind, unit, 250, 300, 550) for kind, unit in TYPES.items()]
        cases += [(kind, unit, 1, 1, 2) for kind, unit in TYPES.items()]
        for number, (kind, unit, first, second, expected) in enumerate(cases):
            with self.subTest(kind=kind, first=first):
                found, _ = self.figures(export([
                    record(kind, "A", "09:00:00", "09:00:00", first, unit), record(kind, "B", "09:20:00", "09:20:00", second, unit)]),
                    kind, data=f"data-{number}")
                self.assertEqual(found, {kind: expected})

    def test_the_longer_events_of_apps_overlap_and_add_up_and_a_copy_counts_once(self):
        found, _ = self.figures(export([
            record(WATER, "A", "09:00:00", "09:30:00", 250, "mL"), record(WATER, "B", "09:10:00", "09:20:00", 300, "mL"),
            record(WATER, "C", "09:00:00", "09:30:00", 250, "mL")]), WATER)
        self.assertEqual(found, {WATER: 550})

    def test_any_events_of_any_apps_add_up(self):
        choice = random.Random(35)
        for seed in range(6):
            rows, expected = [], set()
            for _ in range(60):
                start, length = choice.randrange(0, 70_000, 600), choice.choice((0, 0, 60, 1_800))
                value = choice.randrange(1, 9) * 50
                times = [f"{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}" for second in (start, start + length)]
                rows.append(record(WATER, choice.choice("ABC"), *times, value, "mL"))
                expected.add((start, length, value))
            found, _ = self.figures(export(rows), WATER, data=f"random-{seed}")
            self.assertEqual(found, {WATER: sum(value for _, _, value in expected)}, f"seed {seed}")

    def test_lines_and_entries_of_apps_add_up(self):
        lines = "\n".join(json.dumps({
            "type": WATER, "startDate": f"2024-01-15T08:{minute:02}:00Z", "endDate": f"2024-01-15T08:{minute:02}:00Z",
            "value": value, "unit": "mL", "sourceBundleId": source}) for minute, value, source in ((0, 250, "A"), (20, 300, "B")))
        self.assertEqual(self.figures(lines + "\n", WATER, name="lines.jsonl", data="lines")[0], {WATER: 550})
        entries = [{"date": f"2024-01-15 08:{minute}:0{minute[1]} +0000", "qty": value, "source": source}
                   for minute, value, source in (("07", 250, "WaterMinder"), ("20", 300, "Health"))]
        document = json.dumps({"data": {"metrics": [{"name": "dietary_water", "units": "mL", "data": entries}]}})
        self.assertEqual(
            self.figures(document, WATER, name="HealthAutoExport-2024-01-15.json", data="entries")[0], {WATER: 550})

    def test_entries_by_hand_of_a_renamed_source_count_once(self):
        """The next export of the phone has the same entries under another name, and they are kept beside the former ones."""
        manual = '><MetadataEntry key="HKWasUserEntered" value="1"/></Record>'
        for kind, metric, unit, total in ((WATER, WATER, "mL", 3000), ("stepCount", "steps", "count", 3000)):
            for number, source in enumerate(("Annas iPhone", "Phone of Anna")):
                rows = [record(kind, source, f"{hour:02}:00:00", f"{hour:02}:00:00", 250, unit).replace("/>", manual)
                        for hour in range(8, 20)]
                content = export(rows).replace("2024-06-01", f"2024-06-0{number + 1}")
                found, _ = self.figures(content, metric, name=f"{metric}{number}.xml", data=f"renamed-{metric}")
            self.assertEqual(found, {metric: total})

    def test_steps_of_two_devices_are_still_merged(self):
        found, _ = self.figures(export([
            record("stepCount", "Watch", "09:00:00", "09:00:00", 100, "count"),
            record("stepCount", "iPhone", "09:30:00", "09:30:00", 80, "count")]), "steps")
        self.assertEqual(found["steps"], 100)

    def test_values_that_cannot_be_are_skipped_and_percentages_are_fractions(self):
        rows = [
            record("oxygenSaturation", "A", "08:00:00", "08:00:00", 97, "%"),
            record("oxygenSaturation", "A", "09:00:00", "09:00:00", "0.95", "%"),
            record("oxygenSaturation", "A", "10:00:00", "10:00:00", 140, "%"),
            record("bodyFatPercentage", "A", "08:00:00", "08:00:00", 25, "%"),
            record("bodyTemperature", "A", "08:00:00", "08:00:00", "36.6", "degC"),
            record("bodyTemperature", "A", "09:00:00", "09:00:00", "-300", "degC"),
            record("bodyTemperature", "A", "10:00:00", "10:00:00", "0", "K"),
            record("bodyMass", "A", "08:00:00", "08:00:00", "80.5", "kg"),
            record("bodyMass", "A", "09:00:00", "09:00:00", "-80", "kg"),
            record("bodyMass", "A", "10:00:00", "10:00:00", "0", "kg"),
            record("bloodPressureSystolic", "A", "10:00:00", "10:00:00", "-1", "mmHg"),
        ]
        metrics = ["oxygenSaturation", "bodyFatPercentage", "bodyTemperature", "bodyMass", "bloodPressureSystolic"]
        found, report = self.figures(export(rows), *metrics)
        self.assertEqual(found, {"oxygenSaturation": 0.96, "bodyFatPercentage": 0.25, "bodyTemperature": 36.6, "bodyMass": 80.5})
        skipped = {entry["metric"]: sum(entry["rejected"].values()) for entry in report["metrics"] if entry.get("rejected")}
        self.assertEqual(skipped, {"oxygenSaturation": 1, "bodyTemperature": 2, "bodyMass": 2, "bloodPressureSystolic": 1})

    def test_bleeding_has_the_names_of_old_and_new_phones(self):
        types = ["menstrualFlow", "bleedingAfterPregnancy", "bleedingDuringPregnancy", "bleedingAfterMenopause"]
        rows = [record(kind, "A", f"{hour:02}:00:00", f"{hour:02}:30:00", f"HKCategoryValue{prefix}{level}", None, "Category")
                for kind in types for hour, (prefix, level) in enumerate(
                    (prefix, level) for prefix in ("MenstrualFlow", "VaginalBleeding")
                    for level in ("Unspecified", "Light", "Medium", "Heavy", "None"))]
        (self.folder / "export.xml").write_text(export(rows))
        result = self.run_program("historical", "--source", self.folder / "export.xml", "--zone", "UTC", "--data-dir", "data",
                                  "--types", "all", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        source, = json.loads(result.stdout)["sources"]
        self.assertEqual((source["stored"], source["rejected"]), (len(rows), {}))


if __name__ == "__main__":
    unittest.main()
