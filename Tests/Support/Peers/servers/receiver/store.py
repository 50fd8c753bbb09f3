"""The store of the receiving server: records by id and revision, and three journals.

DIR/received.jsonl    every record, one per line, on disk before the response
DIR/requests.jsonl    every request with its status (null: the connection was closed)
DIR/violations.jsonl  actions of a client that violate the protocol
A restarted server reads the first two and continues.
"""

import hashlib
import json
import os
import threading


class Journal:
    """An append-only file of JSON lines; an incomplete last line is removed on opening."""

    def __init__(self, path):
        self.path = path
        if os.path.exists(path):
            with open(path, "rb+") as file:
                file.truncate(file.read().rfind(b"\n") + 1)
        self._file = open(path, "ab")

    def lines(self):
        with open(self.path, "rb") as file:
            return [json.loads(line) for line in file]

    def append(self, entries, durable=False):
        self._file.write(b"".join(json.dumps(entry, ensure_ascii=False).encode() + b"\n" for entry in entries))
        self._file.flush()
        if durable:
            os.fsync(self._file.fileno())


class Store:
    """Upserts by (kind, id, revision). All methods may be called from any thread."""

    def __init__(self, folder, lenient_revisions=False):
        os.makedirs(folder, exist_ok=True)
        self._lock = threading.RLock()
        self._lenient = lenient_revisions
        self.records = {}
        self.keys = {}
        self.request_count = 0
        self._received = Journal(os.path.join(folder, "received.jsonl"))
        self._requests = Journal(os.path.join(folder, "requests.jsonl"))
        self._violations = Journal(os.path.join(folder, "violations.jsonl"))
        self.received_count = 0
        for line in self._received.lines():
            self.received_count += 1
            self._replay(line)
        for line in self._requests.lines():
            self.request_count = max(self.request_count, line["n"])
            if line["key"] and line["sha256"]:
                self.keys.setdefault(line["key"], (line["sha256"], f"{line['method']} {line['path']}"))

    def _replay(self, line):
        if line["op"] == "clear":
            self.records.pop(line["kind"], None)
        elif line["status"] in ("created", "updated"):
            self._put(line["kind"], line["id"], line["revision"], line["body"], line["op"] == "delete")

    def next_request(self):
        with self._lock:
            self.request_count += 1
            return self.request_count

    def log_request(self, entry):
        with self._lock:
            self._requests.append([entry])

    def violation(self, what, request, **details):
        with self._lock:
            self._violations.append([{"violation": what, "n": request, **details}], durable=True)

    def violations(self):
        return self._violations.lines()

    def check_key(self, key, target, data, request):
        """Stores the content of a key; returns False if the key was used with other content."""
        digest = hashlib.sha256(data).hexdigest()
        with self._lock:
            known = self.keys.setdefault(key, (digest, target))
        if known == (digest, target):
            return True
        what = "same_key_other_body" if known[0] != digest else "same_key_other_path"
        self.violation(what, request, key=key, first=list(known), now=[digest, target])
        return False

    def upsert(self, kind, members, key, request):
        """Stores (id, revision, body, verdict, reason) members; a member that already
        has a verdict (rejected, retry) is only recorded. Returns one result per member, in order."""
        results, lines = [], []
        with self._lock:
            for identity, revision, body, verdict, reason in members:
                status = verdict or self._upsert_one(kind, identity, revision, body, False, request)
                results.append({"id": identity, "status": status, **({"reason": reason} if reason else {})})
                lines.append(self._line("upsert", kind, identity, revision, body, status, key, request))
            self._commit(lines)
        return results

    def delete(self, kind, identity, revision, key, request):
        """Stores a tombstone, which hides the record and its older revisions."""
        with self._lock:
            status = self._upsert_one(kind, identity, revision, None, True, request)
            self._commit([self._line("delete", kind, identity, revision, None, status, key, request)])
        return {"id": identity, "status": status}

    def clear(self, kind, key, request):
        """Deletes all records of a kind; returns False if none existed."""
        with self._lock:
            found = bool(self.records.pop(kind, None))
            self._commit([self._line("clear", kind, None, None, None, "cleared", key, request)])
        return found

    def _commit(self, lines):
        self._received.append(lines, durable=True)
        self.received_count += len(lines)

    def _line(self, operation, kind, identity, revision, body, status, key, request):
        return {"op": operation, "kind": kind, "id": identity, "revision": revision, "status": status,
                "key": key, "request": request, "body": body}

    def _upsert_one(self, kind, identity, revision, body, deleted, request):
        known = self.records.get(kind, {}).get(identity)
        if known is None:
            self._put(kind, identity, revision, body, deleted)
            return "created"
        number, known_number = revision or 0, known["revision"] or 0
        same = known["body"] == body and known["deleted"] == deleted
        if number < known_number or (number == known_number and same):
            return "duplicate"
        if number == known_number and not deleted:
            unrevised = self._lenient and revision is None
            if not unrevised:
                what = "revived_without_revision" if known["deleted"] else "same_revision_other_body"
                self.violation(what, request, kind=kind, id=identity, revision=revision)
                return "duplicate"
        self._put(kind, identity, revision, body, deleted)
        return "updated"

    def _put(self, kind, identity, revision, body, deleted):
        known = self.records.setdefault(kind, {})
        known[identity] = {"revision": revision, "body": body, "deleted": deleted}

    def kinds_with(self, identity):
        with self._lock:
            return [kind for kind, records in self.records.items() if identity in records]

    def alive(self, kind):
        """Returns the bodies of a kind that are not deleted, in the order in which they were first stored."""
        with self._lock:
            return [record["body"] for record in self.records.get(kind, {}).values() if not record["deleted"]]

    def state(self):
        with self._lock:
            return {"records": self.records, "requests": self.request_count,
                    "received": self.received_count, "violations": self.violations()}
