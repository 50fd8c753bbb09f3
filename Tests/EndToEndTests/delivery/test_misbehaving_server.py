"""A server closes connections and answers with errors and garbage; later runs deliver the rest, and it has each record once."""

import collections
import json
import sqlite3
import unittest
from contextlib import closing

from support.harness import PATIENCE, Peer, ProgramTest


class MisbehavingServer(ProgramTest):
    def test_each_record_arrives_once(self):
        export, _ = self.generate("export.zip", "--years", "1", "--seed", "11", "--last-day", "2025-06-30")
        peer = Peer(self)
        peer.script(
            [
                {"match": "POST /api/v1/progress", "times": 2, "do": "close_after_store"},
                {"match": "POST /api/v1/progress", "times": 1, "after": 3, "do": "status", "status": 503,
                 "headers": {"Retry-After": "1"}},
                {"match": "POST /api/v1/sleep", "times": 1, "do": "garbage"},
                {"match": "POST /api/v1/snapshots", "times": 1, "do": "close"},
                {"match": "POST /api/v1/sleep", "times": 1, "do": "truncate"},
            ]
        )
        delivery = ("--data-dir", "sender", "--server", peer.url, "--deadline", str(PATIENCE))
        self.run_program("historical", "--zone", "Europe/Paris", "--quiet", "--source", export, *delivery)
        for _ in range(5):
            if self.run_program("push", *delivery).returncode == 0:
                break
        self.assert_each_record_once(peer, self.folder / "sender/healthsync.sqlite")

    def assert_each_record_once(self, peer, database):
        state = peer.state()
        self.assertEqual(state["violations"], [])
        with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
            count = lambda query: connection.execute(query).fetchone()[0]
            expected = {
                "progress": count("SELECT count(*) FROM daily_progress") + count("SELECT count(*) FROM hour_progress"),
                "sleep": count("SELECT count(*) FROM sleep_session"),
                "snapshots": count("SELECT count(*) FROM activity_snapshot"),
            }
            waiting = count("SELECT count(*) FROM outbox_item")
        kept = {kind: len(state["records"].get(kind, {})) for kind in expected}
        self.assertEqual(kept, expected)
        self.assertEqual(waiting, 0)
        stored = collections.Counter()
        for line in (peer.folder / "received.jsonl").read_text().splitlines():
            record = json.loads(line)
            if record["status"] in ("created", "updated"):
                stored[record["kind"], record["id"], record["revision"]] += 1
        self.assertEqual([key for key, times in stored.items() if times > 1], [])


if __name__ == "__main__":
    unittest.main()
