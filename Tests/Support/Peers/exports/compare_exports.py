#!/usr/bin/env python3
"""Checks `healthsync export`: compares the written rows with the records of the imported Apple Health export.

    compare_exports.py EXPORT.xml ROWS [ROWS ...]

ROWS are files of `--format jsonl`, `csv` or `sqlite`, recognized by their content. The records are read with expat,
converted to canonical units by the table below, and equal ones count once. Only the types in the table are compared.
Prints one JSON object per file: {"rows": n, "records": n, "missing": n, "surplus": n}, and examples on stderr.

Exit status: 0 all equal; 1 some differ; 2 a file cannot be read, or the arguments are invalid.
"""

import collections
import csv
import datetime
import json
import sqlite3
import sys

from expat_reader import Reader

EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
RATE = ("count/min", {"count/s": 60, "bpm": 1})
QUANTITIES = {
    "StepCount": ("count", {}),
    "HeartRate": RATE,
    "RestingHeartRate": RATE,
    "ActiveEnergyBurned": ("kcal", {"Cal": 1, "cal": 1 / 1000, "kJ": 1 / 4.184, "J": 1 / 4184}),
    "AppleExerciseTime": ("min", {"s": 1 / 60, "hr": 60, "ms": 1 / 60000}),
    "DistanceWalkingRunning": ("km", {"m": 1 / 1000, "mi": 1.609344, "ft": 0.0003048, "yd": 0.0009144, "cm": 0.00001}),
}
STAGES = {"InBed": 0, "Asleep": 1, "AsleepUnspecified": 1, "Awake": 2, "AsleepCore": 3, "AsleepDeep": 4, "AsleepREM": 5}
QUANTITY, SLEEP = "HKQuantityTypeIdentifier", "HKCategoryTypeIdentifierSleepAnalysis"

Row = collections.namedtuple("Row", "type start end value unit source device entered zone identity version")


def expected(path):
    """Returns the records of the types in the table, each once."""
    rows, newest = set(), {}
    for record in Reader().read(path):
        row = row_of(record)
        if row is None or row.end < row.start:
            continue
        if row.identity is None:
            rows.add(row)
        elif row.version >= newest.get((row.type, row.source, row.identity), row).version:
            newest[row.type, row.source, row.identity] = row
    return list(rows) + list(newest.values())


def row_of(record):
    kind, text, metadata = record["type"], record["value"], record["metadata"]
    if kind == SLEEP:
        name = (text or "").removeprefix("HKCategoryValueSleepAnalysis")
        value = STAGES.get(name, int(name) if name in "012345" and name else None)
        unit = ""
    elif kind.removeprefix(QUANTITY) in QUANTITIES and kind.startswith(QUANTITY):
        unit, factors = QUANTITIES[kind.removeprefix(QUANTITY)]
        factor = 1 if record["unit"] == unit else factors.get(record["unit"])
        value = None if text is None or factor is None else float(text) * factor
    else:
        return None
    if value is None:
        return None
    identity, version = metadata.get("HKMetadataKeySyncIdentifier"), metadata.get("HKMetadataKeySyncVersion")
    if not identity or not version:
        identity = version = None
    return Row(kind, record["start"], record["end"], float(value), unit, record["sourceName"], record["device"],
               metadata.get("HKWasUserEntered") == "1", metadata.get("HKTimeZone"), identity,
               int(version) if version else None)


def rows_of(path):
    """Returns the rows of an exported file."""
    with open(path, "rb") as file:
        head = file.read(16)
    if head.startswith(b"SQLite format 3\0"):
        return from_sqlite(path)
    return from_lines(path) if head[:1] in (b"{", b"") else from_csv(path)


def from_lines(path):
    with open(path, encoding="utf-8", newline="\n") as file:
        for line in file:
            yield from_members(json.loads(line))


def from_csv(path):
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, strict=True):
            row["wasUserEntered"] = row["wasUserEntered"] == "true"
            yield from_members(row)


def from_sqlite(path):
    columns = 'type, start, "end", value, unit, source_name, device, is_user_entered, zone, external_id, sync_version'
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as connection:
        for row in connection.execute(f"SELECT {columns} FROM sample"):
            start, end = milliseconds(row[1]), milliseconds(row[2])
            yield Row(row[0], start, end, row[3], *row[4:7], bool(row[7]), *row[8:])


def from_members(row):
    version = row.get("syncVersion")
    return Row(row["type"], milliseconds(row["startDate"]), milliseconds(row["endDate"]), float(row["value"]),
               row.get("unit", ""), row["sourceBundleId"], row.get("sourceDeviceName", ""),
               bool(row.get("wasUserEntered")), row.get("timeZone") or None, row.get("externalID") or None,
               int(version) if version not in (None, "") else None)


def milliseconds(text):
    return (datetime.datetime.fromisoformat(text) - EPOCH) // datetime.timedelta(milliseconds=1)


def grouped(rows):
    """Returns the values by all other columns, because a converted value may differ in its last bit."""
    groups = collections.defaultdict(list)
    for row in rows:
        groups[row._replace(value=None)].append(row.value)
    for values in groups.values():
        values.sort()
    return groups


def is_same(left, right):
    return len(left) == len(right) and all(abs(a - b) <= 1e-9 * abs(a) for a, b in zip(left, right))


def compare(records, rows, name):
    wanted, found = grouped(records), grouped(rows)
    missing = [key for key, values in wanted.items() if not is_same(values, found.get(key, []))]
    surplus = [key for key in found if key not in wanted]
    print(json.dumps({"rows": sum(map(len, found.values())), "records": len(records), "missing": len(missing),
                      "surplus": len(surplus)}))
    for word, keys in (("missing", missing), ("surplus", surplus)):
        for key in keys[:3]:
            print(f"{name}: {word}: {key}", file=sys.stderr)
    return not missing and not surplus


def main(arguments):
    if len(arguments) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        records = expected(arguments[0])
        known = {QUANTITY + name for name in QUANTITIES} | {SLEEP}
        results = [compare(records, [row for row in rows_of(path) if row.type in known], path) for path in arguments[1:]]
    except (OSError, ValueError, KeyError, sqlite3.Error) as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return 2
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
