"""The configurations of docs/own-server.md, run by the real nginx and Caddy, in front of the real server."""

import json
import re
import shutil
import signal
import socket
import subprocess
import unittest

from support.harness import PATIENCE, ROOT, ProgramTest, Server, reserve_port
from support.markdown import blocks
from support.watch import eventually

HOST = "health.example.org"


def documented(language):
    found = [block.text for block in blocks(ROOT / "docs/own-server.md") if block.info == language]
    assert len(found) == 1, language
    return found[0]


class ProxyTest(ProgramTest):
    def setUp(self):
        super().setUp()
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                        "-keyout", "key.pem", "-out", "cert.pem", "-subj", f"/CN={HOST}", "-addext",
                        f"subjectAltName=DNS:{HOST}"], cwd=self.folder, check=True, capture_output=True)
        # A store with a token, before the server starts behind a proxy.
        self.token = self.json_of("token", "create", "--data-dir", "served", "--user", "anna", "--scope",
                                  "ingest,read,delete")["token"]
        self.server = Server(self, "--behind-proxy", "--access-log", "access.log")
        self.port = reserve_port(self.addCleanup)

    def start_proxy(self, *words):
        log = (self.folder / "proxy.log").open("w")
        self.addCleanup(log.close)
        process = subprocess.Popen(words, cwd=self.folder, env=self.environment, stdout=log, stderr=log)
        self.addCleanup(process.wait)
        self.addCleanup(process.send_signal, signal.SIGTERM)
        has_ended = lambda: process.poll() is not None
        eventually(lambda: has_ended() or socket.create_connection(("127.0.0.1", self.port)).close())
        self.assertFalse(has_ended(), (self.folder / "proxy.log").read_text())

    def curl(self, path, *words):
        done = subprocess.run(
            ["curl", "--silent", "--show-error", "--cacert", "cert.pem", "--resolve", f"{HOST}:{self.port}:127.0.0.1",
             "--write-out", "\n%{http_code}", *words, f"https://{HOST}:{self.port}{path}"],
            cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual(done.returncode, 0, done.stderr)
        body, _, status = done.stdout.rpartition("\n")
        return int(status), body

    def check(self):
        bearer = ("-H", f"Authorization: Bearer {self.token}")
        self.assertEqual(self.curl("/live")[0], 200)
        self.assertEqual(self.curl("/api/v1/snapshots")[0], 401)
        sample = ('{"samples":[{"uuid":"00000000-0000-0000-0000-000000000001","startDate":"2024-01-15T08:00:00Z",'
                  '"endDate":"2024-01-15T08:01:00Z","count":7,"sourceBundleId":"x"}]}')
        status, body = self.curl("/steps", *bearer, "-H", "Content-Type: application/json", "-X", "POST", "-d", sample)
        self.assertEqual(status, 200, body)
        status, body = self.curl("/steps", *bearer)
        self.assertEqual((status, body.count('"count":7')), (200, 1), body)
        # A large body passes the proxy in both directions, and the pages are shown.
        (self.folder / "large").write_text(sample.replace("[", "[" + " " * 3_000_000))
        status, body = self.curl("/steps", *bearer, "-H", "Content-Type: application/json", "--data-binary", "@large")
        self.assertEqual(status, 200, body)
        self.assertIn(self.curl("/")[0], (200, 302, 303, 401))
        # A client cannot state another address: the last entry, that of the proxy, counts.
        self.curl("/live", "-H", "X-Forwarded-For: 203.0.113.9")
        self.server.stop()
        clients = {json.loads(line)["remote"] for line in (self.folder / "access.log").read_text().splitlines()}
        self.assertEqual(clients, {"127.0.0.1"})
        self.assertEqual(self.curl("/live")[0], 502)

    @unittest.skipUnless(shutil.which("nginx"), "nginx is not installed")
    def test_nginx(self):
        text = documented("nginx")
        for pattern, replacement in [
            (r"listen 443 ssl", f"listen 127.0.0.1:{self.port} ssl"), (r"ssl_certificate /\S+;", "ssl_certificate cert.pem;"),
            (r"ssl_certificate_key /\S+;", "ssl_certificate_key key.pem;"),
            (r"http://127\.0\.0\.1:8000", self.server.url),
        ]:
            text, count = re.subn(pattern, replacement, text)
            self.assertEqual(count, 1, pattern)
        (self.folder / "nginx.conf").write_text(
            f"daemon off; pid nginx.pid; error_log stderr;\nevents {{}}\nhttp {{ access_log off;\n"
            + "".join(f"{kind}_temp_path temp-{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
            + text + "}\n")
        self.start_proxy("nginx", "-p", str(self.folder), "-c", "nginx.conf", "-e", "stderr")
        self.check()

    @unittest.skipUnless(shutil.which("caddy"), "caddy is not installed")
    def test_caddy(self):
        text = documented("caddyfile")
        for pattern, replacement in [
            (r"health\.example\.org \{", f"https://{HOST}:{self.port} {{\n    bind 127.0.0.1\n    tls cert.pem key.pem"),
            (r"127\.0\.0\.1:8000", self.server.url.removeprefix("http://")),
        ]:
            text, count = re.subn(pattern, replacement, text)
            self.assertEqual(count, 1, pattern)
        options = "{\n    admin off\n    auto_https disable_redirects\n    skip_install_trust\n}\n"
        (self.folder / "Caddyfile").write_text(options + text)
        self.start_proxy("caddy", "run", "--config", "Caddyfile", "--adapter", "caddyfile")
        self.check()


if __name__ == "__main__":
    unittest.main()
