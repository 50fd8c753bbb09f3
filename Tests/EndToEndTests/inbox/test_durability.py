"""Nothing that was answered with 2xx is lost, and nothing counts twice: a lost database, bursts, stops, and runs beside it."""

import http.client
import json
import random
import socket
import unittest
import urllib.parse

from senders import hc_webhook, hozz, step_app
from senders.http_client import authorize, send
from senders.neutral import APPLE, DAY, MINUTE, Person, Sample
from support.harness import PATIENCE
from support.posting import Senders
from support.watch import InboxTest


def minutes(number, first=1709251200000):
    """Returns walks in consecutive minutes, of different days if there are many."""
    return [Sample("steps", APPLE.watch, APPLE.watch_device, first + one // 700 * DAY + (480 + one % 700) * MINUTE + 2_000,
                   first + one // 700 * DAY + (480 + one % 700) * MINUTE + 50_000, 3 + one % 90,
                   f"00000000-0000-4000-8000-{one:012}", f"00000000-0000-4000-8000-{one:012}") for one in range(number)]


class Archive(InboxTest):
    def test_the_archive_restores_a_lost_database(self):
        person = Person(95)
        token, watch = self.pair(), self.watch()
        gone = [one for one in person.samples if one.kind == "steps"][::5]
        for request in (*hozz.requests(person.samples), hozz.deletions(gone, 99)):
            watch.accept(request, token, "raw")
        self.settle()
        kept = [one for one in person.samples if one not in gone]
        self.await_figures(kept)
        self.assertEqual(watch.terminate(), 0)
        options = ("--config", self.config, "--data-dir", "data", "--zone", "Europe/Paris")
        self.succeed("import", "inbox", *options)
        self.assert_figures(kept)
        for path in (self.folder / "data").glob("healthsync.sqlite*"):
            path.unlink()
        self.succeed("import", "inbox", *options)
        self.assert_figures(kept)


class Bursts(InboxTest):
    def test_a_burst_of_a_thousand_posts_is_accepted_completely(self):
        samples, token, watch = minutes(1000), self.pair(), self.watch()
        requests = [authorize(step_app.requests([one])[0], token, "path") for one in samples]
        random.Random(92).shuffle(requests)
        senders = Senders(self, requests, threads=32).start(watch.url)
        senders.join()
        self.assertEqual((senders.failures, senders.left), ([], []))
        # A sender whose answer came too late, on a loaded machine, has sent its post again; the figures count it once.
        self.assertGreaterEqual(self.count(), 1000)
        self.await_figures(samples, only=("steps",))
        self.assertEqual(watch.terminate(), 0)

    def test_daily_runs_beside_it(self):
        person, token, watch = Person(93), self.pair(), self.watch()
        lines = self.folder / "feed.json"
        lines.write_text(json.dumps({"data": {"metrics": []}}))
        requests = [authorize(one, token, "raw") for one in hozz.requests(person.samples, size=5)] * 2
        senders = Senders(self, requests, threads=2).start(watch.url)
        statuses = set()
        while senders.busy:
            run = self.run_program("daily", "--config", self.config, "--source", lines, "--data-dir", "data",
                                   "--zone", "Europe/Paris")
            statuses.add(run.returncode)
            self.assertIn(run.returncode, (0, 75), run.stdout + run.stderr)
        senders.join()
        self.assertEqual(senders.failures, [])
        self.settle()
        self.await_figures(person.samples)


class Stops(InboxTest):
    def test_a_half_sent_post_does_not_delay_the_stop_and_is_not_archived(self):
        token, watch = self.pair(), self.watch()
        parts = urllib.parse.urlsplit(watch.url)
        with socket.create_connection((parts.hostname, parts.port)) as connection:
            connection.sendall(f"POST /x HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer {token}\r\n"
                               "Content-Length: 1000\r\n\r\n{".encode())
            send(watch.url, hozz.discovery())
            self.assertEqual(watch.terminate(), 0)
        self.assertEqual(self.inbox(), [])

    def test_a_slow_sender_does_not_block_others(self):
        token, watch, samples = self.pair(), self.watch(), Person(97, days=1).samples
        parts = urllib.parse.urlsplit(watch.url)
        slow = [socket.create_connection((parts.hostname, parts.port)) for _ in range(40)]
        for connection in slow:
            self.addCleanup(connection.close)
            connection.sendall(b"POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 100000\r\n\r\n{")
        for request in hozz.requests(samples):
            watch.accept(request, token, "raw")
        self.settle()
        self.await_figures(samples)

    def test_systemd_is_notified(self):
        path = self.folder / "notify"
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notified:
            notified.bind(str(path))
            notified.settimeout(PATIENCE)
            watch = self.watch(environment={"NOTIFY_SOCKET": str(path)})
            self.assertIn("READY=1", self.message(notified, "READY=1"))
            self.assertEqual(send(watch.url, hozz.discovery()).status, 200)
            self.assertEqual(watch.terminate(), 0)
            self.assertIn("STOPPING=1", self.message(notified, "STOPPING=1"))

    def message(self, notified, wanted):
        """Returns the first message with a line; other messages (STATUS=, WATCHDOG=) are skipped."""
        while True:
            lines = notified.recv(4096).decode().splitlines()
            if wanted in lines:
                return lines

    def test_connections_are_kept_open(self):
        token, watch = self.pair(), self.watch()
        parts = urllib.parse.urlsplit(watch.url)
        connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=PATIENCE)
        person = Person(98, days=1)
        for request in hc_webhook.requests([one for one in person.samples if one.source == APPLE.watch]):
            connection.request("POST", request.path, request.body, {**request.headers, "X-API-Key": token})
            answer = connection.getresponse()
            answer.read()
            self.assertTrue(200 <= answer.status < 300)
        connection.close()
        self.assertEqual(self.count(), len(hc_webhook.requests(
            [one for one in person.samples if one.source == APPLE.watch])))


if __name__ == "__main__":
    unittest.main()
