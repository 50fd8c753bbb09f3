"""A proxy answers one request of a sync, or several, as no good server does. Afterwards an ordinary push completes the
delivery: nothing is lost, nothing is stored twice, and no other server receives the token or a record."""

import concurrent.futures
import json
import os
import pathlib
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest

import evil_proxy
import tls_faults
from support.harness import BINARY, PATIENCE
from support.seeds import IS_MANY, seeds
from torture import WORKERS, report, sample
from torture.scenarios import LOCAL, historical, limit_requests, write_sources
from torture.worlds import World

TOKEN = "token"
# Answers that keep the client waiting are few; the pauses between attempts are most of the time.
PLAYERS = 4 * WORKERS
# Each of these answers at one position. With many seeds, all answers at every position.
ANSWERS = seeds(11, 44, None)
LARGEST_MEMORY = 400 << 10
# Of a client that met a faulty answer: 0 if it sent the request again, 3 if records wait or were rejected.
STATUSES = (0, 3)
# The peak of a process that `exec` replaces counts as the program's (getrusage(2)), and this process may be large: a small one
# starts the program.
MEASURE = """
import resource, subprocess, sys
try:
    status = subprocess.run(sys.argv[3:], timeout=float(sys.argv[2])).returncode
finally:
    with open(sys.argv[1], "w") as file:
        file.write(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss))
sys.exit(status if status >= 0 else 128 - status)
"""


class ProxiedWorld(World):
    """A world whose client sends through a proxy, with a token."""

    def __init__(self, folder, add_cleanup):
        super().__init__(folder, add_cleanup)
        write_sources(self)
        self.proxy = evil_proxy.EvilProxy(self.port)
        self.url = f"http://127.0.0.1:{self.proxy.port}"
        self.token = None

    def words(self, *words):
        return (*words, "--server", self.url, "--token-file", TOKEN, *LOCAL)

    def prepare(self):
        """Queues records and raw samples; returns the content after an ordinary push, and the requests of that."""
        self.empty()
        created = self.succeed("token", "create", "--data-dir", "served", "--user", "local", "--scope", "ingest,read,delete", "--json")
        self.token = json.loads(created.stdout)["token"]
        self.fields = {"Authorization": f"Bearer {self.token}"}
        with open(os.open(self.folder / TOKEN, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(self.token)
        result = self.run(*historical("--raw", "heartRate", "--no-push", "--server", self.url, "--token-file", TOKEN))
        assert result.returncode in STATUSES, result.stderr
        self.save("before")
        self.restore("before")
        self.serve()
        self.proxy.begin(None)
        self.succeed(*self.words("push"))
        paths = list(self.proxy.paths)
        return self.content(), paths

    def content(self):
        return {"local": self.local(), "remote": self.remote()}

    def measured(self, *words, timeout=PATIENCE):
        """Runs a command; returns its status, output with errors, and largest memory in KiB."""
        peak = self.folder / "peak"
        done = subprocess.run([sys.executable, "-I", "-S", "-c", MEASURE, str(peak), str(timeout), str(BINARY), *words],
                              cwd=self.folder, env=self.environment, text=True, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.returncode, done.stdout, int(peak.read_text())


class Network(unittest.TestCase):
    maxDiff = 4000

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="healthsync-network-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cls.worlds, cls.prepared = queue.Queue(), {}
        for number in range(PLAYERS):
            world = ProxiedWorld(cls.folder / f"world{number}", cls.addClassCleanup)
            cls.addClassCleanup(world.proxy.__exit__)
            cls.worlds.put(world)

    def borrowed(self, task):
        """Lends a world with its content after an ordinary push and the requests of that."""
        world = self.worlds.get()
        try:
            if world not in self.prepared:
                self.prepared[world] = world.prepare()
            return task(world, *self.prepared[world])
        finally:
            world.stop_server()
            self.worlds.put(world)

    def play(self, answer, at, times, seconds=2):
        """Returns a problem or None. Each request of the push that meets the answer may take `seconds`."""
        def task(world, expected, _):
            world.restore("before")
            world.serve()
            world.proxy.begin(answer, at, times)
            thief = world.proxy.thief
            thief.received = b""
            limit_requests(world, seconds)
            status, output, memory = world.measured(*world.words("push", "--deadline", str(PATIENCE)))
            limit_requests(world, PATIENCE)
            reached = world.proxy.answered
            if status not in STATUSES:
                return f"status {status}: {output[-400:]}", reached
            if status and not output.strip():
                return f"status {status} without a message", reached
            if world.token in output:
                return "the output contains the token", reached
            if memory > LARGEST_MEMORY:
                return f"{memory} KiB of memory", reached
            if thief.received:
                return f"another server received {thief.received[:60]}", reached
            world.proxy.begin(None)
            return self.completed(world, expected), reached

        return self.borrowed(task)

    def completed(self, world, expected):
        """Sends what is still queued, without faults; returns a problem or None."""
        # Dead letters are what an answer rejected; a destination that does not exist any more is tried again by `push`.
        if any(state == "dead" for _, state, _ in world.local()["outbox"]):
            world.succeed("outbox", "retry", "--all", *LOCAL)
        for _ in range(3):
            done = world.run(*world.words("push"))
            if done.returncode == 0:
                break
        if done.returncode:
            return f"the second push ends with {done.returncode}: {done.stdout[-300:]}{done.stderr[-300:]}"
        try:
            self.assertEqual(world.content(), expected)
        except AssertionError as error:
            return str(error)[-600:]
        return None

    def every(self, cases):
        with concurrent.futures.ThreadPoolExecutor(PLAYERS) as pool:
            found = list(pool.map(lambda case: (case, *self.play(case[1], *case[2:])), cases))
        return found

    def test_answers(self):
        count = len(self.borrowed(lambda world, expected, paths: paths))
        self.assertGreaterEqual(count, 4)
        named = {**evil_proxy.ANSWERS, **evil_proxy.FINAL}
        # In a sample each answer at another position.
        cases = [(name, named[name], at, times)
                 for index, name in enumerate(sample(named, ANSWERS))
                 for at, times in ([(at, 1) for at in range(count)] + [(0, 3), (1, 3)] if IS_MANY else [(index % count, 1)])]
        found = self.every(cases)
        problems = [f"{name} at request {at}, {times} times: {problem}"
                    for (name, _, at, times), problem, _ in found if problem]
        reached = sum(answered > 0 for _, _, answered in found)
        report(f"network: {len({case[0] for case in cases})} of {len(named)} answers, {len(cases)} cases at {count} positions, "
               f"{reached} answered, {len(problems)} problems")
        self.assertEqual(problems, [], "\n".join(problems[:20]))
        self.assertGreater(reached, len(cases) * 9 // 10)

    def test_control_a_server_that_lies_is_found(self):
        """The comparison of test_answers fails if the server confirms what it does not store."""
        problem, answered = self.play(evil_proxy.lie, 1, 1, seconds=PATIENCE)
        self.assertEqual(answered, 1)
        self.assertIsNotNone(problem)

    def test_tls(self):
        """A server that cannot be trusted receives nothing, and everything stays queued."""
        faults = sample(tls_faults.FAULTS, 4)

        def task(world, *_):
            found = []
            for fault in faults:
                with tls_faults.TLSFault(fault, world.folder) as server:
                    found += [f"{fault}: {problem}" for problem in self.problems_of_tls(world, server)]
            return found

        problems = self.borrowed(task)
        report(f"network: {len(faults)} faults of TLS, {len(problems)} problems")
        self.assertEqual(problems, [])

    def problems_of_tls(self, world, server):
        world.empty()
        address = ("--server", f"https://127.0.0.1:{server.port}", "--token-file", TOKEN)
        world.run(*historical("--no-push", *address))
        queued = world.local()["outbox"]
        status, output, _ = world.measured("push", "--deadline", "1", *address, *LOCAL)
        if not queued or world.local()["outbox"] != queued:
            yield f"queued were {queued}, then {world.local()['outbox']}"
        if status != 3 or not output.strip():
            yield f"status {status}: {output[-300:]}"
        if world.token in output:
            yield "the output contains the token"
        if server.received or not server.connections:
            yield f"{server.connections} connections, received {server.received[:60]}"


if __name__ == "__main__":
    unittest.main()
