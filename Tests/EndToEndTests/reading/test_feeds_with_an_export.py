"""Feeds and an export of the same user: nothing counts twice and nothing is lost. Python computes the expected results."""

import itertools
import json
import sqlite3
import unittest
from contextlib import closing

from support.harness import Peer, ProgramTest, figures
from support.records import COUNT, RATE, SLEEP, record, write

ZONE = "UTC"


def raw_steps(day, hour, count, minutes=30):
    return record(COUNT, day, hour, minutes, count, "count")


class FeedsWithAnExport(ProgramTest):
    def feed(self, name, **metrics):
        """Writes a file of the app; each metric is a list of entries and a unit."""
        folder = self.folder / "feed"
        folder.mkdir(exist_ok=True)
        units = {"step_count": "count", "heart_rate": "count/min", "sleep_analysis": "hr"}
        document = {"data": {"metrics": [
            {"name": metric, "units": units[metric], "data": entries} for metric, entries in metrics.items()]}}
        (folder / f"HealthAutoExport-{name}.json").write_text(json.dumps(document))
        return folder

    def hours(self, day, figures):
        return [{"date": f"2024-03-{day:02} {hour:02}:00:00 +0000", "qty": quantity, "source": "Watch|iPhone"}
                for hour, quantity in figures.items()]

    def sync(self, *sources, data="data", status=0, words=()):
        named = itertools.chain.from_iterable(("--source", source) for source in sources)
        result = self.run_program("historical", *named, "--zone", ZONE, "--data-dir", data, *words)
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        return result

    def rows(self, query, data="data"):
        with closing(sqlite3.connect(f"file:{self.folder}/{data}/healthsync.sqlite?mode=ro", uri=True)) as connection:
            return connection.execute(query).fetchall()

    def steps(self, data="data"):
        return dict(self.rows("SELECT day, quantity FROM daily_progress WHERE metric = 'steps'", data))

    def hourly(self, day, data="data"):
        rows = self.rows("SELECT start, quantity FROM hour_progress WHERE metric = 'steps' AND quantity > 0"
                         f" AND day = '{day}'", data)
        return {int(start[11:13]): quantity for start, quantity in rows}

    RAW = {8: 500, 9: 300, 12: 800}
    BUCKETS = {8: 450, 9: 420, 15: 250}
    # The larger of the two in each hour, or the only one.
    LARGER = {8: 500, 9: 420, 12: 800, 15: 250}

    def export(self, name="a.xml", extra=(), **options):
        records = [raw_steps(0, hour, count) for hour, count in self.RAW.items()]
        return write(self.folder / name, [*records, *extra], **options)

    def test_the_larger_sum_of_each_hour_counts_in_any_order(self):
        export, feed = self.export(), self.feed("2024-03-01", step_count=self.hours(1, self.BUCKETS))
        runs = {"together": [(export, feed)], "other order": [(feed, export)], "export first": [(export,), (feed,)],
                "feed first": [(feed,), (export,)], "again": [(export, feed), (feed,), (export,), ()]}
        for data, sources in runs.items():
            for each in sources:
                self.sync(*each, data=data)
            self.assertEqual(self.hourly("2024-03-01", data), self.LARGER, data)
            self.assertEqual(self.steps(data), {"2024-03-01": sum(self.LARGER.values())})
            self.assertEqual(figures(self.folder / data / "healthsync.sqlite"),
                             figures(self.folder / "together/healthsync.sqlite"), data)

    def test_a_rewritten_file_replaces_its_values_also_on_the_server(self):
        peer = Peer(self)
        export = self.export()
        revisions = []
        for bucket, expected in ((420, 2000 - 30), (900, 2450), (310, 1860)):
            self.feed("2024-03-01", step_count=self.hours(1, {**self.BUCKETS, 9: bucket}))
            self.sync(export, self.folder / "feed", words=("--server", peer.url))
            self.assertEqual(self.steps()["2024-03-01"], expected)
            kept = peer.state()["records"]["progress"]["steps/day/2024-03-01"]
            self.assertEqual(kept["body"]["quantity"], expected)
            revisions.append(kept["revision"])
        self.assertEqual((revisions, peer.state()["violations"]), (sorted(set(revisions)), []))

    def test_a_newer_export_deletes_only_samples_of_exports(self):
        lonely = [raw_steps(2, 10, 111)]
        others = [raw_steps(day, 10, 1000) for day in range(5, 25)]
        feed = self.feed("2024-03-01", step_count=self.hours(1, self.BUCKETS) + self.hours(3, {10: 90}))
        self.sync(self.export(extra=lonely + others), feed)
        self.assertEqual(self.steps()["2024-03-03"], 111)
        newer = write(self.folder / "b.xml", others, "2024-04-02")
        self.sync(newer, feed)
        self.assertEqual(self.hourly("2024-03-01"), self.BUCKETS)
        self.assertEqual(self.steps()["2024-03-03"], 90)
        self.assertEqual(self.steps()["2024-03-06"], 1000)
        # Deleting the feed's file does not delete its samples.
        (feed / "HealthAutoExport-2024-03-01.json").unlink()
        self.feed("2024-03-20", step_count=self.hours(20, {10: 10}))
        self.sync(newer, feed)
        self.assertEqual(self.hourly("2024-03-01"), self.BUCKETS)

    def test_exported_rows_that_are_imported_again_count_once(self):
        self.sync(self.export(extra=[record(RATE, 0, 8, 0, 61, "count/min"), record(RATE, 0, 9, 0, 71, "count/min")]))
        before = figures(self.folder / "data/healthsync.sqlite")
        self.succeed("export", "--format", "jsonl", "--out", "rows.jsonl", "--zone", ZONE, "--data-dir", "data")
        self.sync("rows.jsonl")
        self.assertEqual(figures(self.folder / "data/healthsync.sqlite"), before)
        self.sync("rows.jsonl", "a.xml", data="both")
        self.assertEqual(figures(self.folder / "both/healthsync.sqlite"), before)
        self.sync("rows.jsonl", data="rows alone")
        self.assertEqual(figures(self.folder / "rows alone/healthsync.sqlite"), before)

    def test_day_and_hour_buckets_together_with_the_export(self):
        export = self.export()
        day_alone = self.feed("2024-03-01", step_count=[{"date": "2024-03-01 00:00:00 +0000", "qty": 5000}])
        self.sync(export, day_alone, data="more")
        self.assertEqual(self.steps("more"), {"2024-03-01": 5000})
        self.feed("2024-03-01", step_count=[{"date": "2024-03-01 00:00:00 +0000", "qty": 1500}])
        self.sync(export, day_alone, data="less")
        self.assertEqual(self.steps("less"), {"2024-03-01": sum(self.RAW.values())})

    def test_heart_rate_of_a_feed_fills_gaps(self):
        rates = [record(RATE, 0, hour, 0, value, "count/min") for hour, value in ((8.25, 60), (8.5, 80))]
        aggregated = [{"date": f"2024-03-01 {hour:02}:00:00 +0000", "Min": low, "Avg": mean, "Max": high, "source": "Watch"}
                      for hour, low, mean, high in ((8, 50, 90, 150), (15, 55, 65, 75))]
        self.sync(write(self.folder / "a.xml", rates), self.feed("2024-03-01", heart_rate=aggregated))
        hours = {row[0][11:13]: row[1:] for row in self.rows(
            "SELECT start, minimum, quantity, maximum FROM hour_progress WHERE metric = 'heartRate'")}
        self.assertEqual(hours, {"08": (60, 70, 80), "15": (55, 65, 75)})
        day = self.rows("SELECT minimum, maximum FROM daily_progress WHERE metric = 'heartRate'")
        self.assertEqual(day, [(55, 80)])

    def test_a_night_in_both_inputs_counts_once(self):
        stages = [record(SLEEP, 0, 22, 120, "HKCategoryValueSleepAnalysisAsleepCore", None),
                  record(SLEEP, 0, 24, 240, "HKCategoryValueSleepAnalysisAsleepDeep", None)]
        night = {"core": 3, "deep": 4, "rem": 0.5, "awake": 0, "asleep": 0, "inBed": 0, "source": "Watch",
                 "date": "2024-03-02 00:00:00 +0000",
                 "sleepStart": "2024-03-01 21:50:00 +0000", "sleepEnd": "2024-03-02 05:20:00 +0000"}
        self.sync(write(self.folder / "a.xml", stages), self.feed("2024-03-02", sleep_analysis=[night]))
        asleep = self.rows("SELECT minutes_asleep FROM activity_snapshot WHERE minutes_asleep IS NOT NULL")
        self.assertEqual(asleep, [(360,)])
        sessions = self.rows("SELECT counts, asleep_ms / 60000 FROM sleep_session ORDER BY counts")
        self.assertEqual(sessions, [(0, 450), (1, 360)])

    def test_counts_of_inspect_and_runs_add_up(self):
        export, feed = self.export(), self.feed("2024-03-01", step_count=self.hours(1, self.BUCKETS) + [{"qty": 5}])
        result = json.loads(self.sync(export, feed, words=("--json",), status=0).stdout)
        for source in result["sources"]:
            self.assertEqual(
                source["read"], source["stored"] + source["alreadyKnown"] + source["notSelected"]
                + sum(source["rejected"].values()), source)
        self.assertEqual(sorted(source["read"] for source in result["sources"]), [3, 4])


if __name__ == "__main__":
    unittest.main()
