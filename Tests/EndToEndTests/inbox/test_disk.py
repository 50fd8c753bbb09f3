"""A full disk: posts are answered with 503 or 507, nothing half written remains, and it continues by itself."""

import contextlib
import json
import os
import subprocess
import unittest

from senders import hozz, step_app
from senders.neutral import Person
from support.watch import InboxTest, authorize, eventually, send


@unittest.skipUnless(os.geteuid() == 0, "a small file system is mounted by root")
class FullDisk(InboxTest):
    def test_posts_are_rejected_until_there_is_space_and_nothing_accepted_is_lost(self):
        mount = self.folder / "small"
        mount.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", mount], capture_output=True).returncode:
            self.skipTest("tmpfs cannot be mounted here")
        self.addCleanup(subprocess.run, ["umount", "-l", str(mount)])
        data, person = "small/data", Person(131)
        token, watch = self.pair(data=data), self.watch(data=data)
        requests = [authorize(one, token, "raw") for one in hozz.requests(person.samples, size=10)]
        statuses, accepted, rejected = [], [], []
        filler = mount / "filler"
        for number, request in enumerate(requests):
            if number == len(requests) // 3:
                self.fill(filler)
            answer = send(watch.url, request)
            statuses.append(answer.status)
            (accepted if answer.accepted else rejected).append(request)
        self.assertTrue(rejected, statuses)
        self.assertLessEqual({status for status in statuses if status >= 300}, {503, 507})
        self.assertIsNone(watch.process.poll())
        filler.unlink()
        for request in rejected:
            self.assertTrue(eventually(lambda: self.taken(watch, request)))
        self.assertEqual(self.count(data), len(requests))
        self.await_figures(person.samples, data=data)
        left = [path.name for path in (mount / "data").rglob("*") if path.is_file() and "tmp" in path.name.lower()]
        self.assertEqual(left, [])
        self.assertEqual(watch.terminate(), 0)

    def fill(self, path):
        """Writes a file until the disk is full."""
        with open(path, "wb", buffering=0) as file, contextlib.suppress(OSError):
            while True:
                file.write(b"x" * 4096)

    def taken(self, watch, request):
        answer = send(watch.url, request)
        self.assertTrue(answer.accepted, answer.status)
        return answer


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
