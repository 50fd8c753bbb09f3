"""Requests of random shape over TLS, with connections that end at any phase."""

import pathlib
import subprocess
import sys

from support.harness import PATIENCE, ProgramTest, Server
from support.seeds import seeds

REQUESTS = seeds(200, 2_000, 100_000)
CLIENT = pathlib.Path(__file__).resolve().parents[2] / "Support" / "Peers" / "servers" / "tls_requests.py"


class TLSRequests(ProgramTest):
    def setUp(self):
        super().setUp()
        self.certificate, self.key = self.folder / "cert.pem", self.folder / "key.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
             "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
             "-keyout", self.key, "-out", self.certificate], check=True, capture_output=True)
        self.server = Server(self, "--tls-cert", self.certificate, "--tls-key", self.key)

    def curl(self, *words):
        words = ["curl", "-sS", "--cacert", self.certificate, *words, self.server.url + "/live"]
        return subprocess.run(words, capture_output=True, text=True)

    def test_a_server_outlives_ordinary_requests_that_close(self):
        for words in (["-H", "Connection: close"], ["--http1.0"]):
            for number in range(100):
                answer = self.curl(*words)
                self.assertEqual(answer.returncode, 0, f"{words}, request {number}: {answer.stderr}")
        self.assertIsNone(self.server.process.poll())

    def test_a_server_outlives_requests_of_any_shape(self):
        run = subprocess.run(
            [sys.executable, CLIENT, "--port", str(self.server.port), "--authority", self.certificate,
             "--requests", str(REQUESTS), "--pid", str(self.server.process.pid)], capture_output=True, text=True)
        self.assertIsNone(self.server.process.poll(), f"the server ended; {run.stderr}")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(self.curl().returncode, 0)
        self.assertEqual(self.server.stop(), 0)
