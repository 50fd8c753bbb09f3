#!/usr/bin/env python3
"""The oracle of raw delivery: prints the samples of a type that a server must store for an Apple Health export.

    expected_samples.py TYPE EXPORT.xml

TYPE is stepCount, heartRate, restingHeartRate, activeEnergyBurned, distanceWalkingRunning or sleepAnalysis. Prints one
JSON object per line, by uuid, with the members of `POST /steps` for steps and of `POST /api/v1/samples/{type}` for the
others. The uuid is version 5 over the text that docs/layering.md defines, in the namespace that is itself version 5
over `healthsync:samples` in the URL namespace. A sample that is in the file twice counts once. Of the samples of one
type, source and HKMetadataKeySyncIdentifier, only the one with the highest HKMetadataKeySyncVersion counts; of equal
ones, the last.
"""

import datetime
import json
import sys
import uuid

from expat_reader import Reader

NAMESPACE = uuid.uuid5(uuid.NAMESPACE_URL, "healthsync:samples")
SEPARATOR = "\x1f"
# The canonical unit of each type; generated exports use the same one.
UNITS = {
    "stepCount": "count", "heartRate": "count/min", "restingHeartRate": "count/min", "activeEnergyBurned": "kcal",
    "distanceWalkingRunning": "km", "sleepAnalysis": "",
}
SLEEP = ["InBed", "AsleepUnspecified", "Awake", "AsleepCore", "AsleepDeep", "AsleepREM"]


def instant(milliseconds):
    """Returns an instant as RFC 3339 in UTC, with a fraction only if it is not 0."""
    moment = datetime.datetime(1970, 1, 1) + datetime.timedelta(milliseconds=milliseconds)
    fraction = f".{milliseconds % 1000:03}" if milliseconds % 1000 else ""
    return f"{moment:%Y-%m-%dT%H:%M:%S}{fraction}Z"


def identifier(short):
    return f"HK{'Category' if short == 'sleepAnalysis' else 'Quantity'}TypeIdentifier{short[0].upper()}{short[1:]}"


def value_of(short, record):
    if short == "sleepAnalysis":
        return SLEEP.index(record["value"].removeprefix("HKCategoryValueSleepAnalysis"))
    if record["unit"] != UNITS[short]:
        raise SystemExit(f"{record['unit']}: only the units of generated exports are supported")
    return float(record["value"])


def sample_of(short, record):
    value = value_of(short, record)
    number = str(int(value)) if value == int(value) else repr(value)
    origin = record["sourceName"] + SEPARATOR + record["device"]
    if record["metadata"].get("HKWasUserEntered") == "1":
        origin += SEPARATOR + "entered"
    name = SEPARATOR.join(
        [identifier(short), str(record["start"]), str(record["end"]), number, UNITS[short], origin])
    sample = {
        "uuid": str(uuid.uuid5(NAMESPACE, name)), "startDate": instant(record["start"]),
        "endDate": instant(record["end"]), "sourceBundleId": record["sourceName"],
    }
    sample |= {"count": round(value)} if short == "stepCount" else {"value": value, "unit": UNITS[short]}
    if record["device"]:
        sample["sourceDeviceName"] = record["device"]
    return sample


def newest(records):
    """Returns the records without a version, and of those with one the highest of each identifier."""
    versions, rest = {}, []
    for record in records:
        identifier = record["metadata"].get("HKMetadataKeySyncIdentifier")
        version = record["metadata"].get("HKMetadataKeySyncVersion")
        if identifier is None or version is None:
            rest.append(record)
            continue
        key = record["type"], record["sourceName"], identifier
        if key not in versions or int(version) >= versions[key][0]:
            versions[key] = int(version), record
    return rest + [record for _, record in versions.values()]


def expected_of(path, shorts):
    """Returns the samples of each type by uuid."""
    names, samples = {identifier(short): short for short in shorts}, {short: {} for short in shorts}
    for record in newest(Reader(types=set(names)).read(path)):
        short = names[record["type"]]
        sample = sample_of(short, record)
        samples[short][sample["uuid"]] = sample
    return samples


def expected(path, short="stepCount"):
    """Returns the samples of one type by uuid."""
    return expected_of(path, [short])[short]


def main(short, path):
    for _, sample in sorted(expected(path, short).items()):
        print(json.dumps(sample, sort_keys=True))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
