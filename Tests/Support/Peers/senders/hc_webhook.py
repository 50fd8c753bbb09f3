"""HC Webhook (Android), mcnaveen/health-connect-webhook.

Source: SyncManager.kt, HealthConnectManager.kt, MockPayloadBuilder.kt and README of the app. Every run sends a window of 48
hours again. No identifiers, no deletions. A sleep session has its end and its duration only; each stage is the number of
Health Connect as text (`stage.stage.toString()`), but the test payload and other versions write names. Older versions write
no `metadata`. Times are those of `java.time.Instant`.
"""

import collections
import json

from senders.neutral import DAY, HOUR, Request, iso

NUMBERS = {"awake": "1", "asleep": "2", "core": "4", "deep": "5", "rem": "6"}
NAMES = {"awake": "awake", "asleep": "sleeping", "core": "light", "deep": "deep", "rem": "rem"}
WINDOW = 2 * DAY


def metadata(sample):
    return {"data_origin": sample.source, "recording_method": "automatically_recorded",
            "device": {"manufacturer": "Google", "model": sample.device, "type": 1 if "Watch" in sample.device else 2}}


def interval(sample, **members):
    return {**members, "start_time": iso(sample.start), "end_time": iso(sample.end)}


def sessions(samples, stages):
    """Returns pairs of a session of Health Connect and its first sample."""
    found = collections.defaultdict(list)
    for sample in samples:
        if sample.kind == "sleep":
            found[sample.record].append(sample)
    for own in found.values():
        start, end = min(one.start for one in own), max(one.end for one in own)
        yield {"session_end_time": iso(end), "duration_seconds": (end - start) // 1000,
               "stages": [interval(one, stage=stages[one.value], duration_seconds=(one.end - one.start) // 1000)
                          for one in sorted(own, key=lambda one: one.start)]}, own[0]


def arrays(samples, describe, stages):
    """Returns the record arrays; `describe` returns the members that state where a sample came from."""
    shapes = {"steps": ("steps", lambda one: interval(one, count=one.value)),
              "distance": ("distance", lambda one: interval(one, meters=one.value)),
              "energy": ("active_calories", lambda one: interval(one, calories=one.value)),
              "heartRate": ("heart_rate", lambda one: {"bpm": one.value, "time": iso(one.start)}),
              "restingHeartRate": ("resting_heart_rate", lambda one: {"bpm": one.value, "time": iso(one.start)})}
    found = collections.defaultdict(list)
    for sample in samples:
        if sample.kind in shapes:
            key, shape = shapes[sample.kind]
            found[key].append({**shape(sample), **describe(sample)})
    for session, first in sessions(samples, stages):
        found["sleep"].append({**session, **describe(first)})
    return dict(found)


def payload(samples, now, with_metadata=True, stages=None):
    describe = (lambda one: {"metadata": metadata(one)}) if with_metadata else (lambda one: {})
    return {"timestamp": iso(now), "app_version": "1.9.11", **arrays(samples, describe, stages or NUMBERS)}


def post(body, path="/webhook"):
    return Request("POST", path, {"Content-Type": "application/json; charset=utf-8", "User-Agent": "okhttp/5.5.0",
                                  "Accept-Encoding": "gzip"}, json.dumps(body, ensure_ascii=False).encode())


def requests(samples, every=12 * HOUR, path="/webhook", **options):
    """Returns the posts of all runs: at each, the records of the last 48 hours that have ended."""
    first, last = min(one.start for one in samples), max(one.end for one in samples)
    starts, ends = {}, collections.defaultdict(int)
    for one in samples:
        starts[one.record] = min(starts.get(one.record, one.start), one.start)
        ends[one.record] = max(ends[one.record], one.end)
    now, found = first + every, []
    while now - every < last + 1:
        # A session or a series is one record: it is sent as a whole once it has ended.
        own = [one for one in samples if ends[one.record] <= now and starts[one.record] >= now - WINDOW]
        if own:
            found.append(post(payload(own, now, **options), path))
        now += every
    return found


def test_button(now, path="/webhook"):
    """Returns the post of the Test button: invented data, marked with `test`."""
    steps = [{"count": 8432, "start_time": iso(now - 10 * HOUR), "end_time": iso(now)}]
    return post({"timestamp": iso(now), "app_version": "1.9.11", "test": True, "steps": steps}, path)
