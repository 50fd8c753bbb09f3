"""Tests of the receiving server: run with `python3 -m unittest` in this folder."""

import gzip
import http.client
import json
import os
import signal
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
IDS = [f"550E8400-E29B-41D4-A716-44665544000{number}" for number in range(10)]


def step(number, count=1250):
    return {"uuid": IDS[number], "startDate": "2024-01-15T08:00:00Z", "endDate": "2024-01-15T09:00:00Z",
            "count": count, "sourceBundleId": "com.apple.health", "sourceDeviceName": "iPhone 15"}


def steps(*numbers):
    return {"samples": [step(number) for number in numbers]}


SLEEP = {"start_time": "2024-01-14T23:00:00+01:00", "end_time": "2024-01-15T07:00:00+01:00", "source": "Watch",
         "source_id": "night-1", "notes": None, "stages": [
             {"stage": "core", "start_time": "2024-01-14T23:00:00+01:00", "end_time": "2024-01-15T02:00:00+01:00"},
             {"stage": "asleep", "start_time": "2024-01-15T01:00:00+01:00", "end_time": "2024-01-15T05:00:00+01:00"},
             {"stage": "awake", "start_time": "2024-01-15T04:00:00+01:00", "end_time": "2024-01-15T06:00:00+01:00"}]}


class ServerCase(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.process = None
        self.addCleanup(self.stop)

    def start(self, *arguments, script=None):
        command = [sys.executable, os.path.join(HERE, "receiving_server.py"), "--port", "0", "--dir", self.folder.name]
        self.process = subprocess.Popen([*command, *arguments], stdout=subprocess.PIPE, text=True)
        word, port = self.process.stdout.readline().split()
        self.assertEqual(word, "ready")
        self.port = int(port)
        if script is not None:
            self.assertEqual(self.send("PUT", "/script", script)[0], 200)

    def stop(self, number=signal.SIGTERM):
        if self.process:
            self.process.send_signal(number)
            self.process.wait(1200)
            self.process.stdout.close()
            self.process = None

    def send(self, method, path, body=None, headers=None, raw=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=1200)
        try:
            data = raw if raw is not None else None if body is None else json.dumps(body).encode()
            connection.request(method, path, data, headers or {})
            response = connection.getresponse()
            text = response.read()
            self.headers = response.headers
            try:
                return response.status, json.loads(text)
            except ValueError:
                return response.status, text
        finally:
            connection.close()

    def journal(self, name):
        with open(os.path.join(self.folder.name, name + ".jsonl"), encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    def statuses(self, body):
        return [result["status"] for result in body["results"]]


class HonestServerTests(ServerCase):
    def test_steps_are_stored_once(self):
        self.start()
        status, body = self.send("POST", "/steps", steps(0, 1), {"Idempotency-Key": "k1"})
        self.assertEqual((status, body["saved"], body["created"]), (200, 2, 2))
        body = self.send("POST", "/steps", steps(0, 1), {"Idempotency-Key": "k1"})[1]
        self.assertEqual((body["saved"], body["duplicate"]), (2, 2))
        self.assertEqual(self.send("GET", "/steps")[1], {"samples": steps(0, 1)["samples"], "total": 2})
        self.assertEqual([line["id"] for line in self.journal("received")], [i.lower() for i in IDS[:2]] * 2)
        self.assertEqual(self.journal("violations"), [])

    def test_fixed_errors_of_steps(self):
        self.start()
        expected = 'Invalid request body. Expected {"samples": [...]}'
        self.assertEqual(self.send("POST", "/steps", {}), (400, {"error": expected}))
        self.assertEqual(self.send("POST", "/steps", {"samples": 1}), (400, {"error": "samples must be a list"}))
        self.assertEqual(self.send("POST", "/steps", {"samples": [1]}),
                         (400, {"error": "Each sample must be a JSON object"}))
        self.assertEqual(self.send("POST", "/steps", raw=b"{"), (400, {"error": "Invalid JSON"}))
        bad = [{**step(0), "count": -1}, {**step(1), "count": 1.5}, {**step(2), "endDate": "2024-01-15T07:00:00Z"},
               {**step(3), "startDate": "2024-02-30T07:00:00Z"}, {"count": 1}, step(4)]
        body = self.send("POST", "/steps", {"samples": bad})[1]
        self.assertEqual((body["saved"], body["rejected"]), (1, 5))
        self.assertEqual(self.send("POST", "/steps", {"samples": []})[1]["saved"], 0)

    def test_gzip_chunked_and_token(self):
        self.start("--token", "secret")
        self.assertEqual(self.send("POST", "/steps", steps(0))[0], 401)
        self.assertIn("Bearer", self.headers["WWW-Authenticate"])
        headers = {"Authorization": "Bearer secret", "Content-Encoding": "gzip"}
        packed = gzip.compress(json.dumps(steps(0)).encode())
        self.assertEqual(self.send("POST", "/steps", raw=packed, headers=headers)[1]["created"], 1)
        self.assertEqual(self.send("POST", "/steps", raw=iter([packed[:9], packed[9:]]), headers=headers)[1]["duplicate"], 1)
        self.assertEqual(self.send("POST", "/steps", raw=b"\x1f\x8b", headers=headers)[0], 400)
        self.assertEqual(self.send("GET", "/health"), (200, {"status": "ok"}))

    def test_sleep_single_list_and_figures(self):
        self.start()
        status, body = self.send("POST", "/api/v1/sleep", SLEEP)
        self.assertEqual((status, body["data"]["time_in_bed_minutes"], body["data"]["total_sleep_minutes"],
                          body["data"]["awake_minutes"], body["data"]["sleep_efficiency_percentage"]), (201, 480, 360, 60, 75))
        self.assertEqual(self.send("POST", "/api/v1/sleep", SLEEP)[0], 200)
        newer = {**SLEEP, "revision": 2}
        self.assertEqual(self.statuses(self.send("POST", "/api/v1/sleep", {"sessions": [newer]})[1]), ["updated"])
        self.assertEqual(self.statuses(self.send("POST", "/api/v1/sleep", {"sessions": [SLEEP]})[1]), ["duplicate"])

    def test_revisions_and_tombstones(self):
        self.start()
        entry = {"source_id": "day-1", "type": "steps", "granularity": "day", "day": "2024-01-15", "quantity": 5, "revision": 1}
        post = lambda item: self.statuses(self.send("POST", "/api/v1/progress", {"entries": [item]})[1])  # noqa: E731
        self.assertEqual(post(entry), ["created"])
        self.assertEqual(post({**entry, "quantity": 6}), ["duplicate"])
        self.assertEqual(self.journal("violations")[0]["violation"], "same_revision_other_body")
        self.assertEqual(self.statuses(self.send("DELETE", "/api/v1/progress/day-1?revision=2")[1]), ["updated"])
        self.assertEqual(post(entry), ["duplicate"])
        self.assertEqual(post({**entry, "revision": 3}), ["updated"])
        self.assertEqual(self.send("POST", "/api/v1/samples/heartRate", {"samples": [step(0)]})[1]["created"], 1)
        self.assertEqual(self.send("POST", "/api/v1/snapshots", {"snapshots": [{"source_id": "s"}]})[1]["created"], 1)
        records = self.send("GET", "/state")[1]["records"]
        self.assertEqual(set(records), {"progress", "samples/heartRate", "snapshots"})

    def test_a_key_with_other_bytes_is_rejected_and_recorded(self):
        self.start()
        self.send("POST", "/steps", steps(0), {"Idempotency-Key": "k"})
        self.assertEqual(self.send("POST", "/steps", steps(1), {"Idempotency-Key": "k"})[0], 422)
        self.assertEqual(self.journal("violations")[0]["violation"], "same_key_other_body")
        self.assertEqual(self.send("GET", "/steps")[1]["total"], 1)

    def test_a_server_restarted_after_a_kill_continues(self):
        self.start()
        self.send("POST", "/steps", steps(0, 1), {"Idempotency-Key": "k"})
        self.stop(signal.SIGKILL)
        with open(os.path.join(self.folder.name, "received.jsonl"), "a", encoding="utf-8") as file:
            file.write('{"op": "ups')
        self.start()
        self.assertEqual(self.send("POST", "/steps", steps(0, 1), {"Idempotency-Key": "k"})[1]["duplicate"], 2)
        self.send("POST", "/steps", steps(2), {"Idempotency-Key": "k"})
        self.assertEqual(len(self.journal("violations")), 1)
        self.assertEqual(self.send("DELETE", "/steps")[1]["message"], "All steps deleted successfully")
        self.assertEqual(self.send("DELETE", "/steps")[1]["message"], "No steps file to delete")

    def test_plain_server(self):
        self.start("--plain")
        self.assertEqual(self.send("GET", "/api/v1/capabilities")[0], 404)
        self.assertEqual(self.send("POST", "/steps", steps(0)), (200, {"saved": 1, "message": "Success"}))
        packed = gzip.compress(json.dumps(steps(0)).encode())
        self.assertEqual(self.send("POST", "/steps", raw=packed, headers={"Content-Encoding": "gzip"})[0], 400)
        self.assertEqual(set(self.send("POST", "/api/v1/sleep", SLEEP)[1]), {"success", "data"})
        self.assertEqual(self.send("POST", "/api/v1/sleep", {"sessions": [SLEEP]})[0], 422)
        self.assertEqual(self.send("POST", "/api/v1/progress", {"entries": []})[0], 404)


class MisbehaviourTests(ServerCase):
    def test_status_times_and_after(self):
        self.start(script=[{"match": "POST /steps", "do": "status", "status": 503, "after": 1, "times": 2,
                            "headers": {"Retry-After": "1"}}])
        self.assertEqual([self.send("POST", "/steps", steps(0))[0] for _ in range(4)], [200, 503, 503, 200])
        self.assertEqual(len(self.journal("received")), 2)
        self.assertEqual(self.journal("requests")[1]["rule"], "status")

    def test_closed_connections(self):
        self.start(script=[{"do": "close"}, {"do": "close_after_store"}, {"do": "truncate"}])
        for stored in (0, 1, 2):
            with self.assertRaises((http.client.HTTPException, ConnectionError)):
                self.send("POST", "/steps", steps(0))
            self.assertEqual(len(self.journal("received")), stored)
        self.assertEqual([line["status"] for line in self.journal("requests")], [None, None, 200])

    def test_invalid_and_other_responses(self):
        self.start(script=[{"do": "garbage"}, {"do": "huge_body"}, {"do": "redirect"}, {"do": "unauthorized"},
                           {"do": "slow", "seconds": 0.1}])
        self.assertIsInstance(self.send("POST", "/steps", steps(0))[1], bytes)
        self.assertGreater(len(self.send("POST", "/steps", steps(0))[1]["padding"]), 9_000_000)
        self.assertEqual(self.send("POST", "/steps", steps(0))[0], 307)
        self.assertEqual(self.send("POST", "/steps", steps(0))[0], 401)
        self.assertEqual(self.send("POST", "/steps", steps(0))[1]["created"], 1)

    def test_rules_about_members(self):
        ids = [IDS[1]]
        self.start(script=[{"do": "too_large", "limit": 2, "times": None}, {"do": "reject_all_422", "ids": ids},
                           {"do": "reject_ids", "ids": ids, "reason": "no"}, {"do": "retry_items", "ids": ids},
                           {"do": "forget", "ids": ids}, {"do": "sparse"}])
        self.assertEqual(self.send("POST", "/steps", steps(1, 2, 3))[0], 413)
        self.assertEqual(self.send("POST", "/steps", steps(0, 1))[0], 422)
        self.assertEqual(self.statuses(self.send("POST", "/steps", steps(0, 1))[1]), ["created", "rejected"])
        self.assertEqual(self.statuses(self.send("POST", "/steps", steps(0, 1))[1]), ["duplicate", "retry"])
        self.assertEqual(self.send("POST", "/steps", steps(0, 1))[1]["received"], 1)
        body = self.send("POST", "/steps", steps(0, 1))[1]
        self.assertEqual((body["received"], self.statuses(body)), (2, ["duplicate"]))


if __name__ == "__main__":
    unittest.main()
