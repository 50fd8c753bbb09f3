"""Behavior of many commands: private logs, read-only home folders, progress on a terminal, a second Ctrl-C."""

import http.server
import json
import os
import pathlib
import pty
import re
import signal
import subprocess
import threading
import unittest

from support.harness import BINARY, PATIENCE, Peer, ProgramTest, extract_xml


class PrivateLogs(ProgramTest):
    VALUES = ("98761", "123.4567", "54.3219")

    def test_verbose_prints_no_health_values(self):
        rows = [
            {"type": "stepCount", "startDate": "2024-01-15T08:00:00Z", "endDate": "2024-01-15T09:00:00Z",
             "value": 98761, "unit": "count"},
            {"type": "heartRate", "startDate": "2024-01-15T08:00:00Z", "endDate": "2024-01-15T08:00:00Z",
             "value": 123.4567, "unit": "count/min"},
            {"type": "restingHeartRate", "startDate": "2024-01-15T08:00:00Z", "endDate": "2024-01-15T08:00:00Z",
             "value": 54.3219, "unit": "count/min"},
        ]
        lines = [{"sourceDeviceName": "Watch", "sourceBundleId": "a", **row} for row in rows]
        (self.folder / "rows.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
        peer = Peer(self)
        peer.script([
            {"match": "POST /api/v1/progress", "times": 2, "do": "status", "status": 503},
            {"match": "POST /api/v1/snapshots", "times": 1, "do": "garbage"},
        ])
        words = ("--zone", "Europe/Paris", "--data-dir", "data", "--server", peer.url, "--verbose")
        first = self.run_program("historical", "--source", "rows.jsonl", "--deadline", str(PATIENCE), *words)
        stored = self.json_of("heart", "2024-01-15", "--data-dir", "data", "--zone", "Europe/Paris")
        self.assertEqual(stored["meanBeatsPerMinute"], 123.4567, first.stderr)
        again = self.run_program("push", "--deadline", str(PATIENCE), *words)
        logs = first.stderr + again.stderr + first.stdout + again.stdout
        self.assertIn("the server returned 503", logs)
        for value in self.VALUES:
            self.assertNotIn(value, logs)


class Homes(ProgramTest):
    def test_a_read_only_home(self):
        row = {"type": "stepCount", "startDate": "2024-01-15T08:00:00Z", "endDate": "2024-01-15T09:00:00Z",
               "value": 10, "unit": "count", "sourceDeviceName": "Watch", "sourceBundleId": "a"}
        (self.folder / "rows.jsonl").write_text(json.dumps(row) + "\n")
        occupied = self.folder / "occupied"
        occupied.write_text("a file where the home should be")
        for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"):
            self.environment.pop(name)
        # Not even root can create folders in these.
        for home in (occupied, pathlib.Path("/proc/self")):
            self.environment["HOME"] = str(home)
            result = self.run_program("daily", "--zone", "Europe/Paris", "--source", "rows.jsonl")
            self.assertEqual(result.returncode, 73, result.stderr)
            lines = result.stderr.splitlines()
            self.assertEqual(len(lines), 1, result.stderr)
            self.assertIn(str(home), lines[0])


class Reading(ProgramTest):
    def test_a_terminal_shows_a_progress_bar(self):
        export, _ = self.generate("export.zip", "--years", "1", "--seed", "3", "--last-day", "2025-06-30")
        for source in (export, extract_xml(export, self.folder / "export.xml")):
            ours, theirs = pty.openpty()
            process = subprocess.Popen(
                [str(BINARY), "historical", "--zone", "Europe/Paris", "--data-dir", source.suffix[1:], "--source", source],
                cwd=self.folder, env={**self.environment, "TERM": "xterm"}, stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=theirs)
            os.close(theirs)
            shown = b""
            try:
                while chunk := os.read(ours, 65536):
                    shown += chunk
            except OSError:
                pass  # The terminal closes with its last writer.
            os.close(ours)
            self.assertEqual(process.wait(), 0)
            shares = [int(share) for share in re.findall(rb"reading [^\r]*\[#*-*\] +(\d+) %", shown)]
            self.assertGreater(len(shares), 0, shown)
            self.assertEqual(shares, sorted(shares))
            self.assertLessEqual(shares[-1], 100)

    def test_devices_with_the_same_name_are_distinguished(self):
        lines = "".join(
            f'<Record type="HKQuantityTypeIdentifierStepCount" sourceName="Watch" unit="count" value="5" device="&lt;&lt;'
            f"HKDevice: 0x2{number}&gt;, name:Watch, hardware:Watch{hardware}, software:{number}.1&gt;\""
            f' startDate="2024-03-0{number} 08:00:00 +0000" endDate="2024-03-0{number} 08:01:00 +0000"/>\n'
            for number, hardware in ((1, "6,1"), (2, "7,9")))
        (self.folder / "e.xml").write_text(f'<HealthData locale="en_US">\n{lines}</HealthData>\n')
        rows = [line for line in self.succeed("inspect", "e.xml", "--zone", "UTC").stdout.splitlines() if "stepCount" in line]
        self.assertEqual([row.split("08:01  ")[-1].strip() for row in rows],
                         ["Watch (Watch · Watch6,1)", "Watch (Watch · Watch7,9)"])


class SilentServer(http.server.BaseHTTPRequestHandler):
    """A plain server that accepts requests and never responds."""

    def do_GET(self):
        self.send_error(404)

    def do_POST(self):
        self.server.asked.set()
        self.server.released.wait()

    def log_message(self, *_):
        pass


class ControlC(ProgramTest):
    def test_a_second_signal_exits_at_once(self):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), SilentServer)
        server.daemon_threads = True
        server.asked, server.released = threading.Event(), threading.Event()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.addCleanup(server.released.set)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        export, _ = self.generate("export.zip", "--years", "1", "--seed", "3", "--last-day", "2025-06-30")
        config = self.folder / "c.json"
        config.write_text(json.dumps({"limits": {"requestTimeoutSeconds": 600}}))
        process = self.start(
            "historical", "--zone", "Europe/Paris", "--quiet", "--data-dir", "data", "--config", config,
            "--source", export, "--server", f"http://127.0.0.1:{server.server_port}")
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.kill)
        self.assertTrue(server.asked.wait(PATIENCE))
        process.send_signal(signal.SIGINT)
        self.assertIn("again to stop at once", process.stderr.readline())
        self.assertIsNone(process.poll(), "the program waits for the request in flight")
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(PATIENCE), 130)


if __name__ == "__main__":
    unittest.main()
