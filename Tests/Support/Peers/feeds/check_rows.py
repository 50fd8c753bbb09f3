"""Reads exported rows with Python's own json and csv modules and prints, for each, its id, start and length.

The id is computed here, as a UUID version 5 over the content of the row. Fails if the two files differ, if names are not
sorted, or if a row has another id.
"""
import csv
import json
import re
import sys
import uuid
from datetime import datetime, timedelta, timezone

NAMESPACE = uuid.uuid5(uuid.NAMESPACE_URL, "healthsync:samples")
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
TEXTS = ["uuid", "type", "startDate", "endDate", "unit", "sourceBundleId", "sourceDeviceName", "timeZone", "externalID"]
# Texts that may come from others, and what OWASP's page on CSV injection lists as the start of a formula.
ESCAPED = ["type", "unit", "sourceBundleId", "sourceDeviceName", "timeZone", "externalID"]
DANGEROUS = ("=", "+", "-", "@", "＝", "＋", "－", "＠")
# Where programs end a cell in addition to the commas of the file.
SEPARATORS = re.compile(r"([;\t\r\n])")
FLAGS = ["wasUserEntered", "preAggregated"]
NUMBERS = ["value", "syncVersion", "minimum", "maximum", "measurementCount", "stateMilliseconds"]


def from_json(path):
    with open(path, encoding="utf-8", newline="\n") as file:
        for line in file:
            row = json.loads(line)
            assert list(row) == sorted(row), "names are not sorted"
            assert line == json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" or "\\" in line or "e" in line
            if "count" in row:
                assert row.pop("count") == row["value"] and row["type"] == "HKQuantityTypeIdentifierStepCount"
            yield ({name: row.pop(name, "") for name in TEXTS} | {name: row.pop(name, False) for name in FLAGS}
                   | {name: row.pop(name, None) for name in NUMBERS}), row


def from_csv(path):
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, strict=True):
            for name in ESCAPED:
                parts = SEPARATORS.split(row[name])
                assert not any(part.startswith(DANGEROUS) for part in parts[::2]), f"a spreadsheet runs {row[name]!r}"
                assert not row[name].startswith(("\t", "\r", "\n")), f"a spreadsheet runs {row[name]!r}"
                row[name] = "".join(part.removeprefix("'") for part in parts)
            for name in FLAGS:
                row[name] = {"true": True, "false": False}[row[name]]
            for name in NUMBERS:
                row[name] = json.loads(row[name]) if row[name] else None
            yield row


def milliseconds(text):
    return (datetime.fromisoformat(text) - EPOCH) // timedelta(milliseconds=1)


def number(value):
    return str(int(value)) if value == int(value) and abs(value) < 2**63 else repr(float(value))


def identity(row):
    origin = f"{row['sourceBundleId']}\x1f{row['sourceDeviceName']}"
    origin += "\x1fentered" if row["wasUserEntered"] else ""
    origin += "\x1faggregated" if row["preAggregated"] else ""
    return "\x1f".join([row["type"], str(milliseconds(row["startDate"])), str(milliseconds(row["endDate"])),
                        number(row["value"]), row["unit"], origin])


def main():
    rows = []
    for row, rest in from_json(sys.argv[1]):
        assert not rest, f"unknown members {list(rest)}"
        rows.append(row)
    others = list(from_csv(sys.argv[2]))
    assert rows == others, next((pair for pair in zip(rows, others) if pair[0] != pair[1]), "different number of rows")
    for row in rows:
        expected = uuid.uuid5(NAMESPACE, identity(row))
        assert str(expected) == row["uuid"], (row, identity(row))
        start = milliseconds(row["startDate"])
        print(expected, start, milliseconds(row["endDate"]) - start)


main()
