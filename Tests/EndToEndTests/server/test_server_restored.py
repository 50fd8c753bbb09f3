"""A server restored from an older backup gets back what it lost when the client sends everything again."""

import json
import shutil
import unittest

from support.harness import ProgramTest, Server, received_records
from support.records import COUNT, SLEEP, ordinary_days, record, write


class RestoredServer(ProgramTest):
    def sync(self, source, server, *words):
        return self.succeed(
            "historical", "--data-dir", self.folder / "data", "--zone", "UTC", "--source", source,
            "--server", server.url, *words)

    def backed_up(self, source):
        """Sends `source` to a server and stops it; returns a copy of its database."""
        server = Server(self)
        self.sync(source, server)
        self.assertEqual(server.stop(), 0)
        backup = self.folder / "backup.db"
        shutil.copy(server.database, backup)
        return server, backup

    def after(self, source, server):
        """Starts the server again and sends `source`; returns the final records."""
        server = Server(self, port=server.port)
        self.sync(source, server)
        self.assertEqual(server.stop(), 0)
        return received_records(server.database)

    def set_back(self, server, backup):
        """Restores the database of the server from the backup."""
        # Only the database: tokens and waiting posts are files of their own.
        for suffix in ("", "-wal", "-shm"):
            server.database.with_name(server.database.name + suffix).unlink(missing_ok=True)
        shutil.copy(backup, server.database)
        return Server(self, port=server.port)

    def held_steps(self, server):
        _, _, body = server.request("GET", "/steps")
        samples = json.loads(body)["samples"]
        return {sample["uuid"]: sample for sample in samples}

    def test_force_restores_what_the_backup_lacks(self):
        early = write(self.folder / "early.xml", ordinary_days(20), "2024-03-21")
        # More days, and more samples on a day in the backup.
        more = [record(COUNT, 5, 20, 30, 4_000, "count")]
        late = write(self.folder / "late.xml", ordinary_days(60) + more, "2024-05-01")
        server, backup = self.backed_up(early)
        old, complete = received_records(backup), self.after(late, server)
        self.assertEqual({kind for kind, *_ in complete}, {"progress", "sleep", "snapshots"})
        self.assertGreater(len(complete), len(old))

        server = self.set_back(server, backup)
        self.sync(late, server)
        self.assertEqual(received_records(server.database), old, "nothing changed, so nothing is sent")
        self.sync(late, server, "--force")
        self.assertEqual(server.stop(), 0)
        self.assertEqual(received_records(server.database), complete)

    def test_a_derived_record_deleted_after_the_backup_is_deleted_again_by_force(self):
        records = ordinary_days(20)
        # Delete all steps of one day, one hour of another, and one night.
        gone = [item for item in records if item[0] == COUNT and item[1].day == 6]
        gone += [item for item in records if item[0] == COUNT and item[1].day == 9 and item[1].hour == 12]
        gone += [item for item in records if item[0] == SLEEP and item[1].day in (12, 13)][1:3]
        early = write(self.folder / "early.xml", records, "2024-04-01")
        late = write(self.folder / "late.xml", [item for item in records if item not in gone], "2024-04-02")
        server, backup = self.backed_up(early)
        old, complete = received_records(backup), self.after(late, server)
        lost = {(kind, identity) for kind, identity, *_ in old} - {(kind, identity) for kind, identity, *_ in complete}
        self.assertGreater(len(lost), 5)
        self.assertTrue({"progress", "sleep"} <= {kind for kind, _ in lost}, lost)

        server = self.set_back(server, backup)
        self.sync(late, server, "--force")
        self.assertEqual(server.stop(), 0)
        self.assertEqual(received_records(server.database), complete)

    def test_a_raw_sample_deleted_after_the_backup_is_deleted_again_by_repair(self):
        records = ordinary_days(20)
        gone, changed = record(COUNT, 5, 8, 10, 513, "count"), record(COUNT, 7, 8, 10, 515, "count")
        self.assertTrue({gone, changed} <= set(records))
        kept = [item for item in records if item not in (gone, changed)] + [record(COUNT, 7, 8, 10, 516, "count")]
        early = write(self.folder / "early.xml", records, "2024-04-01")
        late = write(self.folder / "late.xml", kept, "2024-04-02")
        server = Server(self)
        self.sync(early, server)
        before = self.held_steps(server)
        self.assertEqual(server.stop(), 0)
        backup = self.folder / "backup.db"
        shutil.copy(server.database, backup)
        server = Server(self, port=server.port)
        self.sync(late, server)
        complete = self.held_steps(server)
        self.assertEqual(len(before.keys() - complete.keys()), 2)
        self.assertEqual(len(complete.keys() - before.keys()), 1)
        self.assertEqual(server.stop(), 0)

        server = self.set_back(server, backup)
        self.assertEqual(self.held_steps(server), before)
        self.sync(late, server, "--force")
        # --force sends existing samples again; only a comparison finds the deletion.
        self.assertEqual(self.held_steps(server), before | complete)
        self.succeed(
            "verify", "--repair", "--data-dir", self.folder / "data", "--zone", "UTC", "--server", server.url)
        self.assertEqual(self.held_steps(server), complete)


if __name__ == "__main__":
    unittest.main()
