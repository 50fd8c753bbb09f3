"""Sends a thousand requests with ambiguous framing to a server, which must read them as h11 does, or reject them. Behind
nginx, HAProxy and Caddy, no request of another client may be affected. `make soak` sends all requests through each proxy."""

import pathlib
import subprocess
import sys
import unittest

from support import harness

VERSION = "0.16.0"
FOLDER = harness.ROOT / ".build" / f"h11-{VERSION}"


def python_with_h11():
    """Returns an interpreter with h11, installed by pip into its own folder, or None if that fails."""
    program = FOLDER / "bin" / "python"
    if not (FOLDER / "complete").exists():
        made = subprocess.run([sys.executable, "-m", "venv", FOLDER], capture_output=True)
        pip = [program, "-m", "pip", "install", "-q", f"h11=={VERSION}"]
        if made.returncode or subprocess.run(pip, capture_output=True).returncode:
            return None
        pathlib.Path(FOLDER / "complete").touch()
    return program


class Framing(harness.ProgramTest):
    def test_requests_are_read_as_h11_reads_them_or_rejected(self):
        program = python_with_h11()
        if not program:
            self.skipTest("h11 cannot be installed here")
        server = harness.Server(self)
        done = subprocess.run(
            [program, "-B", harness.PEERS / "servers/probe_framing.py", "--port", str(server.port)],
            capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout[-8000:] + done.stderr[-2000:])
        self.assertGreaterEqual(int(done.stdout.split()[0]), 600)
        self.assertEqual(server.stop(), 0)

    def test_behind_proxies_each_client_gets_its_own_answers(self):
        program = python_with_h11()
        if not program:
            self.skipTest("h11 cannot be installed here")
        done = subprocess.run(
            [sys.executable, "-B", harness.PEERS / "servers/soak_framing.py", "--program", harness.BINARY, "--python", program,
             "--dir", self.folder / "framing", "--sample", "7"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout[-8000:] + done.stderr[-2000:])
        tested = [line for line in done.stdout.splitlines() if "0 failures" in line]
        missing = done.stdout.count("is not installed")
        self.assertEqual(len(tested) + missing, 3, done.stdout)


if __name__ == "__main__":
    unittest.main()
