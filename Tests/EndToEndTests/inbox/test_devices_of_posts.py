"""Health Connect's device type orders devices whose model names no class, and a deletion reaches the minute of a feed that
contains only the deleted measurement."""

import json
import unittest

from senders.neutral import Request
from support.watch import ZONE, InboxTest

DAY = "2024-01-15"
START, END = f"{DAY}T09:00:00Z", f"{DAY}T10:00:00Z"
WATCH, PHONE = {"manufacturer": "samsung", "model": "SM-R960", "type": 1}, {"manufacturer": "samsung", "model": "SM-S911B", "type": 2}


def webhook(*records, made=f"{DAY}T12:00:00Z"):
    """Returns a post with (count, start, end, app, device)."""
    steps = [{"count": count, "start_time": start, "end_time": end, "metadata": {"data_origin": app, "device": device}}
             for count, start, end, app, device in records]
    return Request("POST", "/webhook", {"Content-Type": "application/json"},
                   json.dumps({"timestamp": made, "app_version": "1.9.19", "steps": steps}).encode())


def gateway(*records):
    data = [{"count": count, "startTime": start, "endTime": end,
             "metadata": {"id": f"00000000-0000-4000-8000-{number:012}", "dataOrigin": app, "device": device}}
            for number, (count, start, end, app, device) in enumerate(records)]
    return Request("POST", "/api/v2/sync/Steps", {"Content-Type": "application/json"}, json.dumps({"data": data}).encode())


class Devices(InboxTest):
    def setUp(self):
        super().setUp()
        self.config.write_text("{}")
        self.number = 0

    def after(self, *requests, place="bearer"):
        """Returns the folder of a store after the requests."""
        self.number += 1
        data = f"data{self.number}"
        self.run_after_posts(data, *requests, place=place)
        return data

    def steps(self, *requests):
        data = self.after(*requests)
        periods = self.json_of("metric", "steps", "--data-dir", data, "--from", DAY, "--to", DAY)["periods"]
        return periods[0]["quantity"]

    def rows(self, data):
        target = self.folder / f"{data}.jsonl"
        self.succeed("export", "--format", "jsonl", "--out", target, "--data-dir", data)
        return [json.loads(line) for line in target.read_text().splitlines()]

    def test_the_type_of_a_device_decides_which_counts_first(self):
        watch, phone = (500, START, END, "com.b", WATCH), (480, START, END, "com.a", PHONE)
        part = (480, f"{DAY}T09:02:00Z", f"{DAY}T09:58:00Z", "com.a", PHONE)
        self.assertEqual(self.steps(webhook(watch, phone)), 500)
        self.assertEqual(self.steps(gateway(watch, part)), 500)
        for number in (4, 6):
            ring = (500, START, END, "com.b", {**WATCH, "type": number})
            self.assertEqual(self.steps(webhook(ring, phone)), 500)

    def test_a_text_that_names_a_class_stays_as_it_is(self):
        data = self.after(webhook((500, START, END, "com.b", {"manufacturer": "Google", "model": "Pixel Watch", "type": 2}),
                                  (480, START, END, "com.a", {**PHONE, "type": 0}), (7, START, END, "com.c", {**PHONE, "type": 3})))
        self.assertEqual({row["sourceDeviceName"] for row in self.rows(data)},
                         {"manufacturer:Google, model:Pixel Watch", "manufacturer:samsung, model:SM-S911B"})

    def test_a_device_that_is_stored_without_a_type_keeps_its_samples(self):
        """Ids follow from the device, too: with another text, what the app sends again would be stored twice."""
        bare = {name: value for name, value in WATCH.items() if name != "type"}
        later = (70, "2024-01-15T11:00:00Z", "2024-01-15T11:30:00Z", "com.b", WATCH)
        for requests in ([webhook((500, START, END, "com.b", bare)), webhook((500, START, END, "com.b", WATCH), later)],
                         [gateway((500, START, END, "com.b", bare)), gateway((500, START, END, "com.b", WATCH), later)]):
            alone = self.rows(self.after(requests[0]))
            both = self.rows(self.after(*requests))
            self.assertEqual(len(both), 2)
            self.assertIn(alone[0]["uuid"], [row["uuid"] for row in both])
            self.assertEqual({row["sourceDeviceName"] for row in both}, {"manufacturer:samsung, model:SM-R960"})

    def test_a_deletion_reaches_an_entry_on_a_whole_minute(self):
        at, name = f"{DAY} 08:04:00 +0000", "Watch"
        entry = {"date": at, "Min": 88, "Avg": 88, "Max": 88, "source": name}
        feed = Request("POST", "/api/data", {"Content-Type": "application/json", "automation-name": "Health"}, json.dumps(
            {"data": {"metrics": [{"name": "heart_rate", "units": "count/min", "data": [entry]}]}}).encode())
        identifier = "a0000000-0000-4000-8000-000000000001"
        record = {"kind": "quantity", "schemaVersion": 1, "id": identifier, "type": "HKQuantityTypeIdentifierHeartRate",
                  "startDate": f"{DAY}T08:04:00.000Z", "endDate": f"{DAY}T08:04:00.000Z", "metadata": {},
                  "source": {"name": name}, "quantity": {"unit": "count/min", "value": 88}}
        deletion = {"kind": "deletion", "schemaVersion": 1, "id": identifier, "type": record["type"]}
        stream = [Request("POST", "/", {"Content-Type": "application/x-ndjson", "Hozz-Record-Count": "1"}, json.dumps(one).encode())
                  for one in (record, deletion)]
        for requests in ([feed, *stream], [*stream, feed]):
            data = self.after(*requests)
            periods = self.json_of("heart", "--data-dir", data, "--from", DAY, "--to", DAY)["periods"]
            self.assertEqual([period["measurementCount"] for period in periods if period["measurementCount"]], [])


if __name__ == "__main__":
    unittest.main()
