"""A local database of schema 18 contains an export in miles, kilojoules and pounds beside a phone app, without its units:
the measurements count once after the upgrade, and one run on the export adds the units."""

import pathlib
import random
import sqlite3
import unittest
from contextlib import closing

from reading.test_units_of_inputs import UnitsTest
from support import life_in_units
from support.harness import integrity

OLD = pathlib.Path(__file__).parent / "old_databases" / "schema_18.sql"
FINDING = "compared with a phone app without the"


class OldUnits(UnitsTest):
    def setUp(self):
        super().setUp()
        self.items = life_in_units.life(random.Random(18))
        self.export = life_in_units.export(self.folder / "export.xml", self.items, 1)
        self.lines = life_in_units.json_lines(self.folder / "lines.jsonl", self.items, 0)
        (self.folder / "data").mkdir(mode=0o700)
        self.database = self.folder / "data" / "healthsync.sqlite"
        with closing(sqlite3.connect(self.database)) as connection:
            connection.executescript(OLD.read_text().replace("/home/anna", str(self.folder)))
        self.database.chmod(0o600)

    def doctor(self):
        return self.run_program("doctor", "--data-dir", "data", "--zone", "UTC").stdout

    def test_the_measurements_count_once_and_one_run_adds_the_units(self):
        self.assertEqual(round(self.figures()["walkingDistance", "2024-03-05"][0], 6), 7.1978)
        self.sync(life_in_units.hozz(self.folder / "alone.ndjson", self.items, 0), data="alone")
        expected = self.figures("alone")
        self.sync()
        # Six digits of 98.6 °F are not six digits of 37 °C; without the unit some temperatures remain twice.
        warm = ("bodyTemperature", "2024-03-05")
        self.assert_figures("data", {**expected, warm: self.figures()[warm]})
        self.assertEqual(sum("Temperature" not in row["type"] for row in self.stored()), 30)
        self.assertIn("1 day of exports is " + FINDING, self.doctor())
        for _ in range(2):
            self.sync(self.export)
            self.assert_figures("data", expected)
            self.assertEqual(len(self.stored()), len(self.items))
            self.assertNotIn(FINDING, self.doctor())
        self.assertEqual(integrity(self.database), ["ok"])


if __name__ == "__main__":
    unittest.main()
