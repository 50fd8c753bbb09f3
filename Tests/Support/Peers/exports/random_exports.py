#!/usr/bin/env python3
"""Writes random well-formed exports in every layout that an XML writer may use.

    random_exports.py --seed 7 --count 2000 --out DIR [--first I] [--plain-values] [--prolog-traps]

Writes DIR/export-000000.xml and so on. File I depends only on the seed and I, so a single
failing file can be written again with `--first I --count 1`. expat_reader.py reads the
expected records. Comments, CDATA, instructions and foreign attributes contain text that
looks like records (with the source "trap"); records also occur inside Correlation and
unknown elements, where they are not top-level.

--plain-values  only values that fit their type (otherwise some are arbitrary text)
--prolog-traps  comments before the root that contain a complete `<HealthData ...>` start tag
"""

import argparse
import datetime
import os
import random
import sys

sys.dont_write_bytecode = True
from random_xml import TRAP, Style  # noqa: E402

QUANTITIES = [
    ("HKQuantityTypeIdentifierStepCount", "count"), ("HKQuantityTypeIdentifierHeartRate", "count/min"),
    ("HKQuantityTypeIdentifierDistanceWalkingRunning", "km"), ("HKQuantityTypeIdentifierOxygenSaturation", "%"),
    ("HKQuantityTypeIdentifierActiveEnergyBurned", "kcal"), ("HKQuantityTypeIdentifierBodyMass", "lb"),
    ("HKQuantityTypeIdentifierBloodPressureSystolic", "mmHg"), ("HKQuantityTypeIdentifierVO2Max", "mL/min·kg"),
    ("HKQuantityTypeIdentifierHeartRateVariabilitySDNN", "ms"), ("HKQuantityTypeIdentifierBodyTemperature", "degC"),
]
CATEGORIES = [
    ("HKCategoryTypeIdentifierSleepAnalysis", "HKCategoryValueSleepAnalysisAsleepCore"),
    ("HKCategoryTypeIdentifierSleepAnalysis", "HKCategoryValueSleepAnalysisInBed"),
    ("HKCategoryTypeIdentifierSleepAnalysis", "5"), ("HKCategoryTypeIdentifierMindfulSession", None),
    ("HKCategoryTypeIdentifierAppleStandHour", "HKCategoryValueAppleStandHourStood"),
]
TEXTS = [
    "Anna\u2019s Apple\u00a0Watch", "iPhone", "Zoë 🏃🏽‍♀️ & Co <fit>", 'He said "hi"', "it's", "", " led  by spaces ",
    "tab\there", "two\nlines", "carriage\rreturn", "計測アプリ", "e\u0301 decomposed", "next\u0085line\u2028end", "]]>",
    "/>", 'x" startDate="2001-01-01 00:00:00 +0000', "<Record", "&amp;", "&#65;", "a > b", "\u007f", "\U0010fffd",
]
DEVICES = [
    "<<HKDevice: 0x{:x}>, name:Apple Watch, manufacturer:Apple Inc., model:Watch, hardware:Watch7,2, software:11.6.1>",
    "<<HKDevice: 0x{:X}>, name:iPhone, manufacturer:Apple Inc., model:iPhone, hardware:iPhone14,5, software:17.2>",
    "<<HKDevice: 0x{:x}>, name:Apple Watch, manufacturer:Apple Inc., model:Watch, hardware:Watch7,2, software:11.7, "
    "creation date:2024-10-01 08:00:00 +0000>",
    "<<HKDevice: 0x{:x}>, name:Ann\u2019s >band<, model:\u00a0X>", "<<HKDevice: 0x{:x}>>", "scale, no address",
]
ZONES = ["+0000", "+0200", "-0500", "+0530", "-0330", "+1400", "-1200", "+0545"]


class Document:
    """One random export; `text()` returns it."""

    def __init__(self, rng, plain_values=False, prolog_traps=False):
        self.rng = rng
        self.style = Style(rng, prolog_traps)
        self.plain_values = plain_values
        self.old = rng.random() < 0.1
        self.zone = rng.choice(ZONES)

    def date(self, instant):
        form = "%Y%m%d%H%M%S" if self.old else "%Y-%m-%d %H:%M:%S "
        return instant.strftime(form) + self.zone

    def span(self):
        start = datetime.datetime(1970, 1, 2) + datetime.timedelta(seconds=self.rng.randrange(4_000_000_000))
        end = start + datetime.timedelta(seconds=self.rng.choice([0, 1, 60, 599, 3_600, 90_000]))
        return [("creationDate", self.date(end)), ("startDate", self.date(start)), ("endDate", self.date(end))]

    def origin(self):
        source = self.rng.choice(TEXTS[:4] if self.rng.random() < 0.7 else TEXTS)
        attributes = [("source" if self.old else "sourceName", source)]
        if self.rng.random() < 0.6:
            attributes.append(("sourceVersion", self.rng.choice(["11.6.1", "2.0 (b)", ""])))
        if self.rng.random() < 0.6:
            address = self.rng.randrange(1 << 33)
            attributes.append(("device", self.rng.choice(DEVICES).format(address)))
        return attributes

    def record(self):
        """Returns attributes and children of a record, which the style writes."""
        if self.rng.random() < 0.75:
            kind, unit = self.rng.choice(QUANTITIES)
            value = self.style.number()
        else:
            (kind, value), unit = self.rng.choice(CATEGORIES), None
        if not self.plain_values and self.rng.random() < 0.05:
            value = self.rng.choice(TEXTS + [None, "y" * 70_000])
        attributes = [("type", kind)] + self.origin()
        if unit is not None:
            attributes.append(("unit", unit))
        attributes += self.span()[self.rng.choice([0, 0, 1]):]
        if value is not None:
            attributes.append(("value", value))
        return attributes, self.children()

    def children(self):
        if self.rng.random() < 0.7:
            return []
        keys = self.rng.sample(["HKTimeZone", "HKWasUserEntered", "HKMetadataKeySyncVersion", "key & <key>", "ключ"], 2)
        children = [self.metadata(key) for key in keys]
        if self.rng.random() < 0.2:
            beats = [self.style.element("InstantaneousBeatsPerMinute", [("bpm", str(60 + i)), ("time", f"7:0{i}:01,25 PM")])
                     for i in range(3)]
            children.append(self.style.element("HeartRateVariabilityMetadataList", [], beats))
        if self.rng.random() < 0.1:
            children.append(self.style.element("Extra", [], [self.metadata("notDirect")]))
        self.rng.shuffle(children)
        return children

    def metadata(self, key):
        value = "Europe/Paris" if key == "HKTimeZone" else self.rng.choice(TEXTS)
        return self.style.element("MetadataEntry", [("key", key), ("value", value)])

    def write_record(self, record, name="Record"):
        return self.style.element(name, *record)

    def top_level(self):
        """Returns one or more elements below HealthData."""
        choice, record = self.rng.random(), self.record()
        if choice < 0.8:
            repeats = 2 if self.rng.random() < 0.05 else 1
            return [self.write_record(record)] * repeats
        if choice < 0.86:
            nested = [self.write_record(record), self.write_record(self.record())]
            attributes = [("type", "HKCorrelationTypeIdentifierBloodPressure")] + self.origin() + self.span()
            return [self.style.element("Correlation", attributes, [self.metadata("HKTimeZone")] + nested)] + nested
        if choice < 0.92:
            name = self.rng.choice(["RecordX", "Recorder", "record", "Record.Set", "Record-1", "Rec", "hk:Record"])
            return [self.write_record(record, name)]
        if choice < 0.93:
            return [self.style.element(self.rng.choice(["Vendor", "RecordSet"]), [], [TRAP, self.write_record(record)])]
        if choice < 0.96:
            return [self.workout()]
        return [self.style.element("ActivitySummary", [("dateComponents", "2024-01-15"), ("activeEnergyBurned", "431.2")])]

    def workout(self):
        kind = [("type", "HKQuantityTypeIdentifierStepCount")]
        inside = [
            self.style.element("WorkoutEvent", [("type", "HKWorkoutEventTypePause")] + self.span()[1:2]),
            self.style.element("WorkoutStatistics", kind + self.span()[1:] + [("sum", "1"), ("unit", "count")]),
            self.style.element("WorkoutRoute", self.span(), [self.style.element("FileReference", [("path", "/a.gpx")])]),
        ]
        attributes = [("workoutActivityType", "HKWorkoutActivityTypeRunning")] + self.origin() + self.span()
        return self.style.element("Workout", attributes, inside)

    def text(self):
        draw = self.rng.random()
        low, high = (0, 4) if draw < 0.6 else (5, 60) if draw < 0.94 else (200, 800) if draw < 0.995 else (4_000, 8_000)
        head = [self.style.element("ExportDate", [("value", self.date(datetime.datetime(2024, 6, 1)))]),
                self.style.element("Me", [("HKCharacteristicTypeIdentifierBiologicalSex", "HKBiologicalSexNotSet")])]
        children = head if self.rng.random() < 0.8 else []
        for _ in range(self.rng.randint(low, high)):
            children += self.top_level()
        root = self.style.element("HealthData", [("locale", self.rng.choice(["fr_FR", "en_US", "日本"]))], children)
        tail = self.style.line_end if self.rng.random() < 0.7 else ""
        if self.style.chance(self.style.noise):
            tail += self.style.comment() + self.style.line_end
        return self.style.prolog() + root + tail


def write(seed, index, out, plain_values=False, prolog_traps=False):
    """Writes file number `index` of a seed and returns its path."""
    document = Document(random.Random(f"{seed}:{index}"), plain_values, prolog_traps)
    path = os.path.join(out, f"export-{index:06d}.xml")
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(document.text())
    return path


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--plain-values", action="store_true")
    parser.add_argument("--prolog-traps", action="store_true")
    options = parser.parse_args(arguments)
    os.makedirs(options.out, exist_ok=True)
    for index in range(options.first, options.first + options.count):
        write(options.seed, index, options.out, options.plain_values, options.prolog_traps)
    return 0


if __name__ == "__main__":
    sys.exit(main())
