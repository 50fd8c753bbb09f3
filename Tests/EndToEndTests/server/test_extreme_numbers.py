"""Extreme numbers in valid JSON: the server stores or rejects them, and its pages still work."""

import json
import random
import unittest
import uuid

from support.harness import ProgramTest, Server

NUMBERS = [
    "0", "-0.0", "1", "-1", "0.5", "5e-324", "1e15", "9007199254740991", "9007199254740992", "6000000000000000000",
    "9223372036854775807", "-9223372036854775808", "9223372036854775808", "18446744073709551616", "1e19", "-1e19", "1e300",
    "-1e300", "1.7976931348623157e308", "-1.7976931348623157e308", "1e-300", "2147483648", "4294967296", "null",
]
# The limits of stored values.
LARGEST = ["0", "1", "0.5", "1e15", "9007199254740991", "1e-300", "5e-324", "null"]
TIMES = [
    "1900-01-01T00:00:00Z", "2200-12-31T23:59:59Z", "2200-12-31T23:59:59.999-14:00", "1900-01-01T00:00:00+14:00",
    "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "9999-12-31T23:59:60-23:59", "2024-03-31T02:30:00+01:00",
    "2024-01-15T08:00:00Z", "2024-01-15T22:00:00+01:00", "2024-01-16T06:00:00+01:00",
]
DAYS = ["1900-01-01", "2200-12-31", "0001-01-01", "9999-12-31", "2024-01-15", "2024-01-16", "2024-03-31"]
METRICS = ["steps", "heartRate", "restingHeartRate", "sleep", "activeEnergy", "x"]
PAGES = (
    ["/", "/view/tokens"]
    + [f"/view/sleep?last={last}&day={day}" for last in ("1d", "7d", "3mo") for day in DAYS]
    + [f"/view/{page}?by={by}&day={day}" for page in ("steps", "heart") for by in ("hour", "day", "week", "month", "year")
       for day in DAYS]
    + [f"/view/synced-steps?day={day}&page={page}" for day in DAYS for page in (1, 9223372036854775807)]
)
ENDPOINTS = (
    ["/health", "/steps", "/api/v1/samples/steps", "/api/v1/samples/heartRate", "/api/v1/summary", "/api/v1/snapshots",
     "/api/v1/sleep?limit=1000", "/api/v1/progress?limit=10000", "/metrics", "/openapi.json", "/api/v1/capabilities",
     "/steps?from=0001-01-01&to=9999-12-31", "/steps?cursor=9007199254740991&limit=1000000"]
    + [f"/api/v1/digest?type={kind}&seconds=1073741824&start={start}" for kind in ("steps", "heartRate")
       for start in ("0001-01-01", "2024-01-15", "9999-12-31")]
    + [f"/api/v1/{kind}?from={first}&to={last}" for kind in ("sleep", "progress", "snapshots")
       for first in ("0001-01-01", "2024-01-15") for last in ("2200-12-31", "9999-12-31")]
)


class ExtremeNumbers(ProgramTest):
    def setUp(self):
        super().setUp()
        self.random = random.Random(20240115)
        self.server = Server(self)

    def number(self):
        """Returns a number, mostly a storable one, because a record with one invalid number is rejected."""
        return self.random.choice(LARGEST if self.random.random() < 0.9 else NUMBERS)

    def text(self, choices):
        return json.dumps(self.random.choice(choices))

    def identity(self):
        return str(uuid.UUID(int=self.random.getrandbits(128)))

    def sample(self):
        return (f'{{"uuid":"{self.identity()}","startDate":{self.text(TIMES)},"endDate":{self.text(TIMES)},'
                f'"count":{self.number()},"value":{self.number()},"unit":"count","sourceBundleId":"a","revision":{self.number()}}}')

    def entry(self, metric=None, count=None, quantity=None):
        granularity = self.random.choice(["hour", "day"])
        return (f'{{"source_id":"{self.identity()}","type":"{metric or self.random.choice(METRICS)}","granularity":"{granularity}",'
                f'"start":{self.text(TIMES)},"day":{self.text(DAYS)},"quantity":{quantity or self.number()},"min":{self.number()},'
                f'"max":{self.number()},"count":{count or self.number()},"unit":"u","revision":{self.number()}}}')

    def snapshot(self):
        figures = ",".join(f'"{name}":{self.number()}' for name in (
            "steps", "walking_distance_km", "active_energy_kcal", "exercise_minutes", "resting_heart_rate", "sleep_minutes"))
        return f'{{"source_id":"{self.identity()}","day":{self.text(DAYS)},{figures},"revision":{self.number()}}}'

    def session(self):
        stages = ",".join(
            f'{{"stage":"{self.random.choice(["in_bed", "asleep", "awake", "core", "deep", "rem"])}",'
            f'"start_time":{self.text(TIMES)},"end_time":{self.text(TIMES)}}}' for _ in range(self.random.choice([0, 0, 1, 3])))
        minutes = ",".join(f'"{name}":{self.number()}' for name in ("awake", "core", "deep", "rem", "asleep"))
        return (f'{{"start_time":{self.text(TIMES)},"end_time":{self.text(TIMES)},"source":"w","source_id":"{self.identity()}",'
                f'"revision":{self.number()},"stages":[{stages}],"stage_minutes":{{{minutes}}}}}')

    def post(self, path, name, records):
        body = f'{{"{name}":[{",".join(records)}]}}'.encode()
        status, _, answer = self.server.request("POST", path, body)
        self.assertLess(status, 500, answer)
        return status, answer

    def look(self):
        for path in ENDPOINTS + PAGES:
            status, _, answer = self.server.request("GET", path)
            self.assertLess(status, 500, f"{path}: {answer[:300]}")
        self.assertIsNone(self.server.process.poll())

    def test_two_counts_whose_sum_overflows(self):
        day = '"granularity":"day","day":"2024-01-%s","quantity":60,"min":50,"max":70,"count":6000000000000000000'
        entries = [f'{{"source_id":"{n}","type":"heartRate",{day % n}}}' for n in (15, 16)]
        _, answer = self.post("/api/v1/progress", "entries", entries)
        self.assertEqual([result["status"] for result in json.loads(answer)["results"]], ["rejected"] * 2)
        self.assertIn("count", json.loads(answer)["results"][0]["reason"])
        self.look()

    def test_one_figure_beyond_every_scale(self):
        for quantity in ("1e300", "1e16"):
            entry = (f'{{"source_id":"{quantity}","type":"heartRate","granularity":"day","day":"2024-01-15",'
                     f'"quantity":{quantity},"min":{quantity},"max":{quantity},"count":1}}')
            _, answer = self.post("/api/v1/progress", "entries", [entry])
            self.assertEqual(json.loads(answer)["rejected"], 1)
        self.look()

    def test_the_server_survives_random_numbers(self):
        stored = 0
        for _ in range(12):
            self.post("/api/v1/progress", "entries", [self.entry() for _ in range(100)])
            self.post("/api/v1/progress", "entries", [self.entry("heartRate", "9007199254740991", "9e15") for _ in range(20)])
            self.post("/api/v1/snapshots", "snapshots", [self.snapshot() for _ in range(50)])
            self.post("/api/v1/sleep", "sessions", [self.session() for _ in range(100)])
            self.post("/steps", "samples", [self.sample() for _ in range(100)])
            self.post("/api/v1/samples/heartRate", "samples", [self.sample() for _ in range(100)])
            self.post("/api/v1/sleep", "x", [])
            self.look()
        for kind, name in (("progress", "entries"), ("sleep", "sessions"), ("snapshots", "snapshots")):
            _, _, answer = self.server.request("GET", f"/api/v1/{kind}?limit=1000")
            records = json.loads(answer)["data"][name]
            stored += len(records)
            if kind == "sleep":
                for night in records:
                    self.assertLessEqual(night["total_sleep_minutes"] + night["awake_minutes"], night["time_in_bed_minutes"] + 0.001)
                    self.assertLessEqual(night["sleep_efficiency_percentage"], 100)
        self.assertGreater(stored, 100)
        self.assertEqual(self.server.stop(), 0)


if __name__ == "__main__":
    unittest.main()
