"""Nothing that was answered with 2xx is lost, and nothing counts twice: kills, bursts, stops, and runs beside it."""

import http.client
import json
import random
import socket
import threading
import unittest
import urllib.parse

from senders import hc_webhook, hozz, step_app
from senders.http_client import authorize, send, send_with_retries
from senders.life_dashboard import LifeDashboard
from senders.neutral import APPLE, DAY, MINUTE, Person, Sample
from support.harness import PATIENCE, integrity, reserve_port
from support.seeds import seeds
from support.watch import InboxTest

ROUNDS = seeds(4, 12, 100)


def minutes(number, first=1709251200000):
    """Returns walks in consecutive minutes, of different days if there are many."""
    return [Sample("steps", APPLE.watch, APPLE.watch_device, first + one // 700 * DAY + (480 + one % 700) * MINUTE + 2_000,
                   first + one // 700 * DAY + (480 + one % 700) * MINUTE + 50_000, 3 + one % 90,
                   f"00000000-0000-4000-8000-{one:012}", f"00000000-0000-4000-8000-{one:012}") for one in range(number)]


class Senders:
    """Posts requests in threads, with retries, to a server that may restart."""

    def __init__(self, test, requests, threads=6):
        self.url, self.failures, self.left = None, [], list(requests)
        self.lock = threading.Lock()
        self.done = threading.Event()
        self.threads = [threading.Thread(target=self.work, daemon=True) for _ in range(threads)]
        test.addCleanup(self.done.set)

    def start(self, url):
        self.url = url
        for thread in self.threads:
            thread.start()
        return self

    def work(self):
        while not self.done.is_set():
            with self.lock:
                if not self.left:
                    return
                request = self.left.pop()
            try:
                answer = send_with_retries(lambda: self.url, request)
                if not answer.accepted:
                    self.failures.append((request.path, answer.status, answer.body[:300]))
            except TimeoutError as error:
                self.failures.append(str(error))

    @property
    def busy(self):
        return any(thread.is_alive() for thread in self.threads)

    def join(self):
        for thread in self.threads:
            thread.join(PATIENCE)


class Kills(InboxTest):
    def test_kills_at_random_moments_lose_nothing_and_count_nothing_twice(self):
        chance, person = random.Random(91), Person(91)
        token = self.pair()
        steps = [one for one in person.samples if one.kind == "steps"]
        requests = [authorize(one, token, "raw") for one in hozz.requests(person.samples, size=8)]
        requests += [authorize(one, token, "path") for one in step_app.requests(steps, size=3)]
        requests += [authorize(one, token) for one in LifeDashboard().syncs(person.samples, size=30)]
        requests *= 3
        chance.shuffle(requests)
        # Senders try again while nothing listens: no other program may get the port.
        listen = f"127.0.0.1:{reserve_port(self.addCleanup)}"
        watch = self.watch(listen=listen)
        senders = Senders(self, requests).start(watch.url)
        kills = 0
        while senders.busy and kills < ROUNDS:
            # The pause chooses the moment of the kill; nothing is expected to have happened by then.
            threading.Event().wait(chance.uniform(0, 0.1))
            watch.kill()
            kills += 1
            watch = self.watch(listen=listen)
        senders.join()
        self.assertEqual((senders.failures, senders.left), ([], []))
        self.assertGreater(kills, 2)
        self.settle()
        self.await_figures(person.samples)
        watch.kill()
        self.assertEqual(integrity(self.folder / "data/healthsync.sqlite"), ["ok"])

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
    def test_sigterm_ends_with_0_and_keeps_what_was_accepted(self):
        for number, pause in enumerate((0, 0.05, 0.3)):
            with self.subTest(pause=pause):
                data, person = f"data{number}", Person(94 + number)
                token, watch = self.pair(data=data), self.watch(data=data)
                for request in hozz.requests(person.samples, size=30):
                    watch.accept(request, token, "raw")
                threading.Event().wait(pause)
                self.assertEqual(watch.terminate(), 0, "".join(watch.errors)[-3000:])
                names = [event["event"] for event in watch.events]
                self.assertIn("stopping", names)
                watch = self.watch(data=data)
                self.settle(data)
                self.await_figures(person.samples, data=data)
                watch.kill()

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
