"""Rejected records are kept, shown, and sent again or dropped only on request. The oracle is the journal of the peer."""

import json
import sqlite3
import unittest
import urllib.request
from contextlib import closing

from support.harness import PATIENCE, Dashboard, Peer, ProgramTest
from support.records import COUNT, ordinary_days, record, write

REFUSED = "steps/hour/2024-03-02/2024-03-02T08:00:00Z"
DEAD = ["progress", "steps/2024-03-02"]


class DeadLetters(ProgramTest):
    def setUp(self):
        super().setUp()
        self.peer = Peer(self)
        self.reject(REFUSED)
        write(self.folder / "a.xml", ordinary_days(4))
        result = self.run_program(*self.words("historical"), "--source", "a.xml")
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertIn("the server rejected", result.stderr)

    def words(self, *command):
        return (*command, "--zone", "UTC", "--data-dir", "data", "--server", self.peer.url)

    def reject(self, *ids, times=None):
        self.peer.script([{"match": "POST *", "do": "reject_ids", "ids": list(ids), "reason": "no such hour", "times": times}]
                         if ids else [])

    def listed(self):
        return self.json_of("outbox", "list", "--data-dir", "data")["items"]

    def requests(self):
        path = self.peer.folder / "requests.jsonl"
        return [line for line in map(json.loads, path.read_text().splitlines()) if line["method"] != "GET"]

    def kept(self, kind, identity):
        return self.peer.state()["records"].get(kind, {}).get(identity.lower())

    def database(self, query):
        with closing(sqlite3.connect(f"file:{self.folder}/data/healthsync.sqlite?mode=ro", uri=True)) as connection:
            return connection.execute(query).fetchall()

    def test_dead_letters_are_listed_and_shown(self):
        items = self.listed()
        self.assertEqual(len(items), 1)
        item = items[0]
        self.assertEqual([item["kind"], item["record"]], [DEAD[0], f"{DEAD[1]}@{item['revision']}"])
        self.assertEqual((item["state"], item["lastStatus"]), ("dead", 200))
        self.assertIn("no such hour", item["lastReason"])
        payload = self.json_of("outbox", "show", item["id"], "--data-dir", "data")["payload"]
        entries = json.loads(f"[{payload}]")
        self.assertIn(REFUSED, [entry["source_id"] for entry in entries])
        self.assertEqual(sum(entry["quantity"] for entry in entries if entry["granularity"] == "hour"),
                         sum(501 + hour for hour in (8, 12, 18)))
        # One rejected record makes the item of its day a dead letter; the server stores the other records of the item.
        self.assertIsNone(self.kept("progress", REFUSED))
        self.assertIsNotNone(self.kept("progress", "steps/hour/2024-03-02/2024-03-02T12:00:00Z"))

    def test_nothing_sends_them_again_without_a_request(self):
        before = len(self.requests())
        self.succeed(*self.words("push"))
        self.succeed(*self.words("historical"), "--source", "a.xml")
        self.assertEqual(len(self.requests()), before)
        self.assertEqual(len(self.listed()), 1)
        status = self.json_of(*self.words("status"))["outbox"]
        self.assertEqual((status["dead"], status["pending"]), (1, 0))

    def test_a_retried_item_arrives_once_the_server_accepts_it(self):
        item = self.listed()[0]["id"]
        # The server still rejects it.
        self.assertEqual(self.json_of("outbox", "retry", item, "--data-dir", "data"), {"retried": 1})
        self.assertEqual(self.listed()[0]["state"], "pending")
        self.assertEqual(self.run_program(*self.words("push")).returncode, 3)
        self.assertEqual([entry["id"] for entry in self.listed()], [item])
        self.assertGreater(self.listed()[0]["attempts"], 1)
        self.reject()
        self.assertEqual(self.json_of("outbox", "retry", "--all", "--data-dir", "data"), {"retried": 1})
        self.succeed(*self.words("push"))
        self.assertEqual(self.listed(), [])
        self.assertEqual(self.kept("progress", REFUSED)["body"]["quantity"], 509)
        self.assertEqual(self.peer.state()["violations"], [])
        # A delivered item can be neither retried nor dropped.
        for verb in ("retry", "drop"):
            self.assertEqual(self.run_program("outbox", verb, item, "--data-dir", "data").returncode, 64)

    def test_a_dropped_item_is_not_sent_until_the_day_changes(self):
        item, revision = (self.listed()[0][name] for name in ("id", "revision"))
        self.assertEqual(self.json_of("outbox", "drop", item, "--data-dir", "data"), {"dropped": 1})
        self.assertEqual(self.listed(), [])
        self.reject()
        before = len(self.requests())
        self.succeed(*self.words("historical"), "--source", "a.xml")
        self.succeed(*self.words("push"))
        self.assertEqual(len(self.requests()), before)
        self.assertIsNone(self.kept("progress", REFUSED))
        later = ordinary_days(4) + [record(COUNT, 1, 20, 10, 100, "count")]
        self.succeed(*self.words("historical"), "--source", write(self.folder / "b.xml", later, "2024-04-02"))
        self.assertGreater(self.kept("progress", REFUSED)["revision"], revision)
        self.assertEqual(self.kept("progress", "steps/hour/2024-03-02/2024-03-02T20:00:00Z")["body"]["quantity"], 100)

    def test_retrying_an_old_revision_does_not_overwrite_a_newer_one(self):
        old = self.listed()[0]["id"]
        self.reject()
        later = [entry for entry in ordinary_days(4) if entry[1].day != 2 or entry[0] != COUNT]
        later += [record(COUNT, 1, 8, 10, 7, "count")]
        self.succeed(*self.words("historical", "--allow-deletions"), "--source",
                     write(self.folder / "b.xml", later, "2024-04-02"))
        self.assertEqual(self.kept("progress", REFUSED)["body"]["quantity"], 7)
        self.assertEqual(self.kept("progress", "steps/hour/2024-03-02/2024-03-02T12:00:00Z")["deleted"], True)
        self.assertEqual(self.json_of("outbox", "retry", old, "--data-dir", "data"), {"retried": 1})
        self.succeed(*self.words("push"))
        self.assertEqual(self.kept("progress", REFUSED)["body"]["quantity"], 7)
        self.assertEqual(self.kept("progress", "steps/hour/2024-03-02/2024-03-02T12:00:00Z")["deleted"], True)
        self.assertEqual((self.listed(), self.peer.state()["violations"]), ([], []))

    def test_invalid_arguments_change_nothing(self):
        item = self.listed()[0]["id"]
        before = self.database("SELECT * FROM outbox_item")
        for words in (["retry"], ["drop"], ["drop", item, "--all"], ["retry", "one"], ["drop", "-1"], ["show", 10**30]):
            result = self.run_program("outbox", *words, "--data-dir", "data")
            self.assertEqual(result.returncode, 64, (words, result.stdout, result.stderr))
            self.assertEqual(len(result.stderr.splitlines()), 1)
        result = self.run_program("outbox", "show", item + 1000, "--data-dir", "data")
        self.assertNotEqual(result.returncode, 0)
        for verb in ("retry", "drop", "show"):
            result = self.run_program("outbox", verb, item + 1000, "--data-dir", "data")
            self.assertEqual((result.returncode, result.stdout), (64, ""))
            self.assertIn(f"no item {item + 1000}", result.stderr)
        self.assertEqual(self.database("SELECT * FROM outbox_item"), before)

    def test_the_text_of_the_server_is_shown_but_not_logged(self):
        text = "quantity 509 <b>is</b>\u202e not plausible" + "!" * 999
        self.peer.script([{"match": "POST *", "do": "status", "status": 422, "times": None,
                           "body": {"error": {"code": 17, "message": text}}}])
        self.json_of("outbox", "retry", "--all", "--data-dir", "data")
        pushed = self.run_program(*self.words("push", "--log-level", "debug"))
        self.assertEqual(pushed.returncode, 3)
        self.assertNotIn("plausible", pushed.stderr)
        shown = "the server returned 422: quantity 509 <b>is</b>  not plausible!!"
        reason = self.listed()[0]["lastReason"]
        self.assertTrue(reason.startswith(shown), reason)
        self.assertLess(len(reason), 400)
        plain = lambda *words: " ".join(self.succeed(*words).stdout.split())
        self.assertIn("422: quantity 509 <b>is</b> not plausible", plain("outbox", "list", "--data-dir", "data"))
        self.assertIn("422: quantity 509 <b>is</b> not plausible", plain(*self.words("status")))
        address = Dashboard(self, "--data-dir", "data", "--zone", "UTC").url
        with urllib.request.urlopen(address + "/view/sync", timeout=PATIENCE) as answer:
            page = answer.read().decode()
        self.assertIn("422: quantity 509 &lt;b&gt;is&lt;/b&gt;  not plausible", page)
        self.assertNotIn("<b>is</b>", page)

    def test_dead_letters_belong_to_one_server(self):
        other = Peer(self, folder="other")
        self.succeed("historical", "--zone", "UTC", "--data-dir", "data", "--server", other.url)
        self.assertIsNotNone(other.state()["records"]["progress"].get(REFUSED.lower()))
        self.assertEqual([item["server"] for item in self.listed()], [self.peer.url])


if __name__ == "__main__":
    unittest.main()
