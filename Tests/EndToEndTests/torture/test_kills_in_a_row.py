"""A program is killed in each of several runs, or gets a signal; the last run completes what all of them began."""

import dataclasses
import signal
import unittest

import calls
from support.seeds import seeds
from torture import report
from torture.points import KILLED, Points
from torture.scenarios import CLIENT
from torture.services import PULLED, SERVER, WATCH
from torture.stores import PEER, PULL, YEAR

RUNS = seeds(3, 8, 40)
SIGNALS = seeds(2, 6, 100)


def spread(count, number):
    """Returns so many numbers of calls between the first and the last one."""
    return [1 + index * count // (number + 1) for index in range(1, number + 1)]


class Rows(Points):
    def test_each_run_continues_what_a_killed_one_left(self):
        for scenario in (CLIENT[0], YEAR, PEER, PULL, SERVER[1], PULLED, WATCH):
            with self.subTest(scenario.name):
                expected, lines = self.borrowed(lambda world: self.prepare(scenario, world))
                kills = self.borrowed(lambda world: self.row(scenario, world, lines, expected))
                report(f"{scenario.name}: {kills} kills in a row")
                self.assertGreater(kills, 0)

    def row(self, scenario, world, lines, expected):
        """Kills every run later than the one before it, until one ends by itself; returns the number of kills."""
        scenario.set_up(world)
        scenario.begin(world)
        resent = ()
        for kills, at in enumerate(spread(len(lines), RUNS)):
            variables = calls.environment(world.folder / scenario.counted, action="before", at=at)
            run = scenario.run(world, variables, resent[-1] if resent else 0)
            resent += run.resent
            self.assertIn(run.status, (0, KILLED), run.errors)
            if run.status == 0:
                break
        else:
            kills = RUNS
        self.completes(f"{scenario.name}, {kills} kills", scenario, world, dataclasses.replace(run, resent=resent), expected)
        return kills


class Signals(Points):
    def test_a_signal_ends_a_program_that_continues_later(self):
        for scenario, numbers in ((YEAR, BOTH), (PULL, BOTH), (SERVER[1], BOTH), (WATCH, BOTH)):
            for number in numbers:
                with self.subTest(scenario.name, signal=number.name):
                    expected, lines = self.borrowed(lambda world: self.prepare(scenario, world))
                    found = self.each(
                        lambda world: self.prepare(scenario, world)[0],
                        lambda world, at, expected: self.interrupt(scenario, world, (at, "signal"), expected, number),
                        spread(len(lines), SIGNALS))
                    left = sum(incomplete for _, incomplete in found)
                    report(f"{scenario.name}, {number.name}: {len(found)} points, {left} incomplete before the next run")
                    self.assertGreater(left, 0)


BOTH = (signal.SIGINT, signal.SIGTERM)

if __name__ == "__main__":
    unittest.main()
