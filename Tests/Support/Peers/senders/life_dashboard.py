"""Life Dashboard Companion (Android, 1.18).

Source: docs/webhook.md and docs/webhook-schema.json of owen282000/life-dashboard-companion-app. The shapes of HC Webhook, and
on every record `uuid` and `source` (the package). The uuid of a heart rate is that of its record, `#` and its time in
milliseconds (HealthConnectManager.kt, `readHeartRateData`); a deletion names the record. `sequence` only rises.
A deletion names the array and the uuid. A backfill window states everything that the phone holds in it once a payload has
`window_complete: true`; a window without records still sends one payload. `X-Signature` is an HMAC of the raw body.

`_diagnostics` and the parts of a window: HealthConnectManager.kt and HealthSyncManager.kt (`runBackfillLocked`). Each payload has
an entry for every enabled type that was read for it. `raw_record_count` counts everything in the range that was read (samples
of heart rates, records of other types), `filtered_record_count` what the payload contains. A payload contains at most a limit of
each type; the next payloads of the window read only the types that exceeded it.
"""

import collections
import hashlib
import hmac
import json

from senders import hc_webhook
from senders.neutral import HOUR, Request, iso

KEYS = {"steps": "steps", "distance": "distance", "energy": "active_calories", "heartRate": "heart_rate",
        "restingHeartRate": "resting_heart_rate", "sleep": "sleep"}


def describe(sample):
    suffix = f"#{sample.start}" if sample.kind == "heartRate" else ""
    return {"uuid": sample.record + suffix, "source": sample.source}


def diagnostics(raw, filtered):
    return {"permission_granted": True, "page_count": 1 + raw // 1000, "raw_record_count": raw, "raw_min_time": None,
            "raw_max_time": None, "raw_latest_modified_time": None, "filtered_record_count": filtered, "min_time": None,
            "max_time": None, "last_sync": None, "error": None, "own_records_skipped": 0, "read_from": None,
            "lookback_gap_from": None}


def by_record(samples, kind):
    """Returns the samples of a type as a list of records."""
    records = {}
    for one in samples:
        if one.kind == kind:
            records.setdefault(one.record, []).append(one)
    return list(records.values())


def count(records, kind):
    """Returns the number of records as the app counts them."""
    return sum(map(len, records)) if kind == "heartRate" else len(records)


def capped(records, kind, limit):
    """Returns the first records up to the limit. A heart rate record is never divided."""
    number = 0
    while number < len(records) and count(records[:number], kind) < limit:
        number += 1
    return records[:number]


class LifeDashboard:
    def __init__(self, secret=None, path="/api/health-connect", sequence=0):
        self.secret, self.path, self.sequence, self.now = secret, path, sequence, 0

    def post(self, members, now, counts):
        """Returns a payload. `counts` has the raw and the filtered count of each type that was read."""
        # The clock of a phone does not go back.
        self.now = max(self.now, now)
        self.sequence += 1
        body = json.dumps({"timestamp": iso(self.now), "app_version": "1.18.2", "source": "health_connect",
                           "sequence": self.sequence, **members,
                           "_diagnostics": {KEYS[kind]: diagnostics(*pair) for kind, pair in counts.items()}},
                          ensure_ascii=False).encode()
        headers = {"Content-Type": "application/json; charset=utf-8", "User-Agent": "okhttp/5.5.0"}
        if self.secret:
            headers["X-Signature"] = "sha256=" + hmac.new(self.secret.encode(), body, hashlib.sha256).hexdigest()
        return Request("POST", self.path, headers, body)

    def arrays(self, samples):
        return hc_webhook.arrays(samples, describe, hc_webhook.NAMES)

    def sync(self, samples, deleted=(), now=None):
        """Returns the payload of a sync. Deletions come with the first payload, even without any record."""
        now = now or max(one.end for one in (*samples, *deleted))
        members = self.arrays(samples)
        if samples:
            members["daily_totals"] = [{"date": iso(now)[:10], "steps": 12345, "distance_meters": 6210.4}]
        named = sorted({(KEYS[one.kind], one.record) for one in deleted})
        if named:
            members["deleted_records"] = [{"type": kind, "uuid": record} for kind, record in named]
        counts = {kind: (count(by_record(samples, kind), kind),) * 2 for kind in KEYS}
        return self.post(members, now, counts)

    def hours(self, samples):
        """Returns the payload of steps with the resolution of an hour: a bucketed series replaces the array of records."""
        total, number = collections.Counter(), collections.Counter()
        for one in samples:
            if one.kind == "steps":
                total[one.start // HOUR] += one.value
                number[one.start // HOUR] += 1
        return self.post({"steps": [
            {"bucket_start": iso(hour * HOUR), "bucket_end": iso((hour + 1) * HOUR), "sample_count": number[hour],
             "total": total[hour], "sources": [samples[0].source]} for hour in sorted(total)],
            "_resolutions": {"steps": "1h"}}, samples[-1].end, {"steps": (sum(number.values()),) * 2})

    def groups(self, samples, size):
        """Divides samples into groups of about a size; a record is never divided."""
        records, groups = {}, [[]]
        for one in samples:
            records.setdefault(one.record, []).append(one)
        for own in records.values():
            if groups[-1] and size and len(groups[-1]) + len(own) > size:
                groups.append([])
            groups[-1] += own
        return groups

    def syncs(self, samples, size=80):
        """Returns the payloads of consecutive syncs."""
        return [self.sync(group) for group in self.groups(samples, size)]

    def backfill(self, samples, start, end, limit=1000):
        """Returns the payloads of a window, each with at most `limit` records of a type; only the last one states that it is
        complete. A type that was sent whole is not read for the following payloads."""
        inside = [one for one in samples if start <= one.start < end]
        held = {kind: by_record(inside, kind) for kind in KEYS}
        left, payloads = dict(held), []
        while left or not payloads:
            part = {kind: capped(records, kind, limit) for kind, records in left.items()}
            counts = {kind: (count(held[kind], kind), count(own, kind)) for kind, own in part.items()}
            left = {kind: records[len(part[kind]):] for kind, records in left.items() if len(records) > len(part[kind])}
            own = [one for records in part.values() for record in records for one in record]
            payloads.append(self.post({
                **self.arrays(own), "backfill": True, "window_start": iso(start), "window_end": iso(end),
                "window_complete": not left}, end, counts))
        return payloads
