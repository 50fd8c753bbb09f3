"""A measurement in several inputs counts once: in any order, split and repetition, the figures equal those of the most
complete input alone."""

import json
import os
import random
import sqlite3
import unittest
import urllib.request
from contextlib import closing

from support.harness import Peer, ProgramTest
from support.one_user import person, rounded, write_buckets, write_export, write_lines
from support.seeds import seeds

ROUNDS = seeds(1, 4, 40)


class InputsTest(ProgramTest):
    def sync(self, *sources, data="data", words=(), zone="UTC"):
        named = [word for source in sources for word in ("--source", source)]
        self.succeed("historical", *named, "--zone", zone, "--data-dir", data, *words)

    def rows(self, query, data="data"):
        with closing(sqlite3.connect(f"file:{self.folder}/{data}/healthsync.sqlite?mode=ro", uri=True)) as connection:
            return connection.execute(query).fetchall()

    def quantities(self, metric, data="data"):
        return dict(self.rows(f"SELECT day, quantity FROM daily_progress WHERE metric = '{metric}'", data))

    def feed(self, *, name="HealthAutoExport-2024-01-15.json", written=None, unit="count", **metrics):
        path = self.folder / name
        path.write_text(json.dumps({"data": {"metrics": [
            {"name": metric, "units": "hr" if metric == "sleep_analysis" else unit, "data": entries}
            for metric, entries in metrics.items()]}}))
        if written:
            os.utime(path, (written, written))
        return path

    def export(self, *records):
        lines = "\n".join(f" <Record {record}/>" if "<" not in record else f" <Record {record}" for record in records)
        path = self.folder / "export.xml"
        path.write_text(f'<?xml version="1.0"?>\n<HealthData locale="en_US">\n'
                        f' <ExportDate value="2024-04-01 08:00:00 +0000"/>\n{lines}\n</HealthData>\n')
        return path


class OrdersSplitsRepetitions(InputsTest):
    def figures(self, data):
        """Returns the derived records without the names of inputs."""
        progress = self.rows(
            "SELECT metric, day, quantity, minimum, maximum, count, hours FROM daily_progress ORDER BY metric, day", data)
        nights = self.rows(
            "SELECT day, role, counts, start_ms, end_ms, in_bed_ms, asleep_ms, awake_ms, core_ms, deep_ms, rem_ms, stages"
            " FROM sleep_session ORDER BY start_ms", data)
        rounded = []
        for metric, day, *numbers, hours in progress:
            numbers = [number if number is None else round(number, 6) for number in numbers]
            rounded.append((metric, day, *numbers, [
                {name: round(value, 6) if isinstance(value, float) else value for name, value in hour.items()}
                if isinstance(hour, dict) else hour for hour in json.loads(hours)]))
        return rounded, nights

    def split(self, chance, measurements, name):
        """Writes the measurements to several files, some of them to two."""
        parts = [[] for _ in range(chance.randrange(1, 4))]
        for item in measurements:
            for part in chance.sample(parts, 1 if chance.random() < 0.8 else min(2, len(parts))):
                part.append(item)
        return [write_lines(self.folder / f"{name}-{number}.jsonl", part) for number, part in enumerate(parts) if part]

    def test_any_order_split_and_repetition_gives_the_most_complete_input(self):
        for seed in range(ROUNDS):
            chance = random.Random(seed)
            measurements = person(chance)
            export = write_export(self.folder / f"{seed}.xml", measurements)
            self.sync(write_lines(self.folder / f"{seed}.jsonl", measurements), data=f"lines{seed}")
            self.sync(export, data=f"export{seed}")
            for attempt in range(3):
                has_lines = attempt < 2
                # Compare sums with the most complete input, because the export rounds.
                summed = measurements if has_lines else [rounded(item) for item in measurements]
                buckets = [write_buckets(self.folder / f"{seed}-{attempt}-{seconds}.json", summed, seconds)
                           for seconds in (60, 3600, 86_400)]
                sources = [export, *chance.sample(buckets, chance.randrange(4))]
                if has_lines:
                    sources += self.split(chance, measurements, f"{seed}-{attempt}")
                    if chance.random() < 0.3:
                        sources.remove(export)
                sources += chance.sample(sources, chance.randrange(len(sources)))
                chance.shuffle(sources)
                data = f"mixed{seed}-{attempt}"
                while sources:
                    run = [sources.pop() for _ in range(min(len(sources), chance.randrange(1, 4)))]
                    self.sync(*dict.fromkeys(run), data=data, words=chance.choice([(), (), ("--force",)]))
                expected = self.figures(f"lines{seed}" if has_lines else f"export{seed}")
                found = self.figures(data)
                self.assertEqual(len(found[0]), len(expected[0]), f"seed {seed}, attempt {attempt}")
                for one, other in zip(found[0] + found[1], expected[0] + expected[1]):
                    self.assertEqual(one, other, f"seed {seed}, attempt {attempt}")


class MeasuredCases(InputsTest):
    WALK = ('type="HKQuantityTypeIdentifierStepCount" sourceName="Anna’s\u00a0Watch" unit="count"'
            ' device="&lt;&lt;HKDevice: 0x2&gt;, name:Apple Watch, model:Watch&gt;"'
            ' startDate="2024-01-15 08:00:00 +0000" endDate="2024-01-15 08:10:00 +0000" value="1000"')
    RATE = ('type="HKQuantityTypeIdentifierHeartRate" sourceName="Anna’s\u00a0Watch" unit="count/min"'
            ' startDate="2024-01-15 08:00:00 +0000" endDate="2024-01-15 08:00:00 +0000" value="61"')
    LINES = [
        {"type": "stepCount", "startDate": "2024-01-15T08:00:00.350Z", "endDate": "2024-01-15T08:10:00.120Z",
         "value": 1000, "unit": "count", "sourceBundleId": "Anna’s Watch", "uuid": "5d1f0a52-79c5-4f4a-8d0e-2f7f3ad0b001"},
        {"type": "heartRate", "startDate": "2024-01-15T08:00:00.512Z", "endDate": "2024-01-15T08:00:00.512Z",
         "value": 61, "unit": "count/min", "sourceBundleId": "Anna’s Watch", "uuid": "5d1f0a52-79c5-4f4a-8d0e-2f7f3ad0b002"},
    ]

    def lines(self):
        path = self.folder / "feed.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in self.LINES))
        return path

    def test_one_walk_of_an_export_and_a_feed_counts_once(self):
        export, lines = self.export(self.WALK, self.RATE), self.lines()
        for data, runs in {"one": [(export, lines)], "two": [(lines,), (export,)], "three": [(export,), (lines,)]}.items():
            for sources in runs:
                self.sync(*sources, data=data)
            self.assertEqual(self.quantities("steps", data), {"2024-01-15": 1000})
            self.assertEqual(self.rows("SELECT count FROM daily_progress WHERE metric = 'heartRate'", data), [(1,)])

    def test_a_server_gets_the_measurement_once_with_the_finer_times(self):
        peer = Peer(self)
        self.sync(self.export(self.WALK), words=("--server", peer.url))
        self.sync(self.lines(), words=("--server", peer.url))
        with urllib.request.urlopen(f"{peer.url}/steps") as answer:
            steps = json.load(answer)["samples"]
        self.assertEqual([(step["uuid"].lower(), step["count"]) for step in steps], [(self.LINES[0]["uuid"], 1000)])
        self.assertEqual(peer.state()["violations"], [])

    def test_entries_without_end_from_several_sources_are_alternatives(self):
        watch, phone = ({"qty": 6000, "source": "Anna’s Watch"}, {"qty": 5880, "source": "iPhone"})
        for data, dates in {"seconds": ("08:00:03", "08:00:10"), "bucket": ("08:00:00", "08:00:00")}.items():
            entries = [{"date": f"2024-01-15 {date} +0000", **entry} for date, entry in zip(dates, (watch, phone))]
            self.sync(self.feed(step_count=entries), data=data)
            self.assertEqual(self.quantities("steps", data), {"2024-01-15": 6000})

    def test_steps_entered_by_hand_count_in_full(self):
        entered = ('type="HKQuantityTypeIdentifierStepCount" sourceName="Health" unit="count"'
                   ' startDate="2024-01-15 08:05:00 +0000" endDate="2024-01-15 08:05:00 +0000" value="5000">'
                   '<MetadataEntry key="HKWasUserEntered" value="1"/></Record>')
        self.sync(self.export(self.WALK.replace('"1000"', '"200"'), entered))
        self.assertEqual(self.quantities("steps"), {"2024-01-15": 5200})

    def test_a_bucket_that_has_not_ended_is_not_spread_over_its_future(self):
        midnight = 1705276800
        entry = {"date": "2024-01-15 00:00:00 +0000", "qty": 50}
        for minutes, quantity, hours in ((20, 50, ["00"]), (190, 400, ["00", "01", "02", "03"]), (1500, 2400, None)):
            self.sync(self.feed(step_count=[{**entry, "qty": quantity}], written=midnight + minutes * 60))
            self.assertEqual(self.quantities("steps"), {"2024-01-15": quantity})
            found = self.rows("SELECT start FROM hour_progress WHERE metric = 'steps'")
            self.assertEqual([row[0][11:13] for row in found], hours or [f"{hour:02}" for hour in range(24)])
        self.sync(self.feed(step_count=[entry], written=midnight + 1200))
        self.assertEqual(self.quantities("steps"), {"2024-01-15": 2400})

    def nights(self, *entries):
        self.sync(self.feed(sleep_analysis=list(entries)), zone="Europe/Berlin")
        return self.rows("SELECT day, in_bed_ms / 60000, asleep_ms / 60000 FROM sleep_session ORDER BY day")

    def test_adjacent_entries_of_two_nights_stay_two_nights(self):
        stages = {"asleep": 0, "core": 6, "deep": 1, "rem": 1, "awake": 0.2, "inBed": 0, "source": "Watch"}
        nights = self.nights(
            {"date": "2024-01-14 00:00:00 +0100", "sleepStart": "2024-01-13 22:00:00 +0100",
             "sleepEnd": "2024-01-14 13:32:00 +0100", **stages},
            {"date": "2024-01-15 00:00:00 +0100", "sleepStart": "2024-01-14 13:32:00 +0100",
             "sleepEnd": "2024-01-15 05:32:00 +0100", **stages})
        self.assertEqual(nights, [("2024-01-14", 932, 480), ("2024-01-15", 960, 480)])

    def test_sleep_without_a_stage_of_another_source_does_not_add_to_stages(self):
        nights = self.nights(
            {"date": "2024-01-14 00:00:00 +0100", "sleepStart": "2024-01-13 22:00:00 +0100", "inBed": 0, "awake": 0.2,
             "sleepEnd": "2024-01-14 06:46:00 +0100", "asleep": 7.7, "core": 5, "deep": 1.35, "rem": 1.5,
             "source": "Watch|Sleep++"})
        self.assertEqual(nights, [("2024-01-14", 526, 471)])

    def test_healthkit_names_are_recognized(self):
        entry = [{"date": "2024-01-15 08:00:00 +0000", "qty": 120, "source": "Diary"}]
        feed = self.feed(unit="mg", dietary_caffeine=entry, caffeine_unknown=entry)
        self.sync(feed, words=("--metrics", "dietaryCaffeine"))
        self.assertEqual(list(self.quantities("dietaryCaffeine").values()), [120])
        notes = self.succeed("inspect", feed)
        self.assertIn("caffeine_unknown", notes.stdout + notes.stderr)


if __name__ == "__main__":
    unittest.main()
