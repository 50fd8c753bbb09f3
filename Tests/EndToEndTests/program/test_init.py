"""`healthsync init` with options and on a terminal, checked by the files it leaves and by the figures of `generate`."""

import contextlib
import json
import os
import pty
import select
import signal
import stat
import subprocess
import unittest

from support.harness import BINARY, PATIENCE, ProgramTest


class InitTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.config = self.folder / "config/healthsync/config.json"

    def test_options_configure_and_import(self):
        self.generate("export.zip", "--years", "1", "--density", "0.1", "--seed", "3")
        run = json.loads(self.succeed("init", "--yes", "--zone", "Europe/Paris", "--source", "export.zip", "--json").stdout)
        self.assertGreater(len(run), 0)
        self.assertEqual(json.loads(self.config.read_text()),
                         {"sources": [str(self.folder / "export.zip")], "zone": "Europe/Paris"})
        self.assertEqual(stat.S_IMODE(self.config.stat().st_mode), 0o600)
        self.assertEqual(stat.S_IMODE(self.config.parent.stat().st_mode), 0o700)
        self.assertGreater(self.json_of("status")["samples"] if "samples" in self.json_of("status") else 1, 0)
        self.assertEqual(self.run_program("daily").returncode, 0)
        before = self.config.read_bytes()
        again = self.run_program("init", "--yes", "--zone", "UTC")
        self.assertEqual((again.returncode, self.config.read_bytes()), (73, before))
        self.assertIn("--replace", again.stderr)

    def test_the_zone_of_the_environment_is_that_of_the_answer(self):
        self.environment.pop("TZ", None)
        self.generate("export.zip", "--years", "1", "--density", "0.05", "--seed", "3", "--zone", "Asia/Tokyo")
        for source in ([], ["--source", "export.zip"]):
            for zone in ("Asia/Tokyo", None):
                self.environment |= {"HEALTHSYNC_ZONE": zone} if zone else {}
                self.succeed("init", "--yes", *source)
                self.environment.pop("HEALTHSYNC_ZONE", None)
                # Without data and without a named zone, the first import decides.
                stated = json.loads(self.config.read_text()).get("zone")
                self.assertEqual(stated, "Asia/Tokyo" if source or zone else None, (source, zone))
                if source:
                    self.succeed("daily")
                self.config.unlink()

    def test_without_a_terminal_nothing_is_written(self):
        refused = self.run_program("init")
        self.assertEqual(refused.returncode, 64)
        self.assertIn("--yes", refused.stderr)
        self.assertFalse(self.config.exists())

    def converse(self, answers, *words):
        """Runs the program on a terminal, answers each prompt, and returns the exit status and what it wrote."""
        main, side = pty.openpty()
        process = subprocess.Popen([str(BINARY), *words], cwd=self.folder, env=self.environment, stdin=side, stdout=side,
                                   stderr=side, start_new_session=True)
        os.close(side)
        written, seen = b"", 0
        try:
            while True:
                ready, _, _ = select.select([main], [], [], PATIENCE)
                self.assertTrue(ready, written)
                try:
                    part = os.read(main, 65536)
                except OSError:
                    break
                if not part:
                    break
                written += part
                if answers and (written[seen:].endswith(b": ") or written[seen:].endswith(b"] ")):
                    seen = len(written)
                    os.write(main, answers.pop(0).encode() + b"\n")
        finally:
            os.close(main)
        return process.wait(timeout=PATIENCE), written.decode()

    def test_an_interrupt_ends_a_question(self):
        main, side = pty.openpty()
        process = subprocess.Popen([str(BINARY), "init"], cwd=self.folder, env=self.environment, stdin=side, stdout=side,
                                   stderr=side, start_new_session=True)
        os.close(side)
        written = b""
        while not written.endswith(b": "):
            self.assertTrue(select.select([main], [], [], PATIENCE)[0], written)
            written += os.read(main, 65536)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=PATIENCE), 130)
        # The end of a terminal is an error.
        with contextlib.suppress(OSError):
            while part := os.read(main, 65536):
                written += part
        os.close(main)
        self.assertIn(b"interrupted at a question", written)
        self.assertFalse(self.config.exists())

    def test_questions_on_a_terminal(self):
        self.generate("export.zip", "--years", "1", "--density", "0.05", "--seed", "3")
        status, text = self.converse(["nothing.zip", "export.zip", "Europe/Atlantis", "Europe/Rome", "n", ""], "init")
        self.assertEqual(status, 0, text)
        self.assertIn("unknown time zone", text)
        self.assertIn("no such file", text)
        configured = json.loads(self.config.read_text())
        self.assertEqual((configured["zone"], configured.get("timeZones")), ("Europe/Rome", None))
        self.assertTrue((self.folder / "share/healthsync/healthsync.sqlite").exists())
        before = self.config.read_bytes()
        status, text = self.converse(["n"], "init")
        self.assertEqual((status, self.config.read_bytes()), (130, before), text)


if __name__ == "__main__":
    unittest.main()
