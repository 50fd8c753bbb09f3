"""Tests of the senders and of the oracle: run with `python3 -m unittest` in this folder."""

import datetime
import gzip
import http.server
import json
import pathlib
import random
import subprocess
import sys
import threading
import unittest

sys.dont_write_bytecode = True
PEERS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(PEERS), str(PEERS / "truth")]
import truth_records  # noqa: E402
import truth_rules  # noqa: E402
from senders import hc_webhook, hcgateway, hozz, http_client, open_wearables, oracle, shortcuts, step_app  # noqa: E402
from senders.health_auto_export import HealthAutoExport  # noqa: E402
from senders.life_dashboard import LifeDashboard  # noqa: E402
from senders.neutral import ANDROID, APPLE, DAY, MINUTE, Person, to_seconds  # noqa: E402
from senders.reference import Reference  # noqa: E402

ZONE = "Europe/Paris"


class OracleTests(unittest.TestCase):
    """The oracle against the rules of `Peers/truth`, which another author wrote for exports."""

    def setUp(self):
        self.person = Person(3, whole=True)
        self.clock = truth_rules.Clock(ZONE, [], self.person.days[0], self.person.days[-1])
        self.figures = oracle.figures(self.person.samples, [APPLE.watch, APPLE.phone], ZONE)

    def records(self, kind, name):
        return [truth_records.Sample(name, one.source, one.device, one.start // 1000, one.end // 1000, one.value, False, None)
                for one in self.person.samples if one.kind == kind]

    def test_sums_equal_the_merge_of_the_truth(self):
        for kind, figure, factor in (("steps", "steps", 1), ("energy", "kilocalories", 1), ("distance", "kilometres", 0.001)):
            merged = truth_rules.merge(self.records(kind, kind), self.clock)
            self.assertEqual(len(merged), 3)
            for day, amount in merged.items():
                self.assertAlmostEqual(self.figures[str(day)][figure], amount * factor, places=6)

    def test_nights_equal_those_of_the_truth(self):
        names = {"core": "AsleepCore", "deep": "AsleepDeep", "rem": "AsleepREM", "awake": "Awake", "asleep": "AsleepUnspecified"}
        records = [truth_records.Sample("sleep", one.source, one.device, one.start // 1000, one.end // 1000,
                                        "HKCategoryValueSleepAnalysis" + names[one.value], False, None)
                   for one in self.person.samples if one.kind == "sleep"]
        expected = {}
        for session in truth_rules.sessions(records):
            measured = truth_rules.measure(session, APPLE.watch)
            expected[session["start"] * 1000] = [measured["timeInBed"] / 60, measured["totalSleep"] / 60] + [
                measured["stages"].get(stage, 0) / 60 for stage in ("awake", "rem", "core", "deep")]
        found = {}
        for day in self.figures.values():
            night = day.get("sleep", {"main": None, "naps": []})
            for one in [*filter(None, [night["main"]]), *night["naps"]]:
                found[one["start"]] = [one[name] for name in ("timeInBed", "totalSleep", "awake", "rem", "core", "deep")]
        self.assertEqual(found, expected)
        self.assertEqual(len(expected), 4)

    def test_rest_outweighs_exercise(self):
        start = self.person.midnight(self.person.days[0])
        minutes = [*range(0, 1080, 5), *range(1080, 1140), *range(1140, 1440, 5)]
        sample = self.person.samples[0]
        rates = [type(sample)("heartRate", "W", "W", start + minute * MINUTE, start + minute * MINUTE,
                              150 if 1080 <= minute < 1140 else 60, str(minute), "") for minute in minutes]
        figures = oracle.rates(rates, ZONE)[self.person.days[0]]
        self.assertEqual((figures["mean"], figures["count"]), (63.75, len(minutes)))

    def test_walks_are_within_minutes_and_rates_are_not_at_full_minutes(self):
        for one in self.person.samples:
            if one.kind == "steps":
                self.assertEqual(one.start // MINUTE, one.end // MINUTE)
            if one.kind == "heartRate":
                self.assertNotEqual(one.start // 1000 % 60, 0)


class SenderTests(unittest.TestCase):
    def setUp(self):
        self.person, self.android = Person(5), Person(5, sources=ANDROID)

    def test_minutes_of_health_auto_export_sum_to_the_merged_steps(self):
        sender = HealthAutoExport(APPLE, ZONE)
        entries = sender.minutes("steps", self.person.samples)["data"]
        expected = oracle.figures(self.person.samples, [APPLE.watch, APPLE.phone], ZONE)
        for day in map(str, self.person.days):
            self.assertAlmostEqual(sum(one["qty"] for one in entries if one["date"].startswith(day)), expected[day]["steps"])
        self.assertRegex(entries[0]["date"], r"^2024-03-01 \d\d:\d\d:00 \+0100$")

    def test_health_auto_export_repeats_windows_with_changing_key_order(self):
        requests = HealthAutoExport(APPLE, ZONE).requests(self.person.samples, self.person.days, self.person.midnight)
        self.assertEqual(len(requests), 14)
        orders = {tuple(json.loads(one.body)["data"]["metrics"][0]) for one in requests[::2]}
        self.assertGreater(len(orders), 1)
        self.assertEqual(len({one.headers["session-id"] for one in requests}), 14)

    def test_hozz_batches_are_identified_by_their_bytes(self):
        requests = hozz.requests(self.person.samples, self.person.samples[:3], order=random.Random(1))
        again = hozz.requests(self.person.samples, self.person.samples[:3], order=random.Random(1))
        self.assertEqual([one.headers["Idempotency-Key"] for one in requests], [one.headers["Hozz-Batch-Id"] for one in again])
        self.assertEqual([int(one.headers["Hozz-Batch-Sequence"]) for one in requests], [*range(1, len(requests) + 1)])
        for one in requests:
            lines = one.body.decode().splitlines()
            self.assertEqual(int(one.headers["Hozz-Record-Count"]), len(lines))
            for line in map(json.loads, lines):
                self.assertEqual(list(line), sorted(line))
        tombstones = [line for line in map(json.loads, requests[-1].body.splitlines()) if line["kind"] == "deletion"]
        self.assertEqual(set(tombstones[0]), {"kind", "id", "type", "schemaVersion"})

    def test_open_wearables_limits_its_requests(self):
        requests = open_wearables.requests(self.person.samples, limit=100)
        entries = [len(data["records"]) + len(data["sleep"]) for data in (json.loads(one.body)["data"] for one in requests)]
        self.assertEqual((sum(entries), max(entries)), (len(self.person.samples), 100))
        record = json.loads(requests[0].body)["data"]["records"][0]
        self.assertEqual(set(record), {"id", "parentId", "type", "startDate", "endDate", "zoneOffset", "source", "value", "unit",
                                       "metadata"})

    def test_hc_webhook_repeats_48_hours_and_sends_every_record_in_the_end(self):
        bodies = [json.loads(one.body) for one in hc_webhook.requests(self.android.samples)]
        times = [one["start_time"] for body in bodies for one in body.get("steps", ())]
        own = [one for one in self.android.samples if one.kind == "steps"]
        self.assertEqual(len(set(times)), len({one.start for one in own}))
        self.assertGreater(len(times), 2 * len(own))
        self.assertEqual({stage["stage"] for body in bodies for one in body.get("sleep", ()) for stage in one["stages"]},
                         {"1", "2", "4", "5", "6"})

    def test_life_dashboard_signs_the_raw_body_and_counts_up(self):
        sender = LifeDashboard("secret")
        requests = sender.syncs(self.android.samples)
        requests += sender.backfill(self.android.samples, 0, 2**41, limit=20)
        for number, one in enumerate(requests):
            body = json.loads(one.body)
            self.assertEqual(body["sequence"], number + 1)
            digest = subprocess.run(["openssl", "dgst", "-sha256", "-hmac", "secret"], input=one.body, capture_output=True,
                                    check=True).stdout.split()[-1].decode()
            self.assertEqual(one.headers["X-Signature"], f"sha256={digest}")
        ends = [json.loads(one.body).get("window_complete") for one in requests]
        self.assertEqual((ends[-1], ends.count(True)), (True, 1))
        empty = json.loads(sender.backfill([], 0, DAY)[0].body)
        self.assertTrue(empty["window_complete"])
        deletion = json.loads(sender.sync([], self.android.samples[:1]).body)
        self.assertEqual(set(deletion["deleted_records"][0]), {"type", "uuid"})

    def test_hcgateway_sends_series_and_sessions_one_by_one(self):
        requests = hcgateway.requests(self.android.samples, "t")
        shapes = {one.path.rsplit("/", 1)[1]: type(json.loads(one.body)["data"]) for one in requests}
        self.assertEqual((shapes["HeartRate"], shapes["SleepSession"], shapes["Steps"]), (dict, dict, list))

    def test_shortcuts_and_the_step_app(self):
        line = shortcuts.plain(self.person.samples, ZONE).body.decode().splitlines()[-1]
        kind, start, end, value, unit = line.split(",")
        self.assertLessEqual(datetime.datetime.fromisoformat(start), datetime.datetime.fromisoformat(end))
        self.assertEqual(json.loads(step_app.requests(self.person.samples)[0].body)["samples"][0]["sourceBundleId"], APPLE.watch)


class RoundTrips(unittest.TestCase):
    """What a sender writes, an independent reader reads back, in any order and repeated."""

    def check(self, requests, samples, seconds=False, names=None, seeds=range(3)):
        expected = sorted(((one.kind, (names or one.source), one.start, one.end, one.value)
                           for one in (to_seconds(samples) if seconds else samples)), key=str)
        for seed in seeds:
            order = requests + requests[: len(requests) // 2]
            random.Random(seed).shuffle(order)
            reference = Reference()
            for request in order if seed else requests:
                reference.receive(request)
            self.assertEqual((reference.samples(), reference.unknown), (expected, 0))

    def test_every_sender(self):
        apple, android = Person(5).samples, Person(5, sources=ANDROID).samples
        gone = Person(6).samples[:30]
        watch = [one for one in android if one.source == ANDROID.watch]
        sums = [one for one in apple if one.kind != "sleep"]
        self.check(hozz.requests(apple, gone, size=20), apple)
        self.check(open_wearables.requests(apple, limit=50), apple, seconds=True)
        self.check(open_wearables.requests(android, apple=False, limit=50), android)
        self.check(hc_webhook.requests(android), android)
        self.check(hc_webhook.requests(watch, with_metadata=False, stages=hc_webhook.NAMES), watch, names="HC Webhook")
        self.check(LifeDashboard().syncs(android), android)
        self.check(hcgateway.requests(android), android)
        self.check([shortcuts.json_lines(apple, ZONE)], sums, seconds=True)
        self.check([shortcuts.plain(sums, ZONE)], sums, seconds=True, names="Shortcuts")
        self.check(shortcuts.form(sums, ZONE), sums, seconds=True, names="Shortcuts")
        self.check(step_app.requests(apple, size=7), [one for one in apple if one.kind == "steps"])

    def test_windows_and_deletions(self):
        samples = Person(7, sources=ANDROID).samples
        records = sorted({one.record for one in samples})[::4]
        kept = [one for one in samples if one.record not in records]
        sender = LifeDashboard()
        requests = sender.syncs(samples) + sender.backfill(kept, 0, 2**41, limit=25)
        self.check(requests, kept)
        sender = LifeDashboard()
        self.check(sender.syncs(samples) + [sender.sync([], [one for one in samples if one not in kept])], kept)


class Recorder(http.server.BaseHTTPRequestHandler):
    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        status = self.server.statuses.pop(0) if self.server.statuses else 200
        self.server.seen.append((self.command, self.path, dict(self.headers), body))
        self.send_response(status)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"ok")

    do_GET = do_POST = do_DELETE = answer

    def log_message(self, *_):
        pass


class ClientTests(unittest.TestCase):
    def setUp(self):
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Recorder)
        self.server.seen, self.server.statuses = [], []
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def test_places_of_the_token(self):
        request = step_app.delete()
        for place in http_client.PLACES:
            self.assertTrue(http_client.send(self.url, http_client.authorize(request, "abc", place)).accepted)
        seen = self.server.seen
        self.assertEqual([one[2].get("Authorization") for one in seen], ["Bearer abc", "abc", None, None, None])
        self.assertEqual((seen[2][2]["X-API-Key"], seen[3][2]["api-key"]), ("abc", "abc"))
        self.assertEqual(seen[4][:2], ("DELETE", "/device/abc/steps"))

    def test_gzip_and_retries(self):
        self.server.statuses = [503, 429]
        request = http_client.compressed(hozz.deletions([], 1))
        self.assertEqual(http_client.send_with_retries(lambda: self.url, request).status, 200)
        self.assertEqual(len(self.server.seen), 3)
        self.assertEqual(gzip.decompress(self.server.seen[-1][3]), hozz.deletions([], 1).body)


if __name__ == "__main__":
    unittest.main()
