"""`watch` is killed before every call that changes its data or answers a client: nothing that was answered with 2xx is lost,
and nothing counts twice.

A part of the points is tested: the first of each kind, and some of the others. With many seeds, all are.
"""

import collections
import concurrent.futures
import http.client
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import unittest

from senders import hozz
from senders.health_auto_export import HealthAutoExport
from senders.http_client import authorize, compressed, send, send_with_retries
from senders.neutral import APPLE, Person
from support.harness import PEERS, figures, integrity
from support.seeds import seeds
from support.watch import ZONE, InboxTest, Watch, eventually

EVERY = seeds(100, 25, 1)
KILLER = PEERS / "kills/kill_before_call.py"
WORKERS = os.cpu_count() or 1


@unittest.skipUnless(sys.platform == "linux" and platform.machine() in ("x86_64", "aarch64"), "the kernel stops the program")
class KillPoints(InboxTest):
    def setUp(self):
        super().setUp()
        probe = subprocess.run([sys.executable, "-B", KILLER, "--folder", self.folder, "true"], capture_output=True, text=True)
        if probe.returncode:
            self.skipTest(f"the system does not permit tracing: {probe.stderr[-200:]}")
        self.person = Person(211, days=2)
        gone = [one for one in self.person.samples if one.kind == "steps" and one.source == APPLE.watch][::4]
        self.kept = [one for one in self.person.samples if one not in gone]
        feed = HealthAutoExport(APPLE, ZONE)
        energy = [one for one in self.kept if one.kind == "energy"]
        self.requests = [
            *(("raw", one) for one in hozz.requests(self.person.samples, size=200)),
            # Without identifiers: a retry of it would count twice if its content did not identify it.
            ("bearer", feed.post({"metrics": feed.metrics(energy)})),
            ("raw", compressed(hozz.deletions(gone, 99))),
        ]
        token = self.pair("phone", data="template")
        self.requests = [authorize(request, token, place) for place, request in self.requests]
        self.watch(data="template").kill()

    def play(self, name, at=0):
        """Sends the requests to a process that is killed before its n-th call, and the rest to a second one. Returns the
        figures, the calls of the first process, and whether it was killed."""
        data = self.folder / name
        shutil.copytree(self.folder / "template", data)
        calls = self.folder / f"{name}.calls"
        under = (sys.executable, "-B", KILLER, "--folder", data, "--at", at, "--calls", calls)
        watch = Watch(self, "--config", self.config, data=name, under=under, wait=False)
        accepted = []
        try:
            watch.url = next((event["address"].rstrip("/") for event in self.until(watch, "listening")), None)
            for request in self.requests if watch.url else ():
                if not self.delivers(watch, request):
                    break
                accepted.append(request)
                self.until(watch, "imported", len(accepted))
        finally:
            was_killed = self.ends(watch)
        left = self.requests[len(accepted):]
        self.resume(name, left)
        self.check_archive(data, accepted, left)
        found = figures(data / "healthsync.sqlite")
        self.assertEqual(integrity(data / "healthsync.sqlite"), ["ok"], name)
        lines = calls.read_text().splitlines()
        shutil.rmtree(data)
        return found, lines, was_killed

    def until(self, watch, name, count=1):
        """Waits for that many events of the name, or for the end of the process; returns those there are."""
        with watch.changed:
            while True:
                found = [event for event in watch.events if event["event"] == name]
                if len(found) >= count or watch.events and watch.events[-1]["event"] == "end of output":
                    return found
                watch.changed.wait()

    def delivers(self, watch, request):
        """Returns whether the request was answered with 2xx before the process was killed."""
        try:
            answer = send(watch.url, request)
        except (OSError, http.client.HTTPException):
            return False
        self.assertTrue(answer.accepted, answer.status)
        return True

    def ends(self, watch):
        """Stops the process unless it was killed; returns whether it was."""
        with watch.changed:
            is_running = not watch.events or watch.events[-1]["event"] != "end of output"
        if is_running:
            watch.process.terminate()
        status = watch.ended()
        watch.kill()
        self.assertIn(status, (0, 137), "".join(watch.errors)[-3000:])
        return status == 137

    def resume(self, name, requests):
        """Starts a process that is not killed and sends the rest, as phones do; waits until no post waits."""
        watch = self.watch(data=name)
        try:
            for request in requests:
                self.assertTrue(send_with_retries(lambda: watch.url, request).accepted)
            waiting = self.folder / name / "inbox/waiting"
            eventually(lambda: self.assertEqual(os.listdir(waiting) if waiting.exists() else [], []))
            self.assertEqual(watch.terminate(), 0, "".join(watch.errors)[-3000:])
        finally:
            watch.kill()

    def check_archive(self, data, accepted, left):
        """Checks that every accepted post is in the archive whole, and that nothing else is."""
        found = collections.Counter()
        for path in pathlib.Path(data, "inbox").rglob("*"):
            if path.is_file() and not path.name.endswith(".outcome"):
                self.assertIn(path.parent.name, ("decoded",), path)
                found[path.read_bytes().split(b"\n", 1)[1]] += 1
        for request in (*accepted, *left):
            # A post that was archived but not answered is sent a second time.
            self.assertIn(found.pop(request.body, 0), (1, 2) if request in left[:1] else (1,))
        self.assertEqual(found, {}, "posts that were not sent")

    def test_a_kill_at_any_point_loses_nothing_and_counts_nothing_twice(self):
        shutil.copytree(self.folder / "template", self.folder / "data")
        self.resume("data", self.requests)
        self.assert_figures(self.kept)
        expected = figures(self.folder / "data/healthsync.sqlite")
        found, calls, was_killed = self.play("untouched")
        self.assertEqual((found, was_killed), (expected, False))
        first = {re.sub(r"\d", "", call): number for number, call in reversed(list(enumerate(calls, 1)))}
        points = sorted({*first.values(), *range(1, len(calls) + 1, EVERY)})
        if EVERY == 1:
            # The number of calls varies with the pauses between events. Further numbers are added until none kills.
            points += range(len(calls) + 1, len(calls) + 1 + max(20, len(calls) // 10))
        kills = self.play_all(points, expected)
        print(f"killed at {kills} of {len(points)} points, the last one {points[-1]}; {len(calls)} calls", file=sys.stderr)
        self.assertGreater(kills, len(points) * 3 // 4)

    def play_all(self, points, expected):
        """Plays every point; returns how many of them killed the process. The last one of all points must not."""
        with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
            running = {at: pool.submit(self.play, f"killed-{at}", at) for at in points}
            try:
                played = {at: future.result() for at, future in running.items()}
            finally:
                pool.shutdown(cancel_futures=True)
        for at, (found, calls, was_killed) in played.items():
            self.assertEqual(found, expected, f"killed before call {at}: {calls[-1] if was_killed else 'not at all'}")
        if EVERY == 1:
            self.assertFalse(played[points[-1]][2], "the last point still killed the process")
        return sum(was_killed for _, _, was_killed in played.values())


if __name__ == "__main__":
    unittest.main()
