"""A local database of schema 9 and a server of schema 3 get the current sample identities: after one run both contain
exactly what expat reads from the export and the feed."""

import json
import pathlib
import sqlite3
import sys
import unittest
from contextlib import closing

from support import identity_export as export
from support.harness import PEERS, ProgramTest, Server, figures, integrity

sys.path.insert(0, str(PEERS / "exports"))
from expected_samples import expected_of, identifier  # noqa: E402
from received_pages import samples  # noqa: E402

OLD = pathlib.Path(__file__).parent / "old_databases"
RAW = ("heartRate", "activeEnergyBurned", "sleepAnalysis")


class OldIdentities(ProgramTest):
    def setUp(self):
        super().setUp()
        self.export = export.write(self.folder / "export.xml", export.everything())
        self.feed = self.folder / "feed.jsonl"
        self.feed.write_text("".join(json.dumps(line) + "\n" for line in export.feed()))
        received = self.folder / "served" / "server" / "received.db"
        self.load("received_3.sql", received)
        self.server = Server(self)
        self.database = self.folder / "data" / "healthsync.sqlite"
        self.load("schema_9.sql", self.database)

    def load(self, name, path):
        path.parent.mkdir(parents=True, mode=0o700)
        text = (OLD / name).read_text()
        if "served" not in str(path):
            text = text.replace("http://server.invalid", self.server.url).replace("/home/anna", str(self.folder))
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript(text)
        path.chmod(0o600)

    def sync(self, *words, data="data"):
        return self.succeed("historical", "--zone", "UTC", "--data-dir", data, "--source", self.export, "--source", self.feed,
                            "--raw", ",".join(RAW), *words)

    def expected(self):
        """Returns the samples of each type by id. A walk with finer times in the feed has the feed's times and UUID."""
        held = {short: {name: sample for name, sample in found.items()}
                for short, found in expected_of(str(self.export), (*RAW, "stepCount")).items()}
        steps = held["stepCount"]
        for name in [name for name, sample in steps.items() if sample["count"] == 515]:
            del steps[name]
        for line in export.feed():
            steps[line.get("uuid", "lap")] = line
        return held

    def on_server(self):
        """Returns the live ids of each type, and separately that of the versioned sample of the feed, which states no id."""
        held = {}
        for row in samples(self.server.database):
            if not row["deleted"]:
                name = "lap" if row["value"] == 88 and row["bundle"] == "Pod" else str(row["id"])
                held.setdefault(row["type"], []).append(name)
        return {kind: sorted(names) for kind, names in held.items()}

    def wanted(self):
        return {"steps" if short == "stepCount" else short: sorted(found) for short, found in self.expected().items()}

    def counts(self):
        with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as connection:
            query = """SELECT identifier, sum(count) FROM sample_page JOIN sample_type ON sample_type.id = type_id
                JOIN origin ON origin.id = origin_id WHERE provider = 'appleHealth' GROUP BY identifier"""
            return dict(connection.execute(query).fetchall())

    def test_the_old_databases_are_wrong(self):
        self.assertNotEqual(self.on_server(), self.wanted())
        self.assertNotEqual(self.counts(), self.from_export())

    def from_export(self):
        return {identifier(short): len(found)
                for short, found in expected_of(str(self.export), (*RAW, "stepCount")).items()}

    def test_one_run_makes_both_equal_to_the_sources(self):
        told = self.sync("--server", self.server.url).stderr
        self.assertIn("HKExternalUUID", told)
        self.assertEqual(self.counts(), self.from_export())
        self.assertEqual(self.on_server(), self.wanted())
        repaired = self.run_program("verify", "--repair", "--zone", "UTC", "--data-dir", "data", "--server", self.server.url,
                                    *[word for short in (*RAW, "stepCount") for word in ("--type", short)])
        self.assertEqual(repaired.returncode, 0, repaired.stdout + repaired.stderr)
        self.assertEqual(self.on_server(), self.wanted())
        self.assertEqual(integrity(self.database), ["ok"])
        again = self.sync("--server", self.server.url)
        self.assertNotIn("HKExternalUUID", again.stderr)
        self.assertNotIn("sent", again.stdout)

    def test_figures_equal_those_of_a_new_database(self):
        self.sync()
        self.sync(data="fresh")
        self.assertEqual(figures(self.database), figures(self.folder / "fresh" / "healthsync.sqlite"))
        with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as connection:
            self.assertEqual(
                [row for row in connection.execute("SELECT device FROM origin") if "software" in row[0]],
                [row for row in connection.execute("SELECT device FROM origin WHERE id IN (SELECT origin_id FROM changed_page)")
                 if "software" in row[0]])


if __name__ == "__main__":
    unittest.main()
