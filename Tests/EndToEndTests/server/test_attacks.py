"""Attacks on a receiving server: amplification, starvation, tokens that outlive their revocation, and a lost store."""

import concurrent.futures
import contextlib
import gzip
import http.client
import json
import os
import pathlib
import re
import resource
import signal
import socket
import sqlite3
import ssl
import subprocess
import sys
import time
import unittest
import urllib.parse
from contextlib import closing

from support.harness import PATIENCE, ProgramTest, Server
from support.watch import eventually

# Sends the same bytes for as long as the server accepts them, on one connection after another.
FLOOD = """
import socket, threading
def flood():
    while True:
        connection = socket.create_connection(("127.0.0.1", {port}))
        try:
            connection.sendall({start!r})
            threading.Thread(target=drain, args=(connection,), daemon=True).start()
            while True:
                connection.sendall({piece!r} * 10_000)
        except OSError:
            connection.close()
def drain(connection):
    try:
        while connection.recv(1 << 16):
            pass
    except OSError:
        pass
print(flush=True)
flood()
"""
HEALTH = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"


def answers(port, data, timeout=PATIENCE):
    """Returns the statuses of all responses to `data`, until the server closes the connection."""
    received = b""
    with socket.create_connection(("127.0.0.1", port), timeout=timeout) as connection:
        connection.sendall(data)
        while piece := connection.recv(1 << 16):
            received += piece
    # A body ends without a line end, so that the next response follows it on the same line.
    return [int(status) for status in re.findall(rb"HTTP/1\.[01] (\d{3}) ", received)]


class Attacks(ProgramTest):
    def test_no_request_hides_in_another(self):
        server = Server(self)
        hidden = b"DELETE /steps HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        size = b"%d" % len(hidden)
        start = b"POST /steps HTTP/1.1\r\nHost: localhost\r\n"
        chunk = start + b"Transfer-Encoding: chunked\r\n\r\n"
        for name, data in {
            "folded": start + b"Content-Length:\r\n " + size + b"\r\n\r\n" + hidden,
            "folded after a value": start + b"Content-Length: 0\r\n " + size + b"\r\n\r\n" + hidden,
            "nameless": start + b": x\r\nContent-Length: 0\r\n\r\n" + hidden,
            "colon": start + b":\r\nContent-Length: 0\r\n\r\n" + hidden,
            "null in a value": start + b"Content-Length: 0\0" + size + b"\r\n\r\n" + hidden,
            "null in a name": start + b"X: 1\r\nContent-Length\0X: 0\r\n\r\n" + hidden,
            "bare line feed": start + b"X: 1\nContent-Length: 0\r\n\r\n" + hidden,
            "bare line feed after a size": chunk + b"0\n\r\n" + hidden,
            "bare line feed after a chunk": chunk + b"2\r\n{}\n0\r\n\r\n" + hidden,
            "bare line feed at the end": chunk + b"0\r\n\n" + hidden,
            "long extension": chunk + b"0;" + b"a" * 20_000 + b"\r\n\r\n" + hidden,
        }.items():
            with self.subTest(name):
                self.assertEqual(answers(server.port, data), [400])

    def test_a_rejection_does_not_repeat_the_request(self):
        server = Server(self)
        with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as connection:
            connection.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\nX-Secret: hst_secret\r\nContent-Length: x\r\n\r\n")
            received = b""
            while piece := connection.recv(1 << 16):
                received += piece
        self.assertTrue(received.startswith(b"HTTP/1.1 400"))
        self.assertNotIn(b"secret", received.lower())

    def resident(self, server, name="VmHWM"):
        """Returns the memory of the server in MiB, at its peak."""
        status = pathlib.Path(f"/proc/{server.process.pid}/status").read_text()
        return int(status.split(f"{name}:")[1].split()[0]) // 1024

    def test_a_small_body_causes_no_large_response_and_no_large_memory(self):
        server = Server(self)
        bombs = {
            "objects": b'{"samples":[' + b"{}," * 2_700_000 + b"{}]}",
            "numbers": b'{"samples":[' + b"0," * 4_000_000 + b"0]}",
            "lists": b'{"samples":[' + b"[]," * 2_700_000 + b"[]]}",
            "entries": b'{"entries":[' + b"{}," * 2_700_000 + b"{}]}",
        }
        for path, name, status in (("/steps", "objects", 413), ("/steps", "numbers", 413), ("/steps", "lists", 413),
                                   ("/api/v1/samples/heartRate", "objects", 413), ("/api/v1/progress", "entries", 413),
                                   ("/api/v1/snapshots", "objects", 413), ("/api/v1/sleep", "objects", 413)):
            with self.subTest(path=path, name=name):
                body = gzip.compress(bombs[name], 9)
                with concurrent.futures.ThreadPoolExecutor(16) as pool:
                    found = list(pool.map(lambda _: server.request("POST", path, body, {"Content-Encoding": "gzip"}), range(16)))
                self.assertEqual({answer[0] for answer in found}, {status})
                self.assertLess(max(len(answer[2]) for answer in found), 1_000)
        self.assertLess(self.resident(server), 300)

    def test_long_bodies_at_once_are_bounded(self):
        server = Server(self)
        body = b'{"samples":[]' + b" " * (8_000_000) + b"}"
        head = b"POST /steps HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(body)
        sockets = [socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) for _ in range(40)]

        def begin(connection):
            with contextlib.suppress(OSError):
                connection.sendall(head + body[:-1])

        def end(connection):
            with connection:
                # The server may have closed a rejected connection; its answer stays readable.
                with contextlib.suppress(OSError):
                    connection.sendall(body[-1:])
                try:
                    return int(connection.recv(100).split(b" ")[1])
                except (OSError, IndexError):
                    return 0

        with concurrent.futures.ThreadPoolExecutor(len(sockets)) as pool:
            list(pool.map(begin, sockets))
            statuses = list(pool.map(end, sockets))
        self.assertIn(200, statuses)
        self.assertIn(503, statuses)
        self.assertLess(self.resident(server), 300)
        self.assertEqual(server.request("POST", "/steps", body)[0], 200, "the memory is free again")

    def median_wait(self, server):
        """Returns the median milliseconds of 21 requests on new connections."""
        waits = []
        for _ in range(21):
            begin = time.monotonic()
            self.assertEqual(server.request("GET", "/live")[0], 200)
            waits.append((time.monotonic() - begin) * 1_000)
        return sorted(waits)[10]

    def test_one_client_cannot_occupy_the_server(self):
        server = Server(self)
        # Relative to the wait without a flood, because the machine may be loaded.
        tolerable = max(50, 25 * self.median_wait(server))
        chunked = b"POST /steps HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
        for name, start, piece in (("pipelined requests", b"", b"GET /x HTTP/1.1\r\nHost: a\r\n\r\n"),
                                   ("chunks of a byte", chunked, b"1\r\n \r\n"),
                                   ("data after the last response", b"?\r\n\r\n", b"x" * 64)):
            with self.subTest(name):
                code = FLOOD.format(port=server.port, start=start, piece=piece)
                with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as flood:
                    try:
                        flood.stdout.readline()
                        self.assertLess(self.median_wait(server), tolerable)
                        self.assertIsNone(flood.poll())
                    finally:
                        flood.kill()

    def test_a_server_without_further_files_waits_for_them(self):
        server = Server(self)
        process = server.process.pid
        fields = lambda: pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
        busy = lambda: sum(map(int, fields()[11:13])) / os.sysconf("SC_CLK_TCK")
        held = socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)
        held.sendall(b"POST /steps HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 14\r\n\r\n")
        self.assertIn(b"HTTP/1.1 100", held.recv(1_000))
        limits = resource.prlimit(process, resource.RLIMIT_NOFILE)
        resource.prlimit(process, resource.RLIMIT_NOFILE, (3, limits[1]))
        waiting = [socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) for _ in range(3)]
        for connection in waiting:
            connection.sendall(HEALTH)
        begin = busy()
        time.sleep(2)
        self.assertLess(busy() - begin, 0.5, "seconds of CPU within two seconds")
        resource.prlimit(process, resource.RLIMIT_NOFILE, limits)
        for connection in waiting:
            self.assertIn(b"HTTP/1.1 200", connection.recv(1_000))
        held.sendall(b'{"samples":[]}')
        self.assertIn(b"HTTP/1.1 200", held.recv(1_000), "a request in progress keeps its connection")

    def test_problems_are_listed_up_to_a_thousand(self):
        server = Server(self)
        status, _, body = server.request("POST", "/steps", {"samples": [{} for _ in range(5_000)]})
        answer = json.loads(body)
        self.assertEqual((status, answer["rejected"], len(answer["results"]), answer["omitted"]), (200, 5_000, 1_000, 4_000))
        status, _, body = server.request("POST", "/steps", {"samples": [{} for _ in range(5_001)]})
        self.assertEqual((status, len(body) < 500), (413, True))
        limits = json.loads(server.request("GET", "/api/v1/capabilities")[2])
        self.assertEqual(limits["batch"]["steps"], 5_000)

    def test_quiet_connections_shut_nobody_out(self):
        server = Server(self)
        # Seconds for 20 requests, relative to the wait without other connections, because the machine may be loaded.
        tolerable = max(9, 0.5 * self.median_wait(server))
        for start in (b"", b"GET /health HTTP/1.1\r\nHost: lo", HEALTH):
            with self.subTest(start=start):
                quiet = [socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) for _ in range(300)]
                for connection in quiet:
                    try:
                        connection.sendall(start)
                    except OSError:
                        pass
                started = time.monotonic()
                for _ in range(20):
                    self.assertEqual(server.request("GET", "/health")[0], 200)
                # The connections end by a deadline after 10 s and 60 s; nothing waited for that.
                self.assertLess(time.monotonic() - started, tolerable)
                for connection in quiet:
                    connection.close()

    def test_requests_with_invalid_tokens_shut_nobody_out(self):
        self.succeed("token", "create", "--data-dir", self.folder / "served", "--scope", "read")
        server = Server(self, "--connections", "64")
        tolerable = max(5, 0.25 * self.median_wait(server))
        token = b"hst_0123456789abcdef_" + b"0" * 64
        form = (b"POST %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nOrigin: http://127.0.0.1:%d\r\n"
                b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n%s\r\n%s")
        login, unsigned = b"token=" + token, b"{}"
        signature = b"X-Signature: sha256=" + b"0" * 64 + b"\r\n"
        for name, guess in {
            "in a header": b"GET /steps HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + token + b"\r\n\r\n",
            "in a form": form % (b"/login", server.port, server.port, len(login), b"", login),
            "to the inbox": form % (b"/inbox/device/" + token, server.port, server.port, len(unsigned), b"", unsigned),
            "in a signature": form % (b"/inbox/", server.port, server.port, len(unsigned), signature, unsigned),
        }.items():
            with self.subTest(name):
                # Each response is delayed, up to 8 s, and the next request follows at once on the same connection.
                guessing = [socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) for _ in range(64)]
                for connection in guessing:
                    connection.sendall(guess * 20)
                # The first delays are short.
                time.sleep(2)
                started = time.monotonic()
                for _ in range(10):
                    self.assertEqual(server.request("GET", "/live")[0], 200)
                self.assertLess(time.monotonic() - started, tolerable)
                for connection in guessing:
                    connection.close()

    def test_the_number_of_connections_is_an_option(self):
        server = Server(self, "--connections", "8")
        quiet = [socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) for _ in range(30)]
        self.assertEqual(server.request("GET", "/health")[0], 200)
        sockets = 0
        for path in pathlib.Path(f"/proc/{server.process.pid}/fd").iterdir():
            # The server may have closed a file since the folder was listed.
            with contextlib.suppress(FileNotFoundError):
                sockets += os.readlink(path).startswith("socket:")
        self.assertLess(sockets, 8 + 8)
        for connection in quiet:
            connection.close()

    def test_health_reports_a_lost_store_and_live_does_not(self):
        server = Server(self)
        for path in ("/health", "/ready", "/live"):
            status, _, body = server.request("GET", path)
            self.assertEqual((status, json.loads(body)), (200, {"status": "ok"}), path)
        moved = server.database.with_name("moved.db")
        server.database.rename(moved)
        self.assertEqual([server.request("GET", path)[0] for path in ("/health", "/ready", "/live")], [503, 503, 200])
        moved.rename(server.database)
        # A write between the two renames has stopped the writer, which opens the file again after a pause.
        eventually(lambda: self.assertEqual(server.request("GET", "/health")[0], 200))
        self.assertEqual([server.request("GET", path)[0] for path in ("/health", "/ready", "/live")], [200, 200, 200])

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


class Tokens(ProgramTest):
    def certificate(self, name):
        certificate, key = self.folder / f"{name}.pem", self.folder / f"{name}-key.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
             "-subj", f"/CN={name}", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate],
            check=True, capture_output=True)
        return certificate, key

    def test_a_hangup_reloads_the_certificate(self):
        first, second = self.certificate("first"), self.certificate("second")
        certificate, key = self.folder / "cert.pem", self.folder / "key.pem"
        for source, target in zip(first, (certificate, key)):
            target.write_bytes(source.read_bytes())
        server = Server(self, "--tls-cert", certificate, "--tls-key", key)

        def trusts(authority):
            context = ssl.create_default_context(cafile=authority)
            connection = http.client.HTTPSConnection("127.0.0.1", server.port, context=context, timeout=PATIENCE)
            try:
                connection.request("GET", "/health")
                return connection.getresponse().status == 200
            except ssl.SSLCertVerificationError:
                return False
            finally:
                connection.close()

        self.assertTrue(trusts(first[0]) and not trusts(second[0]))
        key.write_text("no key")
        server.process.send_signal(signal.SIGHUP)
        line = server.process.stderr.readline()
        self.assertIn("certificate", line)
        self.assertTrue(trusts(first[0]), "an invalid file changes nothing")
        for source, target in zip(second, (certificate, key)):
            target.write_bytes(source.read_bytes())
        server.process.send_signal(signal.SIGHUP)
        server.process.stderr.readline()
        self.assertTrue(trusts(second[0]) and not trusts(first[0]))
        self.assertEqual(server.stop(), 0)

    def page(self, server, method, path, fields=None, cookie=None):
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
        headers = {"Origin": f"http://127.0.0.1:{server.port}", "Content-Type": "application/x-www-form-urlencoded"}
        if cookie:
            headers["Cookie"] = cookie
        connection.request(method, path, urllib.parse.urlencode(fields) if fields else None, headers)
        answer = connection.getresponse()
        content = answer.read().decode()
        connection.close()
        return answer.status, (answer.getheader("Set-Cookie") or "").split(";")[0], content

    def log_in(self, server, token):
        status, cookie, _ = self.page(server, "POST", "/login", {"token": token})
        self.assertEqual(status, 303)
        return cookie

    def form_token(self, content):
        return content.split('name="form_token" value="')[1].split('"')[0]

    def test_a_token_never_outlives_or_exceeds_the_one_that_created_it(self):
        data = self.folder / "served"
        parent = self.json_of("token", "create", "--data-dir", data, "--user", "anna", "--scope", "read,admin",
                              "--expires", "2150-01-01")
        server = Server(self)
        cookie = self.log_in(server, parent["token"])
        form = self.form_token(self.page(server, "GET", "/view/tokens", cookie=cookie)[2])

        def create(**fields):
            status, _, content = self.page(server, "POST", "/view/tokens/create", {"form_token": form, **fields}, cookie)
            return status, content.split('id="token">')[1].split("<")[0] if 'id="token">' in content else None

        status, child = create(scope="read", expires="")
        self.assertEqual(status, 200)
        self.assertEqual(create(scope="read", expires="2150-06-01"), (400, None))
        self.assertEqual(create(scope="delete", expires="")[1], None)
        listed = json.loads(self.succeed("token", "list", "--data-dir", data, "--json").stdout)["tokens"]
        self.assertEqual({token["expires"] for token in listed}, {parent["expires"]})
        bearer = {"Authorization": f"Bearer {child}"}.items()
        self.assertEqual(server.request("GET", "/steps", headers=bearer)[0], 200)
        self.succeed("token", "revoke", "--data-dir", data, parent["id"])
        server.process.send_signal(signal.SIGHUP)
        server.process.stderr.readline()
        self.assertEqual(server.request("GET", "/steps", headers=bearer)[0], 401)

    def test_tokens_of_the_former_schema_stay_valid(self):
        data = self.folder / "served"
        token = self.json_of("token", "create", "--data-dir", data, "--scope", "read")
        with closing(sqlite3.connect(data / "server/received.db-tokens")) as connection:
            connection.executescript("ALTER TABLE tokens DROP COLUMN parent_id; PRAGMA user_version = 1")
        server = Server(self)
        bearer = {"Authorization": f"Bearer {token['token']}"}.items()
        self.assertEqual(server.request("GET", "/steps", headers=bearer)[0], 200)
        self.succeed("token", "revoke", "--data-dir", data, token["id"])
        server.stop()

    def test_logins_of_one_user_end_no_session_of_another(self):
        data = self.folder / "served"
        anna, ben = (self.json_of("token", "create", "--data-dir", data, "--user", name, "--scope", "read")["token"]
                     for name in ("anna", "ben"))
        server = Server(self)
        first = self.log_in(server, anna)
        for _ in range(1_001):
            last = self.log_in(server, ben)
        self.assertEqual(self.page(server, "GET", "/", cookie=first)[0], 200)
        self.assertEqual(self.page(server, "GET", "/", cookie=last)[0], 200)


if __name__ == "__main__":
    unittest.main()
