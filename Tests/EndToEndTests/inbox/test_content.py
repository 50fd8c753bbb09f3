"""What is not understood is archived and shown; what is too large is rejected; both leave others alone."""

import contextlib
import gzip
import json
import pathlib
import re
import socket
import unittest
import urllib.parse

from senders import hozz
from senders.neutral import Person, Request
from support.harness import PATIENCE
from support.watch import InboxTest, compressed, eventually

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
                eventually(lambda: self.assertEqual(self.archived(), number + 1))
        watch.accept(post(b"not gzip", **{"Content-Encoding": "gzip"}), token)
        watch.accept(post(gzip.compress(b"{}")[:-6], **{"Content-Encoding": "gzip"}), token)
        for request in hozz.requests(samples):
            watch.accept(request, token, "raw")
        self.settle()
        self.await_figures(samples)

    def test_an_unknown_sender_is_shown_with_its_reason(self):
        token, watch = self.pair("scale"), self.watch()
        body = b'{"weight":[{"kg":71.25,"when":"yesterday"}]}'
        watch.accept(post(body, "/scale/v1").with_headers(**{"User-Agent": "Scale/3"}), token)
        listed = self.settle()[0]
        self.assertIn("scale", json.dumps(listed))
        self.assertTrue(listed.get("reason"), listed)
        shown = self.succeed("inbox", "show", listed["id"], "--data-dir", "data").stdout
        self.assertIn("scale", shown)
        self.assertNotIn("71.25", shown)
        self.assertEqual(self.run_program("inbox", "retry", listed["id"], "--data-dir", "data").returncode, 0)
        self.assertEqual(self.count(), 1)

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
        self.assertEqual(self.count(), 1)
        self.assertEqual(self.too_large(watch, token, LARGEST + 1), 413)
        self.assertEqual(self.count(), 1)
        self.assertLess(peak_kibibytes(watch.process.pid), 128 << 10)

    def too_large(self, watch, token, length):
        """Announces a body and returns the status of the answer, which may come before the body."""
        parts = urllib.parse.urlsplit(watch.url)
        with socket.create_connection((parts.hostname, parts.port), timeout=PATIENCE) as connection:
            connection.sendall(f"POST /api/data HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer {token}\r\n"
                               f"Content-Length: {length}\r\n\r\n".encode())
            with contextlib.suppress(OSError):
                for _ in range(length // (1 << 20) + 1):
                    connection.sendall(b" " * (1 << 20))
            return int(connection.recv(100).split()[1])

    def test_a_chunked_body_over_the_limit_is_rejected(self):
        token, watch = self.pair(), self.watch()
        parts = urllib.parse.urlsplit(watch.url)
        with socket.create_connection((parts.hostname, parts.port), timeout=PATIENCE) as connection:
            connection.sendall(f"POST /x HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer {token}\r\n"
                               "Transfer-Encoding: chunked\r\n\r\n".encode())
            with contextlib.suppress(OSError):
                for _ in range(70):
                    connection.sendall(b"100000\r\n" + b" " * (1 << 20) + b"\r\n")
                connection.sendall(b"0\r\n\r\n")
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
        run = self.run_program("watch", "--listen", "0.0.0.0:0", "--data-dir", "data", "--zone", "UTC", timeout=PATIENCE)
        self.assertEqual(run.returncode, 78, run.stderr)
        self.assertIn("--lan", run.stderr)


if __name__ == "__main__":
    unittest.main()
