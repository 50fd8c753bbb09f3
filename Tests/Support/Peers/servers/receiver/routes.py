"""The endpoints of the receiving server.

`members_of` validates a body and splits it into members; `answer` builds the success body.
A member is (id, revision, body, verdict, reason); the verdict of an invalid member is "rejected".
"""

import datetime
import re
import urllib.parse
import uuid

STAGES = {"in_bed", "asleep", "awake", "core", "deep", "rem"}
ASLEEP = {"asleep", "core", "deep", "rem"}
LIMITS = {"steps": 5000, "sleep": 100, "progress": 2000, "snapshots": 2000, "samples": 5000}
UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class RequestError(Exception):
    """The error for a request that is rejected as a whole: status and body."""

    def __init__(self, status, body):
        super().__init__(status)
        self.status, self.body = status, body


def problem(status, title):
    """Returns an `application/problem+json` body."""
    return {"type": "about:blank", "title": title, "status": status}


def kind_of(path, plain):
    """Returns the kind that a POST path stores, or None."""
    if path == "/steps":
        return "steps"
    if path == "/api/v1/sleep":
        return "sleep"
    if plain:
        return None
    if path in ("/api/v1/progress", "/api/v1/snapshots"):
        return path.rsplit("/", 1)[1]
    if match := re.fullmatch(r"/api/v1/samples/([^/]+)", path):
        return "samples/" + urllib.parse.unquote(match.group(1))
    return None


def instant(text):
    """Returns an RFC 3339 time as datetime, or None."""
    if not isinstance(text, str) or not re.fullmatch(
            r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)", text, re.ASCII):
        return None
    try:
        return datetime.datetime.fromisoformat(text.upper())
    except ValueError:
        return None


def members_of(kind, body, plain):
    """Splits a decoded body into members; raises RequestError if it is invalid as a whole."""
    if kind == "sleep" and isinstance(body, dict) and (plain or "sessions" not in body):
        if instant(body.get("start_time")) is None or instant(body.get("end_time")) is None:
            raise RequestError(422, {"success": False, "error": "start_time and end_time are required"})
        return [member(kind, body)]
    family = kind.split("/")[0]
    names = {"steps": ("samples",), "samples": ("samples",), "sleep": ("sessions",), "progress": ("entries",),
             "snapshots": ("snapshots", "entries")}[family]
    name = next((name for name in names if isinstance(body, dict) and name in body), None)
    if name is None:
        if family == "snapshots" and isinstance(body, dict):
            return [member(kind, body)]
        raise RequestError(400, {"error": f'Invalid request body. Expected {{"{names[0]}": [...]}}'})
    if not isinstance(body[name], list):
        raise RequestError(400, {"error": f"{name} must be a list"})
    if not all(isinstance(item, dict) for item in body[name]):
        raise RequestError(400, {"error": f"Each {name.removesuffix('s')} must be a JSON object"})
    if len(body[name]) > LIMITS[family] and not plain:
        raise RequestError(413, {"error": f"at most {LIMITS[family]} records per request"})
    return [member(kind, item) for item in body[name]]


def member(kind, item):
    identity = item.get("uuid") if kind.split("/")[0] in ("steps", "samples") else item.get("source_id")
    identity = identity.lower() if isinstance(identity, str) else None
    revision = item.get("revision")
    if identity is None:
        problem = "the id is missing"
    elif revision is not None and (not isinstance(revision, int) or isinstance(revision, bool)):
        problem = "revision is not an integer"
    else:
        problem = validation_error(kind, identity, item)
    return (identity, revision if problem is None else None, item, "rejected" if problem else None, problem)


def validation_error(kind, identity, item):
    """Returns why a record is invalid, or None."""
    family = kind.split("/")[0]
    if family in ("steps", "samples"):
        start, end = instant(item.get("startDate")), instant(item.get("endDate"))
        if not UUID.fullmatch(identity):
            return "uuid is not a UUID"
        if start is None or end is None:
            return "startDate and endDate must be times"
        if end < start:
            return "endDate is before startDate"
        if not 1900 <= start.year <= 2200 or not 1900 <= end.year <= 2200:
            return "the year must be from 1900 to 2200"
        count = item.get("count")
        if family == "steps" and (not isinstance(count, int) or isinstance(count, bool) or count < 0):
            return "count must be an integer that is not negative"
    if family == "sleep":
        start, end = instant(item.get("start_time")), instant(item.get("end_time"))
        if start is None or end is None or end < start:
            return "start_time and end_time must be an interval"
        for stage in item.get("stages") or []:
            if stage.get("stage") not in STAGES:
                return f"unknown stage {stage.get('stage')!r}"
            if instant(stage.get("start_time")) is None or instant(stage.get("end_time")) is None:
                return "a stage must have times"
    if family == "progress" and item.get("granularity") not in ("hour", "day"):
        return "granularity must be hour or day"
    return None


def covered(spans, without=()):
    """Returns the minutes in the union of `spans` that are not in the union of `without`."""
    edges = sorted({edge for span in list(spans) + list(without) for edge in span})
    total = datetime.timedelta()
    for left, right in zip(edges, edges[1:]):
        inside = any(start <= left and right <= end for start, end in spans)
        if inside and not any(start <= left and right <= end for start, end in without):
            total += right - left
    return round(total / datetime.timedelta(minutes=1), 4)


def sleep_data(body, identity):
    """Returns the `data` member of a sleep response, with figures computed from the stages."""
    spans = {stage: [] for stage in STAGES}
    for stage in body.get("stages") or []:
        spans[stage["stage"]].append((instant(stage["start_time"]), instant(stage["end_time"])))
    asleep = [span for stage in ASLEEP for span in spans[stage]]
    in_bed = covered([(instant(body["start_time"]), instant(body["end_time"]))])
    total = covered(asleep)
    return {
        "id": str(uuid.uuid5(uuid.NAMESPACE_URL, f"sleep:{identity}")), "user_id": None,
        "start_time": body["start_time"], "end_time": body["end_time"],
        "time_in_bed_minutes": in_bed, "total_sleep_minutes": total,
        "sleep_efficiency_percentage": min(100.0, round(total / in_bed * 100, 4)) if in_bed else 0,
        "awake_minutes": covered(spans["awake"], asleep), "rem_minutes": covered(spans["rem"]),
        "core_minutes": covered(spans["core"]), "deep_minutes": covered(spans["deep"]),
        "source": body.get("source"), "source_id": body.get("source_id"), "notes": body.get("notes"),
        "created_at": "2024-01-01T00:00:00Z", "updated_at": "2024-01-01T00:00:00Z",
    }


def counts_of(results, total=None):
    """Returns the counters of a response; `retry` is present only if it is not 0."""
    counts = {"received": len(results) if total is None else total}
    for status in ("created", "updated", "duplicate", "rejected"):
        counts[status] = sum(result["status"] == status for result in results)
    if retried := sum(result["status"] == "retry" for result in results):
        counts["retry"] = retried
    return counts


def answer(kind, body, results, plain, sparse=False):
    """Returns status and body of the response to a stored request."""
    counts = counts_of(results)
    listed = [result for result in results if not sparse or result["status"] != "created"]
    if kind == "sleep" and (plain or "sessions" not in body):
        own = {} if plain else {**counts, "results": listed}
        if results and results[0]["status"] == "rejected":
            return 422, {"success": False, "error": results[0].get("reason", "rejected"), **own}
        status = 201 if results and results[0]["status"] == "created" else 200
        identity = results[0]["id"] if results else None
        return status, {"success": True, "data": sleep_data(body, identity), **own}
    saved = counts["created"] + counts["updated"] + counts["duplicate"]
    if kind == "steps" and plain:
        return 200, {"saved": saved, "message": "Success"}
    head = {"saved": saved, "message": "Success"} if kind == "steps" else {"success": True}
    return 200, {**head, **counts, "results": listed}
