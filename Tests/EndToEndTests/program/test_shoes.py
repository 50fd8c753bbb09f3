"""Shoes over a generated year: automatic sessions, manual assignments and the journal, compared with a reference model."""

import datetime
import json
import random
import shutil
import sqlite3
import sys
import time
import unittest
from contextlib import closing

from support.harness import PEERS, ProgramTest

sys.path.insert(0, str(PEERS / "truth"))
import shoe_model  # noqa: E402
from truth_rules import Clock  # noqa: E402

DAY = datetime.timedelta(1)
HOUR = 3_600_000


class Shoes(ProgramTest):
    def setUp(self):
        super().setUp()
        export, truth = self.generate("export.zip", "--years", "1", "--seed", "5", "--zone", "Europe/Paris")
        self.zones = self.configuration_for(truth)
        self.truth = json.loads(truth.read_text())
        self.database = self.folder / "data/healthsync.sqlite"
        self.common = ("--config", self.zones, "--data-dir", "data")
        self.succeed("historical", *self.common, "--source", export, "--metrics", "steps,walkingDistance")
        self.days = [datetime.date.fromisoformat(day["day"]) for day in self.truth["days"]]
        self.clock = Clock(self.truth["homeZone"], self.truth["timeZones"], self.days[0], self.days[-1])
        self.shoes = {}
        for model, *words in (("Speedcross 6", "--price", "139.95 EUR", "--default"), ("Pegasus",), ("1080", "--emoji", "👟")):
            self.shoes[model] = self.json_of("shoes", "add", "Maker", model, *words, *self.common)["id"]

    def ask(self, change, *values):
        with closing(sqlite3.connect(self.database)) as connection, connection:
            return connection.execute(change, values).fetchall()

    def wearings(self):
        return [
            (shoe, start, end) for shoe, start, end in self.ask(
                "SELECT shoe_id, start_ms, end_ms FROM shoe_session ORDER BY start_ms")
        ]

    def run_automatic_rules(self):
        """Applies the automatic rules to the whole year, as if the pair had always been the default; returns the report."""
        self.ask("UPDATE shoe SET default_since_ms = 0 WHERE default_since_ms IS NOT NULL")
        look_back = (datetime.date.today() - self.days[0]).days + 1
        return self.json_of("shoes", "check", "--days", look_back, *self.common)

    def hours(self, day):
        """Returns the names that `--hours` accepts, with their time ranges."""
        hours = self.json_of("journal", day, *self.common)["hours"]
        return [
            (hour["hour"], *(round(datetime.datetime.fromisoformat(hour[end]).timestamp() * 1000) for end in ("start", "end")))
            for hour in hours
        ]

    def attribute(self, chance, days):
        """Gives the same random commands to the program and to the model."""
        model = self.wearings()
        for day in days:
            hours = self.hours(day)
            first = chance.randrange(len(hours))
            last = min(len(hours) - 1, first + chance.randrange(5))
            text = hours[first][0] if first == last else f"{hours[first][0]}-{hours[last][0]}"
            where = ("--day", day, "--hours", text, *self.common)
            stretch = hours[first][1], hours[last][2]
            if chance.random() < 0.3:
                self.succeed("shoes", "unassign", *where)
                model = shoe_model.cut(model, *stretch)
            else:
                name = chance.choice(sorted(self.shoes))
                self.succeed("shoes", "assign", name, *where)
                model = shoe_model.assign(model, self.shoes[name], *stretch)
            self.assertEqual(shoe_model.joined(self.wearings()), shoe_model.joined(model), f"{day} {text}")

    def check_journals(self, days):
        journals = [self.json_of("journal", day, *self.common) for day in days]
        shoes = self.json_of("shoes", "list", *self.common)
        for name, document in (("journals", journals), ("shoes", shoes)):
            (self.folder / f"{name}.json").write_text(json.dumps(document))
        print(self.peer(
            "truth/check_journal.py", self.database, self.zones, self.folder / "journals.json",
            self.folder / "shoes.json"))
        truth = {day["day"]: day["steps"] for day in self.truth["days"]}
        errors = [abs(journal["total"]["steps"] - truth[journal["day"]]) / truth[journal["day"]] for journal in journals]
        self.assertLess(sum(errors) / len(errors), 0.01)

    def totals(self, folder="data"):
        return self.json_of("shoes", "list", "--config", self.zones, "--data-dir", folder)

    def uncached_totals(self):
        """Returns the totals computed without cached days."""
        shutil.rmtree(self.folder / "forgetful", ignore_errors=True)
        shutil.copytree(self.folder / "data", self.folder / "forgetful")
        with closing(sqlite3.connect(self.folder / "forgetful/healthsync.sqlite")) as connection, connection:
            connection.execute("DELETE FROM attributed_day")
        return self.totals("forgetful")

    def cached_day_count(self):
        return self.ask("SELECT count(*) FROM attributed_day")[0][0]

    def check_cache(self, chance):
        """Checks that cached days equal days computed from the samples, after each change."""
        before = self.totals()
        self.assertEqual(self.totals(), self.uncached_totals())
        self.assertGreaterEqual(self.cached_day_count(), len(self.days))
        for round in range(4):
            self.attribute(chance, chance.sample(self.days, 2))
            self.assertEqual(self.totals(), self.uncached_totals(), f"after entries of the user, {round}")
            self.import_feed(chance, round)
            self.assertEqual(self.totals(), self.uncached_totals(), f"after new samples, {round}")
            self.assertGreaterEqual(self.cached_day_count(), len(self.days))
            # Changed directly in the database and not derived yet.
            page = chance.choice(self.ask("SELECT type_id, day, origin_id FROM sample_page"))
            self.ask("DELETE FROM sample_page WHERE type_id = ? AND day = ? AND origin_id = ?", *page)
            self.ask("UPDATE shoe_session SET end_ms = end_ms - 60001 WHERE id = (SELECT id FROM shoe_session "
                     "WHERE end_ms - start_ms > 120000 LIMIT 1 OFFSET ?)", chance.randrange(300))
            self.assertLess(self.cached_day_count(), len(self.days) + 2)
            self.assertEqual(self.totals(), self.uncached_totals(), f"after pages and sessions were changed, {round}")
        zones = json.loads(self.zones.read_text())
        for change in ({"originPriority": ["iPhone"]}, {"zone": "Asia/Kolkata", "timeZones": []}):
            self.zones.write_text(json.dumps({**zones, **change}))
            self.assertEqual(self.totals(), self.uncached_totals(), f"{change}")
        self.zones.write_text(json.dumps(zones))
        self.assertNotEqual(self.totals(), before)

    def import_feed(self, chance, round):
        """Writes samples of another source, some of them hours long, on a few days."""
        lines = []
        for day in chance.sample(self.days, 5):
            start = int(datetime.datetime.combine(day, datetime.time(chance.randrange(24)), datetime.UTC).timestamp())
            for kind, value in (("stepCount", chance.randrange(1, 5000)), ("distanceWalkingRunning", chance.random() * 9)):
                end = start + chance.randrange(1, 40_000)
                stamps = [datetime.datetime.fromtimestamp(stamp, datetime.UTC).isoformat() for stamp in (start, end)]
                lines.append({"type": kind, "startDate": stamps[0], "endDate": stamps[1], "value": value,
                              "unit": "count" if kind == "stepCount" else "km", "sourceBundleId": f"Garmin {round % 2}"})
        feed = self.folder / f"feed-{round}.jsonl"
        feed.write_text("".join(json.dumps(line) + "\n" for line in lines))
        self.succeed("historical", *self.common, "--source", feed, "--metrics", "steps,walkingDistance")

    def test_a_year(self):
        chance = random.Random(8)
        report = self.run_automatic_rules()
        self.assertGreater(len(report["started"]), 300)
        self.check_automatic_sessions()
        again = self.run_automatic_rules()
        self.assertEqual([name for name, sessions in again.items() if sessions], [], "the second run changes nothing")

        changes = [datetime.date(2025, 3, 30), datetime.date(2025, 10, 26)]
        picked = sorted(changes + chance.sample(self.days[1:-1], 40) + changes)
        self.attribute(chance, picked)
        entered = shoe_model.joined(self.wearings())
        self.run_automatic_rules()
        self.assertEqual(shoe_model.joined(self.wearings()), entered, "entries of the user are preserved")
        # Totals are compared with the sum of all days, so request all of them.
        self.check_journals(self.days)
        self.check_cache(chance)
        self.assertEqual(self.ask("PRAGMA integrity_check"), [("ok",)])
        self.assertEqual(self.database.stat().st_mode & 0o077, 0)

    def check_automatic_sessions(self):
        now = int(time.time() * 1000)
        with closing(sqlite3.connect(self.database)) as connection:
            stretches = shoe_model.step_intervals(connection, now)
        days = [self.days[0] - DAY, *self.days, self.days[-1] + DAY]
        clock = Clock(self.truth["homeZone"], self.truth["timeZones"], days[0], days[-1])
        expected = shoe_model.automatic_sessions(stretches, clock, days, self.shoes["Speedcross 6"], 6 * HOUR, now)
        self.assertEqual(self.wearings(), expected)


if __name__ == "__main__":
    unittest.main()
