"""Every quantity in the data is a metric without a list. After an upgrade, one notice names the command that adds the metrics that a
store lacks, and their earlier days are sent only on request. The expected figures are calculated by Python."""

import json
import random
import re
import signal
import sqlite3
import unittest
import urllib.request
from contextlib import closing

from support import records
from support.harness import PATIENCE, Dashboard, ProgramTest, Server, received_records
from support.records import record

DAYS = 12
# The days that a store had before its upgrade.
FORMER_DAYS = 8
FORMER = ["steps", "heartRate", "sleep", "activeEnergy", "exerciseMinutes", "walkingDistance", "restingHeartRate"]
ADDED = re.compile(r"`healthsync ([^`]+)`")
# Metric, type, unit, lowest and highest whole number in the file, and how a day is calculated.
FURTHER = [
    ("bodyMass", "BodyMass", "kg", 60, 90, "last"),
    ("bodyFatPercentage", "BodyFatPercentage", "%", 0.2, 0.3, "last"),
    ("bloodPressureSystolic", "BloodPressureSystolic", "mmHg", 110, 140, "mean"),
    ("bloodPressureDiastolic", "BloodPressureDiastolic", "mmHg", 60, 90, "mean"),
    ("heartRateVariabilitySDNN", "HeartRateVariabilitySDNN", "ms", 20, 90, "mean"),
    ("respiratoryRate", "RespiratoryRate", "count/min", 11, 18, "mean"),
    ("vO2Max", "VO2Max", "mL/min·kg", 30, 50, "mean"),
    ("flightsClimbed", "FlightsClimbed", "count", 1, 5, "sum"),
    ("basalEnergyBurned", "BasalEnergyBurned", "kcal", 40, 90, "sum"),
    ("dietaryWater", "DietaryWater", "mL", 100, 400, "sum"),
]
USUAL = [
    (records.COUNT, "count", 500, 10), ("HKQuantityTypeIdentifierActiveEnergyBurned", "kcal", 30, 10),
    ("HKQuantityTypeIdentifierAppleExerciseTime", "min", 5, 10),
    ("HKQuantityTypeIdentifierDistanceWalkingRunning", "km", 1, 10), (records.RATE, "count/min", 60, 0),
    ("HKQuantityTypeIdentifierRestingHeartRate", "count/min", 55, 0),
]


def life(seed, days=DAYS):
    """Returns the records of seventeen types, and the figures of the further metrics by metric and day."""
    chance = random.Random(seed)
    rows, figures = [], {}
    for day in range(days):
        rows += [record(kind, day, 12, minutes, value + day, unit) for kind, unit, value, minutes in USUAL]
        rows.append(record(records.SLEEP, day, 22, 120, "HKCategoryValueSleepAnalysisAsleepCore", None))
        rows.append(record("HKCategoryTypeIdentifierMindfulSession", day, 20, 10, "HKCategoryValueNotApplicable", None))
        for metric, kind, unit, low, high, rule in FURTHER:
            hours = sorted(chance.sample(range(7, 20), chance.randint(1, 4)))
            values = [chance.randint(low, high) if high > 1 else round(chance.uniform(low, high), 3) for _ in hours]
            minutes = 10 if rule == "sum" and kind != "DietaryWater" else 0
            rows += [record(f"HKQuantityTypeIdentifier{kind}", day, hour, minutes, value, unit)
                     for hour, value in zip(hours, values)]
            figure = {"sum": sum(values), "last": values[-1], "mean": sum(values) / len(values)}[rule]
            figures[metric, f"{records.DAY_ONE.date().replace(day=1 + day)}"] = figure
    return rows, figures


class MetricsTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.environment["TZ"] = "UTC"
        self.database = self.folder / "share/healthsync/healthsync.sqlite"
        self.rows_of_life, self.expected = life(7)
        records.write(self.folder / "export.xml", self.rows_of_life)

    def query(self, text, *values):
        with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as connection:
            return connection.execute(text, values).fetchall()

    def metrics(self):
        return {metric for metric, in self.query("SELECT DISTINCT metric FROM daily_progress")}

    def sent(self, server):
        """Returns the metrics and days of the further daily figures on the server."""
        bodies = [json.loads(body) for kind, _, body in received_records(server.database) if kind == "progress"]
        names = {row[0] for row in FURTHER}
        return {(body["type"], body["day"]) for body in bodies if body["granularity"] == "day" and body["type"] in names}

    def assert_figures(self):
        names = sorted({row[0] for row in FURTHER})
        found = {row[:2]: row[2] for row in self.query(
            f"SELECT metric, day, quantity FROM daily_progress WHERE metric IN ({','.join('?' * len(names))})", *names)}
        self.assertEqual(found.keys(), self.expected.keys())
        for key, figure in self.expected.items():
            self.assertAlmostEqual(found[key], figure, delta=1e-6 * figure, msg=key)


class DefaultMetrics(MetricsTest):
    def test_one_import_derives_every_quantity(self):
        report = self.json_of("import", "export.xml")
        derived = {entry["metric"] for entry in report["metrics"] if entry["outcome"] == "synced"}
        self.assertEqual(derived, {row[0] for row in FURTHER} | set(FORMER))
        self.assertEqual(len(derived), 17)
        self.assertIsNone(report["notice"])
        self.assertIsNone(report["omitted"])
        self.assert_figures()
        # Only the category is left out.
        self.assertEqual(report["sources"][0]["notSelected"], DAYS)
        self.assertEqual(list(report["sources"][0]["notSelectedTypes"].values()), [DAYS])
        [type] = report["sources"][0]["notSelectedTypes"]
        short = type.removeprefix("HKCategoryTypeIdentifier")
        text = self.succeed("historical", "export.xml", "--force").stdout
        self.assertIn(f"of other types: {short[0].lower()}{short[1:]} {DAYS}", text)
        kept = self.json_of("historical", "export.xml", "--force", "--types", "all")["sources"][0]
        self.assertEqual((kept["notSelected"], kept["notSelectedTypes"]), (0, {}))
        self.assertIn(type, self.json_of("status")["sampleTypes"])
        again = self.succeed("daily", "export.xml").stdout
        self.assertIn("nothing new", again)
        self.assertNotIn("height", again)
        for name, metric in (("weight", "bodyMass"), ("water", "dietaryWater"), ("resting energy", "basalEnergyBurned")):
            shown = self.json_of("metric", name, "--from", "2024-03-01", "--to", f"2024-03-{DAYS}")
            self.assertEqual((shown["metric"], shown["recordedDays"]), (metric, DAYS))
            self.assertEqual(shown["outOfDate"]["days"], 0)
        status = self.json_of("status")
        self.assertEqual(set(status["metrics"]) | {"sleep"}, derived)
        self.assertEqual((status["outOfDate"]["days"], status["notice"], status["omitted"]), (0, None, None))
        self.assertEqual({entry["metric"] for entry in self.json_of("summary")["metrics"]}, derived - {"sleep"})
        self.assertIn("every other quantity", self.succeed("doctor").stdout)

    def test_every_type_of_the_table_is_a_metric(self):
        further = self.json_of("metrics")["furtherMetrics"]
        self.assertGreater(len(further), 90)
        value = {"%": "0.5", "degC": "36", "L": "3"}
        rows = [record(entry["reads"][0], 0, 12, 0 if entry["kind"] != "cumulative" else 5, value.get(entry["unit"], "5"),
                       entry["unit"]) for entry in further]
        # Values that every bound admits.
        plausible = {"bodyMass": 70, "leanBodyMass": 60, "height": 170, "bodyMassIndex": 22, "bloodGlucose": 90,
                     "bloodPressureSystolic": 120, "bloodPressureDiastolic": 80, "waistCircumference": 80,
                     "walkingHeartRateAverage": 80, "heartRateVariabilitySDNN": 40, "heartRateVariabilityRMSSD": 40,
                     "respiratoryRate": 15, "peakExpiratoryFlowRate": 400, "oxygenSaturation": 0.97,
                     "runningStrideLength": 100, "walkingStepLength": 70, "runningGroundContactTime": 250,
                     "runningVerticalOscillation": 9, "runningPower": 200, "cyclingPower": 200, "cyclingCadence": 80,
                     "cyclingFunctionalThresholdPower": 200, "sixMinuteWalkTestDistance": 500, "vO2Max": 40,
                     "environmentalAudioExposure": 60, "headphoneAudioExposure": 60, "heartRateRecoveryOneMinute": 30}
        rows = [(*row[:3], plausible.get(entry["metric"], row[3]), row[4]) for row, entry in zip(rows, further)]
        records.write(self.folder / "all.xml", rows)
        report = self.json_of("import", "all.xml")
        self.assertEqual(report["sources"][0]["stored"], len(further))
        self.assertEqual(self.metrics(), {entry["metric"] for entry in further})

    def test_a_configured_list_stays_a_list(self):
        config = self.folder / "config/healthsync/config.json"
        config.parent.mkdir(parents=True)
        config.write_text(json.dumps({"metrics": ["steps", "weight"]}))
        report = self.json_of("import", "export.xml")
        self.assertEqual([entry["metric"] for entry in report["metrics"]], ["bodyMass", "steps"])
        self.assertEqual(self.query("SELECT count(*) FROM sample_type WHERE id IN (SELECT type_id FROM sample_page)"), [(2,)])
        missing = self.succeed("metric", "water", "--from", "2024-03-01", "--to", "2024-03-09").stdout
        self.assertIn('"metrics": ["steps", "bodyMass", "dietaryWater"]', missing)
        # The advice of a metric that the list lacks: it is followed literally.
        config.write_text(json.dumps({"metrics": ["steps", "bodyMass", "dietaryWater"]}))
        self.succeed(*ADDED.findall(missing)[-1].replace("FILE", "export.xml").split())
        self.assertEqual(self.metrics(), {"steps", "bodyMass", "dietaryWater"})
        config.write_text("{}")
        self.succeed("historical", "export.xml")
        self.assert_figures()

    def test_a_metric_that_the_list_lacks_is_updated_by_the_command_that_is_named(self):
        self.succeed("import", "export.xml")
        rows = self.rows_of_life + [record("HKQuantityTypeIdentifierBodyMass", 0, 21, 0, 99, "kg")]
        records.write(self.folder / "export.xml", rows, "2024-04-02")
        self.succeed("daily", "export.xml", "--metrics", ",".join(FORMER), "--types", "bodyMass")
        shown = ("metric", "weight", "--from", "2024-03-01", "--to", "2024-03-01", "--metrics", "steps")
        config = self.folder / "config/healthsync/config.json"
        config.parent.mkdir(parents=True, exist_ok=True)
        config.write_text(json.dumps({"metrics": FORMER}))
        told = self.run_program(*shown[:-2])
        self.assertIn("out of date", told.stderr)
        self.succeed(*ADDED.findall(told.stderr)[0].split())
        told = self.succeed(*shown[:-2])
        self.assertNotIn("out of date", told.stderr)
        self.assertIn("99", told.stdout)


class Upgrade(MetricsTest):
    """A store of the former schema that had the seven metrics, and a server."""

    def setUp(self):
        super().setUp()
        former, _ = life(7, FORMER_DAYS)
        records.write(self.folder / "former.xml", former, "2024-03-20")
        self.server = Server(self)
        self.words = ("--server", self.server.url)

    def upgrade(self, *words):
        self.succeed("import", "former.xml", "--metrics", ",".join(FORMER), *words)
        with closing(sqlite3.connect(self.database)) as connection:
            connection.executescript("DROP TABLE former_delivery; DROP TABLE notice; PRAGMA user_version = 20")
        self.assertEqual(self.metrics(), set(FORMER) - {"sleep"})

    def earlier(self):
        return {key for key in self.expected if key[1] <= f"2024-03-0{FORMER_DAYS}"}

    def test_one_notice_names_the_command_that_adds_them(self):
        self.upgrade()
        self.assertEqual(self.succeed("historical", "--quiet").stdout, "")
        self.assertIn("every quantity in the data is a metric now", re.sub(r"\s+", " ", self.succeed("status").stdout))
        told = self.succeed("historical").stdout
        self.assertIn("every quantity in the data is a metric now", told)
        self.assertEqual(self.metrics(), set(FORMER) - {"sleep"})
        commands = ADDED.findall(told.split("every quantity")[1].split("\n\n")[0])
        self.assertEqual(commands, ["import FILE"])
        self.assertNotIn("every quantity", self.succeed("historical").stdout + self.succeed("status").stdout)
        added = self.succeed(*commands[0].replace("FILE", "export.xml").split()).stdout
        self.assertNotIn("not sent", added)
        self.assert_figures()
        self.assertNotIn("every quantity", self.succeed("daily", "export.xml").stdout)
        self.assertEqual(self.json_of("status")["outOfDate"]["days"], 0)

    def test_watch_shows_the_notice_once(self):
        self.upgrade()
        self.succeed("historical", "--quiet")
        self.assertIn("every quantity in the data is a metric now", re.sub(r"\s+", " ", self.succeed("doctor").stdout))
        rows = self.folder / "rows.jsonl"
        rows.write_text(json.dumps({
            "type": "HKQuantityTypeIdentifierStepCount", "unit": "count", "value": 5, "sourceBundleId": "Phone",
            "startDate": "2024-03-19T08:00:00Z", "endDate": "2024-03-19T08:10:00Z"}) + "\n")
        config = self.folder / "config/healthsync/config.json"
        config.parent.mkdir(parents=True, exist_ok=True)
        config.write_text(json.dumps({"sources": [str(rows)]}))
        watch = self.start("watch", "--listen", "127.0.0.1:0", "--json")
        events = [json.loads(watch.stdout.readline())]
        self.assertEqual(events[0]["event"], "listening")
        rows.touch()
        while events[-1]["event"] != "imported":
            events.append(json.loads(watch.stdout.readline()))
        watch.send_signal(signal.SIGTERM)
        events += [json.loads(line) for line in watch.communicate(timeout=PATIENCE)[0].splitlines()]
        notices = [event["text"] for event in events if event["event"] == "notice"]
        self.assertEqual(len(notices), 1, events)
        self.assertIn("every quantity in the data is a metric now", notices[0])
        self.assertNotIn("every quantity", self.succeed("daily").stdout + self.succeed("status").stdout)

    def test_an_import_that_adds_them_needs_no_notice(self):
        self.upgrade()
        self.assertNotIn("every quantity", self.succeed("daily", "former.xml").stdout)
        self.assertEqual(len(self.metrics()), len(FURTHER) + len(FORMER) - 1)
        self.assertNotIn("every quantity", self.succeed("historical").stdout)

    def test_earlier_days_wait_for_push_all(self):
        self.upgrade(*self.words)
        report = self.succeed("historical", "--source", "export.xml", *self.words).stdout
        self.assert_figures()
        self.assertEqual(self.sent(self.server), self.expected.keys() - self.earlier())
        omitted = {"records": len(self.earlier()), "metrics": len(FURTHER), "last": f"2024-03-0{FORMER_DAYS}"}
        self.assertIn(f"{len(self.earlier())} daily figures of {len(FURTHER)} further metrics", report)
        self.assertNotIn("not sent", self.succeed("daily", "export.xml", *self.words).stdout)
        self.assertEqual(self.json_of("status", *self.words)["omitted"], omitted)
        counted = f"{len(self.earlier())} daily figures of {len(FURTHER)} further metrics up to"
        flat = lambda text: re.sub(r"\s+", " ", text)
        for command in ("status", "doctor"):
            self.assertIn(f"{counted} 2024-03-0{FORMER_DAYS} are not sent", flat(self.succeed(command, *self.words).stdout))
        page = urllib.request.urlopen(Dashboard(self, *self.words).url.rstrip("/") + "/view/sync").read().decode()
        self.assertIn(f"{counted} {FORMER_DAYS} Mar 2024 are not sent; healthsync push --all sends them.", flat(page))
        self.succeed("verify", *self.words)
        self.succeed("push", *self.words)
        self.assertEqual(self.sent(self.server), self.expected.keys() - self.earlier())
        # Sending everything again does not send them.
        self.succeed("historical", "--force", *self.words)
        self.assertEqual(self.sent(self.server), self.expected.keys() - self.earlier())
        command = [found for found in ADDED.findall(report) if found.startswith("push")]
        self.assertEqual(command, [f"push --all --server {self.server.url}"])
        self.succeed(*command[0].split())
        self.assertEqual(self.sent(self.server), self.expected.keys())
        self.assertIsNone(self.json_of("status", *self.words)["omitted"])
        self.assertNotIn("not sent", self.succeed("doctor", *self.words).stdout)
        self.succeed("verify", *self.words)
        self.assertIn("0 records", self.succeed("push", "--all", *self.words).stdout)

    def test_named_metrics_and_new_servers_are_sent_whole(self):
        self.upgrade(*self.words)
        self.run_program("historical", "--source", "export.xml", "--metrics", "weight", *self.words)
        self.assertEqual(self.sent(self.server), {key for key in self.expected if key[0] == "bodyMass"})
        other = Server(self, folder="other")
        self.succeed("historical", "--source", "export.xml", "--server", other.url)
        self.assertEqual(self.sent(other), self.expected.keys())
        self.assertIsNone(self.json_of("status", "--server", other.url)["omitted"])

    def test_pages_list_metrics_with_data_only(self):
        self.upgrade()
        self.succeed("historical", "export.xml")
        dashboard = Dashboard(self)
        read = lambda path: urllib.request.urlopen(dashboard.url.rstrip("/") + path).read().decode()
        page = read("/view/metrics")
        linked = set(re.findall(r'/view/metric/(\w+)|/view/metric\?[^"]*metric=(\w+)', page))
        self.assertIn("Body mass", page)
        self.assertNotIn("Height", page)
        self.assertLess(read("/").count("<nav"), 3)
        self.assertLess(len(re.findall(r"<li><a", read("/").split("</nav>")[0])), 20)
        self.assertLessEqual(len(linked), len(FURTHER) + len(FORMER))


if __name__ == "__main__":
    unittest.main()
