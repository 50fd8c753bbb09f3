"""Tokens and pairing: a post with a valid token is never lost, one without is never stored."""

import json
import unittest
import urllib.parse

from senders import hcgateway, hozz, open_wearables, step_app
from senders.http_client import PLACES, authorize, send
from senders.life_dashboard import LifeDashboard
from senders.neutral import ANDROID, Person, Request
from support.watch import InboxTest, eventually

class Tokens(InboxTest):
    def setUp(self):
        super().setUp()
        self.token = self.pair()
        self.running = self.watch()
        self.requests = hozz.requests(Person(71, days=1).samples)

    def stored(self):
        """Returns the number of files below the data folder that are neither databases nor those of a run."""
        return sum(path.is_file() and "sqlite" not in path.name and path.suffix not in (".db", ".lock")
                   and not path.name.startswith("healthsync.progress")
                   for path in (self.folder / "data").rglob("*"))

    def reject(self, request):
        self.settle()
        before, listed = self.stored(), self.archived()
        answer = self.running.send(request)
        self.assertEqual(answer.status, 401, answer.body)
        self.assertEqual((self.stored(), self.archived()), (before, listed))

    def test_each_place_of_the_token(self):
        for number, place in enumerate((*PLACES, "X-Open-Wearables-API-Key")):
            with self.subTest(place):
                self.running.accept(self.requests[number % len(self.requests)], self.token, place)
                self.assertEqual(self.count(), number + 1)

    def test_a_post_without_token_or_with_a_wrong_one_is_rejected_and_not_archived(self):
        """Few attempts, because failed logins of an address are delayed."""
        self.reject(self.requests[0])
        for place in PLACES:
            with self.subTest(place=place):
                self.reject(authorize(self.requests[0], self.token[:-1], place))
        for value in ("Basic " + self.token, "Bearer " + self.token + " " + self.token, self.token.swapcase()):
            with self.subTest(value=value[:10]):
                self.reject(self.requests[0].with_headers(Authorization=value))
        self.running.accept(self.requests[0], self.token, "raw")

    def test_a_revoked_token_is_rejected_and_other_devices_continue(self):
        other = self.pair("tablet")
        self.running.accept(self.requests[0], self.token, "raw")
        self.succeed("device", "revoke", "phone", "--data-dir", "data")
        # A running process notices it within a second.
        eventually(lambda: self.assertEqual(self.running.send(self.requests[0], self.token).status, 401))
        for place in ("raw", "path"):
            self.reject(authorize(self.requests[1], self.token, place))
        self.running.accept(self.requests[1], other, "raw")
        listed = json.dumps(self.json_of("device", "list", "--data-dir", "data"))
        self.assertIn("tablet", listed)
        self.assertNotIn(other, listed)

    def test_a_new_token_of_a_running_process_works_and_the_former_one_is_revoked(self):
        newer = self.pair("later")
        self.running.accept(self.requests[0], newer)
        self.assertNotEqual(newer, self.token)

    def test_a_device_reads_nothing(self):
        for method in ("GET", "HEAD"):
            for path in ("/", "/inbox", "/steps", "/api/v1/summary", "/api/data"):
                answer = send(self.running.url, authorize(Request(method, path, {}, b""), self.token))
                self.assertNotIn(b"sample", answer.body)
                self.assertNotIn(b"count\":", answer.body)
                self.assertLess(answer.status, 500, path)

    def test_the_token_is_not_printed(self):
        for place in PLACES:
            self.running.accept(self.requests[0], self.token, place)
        self.running.send(Request("POST", f"/device/{self.token}x/api", {}, b"{}"))
        self.settle()
        self.assertEqual(self.running.terminate(), 0)
        printed = json.dumps(self.running.events) + "".join(self.running.errors)
        self.assertNotIn(self.token, printed)
        listed = json.dumps(self.inbox())
        self.assertNotIn(self.token, listed)
        for path in (self.folder / "data").rglob("*"):
            if path.is_file():
                self.assertNotIn(self.token.encode(), path.read_bytes(), path)
                self.assertEqual(path.stat().st_mode & 0o077, 0, path)


class Pairing(InboxTest):
    def test_pair_prints_address_token_and_code(self):
        made = self.json_of("pair", "anna", "--app", "health-auto-export", "--address", "http://192.168.1.20:8787",
                            "--data-dir", "data")
        self.assertTrue(made["address"].startswith("http://192.168.1.20:8787"))
        link = urllib.parse.urlsplit(made["qrCode"])
        self.assertEqual(f"{link.scheme}://{link.netloc}".lower(), "com.healthexport://automation")
        fields = urllib.parse.parse_qs(link.query)
        self.assertTrue(fields["url"][0].startswith("http://192.168.1.20:8787"))
        self.assertIn(made["token"], link.query)

    def test_hozz_finds_and_pairs(self):
        watch = self.watch()
        self.assertEqual(json.loads(send(watch.url, hozz.discovery()).body), {"service": "hozz-receiver", "ready": True})
        refused = send(watch.url, hozz.pair())
        self.assertEqual(refused.status, 403, "without `healthsync pair` nobody gets a token")
        self.assertIn("detail", json.loads(refused.body))

    def test_hcgateway_logs_in(self):
        token = self.pair("phone", "--app", "hcgateway")
        watch = self.watch()
        self.assertIn(send(watch.url, hcgateway.login("phone", token[:-1] + "-")).status, (401, 403))
        answer = send(watch.url, hcgateway.login("phone", token))
        self.assertEqual(answer.status, 201, answer.body)
        login = json.loads(answer.body)
        self.assertEqual(set(login) & {"token", "refresh", "expiry"}, {"token", "refresh", "expiry"})
        refreshed = send(watch.url, hcgateway.refresh(login["refresh"]))
        self.assertEqual(refreshed.status, 200)
        person = Person(72, sources=ANDROID, days=1)
        self.prefer(ANDROID)
        for request in hcgateway.requests(person.samples, json.loads(refreshed.body)["token"]):
            watch.accept(request)
        self.settle()
        self.await_figures(person.samples)

    def test_a_wrong_signature_is_rejected(self):
        made = self.json_of("pair", "phone", "--app", "life-dashboard", "--data-dir", "data")
        token, watch, samples = made["token"], self.watch(), Person(73, sources=ANDROID, days=1).samples
        answer = watch.send(LifeDashboard(secret="wrong").sync(samples), token)
        self.assertEqual((answer.status, self.inbox()), (401, []))
        watch.accept(LifeDashboard(secret=made["signingSecret"]).sync(samples), token)
        self.assertEqual(self.count(), 1)
        self.prefer(ANDROID)
        self.await_figures(samples)

    def test_answers_that_the_apps_expect(self):
        watch, token = self.watch(), self.pair()
        health = send(watch.url, Request("GET", "/healthz", {}, b""))
        self.assertEqual((health.status, json.loads(health.body)["status"]), (200, "ok"))
        samples = Person(74, days=1).samples
        self.assertEqual(watch.accept(open_wearables.requests(samples)[0], token, "raw").status, 202)
        self.assertEqual(json.loads(watch.accept(step_app.requests(samples)[0], token, "path").body)["message"], "Success")
        for request in (hozz.requests(samples)[0], LifeDashboard().sync(samples)):
            answer = watch.accept(request, token)
            self.assertTrue(not answer.body or answer.headers["Content-Type"].startswith(("application/json", "text/plain")))

    def test_the_answer_to_the_step_app_contains_how_many_samples_were_saved(self):
        watch, token, samples = self.watch(), self.pair(), Person(74, days=1).samples
        steps = json.loads(watch.accept(step_app.requests(samples)[0], token, "path").body)
        self.assertEqual(steps.get("saved"), len([one for one in samples if one.kind == "steps"]))


if __name__ == "__main__":
    unittest.main()
