"""The receiving server in deployment: TLS, a proxy, systemd, a stop under load, and the original client."""

import json
import signal
import socket
import sqlite3
import subprocess
import unittest
import uuid
from contextlib import closing

from support.harness import PATIENCE, ProgramTest, Server


def steps(number):
    return [
        {"uuid": str(uuid.UUID(int=index + 1)).upper(), "startDate": "2024-01-15T08:00:00Z",
         "endDate": "2024-01-15T09:00:00Z", "count": index, "sourceBundleId": "com.apple.health"}
        for index in range(number)
    ]


class ReceivingServer(ProgramTest):
    def curl(self, *words):
        return subprocess.run(["curl", "-sS", *map(str, words)], capture_output=True, text=True)

    def test_a_client_of_the_original_server_works_unchanged(self):
        server = Server(self)
        sent = steps(3)
        posted = self.curl("-X", "POST", "-H", "Content-Type: application/json", "-d", json.dumps({"samples": sent}), server.url + "/steps")
        self.assertEqual({k: json.loads(posted.stdout)[k] for k in ("saved", "message")}, {"saved": 3, "message": "Success"})
        self.assertEqual(json.loads(self.curl(server.url + "/health").stdout), {"status": "ok"})
        self.assertEqual(json.loads(self.curl(server.url + "/steps").stdout), {"samples": sent, "total": 3, "storedCount": 3})
        for body, error in ((b"{}", 'Invalid request body. Expected {"samples": [...]}'), (b'{"samples":1}', "samples must be a list"),
                            (b'{"samples":[1]}', "Each sample must be a JSON object"), (b"{", "Invalid JSON")):
            status, _, answer = server.request("POST", "/steps", body)
            self.assertEqual((status, json.loads(answer)), (400, {"error": error}))
        for message in ("All steps deleted successfully", "No steps file to delete"):
            status, _, answer = server.request("DELETE", "/steps")
            self.assertEqual((status, json.loads(answer)), (200, {"message": message}))

    def test_tls(self):
        certificate, key = self.folder / "cert.pem", self.folder / "key.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
             "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
             "-keyout", key, "-out", certificate], check=True, capture_output=True)
        server = Server(self, "--tls-cert", certificate, "--tls-key", key)
        self.assertTrue(server.url.startswith("https://127.0.0.1:"))
        good = self.curl("--cacert", certificate, server.url + "/health")
        self.assertEqual((good.returncode, good.stdout), (0, '{"status":"ok"}'), good.stderr)
        self.assertEqual(self.curl(server.url + "/health").returncode, 60, "an untrusted certificate was accepted")
        old = self.curl("--cacert", certificate, "--tls-max", "1.1", server.url + "/health")
        self.assertNotEqual(old.returncode, 0)

    def test_behind_a_proxy_a_token_is_required_and_the_proxy_is_trusted(self):
        refused = self.run_program("serve", "--data-dir", self.folder / "served", "--port", "0", "--behind-proxy")
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn("token", refused.stderr)
        self.succeed("token", "create", "--data-dir", self.folder / "served", "--user", "anna", "--scope", "read")
        log = self.folder / "access.log"
        server = Server(self, "--behind-proxy", "--access-log", log)
        status, _, _ = server.request("GET", "/steps", headers={"X-Forwarded-For": "203.0.113.9, 198.51.100.7"})
        self.assertEqual(status, 401)
        self.assertEqual(server.stop(), 0)
        lines = [json.loads(line) for line in log.read_text().splitlines()]
        self.assertEqual(
            [line["remote"] for line in lines], ["198.51.100.7"], "the address that the proxy appended, not one that the client sent")

    def test_systemd_is_notified(self):
        path = str(self.folder / "notify")
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
            listener.bind(path)
            listener.settimeout(PATIENCE)
            server = Server(self, environment={"NOTIFY_SOCKET": path}.items())
            self.assertEqual(listener.recv(100), b"READY=1")
            self.assertEqual(server.stop(), 0)
            self.assertEqual(listener.recv(100), b"STOPPING=1")

    def test_a_pending_request_is_completed_when_the_server_stops(self):
        server = Server(self)
        body = json.dumps({"samples": steps(500)}).encode()
        with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as client:
            client.sendall(b"POST /steps HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: %d\r\n\r\n" % len(body))
            self.assertIn(b"100", client.recv(100), "the server has read the head")
            # Two seconds after the signal, the server drops what it has not received.
            server.process.send_signal(signal.SIGSTOP)
            client.sendall(body)
            server.process.send_signal(signal.SIGTERM)
            server.process.send_signal(signal.SIGCONT)
            answer = b""
            while piece := client.recv(1 << 16):
                answer += piece
        self.assertTrue(answer.startswith(b"HTTP/1.1 200"), answer[:200])
        self.assertIn(b'"saved":500', answer)
        # A second signal would stop it at once.
        self.assertEqual(server.process.wait(timeout=PATIENCE), 0)

    def test_acknowledged_data_survives_another_reader_and_a_kill(self):
        server = Server(self)
        sent = steps(40)
        for number in (20, 40):
            server.request("POST", "/steps", {"samples": sent[number - 20:number]})
            self.assertEqual(json.loads(server.request("GET", "/steps")[2])["total"], number)
            # A program that closes the database as its presumed last user would delete the log that the server uses.
            with closing(sqlite3.connect(server.database)) as looking:
                self.assertEqual(looking.execute("SELECT sum(count) FROM sample_pages").fetchall(), [(number,)])
        server.stop(signal.SIGKILL)
        again = Server(self)
        self.assertEqual(json.loads(again.request("GET", "/steps")[2]), {"samples": sent, "total": 40, "storedCount": 40})


if __name__ == "__main__":
    unittest.main()
