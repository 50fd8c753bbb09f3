"""Attacks on a receiving server: hidden requests, amplification, starvation, and a lost store."""

import concurrent.futures
import contextlib
import gzip
import json
import os
import pathlib
import re
import resource
import socket
import subprocess
import sys
import time
import unittest

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

        def begin(_):
            connection = socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)
            with contextlib.suppress(OSError):
                connection.sendall(head)
                connection.sendall(memoryview(body)[:-1])
            return connection

        def end(connection):
            with connection:
                # The server may have closed a rejected connection; its answer stays readable.
                with contextlib.suppress(OSError):
                    connection.sendall(body[-1:])
                try:
                    return int(connection.recv(100).split(b" ")[1])
                except (OSError, IndexError):
                    return 0

        with concurrent.futures.ThreadPoolExecutor(40) as pool:
            statuses = list(pool.map(end, list(pool.map(begin, range(40)))))
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

    def test_a_server_with_few_further_files_waits_for_more(self):
        server = Server(self)
        process = server.process.pid
        fields = lambda: pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
        busy = lambda: sum(map(int, fields()[11:13])) / os.sysconf("SC_CLK_TCK")
        held = socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)
        held.sendall(b"POST /steps HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 14\r\n\r\n")
        self.assertIn(b"HTTP/1.1 100", held.recv(1_000))
        limits = resource.prlimit(process, resource.RLIMIT_NOFILE)
        used = {int(number) for number in os.listdir(f"/proc/{process}/fd")}
        free = next(number for number in range(len(used) + 1) if number not in used)
        # Half of what connections leave to the rest of the program: libdispatch, too, needs files, and may have had some open.
        resource.prlimit(process, resource.RLIMIT_NOFILE, (free + 8, limits[1]))
        waiting = [socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) for _ in range(3)]
        for connection in waiting:
            connection.sendall(HEALTH)
        started, begin = time.monotonic(), busy()
        time.sleep(2)
        self.assertLess((busy() - begin) / (time.monotonic() - started), 0.25, "seconds of CPU per second")
        for connection in waiting:
            # Neither served nor lost.
            connection.setblocking(False)
            self.assertRaises(BlockingIOError, connection.recv, 1)
            connection.settimeout(PATIENCE)
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

    def unread(self, port):
        """Returns how many bytes the server has not read yet, for each of its open connections."""
        lines = [line.split() for line in pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]]
        return {words[2]: int(words[4].split(":")[1], 16) for words in lines
                if words[3] == "01" and int(words[1].split(":")[1], 16) == port}

    def test_long_polls_of_one_token_delay_nobody(self):
        data = self.folder / "served"
        tokens = {user: self.json_of("token", "create", "--data-dir", data, "--user", user, "--scope", "inbox,read")["token"]
                  for user in ("anna", "bert")}
        server = Server(self)
        tolerable = max(1, 0.025 * self.median_wait(server))
        poll = (b"GET /api/v1/inbox/posts HTTP/1.1\r\nHost: localhost\r\nPrefer: wait=30\r\nAuthorization: Bearer "
                + tokens["anna"].encode() + b"\r\n\r\n")
        for again in (1, 3):
            with self.subTest(again=again):
                polls = [socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) for _ in range(256)]
                for connection in polls:
                    connection.sendall(poll * again)
                eventually(lambda: self.assertEqual(set(self.unread(server.port).values()), {0}))
                bearer = {"Authorization": f"Bearer {tokens['bert']}"}.items()
                for _ in range(10):
                    started = time.monotonic()
                    self.assertEqual(server.request("GET", "/steps", headers=bearer)[0], 200)
                    self.assertLess(time.monotonic() - started, tolerable)
                for connection in polls:
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


if __name__ == "__main__":
    unittest.main()
