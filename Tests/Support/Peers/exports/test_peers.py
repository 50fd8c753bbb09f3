"""Tests of the checkers: run with `python3 -m unittest` in this folder."""

import contextlib
import hashlib
import io
import json
import os
import sys
import tempfile
import unittest
import zipfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import apple_faults  # noqa: E402
import expat_reader  # noqa: E402
import random_exports  # noqa: E402


def printed(main, *arguments):
    """Returns exit status, standard output and standard error of a checker."""
    out, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
        try:
            status = main(list(arguments))
        except SystemExit as end:
            status = end.code
    return status, out.getvalue(), errors.getvalue()


class FolderCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def file(self, text):
        path = os.path.join(self.folder, "a.xml")
        with open(path, "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode())
        return path

    def records(self, text, *options):
        status, out, _ = printed(expat_reader.main, self.file(text), *options)
        self.assertEqual(status, 0)
        return [json.loads(line) for line in out.splitlines()]


class ExpatReaderTests(FolderCase):
    DATES = 'startDate="2024-01-15 08:00:00 +0200" endDate="20150718161649+0200"'

    def test_members(self):
        device = "&lt;&lt;HKDevice: 0x282e3a260&gt;, name:A &gt; B, manufacturer:Apple Inc.&gt;"
        text = f"""<HealthData><Record type='T' sourceName='A\tB&#10;' device="{device}" {self.DATES} value="1"
            unit="count"><MetadataEntry key="k" value="v"/><X><MetadataEntry key="no" value="v"/></X></Record></HealthData>"""
        self.assertEqual(self.records(text), [{
            "type": "T", "sourceName": "A B\n", "device": "name:A > B, manufacturer:Apple Inc.", "start": 1705298400000,
            "end": 1437229009000, "value": "1", "unit": "count", "metadata": {"k": "v"}}])

    def test_only_top_level_and_types(self):
        text = f"<HealthData><Correlation><Record type='A' {self.DATES}/></Correlation><Record type='A' {self.DATES}/>" \
            f"<V><Record type='A' {self.DATES}/></V><RecordX type='A' {self.DATES}/><Record type='B' {self.DATES}/></HealthData>"
        self.assertEqual([record["type"] for record in self.records(text)], ["A", "B"])
        self.assertEqual([record["type"] for record in self.records(text, "--types", "B,C")], ["B"])

    def test_defaults_of_a_dtd_do_not_count(self):
        text = f"""<!DOCTYPE HealthData [<!ATTLIST Record value CDATA "9">]>
            <HealthData><Record type="A" {self.DATES}/></HealthData>"""
        self.assertIsNone(self.records(text)[0]["value"])

    def test_impossible_dates_are_counted(self):
        text = '<HealthData><Record type="A" startDate="2024-02-30 08:00:00 +0200" endDate=""/></HealthData>'
        status, out, errors = printed(expat_reader.main, self.file(text))
        self.assertEqual((status, out, json.loads(errors)), (0, "", {"printed": 0, "refused": {"date": 1}}))

    def test_truncated(self):
        status, out, errors = printed(expat_reader.main, self.file(f"<HealthData><Record type='A' {self.DATES}/><Rec"))
        self.assertEqual((status, out.count("\n")), (1, 1))
        self.assertIn("not well-formed at byte", errors)
        self.assertEqual(printed(expat_reader.main, os.path.join(self.folder, "none"))[0], 2)


class RandomExportTests(FolderCase):
    def test_well_formed_and_rich(self):
        total, content, sources = 0, b"", set()
        for index in range(250):
            path = random_exports.write(11, index, self.folder, prolog_traps=index % 5 == 0)
            with open(path, "rb") as file:
                content += file.read(200_000)
            reader = expat_reader.Reader()
            for record in reader.read(path):
                total += 1
                sources.add(record["sourceName"])
                self.assertLessEqual(record["start"], record["end"])
            self.assertFalse(reader.refused)
        self.assertGreater(total, 2_000)
        self.assertNotIn("trap", sources)
        self.assertIn("two\nlines", sources)
        for sign in (b"<![CDATA[", b"<!--", b"<?Record", b"\r\n", b"\xef\xbb\xbf", b"&#x", b"&apos;", b"<RecordX", b"<hk:Record",
                     b"<Correlation", b"<!DOCTYPE", b"</Record>", b"\xf0\x9f\x8f\x83", b"/><Record", b" source=", b"trap"):
            self.assertIn(sign, content)

    def test_same_seed_same_bytes(self):
        digests = set()
        for seed, first in ((3, "0"), (3, "0"), (4, "0")):
            out = os.path.join(self.folder, str(len(digests)) + first)
            self.assertEqual(random_exports.main(["--seed", str(seed), "--count", "20", "--out", out]), 0)
            digest = hashlib.sha256()
            for name in sorted(os.listdir(out)):
                with open(os.path.join(out, name), "rb") as file:
                    digest.update(file.read())
            digests.add(digest.hexdigest())
        self.assertEqual(len(digests), 2)


class AppleFaultTests(FolderCase):
    def test_manifest_is_true(self):
        entries = apple_faults.write_all(self.folder)
        self.assertEqual(len({entry["file"] for entry in entries}), len(entries))
        for entry in entries:
            with self.subTest(entry["file"]):
                path = os.path.join(self.folder, entry["file"])
                self.assertEqual(entry["read"], entry["used"] + sum(entry["refused"].values()))
                if entry["file"].endswith(".xml"):
                    self.check_text(entry, path)
                elif entry["file"].endswith(".zip") and not entry["error"] and not entry["incomplete"]:
                    self.check_archive(entry, path)

    def check_text(self, entry, path):
        reader = expat_reader.Reader()
        try:
            records = list(reader.read(path))
        except expat_reader.expat.ExpatError:
            self.assertFalse(entry["expat"])
            return
        if entry["expat"]:
            expected = [{key: value for key, value in record.items() if key != "aggregate"} for record in entry["records"]]
            self.assertEqual((records, dict(reader.refused)), (expected, entry["refused"]))
        self.assertFalse(entry["incomplete"])

    def check_archive(self, entry, path):
        with zipfile.ZipFile(path) as archive:
            self.assertIsNone(archive.testzip())
            if not entry["main"]:
                return
            with archive.open(entry["main"]) as file:
                reader = expat_reader.Reader()
                self.assertEqual(list(reader.read(self.file(file.read()))), entry["records"])

    def test_hostile_archives_have_their_faults(self):
        apple_faults.write_all(self.folder)
        with zipfile.ZipFile(os.path.join(self.folder, "encrypted.zip")) as archive:
            self.assertRaisesRegex(RuntimeError, "encrypted", archive.read, archive.namelist()[0])
        for name, low, high in (("bomb", 501, 2000), ("dense-but-honest", 100, 450)):
            with zipfile.ZipFile(os.path.join(self.folder, name + ".zip")) as archive:
                info = archive.infolist()[0]
                self.assertTrue(low < info.file_size / info.compress_size < high)
        with zipfile.ZipFile(os.path.join(self.folder, "overlapping.zip")) as archive:
            self.assertEqual(len({info.header_offset for info in archive.infolist()}), 1)
        self.assertRaises(zipfile.BadZipFile, zipfile.ZipFile, os.path.join(self.folder, "cut-archive.zip"))


if __name__ == "__main__":
    unittest.main()
