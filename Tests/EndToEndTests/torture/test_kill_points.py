"""Commands and servers are killed before, within and after every call that changes a file or sends; afterwards the same
commands give the same content as without a kill."""

import concurrent.futures
import http.client
import json
import pathlib
import queue
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest
from contextlib import closing

import calls
from support.harness import BINARY, PEERS
from support.seeds import seeds
from torture import WORKERS, in_slice, report, sample
from torture.scenarios import CLIENT, OTHER, SERVER, write_other, write_sources
from torture.worlds import World

KILLED = -9
# Of each scenario; with some seeds about 200 in all.
POINTS = seeds(2, 8, None)


def actions(lines):
    """Returns every point as (n, action): before each call, and after each call whose effect a second thread or another
    process may have seen. After a write of its own thread the files are as before the next call, so it is cut in half
    instead; of the writes to a write-ahead log, which form one transaction, each fourth one."""
    for number, line in enumerate(lines, 1):
        yield number, "before"
        if not line.startswith(("write ", "pwrite64 ", "send ", "sendto ")):
            yield number, "after"
        elif not line.endswith("-wal") or number % 4 == 0:
            yield number, "half"
    yield len(lines), "after"


class Points(unittest.TestCase):
    maxDiff = 6000

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="healthsync-torture-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cls.worlds = queue.Queue()
        for number in range(WORKERS):
            world = World(cls.folder / f"world{number}", cls.addClassCleanup)
            write_sources(world)
            write_other(world)
            cls.worlds.put(world)

    def each(self, prepare, play, points):
        """Runs `play(world, point)` for all points, in several worlds; returns the results and the content of an unkilled run."""
        prepared = {}

        def one(point):
            world = self.worlds.get()
            try:
                if world not in prepared:
                    prepared[world] = prepare(world)
                return play(world, point, prepared[world])
            finally:
                world.stop_server()
                self.worlds.put(world)

        with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
            return list(pool.map(one, points))

    def borrowed(self, task):
        world = self.worlds.get()
        try:
            return task(world)
        finally:
            world.stop_server()
            self.worlds.put(world)


class Commands(Points):
    """Commands of a client."""

    def prepare(self, scenario, world):
        """Keeps the state before the command; returns the content after an unkilled run, and its counted calls."""
        world.empty()
        if scenario.has_server:
            world.serve()
        scenario.prepare(world)
        world.stop_server(kill=False)
        world.save("before")
        log = world.folder / "calls"
        log.unlink(missing_ok=True)
        self.begin(scenario, world)
        done = world.run(*scenario.command(world), environment=calls.environment(world.data, log=log))
        self.assertEqual(done.returncode, 0, f"{scenario.name}\n{done.stdout}{done.stderr}")
        return self.complete(scenario, world), log.read_text().splitlines()

    def begin(self, scenario, world):
        world.restore("before")
        if scenario.has_server:
            world.serve()

    def complete(self, scenario, world):
        for command in scenario.completing(world):
            world.succeed(*command, statuses=scenario.statuses)
        content = self.content(scenario, world)
        self.assertEqual(world.problems_of_files(), [], scenario.name)
        return content

    def content(self, scenario, world):
        return world.local(), world.remote() if scenario.has_server else None

    def play(self, scenario, world, point, expected):
        at, action = point
        self.begin(scenario, world)
        done = world.run(*scenario.command(world), environment=calls.environment(world.data, action=action, at=at))
        self.assertIn(done.returncode, (0, KILLED), f"{scenario.name} {point}\n{done.stderr}")
        try:
            differed = self.content(scenario, world) != expected
        except sqlite3.OperationalError:
            differed = True
        try:
            self.assertEqual(self.complete(scenario, world), expected)
        except AssertionError as error:
            raise AssertionError(f"{scenario.name}, killed {action} call {at}: {error}") from error
        return done.returncode == KILLED, differed

    def test_commands(self):
        total = killed = differed = 0
        for scenario in in_slice(CLIENT):
            with self.subTest(scenario.name):
                _, lines = self.borrowed(lambda world: self.prepare(scenario, world))
                every = list(actions(lines))
                points = sample(every, POINTS)
                found = self.each(
                    lambda world: self.prepare(scenario, world)[0],
                    lambda world, point, expected: self.play(scenario, world, point, expected), points)
                total, killed = total + len(points), killed + sum(one[0] for one in found)
                differed += sum(one[1] for one in found)
                report(f"{scenario.name}: {len(lines)} calls, {len(points)} of {len(every)} points, "
                       f"{sum(one[0] for one in found)} killed, {sum(one[1] for one in found)} incomplete before the next run")
                self.assertGreater(sum(one[0] for one in found), len(points) // 2)
        report(f"commands: {total} points, {killed} killed, 0 lost, 0 duplicated, 0 wrong")
        # The kills take effect: without the next run, the content would be another one.
        self.assertGreater(differed, total // 4)

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

    def test_every_call_that_the_kernel_sees_is_counted(self):
        def counted(world):
            world.empty()
            world.succeed(*CLIENT[0].command(world))
            world.empty()
            world.data.mkdir(mode=0o700)
            log, other = world.folder / "calls", world.folder / "kernel"
            log.unlink(missing_ok=True)
            world.run(*CLIENT[0].command(world), environment=calls.environment(world.data, log=log))
            world.empty()
            world.data.mkdir(mode=0o700)
            probe = subprocess.run(
                [sys.executable, "-B", PEERS / "kills/kill_before_call.py", "--folder", world.data, "--calls", other, BINARY,
                 *CLIENT[0].command(world)], cwd=world.folder, env=world.environment, capture_output=True, text=True)
            if probe.returncode:
                self.skipTest(f"the system does not permit tracing: {probe.stderr[-200:]}")
            return log.read_text().splitlines(), other.read_text().splitlines()
        ours, kernels = self.borrowed(counted)
        alike = {"openat": "open", "creat": "open", "unlinkat": "unlink", "renameat": "rename", "renameat2": "rename",
                 "ftruncate": "ftruncate64", "linkat": "link", "mkdirat": "mkdir"}
        def form(line):
            name, _, path = line.partition(" ")
            return f"{alike.get(name, name)} {re.sub('[0-9]+', 'N', path)}"
        # The tracer does not count calls on the folder itself.
        changing = lambda lines: sorted(
            form(line) for line in lines if not line.startswith(("open", "creat")) and not line.endswith(" ."))
        # The progress is written once per interval, so a slower run has more of its writes, each with a rename.
        def without_progress(lines):
            progress = [line for line in lines if line.endswith(" healthsync.progress.new")]
            half = len(progress) // 2
            self.assertEqual(progress, ["rename healthsync.progress.new"] * half + ["write healthsync.progress.new"] * half)
            return [line for line in lines if line not in progress]
        self.assertEqual(without_progress(changing(ours)), without_progress(changing(kernels)))


class Servers(Points):
    """The server, while a client posts."""

    def prepare(self, service, world):
        world.empty()
        service.prepare(world)
        world.save("before")
        log = world.folder / "calls"
        log.unlink(missing_ok=True)
        world.served.mkdir(exist_ok=True, mode=0o700)
        world.serve(*service.words, environment=calls.environment(world.served, log=log))
        for request in service.requests:
            self.assertIn(world.request(*request)[0], (200, 201), request)
        self.assertEqual(world.stop_server(kill=False)[0], 0)
        return self.complete(service, world, ()), log.read_text().splitlines()

    def complete(self, service, world, requests):
        """Starts a server that is not killed and sends the rest; returns the content."""
        world.serve(*service.words)
        for request in requests:
            status, body = world.request(*request)
            self.assertIn(status, (200, 201), f"{request} {body}")
        content = world.remote()
        status, errors = world.stop_server(kill=False)
        self.assertEqual(status, 0, errors)
        self.assertEqual(world.problems_of_files(), [])
        lines = world.served / "lines/steps.jsonl"
        if lines.exists():
            content["lines"] = sorted(json.loads(line)["uuid"] for line in lines.read_text().splitlines())
        return content

    def play(self, service, world, point, expected):
        at, action = point
        world.restore("before")
        world.served.mkdir(exist_ok=True, mode=0o700)
        sent = 0
        if world.start_server(*service.words, environment=calls.environment(world.served, action=action, at=at)):
            for request in service.requests:
                try:
                    status, body = world.request(*request)
                except (OSError, http.client.HTTPException):
                    break
                self.assertIn(status, (200, 201), body)
                sent += 1
        # A process that was killed stays killed.
        status, errors = world.stop_server(kill=False)
        self.assertIn(status, (0, KILLED), errors)
        try:
            self.assertEqual(self.complete(service, world, service.requests[sent:]), expected)
        except AssertionError as error:
            raise AssertionError(f"{service.name}, killed {action} call {at}, after {sent} requests: {error}") from error
        return status == KILLED

    def test_servers(self):
        total = killed = 0
        for service in in_slice(SERVER):
            with self.subTest(service.name):
                _, lines = self.borrowed(lambda world: self.prepare(service, world))
                every = list(actions(lines))
                points = sample(every, POINTS)
                found = self.each(
                    lambda world: self.prepare(service, world)[0],
                    lambda world, point, expected: self.play(service, world, point, expected), points)
                total, killed = total + len(points), killed + sum(found)
                report(f"{service.name}: {len(lines)} calls, {len(points)} of {len(every)} points, {sum(found)} killed")
                self.assertGreater(sum(found), len(points) // 2)
        report(f"servers: {total} points, {killed} killed, 0 lost, 0 duplicated, 0 wrong")

    def test_control_a_lost_sample_is_found(self):
        """The comparison of test_servers fails if the last acknowledged request is missing."""
        service = SERVER[0]
        expected, _ = self.borrowed(lambda world: self.prepare(service, world))
        def without_the_last(world):
            world.empty()
            world.serve()
            for request in service.requests[:-1]:
                world.request(*request)
            world.stop_server(kill=False)
            return self.complete(service, world, ())
        self.assertNotEqual(self.borrowed(without_the_last), expected)


if __name__ == "__main__":
    unittest.main()
