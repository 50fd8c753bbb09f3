"""Every member of every JSON document of the program is in the table of docs/json.md, with its type: a name has one meaning in all
commands, unless the table states another one for the object that contains it."""

import json
import re
import unittest

from support.harness import ROOT, Peer, ProgramTest, Server

DAY = re.compile(r"\d{4}-\d\d-\d\d")
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")
TYPES = {
    "text": lambda value: isinstance(value, str),
    "day": lambda value: isinstance(value, str) and DAY.fullmatch(value),
    "time": lambda value: isinstance(value, str) and TIME.fullmatch(value),
    "Boolean": lambda value: isinstance(value, bool),
    "count": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
    "texts": lambda value: isinstance(value, list) and all(isinstance(one, str) for one in value),
    "list": lambda value: isinstance(value, list) and all(isinstance(one, dict) for one in value),
    "object": lambda value: isinstance(value, dict),
    "counts": lambda value: isinstance(value, dict) and all(type(one) is int for one in value.values()),
}
# Names by which counts are kept, not members.
BY_NAME = ("counts",)
UNITS = {"Minutes": "min", "Kilometres": "km", "Kilocalories": "kcal", "BeatsPerMinute": "/min", "Percentage": "%", "Seconds": "s"}


def documented():
    """Returns type and unit by member, which may be qualified by the member that contains it."""
    rows = {}
    for line in (ROOT / "docs/json.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) != 4 or not cells[0].startswith("`"):
            continue
        for name in re.findall(r"`([^`]+)`", cells[0]):
            assert name not in rows, f"{name} is documented twice"
            rows[name] = (cells[1], cells[2])
    return rows


class Members(ProgramTest):
    def setUp(self):
        super().setUp()
        self.table = documented()
        self.seen, self.wrong = set(), set()

    def check(self, words, document, within=None):
        # A member of the whole document is qualified by the command.
        within = within or words[0]
        for name, value in document.items():
            key = f"{within}.{name}" if f"{within}.{name}" in self.table else name
            self.seen.add(key)
            if key not in self.table:
                self.wrong.add(f"{within}.{name} of {words[0]} is not documented: {json.dumps(value)[:60]}")
                continue
            type = self.table[key][0]
            if value is not None and not any(TYPES[one](value) for one in type.split(" or ")):
                self.wrong.add(f"{within}.{name} of {words[0]} is no {type}: {json.dumps(value)[:60]}")
            if type in BY_NAME:
                continue
            for part in value if isinstance(value, list) else [value]:
                if isinstance(part, dict):
                    self.check(words, part, name)

    def run_json(self, *words):
        result = self.run_program(*words, "--json")
        documents = self.documents(result.stdout or result.stderr[result.stderr.index('{"error"'):])
        for document in documents:
            self.check(words, document)
        return documents[0]

    def documents(self, text):
        decoder, at, found = json.JSONDecoder(), 0, []
        while text[at:].strip():
            document, end = decoder.raw_decode(text[at:].lstrip())
            at += len(text[at:]) - len(text[at:].lstrip()) + end
            found.append(document)
        return found

    def test_every_member_is_documented_with_one_type(self):
        self.use()
        self.assertEqual(sorted(self.wrong), [])
        self.assertGreater(len(self.seen), 280)
        # The table contains no names that the program does not have.
        sources = "".join(path.read_text() for path in (ROOT / "Sources/App/Commands").rglob("*.swift"))
        invented = {name for name in self.table.keys() - self.seen if f'"{name.rpartition(".")[2]}"' not in sources}
        self.assertEqual(invented, set())

    def test_units_follow_from_names(self):
        for name, (type, unit) in self.table.items():
            for ending, expected in UNITS.items():
                if name.endswith(ending) and type == "number":
                    self.assertEqual(unit, expected, name)
        self.assertEqual({one for type, _ in self.table.values() for one in type.split(" or ")} - TYPES.keys(), set())

    def use(self):
        run, data = self.run_json, ("--data-dir", "data", "--zone", "Europe/Paris")
        run("generate", "--years", "1", "--seed", "7", "--density", "0.05", "--last-day", "2025-03-31", "--out", "export.zip",
            "--truth", "truth.json")
        run("inspect", "export.zip")
        run("status", *data)
        server, peer = Server(self), Peer(self)
        there = (*data, "--server", server.url)
        run("historical", "export.zip", *there, "--raw", "stepCount")
        run("daily", "export.zip", *there)
        for words in (("status",), ("doctor",), ("summary",), ("summary", "2025-03-30"), ("metrics",), ("intervals",), ("verify",),
                      ("outbox", "list", "--state", "delivered"), ("journal", "2025-03-30")):
            run(*words, *there)
        for by in ("hour", "month"):
            for words in (("steps", "--origins"), ("heart",), ("metric", "activeEnergy", "--origins"), ("metric", "oxygenSaturation")):
                run(*words, "--from", "2025-03-29" if by == "hour" else "2025-02-01", "--to", "2025-03-31", "--by", by, *data)
        for by in ("day", "month"):
            run("sleep", "--from", "2025-02-01", "--to", "2025-03-31", "--by", by, "--all", *data)
        run("pause", *data)
        self.rows(1)
        run("daily", "rows.jsonl", *there)
        run("status", *there)
        run("resume", *data)
        run("resume", *there)
        run("push", *there)
        run("verify", "--repair", *there)
        self.reject(run, data, peer)
        self.shoes(run, data)
        self.others(run, data, server)

    def rows(self, value):
        (self.folder / "rows.jsonl").write_text(json.dumps({
            "type": "HKQuantityTypeIdentifierStepCount", "unit": "count", "value": value, "sourceBundleId": "Phone",
            "startDate": f"2025-04-01T08:{value:02}:00Z", "endDate": f"2025-04-01T08:{value:02}:30Z"}) + "\n{}\n")

    def reject(self, run, data, peer):
        peer.script([{"match": "POST *", "do": "status", "status": 422, "times": None, "body": {"error": {"message": "no"}}}])
        there = (*data, "--server", peer.url)
        run("historical", *there, "--from", "2025-03-30")
        run("status", *there)
        run("intervals", *there)
        items = run("outbox", "list", *there)["items"]
        run("outbox", "show", items[0]["id"], *there)
        run("outbox", "retry", items[0]["id"], *there)
        run("outbox", "drop", "--all", *there)
        run("push", *data)

    def shoes(self, run, data):
        run("shoes", "add", "Salomon", "Speedcross", "--emoji", "👟", "--price", "139.95 EUR", "--purchased", "2024-01-02", "--default", *data)
        run("shoes", "edit", "speedcross", "--colour", "none", *data)
        run("shoes", "assign", "speedcross", "--day", "2025-03-30", "--hours", "8-11", *data)
        run("journal", "2025-03-30", *data)
        run("shoes", "unassign", "--day", "2025-03-30", "--hours", "9", *data)
        for words in (("list",), ("show", "speedcross"), ("start", "speedcross"), ("stop",), ("toggle",), ("check",),
                      ("default", "--none"), ("archive", "speedcross"), ("unarchive", "speedcross")):
            run("shoes", *words, *data)
        run("shoes", "delete", "speedcross", "--yes", *data)

    def others(self, run, data, server):
        run("pair", "phone", *data)
        run("device", "list", *data)
        run("device", "revoke", "phone", *data)
        run("inbox", "list", *data)
        run("import", "inbox", *data)
        token = run("token", "create", "--name", "laptop", *data)
        run("token", "list", *data)
        run("token", "revoke", "laptop", *data)
        run("backup", "b.tar", *data)
        run("restore", "b.tar", "--check", *data)
        run("restore", "b.tar", "--data-dir", "copy")
        run("reset-tracking", "--metric", "steps", *data)
        run("status", *data)
        run("clear", "--local", "--yes", *data)
        for words in (("version",), ("help",), ("help", "daily"), ("man",), ("completion", "bash")):
            run(*words)


if __name__ == "__main__":
    unittest.main()
