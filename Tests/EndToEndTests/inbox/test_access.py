"""Tokens, limits and what is archived: a post with a valid token is never lost, one without is never stored."""

import contextlib
import gzip
import json
import pathlib
import re
import socket
import unittest
import urllib.parse

from senders import hcgateway, hozz, open_wearables, step_app
from senders.http_client import PLACES, authorize, send
from senders.life_dashboard import LifeDashboard
from senders.neutral import ANDROID, Person, Request
from support.watch import LIMIT, InboxTest, compressed, eventually

LARGEST = 64 << 20


def post(body, path="/anything", **headers):
    return Request("POST", path, {"Content-Type": "application/json", **headers}, body)


def padded(size):
    """Returns a valid post of Health Auto Export of exactly this size."""
    text = b'{"data":{"metrics":[]}'
    return text + b" " * (size - len(text) - 1) + b"}"


def peak_kibibytes(process):
    """Returns the largest resident size of a process so far."""
    status = pathlib.Path(f"/proc/{process}/status").read_text()
    return int(re.search(r"VmHWM:\s+(\d+) kB", status)[1])


class Tokens(InboxTest):
    def setUp(self):
        super().setUp()
        self.token = self.pair()
        self.running = self.watch()
        self.requests = hozz.requests(Person(71, days=1).samples)

    def stored(self):
        """Returns the number of files below the data folder that are not databases."""
        return sum(path.is_file() and "sqlite" not in path.name and path.suffix not in (".db", ".lock")
                   for path in (self.folder / "data").rglob("*"))

    def reject(self, request):
        before, listed = self.stored(), len(self.inbox())
        answer = self.running.send(request)
        self.assertEqual(answer.status, 401, answer.body)
        self.assertEqual((self.stored(), len(self.inbox())), (before, listed))

    def test_each_place_of_the_token(self):
        for number, place in enumerate((*PLACES, "X-Open-Wearables-API-Key")):
            with self.subTest(place):
                self.running.accept(self.requests[number % len(self.requests)], self.token, place)
                self.assertEqual(len(self.inbox()), number + 1)

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
        made = self.json_of("pair", "Anna’s iPhone", "--app", "health-auto-export", "--address", "http://192.168.1.20:8787",
                            "--data-dir", "data")
        self.assertTrue(made["url"].startswith("http://192.168.1.20:8787"))
        link = urllib.parse.urlsplit(made["link"] if "link" in made else made["qr"])
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
        # The signing secret is the digest of the token as hexadecimal text.
        secret = next(value for value in made.values() if isinstance(value, str) and re.fullmatch("[0-9a-f]{64}", value))
        answer = watch.send(LifeDashboard(secret="wrong").sync(samples), token)
        self.assertEqual((answer.status, self.inbox()), (401, []))
        watch.accept(LifeDashboard(secret=secret).sync(samples), token)
        self.assertEqual(len(self.settle()), 1)
        self.prefer(ANDROID)
        self.await_figures(samples)

    def test_answers_that_the_apps_expect(self):
        watch, token = self.watch(), self.pair()
        health = send(watch.url, Request("GET", "/healthz", {}, b""))
        self.assertEqual((health.status, json.loads(health.body)["status"]), (200, "ok"))
        samples = Person(74, days=1).samples
        self.assertEqual(watch.accept(open_wearables.requests(samples)[0], token, "raw").status, 202)
        steps = json.loads(watch.accept(step_app.requests(samples)[0], token, "path").body)
        self.assertEqual(steps["saved"], len([one for one in samples if one.kind == "steps"]))
        for request in (hozz.requests(samples)[0], LifeDashboard().sync(samples)):
            answer = watch.accept(request, token)
            self.assertTrue(not answer.body or answer.headers["Content-Type"].startswith(("application/json", "text/plain")))


class Content(InboxTest):
    """What is not understood is archived, counted and shown, and answered with 2xx."""

    ODD = {"empty": b"", "text": b"hello", "cut off": b'{"data":{"metrics":[{"name":"step', "bytes": b"\xff\xfe\x00\x81" * 50,
           "deep": b"[" * 200_000,
           "numbers": b'{"data":{"metrics":[{"name":"step_count","units":"count","data":[{"qty":1e999}]}]}}',
           "other JSON": b'{"hello":[1,2,3]}', "null": b"null", "array": b"[]", "a number": b"12", "two": b"{}{}",
           "NaN": b'{"steps":[{"count":NaN}]}', "surrogate": b'{"data":"\\ud800"}'}

    def test_odd_bodies_are_archived_and_do_not_disturb_others(self):
        token, watch, samples = self.pair(), self.watch(), Person(81, days=1).samples
        for number, (name, body) in enumerate(self.ODD.items()):
            with self.subTest(name):
                watch.accept(post(body), token)
                self.assertEqual(len(self.inbox()), number + 1)
        watch.accept(post(b"not gzip", **{"Content-Encoding": "gzip"}), token)
        watch.accept(post(gzip.compress(b"{}")[:-6], **{"Content-Encoding": "gzip"}), token)
        for request in hozz.requests(samples):
            watch.accept(request, token, "raw")
        self.settle()
        self.await_figures(samples)

    def test_an_unknown_sender_is_shown_with_its_reason_and_its_bytes(self):
        token, watch = self.pair("scale"), self.watch()
        body = b'{"weight":[{"kg":71.25,"when":"yesterday"}]}'
        watch.accept(post(body, "/scale/v1").with_headers(**{"User-Agent": "Scale/3"}), token)
        listed = self.settle()[0]
        self.assertIn("scale", json.dumps(listed))
        self.assertTrue(listed.get("reason"), listed)
        shown = self.succeed("inbox", "show", listed["id"], "--data-dir", "data").stdout
        self.assertIn("71.25", shown)
        self.assertEqual(self.run_program("inbox", "retry", listed["id"], "--data-dir", "data").returncode, 0)
        self.assertEqual(len(self.settle()), 1)

    def test_a_duplicate_post_is_counted_once(self):
        token, watch, samples = self.pair(), self.watch(), Person(82, days=1).samples
        for request in hozz.requests(samples) * 3:
            watch.accept(request, token, "raw")
            watch.accept(compressed(request), token, "raw")
        self.settle()
        self.await_figures(samples)


class Limits(InboxTest):
    def test_64_mebibytes_are_accepted_and_more_is_not(self):
        token, watch = self.pair(), self.watch()
        watch.accept(post(padded(LARGEST), "/api/data"), token)
        self.assertEqual(len(self.inbox()), 1)
        self.assertEqual(self.too_large(watch, token, LARGEST + 1), 413)
        self.assertEqual(len(self.settle()), 1)
        self.assertLess(peak_kibibytes(watch.process.pid), 128 << 10)

    def too_large(self, watch, token, length):
        """Announces a body and returns the status of the answer, which may come before the body."""
        parts = urllib.parse.urlsplit(watch.url)
        with socket.create_connection((parts.hostname, parts.port), timeout=LIMIT) as connection:
            connection.sendall(f"POST /api/data HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer {token}\r\n"
                               f"Content-Length: {length}\r\n\r\n".encode())
            with contextlib.suppress(OSError):
                for _ in range(length // (1 << 20) + 1):
                    connection.sendall(b" " * (1 << 20))
            return int(connection.recv(100).split()[1])

    def test_a_chunked_body_without_end_is_cut_off_at_the_limit(self):
        token, watch = self.pair(), self.watch()
        parts = urllib.parse.urlsplit(watch.url)
        with socket.create_connection((parts.hostname, parts.port), timeout=LIMIT) as connection:
            connection.sendall(f"POST /x HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer {token}\r\n"
                               "Transfer-Encoding: chunked\r\n\r\n".encode())
            with contextlib.suppress(OSError):
                for _ in range(70):
                    connection.sendall(b"100000\r\n" + b" " * (1 << 20) + b"\r\n")
            with contextlib.suppress(ConnectionResetError):
                self.assertIn(connection.recv(100).split()[1:2], ([b"413"], [b"411"]))
        self.assertEqual(self.inbox(), [])

    def test_a_body_that_expands_beyond_the_limit_is_harmless(self):
        token, watch, samples = self.pair(), self.watch(), Person(83, days=1).samples
        answer = watch.send(post(gzip.compress(padded(4 * LARGEST)), **{"Content-Encoding": "gzip"}), token)
        self.assertTrue(answer.accepted or answer.status == 413, answer.status)
        for request in hozz.requests(samples):
            watch.accept(request, token, "raw")
        self.settle()
        self.await_figures(samples)
        self.assertLess(peak_kibibytes(watch.process.pid), 128 << 10)

    def test_a_public_or_lan_address_needs_the_option(self):
        run = self.run_program("watch", "--listen", "0.0.0.0:0", "--data-dir", "data", "--zone", "UTC", timeout=60)
        self.assertEqual(run.returncode, 78, run.stderr)
        self.assertIn("--lan", run.stderr)


if __name__ == "__main__":
    unittest.main()
