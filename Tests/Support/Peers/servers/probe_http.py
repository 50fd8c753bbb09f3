#!/usr/bin/env python3
"""Sends malformed and hostile requests over raw sockets to a receiving server.

    probe_http.py --port PORT [--corpus DIR] [--patience SECONDS]

The server must respond to each with one of the listed statuses, or close the connection where
this is allowed, within the time limit, and respond to GET /health after each. With --corpus, every
*.raw file is sent too, and the server must respond or close the connection. Prints a line for
each failure and a count at the end; exits with status 1 after a failure.
"""

import argparse
import glob
import gzip
import json
import os
import socket
import sys
import zlib

CUT = 0
HOST = b"Host: localhost\r\n"
SAMPLE = {"uuid": "550e8400-e29b-41d4-a716-446655440000", "startDate": "2024-01-15T08:00:00Z",
          "endDate": "2024-01-15T09:00:00Z", "count": 5, "sourceBundleId": "probe"}
BODY = json.dumps({"samples": [SAMPLE]}).encode()


def get(path=b"/health", headers=b"", version=b"HTTP/1.1", host=HOST):
    return b"GET " + path + b" " + version + b"\r\n" + host + headers + b"\r\n"


def post(body=BODY, headers=b"", path=b"/steps", length=None):
    size = b"Content-Length: %d\r\n" % (len(body) if length is None else length)
    return b"POST " + path + b" HTTP/1.1\r\n" + HOST + size + headers + b"\r\n" + body


def chunked(chunks, headers=b"", end=b"0\r\n\r\n"):
    body = b"".join(b"%x\r\n" % len(chunk) + chunk + b"\r\n" for chunk in chunks) + end
    return b"POST /steps HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n" + headers + b"\r\n" + body


GZIP = b"Content-Encoding: gzip\r\n"
BOMB = gzip.compress(b"[" * (64 << 20), 9)

# name, bytes, allowed statuses (CUT: the connection may be closed without a response)
PROBES = [
    ("plain health", get(), {200}),
    ("good steps", post(), {200}),
    ("good chunked", chunked([BODY[:10], BODY[10:]]), {200}),
    ("good gzip", post(gzip.compress(BODY), GZIP), {200}),
    ("expect continue", post(headers=b"Expect: 100-continue\r\n"), {100, 200}),
    ("no host", get(host=b""), {400}),
    ("two hosts", get(headers=b"Host: other\r\n"), {400}),
    ("foreign host", get(b"/steps", host=b"Host: evil.example\r\n"), {403}),
    ("foreign origin", post(headers=b"Origin: https://evil.example\r\n"), {403}),
    ("null origin", post(headers=b"Origin: null\r\n"), {403}),
    ("HTTP/1.0 health", get(version=b"HTTP/1.0"), {200}),
    ("HTTP/1.0 chunked", chunked([BODY]).replace(b"HTTP/1.1", b"HTTP/1.0"), {400}),
    ("HTTP/2.0", get(version=b"HTTP/2.0"), {400, 505, CUT}),
    ("HTTP/9.9", get(version=b"HTTP/9.9"), {400, 505, CUT}),
    ("no version", b"GET /health\r\n" + HOST + b"\r\n", {400, 505, CUT}),
    ("garbage", b"\x00\x01\x02\x03\r\n\r\n", {400, 505, CUT}),
    ("TLS hello", bytes.fromhex("16030100a5010000a10303") + b"\0" * 80 + b"\r\n\r\n", {400, 505, CUT}),
    ("empty lines", b"\r\n\r\n\r\n" + get(), {200, 400, CUT}),
    ("space before colon", get(headers=b"X-Probe : 1\r\n"), {400}),
    ("name with brackets", get(headers=b"X(Probe): 1\r\n"), {400}),
    ("empty name", get(headers=b": 1\r\n"), {400}),
    ("line of a colon", get(headers=b":\r\n"), {400}),
    ("folded line", post(b"", b"").replace(b"Content-Length: 0", b"Content-Length:\r\n 0"), {400}),
    ("bare line feed", get(headers=b"X-Probe: 1\n"), {400}),
    ("bare line feed after a chunk size", chunked([], end=b"2\n[]\r\n0\r\n\r\n"), {400}),
    ("bare line feed after a chunk", chunked([], end=b"2\r\n[]\n0\r\n\r\n"), {400}),
    ("long chunk extension", chunked([], end=b"2;" + b"a" * 9_000 + b"\r\n[]\r\n0\r\n\r\n"), {400}),
    ("null in a chunk size", chunked([], end=b"2\0\r\n[]\r\n0\r\n\r\n"), {400}),
    ("line without colon", get(headers=b"Nonsense\r\n"), {400, CUT}),
    ("null in value", get(headers=b"X-Probe: a\0b\r\n"), {400}),
    ("null in name", get(headers=b"X-Pro\0be: a\r\n"), {400}),
    ("bell in value", get(headers=b"X-Probe: a\x07b\r\n"), {400}),
    ("two lengths", post(headers=b"Content-Length: 3\r\n"), {400}),
    ("two equal lengths", post(headers=b"Content-Length: %d\r\n" % len(BODY)), {400}),
    ("negative length", post(b"", b"", length=-1), {400, CUT}),
    ("length with plus", b"POST /steps HTTP/1.1\r\n" + HOST + b"Content-Length: +5\r\n\r\n12345", {400, CUT}),
    ("length in hex", b"POST /steps HTTP/1.1\r\n" + HOST + b"Content-Length: 0x5\r\n\r\n12345", {400, CUT}),
    ("length list", b"POST /steps HTTP/1.1\r\n" + HOST + b"Content-Length: 5, 5\r\n\r\n12345", {400, CUT}),
    ("length too large", post(b"", length=1 << 40), {413}),
    ("length beyond 64 bits", post(b"", length=1 << 70), {400, 413, CUT}),
    ("length and chunked", post(headers=b"Transfer-Encoding: chunked\r\n"), {400}),
    ("chunked twice", chunked([BODY], b"Transfer-Encoding: chunked\r\n"), {400}),
    ("transfer gzip", post(headers=b"Transfer-Encoding: gzip\r\n"), {400, CUT}),
    ("transfer xchunked", post(headers=b"Transfer-Encoding: xchunked\r\n"), {400, CUT}),
    ("transfer chunked, identity", post(headers=b"Transfer-Encoding: chunked, identity\r\n"), {400, CUT}),
    ("chunk size not hex", chunked([], end=b"zz\r\nabc\r\n0\r\n\r\n"), {400, 413, CUT}),
    ("chunk size negative", chunked([], end=b"-5\r\nabcde\r\n0\r\n\r\n"), {400, 413, CUT}),
    ("chunk size too large", chunked([], end=b"ffffffffffffffffff\r\n"), {400, 413, CUT}),
    ("chunk without end of line", chunked([], end=b"3\r\nabcdef\r\n0\r\n\r\n"), {400, CUT}),
    ("chunks over the limit", chunked([b" " * (1 << 20)] * 10), {413, CUT}),
    ("two authorizations", get(b"/steps", b"Authorization: Bearer a\r\nAuthorization: Bearer b\r\n"), {400}),
    ("two content types", post(headers=b"Content-Type: a/b\r\nContent-Type: c/d\r\n"), {400}),
    ("two content encodings", post(headers=GZIP + GZIP), {400}),
    ("unknown encoding", post(headers=b"Content-Encoding: br\r\n"), {415}),
    ("invalid gzip", post(headers=GZIP), {400}),
    ("truncated gzip", post(gzip.compress(BODY)[:-9], GZIP), {400}),
    ("gzip with trailing bytes", post(gzip.compress(BODY) + b"tail", GZIP), {400}),
    ("gzip with wrong checksum", post(gzip.compress(BODY)[:-8] + b"\0" * 8, GZIP), {400}),
    ("zlib instead of gzip", post(zlib.compress(BODY), GZIP), {400}),
    ("gzip bomb", post(BOMB, GZIP), {413}),
    ("gzip bomb in a bomb", post(gzip.compress(BOMB), GZIP), {400}),
    ("huge header", get(headers=b"X-Probe: " + b"a" * (1 << 20) + b"\r\n"), {400, 413, 414, 431, CUT}),
    ("many headers", get(headers=b"".join(b"X-%d: 1\r\n" % n for n in range(20_000))), {400, 413, 431, CUT}),
    ("huge target", get(b"/" + b"a" * (1 << 20)), {400, 413, 414, 431, CUT}),
    ("target with spaces", get(b"/a b"), {400, 404, 505, CUT}),
    ("target beyond ASCII", get(b"/\xff\xfe"), {400, CUT}),
    ("target without slash", get(b"health"), {400}),
    ("absolute target", get(b"http://localhost/health"), {200}),
    ("absolute target of another host", get(b"http://example.org/steps"), {403, 421}),
    ("absolute target with a user", get(b"http://localhost@example.org/health"), {400}),
    ("absolute target of another scheme", get(b"ftp://localhost/health"), {400}),
    ("broken percent", get(b"/%zz"), {400}),
    ("percent zero", get(b"/api/v1/sleep?from=%00"), {400}),
    ("not UTF-8", get(b"/%ff"), {400, 404}),
    ("dots", get(b"/../../etc/passwd"), {404}),
    ("encoded dots", get(b"/%2e%2e/%2e%2e/etc/passwd"), {404}),
    ("unknown method", get().replace(b"GET", b"BREW"), {405}),
    ("method not a token", get().replace(b"GET", b"G(T"), {400, 501, CUT}),
    ("trace", get().replace(b"GET", b"TRACE"), {405}),
    ("connect", b"CONNECT localhost:80 HTTP/1.1\r\n" + HOST + b"\r\n", {400, 404, 405, CUT}),
    ("upgrade", get(headers=b"Connection: Upgrade\r\nUpgrade: h2c\r\n"), {200}),
    ("deep JSON", post(b'{"samples":' + b"[" * 100_000 + b"]" * 100_000 + b"}"), {400}),
    ("not UTF-8 JSON", post(b'{"samples":["\xff"]}'), {400}),
    ("lone surrogate", post(b'{"samples":["\\ud800"]}'), {400}),
    ("huge number", post(BODY.replace(b'"count": 5', b'"count": 1e999')), {200, 400}),
    ("NaN", post(BODY.replace(b'"count": 5', b'"count": NaN')), {400}),
    ("two JSON texts", post(BODY + BODY), {400}),
    ("empty body", post(b""), {400}),
    ("no length", b"POST /steps HTTP/1.1\r\n" + HOST + b"\r\n", {400, 411}),
]


def response(port, data, patience, half_close=False):
    """Returns the statuses of the responses; [] if the connection was closed; None after a timeout."""
    with socket.create_connection(("127.0.0.1", port), timeout=patience) as connection:
        received = b""
        try:
            connection.sendall(data)
            if half_close:
                connection.shutdown(socket.SHUT_WR)
            while True:
                piece = connection.recv(1 << 16)
                if not piece:
                    break
                received += piece
                head, found, rest = received.partition(b"\r\n\r\n")
                if head.startswith(b"HTTP/1.1 100"):
                    head, found, rest = rest.partition(b"\r\n\r\n")
                if found and complete(head, rest):
                    break
        except (ConnectionError, BrokenPipeError):
            # A response that the server sent before closing may still be in the buffer.
            try:
                received += connection.recv(1 << 16)
            except OSError:
                pass
        except socket.timeout:
            return None
    return [int(line.split(b" ")[1]) for line in received.split(b"\r\n") if line.startswith(b"HTTP/1.")]


def complete(head, rest):
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            return len(rest) >= int(line.split(b":")[1])
    return rest.endswith(b"0\r\n\r\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--corpus")
    parser.add_argument("--patience", type=float, default=1200, help="time limit in seconds")
    options = parser.parse_args()
    failures = []

    def check(name, data, allowed, half_close=False):
        statuses = response(options.port, data, options.patience, half_close)
        if statuses is None:
            failures.append(f"{name}: no response, and the connection is still open")
        elif allowed is not None and not (set(statuses) or {CUT}) <= allowed:
            failures.append(f"{name}: responses {statuses}, allowed {sorted(allowed)}")
        elif any(500 <= status < 600 and status != 505 for status in statuses):
            failures.append(f"{name}: server error {statuses}")
        if response(options.port, get(headers=b"Connection: close\r\n"), options.patience) != [200]:
            failures.append(f"{name}: the server no longer responds")

    for name, data, allowed in PROBES:
        check(name, data, allowed)
    check("pipelined", get() * 3 + get(headers=b"Connection: close\r\n"), {200})
    check("half closed", get(headers=b"Connection: close\r\n"), {200, CUT}, half_close=True)
    check("half closed within the body", post()[:-5], {400, CUT}, half_close=True)
    check("smuggled", chunked([BODY], end=b"0\r\n\r\nGET /admin HTTP/1.1\r\n" + HOST + b"\r\n"), {200, 404})
    files = sorted(glob.glob(os.path.join(options.corpus, "*.raw"))) if options.corpus else []
    for path in files:
        with open(path, "rb") as file:
            check(os.path.basename(path), file.read(), None, half_close=True)
    for failure in failures:
        print(failure)
    print(f"{len(PROBES) + 4 + len(files)} probes, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
