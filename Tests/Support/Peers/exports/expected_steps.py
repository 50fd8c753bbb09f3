#!/usr/bin/env python3
"""Judge of raw delivery: the step samples that a server must hold of an Apple Health export, as expat and uuid see them.

    expected_steps.py EXPORT.xml

Prints one JSON object a line, by uuid: uuid, startDate, endDate, count, sourceBundleId, sourceDeviceName. The uuid is
version 5 over what docs/layering.md says, in the namespace that is itself version 5 over `healthsync:samples` in the URL
namespace. A sample that stands in the file twice is one.
"""

import datetime
import json
import sys
import uuid

from expat_reader import Reader

STEPS = "HKQuantityTypeIdentifierStepCount"
NAMESPACE = uuid.uuid5(uuid.NAMESPACE_URL, "healthsync:samples")
SEPARATOR = "\x1f"


def instant(milliseconds):
    """RFC 3339 in UTC, with a fraction only where there is one."""
    moment = datetime.datetime(1970, 1, 1) + datetime.timedelta(milliseconds=milliseconds)
    fraction = f".{milliseconds % 1000:03}" if milliseconds % 1000 else ""
    return f"{moment:%Y-%m-%dT%H:%M:%S}{fraction}Z"


def sample_of(record):
    value = float(record["value"])
    number = str(int(value)) if value == int(value) else repr(value)
    origin = record["sourceName"] + SEPARATOR + record["device"]
    if record["metadata"].get("HKWasUserEntered") == "1":
        origin += SEPARATOR + "entered"
    own = record["metadata"].get("HKExternalUUID") or record["metadata"].get("HKMetadataKeySyncIdentifier")
    if own is not None:
        raise SystemExit("a sample with an identity of its own: this judge knows generated exports only")
    name = SEPARATOR.join([STEPS, str(record["start"]), str(record["end"]), number, "count", origin])
    sample = {
        "uuid": str(uuid.uuid5(NAMESPACE, name)), "startDate": instant(record["start"]),
        "endDate": instant(record["end"]), "count": round(value), "sourceBundleId": record["sourceName"],
    }
    if record["device"]:
        sample["sourceDeviceName"] = record["device"]
    return sample


def expected(path):
    """The samples by uuid."""
    return {sample["uuid"]: sample for sample in map(sample_of, Reader(types={STEPS}).read(path))}


def main(path):
    for _, sample in sorted(expected(path).items()):
        print(json.dumps(sample, sort_keys=True))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
