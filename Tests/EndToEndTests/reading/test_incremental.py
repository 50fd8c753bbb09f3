"""Of a later export of the same phone, only the samples that it adds, changes or lacks are stored and sent."""

import datetime
import json
import shutil
import sqlite3
import unittest
from contextlib import closing

from support.harness import Peer, ProgramTest, without_revisions
from support.records import COUNT, DAY_ONE, RATE, SLEEP, ordinary_days, record, write


class Incremental(ProgramTest):
    def sync(self, source, peer=None, *words, status=0):
        result = self.run_program(
            "historical", "--source", source, "--zone", "UTC", "--data-dir", "data", "--json",
            *(("--server", peer.url) if peer else ()), *words,
        )
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        return json.loads(result.stdout) if result.stdout else None

    def rows(self):
        """Returns each record of the database with its revision."""
        with closing(sqlite3.connect(self.folder / "data/healthsync.sqlite")) as connection:
            found = {}
            for table, name in (("daily_progress", "day"), ("activity_snapshot", "day"), ("sleep_session", "day")):
                query = f"SELECT source_id, {name}, revision FROM {table}"
                found |= {row[0]: (table, *row[1:]) for row in connection.execute(query)}
            return found

    def peer_lines(self, peer, since=0):
        path = peer.folder / "received.jsonl"
        return [json.loads(line) for line in path.read_text().splitlines()[since:]] if path.exists() else []

    def test_only_what_changed(self):
        peer = Peer(self)
        records = ordinary_days(20)
        self.sync(write(self.folder / "a.xml", records), peer)
        before, sent = self.rows(), len(self.peer_lines(peer))
        self.assertGreater(sent, 60)

        changed = [item for item in records if item != record(COUNT, 5, 8, 10, 513, "count")]
        changed = [item for item in changed if item[0] != SLEEP or item[1].date() not in (
            datetime.date(2024, 3, 11), datetime.date(2024, 3, 12)) or item[1] < DAY_ONE + datetime.timedelta(days=10, hours=12)
            or item[1] > DAY_ONE + datetime.timedelta(days=11, hours=12)]
        self.assertEqual(len(records) - len(changed), 3)
        changed = [record(RATE, 8, 9, 0, 99, "count/min") if item == record(RATE, 8, 9, 0, 64, "count/min") else item
                   for item in changed]
        changed.append(record(COUNT, 15, 20, 10, 1000, "count"))
        report = self.sync(write(self.folder / "b.xml", changed, "2024-04-02"), peer)
        after = self.rows()
        touched = {key for key in before.keys() | after.keys() if before.get(key) != after.get(key)}
        days = {(before.get(key) or after.get(key))[:2] for key in touched}
        self.assertEqual(days, {
            ("daily_progress", "2024-03-06"), ("daily_progress", "2024-03-09"), ("daily_progress", "2024-03-16"),
            ("activity_snapshot", "2024-03-06"), ("activity_snapshot", "2024-03-16"),
            ("activity_snapshot", "2024-03-12"), ("sleep_session", "2024-03-12"),
        })
        self.assertEqual(report["sources"][0]["deleted"], 4)
        state = peer.state()
        self.assertEqual(state.get("violations", []), [])
        new = self.peer_lines(peer, sent)
        sent_days = {line["id"].rsplit("/", 1)[-1][:10] for line in new if line["kind"] not in ("sleep", "steps")}
        self.assertEqual(sent_days, {"2024-03-06", "2024-03-09", "2024-03-12", "2024-03-16"})
        removed = [(line["kind"], line["id"]) for line in new if line["op"] != "upsert"]
        self.assertIn(("progress", "steps/hour/2024-03-06/2024-03-06t08:00:00z"), removed)
        self.assertEqual(sorted(line["op"] == "upsert" for line in new if line["kind"] == "steps"), [False, True])
        self.assertEqual(len([line for line in new if line["kind"] == "sleep"]), 1)
        self.assertEqual(len([kind for kind, _ in removed if kind == "sleep"]), 1)
        lines = len(self.peer_lines(peer))
        self.sync(self.folder / "b.xml", peer)
        self.sync(write(self.folder / "c.xml", changed, "2024-04-03"), peer)
        self.assertEqual(len(self.peer_lines(peer)), lines)
        self.assertEqual(self.rows(), after)

    def test_an_older_export_does_not_restore_deleted_samples(self):
        records = ordinary_days(20)
        old = write(self.folder / "old.xml", records, "2024-04-01")
        self.sync(old)
        self.sync(write(self.folder / "new.xml", records[:-1], "2024-04-02"))
        before = self.rows()
        self.sync(old, None, "--force")
        shutil.copy(old, self.folder / "copy.xml")
        self.sync(self.folder / "copy.xml")
        self.assertEqual({key: row[:2] for key, row in self.rows().items()}, {key: row[:2] for key, row in before.items()})

    def test_days_come_back_with_their_records(self):
        peer = Peer(self)
        records = ordinary_days(20)
        self.sync(write(self.folder / "a.xml", records), peer)
        before, stored = self.rows(), peer.state()
        self.sync(write(self.folder / "b.xml", ordinary_days(3), "2024-04-02"), peer, "--allow-deletions")
        report = self.sync(self.folder / "b.xml", peer)
        self.assertEqual({metric["outcome"] for metric in report["metrics"]}, {"nothingNew"})
        self.sync(write(self.folder / "c.xml", records, "2024-04-03"), peer)
        self.assertEqual({key: row[:2] for key, row in self.rows().items()}, {key: row[:2] for key, row in before.items()})
        self.assertEqual(len(peer.state()["records"]), len(stored["records"]))

    def test_an_export_of_another_user_is_rejected(self):
        self.sync(write(self.folder / "a.xml", ordinary_days(20)))
        before = self.rows()
        self.sync(write(self.folder / "b.xml", ordinary_days(3), "2024-04-02"), status=65)
        self.assertEqual(self.rows(), before)
        self.sync(self.folder / "b.xml", None, "--allow-deletions")
        self.assertEqual(len(self.rows()), 3 * 2 + 3 + 3 + 1)

    def test_a_second_server_gets_everything(self):
        source = write(self.folder / "a.xml", ordinary_days(20))
        first = Peer(self)
        self.sync(source, first)
        stored = first.state()
        first.stop()
        shutil.rmtree(first.folder)
        second = Peer(self)
        self.sync(source, second)
        self.assertEqual(second.state(), stored)

    def test_force_fills_an_emptied_server(self):
        source = write(self.folder / "a.xml", ordinary_days(20))
        peer = Peer(self)
        self.sync(source, peer)
        stored = peer.state()
        port = peer.port
        peer.stop()
        shutil.rmtree(peer.folder)
        peer = Peer(self, "--port", str(port))
        self.sync(source, peer)
        self.assertNotEqual(peer.state(), stored)
        self.sync(source, peer, "--force")
        self.assertEqual(without_revisions(peer.state()), without_revisions(stored))


if __name__ == "__main__":
    unittest.main()
