"""Values are converted exactly once into one unit per type, in any unit and order of sources."""

import itertools
import json
import sqlite3
import unittest
from contextlib import closing

from support.harness import ProgramTest

UNKNOWN = "HKQuantityTypeIdentifierSomethingNew"


def line(kind, hour, value, unit):
    return json.dumps({
        "type": kind, "startDate": f"2024-05-14T{hour:02}:00:00Z", "endDate": f"2024-05-14T{hour:02}:10:00Z",
        "value": value, "unit": unit, "sourceBundleId": "Script"})


class Units(ProgramTest):
    def rows(self, query, data="data"):
        with closing(sqlite3.connect(f"file:{self.folder / data}/healthsync.sqlite?mode=ro", uri=True)) as connection:
            return connection.execute(query).fetchall()

    def read(self, name, *lines, data="data", types="all"):
        path = self.folder / name
        path.write_text("\n".join(lines) + "\n")
        return self.run_program(
            "historical", "--source", path, "--zone", "UTC", "--types", types, "--data-dir", data, "--json")

    def test_a_unit_is_converted_once_in_every_order(self):
        lines = [line("distanceWalkingRunning", hour, value, unit)
                 for hour, value, unit in ((8, 1.5, "km"), (9, 2500, "m"), (10, 1, "mi"))]
        for number, order in enumerate(itertools.permutations(lines)):
            for place, one in enumerate(order):
                self.assertEqual(self.read(f"{number}-{place}.jsonl", one, data=f"data-{number}").returncode, 0)
            again = self.read(f"{number}-again.jsonl", *order, data=f"data-{number}")
            self.assertEqual(again.returncode, 0, again.stderr)
            (quantity, unit), = self.rows(
                "SELECT quantity, unit FROM daily_progress WHERE metric = 'walkingDistance'", f"data-{number}")
            self.assertEqual((round(quantity, 9), unit), (5.609344, "km"))
            self.assertEqual(self.rows("SELECT sum(count) FROM sample_page", f"data-{number}"), [(3,)])

    def test_a_sum_of_decimal_fractions_is_printed_exactly(self):
        lines = [json.dumps({
            "type": "appleExerciseTime", "startDate": f"2024-05-14T{number // 6:02}:{number % 6}0:00Z",
            "endDate": f"2024-05-14T{number // 6:02}:{number % 6}5:00Z", "value": 1.7, "unit": "min",
            "sourceBundleId": "Script"}) for number in range(60)]
        self.assertEqual(self.read("exercise.jsonl", *lines, types="stepCount").returncode, 0)
        self.assertEqual(self.rows("SELECT quantity FROM daily_progress"), [(102.0,)])
        shown = self.succeed("summary", "2024-05-14", "--zone", "UTC", "--data-dir", "data", "--json").stdout
        self.assertIn('"exerciseMinutes": 102', shown)
        self.assertNotRegex(shown, r"\.\d{12}")

    def test_an_unknown_type_keeps_its_first_unit(self):
        self.assertEqual(self.read("first.jsonl", line(UNKNOWN, 8, 5, "mg")).returncode, 0)
        second = json.loads(self.read("second.jsonl", line(UNKNOWN, 9, 7, "g"), line(UNKNOWN, 10, 6, "mg")).stdout)
        self.assertEqual([source["stored"] for source in second["sources"]], [1])
        self.assertEqual([sum(source["rejected"].values()) for source in second["sources"]], [1])
        self.assertEqual(self.rows("SELECT count(*), sum(sum) FROM sample_page"), [(1, 11.0)])


if __name__ == "__main__":
    unittest.main()
