"""System calls fail: a full disk, a defective one, a quota, a read-only medium, interrupted and short calls, no descriptors.
The command ends with a clear error or completes; afterwards it completes without a fault, with the same content."""

import errno
import http.client
import sqlite3
import subprocess
import unittest

import calls
from support.harness import PATIENCE
from support.seeds import seeds
from torture import in_slice, report
from torture.scenarios import CLIENT, SERVER
from torture.test_kill_points import Commands, Servers

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
NAMES = {"historical", "daily of a newer export", "push", "verify --repair", "reset-tracking", "shoes assign", "migrations from schema 9"}
PER_FAULT = seeds(1, 1, 60)


def points(count, limit):
    """Returns numbers of calls, evenly spread if there are more than `limit`."""
    return range(1, count + 1) if count <= limit else [1 + index * count // limit for index in range(limit)]


class Cases:
    """The cases of one command or server: each fault, at each counted call, once or repeatedly."""

    def cases(self, counted):
        """`counted` are the numbers of counted calls of each fault."""
        for number, fault in enumerate(FAULTS):
            for at in points(counted[number], PER_FAULT):
                for every in REPEATS_OF.get(fault[0], REPEATS):
                    yield fault, at, every

    def variables(self, folder, case):
        (_, only, action, error), at, every = case
        return calls.environment(folder, action=action, at=at, every=every, error=error, only=only)


class CommandFaults(Cases, Commands):
    def test_commands(self):
        total = failed = 0
        for scenario in in_slice(scenario for scenario in CLIENT if scenario.name in NAMES):
            with self.subTest(scenario.name):
                self.borrowed(lambda world: self.prepare(scenario, world))
                counted = [self.borrowed(lambda world: self.count(scenario, world, fault)) for fault in FAULTS]
                cases = list(self.cases(counted))
                found = self.each(
                    lambda world: self.prepare(scenario, world)[0],
                    lambda world, case, expected: self.play_fault(scenario, world, case, expected), cases)
                problems = [problem for problem, _ in found if problem]
                total, failed = total + len(cases), failed + sum(status != 0 for _, status in found)
                report(f"faults, {scenario.name}: {len(cases)} of {sum(counted) * len(REPEATS)} cases, "
                       f"{sum(status != 0 for _, status in found)} ended with an error, {len(problems)} problems")
                self.assertEqual(problems, [], "\n".join(problems[:20]))
        report(f"faults of commands: {total} cases, {failed} ended with an error, 0 lost")
        # The faults take effect.
        self.assertGreater(failed, total // 5)

    def count(self, scenario, world, fault):
        """Returns how many calls a run makes that this fault can affect."""
        self.prepare(scenario, world)
        self.begin(scenario, world)
        log = world.folder / "calls"
        log.unlink(missing_ok=True)
        world.run(*scenario.command(world), environment=calls.environment(world.data, log=log, only=fault[1]))
        return len(log.read_text().splitlines())

    def play_fault(self, scenario, world, case, expected):
        """Returns a problem or None, and the status of the run with the fault."""
        (name, *_), at, every = case
        title = f"{scenario.name}, {name} at call {at}{' and later' if every else ''}"
        self.begin(scenario, world)
        try:
            done = world.run(*scenario.command(world), environment=self.variables(world.data, case), timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            return f"{title}: does not end", 0
        if done.returncode not in STATUSES:
            return f"{title}: status {done.returncode}: {done.stderr[-400:]}", done.returncode
        if done.returncode and not done.stderr.strip() and not done.stdout.strip():
            return f"{title}: status {done.returncode} without a message", done.returncode
        if "report this as a bug" in done.stderr:
            return f"{title}: {done.stderr[-400:]}", done.returncode
        try:
            self.assertEqual(self.complete(scenario, world), expected)
        except (AssertionError, sqlite3.Error) as error:
            return f"{title}, status {done.returncode}: then {str(error)[-600:]}", done.returncode
        return None, done.returncode

    # The tests of the base classes run in their own module.
    test_control_another_input_gives_other_content = None
    test_every_call_that_the_kernel_sees_is_counted = None


class ServerFaults(Cases, Servers):
    def test_servers(self):
        total = 0
        for service in in_slice(SERVER):
            with self.subTest(service.name):
                self.borrowed(lambda world: self.prepare(service, world))
                counted = [self.borrowed(lambda world: self.count(service, world, fault)) for fault in FAULTS]
                cases = list(self.cases(counted))
                found = self.each(
                    lambda world: self.prepare(service, world)[0],
                    lambda world, case, expected: self.play_fault(service, world, case, expected), cases)
                problems = [problem for problem, _ in found if problem]
                total += len(cases)
                report(f"faults, {service.name}: {len(cases)} of {sum(counted) * len(REPEATS)} cases, "
                       f"{sum(refused for _, refused in found)} with an error, {len(problems)} problems")
                self.assertEqual(problems, [], "\n".join(problems[:20]))
        report(f"faults of servers: {total} cases, 0 lost")

    def count(self, service, world, fault):
        self.prepare(service, world)
        world.restore("before")
        world.served.mkdir(exist_ok=True, mode=0o700)
        log = world.folder / "calls"
        log.unlink(missing_ok=True)
        world.serve(*service.words, environment=calls.environment(world.served, log=log, only=fault[1]))
        for request in service.requests:
            world.request(*request)
        world.stop_server(kill=False)
        return len(log.read_text().splitlines())

    def play_fault(self, service, world, case, expected):
        """Returns a problem or None, and whether the fault was seen."""
        (name, *_), at, every = case
        title = f"{service.name}, {name} at call {at}{' and later' if every else ''}"
        world.restore("before")
        world.served.mkdir(exist_ok=True, mode=0o700)
        sent, refused = 0, False
        if world.start_server(*service.words, environment=self.variables(world.served, case)):
            for request in service.requests:
                try:
                    status, body = world.request(*request)
                except (OSError, http.client.HTTPException):
                    refused = True
                    break
                if status not in (200, 201):
                    refused = True
                    if status < 500:
                        return f"{title}: request {sent} was answered {status}: {body[:200]}", refused
                    break
                sent += 1
        status, errors = world.stop_server(kill=False)
        if status not in STATUSES:
            return f"{title}: status {status}: {errors[-400:]}", refused
        try:
            self.assertEqual(self.complete(service, world, service.requests[sent:]), expected)
        except (AssertionError, OSError, sqlite3.Error) as error:
            return f"{title}, after {sent} requests, status {status}: then {str(error)[-600:]}", refused
        return None, refused or status != 0

    test_control_a_lost_sample_is_found = None


# Imported only as base classes: otherwise their tests would run here again.
del Cases, Commands, Servers

if __name__ == "__main__":
    unittest.main()
