"""Skipped elements of an export are counted by name, and an invalid unit is reported with its byte offset. The expected
counts come from expat, the offsets from the bytes of the file."""

import unittest
import xml.parsers.expat
from collections import Counter

from support.harness import ProgramTest, extract_xml

WORDS = ("--zone", "Europe/Paris")
HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<HealthData locale="en_GB">
 <ExportDate value="2024-03-05 08:00:00 +0100"/>
 <Me HKCharacteristicTypeIdentifierBiologicalSex="HKBiologicalSexNotSet"/>
"""


def record(kind, unit, value, minute, children=""):
    start = f"2024-03-01 10:{minute:02}:00 +0100"
    text = (f'<Record type="{kind}" sourceName="Watch" unit="{unit}" creationDate="{start}" startDate="{start}" '
            f'endDate="{start}" value="{value}"')
    return f" {text}>{children}</Record>\n" if children else f" {text}/>\n"


def odd_export():
    beats = "".join(
        f'<InstantaneousBeatsPerMinute bpm="{60 + n}" time="10:00:{n:02}.00"/>' for n in range(5))
    parts = [HEAD]
    for minute in range(4):
        parts.append(record(
            "HKQuantityTypeIdentifierHeartRateVariabilitySDNN", "ms", 40 + minute, minute,
            f'<MetadataEntry key="HKTimeZone" value="Europe/Paris"/>'
            f"<HeartRateVariabilityMetadataList>{beats}</HeartRateVariabilityMetadataList>"))
    pressure = record("HKQuantityTypeIdentifierBloodPressureSystolic", "mmHg", 120, 5)
    parts.append(f' <Correlation type="HKCorrelationTypeIdentifierBloodPressure" sourceName="Cuff">\n{pressure}'
                 f' <MetadataEntry key="a" value="b"/></Correlation>\n{pressure}')
    for minute, unit in enumerate(["km", "furlong", "furlong", "mi"]):
        parts.append(record("HKQuantityTypeIdentifierDistanceWalkingRunning", unit, 1, 10 + minute))
    parts.append(' <Workout workoutActivityType="HKWorkoutActivityTypeWalking"><WorkoutEvent type="x"/>'
                 '<WorkoutStatistics type="y"/></Workout>\n <ActivitySummary dateComponents="2024-03-01"/>\n'
                 ' <Audiogram><SensitivityPoint/></Audiogram>\n <Wholly.New-Thing/>\n</HealthData>\n')
    return "".join(parts)


def expat_counts(path):
    """Counts elements below the root that are not records, and elements in these records that are not metadata."""
    counts, stack = Counter(), []

    def start(name, _):
        if stack == ["HealthData"] and name not in ("Record", "ExportDate", "Me"):
            counts[name] += 1
        if stack == ["HealthData", "Record"] and name != "MetadataEntry":
            counts[name] += 1
        stack.append(name)

    parser = xml.parsers.expat.ParserCreate()
    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _: stack.pop()
    with open(path, "rb") as file:
        parser.ParseFile(file)
    return dict(counts)


class Skipped(ProgramTest):
    def readings(self, path):
        """Checks every command that reads sources."""
        yield self.json_of("inspect", path)["sources"][0]["reading"]
        self.environment["XDG_DATA_HOME"] = str(self.folder / "historical")
        yield self.json_of("historical", *WORDS, "--source", path)["sources"][0]
        self.environment["XDG_DATA_HOME"] = str(self.folder / "all")
        yield self.json_of("daily", *WORDS, "--source", path, "--types", "all")["sources"][0]

    def test_skipped_elements_are_counted_by_name(self):
        odd = self.folder / "odd.xml"
        odd.write_text(odd_export())
        archive, _ = self.generate("export.zip", "--years", "1", "--density", "0.05")
        for path in [odd, extract_xml(archive, self.folder / "generated.xml")]:
            expected = expat_counts(path)
            self.assertGreater(expected["Correlation"], 0)
            for reading in self.readings(path):
                self.assertEqual(reading["skipped"], expected)
        self.assertEqual(expat_counts(odd)["HeartRateVariabilityMetadataList"], 4)
        text = self.succeed("inspect", odd).stdout
        self.assertIn("4 HeartRateVariabilityMetadataList", text)
        self.assertIn("1 Wholly.New-Thing", text)

    def test_an_unknown_state_and_an_unread_type_are_reported_with_name_and_offset(self):
        bleeding, goal = "HKCategoryTypeIdentifierBleedingAfterMenopause", "HKDataTypeSleepDurationGoal"
        odd = self.folder / "odd.xml"
        odd.write_text(
            HEAD + record(bleeding, "", "HKCategoryValueUnheardOf", 1) + record(bleeding, "", "HKCategoryValueUnheardOf", 2)
            + record(bleeding, "", "a text", 3) + "".join(record(goal, "min", 480, minute) for minute in range(4, 8))
            + record("HKQuantityTypeIdentifierStepCount", "count", 7, 9) + "</HealthData>\n")
        content = odd.read_bytes()

        def offset(text):
            return content.rindex(b"<Record", 0, content.index(text))
        states = [{"byteOffset": offset(b"UnheardOf"), "what": f"HKCategoryValueUnheardOf is not a value of {bleeding}"},
                  {"byteOffset": offset(b"a text"), "what": f"unknown value of {bleeding}"}]
        unread = {"byteOffset": offset(goal.encode()),
                  "what": f"records of {goal} are not read: it is no quantity and no category"}
        everything = self.json_of("inspect", odd)["sources"][0]["reading"]
        self.assertEqual((everything["read"], everything["notSelected"], everything["skipped"]), (8, 4, {goal: 4}))
        self.assertEqual(everything["rejected"], {"unknown category value": 3})
        self.assertEqual(everything["problems"], [*states, unread])
        text = self.succeed("inspect", odd).stdout
        self.assertIn(f"4 {goal}", text)
        self.assertRegex(text, r"\ntimes: UTC\n")
        some = self.json_of("historical", *WORDS, "--source", odd, "--metrics", "steps")["sources"][0]
        self.assertEqual((some["notSelected"], some["skipped"]), (7, {}))

    def test_an_invalid_unit_is_reported_with_its_offset(self):
        odd = self.folder / "odd.xml"
        odd.write_text(odd_export())
        bytes_of_file = odd.read_bytes()
        place = bytes_of_file.rindex(b"<Record", 0, bytes_of_file.index(b'unit="furlong"'))
        what = 'unit "furlong" is not a unit of HKQuantityTypeIdentifierDistanceWalkingRunning'
        for reading in self.readings(odd):
            self.assertEqual(reading["rejected"], {"unknown unit": 2})
            self.assertEqual(reading["problems"], [{"byteOffset": place, "what": what}])
        self.assertIn(f"at byte {place:,}: {what}", self.succeed("inspect", odd).stdout)

    def test_feeds_report_the_unit_too(self):
        rows = self.folder / "rows.jsonl"
        first = '{"type":"stepCount","startDate":"2024-01-15T08:00:00Z","endDate":"2024-01-15T08:10:00Z",' \
            '"value":9,"unit":"count","sourceBundleId":"a"}\n'
        rows.write_text(first + first.replace("stepCount", "heartRate").replace('"count"', '"km"'))
        problem = self.json_of("inspect", rows)["sources"][0]["reading"]["problems"][0]
        self.assertEqual(problem["byteOffset"], len(first))
        self.assertIn('unit "km" is not a unit of HKQuantityTypeIdentifierHeartRate', problem["what"])

    def test_rows_of_csv_are_reported_with_the_offset_of_their_line(self):
        rows = [f"2024-01-15 {hour:02}:00:00,{hour * 10},60" for hour in range(8, 20)]
        rows[3], rows[7] = "2024-01-15 11:00:00,many,60", "yesterday,5,60"
        head = "Date/Time,Step Count (count),Heart Rate [Avg] (count/min)"
        for order in (rows, rows[::-1]):
            path = self.folder / "steps.csv"
            path.write_text("\r\n".join([head, *order]) + "\r\n")
            reading = self.json_of("inspect", path, "--zone", "UTC")["sources"][0]["reading"]
            content = path.read_bytes()
            (wrong, invalid) = content.index(b"2024-01-15 11:00:00"), content.index(b"yesterday")
            self.assertEqual(
                sorted((problem["byteOffset"], problem["what"]) for problem in reading["problems"]),
                sorted([(wrong, "entry of step_count rejected: qty is not a number"),
                        (invalid, "entry of step_count rejected: an invalid date"),
                        (invalid, "entry of heart_rate rejected: an invalid date")]))

    def test_a_fault_in_a_type_is_reported(self):
        """The record must not count as one of another type that nothing reads."""
        path = self.folder / "odd.xml"
        whole = (HEAD + record("HKQuantityTypeIdentifierStepCount", "count", 9, 1) + "</HealthData>\n").encode()
        for fault in (b"\xff", b"\x0b", b"&#xD800;", b"&none;", b"&"):
            with self.subTest(fault):
                path.write_bytes(whole.replace(b"TypeIdentifierStep", b"TypeIdentifier" + fault + b"Step"))
                for reading in self.readings(path):
                    self.assertEqual(
                        [problem["byteOffset"] for problem in reading["problems"]], [whole.index(b"<Record")], reading)

    def test_types_beyond_the_limit_are_rejected(self):
        """With `--types all` no type is deselected."""
        rows, count = self.folder / "rows.jsonl", 5000
        rows.write_text("".join(
            f'{{"type":"HKQuantityTypeIdentifierNew{number}","startDate":"2024-01-15T08:00:00Z","value":9,"unit":"count",'
            '"endDate":"2024-01-15T08:10:00Z","sourceBundleId":"a"}\n' for number in range(count)))
        reading = self.json_of("daily", *WORDS, "--source", rows, "--types", "all")["sources"][0]
        self.assertEqual(reading["notSelected"], 0)
        self.assertEqual(reading["stored"] + sum(reading["rejected"].values()), count)


if __name__ == "__main__":
    unittest.main()
