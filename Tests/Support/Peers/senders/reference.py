"""What the requests of a device mean, decoded independently of the program: the samples that remain.

`Reference` keeps records by identifier, honors deletions in any order, replaces a record by a newer version, and deletes what a
complete window lacks. Samples of senders without identifiers are kept once. Health Auto Export is not decoded here: its posts
have the format of its files, which are specified in docs/phone-formats.md.
"""

import datetime
import gzip
import json
import urllib.parse

from senders import hc_webhook, hcgateway, hozz, open_wearables, shortcuts
from senders.life_dashboard import KEYS


def instant(text):
    return round(datetime.datetime.fromisoformat(text).timestamp() * 1000)


def inverted(table):
    return {value[0] if isinstance(value, tuple) else value: key for key, value in table.items()}


HOZZ = inverted(hozz.TYPES)
HOZZ_STAGES = inverted(hozz.STAGES)
OPEN = {**inverted(open_wearables.APPLE_TYPES), **inverted(open_wearables.ANDROID_TYPES)}
OPEN_STAGES = {**inverted(open_wearables.APPLE_STAGES), **inverted(open_wearables.ANDROID_STAGES)}
STAGES = {**inverted(hc_webhook.NUMBERS), **inverted(hc_webhook.NAMES)}
SHORTCUTS = inverted(shortcuts.TYPES)
GATEWAY, GATEWAY_STAGES = inverted(hcgateway.TYPES), inverted(hcgateway.STAGES)
ARRAYS = inverted(KEYS)


class Reference:
    """The samples of one device: tuples of kind, source, start, end and value."""

    def __init__(self):
        self.records, self.gone, self.versions, self.windows = {}, {}, {}, {}
        self.plain, self.posts, self.unknown = set(), [], 0

    def samples(self):
        lacking = self.lacking()
        kept = [one for identifier, own in self.records.items() if identifier not in lacking for one in own]
        return sorted([*self.plain, *kept], key=str)

    def put(self, identifier, samples, version=0):
        identifier = identifier.lower()
        if version >= max(self.versions.get(identifier, 0), self.gone.get(identifier, -1) + 1):
            self.records[identifier], self.versions[identifier] = samples, version

    def delete(self, identifier, version=2**60):
        identifier = identifier.lower()
        self.gone[identifier] = max(self.gone.get(identifier, -1), version)
        if self.versions.get(identifier, 0) <= version:
            self.records.pop(identifier, None)

    def receive(self, request):
        body = gzip.decompress(request.body) if request.headers.get("Content-Encoding") == "gzip" else request.body
        if request.method == "DELETE" and request.path.endswith("/steps"):
            self.records.clear()
        elif "/api/v2/sync/" in request.path:
            self.gateway(request.method, GATEWAY[request.path.rsplit("/", 1)[1]], json.loads(body))
        elif request.headers.get("Content-Type", "").startswith("application/x-www-form"):
            fields = {name: values[0] for name, values in urllib.parse.parse_qs(body.decode()).items()}
            self.line([fields[name] for name in ("type", "start", "end", "value", "unit")])
        elif request.headers.get("Content-Type") == "text/plain":
            for line in body.decode().splitlines():
                self.line(line.split(","))
        elif request.headers.get("Content-Type", "").startswith("multipart/"):
            self.unknown += 1
        else:
            self.lines([json.loads(line) for line in body.decode().splitlines()])

    def lines(self, objects):
        for one in objects:
            if "kind" in one:
                self.hozz(one)
            elif "startDate" in one:
                self.plain.add((SHORTCUTS[one["type"]], one["sourceBundleId"], instant(one["startDate"]), instant(one["endDate"]),
                                one["value"]))
            elif "provider" in one and "data" in one:
                self.open_wearables(one["data"])
            elif "data" in one:
                self.posts.append(one)
            elif "samples" in one:
                for step in one["samples"]:
                    self.put(step["uuid"], [("steps", step["sourceBundleId"], instant(step["startDate"]),
                                             instant(step["endDate"]), step["count"])])
            elif "app_version" in one:
                self.health_connect(one)
            else:
                self.unknown += 1

    def line(self, fields):
        kind, start, end, value, _ = fields
        self.plain.add((SHORTCUTS[kind], "Shortcuts", instant(start), instant(end), float(value)))

    def hozz(self, one):
        if one["kind"] == "deletion":
            self.delete(one["id"])
        elif one["kind"] in ("quantity", "category") and one["type"] in HOZZ and one["id"].lower() not in self.gone:
            kind = HOZZ[one["type"]]
            value = HOZZ_STAGES[one["value"]] if kind == "sleep" else one["quantity"]["value"]
            self.put(one["id"], [(kind, one["source"]["name"], instant(one["startDate"]), instant(one["endDate"]), value)])

    def open_wearables(self, data):
        for one in (*data["records"], *data["sleep"]):
            source = one["source"].get("name") or one["source"]["appId"]
            kind = OPEN[one["type"]] if "type" in one else "sleep"
            value = one["value"] if "type" in one else OPEN_STAGES[one["stage"]]
            self.put(one["id"], [(kind, source, instant(one["startDate"]), instant(one["endDate"]), value)])

    def gateway(self, method, kind, body):
        if method == "DELETE":
            for identifier in body["uuid"]:
                self.delete(identifier)
            return
        for one in body["data"] if isinstance(body["data"], list) else [body["data"]]:
            if one["metadata"]["id"].lower() in self.gone:
                continue
            source = one["metadata"]["dataOrigin"]
            if kind == "heartRate":
                own = [(instant(each["time"]),) * 2 + (each["beatsPerMinute"],) for each in one["samples"]]
            elif kind == "sleep":
                own = [(instant(each["startTime"]), instant(each["endTime"]), GATEWAY_STAGES[each["stage"]])
                       for each in one["stages"]]
            elif kind == "restingHeartRate":
                own = [(instant(one["time"]),) * 2 + (one["beatsPerMinute"],)]
            else:
                value = {"steps": lambda: one["count"], "distance": lambda: one["distance"]["inMeters"],
                         "energy": lambda: one["energy"]["inKilocalories"]}[kind]()
                own = [(instant(one["startTime"]), instant(one["endTime"]), value)]
            self.put(one["metadata"]["id"], [(kind, source, *each) for each in own])

    def health_connect(self, one):
        sequence, found = one.get("sequence"), {}
        for key, kind in ARRAYS.items():
            for entry in one.get(key, ()):
                source = entry.get("source") or entry.get("metadata", {}).get("data_origin", "HC Webhook")
                record = entry["uuid"].split("#")[0] if "uuid" in entry else None
                found.setdefault(record, []).extend((kind, source, *each) for each in self.parts(kind, entry))
        self.plain.update(found.pop(None, ()))
        for identifier, own in found.items():
            self.put(identifier, own, sequence)
        for entry in one.get("deleted_records", ()):
            self.delete(entry["uuid"], sequence)
        if one.get("backfill"):
            self.window(one, sequence, found)

    def parts(self, kind, entry):
        if kind == "sleep":
            return [(instant(one["start_time"]), instant(one["end_time"]), STAGES[one["stage"]]) for one in entry["stages"]]
        if "time" in entry:
            return [(instant(entry["time"]),) * 2 + (entry["bpm"],)]
        names = {"steps": "count", "distance": "meters", "energy": "calories"}
        return [(instant(entry["start_time"]), instant(entry["end_time"]), entry[names[kind]])]

    def window(self, one, sequence, found):
        payloads = self.windows.setdefault((one["window_start"], one["window_end"]), {})
        payloads[sequence] = (one["window_complete"], {identifier.lower() for identifier in found})

    def lacking(self):
        """Returns the records that a complete window lacks. Its payloads have consecutive sequences; only the last one states
        that it is complete. A record that is newer than the window is not affected."""
        lacking = set()
        for key, payloads in self.windows.items():
            last = max((number for number, (complete, _) in payloads.items() if complete), default=None)
            if last is None or any(number not in payloads for number in range(min(payloads), last)):
                continue
            start, end = map(instant, key)
            stated = {identifier for _, identifiers in payloads.values() for identifier in identifiers}
            lacking |= {identifier for identifier, own in self.records.items()
                        if identifier not in stated and start <= own[0][2] < end and self.versions[identifier] < last}
        return lacking
