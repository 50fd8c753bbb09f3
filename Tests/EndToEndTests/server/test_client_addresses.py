"""Addresses of clients: which proxy may state them, and how they are limited."""

import json
import re
import socket
import time
import unittest

from support.harness import PATIENCE, ProgramTest, Server

# What a client sends so that its own text seems to be the last element. Each character would swallow the comma that
# the proxy writes after it, or is equal to a separator, if text were divided by characters instead of bytes.
SPOOFED = [b"10.0.0.9", b"10.0.0.9%", b"[10.0.0.9]", b"10.0.0.9:", b"[::ffff:10.0.0.9]:", b"fe80::1%"]
INSERTED = ["\u0600", "\u06dd", "\u0d4e", "\U000110bd", "\U000111c2", "\u0301", "\u200d", "\ufe0f", "\u037e", "\u00a0", "\uff0c",
            "\U000e0001", "\U0001f1e6"]


def statuses(port, values):
    """Sends a request for each list of values of X-Forwarded-For over one connection; returns the statuses."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
        received = b""
        for number, lines in enumerate(values, 1):
            closes = b"Connection: close\r\n" if number == len(values) else b""
            connection.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n" + closes
                               + b"".join(b"X-Forwarded-For: " + line + b"\r\n" for line in lines) + b"\r\n")
        while piece := connection.recv(1 << 16):
            received += piece
    return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d{3}) ", received)]


class ClientAddresses(ProgramTest):
    def test_an_address_is_trusted_from_the_configured_proxy_only(self):
        self.succeed("token", "create", "--data-dir", self.folder / "served", "--scope", "read")
        for addresses, client in (("", "2001:db8::1"), ("127.0.0.1", "2001:db8::1"), ("10.0.0.0/8,::1", "127.0.0.1")):
            log = self.folder / f"log {addresses.replace('/', ' ')}"
            server = Server(self, "--behind-proxy" + (f"={addresses}" if addresses else ""), "--access-log", log)
            server.request("GET", "/health", headers={"X-Forwarded-For": "192.0.2.1, [2001:db8::1]:4711"}.items())
            self.assertEqual(server.stop(), 0)
            self.assertEqual([json.loads(line)["remote"] for line in log.read_text().splitlines()], [client], addresses)

    def test_limits_count_the_network_of_an_address(self):
        self.succeed("token", "create", "--data-dir", self.folder / "served", "--scope", "read")
        server = Server(self, "--behind-proxy", "--requests-per-minute", "3")
        def status(address):
            return server.request("GET", "/health", headers={"X-Forwarded-For": address}.items())[0]
        def statuses(addresses):
            """Returns the statuses of requests from a network that were so quick that time freed none: one each 20 s."""
            for network in range(100, 200):
                started = time.monotonic()
                found = [status(address.format(network)) for address in addresses]
                if time.monotonic() - started < 20:
                    return found
            self.fail("the machine is too slow")
        self.assertEqual(statuses([f"2001:db8:0:{{}}::{n}" for n in range(1, 5)]), [200, 200, 200, 429])
        self.assertEqual(status("2001:db8:0:8::1"), 200)
        self.assertEqual(statuses(["192.0.2.{}", "::ffff:192.0.2.{}", "192.0.2.{}:80", "192.0.2.{}"]), [200, 200, 200, 429])

    def test_a_client_does_not_choose_its_address(self):
        self.succeed("token", "create", "--data-dir", self.folder / "served", "--scope", "read")
        log = self.folder / "log"
        server = Server(self, "--behind-proxy", "--access-log", log)
        sent = [start + character.encode() for start in SPOOFED for character in ["", *INSERTED]]
        sent += [start + byte for start in SPOOFED for byte in (b"\xd8", b"\xf0\x91", b"\xff", b"\xd8\x80")]
        # The proxy appends to the line of the client, or adds a line.
        values = [[line + between + b"192.0.2.7"] for line in sent for between in (b",", b", ", b" ,\t")]
        values += [[line, b"192.0.2.7"] for line in sent]
        # Between proxy and client: what the proxy writes is the client's address in any of these forms.
        forms = [(b"192.0.2.7:4711", "192.0.2.7"), (b"2001:DB8::1", "2001:db8::1"), (b"[2001:db8::1]", "2001:db8::1"),
                 (b"[2001:db8::1]:4711", "2001:db8::1"), (b"::ffff:192.0.2.7", "192.0.2.7"), (b"fe80::1%eth0", "fe80::1")]
        # Anything else is not an address: the client counts as the proxy.
        other = [b"unknown", b"_hidden", b"", b"192.0.2.7,", b"192.0.2", b"192.0.2.7:", b"192.0.2.7:65536", b"192.0.2.7:+80",
                 b"[192.0.2.7]", b"[2001:db8::1", b"2001:db8::1]", b"[2001:db8::1]4711", b"192.0.2.7 x", b"192.0.2.7%eth0",
                 b"fe80::1%", b"\xef\xbc\x91.0.0.1"]
        values += [[b"10.0.0.9, " + form] for form, _ in forms] + [[b"10.0.0.9, " + text] for text in other]
        expected = ["192.0.2.7"] * (len(sent) * 4) + [address for _, address in forms] + ["127.0.0.1"] * len(other)
        for first in range(0, len(values), 50):
            part = values[first:first + 50]
            self.assertEqual(statuses(server.port, part), [200] * len(part))
        self.assertEqual(server.stop(), 0)
        found = [json.loads(line)["remote"] for line in log.read_text().splitlines()]
        self.assertEqual([(v, f) for v, f, e in zip(values, found, expected) if f != e], [])
        self.assertEqual(len(found), len(expected))

    def test_spoofed_addresses_do_not_evade_the_limit(self):
        self.succeed("token", "create", "--data-dir", self.folder / "served", "--scope", "read")
        server = Server(self, "--behind-proxy", "--requests-per-minute", "30")
        for network in range(7, 200):
            values = [[b"10.0.%d.9%%\xd8\x80, 192.0.2.%d" % (number, network)] for number in range(200)]
            started = time.monotonic()
            found = statuses(server.port, values)
            self.assertEqual(len(found), 200)
            # A request becomes possible every two seconds.
            if time.monotonic() - started < 2:
                self.assertEqual((found.count(200), found.count(429)), (30, 170))
                return
            self.assertGreater(found.count(429), 0)
        self.fail("the machine is too slow")


if __name__ == "__main__":
    unittest.main()
