"""Several exports: in one folder, together with a feed, and an older one imported after a newer one."""

import json
import os
import resource
import shutil
import subprocess
import unittest
import xml.parsers.expat
import zipfile
from collections import Counter

from support.harness import BINARY, PATIENCE, ProgramTest, extract_xml, figures, samples

WORDS = ("--zone", "Europe/Paris")


def export(date, *steps):
    """Returns an export of `date` with a sample of steps in each hour of 1 March 2024."""
    rows = "".join(
        f'<Record type="HKQuantityTypeIdentifierStepCount" sourceName="iPhone" unit="count" value="{count}" '
        f'startDate="2024-03-01 {hour:02}:00:00 +0000" endDate="2024-03-01 {hour:02}:10:00 +0000"/>\n'
        for hour, count in enumerate(steps))
    return f'<?xml version="1.0"?>\n<HealthData locale="de_DE">\n<ExportDate value="{date}"/>\n{rows}</HealthData>\n'


def elements_below_the_root(path):
    """Counts the elements below the root with expat."""
    counts, depth = Counter(), 0

    def start(name, _):
        nonlocal depth
        counts.update([name] if depth == 1 else [])
        depth += 1

    def end(_):
        nonlocal depth
        depth -= 1

    parser = xml.parsers.expat.ParserCreate()
    parser.StartElementHandler, parser.EndElementHandler = start, end
    with open(path, "rb") as file:
        parser.ParseFile(file)
    return counts


class SideBySide(ProgramTest):
    def write(self, name, text, modified=None):
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        if name.endswith(".zip"):
            with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
                archive.writestr("apple_health_export/Exportieren.xml", text)
        else:
            path.write_text(text)
        if modified:
            os.utime(path, (modified, modified))
        return path

    def test_the_newest_of_a_folder_is_read_and_the_others_are_listed(self):
        older = self.write("in/export.zip", export("2024-03-02 10:00:00 +0100", *range(1, 20)), modified=2_000_000_000)
        newer = self.write("in/export 2.zip", export("2024-03-03 10:00:00 +0100", 5, 6), modified=1_000_000_000)
        same = self.write("in/export.xml", export("2024-03-03 09:00:00 +0000", 5))
        broken = self.write("in/export 3.zip", "x", modified=3_000_000_000)
        broken.write_bytes(newer.read_bytes()[:-30])
        os.utime(broken, (3_000_000_000, 3_000_000_000))
        (self.folder / "in/photos.zip").write_bytes(b"PK\x05\x06" + bytes(18))
        os.utime(self.folder / "in/photos.zip", (900_000_000, 900_000_000))
        run = self.run_program("historical", *WORDS, "--source", "in", "--data-dir", "data", "--json")
        self.assertEqual(run.returncode, 0, run.stderr)
        report = json.loads(run.stdout)
        self.assertEqual([source["locations"] for source in report["sources"]], [[str(newer)]])
        self.assertEqual(report["sources"][0]["stored"], 2)
        unread = {entry["path"]: entry["exportDate"] for entry in report["notRead"]}
        self.assertEqual(
            unread, {str(older): "2024-03-02T09:00:00Z", str(same): "2024-03-03T09:00:00Z", str(broken): None})
        for path in unread:
            self.assertIn(f"{path} ", run.stderr)
        text = self.run_program("inspect", *WORDS, "in")
        self.assertIn(f"{older} (exported 2024-03-02 10:00) is not read: {newer} is newer and is read", text.stderr)
        self.assertIn(f"{newer} (appleHealth, snapshot)", text.stdout)
        self.assertEqual(self.run_program("inspect", *WORDS, "-q", "in").stderr, "")
        findings = [
            (finding["level"], finding["finding"])
            for finding in self.json_of("doctor", *WORDS, "--source", "in", "--data-dir", "data")["findings"]
            if finding["subject"] == "source"]
        self.assertEqual(findings[0], ("ok", f"{newer} (appleHealth)"))
        self.assertEqual(sorted(level for level, _ in findings), ["ok", "ok", "ok", "warning"])

    def test_the_newest_is_read_from_more_exports_than_the_limit_of_open_files(self):
        for number in range(1_100):
            self.write(f"in/{number}.{'zip' if number % 2 else 'xml'}", export(
                f"2022-01-01 {number // 60:02}:{number % 60:02}:00 +0000", number + 1), modified=2_000_000_000 - number)
        newest = self.write("in/500 new.xml", export("2024-03-03 10:00:00 +0100", 5, 6), modified=1_000_000_000)

        def allow_256_files():
            resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))

        run = self.run_program(
            "historical", *WORDS, "--source", "in", "--data-dir", "data", "--json", preexec_fn=allow_256_files)
        self.assertEqual(run.returncode, 0, run.stderr[-4000:])
        report = json.loads(run.stdout)
        self.assertEqual([source["locations"] for source in report["sources"]], [[str(newest)]])
        self.assertEqual(report["sources"][0]["stored"], 2)
        self.assertEqual(len(report["notRead"]), 1_100)
        self.assertEqual({entry["reason"] for entry in report["notRead"]}, {f"{newest} is newer and is read"})
        self.assertNotIn(None, [entry["exportDate"] for entry in report["notRead"]])

    @unittest.skipUnless(os.geteuid() == 0, "needs a user who may become another")
    def test_unreadable_files_are_listed_regardless_of_age(self):
        newest = self.write("in/new.xml", export("2024-03-03 10:00:00 +0100", 5, 6))
        closed = self.write("in/closed.zip", export("2024-03-04 10:00:00 +0100", 5, 6), modified=1_000_000_000)
        cut = self.write("in/cut.zip", export("2024-03-04 10:00:00 +0100", 5, 6))
        cut.write_bytes(cut.read_bytes()[:-30])
        os.utime(cut, (1_000_000_000, 1_000_000_000))
        closed.chmod(0)
        self.folder.chmod(0o755)
        program = self.folder / "healthsync"
        shutil.copy(BINARY, program)

        def become_nobody():
            os.setgroups([])
            os.setgid(65534)
            os.setuid(65534)

        run = subprocess.run(
            [program, "inspect", *WORDS, "in", "--json"], cwd=self.folder, env=self.environment, capture_output=True,
            text=True, preexec_fn=become_nobody, timeout=PATIENCE)
        self.assertEqual(run.returncode, 0, run.stderr)
        report = json.loads(run.stdout)
        self.assertEqual(report["sources"][0]["reading"]["exportDate"], "2024-03-03T09:00:00Z")
        self.assertEqual(
            [(entry["path"], entry["reason"]) for entry in report["notRead"]],
            [(str(closed), "cannot be opened: Permission denied")])
        self.assertIn(f"{closed} is not read: ", run.stderr)

    def test_a_file_with_a_modification_time_far_in_the_future_or_past_is_read(self):
        for year, seconds in ((2300, 10_413_792_000), (1600, -11_676_096_000)):
            name = f"in{year}"
            self.write(f"{name}/export.zip", export("2024-03-02 10:00:00 +0100", 1, 2, 3))
            os.utime(self.folder / name / "export.zip", (seconds, seconds))
            words = ("daily", *WORDS, "--source", name, "--data-dir", f"data{year}")
            self.assertFalse(self.json_of(*words)["sources"][0]["unchanged"])
            self.assertTrue(self.json_of(*words)["sources"][0]["unchanged"])
            os.utime(self.folder / name / "export.zip", (seconds + 1, seconds + 1))
            changed = os.stat(self.folder / name / "export.zip").st_mtime == seconds + 1
            self.assertEqual(self.json_of(*words)["sources"][0]["unchanged"], not changed)

    def test_a_newer_export_dropped_into_the_folder_is_found_by_the_next_run(self):
        self.write("in/export.zip", export("2024-03-02 10:00:00 +0100", 1, 2, 3))
        words = ("daily", *WORDS, "--source", "in", "--data-dir", "data")
        self.assertFalse(self.json_of(*words)["sources"][0]["unchanged"])
        self.assertTrue(self.json_of(*words)["sources"][0]["unchanged"])
        newer = self.write("in/sub/export.zip", export("2024-03-03 10:00:00 +0100", 1, 2, 3, 4))
        (source,) = self.json_of(*words)["sources"]
        self.assertEqual((source["locations"], source["stored"], source["deleted"]), ([str(newer)], 1, 0))

    def test_an_export_and_a_feed_in_one_folder_are_both_read(self):
        self.write("in/export.zip", export("2024-03-02 10:00:00 +0100", 1, 2, 3))
        feed = {"data": {
            "metrics": [{"name": "step_count", "units": "count", "data": [{"date": "2024-03-05 00:00:00 +0100", "qty": 9}]}],
            "workouts": [{"name": "Walk"}, {"name": "Run"}], "ecg": [{"n": 1}], "symptoms": []}}
        (self.folder / "in/HealthAutoExport-2024-03-05.json").write_text(json.dumps(feed))
        report = self.json_of("historical", *WORDS, "--source", "in", "--data-dir", "data")
        self.assertEqual([source["provider"] for source in report["sources"]], ["appleHealth", "healthAutoExport"])
        self.assertEqual([source["stored"] for source in report["sources"]], [3, 1])
        self.assertEqual(report["sources"][1]["skipped"], {"workouts": 2, "ecg": 1})
        self.assertIn("skipped, not samples: 1 ecg, 2 workouts", self.succeed("inspect", *WORDS, "in").stdout)

    def test_elements_that_are_not_records_are_counted(self):
        path, _ = self.generate("export.zip", "--years", "1", "--seed", "3", "--density", "0.1")
        xml = extract_xml(path, self.folder / "export.xml")
        counts = elements_below_the_root(xml)
        (source,) = self.json_of("inspect", *WORDS, path)["sources"]
        self.assertEqual(source["reading"]["read"], counts["Record"])
        wanted = {name: counts[name] for name in counts if name not in ("Record", "ExportDate", "Me")}
        wanted["HeartRateVariabilityMetadataList"] = xml.read_text().count("<HeartRateVariabilityMetadataList")
        self.assertGreater(wanted["Workout"], 50)
        self.assertEqual(source["reading"]["skipped"], wanted)

    def test_the_newest_export_wins_in_any_order_and_number_of_runs(self):
        exports = [
            self.write("1.zip", export("2024-03-02 10:00:00 +0100", *range(10, 30))),
            self.write("2.zip", export("2024-03-03 10:00:00 +0100", *range(10, 28), 99)),
            self.write("3.zip", export("2024-03-04 10:00:00 +0100", *range(10, 28), 98, 7)),
        ]
        alone = None
        for number, order in enumerate(([2], [2, 1, 0], [0, 1, 2], [1, 2, 0], [0, 2, 1], [[0, 1, 2]], [[2, 1], 0])):
            data = f"data{number}"
            for run in order:
                sources = [word for place in (run if isinstance(run, list) else [run])
                           for word in ("--source", exports[place])]
                self.succeed("historical", *WORDS, *sources, "--data-dir", data, "--metrics", "steps")
            database = self.folder / data / "healthsync.sqlite"
            result = (figures(database), samples(database))
            alone = alone or result
            self.assertEqual(result, alone, order)

    def test_another_phones_older_export_is_added(self):
        newer = self.write("new.zip", export("2024-03-04 10:00:00 +0100", 1, 2, 3))
        older = self.write("old.zip", export("2023-03-04 10:00:00 +0100", 1, 2, 30, 40))
        self.succeed("historical", *WORDS, "--source", newer, "--data-dir", "data")
        (source,) = self.json_of("historical", *WORDS, "--source", older, "--data-dir", "data")["sources"]
        self.assertEqual((source["stored"], source["keptDespiteNewer"], source["superseded"]), (2, 2, 0))
        shutil.rmtree(self.folder / "data")
        self.succeed("historical", *WORDS, "--source", newer, "--data-dir", "data")
        words = ("historical", *WORDS, "--source", older, "--data-dir", "data", "--allow-deletions")
        self.assertIn("2 samples skipped", self.succeed(*words).stdout)

    def test_weekly_exports_of_a_new_phone_keep_the_samples_of_a_lost_one(self):
        words = ("historical", *WORDS, "--data-dir", "data", "--metrics", "steps")
        lost = self.write("old.xml", export("2024-03-02 10:00:00 +0100", *range(1000, 1010)).replace("iPhone", "Old"))
        self.succeed(*words, "--source", self.write("0.xml", export("2024-03-03 10:00:00 +0100", *range(20))))
        (source,) = self.json_of(*words, "--source", lost)["sources"]
        self.assertEqual((source["stored"], source["keptDespiteNewer"]), (10, 10))
        for week, steps in enumerate((range(21), [*range(20), 99]), 1):
            path = self.write(f"{week}.xml", export(f"2024-03-{3 + week:02} 10:00:00 +0100", *steps))
            (source,) = self.json_of(*words, "--source", path)["sources"]
            self.assertEqual(source["superseded"], 0)
        (source,) = self.json_of(*words, "--source", lost, "--force")["sources"]
        self.assertEqual((source["stored"], source["superseded"], source["alreadyKnown"]), (0, 0, 10))
        self.assertEqual(sum(page[5] for page in samples(self.folder / "data/healthsync.sqlite")), 10 + 21)

    def test_an_export_with_a_future_date_does_not_block_later_ones(self):
        words = ("historical", *WORDS, "--data-dir", "data", "--metrics", "steps")
        ahead = self.write("ahead.xml", export("2096-03-03 10:00:00 +0100", 1, 2, 3, 4, 5, 6))
        run = self.succeed(*words, "--source", ahead)
        self.assertIn("the export date is in the future", run.stdout)
        later = self.write("later.xml", export("2024-03-04 10:00:00 +0100", 1, 2, 3, 4, 5, 60, 7, 8))
        (source,) = self.json_of(*words, "--source", later)["sources"]
        self.assertEqual(
            (source["stored"], source["deleted"], source["exportDatePlausible"]), (3, 1, True))
        (source,) = self.json_of(*words, "--source", ahead, "--force")["sources"]
        self.assertEqual((source["stored"], source["deleted"], source["exportDatePlausible"]), (0, 0, False))


if __name__ == "__main__":
    unittest.main()
