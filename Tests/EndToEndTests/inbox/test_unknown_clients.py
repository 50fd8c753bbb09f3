"""What clients get and what is kept of them before anyone knows who they are: pairing without a secret, signed bodies."""

import concurrent.futures
import contextlib
import json
import re
import socket
import unittest
import urllib.parse

from senders import hozz
from senders.http_client import send
from senders.life_dashboard import LifeDashboard
from senders.neutral import ANDROID, Person, Request
from support.harness import PATIENCE
from support.watch import InboxTest, eventually


class PairingInTheApp(InboxTest):
    def setUp(self):
        super().setUp()
        self.json_of("pair", "phone", "--app", "hozz", "--data-dir", "data")
        self.running = self.watch()

    def ask(self, name="Anna’s iPhone", **headers):
        """Asks as the app does; returns the status and the answer."""
        answer = send(self.running.url, hozz.pair(name).with_headers(**headers))
        return answer.status, json.loads(answer.body)

    def code(self, name="Anna’s iPhone"):
        """Asks, which must not be enough; returns the code that the app shows."""
        status, answer = self.ask(name)
        self.assertEqual((status, set(answer)), (403, {"detail"}), answer)
        return re.search(r"\b\d{6}\b", answer["detail"])[0]

    def listed(self):
        return self.json_of("device", "list", "--data-dir", "data")

    def confirm(self, code):
        return self.json_of("device", "confirm", code, "--data-dir", "data")

    def test_nobody_gets_a_token_before_the_code_was_confirmed(self):
        before = self.listed()["devices"]
        for name in ("x", "Anna’s iPhone"):
            first, second = self.code(name), self.code(name)
            self.assertEqual(first, second)
        self.assertEqual(self.listed()["devices"], before)
        asking = self.listed()["asking"]
        self.assertEqual([(one["statedName"], one["address"], one["confirmed"]) for one in asking],
                         [("x", "127.0.0.1", False), ("Anna’s iPhone", "127.0.0.1", False)])
        code = next(one["code"] for one in asking if one["statedName"] == "Anna’s iPhone")
        self.assertEqual(code, self.code())
        eventually(lambda: self.assertIn(code, "".join(self.running.errors)))
        self.assertEqual(self.run_program("device", "confirm", f"{int(code) + 1:06}"[-6:], "--data-dir", "data").returncode, 66)
        self.assertEqual(self.code(), code)
        self.assertEqual(self.confirm(code)["claim"]["statedName"], "Anna’s iPhone")
        self.assertEqual(self.ask("x")[0], 403, "another phone")
        status, paired = self.ask()
        self.assertEqual((status, set(paired)), (200, {"token", "name"}))
        self.assertEqual(self.ask()[0], 403, "once")
        devices = self.listed()["devices"]
        self.assertEqual([(one["device"], one["statedName"], one["address"]) for one in devices],
                         [("phone", None, None), ("phone", "Anna’s iPhone", "127.0.0.1")])
        self.assertEqual(self.listed()["asking"], [])
        shown = self.succeed("device", "list", "--data-dir", "data").stdout
        self.assertIn("Anna’s iPhone", shown)
        self.assertNotIn(paired["token"], shown)
        request = hozz.requests(Person(71, days=1).samples)[0]
        self.running.accept(request, paired["token"], "raw")
        self.succeed("device", "revoke", "phone", "--data-dir", "data")
        eventually(lambda: self.assertEqual(self.running.send(request, paired["token"]).status, 401))

    def test_a_restart_changes_nothing(self):
        code = self.code()
        self.running.kill()
        self.running = self.watch()
        self.assertEqual(self.code(), code)
        self.confirm(code)
        self.running.kill()
        self.running = self.watch()
        self.assertEqual(self.ask("x")[0], 403)
        self.assertEqual(self.ask()[0], 200)

    def test_of_phones_that_ask_at_once_one_gets_a_token(self):
        self.confirm(self.code())
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            statuses = sorted(status for status, _ in pool.map(lambda _: self.ask(), range(8)))
        self.assertEqual(statuses, [200] + [403] * 7)
        self.assertEqual(len(self.listed()["devices"]), 2)

    def test_a_revoked_device_and_a_proxy_get_nothing(self):
        for name, value in (("X-Forwarded-For", "192.168.1.20"), ("Forwarded", "for=192.168.1.20"), ("Via", "1.1 x")):
            self.assertEqual(self.ask(**{name: value})[0], 403)
        self.assertEqual(self.listed()["asking"], [])
        code = self.code()
        self.confirm(code)
        self.succeed("device", "revoke", "phone", "--data-dir", "data")
        self.assertEqual(self.ask()[0], 403)
        self.assertEqual(self.run_program("device", "confirm", code, "--data-dir", "data").returncode, 66)
        self.assertEqual({one["state"] for one in self.listed()["devices"]}, {"revoked"})

    def test_hostile_names_and_many_phones(self):
        statuses = [self.ask(f"\x1b[31m‮{number}\n" * 50)[0] for number in range(4)]
        self.assertEqual(statuses, [403] * 4)
        self.assertEqual(len(self.listed()["asking"]), 2, "of one address")
        shown = self.succeed("device", "list", "--data-dir", "data").stdout
        self.assertNotIn("\x1b[31m", shown)
        self.assertNotIn("‮", shown)


def resident(process):
    """Returns the resident memory of a process, in MiB."""
    with open(f"/proc/{process.pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS")) >> 10


class SignedBodies(InboxTest):
    def setUp(self):
        super().setUp()
        self.made = self.json_of("pair", "phone", "--app", "life-dashboard", "--data-dir", "data")
        self.running = self.watch()
        self.port = urllib.parse.urlsplit(self.running.url).port

    def kept(self):
        """Returns the bytes below the inbox."""
        return sum(path.stat().st_size for path in (self.folder / "data/inbox").rglob("*") if path.is_file())

    def flood(self, length):
        """Sends what the server accepts of a body with a wrong signature; returns the open connection."""
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)
        head = f"POST /x HTTP/1.1\r\nHost: localhost\r\nX-Signature: sha256={'0' * 64}\r\nContent-Length: {length}\r\n\r\n"
        with contextlib.suppress(OSError):
            connection.sendall(head.encode())
            for _ in range(length >> 16):
                connection.sendall(b" " * (1 << 16))
        return connection

    def test_bodies_of_unknown_clients_are_bounded_in_memory_and_never_on_the_disk(self):
        before, start = self.kept(), resident(self.running.process)
        for length in (59 << 20, 8 << 20):
            with concurrent.futures.ThreadPoolExecutor(20) as pool:
                # One byte is missing, so that the signature is not checked yet.
                open_connections = list(pool.map(self.flood, [length + 1 if length < 9 << 20 else length] * 20))
            self.assertEqual(self.kept(), before)
            self.assertLess(resident(self.running.process) - start, 100, length)
            for connection in open_connections:
                connection.close()
        samples = Person(73, sources=ANDROID, days=1).samples
        request = LifeDashboard(secret=self.made["signingSecret"]).sync(samples)
        eventually(lambda: self.assertIn(send(self.running.url, request).status, (200, 202)))

    def test_a_large_signed_post_of_the_app_is_accepted(self):
        samples = [one for seed in range(40) for one in Person(seed, sources=ANDROID, days=2).samples]
        request = LifeDashboard(secret=self.made["signingSecret"]).sync(samples)
        self.assertGreater(len(request.body), 1 << 20)
        self.assertIn(send(self.running.url, request).status, (200, 202))
        self.settle()  # Importing the post writes its outcome and moves it.
        wrong = LifeDashboard(secret="wrong").sync(samples)
        before = self.kept()
        self.assertEqual(send(self.running.url, wrong).status, 401)
        self.assertEqual(self.kept(), before)
        unsigned = Request("POST", "/life-dashboard", {"X-Signature": "sha256="}, request.body)
        try:
            self.assertEqual(send(self.running.url, unsigned).status, 401)
        except OSError:
            pass  # The server closes the connection instead of reading the body.


if __name__ == "__main__":
    unittest.main()
