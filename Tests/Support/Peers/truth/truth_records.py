"""Reads the top-level records of an Apple Health export with expat."""

import collections
import dataclasses
import datetime
import xml.parsers.expat
import zipfile

QUANTITY = "HKQuantityTypeIdentifier"
STEPS = QUANTITY + "StepCount"
DISTANCE = QUANTITY + "DistanceWalkingRunning"
ENERGY = QUANTITY + "ActiveEnergyBurned"
EXERCISE = QUANTITY + "AppleExerciseTime"
RATE = QUANTITY + "HeartRate"
RESTING = QUANTITY + "RestingHeartRate"
SLEEP = "HKCategoryTypeIdentifierSleepAnalysis"
# The parts of a device that change with updates and restores.
CHANGING = ("firmware:", "software:", "creation date:")
MERGED = {STEPS: "steps", DISTANCE: "walkingDistance", ENERGY: "activeEnergy", EXERCISE: "exerciseMinutes"}


@dataclasses.dataclass(frozen=True)
class Sample:
    type: str
    source: str
    device: str
    start: int
    end: int
    value: str
    entered: bool
    zone: str | None


def stamp(text):
    """Returns the seconds since 1970 of a date such as `2024-01-15 08:00:00 +0100`."""
    return int(datetime.datetime.strptime(text, "%Y-%m-%d %H:%M:%S %z").timestamp())


class Reader:
    """Collects the top-level records of an export."""

    def __init__(self):
        self.samples, self.counts, self.stack, self.record = set(), collections.Counter(), [], None
        self.dates, self.export_date = {}, None

    def read(self, stream):
        parser = xml.parsers.expat.ParserCreate()
        parser.StartElementHandler, parser.EndElementHandler = self.start, self.end
        parser.buffer_size = 1 << 20
        parser.ParseFile(stream)
        return self

    def start(self, name, attributes):
        if name == "Record" and self.stack == ["HealthData"]:
            self.record = (attributes, {})
        elif name == "MetadataEntry" and self.record and self.stack[-1] == "Record":
            self.record[1][attributes["key"]] = attributes["value"]
        elif name == "ExportDate":
            self.export_date = attributes["value"]
        self.stack.append(name)

    def end(self, name):
        self.stack.pop()
        if name == "Record" and len(self.stack) == 1 and self.record:
            self.keep(*self.record)
            self.record = None

    def keep(self, record, metadata):
        self.counts[record["type"], record["sourceName"]] += 1
        if record["type"] not in MERGED and record["type"] not in (RATE, RESTING, SLEEP):
            return
        parts = record.get("device", "").split(">, ", 1)[-1].rstrip(">")
        device = ", ".join(p for p in parts.split(", ") if not p.startswith(CHANGING))
        self.samples.add(Sample(
            record["type"], record["sourceName"], device, self.instant(record["startDate"]),
            self.instant(record["endDate"]), record["value"], metadata.get("HKWasUserEntered") == "1",
            metadata.get("HKTimeZone")))

    def instant(self, text):
        if text not in self.dates:
            self.dates[text] = stamp(text)
        return self.dates[text]


def read_export(path):
    if not zipfile.is_zipfile(path):
        with open(path, "rb") as stream:
            return Reader().read(stream)
    with zipfile.ZipFile(path) as archive:
        if archive.testzip() is not None:
            raise ValueError("damaged archive")
        with archive.open("apple_health_export/export.xml") as stream:
            return Reader().read(stream)
