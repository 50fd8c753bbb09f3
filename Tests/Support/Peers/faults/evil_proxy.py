"""A proxy before a receiving server that answers one request, or several from one on, as no good server does.

    with EvilProxy(server_port) as proxy:
        proxy.begin(answer, at=2, times=1)      # the third request since now, counted from 0
        ...                                     # send requests to http://127.0.0.1:{proxy.port}
    proxy.requests, proxy.answered

An answer of `ANSWERS` is a function of an `Exchange`, which has the whole request, can forward it, and can send any bytes.
An answer whose name begins with `stored:` forwards the request first, so that the server has its records. `thief` is a
server of another origin that counts what reaches it.
"""

import functools
import gzip
import http.client
import json
import re
import socket
import struct
import threading
import time

HTML = b"<!DOCTYPE html><html><head><title>Wi-Fi login</title></head><body><form action=/login></form></body></html>"
LONGEST_HEAD = 1 << 16


class Ended(Exception):
    """The connection is over."""


class Exchange:
    """A request of the client, and the connection to answer on."""

    def __init__(self, proxy, client, head, rest):
        self.proxy, self.client, self.head = proxy, client, head
        lines = head.decode("latin-1").split("\r\n")
        self.method, self.path, _ = lines[0].split(" ", 2)
        self.fields = [tuple(part.strip() for part in line.split(":", 1)) for line in lines[1:] if line]
        self.length = next((int(value) for name, value in self.fields if name.lower() == "content-length"), 0)
        self.rest, self.body = rest, None

    def read_body(self, count=None):
        """Reads the body, or its first `count` bytes."""
        count = self.length if count is None else min(count, self.length)
        while len(self.rest) < count:
            piece = self.client.recv(1 << 16)
            if not piece:
                raise Ended
            self.rest += piece
        self.body = self.rest[:count]
        return self.body

    def forward(self):
        """Sends the request to the server; returns status, fields and body of its response."""
        self.read_body()
        connection = http.client.HTTPConnection("127.0.0.1", self.proxy.target, timeout=1200)
        try:
            skipped = {"host", "connection", "content-length", "expect"}
            fields = {name: value for name, value in self.fields if name.lower() not in skipped}
            connection.request(self.method, self.path, self.body if self.length else None, fields)
            response = connection.getresponse()
            return response.status, response.getheaders(), response.read()
        finally:
            connection.close()

    def send(self, data):
        self.client.sendall(data)

    def respond(self, status, body=b"", fields=(), reason="Answer"):
        """Sends a response with the right length, and closes."""
        self.read_body()
        lines = [f"HTTP/1.1 {status} {reason}", f"Content-Length: {len(body)}", "Connection: close", *fields]
        self.send("\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body)

    def relay(self):
        """Sends the response of the server."""
        self.send(self.response())

    def response(self):
        """Forwards the request; returns the bytes of the server's response."""
        status, fields, body = self.forward()
        kind = next((value for name, value in fields if name.lower() == "content-type"), "application/json")
        lines = [f"HTTP/1.1 {status} Answer", f"Content-Type: {kind}", f"Content-Length: {len(body)}", "Connection: close"]
        self.proxy.keep(self, body)
        return "\r\n".join(lines).encode() + b"\r\n\r\n" + body

    def reset(self):
        """Ends the connection with a RST."""
        self.client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        raise Ended


class Listener:
    """Accepts connections, each with a thread, until it is closed."""

    def __init__(self):
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.lock = threading.Lock()
        threading.Thread(target=self.accept, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def accept(self):
        while True:
            try:
                client, _ = self.socket.accept()
            except OSError:
                return
            threading.Thread(target=self.serve_safely, args=(client,), daemon=True).start()

    def serve_safely(self, client):
        with client:
            try:
                client.settimeout(1200)
                self.serve(client)
            except (OSError, Ended, ValueError, http.client.HTTPException):
                pass


class Thief(Listener):
    """Keeps what it receives."""

    def __init__(self):
        self.received = b""
        super().__init__()

    def serve(self, client):
        with self.lock:
            self.received += b"connection "
        data = client.recv(1 << 16)
        with self.lock:
            self.received += data


class EvilProxy(Listener):
    def __init__(self, target):
        self.target, self.thief = target, Thief()
        self.begin(None)
        super().__init__()

    def __exit__(self, *_):
        super().__exit__()
        self.thief.__exit__()

    def begin(self, answer, at=0, times=1):
        """Counts requests from 0 again, and answers `times` of them with `answer` from number `at` on."""
        self.answer, self.at, self.times = answer, at, times
        self.requests = self.answered = 0
        self.paths, self.bodies = [], {}

    def keep(self, exchange, body):
        """Keeps the latest response to each path, for the answers that belong to another request."""
        self.bodies[exchange.path] = body

    def serve(self, client):
        data = b""
        while b"\r\n\r\n" not in data:
            piece = client.recv(1 << 16)
            if not piece or len(data) > LONGEST_HEAD:
                return
            data += piece
        head, rest = data.split(b"\r\n\r\n", 1)
        exchange = Exchange(self, client, head, rest)
        with self.lock:
            number = self.requests
            self.requests += 1
            self.paths.append(f"{exchange.method} {exchange.path}")
            is_evil = self.answer is not None and self.at <= number < self.at + self.times
            self.answered += is_evil
        if is_evil:
            self.answer(exchange)
        else:
            exchange.relay()


# The answers.

ANSWERS = {}


def add(name, answer, stored=True):
    """Adds the answer, without and with the request reaching the server before."""
    ANSWERS[name] = answer
    if stored:
        def after(exchange):
            exchange.forward()
            answer(exchange)
        ANSWERS["stored: " + name] = after


def add_bytes(name, data, stored=True):
    """Adds an answer of these bytes, after which the connection is closed."""
    def answer(exchange):
        exchange.read_body()
        exchange.send(data)
    add(name, answer, stored)


def add_response(name, status, body=b"", fields=(), stored=True):
    add(name, lambda exchange: exchange.respond(status, body, fields), stored)


def ended_request(where, is_reset):
    def answer(exchange):
        if where == "half":
            exchange.read_body(exchange.length // 2)
        elif where == "body":
            exchange.read_body()
        if is_reset:
            exchange.reset()
    return answer


def ended_response(share, extra, is_reset):
    """The server's response up to a share of its bytes, or up to `extra` bytes beside the end of its head."""
    def answer(exchange):
        data = exchange.response()
        end = int(len(data) * share) if extra is None else data.index(b"\r\n\r\n") + 4 + extra
        exchange.send(data[:end])
        if is_reset:
            exchange.reset()
    return answer


def changed_results(change):
    """The server's response with other members, as JSON; anything else that it sends for a response without results."""
    def answer(exchange):
        status, _, body = exchange.forward()
        try:
            document = json.loads(body)
        except ValueError:
            document = {}
        exchange.respond(status, json.dumps(change(document)).encode(), ["Content-Type: application/json"])
    return answer


def redirect(status, location):
    def answer(exchange):
        target = location.format(thief=exchange.proxy.thief.port, path=exchange.path)
        exchange.respond(status, HTML, [f"Location: {target}"])
    return answer


def foreign_results(exchange):
    """The latest response to another kind of request; results of records that nobody sent if no such response exists."""
    results = [{"id": f"other/{number}", "status": "created"} for number in range(3)]
    invented = json.dumps({"received": 3, "created": 3, "results": results}).encode()
    others = [body for path, body in exchange.proxy.bodies.items() if path != exchange.path and b"results" in body]
    exchange.respond(200, others[-1] if others else invented, ["Content-Type: application/json"])


def drip(exchange):
    data = exchange.response()
    for start in range(0, len(data), max(1, len(data) // 20)):
        exchange.send(data[start:start + max(1, len(data) // 20)])
        time.sleep(0.01)


def flood(exchange):
    """A body without an end; the client must close the connection."""
    exchange.read_body()
    exchange.send(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")
    for _ in range(4_096):
        exchange.send(b" " * (1 << 16))


def header_flood(exchange):
    exchange.read_body()
    exchange.send(b"HTTP/1.1 200 OK\r\n")
    for number in range(4_096):
        exchange.send(b"X-%d: %s\r\n" % (number, b"a" * 4_000))
    exchange.send(b"Content-Length: 0\r\n\r\n")


def interim_flood(exchange):
    exchange.read_body()
    for _ in range(20_000):
        exchange.send(b"HTTP/1.1 100 Continue\r\n\r\n")
    exchange.relay()


def silence(exchange):
    """Nothing until the client gives up."""
    exchange.read_body()
    while exchange.client.recv(1 << 16):
        pass


def double(exchange):
    """The request reaches the server twice."""
    exchange.forward()
    exchange.relay()


def without(*names):
    return lambda document: {name: value for name, value in document.items() if name not in names}


def with_counts(factor, offset):
    def change(document):
        counts = ("received", "created", "updated", "duplicate", "rejected", "retry", "saved")
        return {name: value * factor + offset if name in counts and isinstance(value, int) else value
                for name, value in document.items()}
    return change


def with_results(change):
    return lambda document: {**document, "results": change(document["results"])} if "results" in document else document


@functools.cache
def bomb():
    return gzip.compress(bytes(400 << 20), 1)


def define():
    for where in ("head", "half", "body"):
        add(f"close after the {where} of the request", ended_request(where, False), stored=False)
        add(f"reset after the {where} of the request", ended_request(where, True), stored=False)
    for is_reset in (False, True):
        verb = "reset" if is_reset else "close"
        for share in (0, 0.01, 0.1, 0.25, 0.5, 0.75, 0.9):
            add(f"{verb} after {share} of the response", ended_response(share, None, is_reset), stored=False)
        for extra in (-2, -1, 0, 1):
            add(f"{verb} {extra} bytes beside the end of the head", ended_response(0, extra, is_reset), stored=False)
    for status in (201, 202, 203, 204, 205, 206, 226, 299):
        add_response(f"{status} without a body", status)
    problem = b'{"type":"about:blank","title":"no","status":%d}'
    # 400, 413 and 422 are answers about the records; 410 ends a destination. They are in `FINAL`.
    for status in (300, 304, 305, 306, 401, 402, 403, 404, 405, 406, 407, 408, 409, 411, 412, 414, 415, 416, 417, 418, 421, 423,
                   424, 425, 426, 428, 429, 431, 451, 499, 500, 501, 502, 503, 504, 505, 506, 507, 508, 510, 511, 520, 521, 522,
                   523, 524, 599):
        add_response(f"{status} with a page", status, HTML, ["Content-Type: text/html"])
        add_response(f"{status} with a problem", status, problem % status, ["Content-Type: application/problem+json"], stored=False)
    for value in ("1", "0", "-5", "soon", "Thu, 01 Jan 1970 00:00:00 GMT", ""):
        add_response(f"503 with Retry-After {value!r}", 503, b"", [f"Retry-After: {value}"])
    define_bodies()
    define_results()
    define_framing()
    for status in (301, 302, 303, 307, 308):
        for location in ("http://127.0.0.1:{thief}{path}", "http://localhost:{thief}{path}", "//127.0.0.1:{thief}{path}",
                         "https://127.0.0.1:{thief}/", "file:///etc/passwd", "{path}", "/login", "", "http://a b/"):
            add(f"{status} to {location}", redirect(status, location), stored=False)
    add("flood", flood)
    add("flood of header fields", header_flood)
    add("flood of interim responses", interim_flood, stored=False)
    add("a response in twenty pieces", drip, stored=False)
    add("silence", silence)
    add("the request arrives twice", double, stored=False)


def define_bodies():
    bodies = {
        "empty": b"", "null": b"null", "a list": b"[]", "an object": b"{}", "a number": b"1", "a text": b'"stored"', "a page": HTML,
        "half an object": b'{"received": 3, "created"', "NUL bytes": bytes(100), "not UTF-8": b'{"received":"\xff\xfe"}',
        "deep lists": b"[" * 100_000, "deep objects": b'{"results":' * 20_000, "a huge number": b'{"received":1e400,"created":1e400}',
        "a long number": b'{"received":' + b"9" * 10_000 + b',"created":1}', "negative counts": b'{"received":-1,"created":-1}',
        "fractions": b'{"received":1.5,"created":1.5}', "texts as counts": b'{"received":"1","created":"1"}',
        "counts without a total": b'{"created":1}', "a total without counts": b'{"received":1}',
        "a byte order mark": b'\xef\xbb\xbf{"received":1}', "4 MiB of spaces": b" " * (4 << 20), "5 MiB of spaces": b" " * (5 << 20),
    }
    for name, body in bodies.items():
        add_response(f"200 with {name}", 200, body, ["Content-Type: application/json"])
    add("a gzip bomb", lambda exchange: exchange.respond(200, bomb(), ["Content-Type: application/json", "Content-Encoding: gzip"]))
    add("a gzip bomb in a gzip bomb",
        lambda exchange: exchange.respond(200, gzip.compress(bomb()), ["Content-Encoding: gzip, gzip"]))
    for coding in ("gzip", "br", "deflate", "zstd", "unknown"):
        add_response(f"a body that is not {coding}", 200, b"{}", [f"Content-Encoding: {coding}"])
    add_response("a page that is the login of a network", 200, HTML, ["Content-Type: text/html", "Refresh: 0;url=/login"])


def define_results():
    results = {
        "no results": without("results"), "no counts": without("received", "created", "updated", "duplicate", "rejected", "retry"),
        "only results": lambda document: {"results": document.get("results", [])},
        "an empty list of results": with_results(lambda list: []), "half of the results": with_results(lambda list: list[:len(list) // 2]),
        "each result twice": with_results(lambda list: list + list), "results in reverse": with_results(lambda list: list[::-1]),
        "results of other records": with_results(lambda list: [{**one, "id": "other"} for one in list]),
        "results without ids": with_results(lambda list: [{"status": one["status"]} for one in list]),
        "results of an unknown status": with_results(lambda list: [{**one, "status": "maybe"} for one in list]),
        "results that ask to retry": with_results(lambda list: [{**one, "status": "retry"} for one in list]),
        "results as an object": lambda document: {**document, "results": {}},
        "results as numbers": with_results(lambda list: [1 for _ in list]),
        "counts of one more": with_counts(1, 1), "counts of a hundred times": with_counts(100, 0), "negative counts of all": with_counts(-1, 0),
        "further members": lambda document: {**document, "error": "none", "next": {"a": [1]}},
    }
    for name, change in results.items():
        add(f"{name} in the response", changed_results(change), stored=False)
    add("results of another request", foreign_results, stored=False)


def define_framing():
    ok = b"HTTP/1.1 200 OK\r\n"
    raw = {
        "a longer length": ok + b"Content-Length: 100\r\n\r\n{}", "a shorter length": ok + b"Content-Length: 1\r\n\r\n{}",
        "two lengths": ok + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", "a negative length": ok + b"Content-Length: -1\r\n\r\n{}",
        "a length of text": ok + b"Content-Length: two\r\n\r\n{}", "a huge length": ok + b"Content-Length: 99999999999999999999\r\n\r\n{}",
        "length and chunks": ok + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
        "chunks without an end": ok + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n",
        "a chunk of text": ok + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
        "a huge chunk": ok + b"Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n{}\r\n0\r\n\r\n",
        "an unknown coding": ok + b"Transfer-Encoding: secret\r\n\r\n{}", "a head without an end": ok + b"Content-Length: 2\r\n",
        "a NUL in the head": b"HTTP/1.1 200 OK\r\nX: a\0b\r\nContent-Length: 2\r\n\r\n{}", "no status": b"HTTP/1.1\r\n\r\n",
        "status 0": b"HTTP/1.1 0 no\r\n\r\n", "status 99": b"HTTP/1.1 99 no\r\nContent-Length: 0\r\n\r\n",
        "status 600": b"HTTP/1.1 600 no\r\nContent-Length: 0\r\n\r\n", "status 999": b"HTTP/1.1 999 no\r\nContent-Length: 0\r\n\r\n",
        "status 2000": b"HTTP/1.1 2000 no\r\nContent-Length: 0\r\n\r\n", "HTTP/0.9": HTML, "HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "HTTP/3.1": b"HTTP/3.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", "another protocol": b"SSH-2.0-OpenSSH_9.2\r\n",
        "TLS": b"\x15\x03\x03\x00\x02\x02\x28", "two responses": (ok + b"Content-Length: 2\r\n\r\n{}") * 2,
        "another protocol after 101": b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
        "only an interim response": b"HTTP/1.1 102 Processing\r\n\r\n", "folded header fields": ok + b"X: a\r\n b\r\nContent-Length: 2\r\n\r\n{}",
        "cookies": ok + b"Set-Cookie: a=b; Path=/\r\nStrict-Transport-Security: max-age=9\r\nAlt-Svc: h2=\":1\"\r\nContent-Length: 2\r\n\r\n{}",
    }
    for name, data in raw.items():
        add_bytes(name, data)


# Answers about the records themselves: the server rejects them, so that they become dead letters, which `outbox retry` sends.
FINAL = {
    f"{status} with {name}": (lambda status, body: lambda exchange: exchange.respond(status, body))(status, body)
    for status in (400, 413, 422) for name, body in (("a page", HTML), ("nothing", b""), ("a problem", b'{"title":"no"}'))
}
FINAL["410 with a page"] = lambda exchange: exchange.respond(410, HTML)


# Answers that account for none of the records of a request, which did not reach the server: nothing is delivered by them.
NAMELESS = {}


def content_of(exchange):
    """Returns the body of a request, decompressed."""
    body = exchange.read_body()
    coding = next((value for name, value in exchange.fields if name.lower() == "content-encoding"), "")
    return gzip.decompress(body) if coding == "gzip" else body


def ids_of(exchange):
    """Returns the ids in the body of a request, or in its path."""
    ids = re.findall(rb'"(?:source_id|uuid|id)":"([^"]*)"', content_of(exchange))
    return sorted({one.decode() for one in ids})


def account(status, make):
    """Answers with the JSON that `make` returns for the ids of the records."""
    return lambda exchange: exchange.respond(status, json.dumps(make(ids_of(exchange))).encode(), ["Content-Type: application/json"])


def results_of(ids, *statuses):
    return [{"id": one, "status": status} for one in ids for status in statuses]


def define_nameless():
    others = results_of(["other", "steps/day/2020-01-01", "00000000-0000-4000-8000-000000000000", ""], "created")
    forms = {
        "an object": lambda ids: {}, "no results": lambda ids: {"results": []},
        "counts of nothing": lambda ids: {"received": 0, "created": 0, "results": []},
        "results of others": lambda ids: {"results": others},
        "results of others, and counts": lambda ids: {"received": len(ids), "created": len(ids), "results": others},
        "as many results of others": lambda ids: {"received": len(ids), "created": len(ids),
                                                  "results": results_of([one + "x" for one in ids], "created")},
        "more results than records": lambda ids: {"received": len(ids), "created": len(ids),
                                                  "results": results_of([f"x{number}" for number in range(5_000)], "created")},
        "one created too many": lambda ids: {"received": len(ids), "created": len(ids) + 1},
        "one created too few": lambda ids: {"received": len(ids), "created": len(ids) - 1},
        "created, and as many rejected": lambda ids: {"received": len(ids), "created": len(ids), "rejected": len(ids)},
        "one received too many": lambda ids: {"received": len(ids) + 1, "created": len(ids)},
        "10^9 created": lambda ids: {"received": 10 ** 9, "created": 10 ** 9}, "2^63 - 1 created": lambda ids: {"received": len(ids), "created": (1 << 63) - 1},
        "a sum that wraps": lambda ids: {"received": len(ids), "created": (1 << 63) - 1, "updated": (1 << 63) - 1, "duplicate": len(ids) + 2},
        "unknown statuses": lambda ids: {"results": results_of(ids, "accepted")},
        "no statuses": lambda ids: {"results": results_of(ids, None)},
        "created and retry": lambda ids: {"results": results_of(ids, "created", "retry")},
        "retry and created": lambda ids: {"results": results_of(ids, "retry", "created")},
        "created and unknown": lambda ids: {"results": results_of(ids, "created", "maybe")},
        "ids in other members": lambda ids: {"created": ids, "stored": ids}, "ids only": lambda ids: {"results": [{"id": one} for one in ids]},
        "already exists": lambda ids: {"error": "already exists"},
    }
    for status in (200, 201, 202, 203, 206, 207, 208, 226, 304, 400, 409, 422):
        for name, make in forms.items():
            NAMELESS[f"{status} with {name}"] = account(status, make)
    for text in ("sleep session already exists", "Record Already Exists", "exists", "this does not exist", "a record with this id exists"):
        for member in ("error", "title", "detail", "message"):
            NAMELESS[f"409 with {member} {text!r}"] = account(409, lambda ids, member=member, text=text: {member: text})
    NAMELESS["409 with nothing"] = lambda exchange: exchange.respond(409)


def lie(exchange):
    """Confirms each record without storing it: what no client can detect during the delivery."""
    if exchange.method == "GET":
        return exchange.relay()
    ids = ids_of(exchange)
    exchange.respond(200, json.dumps({"received": len(ids), "created": len(ids), "results": results_of(ids, "created")}).encode())


define()
define_nameless()
ANSWERS.update({name: answer for name, answer in NAMELESS.items() if name.startswith("200 ")})
FINAL.update({name: answer for name, answer in NAMELESS.items() if name.startswith("409 with error") or name == "409 with already exists"})
