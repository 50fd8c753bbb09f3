"""Damaged exports are read as expat and zipfile read them, or the damage is reported with file and place.

ExpatDifferentialTests of FileSourcesTests compares well-formed documents inside the program. Here bytes of the text, or bytes
and headers of the archive, are changed first, and the stored samples are compared."""

import html
import io
import json
import re
import shutil
import sys
import unittest
import zipfile
import zlib
from xml.parsers.expat import ExpatError, errors

from support.harness import PEERS, ProgramTest
from support.seeds import seeds

sys.path.insert(0, str(PEERS / "exports"))
import hostile_exports  # noqa: E402
from expat_reader import Reader, milliseconds  # noqa: E402
from expected_samples import instant  # noqa: E402
from random_exports import QUANTITIES  # noqa: E402

SEEDS = seeds(20, 40, 1_000)
UNITS = dict(QUANTITIES)
# The unit of a random export that is not that of its type.
CONVERTED = {"lb": ("kg", 0.45359237)}
STATES = {
    ("HKCategoryTypeIdentifierSleepAnalysis", "HKCategoryValueSleepAnalysisAsleepCore"): 3,
    ("HKCategoryTypeIdentifierSleepAnalysis", "HKCategoryValueSleepAnalysisInBed"): 0,
    ("HKCategoryTypeIdentifierSleepAnalysis", "5"): 5,
    ("HKCategoryTypeIdentifierMindfulSession", None): 0,
    ("HKCategoryTypeIdentifierAppleStandHour", "HKCategoryValueAppleStandHourStood"): 0,
}
# Errors of expat at the end of a truncated document.
CUT_OFF = {errors.codes[text] for text in (
    errors.XML_ERROR_NO_ELEMENTS, errors.XML_ERROR_UNCLOSED_TOKEN, errors.XML_ERROR_UNCLOSED_CDATA_SECTION)}
# Attributes that the program reads.
READ = {"type", "sourceName", "device", "unit", "startDate", "endDate", "value"}


class Outline(Reader):
    """A reader that also finds records directly in records, where the program assumes that an end tag is missing."""

    def __init__(self):
        super().__init__()
        self.has_nested_records = False
        self.error = None
        self.path = []
        # How often expat started: twice if the text before the root is broken.
        self.parts = 0

    def _feed(self, *words):
        self.parts += 1
        self.path = []
        return super()._feed(*words)

    def _start(self, name, attributes):
        self.has_nested_records |= name == "Record" and self.path[1:] == ["Record"]
        self.path.append(name)
        super()._start(name, attributes)

    def _end(self, name):
        self.path.pop()
        super()._end(name)

    def records(self, path):
        """Returns the records, up to the error if there is one."""
        found = []
        try:
            found.extend(self.read(path))
        except (ExpatError, LookupError) as error:
            self.error = error
        return found

    def broken_attribute(self, data):
        """Returns the attribute of a top-level record in which the error is, if it is in one."""
        place = getattr(self.error, "byte_offset", 0)
        tag = data[max(data.rfind(b"<", 0, place), 0):place]
        names = re.match(rb"<Record(?:\s+([\w:.-]+)\s*=\s*(?:\"[^\"]*(?:\"|$)|'[^']*(?:'|$)))*$", tag)
        return names[1].decode() if names and names[1] and self.path == ["HealthData"] else None


def key(kind, start, end, source, device):
    return kind, start, end, source, device or ""


def rows_of(records):
    """Returns the value and unit of records by key, and the keys of those whose value only the program can judge."""
    rows, uncertain = set(), set()
    for record in records:
        kind, text, unit = record["type"], record["value"], record["unit"]
        place = key(kind, instant(record["start"]), instant(record["end"]), record["sourceName"], record["device"])
        plain = re.fullmatch(r"-?\d{1,15}(\.\d{1,20})?", text or "", re.ASCII)
        if record["end"] < record["start"]:
            continue
        if (kind, text) in STATES:
            rows.add((*place, float(STATES[kind, text]), None))
        elif plain and kind in UNITS and unit == UNITS[kind]:
            unit, factor = CONVERTED.get(unit, (unit, 1))
            rows.add((*place, float(text) * factor, unit))
        else:
            uncertain.add(place)
    return {row for row in rows if row[:5] not in uncertain}, uncertain


class DamagedExports(ProgramTest):
    def read(self, path):
        """Imports a file into an empty store; returns the result and the account of the file, if there is one."""
        shutil.rmtree(self.folder / "data", ignore_errors=True)
        # Nothing is derived: the range contains no sample.
        result = self.run_program(
            "historical", "--types", "all", "--metrics", "steps", "--from", "2001-01-01", "--to", "2001-01-01", "--zone", "UTC",
            "--data-dir", "data", "--source", path, "--json")
        sources = json.loads(result.stdout)["sources"] if result.stdout else []
        self.assertIn(result.returncode, (0, 3, 65), result.stderr)
        if not sources:
            self.assertEqual(result.returncode, 65)
            self.assertIn(path.name, result.stderr)
        return result, sources[0] if sources else None

    def stored(self):
        lines = self.succeed("export", "--data-dir", "data", "--format", "jsonl", "--out", "-").stdout.split("\n")
        samples = [json.loads(line) for line in lines if line]
        return {
            (*key(one["type"], one["startDate"], one["endDate"], one["sourceBundleId"], one.get("sourceDeviceName")),
             float(one["value"]), one.get("unit"))
            for one in samples
        }

    def assert_equal_rows(self, stored, records):
        rows, uncertain = rows_of(records)
        self.assertEqual({row for row in stored if row[:5] not in uncertain}, rows)

    def is_clean(self, account, records=()):
        """Whether the account of a file reports nothing but rejected values, and metadata that expat found without a key or
        value."""
        rejected = ("is not a unit of", "unknown value of")
        other = {problem["what"] for problem in account["problems"] if not any(text in problem["what"] for text in rejected)}
        is_unreadable = any(None in [*entries, *entries.values()] for entries in (one["metadata"] for one in records))
        known = {"metadata entry without a key or value, skipped"} if is_unreadable else set()
        return account["complete"] and other <= known

    def check_places(self, result, account, data):
        self.assertEqual(account["complete"], result.returncode != 65)
        places = [problem["byteOffset"] for problem in account["problems"]]
        for place in places + ([] if account["complete"] else [account["incompleteAtByte"]]):
            self.assertTrue(0 <= place <= len(data), account)

    def check_text(self, seed):
        data, path, outline = hostile_exports.text(seed), self.folder / "export.xml", Outline()
        path.write_bytes(data)
        records = outline.records(path)
        result, account = self.read(path)
        if account is None:
            self.assertTrue(outline.root != "HealthData" or outline.parts > 1 or outline.error and not records, result.stderr)
            return "not an export"
        self.check_places(result, account, data)
        stored = self.stored()
        self.check_invented(stored, data)
        if outline.has_nested_records:
            self.assertFalse(self.is_clean(account), account)
            return "nested records"
        if outline.error is None:
            self.assertTrue(self.is_clean(account, records), account)
            self.assertEqual(account["read"], len(records) + sum(outline.refused.values()))
            self.assert_equal_rows(stored, records)
            return "well-formed"
        self.check_broken(outline, stored, records, account, data)
        return "not well-formed"

    def check_broken(self, outline, stored, records, account, data):
        """What expat read before the error is stored; an error in what the program reads is reported."""
        rows, uncertain = rows_of(records)
        self.assertLessEqual(rows, {row for row in stored if row[:5] not in uncertain})
        self.assertGreaterEqual(account["read"], len(records))
        if getattr(outline.error, "code", None) in CUT_OFF:
            self.assertFalse(account["complete"], account)
        if outline.broken_attribute(data) in READ:
            rejected = sum(account["rejected"].values()) > sum(outline.refused.values())
            self.assertTrue(rejected or account["problems"], account)

    def check_invented(self, stored, data):
        """The dates of every stored sample are in the file."""
        text = re.sub(r"\r\n|[\r\n\t]", " ", html.unescape(data.decode(errors="replace")))
        dates = re.findall(r"\d{4}-?\d\d-?\d\d ?\d\d:?\d\d:?\d\d ?[+-]\d{4}", text)
        known = {instant(at) for at in map(milliseconds, dates) if at is not None}
        for row in stored:
            self.assertLessEqual({row[1], row[2]}, known, row)

    def run_seeds(self, check, *least):
        seen = {}
        for seed in range(SEEDS):
            with self.subTest(seed=seed):
                outcome = check(seed)
                seen[outcome] = seen.get(outcome, 0) + 1
        print(f"{check.__name__}: {seen}", file=sys.stderr)
        for outcome in least:
            self.assertGreater(seen.get(outcome, 0), SEEDS // 10, seen)

    def test_damaged_text(self):
        self.run_seeds(self.check_text, "well-formed", "not well-formed")

    def check_archive(self, seed):
        data, whole, packed = hostile_exports.archive(seed)
        path = self.folder / "export.zip"
        path.write_bytes(packed)
        (self.folder / "export.xml").write_bytes(data)
        records = Outline().records(self.folder / "export.xml")
        content = self.unpacked(packed)
        result, account = self.read(path)
        if account is None:
            self.assertNotEqual(packed, whole, result.stderr)
            return "rejected, readable for zipfile" if content == data else "rejected"
        if account["complete"]:
            # The checksum makes any other content incomplete, also where zipfile is stricter.
            self.assertTrue(self.is_clean(account, records), account)
            self.assert_equal_rows(self.stored(), records)
            return "read" if content == data else "read, not readable for zipfile"
        # What is damaged is found at the end of the member, when the text before it is imported.
        self.assertEqual(result.returncode, 65)
        self.assertTrue(account["problems"], account)
        return "incomplete"

    @staticmethod
    def unpacked(packed):
        """Returns the export in an archive as zipfile reads it, or None."""
        try:
            with zipfile.ZipFile(io.BytesIO(packed)) as archive:
                return archive.read("apple_health_export/export.xml")
        except (zipfile.BadZipFile, zlib.error, KeyError, EOFError, RuntimeError, NotImplementedError, ValueError, OSError):
            return None

    def test_damaged_archives(self):
        self.run_seeds(self.check_archive, "read", "rejected")


if __name__ == "__main__":
    unittest.main()
