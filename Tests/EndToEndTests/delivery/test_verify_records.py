"""`healthsync verify` compares derived records and deletions. Python reads the digests and both databases independently."""

import datetime
import html
import json
import random
import re
import shutil
import sqlite3
import unittest
import urllib.request
import zoneinfo
from contextlib import closing

from support.harness import PATIENCE, Dashboard, Peer, ProgramTest, Server
from support.records import COUNT as STEPS
from support.records import SLEEP, ordinary_days, write
from support.seeds import seeds
from support.times import milliseconds

from counting_proxy import CountingProxy
from digests import FIELDS, MASK, record_content

SEEDS = seeds(1, 2, 20)
KINDS = ("progress", "sleep", "snapshots")


def rows(database, query):
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        connection.row_factory = sqlite3.Row
        return connection.execute(query).fetchall()


def iso(moment):
    return f"{datetime.datetime.fromtimestamp(moment / 1000, datetime.timezone.utc):%Y-%m-%dT%H:%M:%SZ}"


def local_records(database):
    """Returns the local records as a server should list them: kind and id, then revision and values."""
    found = {}
    for row in rows(database, "SELECT * FROM daily_progress"):
        figures = {"start": row["start_ms"], "quantity": row["quantity"], "minimum": row["minimum"],
                   "maximum": row["maximum"], "count": row["count"], "held_ms": row["held_ms"]}
        for hour in [figures, *json.loads(row["hours"])]:
            granularity = "day" if hour is figures else "hour"
            identity = f"{row['metric']}/{granularity}/{row['day']}" + ("" if hour is figures else "/" + iso(hour["start"]))
            found["progress", identity] = (
                row["revision"], row["metric"], granularity, row["day"], hour["start"], hour["quantity"],
                hour.get("minimum"), hour.get("maximum"), hour.get("count"), hour.get("held_ms"), row["unit"])
    for row in rows(database, "SELECT * FROM sleep_session"):
        stages = [(stage["stage"], stage["start"], stage["end"]) for stage in json.loads(row["stages"])]
        found["sleep", row["source_id"]] = (row["revision"], row["start_ms"], row["end_ms"], row["source_name"], stages)
    for row in rows(database, "SELECT * FROM activity_snapshot"):
        found["snapshots", f"snapshot/{row['day']}"] = (
            row["revision"], row["day"], row["steps"], row["walking_distance_km"], row["active_energy_kcal"],
            row["exercise_minutes"], row["resting_heart_rate"], row["minutes_asleep"])
    return found


def without_hours(entries):
    """Returns the entries that are records; a day is one, with its hours."""
    return [(kind, identity) for kind, identity in entries if "/hour/" not in identity]


class VerifyRecords(ProgramTest):
    WORDS = ("--data-dir", "data", "--zone", "Europe/Berlin")

    def setUp(self):
        super().setUp()
        records = ordinary_days(45)
        gone = [item for item in records if item[0] == STEPS and item[1].day == 6 and item[1].month == 3]
        gone += [item for item in records if item[0] == STEPS and item[1].day == 9 and item[1].hour == 12]
        gone += [item for item in records if item[0] == SLEEP and item[1].day in (12, 13)][1:3]
        self.early = write(self.folder / "early.xml", records, "2024-05-01")
        self.late = write(self.folder / "late.xml", [item for item in records if item not in gone], "2024-05-02")
        # A night without stages, with an umlaut in its source.
        self.feed = self.folder / "feed.json"
        self.feed.write_text(json.dumps({"data": {"metrics": [{"name": "sleep_analysis", "units": "hr", "data": [{
            "date": "2024-04-20 00:00:00 +0200", "asleep": 6.51, "inBed": 7.25, "sleepSource": "Schläfer",
            "inBedStart": "2024-04-19 23:02:00 +0200", "inBedEnd": "2024-04-20 06:17:00 +0200",
            "sleepStart": "2024-04-19 23:10:00 +0200", "sleepEnd": "2024-04-20 06:10:00 +0200"}]}]}}))
        self.server = Server(self)
        self.database = self.folder / "data" / "healthsync.sqlite"
        self.sync(self.early)
        self.sync(self.feed)

    def sync(self, source, *options):
        self.succeed("historical", *self.WORDS, "--source", source, "--server", self.server.url,
                     "--deadline", str(PATIENCE), *options)

    def verify(self, *options, url=None):
        result = self.run_program("verify", *self.WORDS, "--server", url or self.server.url, "--json", *options)
        self.assertIn(result.returncode, (0, 4, 5), result.stderr + result.stdout)
        return result.returncode, json.loads(result.stdout) if result.stdout else result.stderr

    def differences(self, kinds):
        return {(kind["kind"], difference["id"], difference["difference"])
                for kind in kinds for difference in kind["differences"]}

    def ask(self, method, path, body=None):
        status, _, data = self.server.request(method, path, body)
        self.assertEqual(status, 200, data[:2000])
        return json.loads(data)

    def held(self):
        """Returns the records that the server lists over its API, in the form of `local_records`."""
        found = {}
        for entry in self.ask("GET", "/api/v1/progress?limit=10000")["data"]["entries"]:
            found["progress", entry["source_id"]] = (
                entry["revision"], entry["type"], entry["granularity"], entry["day"], milliseconds(entry["start"]),
                entry["quantity"], entry["min"], entry["max"], entry["count"], entry.get("held_ms"), entry["unit"])
        for session in self.ask("GET", "/api/v1/sleep?limit=1000")["data"]["sessions"]:
            stages = [(stage["stage"], milliseconds(stage["start_time"]), milliseconds(stage["end_time"]))
                      for stage in session["stages"]]
            found["sleep", session["source_id"]] = (
                session["revision"], milliseconds(session["start_time"]), milliseconds(session["end_time"]),
                session["source"], stages)
        for shot in self.ask("GET", "/api/v1/snapshots?limit=10000")["data"]["snapshots"]:
            found["snapshots", shot["source_id"]] = (
                shot["revision"], shot["day"], shot["steps"], shot["walking_distance_km"], shot["active_energy_kcal"],
                shot["exercise_minutes"], shot["resting_heart_rate"], shot["sleep_minutes"])
        return found

    def assert_equal_sides(self):
        self.assertEqual(self.held(), local_records(self.database))
        status, report = self.verify()
        self.assertEqual((status, report["equal"]), (0, True), report)
        known = {(row["kind"], row["id"]): row["revision"]
                 for row in rows(self.server.database, "SELECT kind, id, revision FROM records WHERE is_deleted")}
        for row in rows(self.database, "SELECT kind, source_id, revision FROM removed_record"):
            self.assertGreaterEqual(known.get((row["kind"], row["source_id"]), -1), row["revision"], row["source_id"])

    def change_database(self, change):
        """Applies `change` to the database of the stopped server."""
        self.server.stop()
        with closing(sqlite3.connect(self.server.database)) as connection:
            connection.row_factory = sqlite3.Row
            change(connection)
            connection.commit()
        self.server = Server(self, port=self.server.port)

    def test_digests_match_the_database(self):
        self.sync(self.late)
        stored = rows(self.server.database, "SELECT * FROM records")
        for kind in KINDS:
            of_kind = [row for row in stored if row["kind"] == kind]
            alive = {row["id"]: (row["day"], row["revision"],
                                 record_content(kind, row["id"], row["revision"], json.loads(row["body"])))
                     for row in of_kind if not row["is_deleted"]}
            deleted = {row["id"]: (None, row["revision"], record_content(kind, row["id"], row["revision"], None))
                       for row in of_kind if row["is_deleted"]}
            self.assertGreater(len(alive), 30)
            for bounds, first, last in (("", "0000", "9999"), ("&from=2024-03-09&to=2024-04-02", "2024-03-09", "2024-04-02")):
                within = {key: value for key, value in alive.items() if first <= value[0] <= last}
                answer = self.ask("GET", f"/api/v1/digest/records?kind={kind}{bounds}")
                months = {}
                for day, _, state in within.values():
                    count, total = months.get(day[:7], (0, 0))
                    months[day[:7]] = count + 1, (total + state) & MASK
                self.assertEqual({month["month"]: (month["count"], int(month["content"], 16))
                                  for month in answer["months"]}, months)
                self.assertEqual((answer["deleted"]["count"], int(answer["deleted"]["content"], 16)),
                                 (len(deleted), sum(state for *_, state in deleted.values()) & MASK))
                for limit, expected, which in ((7, within, bounds), (5_000, within, bounds), (2, deleted, "&deleted=true")):
                    listed, after = [], ""
                    while after is not None:
                        page = self.ask("GET", f"/api/v1/digest/entries?kind={kind}&limit={limit}{which}{after}")
                        self.assertLessEqual(len(page["entries"]), limit)
                        listed += page["entries"]
                        after = f"&after={page['next'].replace('/', '%2F')}" if "next" in page else None
                    self.assertEqual([entry["id"] for entry in listed], sorted(expected, key=str.encode))
                    self.assertEqual({entry["id"]: (entry.get("day"), entry["revision"], int(entry["content"], 16))
                                      for entry in listed}, expected)
        for wrong in ("", "?kind=steps", "?kind=sleep&from=x", "?kind=sleep&after=", "?kind=sleep&deleted=1",
                      "?kind=sleep&limit=5001"):
            self.assertEqual(self.server.request("GET", f"/api/v1/digest/entries{wrong}")[0], 400, wrong)

    def test_equal_sides_take_few_requests(self):
        self.sync(self.late)
        self.assert_equal_sides()
        with CountingProxy(self.server.port) as proxy:
            status, report = self.verify(url=f"http://127.0.0.1:{proxy.port}")
        self.assertEqual(status, 0)
        self.assertLess(proxy.requests, 10)
        local = local_records(self.database)
        self.assertEqual(sum(kind["entries"] for kind in report["records"]), len(local))
        self.assertEqual(sum(kind["records"] for kind in report["records"]), len(without_hours(local)))
        self.assertGreater(sum(kind["deletions"] for kind in report["records"]), 5)

    def tamper(self, chance):
        """Changes the server at random; returns the differences that a verification must report."""
        expected, known = set(), self.held()
        chosen = chance.sample(sorted(key for key in known), 24)
        entries = {entry["source_id"]: entry for entry in self.ask("GET", "/api/v1/progress?limit=10000")["data"]["entries"]}
        for kind, identity in chosen[:8]:
            revision = known[kind, identity][0] + chance.choice((0, 1, 9, 1 << 51))
            self.ask("DELETE", f"/api/v1/{kind}/{identity.replace('/', '%2F')}?revision={revision}")
            expected.add((kind, identity, "missing"))
        for kind, identity in chosen[8:16]:
            if kind == "progress":
                entry = {**entries[identity], "revision": known[kind, identity][0] + 1}
                entry["quantity"] += chance.choice((0, 1, 1e-9))
                self.ask("POST", "/api/v1/progress", {"entries": [entry]})
                expected.add((kind, identity, "changed"))
        year = chance.randrange(1990, 2019)
        self.ask("POST", "/api/v1/snapshots", {"snapshots": [{"day": f"{year}-02-03", "steps": 5, "revision": 1 << 50}]})
        added = {**entries[chance.choice(sorted(entries))], "source_id": f"steps/hour/2024-03-20/x {year}", "day": "2024-03-20"}
        self.ask("POST", "/api/v1/progress", {"entries": [added]})
        expected |= {("snapshots", f"snapshot/{year}-02-03", "surplus"), ("progress", added["source_id"], "surplus")}
        removed = rows(self.database, "SELECT kind, source_id FROM removed_record")
        unburied = chance.choice(removed)

        def change(connection):
            alive = "kind = ? AND id = ? AND NOT is_deleted"
            for number, (kind, identity) in enumerate(chosen[16:]):
                row = connection.execute(f"SELECT * FROM records WHERE {alive}", (kind, identity)).fetchone()
                body = json.loads(row["body"])
                if number % 2:
                    connection.execute(f"DELETE FROM records WHERE {alive}", (kind, identity))
                    expected.add((kind, identity, "missing"))
                    continue
                name = chance.choice([name for name in FIELDS[kind] if isinstance(body.get(name), (int, float))])
                body[name] += chance.choice((1, 0.0001))
                connection.execute(f"UPDATE records SET body = ? WHERE {alive}", (json.dumps(body), kind, identity))
                expected.add((kind, identity, "changed"))
            night = connection.execute("SELECT * FROM records WHERE kind = 'sleep' AND NOT is_deleted ORDER BY id"
                                       " LIMIT 1 OFFSET 2").fetchone()
            if ("sleep", night["id"]) not in chosen:
                body = json.loads(night["body"])
                body["stages"].pop()
                connection.execute("UPDATE records SET body = ? WHERE kind = 'sleep' AND id = ?",
                                   (json.dumps(body), night["id"]))
                expected.add(("sleep", night["id"], "changed"))
            connection.execute("DELETE FROM records WHERE is_deleted AND kind = ? AND id = ?", tuple(unburied))

        self.change_database(change)
        return expected | {(unburied["kind"], unburied["source_id"], "undeleted")}

    def test_finds_and_repairs_exactly_the_differences(self):
        self.sync(self.late)
        for seed in range(SEEDS):
            with self.subTest(seed=seed):
                expected = self.tamper(random.Random(seed))
                status, report = self.verify()
                self.assertEqual(status, 4)
                self.assertEqual(self.differences(report["records"]), expected)
                status, report = self.verify("--repair")
                self.assertEqual((status, report["equal"]), (0, True), report)
                self.assertEqual(self.differences(report["repair"]["foundRecords"]), expected)
                self.assert_equal_sides()
                before = self.held()
                self.sync(self.late)
                self.assertEqual(self.held(), before, "a repaired server receives nothing again")

    def test_only_the_selected_days_are_compared(self):
        self.ask("DELETE", "/api/v1/progress/steps%2Fday%2F2024-03-09?revision=9007199254740000")
        self.ask("DELETE", "/api/v1/snapshots/snapshot%2F2024-03-11?revision=9007199254740000")
        for days, expected in ((("2024-03-09", "2024-03-10"), {("progress", "steps/day/2024-03-09", "missing")}),
                               (("2024-03-11", "2024-04-30"), {("snapshots", "snapshot/2024-03-11", "missing")}),
                               (("2024-03-12", "2024-04-30"), set())):
            status, report = self.verify("--from", days[0], "--to", days[1])
            self.assertEqual((status, self.differences(report["records"])), (4 if expected else 0, expected))
        status, report = self.verify("--from", "2024-03-11", "--to", "2024-03-11", "--repair")
        self.assertEqual(status, 0, report)
        status, report = self.verify()
        self.assertEqual(self.differences(report["records"]), {("progress", "steps/day/2024-03-09", "missing")})

    def test_a_server_restored_from_a_backup_converges(self):
        backup = self.folder / "backup"
        self.server.stop()
        shutil.copytree(self.server.data, backup)
        self.server = Server(self, port=self.server.port)
        self.sync(self.late)
        complete = self.held()
        removed = {tuple(row) for row in rows(self.database, "SELECT kind, source_id FROM removed_record")}
        self.assertGreater(len(removed), 5)
        self.server.stop()
        shutil.rmtree(self.server.data)
        shutil.copytree(backup, self.server.data)
        self.server = Server(self, port=self.server.port)
        self.sync(self.late)
        self.assertNotEqual(self.held(), complete, "the client does not notice the restore")

        status, report = self.verify()
        self.assertEqual(status, 4)
        surplus = {(kind, identity) for kind, identity, what in self.differences(report["records"]) if what == "surplus"}
        self.assertTrue(surplus and surplus <= removed, surplus - removed)
        status, report = self.verify("--repair")
        self.assertEqual((status, report["equal"]), (0, True), report)
        self.assert_equal_sides()
        values = lambda records: {key: value[1:] for key, value in records.items()}
        self.assertEqual(values(self.held()), values(complete))

    def test_an_empty_server_is_filled_and_an_unrelated_one_is_not_emptied(self):
        self.server.stop()
        shutil.rmtree(self.server.data)
        self.server = Server(self, port=self.server.port)
        status, report = self.verify("--repair")
        self.assertEqual((status, report["equal"]), (0, True), report)
        self.assert_equal_sides()
        # An almost empty local database does not empty the server.
        self.WORDS = ("--data-dir", "other", "--zone", "Europe/Berlin")
        self.succeed("historical", *self.WORDS, "--source", self.feed)
        before = self.held()
        result = self.run_program("verify", *self.WORDS, "--server", self.server.url, "--repair")
        self.assertEqual(result.returncode, 65, result.stdout + result.stderr)
        self.assertEqual({key: self.held().get(key) for key in before}, before)

    def status(self):
        stored = self.json_of("status", *self.WORDS, "--server", self.server.url)["verification"]
        lines = self.succeed("status", *self.WORDS, "--server", self.server.url).stdout.splitlines()
        return stored, next(line.split(None, 1)[1] for line in lines if line.startswith("verified"))

    def page(self):
        """Returns the Sync page's text about the last verification, in the zone of the local database."""
        dashboard = Dashboard(self, *self.WORDS, "--server", self.server.url)
        with urllib.request.urlopen(dashboard.url.rstrip("/") + "/view/sync") as answer:
            text = answer.read().decode()
        dashboard.stop()
        return html.unescape(re.sub("<[^>]*>", "", re.search(r'<p[^>]*id="verification".*?</p>', text, re.DOTALL)[0]))

    def test_status_shows_the_result_of_the_last_verification(self):
        self.assertEqual(self.status(), ({"verdict": "never"}, "never verified"))
        self.assertEqual(self.page(), "Never verified.")
        self.verify("--from", "2024-03-01")
        self.assertEqual(self.status()[0], {"verdict": "never"}, "a partial verification is not stored")
        _, report = self.verify()
        samples = sum(kind["samples"] for kind in report["types"])
        stored, line = self.status()
        self.assertEqual((stored["verdict"], stored["records"], stored["samples"], stored["changedSince"]),
                         ("equal", len(without_hours(local_records(self.database))), samples, False))
        at = datetime.datetime.fromisoformat(stored["at"])
        self.assertEqual(line, f"all {stored['records']:,} records and {samples:,} samples verified {at:%Y-%m-%d %H:%M}")
        clock = datetime.datetime.now().astimezone(zoneinfo.ZoneInfo("Europe/Berlin")).utcoffset()
        self.assertEqual(at.utcoffset(), clock)
        self.assertIn(f"All {stored['records']:,} records and {samples:,} samples verified {at.day} {at:%b %Y} ",
                      self.page().replace("\u202f", ","))
        self.sync(self.late)
        self.assertTrue(self.status()[0]["changedSince"])
        self.assertTrue(self.page().endswith("; records changed since."))
        self.assertTrue(self.status()[1].endswith("; records changed since"))
        self.ask("DELETE", "/api/v1/progress/steps%2Fday%2F2024-03-10?revision=9007199254740000")
        self.verify()
        stored, line = self.status()
        self.assertEqual((stored["verdict"], stored["differing"], stored["changedSince"]), ("different", 1, False))
        self.assertTrue(line.startswith("1 difference, verified 20"), line)
        port = self.server.port
        self.server.stop()
        result = self.run_program("verify", *self.WORDS, "--server", f"http://127.0.0.1:{port}")
        self.assertEqual(result.returncode, 3)
        stored, line = self.status()
        self.assertEqual(stored["verdict"], "unreachable")
        self.assertIn("the server did not answer", line)

    def test_a_plain_server_is_reported_as_not_verified(self):
        peer = Peer(self, "--plain")
        result = self.run_program("verify", *self.WORDS, "--server", peer.url)
        self.assertEqual(result.returncode, 5)
        stored = self.json_of("status", *self.WORDS, "--server", peer.url)["verification"]
        self.assertEqual(stored["verdict"], "unverifiable")


if __name__ == "__main__":
    unittest.main()
