"""The checker of exports passes equal rows and detects each kind of difference."""

import contextlib
import io
import sqlite3
import tempfile
import unittest

import compare_exports

XML = """<?xml version="1.0"?><HealthData><Record type="HKQuantityTypeIdentifierDistanceWalkingRunning" sourceName="A,&quot;b"
 unit="mi" startDate="2024-01-15 09:00:00 +0100" endDate="2024-01-15 09:10:00 +0100" value="0.5"/>
<Record type="HKQuantityTypeIdentifierDietaryWater" sourceName="x" unit="mL" startDate="2024-01-15 09:00:00 +0100"
 endDate="2024-01-15 09:10:00 +0100" value="5"/></HealthData>"""
LINE = ('{"endDate":"2024-01-15T08:10:00Z","sourceBundleId":"A,\\"b","startDate":"2024-01-15T08:00:00Z",'
        '"type":"HKQuantityTypeIdentifierDistanceWalkingRunning","unit":"km","uuid":"x","value":0.804672}\n')
CSV = ("type,startDate,endDate,value,unit,sourceBundleId,sourceDeviceName,timeZone,wasUserEntered,externalID,syncVersion\r\n"
       'HKQuantityTypeIdentifierDistanceWalkingRunning,2024-01-15T08:00:00Z,2024-01-15T08:10:00Z,0.804672,km,"A,""b",,,'
       "false,,\r\n")


class CompareExports(unittest.TestCase):
    def verdict(self, *rows):
        with tempfile.TemporaryDirectory() as folder:
            paths = []
            for number, text in enumerate((XML,) + rows):
                paths.append(f"{folder}/{number}")
                with open(paths[-1], "w", encoding="utf-8", newline="") as file:
                    file.write(text)
            return self.run_main(paths)

    def run_main(self, paths):
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            return compare_exports.main(paths)

    def test_equal_rows_pass(self):
        self.assertEqual(self.verdict(LINE, CSV), 0)

    def test_every_difference_fails(self):
        for old, new in [("0.804672", "0.804673"), ("08:00:00", "08:00:01"), ("km", "mi"), ('A,\\"b', "A"),
                         ('"value"', '"wasUserEntered":true,"value"'), (LINE, ""), (LINE, LINE + LINE)]:
            self.assertEqual(self.verdict(LINE.replace(old, new)), 1, (old, new))

    def test_databases_are_read(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(f"{folder}/x.xml", "w", encoding="utf-8") as file:
                file.write(XML)
            connection = sqlite3.connect(f"{folder}/rows.db")
            connection.execute('CREATE TABLE sample (type, start, "end", value, unit, source_name, device, is_user_entered,'
                               " zone, external_id, sync_version)")
            connection.execute("INSERT INTO sample VALUES ('HKQuantityTypeIdentifierDistanceWalkingRunning',"
                               "'2024-01-15T08:00:00Z', '2024-01-15T08:10:00Z', 0.804672, 'km', 'A,\"b', '', 0, NULL,"
                               " NULL, NULL)")
            connection.commit()
            connection.close()
            self.assertEqual(self.run_main([f"{folder}/x.xml", f"{folder}/rows.db"]), 0)

    def test_unreadable_files_are_errors(self):
        self.assertEqual(self.verdict("{oops\n"), 2)
        self.assertEqual(self.run_main(["/nowhere"]), 2)


if __name__ == "__main__":
    unittest.main()
