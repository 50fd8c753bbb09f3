"""The figures that `metric` shows of any metric equal those that sqlite3 reads from the local database, and its page has them."""

import collections
import datetime
import json
import re
import sqlite3
import unittest
import urllib.request
from contextlib import closing

from support.harness import Dashboard, ProgramTest

FIRST, LAST = datetime.date(2025, 1, 1), datetime.date(2025, 12, 31)
NAMES = {
    "day": lambda day: f"{day}", "month": lambda day: f"{day:%Y-%m}", "year": lambda day: f"{day:%Y}",
    "week": lambda day: "{0:04}-W{1:02}".format(*day.isocalendar()),
}
SUMS = ("activeEnergy", "walkingDistance", "exerciseMinutes")
LASTS = ("bodyMass",)
MEANS = ("restingHeartRate", "oxygenSaturation", "respiratoryRate")


class AnyMetric(ProgramTest):
    def setUp(self):
        super().setUp()
        export, _ = self.generate(
            "export.zip", "--years", "1", "--seed", "42", "--zone", "Europe/Paris", "--last-day", LAST)
        self.config = self.folder / "zones.json"
        self.config.write_text(json.dumps({"zone": "Europe/Paris"}))
        self.words = ("--config", self.config, "--data-dir", "data")
        self.succeed("historical", *self.words, "--source", export)
        self.run_program("historical", *self.words, "--source", export, "--metrics", "bodyMass,oxygenSaturation,respiratoryRate")

    def rows(self, metric):
        with closing(sqlite3.connect(f"file:{self.folder}/data/healthsync.sqlite?mode=ro", uri=True)) as connection:
            connection.row_factory = sqlite3.Row
            rows = connection.execute(
                "SELECT * FROM daily_progress WHERE metric = ? AND day BETWEEN ? AND ? ORDER BY day",
                (metric, str(FIRST), str(LAST))).fetchall()
        self.assertTrue(rows, metric)
        return rows

    def wanted(self, metric, rows):
        if metric in SUMS:
            return sum(row["quantity"] for row in rows), None, None
        low, high = min(row["minimum"] for row in rows), max(row["maximum"] for row in rows)
        if metric in LASTS:
            return rows[-1]["quantity"], low, high
        count = sum(row["count"] for row in rows)
        return sum(row["quantity"] * row["count"] for row in rows) / count, low, high

    def near(self, found, wanted, what):
        for name, value in zip(("quantity", "minimum", "maximum"), wanted):
            if value is None:
                self.assertIsNone(found[name], (what, name))
            else:
                self.assertAlmostEqual(found[name], value, delta=1e-9 * max(1, abs(value)), msg=(what, name))

    def test_periods(self):
        kinds = {**dict.fromkeys(SUMS, "sum"), **dict.fromkeys(LASTS, "last"), **dict.fromkeys(MEANS, "mean")}
        for metric, kind in kinds.items():
            rows = self.rows(metric)
            for unit, name in NAMES.items():
                view = self.json_of("metric", metric, "--by", unit, "--from", FIRST, "--to", LAST, *self.words)
                self.assertEqual((view["metric"], view["kind"], view["unit"]), (metric, kind, rows[0]["unit"]))
                self.assertEqual(view["recordedDays"], len(rows))
                self.near(view, self.wanted(metric, rows), metric)
                groups = collections.defaultdict(list)
                for row in rows:
                    groups[name(datetime.date.fromisoformat(row["day"]))].append(row)
                for period in view["periods"]:
                    own = groups.pop(period["period"], [])
                    self.assertEqual(period["recordedDays"], len(own))
                    self.near(period, self.wanted(metric, own) if own else (None, None, None), period["period"])
                self.assertEqual(groups, {})
        steps = self.json_of("steps", "--last", "30d", "--to", LAST, *self.words)
        same = self.json_of("metric", "STEPS", "--last", "30d", "--to", LAST, *self.words)
        self.assertEqual(steps["totalSteps"], same["quantity"])
        self.assertEqual([one["steps"] for one in steps["periods"]], [one["quantity"] for one in same["periods"]])

    def test_a_title_is_a_name(self):
        for metric in self.json_of("metrics", *self.words)["metrics"]:
            if metric["metric"] == "sleep" or not metric.get("title"):
                continue
            for name in (metric["title"], metric["title"].upper().replace(" ", "-")):
                shown = self.json_of("metric", name, "2025-06-01", *self.words)
                self.assertEqual(shown["metric"], metric["metric"], name)

    def test_hours(self):
        row = self.rows("activeEnergy")[100]
        view = self.json_of("metric", "activeEnergy", row["day"], *self.words)
        hours = {hour["start"]: hour["quantity"] for hour in view["periods"][0]["hours"] if hour["quantity"] is not None}
        self.assertAlmostEqual(sum(hours.values()), row["quantity"], delta=1e-6)

    def test_summary_and_list(self):
        listed = self.json_of("metrics", *self.words)
        known = {one["metric"]: one for one in listed["metrics"] + listed["furtherMetrics"]}
        latest = {one["metric"]: one for one in self.json_of("summary", *self.words)["metrics"]}
        for metric in SUMS + LASTS + MEANS:
            self.assertTrue(known[metric]["title"] and known[metric]["results"])
            row = self.rows(metric)[-1]
            self.assertEqual((latest[metric]["day"], latest[metric]["quantity"]), (row["day"], row["quantity"]))
        self.assertIn("Body mass", self.succeed("metrics", *self.words).stdout)
        self.assertIn("body mass", self.succeed("summary", *self.words).stdout)

    def test_pages(self):
        dashboard = Dashboard(self, *self.words)

        def page(path):
            with urllib.request.urlopen(dashboard.url + path) as answer:
                return answer.read().decode()

        index = page("/view/metrics")
        for metric in SUMS + LASTS + MEANS:
            row = self.rows(metric)[-1]
            self.assertIn(f'href="/view/metric?name={metric}&amp;day={row["day"]}"', index)
            for by in ("hour", "day", "week", "month", "year"):
                html = page(f"/view/metric?name={metric}&by={by}&day={row['day']}")
                values = [float(value) for value in re.findall(r'<data value="([^"]+)"', html)]
                view = self.json_of("metric", metric, "--by", by, "--from", row["day"], "--to", row["day"], *self.words)
                if by in ("hour", "day"):
                    self.assertIn(view["quantity"], values, (metric, by))
                self.assertIn("<table>", html)


if __name__ == "__main__":
    unittest.main()
