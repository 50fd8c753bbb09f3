"""The harness that interrupts programs: worlds in which scenarios begin, are interrupted at a point, and are completed."""

import concurrent.futures
import pathlib
import queue
import shutil
import sqlite3
import tempfile
import unittest

import calls
from torture import WORKERS
from torture.scenarios import write_other, write_sources
from torture.worlds import World

KILLED = -9
INTERRUPTED = 130


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
        """Runs `play(world, point, prepared)` for all points, in several worlds; returns the results."""
        prepared = {}

        def one(point):
            def task(world):
                if world not in prepared:
                    prepared[world] = prepare(world)
                return play(world, point, prepared[world])
            return self.borrowed(task)

        with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
            return list(pool.map(one, points))

    def borrowed(self, task):
        world = self.worlds.get()
        try:
            return task(world)
        finally:
            world.stop_server()
            self.worlds.put(world)

    def counted(self, scenario, world, **options):
        """Runs the scenario once; returns the run and its counted calls."""
        log = world.folder / "calls"
        log.unlink(missing_ok=True)
        scenario.begin(world)
        run = scenario.run(world, calls.environment(world.folder / scenario.counted, log=log, **options))
        return run, log.read_text().splitlines()

    def prepare(self, scenario, world):
        """Keeps the state before the interruption; returns the content after an undisturbed run, and its counted calls."""
        scenario.set_up(world)
        run, lines = self.counted(scenario, world)
        self.assertEqual((run.status, run.refusal), (0, None), f"{scenario.name}\n{run.output}{run.errors}")
        return self.finish(scenario, world, run), lines

    def finish(self, scenario, world, run):
        content = scenario.finish(world, run)
        self.assertEqual(world.problems_of_files(), [], scenario.name)
        return content

    def interrupt(self, scenario, world, point, expected, number=None):
        """Kills the program at the point, or sends it a signal, and completes what it did; returns whether it was interrupted,
        and whether something was left to complete."""
        at, action = point
        title = f"{scenario.name}, {action}{f' {number}' if number else ''} at call {at}"
        scenario.begin(world)
        run = scenario.run(world, calls.environment(world.folder / scenario.counted, action=action, at=at, error=number))
        # A server that a signal ends before it listens was interrupted, as a command is, and so is one that gets a second signal.
        statuses = (0, KILLED) if not number else (0,) if run.answered and run.refusal else (0, INTERRUPTED)
        self.assertIn(run.status, statuses, f"{title}\n{run.output}{run.errors}")
        # A server that a signal is ending may answer the next request with that.
        is_stopping = number and run.refusal and run.refusal[0] == 503 and b"is stopping" in run.refusal[1]
        self.assertTrue(is_stopping or run.refusal in (None, (None, "")), f"{title}: {run.refusal}")
        return self.completes(title, scenario, world, run, expected)

    def completes(self, title, scenario, world, run, expected):
        try:
            if scenario.check:
                # First, because nothing but the program may open a store that a killed restore left.
                scenario.check(world, expected)
            was_complete = scenario.is_complete(world, run, expected)
            self.assertEqual(self.finish(scenario, world, run), expected)
        except (AssertionError, OSError, sqlite3.Error) as error:
            raise AssertionError(f"{title}, after {run.answered} requests: {error}") from error
        return run.status != 0, not was_complete
