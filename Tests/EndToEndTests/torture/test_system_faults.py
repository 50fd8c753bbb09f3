"""System calls fail: a full disk, a defective one, a quota, a read-only medium, interrupted and short calls, no descriptors.
The command ends with a clear error or completes; afterwards it completes without a fault, with the same content."""

import errno
import sqlite3
import subprocess
import unittest

import calls
from support.seeds import seeds
from torture import in_slice, report
from torture.points import Points
from torture.scenarios import CLIENT
from torture.services import SERVER
from torture.stores import STORES

WRITES = ("write", "pwrite64", "ftruncate64", "fsync", "fdatasync", "rename", "link", "unlink", "mkdir", "open", "posix_fallocate64")
# (name, calls, action, error). The network is not part of it.
FAULTS = [
    ("ENOSPC", ("write", "pwrite64", "ftruncate64", "mkdir", "open", "link", "posix_fallocate64"), "fail", errno.ENOSPC),
    ("EIO", (*WRITES, "read", "pread64"), "fail", errno.EIO),
    ("EDQUOT", ("write", "pwrite64", "ftruncate64", "open", "mkdir"), "fail", errno.EDQUOT),
    ("EROFS", ("write", "open", "mkdir", "unlink", "rename", "link", "ftruncate64"), "fail", errno.EROFS),
    ("EINTR", ("write", "pwrite64", "ftruncate64", "fsync", "fdatasync", "open", "read", "pread64"), "fail", errno.EINTR),
    ("EMFILE", ("open",), "fail", errno.EMFILE),
    ("short", ("write", "pwrite64", "read", "pread64"), "short", 0),
]
# Once, or from then on at each further call. No system interrupts every call forever, and programs repeat such calls.
REPEATS = (0, 1)
REPEATS_OF = {"EINTR": (0, 2)}
# docs/command-line.md; 70 is a mistake of the program, and a negative status is a signal.
STATUSES = {0, 1, 3, 4, 5, 65, 66, 73, 74, 75, 78}
NAMES = {"historical", "daily of a newer export", "push", "verify --repair", "reset-tracking", "shoes assign",
         "migrations from schema 9", "pull", "restore --force", "backup"}
PER_FAULT = seeds(1, 1, 60)


def points(count, limit):
    """Returns numbers of calls, evenly spread if there are more than `limit`."""
    return range(1, count + 1) if count <= limit else [1 + index * count // limit for index in range(limit)]


class Faults(Points):
    def cases(self, counted):
        """Returns each fault, at each counted call, once or repeatedly. `counted` are the numbers of calls of each fault."""
        return [(fault, at, every) for number, fault in enumerate(FAULTS) for at in points(counted[number], PER_FAULT)
                for every in REPEATS_OF.get(fault[0], REPEATS)]

    def plant(self, kind, scenarios):
        """Plays the cases of all scenarios; returns their number, and how many of them ended with an error."""
        total = failed = 0
        for scenario in in_slice(scenarios):
            with self.subTest(scenario.name):
                counted = self.borrowed(lambda world: self.count(scenario, world))
                cases = self.cases(counted)
                found = self.each(
                    lambda world: self.prepare(scenario, world)[0],
                    lambda world, case, expected: self.play(scenario, world, case, expected), cases)
                problems = [problem for problem, _ in found if problem]
                errors = sum(is_error for _, is_error in found)
                total, failed = total + len(cases), failed + errors
                report(f"faults, {scenario.name}: {len(cases)} of {sum(counted) * len(REPEATS)} cases, "
                       f"{errors} with an error, {len(problems)} problems")
                self.assertEqual(problems, [], "\n".join(problems[:20]))
        report(f"faults of {kind}: {total} cases, {failed} with an error, 0 lost")
        # The faults take effect.
        self.assertGreater(failed, total // 5)

    def count(self, scenario, world):
        """Returns how many calls of a run each fault can affect."""
        scenario.set_up(world)
        return [len(self.counted(scenario, world, only=only)[1]) for _, only, *_ in FAULTS]

    def play(self, scenario, world, case, expected):
        """Returns a problem or None, and whether the run ended with an error or a request was not answered with 2xx."""
        (name, only, action, error), at, every = case
        title = f"{scenario.name}, {name} at call {at}{' and later' if every else ''}"
        scenario.begin(world)
        variables = calls.environment(
            world.folder / scenario.counted, action=action, at=at, every=every, error=error, only=only)
        try:
            run = scenario.run(world, variables)
        except subprocess.TimeoutExpired:
            return f"{title}: does not end", False
        is_error = run.status != 0 or run.refusal is not None
        if problem := misbehavior(run):
            return f"{title}: {problem}", is_error
        try:
            if scenario.check:
                scenario.check(world, expected)
            self.assertEqual(self.finish(scenario, world, run), expected)
        except (AssertionError, OSError, sqlite3.Error) as error:
            return f"{title}, after {run.answered} requests, status {run.status}: then {str(error)[-600:]}", is_error
        return None, is_error


def misbehavior(run):
    """Returns what a run must not do, whatever fails."""
    if run.status not in STATUSES:
        return f"status {run.status}: {run.errors[-400:]}"
    if run.status and not run.errors.strip() and not run.output.strip():
        return f"status {run.status} without a message"
    if "report this as a bug" in run.errors:
        return run.errors[-400:]
    status, body = run.refusal or (None, "")
    return f"request {run.answered} was answered {status}: {body[:200]}" if status and status < 500 else None


class CommandFaults(Faults):
    def test_commands(self):
        self.plant("commands", [scenario for scenario in CLIENT + STORES if scenario.name in NAMES])


class ServerFaults(Faults):
    def test_servers(self):
        self.plant("servers", SERVER)


if __name__ == "__main__":
    unittest.main()
