"""A sample is identified by content and origin, independent of identifiers from apps, of updates and of restores."""

import json
import sqlite3
import sys
import unittest
from contextlib import closing

from support import identity_export as export
from support.harness import PEERS, ProgramTest, Server

sys.path.insert(0, str(PEERS / "exports"))
from expected_samples import expected  # noqa: E402


class Identity(ProgramTest):
    WORDS = ("--zone", "UTC", "--data-dir", "data")

    def run_on(self, *records, day=22, name="export.xml", words=()):
        path = export.write(self.folder / name, records, day)
        return self.succeed("historical", *self.WORDS, "--source", path, *words)

    def feed(self, name, *lines):
        path = self.folder / name
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        return self.succeed("historical", *self.WORDS, "--source", path)

    def query(self, text):
        database = self.folder / "data" / "healthsync.sqlite"
        with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
            return connection.execute(text).fetchall()

    def days(self, metric, column="quantity"):
        return self.query(f"SELECT day, round({column}, 6) FROM daily_progress WHERE metric = '{metric}' ORDER BY day")

    def nights(self):
        return self.query("SELECT day, asleep_ms / 60000 FROM sleep_session ORDER BY start_ms")

    def test_names_of_other_bytes_are_other_sources(self):
        # Composed and decomposed, a sign and its letter, marks in two orders: each pair is canonically equivalent.
        names = ["caf\u00e9", "cafe\u0301", "\u212a", "K", "a\u0323\u0301", "a\u0301\u0323"]
        walks = [export.record("StepCount", 60 * n, 10, 10 + n, name, "") for n, name in enumerate(names)]
        walks += [export.record("StepCount", 600 + 60 * n, 10, 20 + n, "Watch", export.device(name, "Watch7,2", "1"))
                  for n, name in enumerate(names)]
        server = Server(self)
        self.run_on(*walks, words=("--server", server.url))
        origins = self.query("SELECT CAST(source_name AS BLOB), CAST(device AS BLOB) FROM origin")
        self.assertEqual(sorted(name.decode() for name, _ in origins), sorted(names + ["Watch"] * len(names)))
        self.assertEqual(len({device for _, device in origins}), 1 + len(names))
        self.assertEqual(self.days("steps"), [("2024-01-15", sum(range(10, 16)) + sum(range(20, 26)))])
        status, _, body = server.request("GET", "/steps", headers={"Accept": "application/x-ndjson"})
        self.assertEqual(status, 200)
        held = [json.loads(line) for line in body.splitlines()]
        self.assertEqual(sorted((row["sourceBundleId"], row["count"]) for row in held if row["sourceBundleId"] != "Watch"),
                         sorted((name, 10 + n) for n, name in enumerate(names)))
        self.assertEqual(len(held), 2 * len(names))
        with closing(sqlite3.connect(f"file:{server.database}?mode=ro", uri=True)) as connection:
            stored = connection.execute("SELECT CAST(bundle_id AS BLOB), CAST(device_name AS BLOB) FROM origins").fetchall()
        self.assertEqual(sorted({name.decode() for name, _ in stored}), sorted(names + ["Watch"]))
        self.assertEqual(len(stored), 2 * len(names))
        self.assertEqual(self.run_on(*walks, words=("--server", server.url)).returncode, 0)
        self.assertEqual(len(self.query("SELECT id FROM origin")), 2 * len(names))

    def test_a_night_with_one_external_uuid_has_seven_hours(self):
        self.run_on(*export.stamped_night())
        self.assertEqual(self.nights(), [("2024-01-16", 7 * 60)])

    def test_energies_with_one_external_uuid_add_up(self):
        self.run_on(*export.stamped_energy())
        self.assertEqual(self.days("activeEnergy"), [("2024-01-16", 379.9)])

    def test_six_samples_with_one_external_uuid_are_six_on_a_server(self):
        server = Server(self)
        self.run_on(*export.stamped_walk(), words=("--server", server.url))
        status, _, body = server.request("GET", "/steps", headers={"Accept": "application/x-ndjson"})
        self.assertEqual(status, 200)
        held = [json.loads(line) for line in body.splitlines()]
        self.assertEqual({row["uuid"]: row["count"] for row in held},
                         {name: row["count"] for name, row in expected(str(self.folder / "export.xml")).items()})
        self.assertEqual(sorted(row["count"] for row in held), list(range(100, 106)))

    def test_a_watch_update_does_not_split_a_night(self):
        self.run_on(*export.night_of_an_update())
        self.assertEqual(self.nights(), [("2024-01-18", 6 * 60)])

    def test_a_restored_phone_counts_nothing_twice(self):
        self.run_on(*export.rates(export.PHONE), *export.rates(export.RESTORED_PHONE))
        self.assertEqual(self.days("heartRate", "count"), [("2024-01-19", 60)])

    def test_a_phone_restored_between_two_exports_counts_nothing_twice(self):
        self.run_on(*export.rates(export.PHONE))
        tracked = self.query("SELECT metric, day, digest FROM day_tracking")
        self.run_on(*export.rates(export.RESTORED_PHONE), day=23)
        self.assertEqual(self.days("heartRate", "count"), [("2024-01-19", 60)])
        self.assertEqual(self.query("SELECT metric, day, digest FROM day_tracking"), tracked)
        self.assertEqual(self.query("SELECT count(*) FROM sample_tombstone"), [(0,)])

    def test_the_highest_version_counts_on_any_day(self):
        self.run_on(*export.versions())
        self.assertEqual(self.days("steps"), [("2024-01-21", 1200)])

    def test_an_identifier_is_scoped_to_type_and_source(self):
        self.run_on(
            export.versioned("StepCount", export.day(16, 8), 10, 100, "a", 1),
            export.versioned("StepCount", export.day(16, 9), 10, 200, "a", 2, source="Other"),
            export.versioned("ActiveEnergyBurned", export.day(16, 9), 10, 30, "a", 3))
        self.assertEqual(self.days("steps"), [("2024-01-16", 300)])
        self.assertEqual(self.days("activeEnergy"), [("2024-01-16", 30)])

    def test_an_identifier_without_a_version_is_ignored(self):
        self.run_on(*[export.record("StepCount", export.day(16, 8) + 10 * n, 10, 100, "Fit", "",
                                    HKMetadataKeySyncIdentifier="a") for n in range(3)])
        self.assertEqual(self.days("steps"), [("2024-01-16", 300)])

    def line(self, hour, count, version, number=16, identifier="walk"):
        return {"startDate": f"2024-01-{number}T{hour:02}:00:00Z", "endDate": f"2024-01-{number}T{hour:02}:30:00Z",
                "count": count, "sourceBundleId": "Fit", "externalID": identifier, "syncVersion": version}

    def test_a_version_replaces_lower_ones_of_other_files_and_days(self):
        self.feed("1.jsonl", self.line(8, 100, 1), self.line(9, 50, 1, identifier="other"))
        self.feed("2.jsonl", self.line(10, 200, 3, number=17))
        self.assertEqual(self.days("steps"), [("2024-01-16", 50), ("2024-01-17", 200)])
        self.feed("3.jsonl", self.line(11, 150, 2, number=18))
        self.assertEqual(self.days("steps"), [("2024-01-16", 50), ("2024-01-17", 200)])
        self.feed("4.jsonl", self.line(7, 250, 3))
        self.assertEqual(self.days("steps"), [("2024-01-16", 300)])

    def test_a_version_replaces_another_on_a_server(self):
        server = Server(self)
        self.run_on(export.versioned("StepCount", export.day(16, 8), 10, 100, "a", 1), words=("--server", server.url))
        self.run_on(export.versioned("StepCount", export.day(17, 8), 10, 200, "a", 2), day=23,
                    words=("--server", server.url, "--allow-deletions"))
        status, _, body = server.request("GET", "/steps", headers={"Accept": "application/x-ndjson"})
        self.assertEqual([json.loads(line)["count"] for line in body.splitlines()], [200], (status, body))


if __name__ == "__main__":
    unittest.main()
