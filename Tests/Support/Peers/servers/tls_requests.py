#!/usr/bin/env python3
"""Sends requests of random shape over TLS to a receiving server.

    tls_requests.py --port PORT --authority FILE [--requests 2000] [--clients 8] [--seed 1] [--pid PID]

A request varies in its method, its body (none, with a length, in chunks, behind `Expect: 100-continue`), its version, its
Connection header, the number of requests sent at once, the division into TLS records and TCP segments, and in how its
connection ends: after the answer, or at any earlier phase, by close_notify, a half-close, a close or a reset. With --pid the
process gets SIGHUP now and then, so that it reads its certificate again.

Exits with status 1 if the server does not answer a complete request of a client that waits for it, answers with something
else than the status that the request deserves, or no longer accepts connections.
"""

import argparse
import collections
import os
import random
import signal
import socket
import ssl
import struct
import sys
import threading

HOST = "127.0.0.1"
PATIENCE = 1_200
#: The share of connections after which the certificate is read again.
RENEWALS = 0.02
SAMPLE = b'{"samples":[{"uuid":"%s","startDate":"2024-01-15T08:00:00Z","endDate":"2024-01-15T09:00:00Z","count":12,"sourceBundleId":"a"}]}'
#: The phases in which a connection may end early.
EARLY = ("connected", "in the handshake", "after the handshake", "in the head", "in the body", "before the answer", "in the answer")
WAYS = ("close", "close_notify", "half-close", "reset")


class Failure(Exception):
    """The server did not do what the request deserves."""


class Connection:
    """A TLS connection whose records are handed to the socket by us, so that it can stop at any byte."""

    def __init__(self, port, context, rng):
        self.rng = rng
        self.socket = socket.create_connection((HOST, port), timeout=PATIENCE)
        self.arriving, self.leaving = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.session = context.wrap_bio(self.arriving, self.leaving, server_hostname="localhost")

    def flush(self, most=None):
        """Sends what TLS has prepared, in random pieces; only the first `most` bytes if given."""
        data = self.leaving.read()
        if most is not None:
            data = data[:most]
        while data:
            count = self.rng.choice((1, 7, 100, 1_000, len(data)))
            self.socket.sendall(data[:count])
            data = data[count:]

    def fill(self):
        """Waits for bytes of the server; returns whether there were any."""
        try:
            data = self.socket.recv(self.rng.choice((1, 100, 1 << 16)))
        except ConnectionError:
            data = b""
        if data:
            self.arriving.write(data)
        else:
            self.arriving.write_eof()
        return bool(data)

    def handshake(self, stops=False):
        """Completes the handshake, or stops within it."""
        while True:
            try:
                self.session.do_handshake()
                self.flush()
                return
            except ssl.SSLWantReadError:
                if stops:
                    self.flush(self.rng.randint(1, 200))
                    return
                self.flush()
                if not self.fill():
                    raise Failure("the server closed the connection in the handshake") from None

    def send(self, data):
        """Sends `data` in one or several TLS records."""
        while data:
            count = self.rng.choice((1, 10, 1_000, len(data)))
            self.session.write(data[:count])
            data = data[count:]
            if self.rng.random() < 0.5:
                self.flush()
        self.flush()

    def receive(self):
        """Returns decrypted bytes, empty at the end."""
        while True:
            try:
                return self.session.read(1 << 16)
            except ssl.SSLWantReadError:
                self.fill()
            except (ssl.SSLZeroReturnError, ssl.SSLEOFError):
                return b""
            except ssl.SSLError:
                # A reset, or the end without close_notify.
                return b""

    def notify(self):
        """Sends close_notify; the server may still answer."""
        try:
            self.session.unwrap()
        except ssl.SSLError:
            pass
        self.flush()

    def close(self, way):
        try:
            if way == "close_notify":
                self.notify()
            elif way == "half-close":
                self.notify()
                self.socket.shutdown(socket.SHUT_WR)
                if self.rng.random() < 0.5:
                    while self.fill():
                        self.arriving.read()
            elif way == "reset":
                self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        except OSError:
            pass
        self.socket.close()


class Request:
    """A request of random shape, with the status that it deserves."""

    def __init__(self, rng):
        kind = rng.choice(("live", "health", "steps", "head", "missing", "long", "length", "chunks", "expect"))
        version = rng.choice((b"1.1", b"1.1", b"1.1", b"1.0"))
        self.is_head = kind == "head"
        lines, body, self.status = [], b"", 200
        if kind in ("length", "chunks", "expect"):
            sample = SAMPLE % str(random_uuid(rng)).encode()
            body = sample + b" " * rng.choice((0, 0, 5_000, 200_000))
            target, method = b"/steps", b"POST"
            if kind == "chunks" and version == b"1.1":
                lines.append(b"Transfer-Encoding: chunked")
                body = chunked(body, rng)
            else:
                lines.append(b"Content-Length: %d" % len(body))
            if kind == "expect" and version == b"1.1":
                lines.append(b"Expect: 100-continue")
        else:
            method = b"HEAD" if self.is_head else b"GET"
            target = {"steps": b"/steps?limit=5", "long": b"/openapi.json", "missing": b"/nothing"}.get(kind, b"/health")
            if kind == "live":
                target = b"/live"
            if kind == "missing":
                self.status = 404
        connection = rng.choice((None, b"close", b"keep-alive", b"Close, x", b"x,\tclose"))
        if connection:
            lines.append(b"Connection: " + connection)
        self.closes = version == b"1.0" or connection not in (None, b"keep-alive")
        lines.append(b"X: " + b"x" * rng.choice((0, 10, 3_000)))
        self.head = method + b" " + target + b" HTTP/" + version + b"\r\nHost: localhost\r\n" + b"".join(
            line + b"\r\n" for line in lines) + b"\r\n"
        self.body = body
        self.bytes = self.head + body


def random_uuid(rng):
    text = "%032X" % rng.getrandbits(128)
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))


def chunked(body, rng):
    pieces = []
    while body:
        count = rng.choice((1, 50, 5_000, len(body)))
        pieces.append(b"%x\r\n" % len(body[:count]) + body[:count] + b"\r\n")
        body = body[count:]
        if len(pieces) > 20:
            pieces.append(b"%x\r\n" % len(body) + body + b"\r\n" if body else b"")
            break
    return b"".join(pieces) + b"0\r\n\r\n"


class Answers:
    """Reads the responses of one connection, by RFC 9112."""

    def __init__(self, connection):
        self.connection = connection
        self.data = b""

    def more(self):
        piece = self.connection.receive()
        if not piece:
            raise Failure(f"the answer ended after {len(self.data)} bytes of it: {self.data[:60]!r}")
        self.data += piece

    def until(self, end):
        while end not in self.data:
            self.more()
        text, self.data = self.data.split(end, 1)
        return text

    def take(self, count):
        while len(self.data) < count:
            self.more()
        self.data = self.data[count:]

    def next(self, request):
        """Reads the response to `request`; returns its status and whether the server closes the connection after it."""
        while True:
            lines = self.until(b"\r\n\r\n").split(b"\r\n")
            status = int(lines[0].split(b" ")[1])
            if status != 100:
                break
        fields = {name.strip().lower(): value.strip() for name, _, value in (line.partition(b":") for line in lines[1:])}
        if not request.is_head and status not in (204, 304):
            if fields.get(b"transfer-encoding") == b"chunked":
                while count := int(self.until(b"\r\n").split(b";")[0], 16):
                    self.take(count + 2)
                self.until(b"\r\n")
            elif b"content-length" in fields:
                self.take(int(fields[b"content-length"]))
            else:
                while self.connection.receive():
                    pass
        return status, fields.get(b"connection", b"").lower() == b"close"


def exchange(port, context, rng, counts):
    """Uses one connection; returns the number of requests that were sent completely or in part."""
    connection = Connection(port, context, rng)
    ends = rng.choice(EARLY) if rng.random() < 0.5 else None
    way = rng.choice(WAYS)
    sent = 1
    try:
        if ends == "connected":
            return sent
        connection.handshake(stops=ends == "in the handshake")
        if ends in ("in the handshake", "after the handshake"):
            return sent
        requests = [Request(rng) for _ in range(rng.choice((1, 1, 1, 2, 5, 16)))]
        sent = len(requests)
        data = b"".join(request.bytes for request in requests)
        first = requests[0]
        if ends == "in the head":
            data = data[:rng.randint(1, len(first.head) - 1)]
        elif ends == "in the body":
            data = data[:len(first.head) + rng.randint(0, max(0, len(first.body) - 1))]
        connection.send(data)
        if ends in ("in the head", "in the body", "before the answer"):
            return sent
        if ends == "in the answer":
            connection.receive()
            return sent
        if rng.random() < 0.2:
            connection.notify()
        answers = Answers(connection)
        for request in requests:
            status, closes = answers.next(request)
            if status != request.status:
                raise Failure(f"{status} instead of {request.status} for {request.head[:80]!r}")
            counts[status] += 1
            if request.closes and not closes:
                raise Failure(f"the connection stays open after {request.head[:80]!r}")
            if closes:
                break
        return sent
    except (ConnectionError, ssl.SSLError) as error:
        # The server may reset a connection whose client still sends after the last answer.
        if ends is None and not (sent > 1 or isinstance(error, ConnectionError)):
            raise Failure(f"{type(error).__name__}: {error}") from error
        return sent
    finally:
        counts[ends or "answered"] += 1
        connection.close(way)


def client(number, options, context, counts, failures):
    rng = random.Random(f"{options.seed} {number}")
    left = options.requests // options.clients
    while left > 0 and not failures:
        try:
            left -= exchange(options.port, context, rng, counts)
        except Failure as failure:
            failures.append(f"client {number}: {failure}")
        except OSError as error:
            failures.append(f"client {number}: {type(error).__name__}: {error}")
        if options.pid and rng.random() < RENEWALS:
            os.kill(options.pid, signal.SIGHUP)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--authority", required=True)
    parser.add_argument("--requests", type=int, default=2_000)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pid", type=int)
    options = parser.parse_args()
    contexts = [ssl.create_default_context(cafile=options.authority) for _ in range(2)]
    contexts[1].maximum_version = ssl.TLSVersion.TLSv1_2
    counts, failures = collections.Counter(), []
    threads = [
        threading.Thread(target=client, args=(number, options, contexts[number % 2], counts, failures))
        for number in range(options.clients)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(", ".join(f"{name}: {count}" for name, count in sorted(counts.items(), key=str)))
    if failures:
        sys.exit("\n".join(failures))


if __name__ == "__main__":
    main()
