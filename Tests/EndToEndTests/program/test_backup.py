"""Backups: sqlite3, tarfile and hashlib read what the program wrote; restored stores are compared row by row."""

import json
import os
import pathlib
import shutil
import subprocess
import unittest

from support.backups import BackupTest, contents, verified
from support.harness import BINARY, PATIENCE
from senders import hozz
from senders.neutral import Person


class Local(BackupTest):
    def test_a_restored_store_equals_the_old_one(self):
        data = self.fill()
        before = contents(data)
        self.assertTrue({"healthsync.sqlite", "devices.sqlite", "user-profile-id", "healthsync.paused"} <= set(before))
        self.assertTrue(any(name.startswith("inbox/decoded/") for name in before))
        report = self.json_of("backup", "b.tar", "--data-dir", data)
        path = self.folder / "b.tar"
        self.assertEqual(path.stat().st_mode & 0o777, 0o600)
        files = verified(path.read_bytes())
        self.assertEqual(len(files) - 1, report["files"])
        self.assertEqual({name for name in files if name != "healthsync-backup.json"}, set(before))
        self.assertEqual(contents(data), before)
        self.assertEqual([name for name in os.listdir(data) if name.startswith(("backup", "restore"))], [])

        self.assertEqual(report.pop("deleted"), [])
        self.assertEqual(self.json_of("restore", "b.tar", "--data-dir", "copy"), report)
        self.assertEqual(contents(self.folder / "copy"), before)
        for path in (self.folder / "copy").rglob("*"):
            self.assertEqual(path.stat().st_mode & 0o077, 0, path)
        self.assertEqual(self.json_of("steps", "--data-dir", "copy"), self.json_of("steps", "--data-dir", data))

    def test_pipes(self):
        data = self.fill()
        made = subprocess.run([BINARY, "backup", "-", "--data-dir", data], env=self.environment, capture_output=True)
        self.assertEqual(made.returncode, 0, made.stderr)
        verified(made.stdout)
        restored = subprocess.run([BINARY, "restore", "-", "--data-dir", self.folder / "copy"], input=made.stdout,
                                  env=self.environment, capture_output=True)
        self.assertEqual(restored.returncode, 0, restored.stderr)
        self.assertEqual(contents(self.folder / "copy"), contents(data))
        closed = subprocess.Popen([BINARY, "backup", "-", "--data-dir", data], env=self.environment,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        closed.stdout.close()
        self.assertEqual((closed.wait(timeout=PATIENCE), closed.stderr.read().count(b"\n")), (74, 1))
        closed.stderr.close()

    def test_nothing_is_replaced_without_force(self):
        data = self.fill()
        self.succeed("backup", "b.tar", "--data-dir", data)
        before = (self.folder / "b.tar").read_bytes()
        self.assertEqual(self.run_program("backup", "b.tar", "--data-dir", data).returncode, 73)
        self.assertEqual((self.folder / "b.tar").read_bytes(), before)
        self.assertEqual(self.run_program("restore", "b.tar", "--data-dir", data).returncode, 73)
        # A mistyped name is reported as such, and proposes nothing that would replace data.
        missing = self.run_program("restore", "nosuch.tar", "--data-dir", data)
        self.assertEqual(missing.returncode, 66)
        self.assertIn("nosuch.tar: cannot be read: No such file", missing.stderr)
        self.assertNotIn("--force", missing.stderr)
        self.succeed("backup", "b.tar", "--data-dir", data, "--force")
        old = contents(data)
        self.succeed("shoes", "add", "Later", "Pair", "--data-dir", data)
        (data / "inbox/waiting").mkdir(exist_ok=True)
        (data / "inbox/waiting/00000000000000000000").write_bytes(b"accepted, not yet imported")
        self.succeed("restore", "b.tar", "--data-dir", data, "--force")
        new = contents(data)
        self.assertEqual(new.pop("inbox/waiting/00000000000000000000"), b"accepted, not yet imported")
        self.assertEqual(new, old)
        self.assertEqual(self.run_program("backup", "c.tar", "--data-dir", "none").returncode, 66)
        self.assertEqual(self.run_program("restore", "none.tar", "--data-dir", "other").returncode, 66)
        self.assertEqual(self.run_program("restore", "b.tar", "--store", "sqlite:other.db").returncode, 65)
        self.assertFalse((self.folder / "other.db").exists())

    def test_watch_continues_in_the_restored_store(self):
        token, watch = self.pair(), self.watch()
        person = Person(11, days=2)
        requests = list(hozz.requests(person.samples, size=200))
        self.assertGreater(len(requests), 1)
        watch.accept(requests[0], token, "raw")
        self.settle()
        self.succeed("backup", "b.tar", "--data-dir", "data")
        # The watch may still derive figures.
        self.config.write_text(json.dumps({"limits": {"lockWaitSeconds": PATIENCE}}))
        self.succeed("restore", "b.tar", "--data-dir", "data", "--force", "--config", self.config)
        for request in requests[1:]:
            watch.accept(request, token, "raw")
        self.await_figures(person.samples)
        self.assertEqual(watch.terminate(), 0)

    def test_retention(self):
        self.fill()
        folder = self.folder / "backups"
        folder.mkdir()
        old = [f"healthsync-202{year}-01-01T03-30-00Z.tar" for year in range(4)]
        others = ["healthsync-server-2020-01-01T03-30-00Z.tar", "healthsync-notes.tar", "healthsync-2020-01-01.tar", "x"]
        for name in old + others:
            (folder / name).write_bytes(b"")
        made = self.json_of("backup", "backups", "--keep", "2", "--data-dir", "data")
        verified(pathlib.Path(made["path"]).read_bytes())
        self.assertEqual(made["deleted"], [str(folder / name) for name in old[:3]])
        kept = {path.name for path in folder.iterdir()}
        self.assertEqual(kept, {old[3], os.path.basename(made["path"]), *others})
        # A backup that fails deletes none.
        self.assertEqual(self.run_program("backup", "backups", "--keep", "1", "--data-dir", "none").returncode, 66)
        self.assertEqual({path.name for path in folder.iterdir()}, kept)
        self.assertEqual(self.run_program("backup", "one.tar", "--keep", "1", "--data-dir", "data").returncode, 64)
        self.assertEqual(self.succeed("backup", "new/", "--quiet", "--data-dir", "data").stdout, "")
        self.assertEqual((self.folder / "new").stat().st_mode & 0o777, 0o700)


class OfAServer(BackupTest):
    def test_waiting_posts_and_tokens(self):
        server = self.serve()
        person, phone = Person(12, days=1), self.phone()["token"]
        for request in hozz.requests(person.samples, size=100):
            self.accept(request, phone, "raw")
        self.assertEqual(server.stop(), 0)
        before = contents(server.data / "server")
        self.assertTrue(any("/waiting/" in name for name in before))
        self.succeed("backup", "b.tar", "--store", f"sqlite:{server.database}")
        self.assertEqual(len(verified((self.folder / "b.tar").read_bytes())) - 1, len(before))
        shutil.rmtree(server.data)
        self.succeed("restore", "b.tar", "--store", f"sqlite:{server.database}")
        self.assertEqual(contents(server.data / "server"), before)
        self.serve()
        self.pull(self.inbox_token())
        self.assert_figures(person.samples)


if __name__ == "__main__":
    unittest.main()
