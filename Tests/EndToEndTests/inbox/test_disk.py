"""A full disk of the archive, of the database, or of both: posts are answered with 503 or 507 or wait in the archive, nothing
half written remains, nothing accepted is lost, and it continues by itself."""

import contextlib
import json
import os
import pathlib
import subprocess
import unittest

from senders import hozz, step_app
from senders.neutral import Person
from support.harness import integrity
from support.watch import InboxTest, authorize, eventually, send


@unittest.skipUnless(os.geteuid() == 0, "small file systems are mounted by root")
class FullDisk(InboxTest):
    def mount(self, name, megabytes):
        """Mounts a file system at a folder; returns the folder."""
        folder = self.folder / name
        folder.mkdir(parents=True)
        if subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", folder], capture_output=True).returncode:
            self.skipTest("tmpfs cannot be mounted here")
        self.addCleanup(subprocess.run, ["umount", "-l", str(folder)])
        return folder

    def fill(self, folder):
        """Extends a file until the disk of the folder is full; returns the file."""
        path = folder / "filler"
        with open(path, "ab", buffering=0) as file, contextlib.suppress(OSError):
            while True:
                file.write(b"x" * 4096)
        return path

    def begin(self, seed):
        person = Person(seed)
        token = self.pair()
        return person, self.watch(), [authorize(one, token, "raw") for one in hozz.requests(person.samples, size=10)]

    def finish(self, watch, person, requests, rejected):
        """Sends what was rejected again, without a restart, and checks that everything is complete."""
        for request in rejected:
            eventually(lambda: self.assertTrue(send(watch.url, request).accepted))
        self.assertEqual(self.count(), len(requests))
        self.await_figures(person.samples)
        left = [path.name for path in pathlib.Path(self.folder, "data").rglob("*")
                if path.is_file() and ("tmp" in path.name.lower() or path.parent.name == "incoming")]
        self.assertEqual(left, [])
        self.assertEqual(watch.terminate(), 0)
        self.assertEqual(integrity(self.folder / "data/healthsync.sqlite"), ["ok"])

    def send_all(self, watch, requests, full, after):
        """Sends requests. The disk of a folder is full after some of them, and is filled again before each: an import that
        ends or fails frees space. Returns the rejected ones, the statuses, and the filler."""
        rejected, statuses, filler = [], set(), None
        for number, request in enumerate(requests):
            if number >= after:
                filler = self.fill(full)
            answer = send(watch.url, request)
            statuses.add(answer.status)
            if not answer.accepted:
                rejected.append(request)
        self.assertIsNone(watch.process.poll())
        return rejected, statuses, filler

    def test_archive_and_database_are_full(self):
        full = self.mount("data", 4)
        person, watch, requests = self.begin(131)
        rejected, statuses, filler = self.send_all(watch, requests, full, after=len(requests) // 3)
        self.assertTrue(rejected)
        self.assertLessEqual({status for status in statuses if status >= 300}, {503, 507})
        filler.unlink()
        self.finish(watch, person, requests, rejected)

    def test_only_the_archive_is_full(self):
        full = self.mount("data/inbox", 1)
        person, watch, requests = self.begin(133)
        rejected, statuses, filler = self.send_all(watch, requests, full, after=len(requests) // 3)
        self.assertTrue(rejected)
        self.assertLessEqual({status for status in statuses if status >= 300}, {503, 507})
        filler.unlink()
        self.finish(watch, person, requests, rejected)

    def test_only_the_database_is_full(self):
        """Posts are accepted and wait. They are imported once there is space, although no further post arrives."""
        full = self.mount("data", 4)
        self.mount("data/inbox", 16)
        person, watch, requests = self.begin(134)
        rejected, statuses, filler = self.send_all(watch, requests, full, after=0)
        self.assertEqual((rejected, statuses), ([], {200}))
        watch.await_event("failed")
        self.assertEqual(len(os.listdir(self.folder / "data/inbox/waiting")), len(requests))
        filler.unlink()
        self.finish(watch, person, requests, [])


class ReadOnlyFolder(InboxTest):
    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_an_archive_that_cannot_be_written_is_not_acknowledged(self):
        token, watch = self.pair(), self.watch()
        for path in (self.folder / "data").rglob("*"):
            if path.is_dir():
                path.chmod(0o500)
                self.addCleanup(path.chmod, 0o700)
        request = authorize(step_app.requests(Person(132, days=1).samples)[0], token, "path")
        self.assertIn(send(watch.url, request).status, (503, 507))
        self.assertNotIn("received", json.dumps(watch.events))


if __name__ == "__main__":
    unittest.main()
