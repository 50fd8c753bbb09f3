"""Hozz (iOS): a REST destination with NDJSON, and its pairing.

Source: docs/delivery-schema.md and receiver/ of thatcube/Hozz. Keys are sorted, identifiers are lowercase, times have
milliseconds. The batch id is derived from the bytes, so a retry of the same data has the same id. `Authorization` is the
secret without a scheme. A tombstone carries no date. Every batch ends with reports of kind `typeCoverage`.
"""

import hashlib
import json
import urllib.parse
import uuid

from senders.neutral import Request, iso_milliseconds

QUANTITY = "HKQuantityTypeIdentifier"
SLEEP = "HKCategoryTypeIdentifierSleepAnalysis"
TYPES = {"steps": QUANTITY + "StepCount", "distance": QUANTITY + "DistanceWalkingRunning",
         "energy": QUANTITY + "ActiveEnergyBurned", "heartRate": QUANTITY + "HeartRate",
         "restingHeartRate": QUANTITY + "RestingHeartRate", "sleep": SLEEP}
UNITS = {"steps": "count", "distance": "m", "energy": "kcal", "heartRate": "count/min", "restingHeartRate": "count/min"}
STAGES = {"in_bed": 0, "asleep": 1, "awake": 2, "core": 3, "deep": 4, "rem": 5}


def record(sample):
    """Returns the canonical record of a sample."""
    found = {
        "schemaVersion": 1, "catalogVersion": 6, "id": sample.uuid.lower(), "type": TYPES[sample.kind],
        "startDate": iso_milliseconds(sample.start), "endDate": iso_milliseconds(sample.end),
        "metadata": {"HKTimeZone": {"type": "string", "value": "Europe/Paris"}} if sample.kind == "sleep" else {},
        "source": {"name": sample.source, "bundleIdentifier": "com.apple.health.4B1D2A", "version": "11.2",
                   "productType": "Watch7,1", "operatingSystem": {"major": 26, "minor": 5, "patch": 0}},
        "device": {"name": sample.device, "manufacturer": "Apple Inc.", "model": sample.device.split()[-1],
                   "hardwareVersion": "Watch7,1", "softwareVersion": "26.5"}}
    if sample.kind == "sleep":
        return {**found, "kind": "category", "value": STAGES[sample.value]}
    unit = UNITS[sample.kind]
    return {**found, "kind": "quantity", "quantity": {
        "unit": unit, "value": sample.value, "description": f"{sample.value} {unit}", "count": 1}}


def deletion(sample):
    return {"kind": "deletion", "id": sample.uuid.lower(), "type": TYPES[sample.kind], "schemaVersion": 1}


def other_records(at):
    """Returns records of every kind that has no figures here."""
    stamp, route, workout = iso_milliseconds(at), str(uuid.uuid5(uuid.NAMESPACE_OID, f"route{at}")), str(
        uuid.uuid5(uuid.NAMESPACE_OID, f"workout{at}"))
    base = {"schemaVersion": 1, "catalogVersion": 6, "startDate": stamp, "endDate": stamp, "metadata": {},
            "source": {"name": "Anna’s Watch", "bundleIdentifier": "com.apple.health.4B1D2A"}}
    points = [{"timestamp": stamp, "latitude": 51.5, "longitude": -0.12, "altitude": 11.2, "speed": 3.1}] * 3
    return [
        {**base, "kind": "workout", "id": workout, "type": "HKWorkoutTypeIdentifier", "activityType": 37, "duration": 1800.0,
         "events": []},
        {**base, "kind": "workoutRoute", "id": route, "type": "HKWorkoutRouteTypeIdentifier",
         "workout": {"state": "resolved", "id": workout, "activityType": 37, "startDate": stamp, "endDate": stamp}},
        {**base, "kind": "workoutRouteLocations", "id": str(uuid.uuid5(uuid.NAMESPACE_OID, route + "0")), "route": route,
         "type": "HKWorkoutRouteTypeIdentifier", "sequence": 0, "offset": 0, "count": 3, "locations": points},
        {**base, "kind": "workoutRouteEnd", "id": str(uuid.uuid5(uuid.NAMESPACE_OID, route + "end")), "route": route,
         "type": "HKWorkoutRouteTypeIdentifier", "locations": 3},
        {**base, "kind": "correlation", "id": str(uuid.uuid5(uuid.NAMESPACE_OID, f"correlation{at}")),
         "type": "HKCorrelationTypeIdentifierBloodPressure", "members": []},
        {"kind": "sampleEncodingError", "id": str(uuid.uuid5(uuid.NAMESPACE_OID, f"error{at}")), "schemaVersion": 1,
         "type": QUANTITY + "RunningPower", "message": "the quantity has no canonical unit"}]


def coverage(kinds):
    return [{"kind": "typeCoverage", "type": TYPES[kind], "state": "anchorClosed", "complete": True, "deliveredCount": 10,
             "observedAt": "2024-03-04T05:06:07.500Z"} for kind in sorted(kinds)]


def batch(records, sequence, path="/", device="Anna’s iPhone", destination="healthsync"):
    lines = [json.dumps(each, sort_keys=True, ensure_ascii=False, separators=(",", ":")) for each in records]
    body = "".join(line + "\n" for line in lines).encode()
    identifier = str(uuid.UUID(bytes=hashlib.sha256(body).digest()[:16], version=5))
    return Request("POST", path, {
        "Content-Type": "application/x-ndjson", "Idempotency-Key": identifier, "Hozz-Batch-Id": identifier,
        "Hozz-Batch-Sequence": str(sequence), "Hozz-Record-Count": str(len(records)),
        "Hozz-Destination-Id": "5F0C6E0A-8C7E-4F57-9B1B-3B2B6C1D9E10", "Hozz-Destination-Name": destination,
        "Hozz-Format": "ndjson", "Hozz-Schema": "hozz", "Hozz-Window": "sinceLastDelivery",
        "X-Hozz-Device": urllib.parse.quote(device), "User-Agent": "Hozz/1 CFNetwork/1568 Darwin/24"}, body)


def split(request, parts):
    """Returns the parts of a batch that exceeds the size limit of its destination. They share batch id and sequence; each has
    the idempotency key of its own bytes."""
    lines = request.body.splitlines(keepends=True)
    found = []
    for number in range(parts):
        own = b"".join(lines[len(lines) * number // parts:len(lines) * (number + 1) // parts])
        key = str(uuid.UUID(bytes=hashlib.sha256(own).digest()[:16], version=5))
        found.append(Request("POST", request.path, {
            **request.headers, "Idempotency-Key": key, "Hozz-Part": str(number + 1), "Hozz-Part-Count": str(parts),
            "Hozz-Record-Count": str(own.count(b"\n"))}, own))
    return found


def requests(samples, withdrawn=(), size=60, first=1, path="/", order=None):
    """Returns the batches of the anchored queries: samples and withdrawn ones first, tombstones of those at the end.

    `order` shuffles records, since HealthKit returns them in the order in which they were stored.
    """
    records = [record(sample) for sample in (*samples, *withdrawn)]
    if order:
        order.shuffle(records)
    if samples:
        records += other_records(samples[0].start)
    records += [deletion(sample) for sample in withdrawn]
    pages = [records[at:at + size] for at in range(0, len(records), size)]
    kinds = {sample.kind for sample in samples}
    return [batch(page + coverage(kinds), first + number, path) for number, page in enumerate(pages)]


def deletions(samples, sequence, path="/"):
    return batch([deletion(sample) for sample in samples], sequence, path)


def file_name(sequence, destination="icloud"):
    return f"hozz-20240304T090000Z-{destination}-{sequence}.ndjson"


def discovery():
    return Request("GET", "/", {}, b"")


def pair(device="Anna’s iPhone"):
    return Request("POST", "/pair", {"Content-Type": "application/json"}, json.dumps({"device": device}).encode())


def connection_test(path="/"):
    return batch([{"kind": "hozzConnectionTest", "schemaVersion": 1}], 0, path)
