"""Handles HTTP requests: reads, applies the script, stores, logs and responds."""

import gzip
import hashlib
import http.server
import json
import re
import socket
import time
import urllib.parse
import zlib

from receiver import routes
from receiver.routes import problem

MAX_BODY = 8 << 20
TOMBSTONE = re.compile(r"/api/v1/(steps|sleep|progress|snapshots|samples(?:/[^/]+)?)/([^/]+)")
CONTROL = {"/state", "/script"}


class Handler(http.server.BaseHTTPRequestHandler):
    """`server` has the attributes store, script, plain, token and the event `stopping`."""

    protocol_version = "HTTP/1.1"
    server_version = "receiving-server"
    wbufsize = 1 << 16
    disable_nagle_algorithm = True
    timeout = 120

    def do_GET(self):
        self.body = self.wire = None
        parts = urllib.parse.urlsplit(self.path)
        self.route = parts.path
        self.query = urllib.parse.parse_qs(parts.query)
        if self.route in CONTROL:
            self.control()
            return
        self.number = self.server.store.next_request()
        self.key = self.headers.get("Idempotency-Key")
        self.rule = self.server.script.rule_for(self.command, self.route, self.member_ids)
        self.record_count = None
        kind = self.rule.kind if self.rule else None
        if kind == "close":
            self.cut()
            return
        if kind == "slow" and self.rule.get("when") == "before":
            self.delay()
        status, body, headers = self.outcome()
        if kind == "slow" and self.rule.get("when", "after") == "after":
            self.delay()
        if kind == "close_after_store":
            self.cut()
        else:
            self.log(status)
            self.write(status, body, headers, half=kind == "truncate")

    do_POST = do_PUT = do_DELETE = do_PATCH = do_GET

    def delay(self):
        """Waits as the rule says, until the script is replaced or the server stops."""
        end = time.monotonic() + self.rule.get("seconds", 5)
        while time.monotonic() < end and not self.rule.replaced.is_set():
            if self.server.stopping.wait(min(0.1, max(0, end - time.monotonic()))):
                return

    def outcome(self):
        """Returns status, body and headers of the response, after everything was stored."""
        try:
            data = self.read_body()
            key_is_valid = not self.key or self.server.store.check_key(
                self.key, f"{self.command} {self.path}", data, self.number)
            if not self.is_authorized():
                return 401, problem(401, "a token is required"), {"WWW-Authenticate": 'Bearer realm="healthsync"'}
            early = self.scripted() if self.rule else None
            if early and not self.rule.stores:
                return early
            if not key_is_valid and not self.server.plain:
                return early or (422, problem(422, "the Idempotency-Key was used with another body"), {})
            status, body = self.dispatch()
            return early or (status, body, {})
        except routes.RequestError as error:
            return error.status, error.body, {}

    def scripted(self):
        """Returns the response that the script substitutes, or None."""
        rule, kind = self.rule, self.rule.kind
        if kind == "status":
            status = rule.get("status", 503)
            return status, rule.get("body", problem(status, "by the script")), rule.get("headers", {})
        if kind == "unauthorized":
            return 401, problem(401, "by the script"), {"WWW-Authenticate": 'Basic realm="elsewhere"'}
        if kind == "redirect":
            return rule.get("status", 307), "", {"Location": rule.get("location", "/elsewhere")}
        if kind == "garbage":
            return 200, rule.get("body", "<html>\x00 not json {"), {}
        if kind == "huge_body":
            return 200, {"padding": "x" * rule.get("size", 10_000_000)}, {}
        if kind == "too_large":
            return 413, problem(413, f"at most {rule.get('limit', 0)} records"), {}
        if kind == "reject_all_422":
            status = rule.get("status", 422)
            return status, problem(status, "a record is not acceptable"), {}
        return None

    def dispatch(self):
        """Handles a request to the API; returns (status, body)."""
        store, plain = self.server.store, self.server.plain
        if self.command == "POST" and (kind := routes.kind_of(self.route, plain)):
            return self.store_members(kind, routes.members_of(kind, self.json(), plain))
        if self.command == "GET" and self.route == "/health":
            return 200, {"status": "ok"}
        if self.command == "GET" and self.route == "/api/v1/capabilities" and not plain:
            batch = {kind: routes.LIMITS[kind] for kind in ("steps", "sleep", "progress")}
            return 200, {"server": "healthsync", "version": "peer", "batch": batch, "max_body_bytes": MAX_BODY,
                         "gzip": True, "digest": False, "tombstones": True}
        if self.command == "GET" and self.route == "/steps":
            samples = store.alive("steps")
            return 200, {"samples": samples, "total": len(samples)}
        if self.command == "DELETE" and self.route == "/steps":
            found = store.clear("steps", self.key, self.number)
            return 200, {"message": "All steps deleted successfully" if found else "No steps file to delete"}
        if self.command == "DELETE" and not plain and (match := TOMBSTONE.fullmatch(self.route)):
            return self.store_tombstone(*(urllib.parse.unquote(part) for part in match.groups()))
        return 404, problem(404, "no such endpoint")

    def store_members(self, kind, members):
        self.record_count = len(members)
        rule = self.rule
        if rule and rule.kind in ("reject_ids", "retry_items", "forget"):
            chosen = rule.chosen([identity for identity, *_ in members])
            verdict = {"reject_ids": "rejected", "retry_items": "retry"}.get(rule.kind)
            reason = rule.get("reason", "by the script")
            if verdict:
                members = [(*member[:3], verdict, reason) if index in chosen else member
                           for index, member in enumerate(members)]
            else:
                members = [member for index, member in enumerate(members) if index not in chosen]
        results = self.server.store.upsert(kind, members, self.key, self.number)
        sparse = bool(rule and rule.kind == "sparse")
        return routes.answer(kind, self.json(), results, self.server.plain, sparse)

    def store_tombstone(self, kind, identity):
        identity = identity.lower()
        revision = self.query.get("revision", [None])[0]
        if revision is None and self.body:
            body = self.json()
            revision = body.get("revision") if isinstance(body, dict) else None
        if revision is not None:
            if not re.fullmatch(r"\d{1,18}", str(revision), re.ASCII):
                raise routes.RequestError(400, {"error": "revision is not an integer"})
            revision = int(revision)
        if kind == "samples":
            kinds = [known for known in self.server.store.kinds_with(identity) if known.startswith("samples")]
            kind = kinds[0] if kinds else kind
        self.record_count = 1
        results = [self.server.store.delete(kind, identity, revision, self.key, self.number)]
        return 200, {"success": True, **routes.counts_of(results), "results": results}

    def read_body(self):
        """Returns the decoded body, which is read once."""
        if self.body is not None:
            return self.body
        if self.wire is None:
            self.wire = self.read_wire()
        encoding = (self.headers.get("Content-Encoding") or "identity").lower()
        if len(self.wire) > MAX_BODY:
            raise routes.RequestError(413, problem(413, f"more than {MAX_BODY} bytes"))
        if encoding == "identity":
            self.body = self.wire
        elif encoding == "gzip" and not self.server.plain:
            try:
                self.body = gzip.decompress(self.wire)
            except (OSError, EOFError, zlib.error):
                raise routes.RequestError(400, {"error": "Invalid gzip"}) from None
        else:
            raise routes.RequestError(400, {"error": "Invalid JSON"})
        return self.body

    def read_wire(self):
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        pieces = []
        while size := int(self.rfile.readline().split(b";")[0] or b"0", 16):
            pieces.append(self.rfile.read(size))
            self.rfile.readline()
        while self.rfile.readline().strip():
            pass
        return b"".join(pieces)

    def json(self):
        try:
            return json.loads(self.read_body())
        except (ValueError, RecursionError):
            raise routes.RequestError(400, {"error": "Invalid JSON"}) from None

    def member_ids(self):
        """Returns the lower-case ids of the body's members for the script; [] if none exist."""
        kind = routes.kind_of(self.route, self.server.plain) if self.command == "POST" else None
        if kind is None:
            return []
        try:
            return [identity for identity, *_ in routes.members_of(kind, self.json(), self.server.plain)]
        except routes.RequestError:
            return []

    def is_authorized(self):
        token = self.server.token
        return not token or self.route == "/health" or self.headers.get("Authorization") == f"Bearer {token}"

    def control(self):
        """Handles GET /state and PUT /script for tests, without log and script."""
        try:
            if self.route == "/state":
                self.write(200, self.server.store.state(), {}, False)
            else:
                self.server.script.replace(json.loads(self.read_wire()))
                self.write(200, {"ok": True}, {}, False)
        except (ValueError, TypeError) as error:
            self.write(400, {"error": str(error)}, {}, False)

    def log(self, status):
        wire, body = self.wire, self.body
        self.server.store.log_request({
            "n": self.number, "method": self.command, "path": self.path, "status": status, "key": self.key,
            "bytes": None if body is None else len(body), "wire_bytes": None if wire is None else len(wire),
            "encoding": self.headers.get("Content-Encoding"), "records": self.record_count,
            "sha256": None if body is None else hashlib.sha256(body).hexdigest(),
            "rule": self.rule.kind if self.rule else None})

    def cut(self):
        """Closes the connection without a response."""
        self.log(None)
        self.close_connection = True

    def write(self, status, body, headers, half):
        is_json = isinstance(body, (dict, list))
        data = json.dumps(body, ensure_ascii=False).encode() if is_json else str(body).encode()
        kind = "application/problem+json" if is_json and "title" in body else "application/json"
        self.send_response(status)
        for name, value in {"Content-Type": kind, **headers, "Content-Length": str(len(data))}.items():
            self.send_header(name, str(value))
        self.end_headers()
        self.wfile.write(data[:len(data) // 2] if half else data)
        self.wfile.flush()
        if half:
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_WR)

    def handle_expect_100(self):
        proceeds = super().handle_expect_100()
        self.wfile.flush()
        return proceeds

    def log_message(self, *_arguments):
        """Does nothing, because requests.jsonl is the log."""
