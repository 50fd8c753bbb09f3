"""Tests every operation of /openapi.json with schemathesis: the description is correct, and no request breaks the server."""

import pathlib
import re
import subprocess
import sys
import unittest

from support import harness
from support.seeds import seeds

HERE = pathlib.Path(__file__).resolve().parent
VERSION = "4.32.5"
FOLDER = harness.ROOT / ".build" / f"schemathesis-{VERSION}"
# Random requests per operation, in addition to those at the limits of its description.
EXAMPLES = seeds(10, 20, 400)


def schemathesis():
    """Returns the program, installed by pip into its own folder, or None if that fails."""
    program = FOLDER / "bin" / "schemathesis"
    if not program.exists():
        made = subprocess.run([sys.executable, "-m", "venv", FOLDER], capture_output=True)
        pip = [FOLDER / "bin" / "python", "-m", "pip", "install", "-q", "--no-compile", f"schemathesis=={VERSION}"]
        if made.returncode or subprocess.run(pip, capture_output=True).returncode:
            return None
    return program


class OpenAPI(harness.ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.schemathesis = schemathesis()
        if not cls.schemathesis:
            raise unittest.SkipTest("schemathesis cannot be installed here")

    def drive(self, server, *words):
        done = subprocess.run(
            [self.schemathesis, "--config-file", HERE / "schemathesis.toml", "run", server.url + "/openapi.json",
             "--max-examples", str(EXAMPLES), "--generation-database", "none", "--no-color", *words],
            cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout[-8000:] + done.stderr[-2000:])
        selected, tested = (re.search(form, done.stdout) for form in (r"Operations: +(\d+) selected", r"Tested: +(\d+)"))
        self.assertEqual(tested[1], selected[1])
        status, _, _ = server.request("GET", "/health")
        self.assertEqual(status, 200)

    def test_without_tokens(self):
        server = harness.Server(self)
        self.drive(server)
        self.assertEqual(server.stop(), 0)

    def test_with_tokens(self):
        words = ["token", "create", "--data-dir", self.folder / "served", "--user", "anna"]
        token = self.json_of(*words, "--scope", "ingest,read,delete,admin")["token"]
        server = harness.Server(self)
        self.drive(server, "--header", f"Authorization: Bearer {token}")
        self.assertEqual(server.stop(), 0)


if __name__ == "__main__":
    unittest.main()
