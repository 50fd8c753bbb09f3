"""Programs are killed while clients send from several threads: nothing that was answered with 2xx is lost, and nothing counts
twice."""

import collections
import contextlib
import json
import random
import subprocess
import threading
import unittest

import calls
from received_pages import samples as received_samples
from senders import hozz, step_app
from senders.http_client import authorize
from senders.life_dashboard import LifeDashboard
from senders.neutral import Person, Request
from support.harness import BINARY, PATIENCE, integrity, reserve_port
from support.posting import Senders
from support.pulling import PullTest
from support.seeds import seeds
from support.watch import eventually
from torture import report
from torture.points import KILLED, Points
from torture.services import steps
from torture.stores import RAW, RAW_WITHOUT_SERVER

KILLS = seeds(4, 12, 100)
# How many calls a program makes before it is killed: some of the kills are at its start.
CALLS = 10, 200


class Killed:
    """A program that is started again whenever it was killed; with each start, another call kills it."""

    def __init__(self, test, words, folder, chance):
        self.test, self.words, self.folder, self.chance = test, words, folder, chance
        self.kills, self.process, self.is_over, self.lock = 0, None, False, threading.Lock()
        self.thread = threading.Thread(target=self.run)
        self.thread.start()
        test.addCleanup(self.stop)

    def run(self):
        while True:
            at = self.chance.randint(*CALLS) if self.kills < KILLS else 0
            with self.lock:
                if self.is_over:
                    return
                variables = calls.environment(self.folder, action="before", at=at)
                self.process = subprocess.Popen(
                    [str(BINARY), *map(str, self.words)], cwd=self.test.folder, env={**self.test.environment, **variables},
                    stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            if self.process.wait() == KILLED:
                self.kills += 1

    def stop(self):
        """Ends the program and returns how often it was killed."""
        with self.lock:
            self.is_over = True
            with contextlib.suppress(ProcessLookupError):
                self.process.terminate()
        self.thread.join(PATIENCE)
        return self.kills


class Load(PullTest):
    def kill(self, words, folder, seed):
        folder = self.folder / folder
        folder.mkdir(mode=0o700, exist_ok=True)
        return Killed(self, words, folder, random.Random(seed))

    def deliver(self, requests, url, *programs, check=lambda: None):
        """Sends all requests while the programs are killed, which also continues until `check` does not fail."""
        senders = Senders(self, requests).start(url)
        senders.join()
        eventually(check)
        kills = [program.stop() for program in programs]
        self.assertEqual((senders.failures, senders.left), ([], []))
        report(f"{kills} kills under load")
        self.assertGreater(min(kills), 2)

    def test_watch(self):
        chance, person = random.Random(91), Person(91)
        token = self.pair()
        walked = [one for one in person.samples if one.kind == "steps"]
        requests = [authorize(one, token, "raw") for one in hozz.requests(person.samples, size=8)]
        requests += [authorize(one, token, "path") for one in step_app.requests(walked, size=3)]
        requests += [authorize(one, token) for one in LifeDashboard().syncs(person.samples, size=30)]
        requests *= 3
        chance.shuffle(requests)
        # Senders try again while nothing listens: no other program may get the port.
        listen = f"127.0.0.1:{reserve_port(self.addCleanup)}"
        words = ("watch", "--listen", listen, "--config", self.config, "--data-dir", "data", "--zone", "Europe/Paris")
        self.deliver(requests, f"http://{listen}", self.kill(words, "data", 91))
        watch = self.watch()
        self.settle()
        self.await_figures(person.samples)
        watch.kill()
        self.assertEqual(integrity(self.folder / "data/healthsync.sqlite"), ["ok"])

    def test_a_server_and_the_machine_that_pulls_from_it(self):
        chance, person, port = random.Random(83), Person(83), reserve_port(self.addCleanup)
        self.serve(port=port)
        phone, token = self.phone()["token"], self.inbox_token()
        requests = [authorize(one, phone, "raw") for one in hozz.requests(person.samples, size=8)]
        requests += [authorize(one, phone) for one in LifeDashboard().syncs(person.samples, size=30)]
        requests *= 3
        chance.shuffle(requests)
        pull = ("watch", "--pull", self.server.url, *self.options(token)[2:])
        self.server.stop()
        self.deliver(requests, self.server.url + "/inbox",
                     self.kill(("serve", "--data-dir", "served", "--port", port), "served", 83), self.kill(pull, "data", 84),
                     check=lambda: self.assertEqual(self.waiting(token), []))
        self.serve(port=port)
        watch = self.watch("--pull", self.server.url, listen=None)
        self.settle()
        self.await_figures(person.samples)
        watch.kill()
        self.assertEqual(integrity(self.folder / "data/healthsync.sqlite"), ["ok"])

    def test_a_server(self):
        port = reserve_port(self.addCleanup)
        requests = [Request("POST", "/steps", {"Content-Type": "application/json"}, json.dumps(steps(100 * number, 60)).encode())
                    for number in range(seeds(60, 200, 2000))]
        words = ("serve", "--data-dir", "served", "--port", port, "--jsonl", "served/lines")
        self.deliver(requests, f"http://127.0.0.1:{port}", self.kill(words, "served", 85))
        sent = sorted(sample["uuid"] for request in requests for sample in json.loads(request.body)["samples"])
        stored = [str(sample["id"]) for sample in received_samples(self.folder / "served/server/received.db")]
        lines = [json.loads(line)["uuid"] for line in (self.folder / "served/lines/steps.jsonl").read_text().splitlines()]
        self.assertEqual(collections.Counter(stored), collections.Counter(sent))
        self.assertEqual(collections.Counter(lines), collections.Counter(sent))


class BothSides(Points):
    def test_a_client_and_its_server(self):
        """Every run of the client is killed, while the server is killed and started again."""
        def play(world):
            expected, _ = self.prepare(RAW, world)
            world.restore("before")
            world.succeed(*RAW_WITHOUT_SERVER)
            world.served.mkdir(exist_ok=True, mode=0o700)
            chance, kills = random.Random(12), 0
            server = Killed(world, ("serve", "--data-dir", "served", "--port", world.port), world.served, random.Random(13))
            while kills < KILLS or server.kills < KILLS // 4:
                run = RAW.run(world, calls.environment(world.data, action="before", at=chance.randint(*CALLS)))
                self.assertIn(run.status, (0, 3, KILLED), run.errors)
                kills += run.status == KILLED
                if run.status == 0:
                    break
            report(f"{kills} kills of a client, {server.kills} of its server")
            self.assertGreaterEqual(min(kills, server.stop()), KILLS // 4)
            world.serve()
            self.completes("kills of both sides", RAW, world, run, expected)
        self.borrowed(play)


if __name__ == "__main__":
    unittest.main()
