"""Commands and servers are killed before, within and after every call that changes a file or sends; afterwards the same
commands give the same content as without a kill."""

import dataclasses
import json
import re
import shutil
import subprocess
import sys
import unittest

from support.harness import PEERS
from support.seeds import seeds
from torture import in_slice, report, sample
from torture.points import Points, actions
from torture.scenarios import CLIENT, OTHER
from torture.services import SERVER, WATCH
from torture.stores import BACKUP, PEER, PULL, RESTORE, STORES

# Of each scenario; with some seeds about 220 in all.
POINTS = seeds(2, 6, None)

KERNEL_CALLS = PEERS / "faults/kernel_calls.py"
ALIKE = {"unlinkat": "unlink", "renameat": "rename", "renameat2": "rename", "ftruncate": "ftruncate64", "linkat": "link",
         "mkdirat": "mkdir", "sendto": "send", "rmdir": "unlink"}
PROGRESS = " healthsync.progress.new"


class Kills(Points):
    def kill(self, title, scenarios):
        total = killed = incomplete = 0
        for scenario in in_slice(scenarios):
            with self.subTest(scenario.name):
                _, lines = self.borrowed(lambda world: self.prepare(scenario, world))
                every = list(actions(lines))
                points = sample(every, POINTS, scenario.points)
                found = self.each(
                    lambda world: self.prepare(scenario, world)[0],
                    lambda world, point, expected: self.interrupt(scenario, world, point, expected), points)
                kills, left = (sum(values) for values in zip(*found))
                total, killed, incomplete = total + len(points), killed + kills, incomplete + left
                report(f"{scenario.name}: {len(lines)} calls, {len(points)} of {len(every)} points, {kills} killed, "
                       f"{left} incomplete before the next run")
                # A run has a few calls more or fewer than the one that was counted, so that a late point may not be reached.
                self.assertGreaterEqual(2 * kills, len(points))
        report(f"{title}: {total} points, {killed} killed, 0 lost, 0 duplicated, 0 wrong")
        # The kills take effect: without the next run, the content would be another one.
        self.assertGreater(incomplete, total // 4)


class Commands(Kills):
    """Commands of a client."""

    def test_commands(self):
        self.kill("commands", CLIENT + STORES)

    def test_control_another_input_gives_other_content(self):
        """The comparison of test_commands fails if one sample is added."""
        def contents(world):
            found = []
            for scenario in (CLIENT[0], OTHER):
                world.empty()
                world.succeed(*scenario.command(world))
                found.append(world.local())
            return found
        first, other = self.borrowed(contents)
        self.assertNotEqual(first, other)
    def test_control_a_part_of_a_restore_is_found(self):
        def play(world):
            expected, _ = self.prepare(RESTORE, world)
            RESTORE.check(world, expected)
            (world.data / "healthsync.paused").unlink()
            with self.assertRaisesRegex(AssertionError, "a part was restored"):
                RESTORE.check(world, expected)
        self.borrowed(play)

    def test_control_a_record_that_is_sent_twice_is_found(self):
        def play(world):
            self.prepare(PEER, world)
            received = world.served / "received.jsonl"
            # The batches of a run arrive in any order.
            first = received.read_text().splitlines()[0]
            received.write_text(received.read_text() + first + "\n")
            with self.assertRaisesRegex(AssertionError, re.escape(json.loads(first)["id"])):
                PEER.content(world)
        self.borrowed(play)

    def test_control_a_post_that_is_archived_twice_is_found(self):
        def play(world):
            expected, _ = self.prepare(PULL, world)
            post = next(path for path in (world.data / "inbox/decoded").iterdir() if path.suffix != ".outcome")
            shutil.copy(post, post.with_name("20240101T000000000-0000-0000000000000000"))
            self.assertNotEqual(PULL.content(world), expected)
        self.borrowed(play)


class Counts(Points):
    """The library counts the same calls as the kernel."""

    def both(self, scenario, world):
        """Returns the calls that the library and the kernel count in a run each."""
        scenario.set_up(world)
        world.data.mkdir(exist_ok=True, mode=0o700)
        world.save("before")
        _, ours = self.counted(scenario, world)
        kernels = world.folder / "kernel"
        scenario.begin(world)
        world.under = (sys.executable, "-B", KERNEL_CALLS, "--folder", world.folder / scenario.counted, "--calls", kernels)
        try:
            run = scenario.run(world, ())
        finally:
            world.under = ()
        self.assertEqual((run.status, run.refusal), (0, None), run.errors)
        return [sorted(map(form, filter(changes, lines))) for lines in (ours, kernels.read_text().splitlines())]

    def test_every_call_that_the_kernel_sees_is_counted(self):
        probe = subprocess.run(
            [sys.executable, "-B", KERNEL_CALLS, "--folder", self.folder, "--calls", self.folder / "probe", "true"],
            capture_output=True, text=True)
        if probe.returncode:
            self.skipTest(f"the system does not permit tracing: {probe.stderr[-200:]}")
        # The progress is written once per interval, so a slower run has more of its writes, each with a rename.
        def without_progress(lines):
            progress = [line for line in lines if line.endswith(PROGRESS)]
            half = len(progress) // 2
            self.assertEqual(progress, ["rename" + PROGRESS] * half + ["write" + PROGRESS] * half)
            return [line for line in lines if line not in progress]
        ours, kernels = self.borrowed(lambda world: self.both(CLIENT[0], world))
        self.assertEqual(without_progress(ours), without_progress(kernels))
        # How often the others write depends on their pauses.
        for scenario in (WATCH, PULL, RESTORE, BACKUP, SERVER[1])[:seeds(1, 5, 5)]:
            with self.subTest(scenario.name):
                ours, kernels = self.borrowed(lambda world: self.both(scenario, world))
                self.assertEqual(*(sorted({line for line in lines if not line.endswith(PROGRESS)}) for lines in (ours, kernels)))


def changes(line):
    """Returns whether a call counts for both: the tracer does not count calls on the folder itself."""
    return not line.startswith(("open", "creat")) and not line.endswith(" .")


def form(line):
    """Returns a call without what differs between runs and libraries."""
    name, _, path = line.partition(" ")
    return f"{ALIKE.get(name, name)} {re.sub('[0-9a-f]*[0-9][0-9a-f]*', 'N', path)}"


class Servers(Kills):
    """Servers, while a client posts."""

    def test_servers(self):
        self.kill("servers", SERVER)

    def test_control_a_lost_request_is_found(self):
        """The comparison of test_servers fails if the last acknowledged request is missing."""
        for service in (SERVER[0], WATCH):
            expected, _ = self.borrowed(lambda world: self.prepare(service, world))
            shorter = dataclasses.replace(service, requests=service.requests[:-1])
            other, _ = self.borrowed(lambda world: self.prepare(shorter, world))
            self.assertNotEqual(other, expected, service.name)


if __name__ == "__main__":
    unittest.main()
