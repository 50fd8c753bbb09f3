"""A user is answered before the many requests that another user sent earlier."""

import json
import socket
import unittest
import uuid

from support import harness

CONNECTIONS, SAMPLES = 60, 1_500
ATTEMPTS = 10
# Uploads of one user, by two tokens, and the connections of the server.
UPLOADS, LIMIT = 42, 40


def request(token, samples):
    body = json.dumps({"samples": samples}).encode()
    head = (f"POST /steps HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\nContent-Length: {len(body)}\r\n"
            "Connection: close\r\n\r\n")
    return head.encode() + body


def sample(number):
    return {"uuid": str(uuid.UUID(int=number + 1)), "startDate": f"2024-01-{number % 28 + 1:02}T08:00:00Z",
            "endDate": f"2024-01-{number % 28 + 1:02}T08:00:00Z", "count": number % 100, "sourceBundleId": "flood"}


def answer(connection):
    received = b""
    while piece := connection.recv(65_536):
        received += piece
    return received


class Flood(harness.ProgramTest):
    def connect(self, port, data):
        connection = socket.create_connection(("127.0.0.1", port), timeout=harness.PATIENCE)
        self.addCleanup(connection.close)
        connection.sendall(data)
        return connection

    def head(self, connection):
        received = b""
        while not received.endswith(b"\r\n\r\n") and (byte := connection.recv(1)):
            received += byte
        return received

    def is_answered(self, connection):
        connection.setblocking(False)
        try:
            return bool(connection.recv(1, socket.MSG_PEEK))
        except BlockingIOError:
            return False
        finally:
            connection.settimeout(harness.PATIENCE)

    def test_a_request_does_not_wait_for_those_of_another_user(self):
        tokens = [self.json_of("token", "create", "--user", user, "--scope", "ingest", "--data-dir", "data")["token"]
                  for user in ("anna", "bert")]
        server = self.start("serve", "--data-dir", "data", "--port", "0")
        self.addCleanup(server.communicate)
        self.addCleanup(server.terminate)
        port = int(server.stdout.readline().rsplit(":", 1)[1])
        # A client that is paused while it sends or looks sees the flood answered: such an attempt shows nothing. Of a server
        # that answers in the order of arrival, every attempt shows that none waits.
        waiting = 0
        for attempt in range(ATTEMPTS):
            waiting = max(waiting, self.waiting_beside_another(port, tokens, attempt))
            if waiting > CONNECTIONS // 2:
                return
        self.fail(f"the other user waited for the flood: at most {waiting} of its requests were not answered yet")

    def waiting_beside_another(self, port, tokens, attempt):
        """Returns how many requests of a flood were not answered when a later one of another user was."""
        first = attempt * CONNECTIONS * SAMPLES
        bodies = [request(tokens[0], [sample(first + SAMPLES * number + index) for index in range(SAMPLES)])
                  for number in range(CONNECTIONS)]
        mine = request(tokens[1], [sample(attempt)])
        # The last byte of each request follows at once, so that all arrive together and the other user's last.
        flood = [self.connect(port, body[:-1]) for body in bodies]
        other = self.connect(port, mine[:-1])
        for connection, body in zip(flood, bodies):
            connection.sendall(body[-1:])
        other.sendall(mine[-1:])
        self.assertIn(b" 200 ", answer(other).partition(b"\r\n")[0])
        waiting = sum(not self.is_answered(connection) for connection in flood)
        for connection in flood:
            self.assertIn(b'"created":%d' % SAMPLES, answer(connection))
        return waiting

    def test_uploads_of_a_user_leave_connections_to_others(self):
        tokens = [self.json_of("token", "create", "--user", user, "--scope", "ingest", "--data-dir", "data")["token"]
                  for user in ("anna", "anna", "bert")]
        server = self.start("serve", "--data-dir", "data", "--port", "0", "--connections", str(LIMIT))
        self.addCleanup(server.communicate)
        self.addCleanup(server.terminate)
        port = int(server.stdout.readline().rsplit(":", 1)[1])
        uploads, rejected = [], 0
        for number in range(UPLOADS):
            connection = self.connect(port, (
                f"POST /steps HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {tokens[number % 2]}\r\n"
                "Content-Length: 4000000\r\nExpect: 100-continue\r\n\r\n").encode())
            if self.head(connection).startswith(b"HTTP/1.1 100 "):
                # More than the rate requires for as long as the test takes.
                connection.sendall(b" " * 3_999_999)
                uploads.append(connection)
            else:
                rejected += 1
        self.assertEqual((len(uploads), rejected), (LIMIT // 2, UPLOADS - LIMIT // 2))
        for attempt in range(LIMIT):
            self.assertIn(b" 200 ", answer(self.connect(port, request(tokens[2], [sample(attempt)]))).partition(b"\r\n")[0])
        for connection in uploads:
            self.assertFalse(self.is_answered(connection), "an upload in progress goes on")


if __name__ == "__main__":
    unittest.main()
