"""A server that was set back to an older backup: what it lost comes back when the client sends everything again."""

import shutil
import unittest

from harness import ProgramTest, Server, received_records
from test_incremental import COUNT, ordinary_days, record, write


class RestoredServer(ProgramTest):
    def sync(self, source, server, *words):
        return self.succeed(
            "historical", "--data-dir", self.folder / "data", "--zone", "UTC", "--source", source,
            "--server", server.url, *words)

    def test_force_brings_back_what_the_backup_lacked(self):
        early = write(self.folder / "early.xml", ordinary_days(20), "2024-03-21")
        # More days, and more of one that the backup has.
        more = [record(COUNT, 5, 20, 30, 4_000, "count")]
        late = write(self.folder / "late.xml", ordinary_days(60) + more, "2024-05-01")
        server = Server(self)
        self.sync(early, server)
        self.assertEqual(server.stop(), 0)
        backup = self.folder / "backup.db"
        shutil.copy(server.database, backup)
        old = received_records(backup)

        server = Server(self, port=server.port)
        self.sync(late, server)
        self.assertEqual(server.stop(), 0)
        complete = received_records(server.database)
        self.assertEqual({kind for kind, *_ in complete}, {"progress", "sleep", "snapshots"})
        self.assertGreater(len(complete), len(old))

        for path in server.database.parent.glob("received.db*"):
            if not path.name.endswith("-tokens"):
                path.unlink()
        shutil.copy(backup, server.database)
        server = Server(self, port=server.port)
        self.sync(late, server)
        self.assertEqual(received_records(server.database), old, "nothing changed since, so nothing is sent")
        self.sync(late, server, "--force")
        self.assertEqual(server.stop(), 0)
        self.assertEqual(received_records(server.database), complete)


if __name__ == "__main__":
    unittest.main()
