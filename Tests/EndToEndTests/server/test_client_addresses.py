"""Addresses of clients: which proxy may state them, and how they are limited."""

import json
import time
import unittest

from support.harness import ProgramTest, Server


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


if __name__ == "__main__":
    unittest.main()
