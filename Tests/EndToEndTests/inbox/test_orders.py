"""Acceptance 2: four inputs of one user (a weekly export, posts of Health Auto Export, a stream of Hozz with deletions, a
window of Health Connect), in all orders and with repetition: no day differs from the most complete input alone."""

import contextlib
import itertools
import json
import os
import pathlib
import random
import sqlite3
import unittest

from inbox.export_writer import write_zip
from senders import hozz
from senders.health_auto_export import HealthAutoExport
from senders.life_dashboard import LifeDashboard
from senders.neutral import APPLE, DAY, Person
from support.watch import ZONE, InboxTest, eventually

INPUTS = ("export", "posts", "stream", "window")
PERSONS = (121, 131, 141)


class Orders(InboxTest):
    def setUp(self):
        super().setUp()
        self.become(PERSONS[0])

    def become(self, seed):
        """Generates the inputs of a person."""
        self.person = Person(seed, days=2)
        self.samples = self.person.samples
        start = self.person.midnight(self.person.days[0]) - DAY
        withdrawn = Person(seed + 1, days=2).samples[::7]
        self.requests = {
            "posts": HealthAutoExport(APPLE, ZONE).requests(self.samples, self.person.days, self.person.midnight),
            "stream": hozz.requests(self.samples, withdrawn=withdrawn, order=random.Random(seed)),
            "window": LifeDashboard().backfill(self.samples, start, start + 4 * DAY, limit=40)}
        self.archive = write_zip(self.folder / f"export-{seed}.zip", self.samples)

    def send(self, name, watch, tokens, drop, number):
        if name == "export":
            # The number differs, so that a repetition is a new file with the same content.
            os.link(self.archive, self.folder / f"link-{number}")
            os.rename(self.folder / f"link-{number}", drop / f"export-{number}.zip")
            if number == 0:
                watch.await_event("imported")
            return
        for request in self.requests[name]:
            watch.accept(request, tokens[name], "raw" if name == "stream" else "bearer")

    def replay(self, order, seed):
        """Sends the inputs in an order; after each, some of those already sent again."""
        chance, data = random.Random(seed), f"data{seed}"
        drop = self.folder / f"drop{seed}"
        drop.mkdir()
        tokens = {name: self.pair(name, data=data) for name in self.requests}
        watch = self.watch("--source", drop, data=data)
        for number, name in enumerate(order):
            self.send(name, watch, tokens, drop, number)
            for again in order[:number + 1]:
                if chance.random() < 0.4:
                    self.send(again, watch, tokens, drop, 10 + 10 * number + INPUTS.index(again))
        self.settle(data)
        self.await_figures(self.samples, data=data)
        self.assertEqual(watch.terminate(), 0)
        if "export" in order:
            # The folder may contain a repeated export that the watch had not read yet.
            self.succeed("daily", "--config", self.config, "--source", drop, "--data-dir", data, "--zone", ZONE)
            self.assert_figures(self.samples, data=data)
        return self.found([str(day) for day in self.person.days], data), self.stored(data)

    def stored(self, data):
        """Returns every stored figure of every metric and hour, and every session that counts."""
        path = pathlib.Path(self.json_of("status", "--data-dir", data)["database"])
        with contextlib.closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as database:
            figures = {f"{metric} {day}": [*values, json.loads(hours)] for metric, day, *values, hours in database.execute(
                "SELECT metric, day, quantity, minimum, maximum, count, held_ms, hours FROM daily_progress")}
            nights = database.execute(
                "SELECT day, start_ms, end_ms, role, asleep_ms, awake_ms, core_ms, deep_ms, rem_ms, unspecified_ms, stages"
                " FROM sleep_session WHERE counts ORDER BY start_ms").fetchall()
        return {**figures, "nights": [[*values, json.loads(stages)] for *values, stages in nights]}

    def test_all_orders_with_repetition_give_the_figures_of_the_stream_alone(self):
        """Each order for one of several persons, and each person with the stream alone."""
        orders = list(itertools.permutations(INPUTS))
        for number, seed in enumerate(PERSONS):
            self.become(seed)
            alone = rounded(self.replay(("stream",), seed))
            for place, order in enumerate(orders[number::len(PERSONS)]):
                with self.subTest(person=seed, order=order):
                    self.assertEqual(rounded(self.replay(order, 10 * seed + place)), alone)

    def test_each_input_alone(self):
        """Each input alone gives the same figures to its own precision, so a difference above is not one of the input."""
        for seed, name in enumerate(INPUTS, start=100):
            with self.subTest(name):
                data, drop = f"data{seed}", self.folder / f"drop{seed}"
                drop.mkdir()
                tokens = {each: self.pair(each, data=data) for each in self.requests}
                watch = self.watch("--source", drop, data=data)
                self.send(name, watch, tokens, drop, 1)
                self.settle(data)
                steps = [one for one in self.samples if one.kind == "steps"]
                eventually(lambda: self.assert_figures(steps, data=data, only=("steps",)))
                watch.kill()


def rounded(value):
    """Returns figures with the precision at which sums of the same numbers in another order are equal."""
    if isinstance(value, dict):
        return {name: rounded(member) for name, member in value.items()}
    if isinstance(value, (list, tuple)):
        return [rounded(member) for member in value]
    return round(value, 6) if isinstance(value, float) else value


if __name__ == "__main__":
    unittest.main()
