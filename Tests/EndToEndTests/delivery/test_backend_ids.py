"""The local store keeps the id that a server gives to a sleep session."""

import json
import sqlite3
import unittest
import uuid
from contextlib import closing

from support.harness import Peer, ProgramTest, Server
from support.records import ordinary_days, write


class BackendIDs(ProgramTest):
    def setUp(self):
        super().setUp()
        write(self.folder / "a.xml", ordinary_days(5))

    def deliver(self, url, status=0):
        result = self.run_program("historical", "--zone", "UTC", "--data-dir", "data", "--server", url, "--source", "a.xml")
        self.assertEqual(result.returncode, status, result.stderr)

    def kept(self):
        """Returns the server's ids of delivered records, by the id of the session; None for other records."""
        items = self.json_of("outbox", "list", "--state", "delivered", "--data-dir", "data")["items"]
        self.assertEqual({item["state"] for item in items}, {"delivered"})
        for item in items:
            if item["kind"] != "sleep":
                self.assertIsNone(item["backendID"], item["kind"])
        return {item["record"].rsplit("@", 1)[0]: item["backendID"] for item in items if item["kind"] == "sleep"}

    def test_ids_of_the_receiving_server_are_kept(self):
        server = Server(self)
        self.deliver(server.url)
        sessions = json.loads(server.request("GET", "/api/v1/sleep?limit=1000")[2])["data"]["sessions"]
        expected = {session["source_id"]: session["id"] for session in sessions}
        self.assertEqual(len(expected), 5)
        self.assertEqual(self.kept(), expected)
        with closing(sqlite3.connect(f"file:{self.folder}/data/healthsync.sqlite?mode=ro", uri=True)) as connection:
            rows = connection.execute("SELECT ordering_key, backend_id FROM delivered WHERE kind = 'sleep'").fetchall()
        self.assertEqual(dict(rows), expected)
        listed = self.json_of("outbox", "list", "--state", "delivered", "--data-dir", "data")["items"]
        item = next(item for item in listed if item["kind"] == "sleep")
        self.assertEqual(self.json_of("outbox", "show", item["id"], "--data-dir", "data")["backendID"], item["backendID"])

    def test_ids_of_a_plain_server_are_kept(self):
        peer = Peer(self, "--plain")
        # Everything but sleep and raw steps waits for a server that accepts it.
        self.deliver(peer.url, status=3)
        kept = self.kept()
        self.assertEqual(len(kept), 5)
        self.assertEqual(kept, {source: str(uuid.uuid5(uuid.NAMESPACE_URL, f"sleep:{source}")) for source in kept})


if __name__ == "__main__":
    unittest.main()
