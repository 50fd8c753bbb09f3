"""Life Dashboard Companion (Android, 1.18).

Source: docs/webhook.md and docs/webhook-schema.json of owen282000/life-dashboard-companion-app. The shapes of HC Webhook, and
on every record `uuid` and `source` (the package). All samples of one heart rate record share its uuid. `sequence` only rises.
A deletion names the array and the uuid. A backfill window states everything that the phone holds in it once a payload has
`window_complete: true`; a window without records still sends one payload. `X-Signature` is an HMAC of the raw body.
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
    return {"uuid": sample.record, "source": sample.source}


class LifeDashboard:
    def __init__(self, secret=None, path="/api/health-connect", sequence=0):
        self.secret, self.path, self.sequence = secret, path, sequence

    def post(self, members, now):
        self.sequence += 1
        body = json.dumps({"timestamp": iso(now), "app_version": "1.18.2", "source": "health_connect",
                           "sequence": self.sequence, **members,
                           "_diagnostics": {"steps": {"permission_granted": True, "page_count": 1, "error": None}}},
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
        return self.post(members, now)

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
            "_resolutions": {"steps": "1h"}}, samples[-1].end)

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

    def backfill(self, samples, start, end, size=None):
        """Returns the payloads of a window; only the last one states that it is complete."""
        parts = self.groups([one for one in samples if start <= one.start < end], size)
        return [self.post({**self.arrays(part), "backfill": True, "window_start": iso(start), "window_end": iso(end),
                           "window_complete": number == len(parts) - 1}, end)
                for number, part in enumerate(parts)]
