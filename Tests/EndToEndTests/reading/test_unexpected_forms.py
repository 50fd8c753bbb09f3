"""Nothing in a source is ignored without a word: entries of a feed in an unexpected form, and content after the end of an
export."""

import copy
import json
import random
import sqlite3
import unittest
from contextlib import closing

from support import records
from support.harness import ProgramTest

ENTRIES = 4


def entry(number):
    return {"date": f"2024-03-{number + 1:02} 10:00:00 +0100", "qty": 5, "source": "Phone"}


def document(number=0):
    data = [entry(ENTRIES * number + index) for index in range(ENTRIES)]
    return {"data": {"metrics": [{"name": "step_count", "units": "count", "data": data}]}}


def twice(name, first, second):
    """Returns the text of an object that contains `name` twice."""
    return f'{{"{name}":{json.dumps(first)},"{name}":{json.dumps(second)}}}'


def in_place(text, value, replacement):
    whole = json.dumps(value)
    assert text.count(whole) == 1
    return text.replace(whole, replacement)


def changed(change):
    value = copy.deepcopy(document())
    change(value, value["data"]["metrics"][0])
    return json.dumps(value)


# The name of each form, and its text. Every one contains `ENTRIES` entries or more.
FORMS = {
    "two documents in a row": json.dumps(document()) + "\n" + json.dumps(document(1)),
    "text after the document": json.dumps(document()) + " end",
    "data that is a list": json.dumps({"data": [document()["data"]]}),
    "metrics that are an object": changed(lambda value, metric: value["data"].update(metrics={"a": metric})),
    "metrics that are a text": changed(lambda value, metric: value["data"].update(metrics="none")),
    "a metric that is a number": changed(lambda value, metric: value["data"]["metrics"].append(7)),
    "entries that are an object": changed(lambda value, metric: metric.update(data=metric["data"][0])),
    "a metric with entries twice": in_place(
        json.dumps(document()), document()["data"]["metrics"][0],
        f'{{"name":"step_count","units":"count",{twice("data", document()["data"]["metrics"][0]["data"], [entry(9)])[1:]}'),
    "a metric with two names": json.dumps(document()).replace('"name": "step_count"', '"name": "steps", "name": "step_count"'),
    "an entry with two values": json.dumps(document()).replace('"qty": 5', '"qty": 7, "qty": 5', 1),
    "an entry that is a list": changed(lambda value, metric: metric["data"].append([entry(9)])),
    "workouts that are an object": changed(lambda value, metric: value["data"].update(workouts={"a": {"name": "Walk"}})),
    "a member beside data": changed(lambda value, metric: value.update(other=[1, 2])),
}
# Forms in which every entry can be read; a member that is a list of its own is read twice if it occurs twice.
READABLE = {
    "metrics twice": '{"data":' + twice("metrics", document()["data"]["metrics"], document(1)["data"]["metrics"]) + "}",
    "data twice": twice("data", document()["data"], document(1)["data"]),
    "empty members": changed(lambda value, metric: value["data"].update(workouts=[], ecg=None, symptoms={})),
}


class UnexpectedForms(ProgramTest):
    def reading(self, text):
        path = self.folder / "HealthAutoExport-2024-03-01.json"
        path.write_text(text)
        return json.loads(self.run_program("inspect", "--json", path).stdout)["sources"][0]["reading"]

    def reported(self, reading):
        return sum(reading["skipped"].values()) + sum(reading["rejected"].values())

    def test_each_form_is_counted_with_its_place(self):
        for name, text in FORMS.items():
            with self.subTest(name):
                reading = self.reading(text)
                self.assertGreater(self.reported(reading), 0, reading)
                if name != "a member beside data" and name != "workouts that are an object":
                    self.assertTrue(reading["problems"], reading)
                    for problem in reading["problems"]:
                        self.assertLess(problem["byteOffset"], len(text))
                        self.assertFalse(text[problem["byteOffset"]].isspace())

    def test_readable_forms_are_read(self):
        for name, text in READABLE.items():
            with self.subTest(name):
                reading = self.reading(text)
                self.assertEqual(self.reported(reading), 0, reading)
                self.assertEqual(reading["read"], text.count('"qty"'), reading)

    def test_every_entry_is_read_or_something_is_reported(self):
        """Random members of random documents are repeated, moved or replaced by values of another kind."""
        chance, silent = random.Random(16), 0
        for _ in range(60):
            text = self.mutate(json.dumps(document()), chance)
            try:
                json.loads(text)
            except json.JSONDecodeError:
                continue
            reading = self.reading(text)
            if self.reported(reading) == 0 and not reading["problems"] and reading.get("incompleteAtByte") is None:
                silent += 1
                self.assertEqual(reading["read"], text.count('"qty"'), text)
        self.assertGreater(silent, 0)

    @staticmethod
    def mutate(text, chance):
        value = json.loads(text)
        holder, key = chance.choice([
            (value, "data"), (value["data"], "metrics"), (value["data"]["metrics"], 0),
            *[(value["data"]["metrics"][0], name) for name in ("name", "units", "data")],
            *[(value["data"]["metrics"][0]["data"], index) for index in range(ENTRIES)],
        ])
        kind = chance.randrange(4)
        if kind == 0 and isinstance(holder, dict):
            return text.replace(f'"{key}":', f'"{key}": {json.dumps(holder[key])}, "{key}":', 1)
        holder[key] = chance.choice([{"a": holder[key]}, [holder[key]], "text", 7, holder[key]])
        return json.dumps(value) if kind < 3 else json.dumps(value) + json.dumps(document(1))


class Entities(ProgramTest):
    def test_a_record_inside_an_entity_is_counted_as_skipped(self):
        path = records.write(self.folder / "export.xml", records.ordinary_days(3))
        text = path.read_text()
        first = text.index("<Record")
        hidden = text[first:text.index("/>", first) + 2].replace('"', "'")
        self.assertIn("value=", hidden)
        text = text.replace("<HealthData ", f'<!DOCTYPE HealthData [<!ENTITY hidden "{hidden}">]>\n<HealthData ', 1)
        text = text.replace("</HealthData>", " &hidden;\n&hidden; <!-- a comment -->\n &hidden;\n</HealthData>")
        path.write_text(text)
        reading = json.loads(self.run_program("inspect", "--json", path).stdout)["sources"][0]["reading"]
        self.assertEqual(reading["read"], len(records.ordinary_days(3)))
        self.assertEqual(reading["skipped"], {"entity reference": 3})
        self.assertEqual(
            reading["problems"],
            [{"byteOffset": text.encode().index(b"&hidden;"), "what": "reference to an entity, not expanded"}])


class AfterTheEnd(ProgramTest):
    """Exports whose good part is followed by 20 GB that no export contains; the file is sparse."""

    def check(self, path, *expected):
        with open(path, "r+b") as file:
            file.truncate(20 << 30)
        result = self.run_program("historical", "--zone", "UTC", "--data-dir", "data", "--source", path, "--json")
        self.assertEqual(result.returncode, 65, result.stderr)
        source = json.loads(result.stdout)["sources"][0]
        self.assertGreater(source["stored"], 0)
        notes = [(problem["byteOffset"], problem["what"]) for problem in source["problems"]]
        for note in expected:
            self.assertIn(note, notes)

    def test_zeros_after_the_end(self):
        path = records.write(self.folder / "export.xml", records.ordinary_days(3))
        size = path.stat().st_size
        self.assertTrue(path.read_bytes().rstrip().endswith(b"</HealthData>"))
        self.check(path, (size, "content after the end"))

    def test_zeros_instead_of_the_rest(self):
        path = records.write(self.folder / "export.xml", records.ordinary_days(3))
        whole = path.read_bytes()
        end = whole.rindex(b"</HealthData>")
        path.write_bytes(whole[:end])
        self.check(path, (end, "no markup in the 64 MiB from here on, the rest is not read"))


class OldAndNewForms(ProgramTest):
    def figures(self):
        with closing(sqlite3.connect(f"file:{self.folder}/data/healthsync.sqlite?mode=ro", uri=True)) as connection:
            return connection.execute("SELECT metric, minimum, maximum, count FROM daily_progress").fetchall()

    def test_sleep_without_a_value_is_time_in_bed(self):
        kind = "HKCategoryTypeIdentifierSleepAnalysis"
        rows = "".join(
            f'<Record type="{kind}" sourceName="Clock" startDate="2014-10-0{day} 22:00:00 +0000" endDate="2014-10-0{day + 1} 06:00:00 +0000"{value}/>'
            for day, value in ((1, ""), (3, ' value="HKCategoryValueSleepAnalysisInBed"')))
        (self.folder / "export.xml").write_text(
            f'<HealthData locale="en_US"><ExportDate value="2014-11-01 08:00:00 +0000"/>{rows}</HealthData>')
        report = json.loads(self.succeed("import", "export.xml", "--zone", "UTC", "--data-dir", "data", "--json").stdout)
        self.assertEqual([(source["stored"], source["rejected"]) for source in report["sources"]], [(2, {})])
        with closing(sqlite3.connect(f"file:{self.folder}/data/healthsync.sqlite?mode=ro", uri=True)) as connection:
            nights = connection.execute("SELECT end_ms - start_ms FROM sleep_session ORDER BY day, start_ms").fetchall()
        self.assertEqual(nights, [(8 * 3_600_000,)] * 2)

    def test_heart_rates_on_a_whole_minute_are_measurements_unless_all_are(self):
        for seconds, expected in (((0, 30), (90, 180, 2)), ((0, 60), (90, 180, 2)), ((30, 60), (90, 180, 2)), ((7, 21), (90, 180, 2))):
            with self.subTest(seconds=seconds):
                self.doCleanups()
                self.setUp()
                data = [{"date": f"2024-03-05 08:{4 + second // 60:02}:{second % 60:02} +0000", "Min": rate, "Avg": rate, "Max": rate,
                         "source": "Watch"} for second, rate in zip(seconds, (180, 90))]
                (self.folder / "HealthAutoExport-2024-03-05.json").write_text(json.dumps(
                    {"data": {"metrics": [{"name": "heart_rate", "units": "count/min", "data": data}]}}))
                self.succeed("import", "HealthAutoExport-2024-03-05.json", "--zone", "UTC", "--data-dir", "data")
                self.assertEqual([row[1:] for row in self.figures() if row[0] == "heartRate"], [expected])


if __name__ == "__main__":
    unittest.main()
