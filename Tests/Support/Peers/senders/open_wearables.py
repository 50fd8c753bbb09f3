"""Open Wearables SDK (iOS and Android).

Source: backend/app/schemas/apple/healthkit/sync_request.py, series_types and docs/sdk of the-momentum/open-wearables, and the
serializer of its iOS SDK. At most 2,000 entries a request. iOS: HealthKit identifiers, times without fractions, units `bpm`
and `Cal`, stages in camel case. Android: upper-case types, zone offsets, stages of Health Connect. No deletions.
"""

import json

from senders.neutral import Request, iso, iso_seconds

LIMIT = 2000
APPLE_TYPES = {"steps": ("HKQuantityTypeIdentifierStepCount", "count"),
               "distance": ("HKQuantityTypeIdentifierDistanceWalkingRunning", "m"),
               "energy": ("HKQuantityTypeIdentifierActiveEnergyBurned", "Cal"),
               "heartRate": ("HKQuantityTypeIdentifierHeartRate", "bpm"),
               "restingHeartRate": ("HKQuantityTypeIdentifierRestingHeartRate", "bpm")}
ANDROID_TYPES = {"steps": ("STEP_COUNT", "count"), "distance": ("DISTANCE", "m"), "energy": ("ACTIVE_CALORIES_BURNED", "kcal"),
                 "heartRate": ("HEART_RATE", "bpm"), "restingHeartRate": ("RESTING_HEART_RATE", "bpm")}
APPLE_STAGES = {"in_bed": "inBed", "asleep": "asleepUnspecified", "awake": "awake", "core": "asleepCore",
                "deep": "asleepDeep", "rem": "asleepREM"}
ANDROID_STAGES = {"in_bed": "in_bed", "asleep": "sleeping", "awake": "awake", "core": "light", "deep": "deep", "rem": "rem"}


def source(sample, apple):
    if apple:
        return {"name": sample.source, "bundleIdentifier": "com.apple.health.4B1D2A", "version": "11.2",
                "productType": "Watch7,1", "deviceName": sample.device, "deviceManufacturer": "Apple Inc.",
                "deviceModel": sample.device.split()[-1], "deviceType": "watch" if "Watch" in sample.device else "phone",
                "operatingSystemVersion": {"majorVersion": 26, "minorVersion": 5, "patchVersion": 0}}
    return {"appId": sample.source, "deviceId": "R9ZW30ABC12", "deviceName": sample.device, "deviceManufacturer": "Google",
            "deviceModel": sample.device, "deviceType": "watch" if "Watch" in sample.device else "phone",
            "recordingMethod": None}


def entry(sample, apple):
    stamp = iso_seconds if apple else iso
    found = {"id": sample.uuid.upper() if apple else sample.uuid,
             "parentId": None if apple or sample.record == sample.uuid else sample.record,
             "startDate": stamp(sample.start), "endDate": stamp(sample.end), "zoneOffset": None if apple else "+01:00",
             "source": source(sample, apple), "metadata": [] if apple else None}
    if sample.kind == "sleep":
        return {**found, "stage": (APPLE_STAGES if apple else ANDROID_STAGES)[sample.value], "values": None}
    kind, unit = (APPLE_TYPES if apple else ANDROID_TYPES)[sample.kind]
    return {**found, "type": kind, "value": sample.value, "unit": unit}


def requests(samples, user="0d0b7c4e-6a4f-4a57-9a35-8d2f8f8c1b11", apple=True, limit=LIMIT):
    """Returns the uploads: records and sleep in the order of the queries, a limited number in each."""
    ordered = sorted(samples, key=lambda sample: (sample.kind, sample.start))
    found = []
    for at in range(0, len(ordered), limit):
        chunk = ordered[at:at + limit]
        data = {"records": [entry(sample, apple) for sample in chunk if sample.kind != "sleep"],
                "sleep": [entry(sample, apple) for sample in chunk if sample.kind == "sleep"], "workouts": []}
        body = {"provider": "apple" if apple else "google", "sdkVersion": "0.6.0",
                "syncTimestamp": "2024-03-04T10:30:00Z", "data": data}
        found.append(Request("POST", f"/api/v1/sdk/users/{user}/sync", {"Content-Type": "application/json"},
                             json.dumps(body, ensure_ascii=False).encode()))
    return found


def log(user="0d0b7c4e-6a4f-4a57-9a35-8d2f8f8c1b11"):
    """Returns the report that the SDK sends besides its data since 2026-04."""
    body = {"sdkVersion": "0.6.0", "provider": "apple", "events": [
        {"eventType": "sync_start", "timestamp": "2024-03-04T10:30:00Z", "dataTypeCounts": {"steps": 12}}]}
    return Request("POST", f"/api/v1/sdk/users/{user}/logs", {"Content-Type": "application/json"}, json.dumps(body).encode())
