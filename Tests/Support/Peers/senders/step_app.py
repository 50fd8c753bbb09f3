"""The step app of `../shared/design/api.md`: `POST /steps` and `DELETE /steps`, http, no header for a token."""

import json

from senders.neutral import Request, iso

HEADERS = {"Content-Type": "application/json", "User-Agent": "StepSync/1 CFNetwork/1568.300.101 Darwin/24.2.0"}


def requests(samples, size=200, path="/steps"):
    own = [sample for sample in samples if sample.kind == "steps"]
    found = []
    for at in range(0, len(own), size):
        found.append(Request("POST", path, HEADERS, json.dumps({"samples": [
            {"uuid": one.uuid.upper(), "startDate": iso(one.start), "endDate": iso(one.end), "count": one.value,
             "sourceBundleId": one.source, "sourceDeviceName": one.device} for one in own[at:at + size]]},
            ensure_ascii=False).encode()))
    return found


def delete(path="/steps"):
    return Request("DELETE", path, HEADERS, b"")


def health(path="/health"):
    return Request("GET", path, {}, b"")
