"""HCGateway v2 (Android), ShuchirJ/HCGateway.

Source: api/apiVersions/v2/routes.py, doc/api-documentation.yml, app/App.js, and the result types of
react-native-health-connect. Login answers 201 with token, refresh and expiry. A run sends 29 days of each type again. Records of
SleepSession, Speed and HeartRate are sent one by one, with an object in `data` instead of a list. The deletion of a record is
`DELETE /api/v2/sync/{type}` with a body.
"""

import collections
import json

from senders.neutral import Request, iso_milliseconds

SINGLE = ("SleepSession", "Speed", "HeartRate")
STAGES = {"asleep": 2, "awake": 1, "core": 4, "deep": 5, "rem": 6}
TYPES = {"steps": "Steps", "distance": "Distance", "energy": "ActiveCaloriesBurned", "heartRate": "HeartRate",
         "restingHeartRate": "RestingHeartRate", "sleep": "SleepSession"}
HEADERS = {"Content-Type": "application/json", "Accept": "application/json, text/plain, */*", "User-Agent": "okhttp/4.9.2"}


def metadata(sample, modified):
    return {"id": sample.record, "dataOrigin": sample.source, "lastModifiedTime": iso_milliseconds(modified),
            "clientRecordId": None, "clientRecordVersion": 0, "recordingMethod": 2,
            "device": {"manufacturer": "Google", "model": sample.device, "type": 1 if "Watch" in sample.device else 2}}


def length(meters):
    return {"inMeters": meters, "inKilometers": meters / 1000, "inMiles": meters / 1609.344, "inFeet": meters / 0.3048,
            "inInches": meters / 0.0254}


def energy(kilocalories):
    return {"inCalories": kilocalories * 1000, "inKilocalories": kilocalories, "inJoules": kilocalories * 4184,
            "inKilojoules": kilocalories * 4.184}


def records(samples, modified=None):
    """Returns the records of Health Connect by type, last modified at an instant, or at their end."""
    grouped = collections.defaultdict(list)
    for sample in samples:
        grouped[sample.kind, sample.record].append(sample)
    found = collections.defaultdict(list)
    for (kind, _), own in grouped.items():
        first, start, end = own[0], min(one.start for one in own), max(one.end for one in own)
        whole = {"startTime": iso_milliseconds(start), "endTime": iso_milliseconds(end), "metadata": metadata(first, modified or end)}
        if kind == "restingHeartRate":
            whole = {"time": iso_milliseconds(start), "metadata": metadata(first, modified or end), "beatsPerMinute": first.value}
        elif kind == "heartRate":
            whole["samples"] = [{"time": iso_milliseconds(one.start), "beatsPerMinute": one.value} for one in own]
        elif kind == "sleep":
            whole["stages"] = [{"startTime": iso_milliseconds(one.start), "endTime": iso_milliseconds(one.end),
                                "stage": STAGES[one.value]} for one in own]
        else:
            whole |= {"steps": lambda: {"count": first.value}, "distance": lambda: {"distance": length(first.value)},
                      "energy": lambda: {"energy": energy(first.value)}}[kind]()
        found[TYPES[kind]].append(whole)
    return found


def request(method, path, body, token=None):
    headers = {**HEADERS, "Authorization": f"Bearer {token}"} if token else HEADERS
    return Request(method, path, headers, json.dumps(body, ensure_ascii=False).encode())


def login(username, password):
    return request("POST", "/api/v2/login", {"username": username, "password": password, "fcmToken": "d3Jf:APA91b"})


def refresh(token):
    return request("POST", "/api/v2/refresh", {"refresh": token})


def requests(samples, token=None, modified=None):
    found = []
    for kind, own in sorted(records(samples, modified).items()):
        bodies = own if kind in SINGLE else [own]
        found += [request("POST", f"/api/v2/sync/{kind}", {"data": body}, token) for body in bodies]
    return found


def delete(kind, identifiers, token=None):
    return request("DELETE", f"/api/v2/sync/{TYPES[kind]}", {"uuid": identifiers}, token)
