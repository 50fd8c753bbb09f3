"""Power loss: the recorded writes of a client and of a server are replayed up to a point, without what was not synced or with
parts of it. What was acknowledged is still there, and the next run completes the rest."""

import collections
import random
import sqlite3
import unittest

import calls
from power_loss import POLICIES, PowerLoss
from support.seeds import seeds
from torture import report
from torture.points import Points
from torture.scenarios import LOCAL, historical, to_server
from torture.services import REQUESTS, Service, entries, session, steps

STATES = seeds(20, 60, 5_000)
OF_THE_CONTROL = seeds(20, 20, 200)


def states(count, length):
    """Returns that many (at, policy, seed), the same in every run."""
    chance = random.Random(16)
    return [(chance.randint(1, length), POLICIES[number % len(POLICIES)], number) for number in range(count)]


class Losses(Points):
    """States after a power loss, and what is found in them."""

    def outcomes(self, prepare, play, count):
        """Returns the problems of `count` states, half of a control without syncs."""
        length = self.borrowed(lambda world: len(prepare(world)[0]))
        return self.each(prepare, play, states(count, length))

    def examine(self, name, prepare, play):
        found = [one for one in self.outcomes(prepare, lambda *all: play(*all, True), STATES) if one]
        self.assertEqual(found, [], "\n".join(found[:5]))
        control = [one for one in self.outcomes(prepare, lambda *all: play(*all, False), OF_THE_CONTROL) if one]
        report(f"power loss, {name}: {STATES} states, {len(found)} lost or damaged; without syncs {len(control)} of "
               f"{OF_THE_CONTROL} lost or damaged")
        self.assertGreater(len(control), OF_THE_CONTROL // 4, "without syncs the same comparison must fail")


class Client(Losses):
    COMMANDS = (
        lambda world: to_server(world, *historical("--raw", "heartRate")),
        lambda world: ("shoes", "add", "Maker", "Trail", *LOCAL),
        lambda world: ("shoes", "assign", "Trail", "--day", "2024-03-02", "--hours", "8-11", *LOCAL),
        lambda world: to_server(world, *historical("--raw", "heartRate", source="second.xml")),
        lambda world: ("shoes", "assign", "Trail", "--day", "2024-03-03", "--hours", "8-12", *LOCAL),
        lambda world: to_server(world, *historical("--raw", "heartRate", "--zone", "Asia/Tokyo")),
    )

    def prepare(self, world):
        """Records a sequence of commands; returns the calls, their number after each command, and the content then."""
        world.empty()
        world.serve()
        journal = world.folder / "journal"
        journal.unlink(missing_ok=True)
        ends = []
        for number, command in enumerate(self.COMMANDS):
            done = world.run(*command(world), environment=calls.environment(world.data, journal=journal))
            self.assertEqual(done.returncode, 0, done.stderr)
            ends.append(len(calls.read_journal(journal)))
            world.stop_server(kill=False)
            world.save(f"after{number}")
            world.serve()
        return calls.read_journal(journal), ends, [self.content(world, number) for number in range(len(ends))]

    def content(self, world, number):
        # Of a copy: SQLite in this process would create files that are not recorded.
        world.restore(f"after{number}")
        world.serve()
        return world.local(), world.remote()

    def play(self, world, state, prepared, syncs):
        """Returns what is wrong after the loss, or None."""
        at, policy, seed = state
        journal, ends, contents = prepared
        acknowledged = sum(end <= at for end in ends)
        current = min(acknowledged, len(ends) - 1)
        # The server did not lose power, and got all that the interrupted command sent.
        world.restore(f"after{current}")
        PowerLoss(journal, syncs=syncs).write(at, policy, seed, world.data)
        world.serve()
        try:
            if acknowledged < len(ends):
                command = self.COMMANDS[current](world)
                listed = world.run("shoes", "list", *LOCAL)
                if command[1] != "add" or "Trail" not in listed.stdout:
                    world.succeed(*command)
            self.assertEqual((world.local(), world.remote()), contents[current])
            self.assertEqual(world.problems_of_files(), [])
        except (AssertionError, sqlite3.Error) as error:
            return f"client, power lost before call {at} of {len(journal)}, {policy}, seed {seed}: {str(error)[:700]}"
        return None

    def test_client(self):
        self.examine("client", self.prepare, self.play)


class OfTheServer(Losses):
    # No request repeats what an earlier one contained, except within REQUESTS.
    SERVICE = Service("serve --jsonl", ("--jsonl", "served/lines"), tuple(
        [*REQUESTS, *(request for number in range(6) for request in (
            ("POST", "/steps", steps(1000 + 100 * number, 20)), ("POST", "/api/v1/progress", entries(10 + number, 1, 50)),
            ("POST", "/api/v1/sleep", session(10 + number))))]))

    def prepare(self, world):
        """Records a server that answers requests; returns the calls, the number of them at each answer, and the content."""
        world.empty()
        world.served.mkdir(mode=0o700)
        journal = world.folder / "journal"
        journal.unlink(missing_ok=True)
        world.serve(*self.SERVICE.words, environment=calls.environment(world.served, journal=journal))
        for request in self.SERVICE.requests:
            self.assertIn(world.request(*request)[0], (200, 201), request)
        self.assertEqual(world.stop_server(kill=False)[0], 0)
        recorded = calls.read_journal(journal)
        answers = [index for index, call in enumerate(recorded) if call.name == "send" and call.data.startswith(b"HTTP/1.1 20")]
        self.assertEqual(len(answers), len(self.SERVICE.requests))
        return recorded, answers, self.content(world)

    def content(self, world):
        world.serve(*self.SERVICE.words)
        content = world.remote()
        status, errors = world.stop_server(kill=False)
        self.assertEqual(status, 0, errors)
        lines = (world.served / "lines/steps.jsonl").read_text().splitlines()
        return content, sorted(collections.Counter(lines).items())

    def play(self, world, state, prepared, syncs):
        at, policy, seed = state
        journal, answers, expected = prepared
        # An answer counts as soon as the call that sends it may have begun.
        acknowledged = sum(index < at for index in answers)
        PowerLoss(journal, syncs=syncs).write(at, policy, seed, world.served)
        try:
            world.serve(*self.SERVICE.words)
            for request in self.SERVICE.requests[acknowledged:]:
                status, body = world.request(*request)
                self.assertIn(status, (200, 201), body)
            world.stop_server(kill=False)
            self.assertEqual(self.content(world), expected)
            self.assertEqual(world.problems_of_files(), [])
        except (AssertionError, OSError, sqlite3.Error) as error:
            return f"server, power lost before call {at} of {len(journal)}, {policy}, seed {seed}: {str(error)[:700]}"
        return None

    def test_server(self):
        self.examine("server", self.prepare, self.play)


if __name__ == "__main__":
    unittest.main()
