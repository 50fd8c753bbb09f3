"""Time and memory grow linearly with the input, whatever its distribution.

No test measures how fast the machine is: each compares the processor time of one input with that of a similar one four times
the size. Linear growth gives a factor of at most 4, quadratic growth 16. HEALTHSYNC_GROWTH sets a factor for all sizes."""

import datetime
import json
import os
import tempfile
import unittest
import zipfile

from support import records
from support.harness import BINARY, ProgramTest

SCALE = int(os.environ.get("HEALTHSYNC_GROWTH", 1))
STEP = 4
LIMIT = 8
# How many bytes of memory one more sample, source, type or member may take.
BYTES_EACH = 8 << 10
START = datetime.datetime(2024, 3, 1)
DAY = datetime.timedelta(days=1)
CENTURY = 36_500 * DAY


def text(moment):
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"


def line(kind, start, seconds, value, unit, source="Watch"):
    end = start + datetime.timedelta(seconds=seconds)
    sample = {"type": kind, "startDate": text(start), "endDate": text(end), "value": value, "sourceBundleId": source}
    return json.dumps(sample | ({"unit": unit} if unit else {})) + "\n"


def rate(moment, value):
    return line("heartRate", moment, 0, value, "count/min")


def one_day(count):
    return (rate(START + DAY * number / count, 60 + number % 50) for number in range(count))


def one_instant(count):
    return (rate(START, 30 + number % 250 + number // 250 / 1000) for number in range(count))


def century_of_sleep(count):
    first = START - CENTURY
    return (line("sleepAnalysis", first + CENTURY * number / count, 25_000, 3, None) for number in range(count))


def sources(count):
    return (line("stepCount", START + DAY * number / count, 60, 5, "count", f"app {number}") for number in range(count))


def element(number, attributes="", children="", value=5):
    start = START + datetime.timedelta(seconds=number)
    return (f'<Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Watch" unit="count/min" value="{value}"'
            f' startDate="{start} +0000" endDate="{start} +0000"{attributes}>{children}</Record>\n')


def devices(count):
    return (element(number, f' device="name:device {number}"') for number in range(count))


def zones(count):
    return (element(number, children=f'<MetadataEntry key="HKTimeZone" value="Zone/{number}"/>') for number in range(count))


def versions(count):
    return (element(number, children='<MetadataEntry key="HKMetadataKeySyncIdentifier" value="a"/>'
                    f'<MetadataEntry key="HKMetadataKeySyncVersion" value="{number}"/>') for number in range(count))


def one_record(count):
    """Returns a record with that many attributes and metadata entries, in as many unknown elements."""
    attributes = "".join(f' a{number}=""' for number in range(count))
    children = "".join(f'<MetadataEntry key="k{number}" value=""/>' for number in range(count))
    return [element(0, attributes, children), "<a>" * count + "</a>" * count,
            "".join(f"<n{number}/>" for number in range(count))]


def types(count):
    return (line(f"HKQuantityTypeIdentifierNew{number}", START, 60, 5, "count") for number in range(count))


class Growth(ProgramTest):
    def spent(self, path, *words, status=0):
        """Imports a file into an empty store; returns seconds of processor time and the peak of memory in bytes, which is
        at least that of this process at its start."""
        with tempfile.TemporaryDirectory(dir=self.folder) as data, open(self.folder / "report.json", "w+") as report:
            command = [BINARY, "historical", "--zone", "UTC", "--data-dir", data, "--source", path, "--json", *words]
            process = os.posix_spawn(
                command[0], [*map(str, command)], self.environment, file_actions=[(os.POSIX_SPAWN_DUP2, report.fileno(), 1)])
            _, ended, usage = os.wait4(process, 0)
            report.seek(0)
            self.account = json.load(report)["sources"][0]
        self.assertEqual(os.waitstatus_to_exitcode(ended), status, self.account)
        return usage.ru_utime + usage.ru_stime, usage.ru_maxrss << 10

    def check(self, write, count, *words, stored=None):
        """Compares `count` with four times as many; `write` writes that many into a file and returns its path."""
        count *= SCALE
        costs = []
        for number in (count, count * STEP):
            costs.append(self.spent(write(number), *words))
            self.assertEqual(self.account["stored"], number if stored is None else stored)
        (first, few), (second, many) = costs
        self.assertLess(second / first, LIMIT, costs)
        self.assertLess(many - few, BYTES_EACH * count * (STEP - 1), costs)

    def lines(self, make):
        """Returns a function that writes so many lines of `make`."""
        def write(count):
            path = self.folder / "samples.jsonl"
            with open(path, "w") as file:
                file.writelines(make(count))
            return path

        return write

    def export(self, make):
        """Returns a function that writes an Apple Health export with so many elements of `make`."""
        def write(count):
            path = self.folder / "export.xml"
            with open(path, "w") as file:
                file.write('<HealthData locale="en_US">\n<ExportDate value="2024-06-01 00:00:00 +0000"/>\n')
                file.writelines(make(count))
                file.write("</HealthData>\n")
            return path

        return write

    def feed(self, count):
        path = self.folder / "feed.json"
        entries = [{"date": f"{START + DAY * number / count:%Y-%m-%d %H:%M}:30 +0000", "qty": 5, "source": f"app {number}"}
                   for number in range(count)]
        path.write_text(json.dumps({"data": {"metrics": [{"name": "step_count", "units": "count", "data": entries}]}}))
        return path

    def archive(self, count):
        path = self.folder / "export.zip"
        export = records.write(self.folder / "export.xml", records.ordinary_days(3))
        with zipfile.ZipFile(path, "w") as opened:
            for number in range(count):
                opened.writestr(f"apple_health_export/workout-routes/route_{number}.gpx", b"")
            opened.write(export, "apple_health_export/export.xml")
        return path

    def test_one_day(self):
        self.check(self.lines(one_day), 10_000)

    def test_one_instant(self):
        self.check(self.lines(one_instant), 6_000)

    def test_a_century_of_sleep(self):
        self.check(self.lines(century_of_sleep), 300)

    def test_types(self):
        self.check(self.lines(types), 1_000, "--types", "all")

    def test_devices(self):
        self.check(self.export(devices), 3_000)

    def test_sources(self):
        self.check(self.lines(sources), 10_000)

    def test_sources_of_a_feed(self):
        self.check(self.feed, 10_000)

    def test_time_zones(self):
        self.check(self.export(zones), 5_000)

    def test_versions_of_one_sample(self):
        self.check(self.export(versions), 6_000, stored=1)

    def test_parts_of_one_record(self):
        self.check(self.export(one_record), 20_000, stored=1)

    def test_members_of_an_archive(self):
        self.check(self.archive, 20_000, stored=len(records.ordinary_days(3)))

    def test_20_gigabytes_of_zeros_end_with_a_message(self):
        """AfterTheEnd in test_unexpected_forms covers XML, where the part before the zeros is imported."""
        for path in (self.archive(3), self.feed(3)):
            os.truncate(path, 20 << 30)
            result = self.run_program("historical", "--zone", "UTC", "--data-dir", "data", "--source", path)
            self.assertEqual(result.returncode, 65, result.stderr)
            self.assertIn(path.name, result.stderr)

    def test_zeros_after_lines_are_not_read_to_the_end(self):
        path, times = self.lines(one_day)(100), []
        for size in (128 << 20, 512 << 20):
            os.truncate(path, size)
            times.append(self.spent(path, status=65)[0])
            self.assertEqual(self.account["stored"], 100)
        self.assertLess(times[1] / times[0], 2, times)


if __name__ == "__main__":
    unittest.main()
