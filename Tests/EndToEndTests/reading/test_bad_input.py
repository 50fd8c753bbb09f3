"""Bad input gives one clear line with problem and remedy, the documented exit status, and no partial results."""

import os
import pathlib
import sqlite3
import subprocess
import unittest
import zipfile
from contextlib import closing

from support.harness import ProgramTest, extract_xml, integrity


class BadInput(ProgramTest):
    def assert_fails(self, status, words, *said):
        result = self.run_program(*words)
        self.assertEqual(result.returncode, status, f"{words}\n{result.stdout}\n{result.stderr}")
        lines = [line for line in result.stderr.splitlines() if line.startswith("healthsync: ")]
        self.assertEqual(len(lines), 1, result.stderr)
        for word in said:
            self.assertIn(word, lines[0])
        self.assertNotIn("Fatal error", result.stderr)

    def historical(self, source, *words):
        return ("historical", "--zone", "Europe/Paris", "--data-dir", "data", "--source", source, *words)

    def test_no_such_file(self):
        self.assert_fails(66, self.historical("missing.zip"), "missing.zip")

    def test_not_an_export(self):
        (self.folder / "notes.zip").write_text("these are notes")
        (self.folder / "other.xml").write_text("<?xml version='1.0'?><other/>")
        self.assert_fails(65, self.historical("notes.zip"), "notes.zip")
        self.assert_fails(65, self.historical("other.xml"), "other.xml")

    def test_empty_archive(self):
        zipfile.ZipFile(self.folder / "empty.zip", "w").close()
        self.assert_fails(65, self.historical("empty.zip"), "empty.zip")

    def test_archive_without_an_export(self):
        with zipfile.ZipFile(self.folder / "photos.zip", "w") as archive:
            archive.writestr("photo.jpg", b"\xff\xd8\xff")
        self.assert_fails(65, self.historical("photos.zip"), "photos.zip")

    def test_damaged_archives(self):
        self.peer("exports/apple_faults.py", "--out", self.folder / "faults")
        for name in ("encrypted", "bomb", "overlap"):
            found = [path for path in sorted((self.folder / "faults").rglob("*.zip")) if name in path.name]
            self.assertTrue(found, name)
            for path in found:
                with self.subTest(path.name):
                    self.assert_fails(65, self.historical(path), path.name)
        self.assertFalse((self.folder / "data/healthsync.sqlite").exists() and self.stored_samples())

    def stored_samples(self):
        with closing(sqlite3.connect(self.folder / "data/healthsync.sqlite")) as connection:
            return connection.execute("SELECT count(*) FROM sample_page").fetchone()[0]

    def test_zone(self):
        self.assert_fails(64, ("daily", "--zone", "Mars/Olympus", "--data-dir", "data"), "Mars/Olympus")

    def test_days(self):
        self.assert_fails(64, self.historical("x", "--from", "2024-03-01", "--to", "2024-02-01"), "--from")
        self.assert_fails(64, self.historical("x", "--from", "2024-02-30"), "2024-02-30")

    def test_unknown_words(self):
        self.assert_fails(64, ("dayly",), "daily")
        self.assert_fails(64, ("daily", "--quite"), "--quiet")

    def test_configuration(self):
        (self.folder / "c.json").write_text('{"zoen": "Europe/Paris"}')
        self.assert_fails(78, ("daily", "--config", "c.json", "--data-dir", "data"), "zoen", "zone")

    @unittest.skipIf(os.geteuid() == 0 and not os.path.exists("/usr/bin/setpriv"), "root may write anywhere")
    def test_folder_that_cannot_be_written(self):
        folder = self.folder / "locked"
        folder.mkdir(mode=0o555)
        export, _ = self.generate("export.zip", "--years", "1", "--seed", "1", "--last-day", "2025-01-31")
        self.folder.chmod(0o755)
        export.chmod(0o644)
        words = ["historical", "--zone", "UTC", "--source", export, "--data-dir", folder / "data"]
        if os.geteuid() == 0:
            from support.harness import BINARY

            binary = self.folder / "healthsync"
            binary.write_bytes(BINARY.read_bytes())
            binary.chmod(0o755)
            command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", str(binary), *map(str, words)]
            result = subprocess.run(command, capture_output=True, text=True, env=self.environment, cwd="/")
            self.assertEqual(result.returncode, 73, result.stderr)
            self.assertIn(str(folder), result.stderr)
        else:
            self.assert_fails(73, words, str(folder))

    def test_a_truncated_export_is_imported_up_to_its_end(self):
        export, _ = self.generate("export.zip", "--years", "1", "--seed", "1", "--last-day", "2025-01-31")
        xml = extract_xml(export, self.folder / "export.xml")
        whole = xml.read_bytes()
        xml.write_bytes(whole[: len(whole) // 2])
        result = self.run_program(*self.historical(xml))
        self.assertEqual(result.returncode, 65, result.stderr)
        self.assertIn("incomplete", result.stdout)
        self.assertGreater(self.stored_samples(), 100)
        xml.write_bytes(whole)
        self.succeed(*self.historical(xml))
        self.succeed(*self.historical(export))

    @unittest.skipUnless(os.geteuid() == 0, "a small file system is mounted by root")
    def test_full_disk(self):
        export, _ = self.generate("export.zip", "--years", "1", "--seed", "1", "--last-day", "2025-12-31")
        mount = self.folder / "small"
        mount.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", mount], capture_output=True).returncode:
            self.skipTest("tmpfs cannot be mounted here")
        self.addCleanup(subprocess.run, ["umount", str(mount)])
        words = ("historical", "--zone", "Europe/Paris", "--data-dir", mount / "data", "--source", export)
        self.assert_fails(74, words)
        subprocess.run(["mount", "-o", "remount,size=200m", str(mount)], check=True)
        self.succeed(*words)
        self.assertEqual(integrity(mount / "data/healthsync.sqlite"), ["ok"])


class FullOutput(ProgramTest):
    def test_unwritten_results_are_a_failure(self):
        if not pathlib.Path("/dev/full").exists():
            self.skipTest("no /dev/full here")
        from support.harness import BINARY

        with open("/dev/full", "w") as full:
            result = subprocess.run([str(BINARY), "metrics"], stdout=full, stderr=subprocess.PIPE, env=self.environment)
        self.assertEqual(result.returncode, 74)


if __name__ == "__main__":
    unittest.main()
