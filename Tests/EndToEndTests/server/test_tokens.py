"""Tokens, logins and the certificate of a running server."""

import http.client
import json
import signal
import sqlite3
import ssl
import subprocess
import unittest
import urllib.parse
from contextlib import closing

from support.harness import PATIENCE, ProgramTest, Server


class Tokens(ProgramTest):
    def certificate(self, name):
        certificate, key = self.folder / f"{name}.pem", self.folder / f"{name}-key.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
             "-subj", f"/CN={name}", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate],
            check=True, capture_output=True)
        return certificate, key

    def test_a_hangup_reloads_the_certificate(self):
        first, second = self.certificate("first"), self.certificate("second")
        certificate, key = self.folder / "cert.pem", self.folder / "key.pem"
        for source, target in zip(first, (certificate, key)):
            target.write_bytes(source.read_bytes())
        server = Server(self, "--tls-cert", certificate, "--tls-key", key)

        def trusts(authority):
            context = ssl.create_default_context(cafile=authority)
            connection = http.client.HTTPSConnection("127.0.0.1", server.port, context=context, timeout=PATIENCE)
            try:
                connection.request("GET", "/health")
                return connection.getresponse().status == 200
            except ssl.SSLCertVerificationError:
                return False
            finally:
                connection.close()

        self.assertTrue(trusts(first[0]) and not trusts(second[0]))
        key.write_text("no key")
        self.assertIn("no token exists", server.process.stderr.readline())
        server.process.send_signal(signal.SIGHUP)
        line = server.process.stderr.readline()
        self.assertIn("certificate", line)
        self.assertTrue(trusts(first[0]), "an invalid file changes nothing")
        for source, target in zip(second, (certificate, key)):
            target.write_bytes(source.read_bytes())
        server.process.send_signal(signal.SIGHUP)
        server.process.stderr.readline()
        self.assertTrue(trusts(second[0]) and not trusts(first[0]))
        self.assertEqual(server.stop(), 0)

    def test_a_server_that_is_ready_reads_its_files_again(self):
        certificate, key = self.certificate("server")
        for _ in range(10):
            server = Server(self, "--tls-cert", certificate, "--tls-key", key)
            self.assertIn("no token exists", server.process.stderr.readline())
            server.process.send_signal(signal.SIGHUP)
            self.assertIn("were read again", server.process.stderr.readline())
            self.assertEqual(server.stop(), 0)

    def page(self, server, method, path, fields=None, cookie=None):
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
        headers = {"Origin": f"http://127.0.0.1:{server.port}", "Content-Type": "application/x-www-form-urlencoded"}
        if cookie:
            headers["Cookie"] = cookie
        connection.request(method, path, urllib.parse.urlencode(fields) if fields else None, headers)
        answer = connection.getresponse()
        content = answer.read().decode()
        connection.close()
        return answer.status, (answer.getheader("Set-Cookie") or "").split(";")[0], content

    def log_in(self, server, token):
        status, cookie, _ = self.page(server, "POST", "/login", {"token": token})
        self.assertEqual(status, 303)
        return cookie

    def form_token(self, content):
        return content.split('name="form_token" value="')[1].split('"')[0]

    def test_a_token_never_outlives_or_exceeds_the_one_that_created_it(self):
        data = self.folder / "served"
        parent = self.json_of("token", "create", "--data-dir", data, "--user", "anna", "--scope", "read,admin",
                              "--expires", "2150-01-01")
        server = Server(self)
        cookie = self.log_in(server, parent["token"])
        form = self.form_token(self.page(server, "GET", "/view/tokens", cookie=cookie)[2])

        def create(**fields):
            status, _, content = self.page(server, "POST", "/view/tokens/create", {"form_token": form, **fields}, cookie)
            return status, content.split('id="token">')[1].split("<")[0] if 'id="token">' in content else None

        status, child = create(scope="read", expires="")
        self.assertEqual(status, 200)
        self.assertEqual(create(scope="read", expires="2150-06-01"), (400, None))
        self.assertEqual(create(scope="delete", expires="")[1], None)
        listed = json.loads(self.succeed("token", "list", "--data-dir", data, "--json").stdout)["tokens"]
        self.assertEqual({token["expires"] for token in listed}, {parent["expires"]})
        bearer = {"Authorization": f"Bearer {child}"}.items()
        self.assertEqual(server.request("GET", "/steps", headers=bearer)[0], 200)
        self.succeed("token", "revoke", "--data-dir", data, parent["id"])
        server.process.send_signal(signal.SIGHUP)
        server.process.stderr.readline()
        self.assertEqual(server.request("GET", "/steps", headers=bearer)[0], 401)

    def test_tokens_of_the_former_schema_stay_valid(self):
        data = self.folder / "served"
        token = self.json_of("token", "create", "--data-dir", data, "--scope", "read")
        with closing(sqlite3.connect(data / "server/received.db-tokens")) as connection:
            connection.executescript("ALTER TABLE tokens DROP COLUMN parent_id; PRAGMA user_version = 1")
        server = Server(self)
        bearer = {"Authorization": f"Bearer {token['token']}"}.items()
        self.assertEqual(server.request("GET", "/steps", headers=bearer)[0], 200)
        self.succeed("token", "revoke", "--data-dir", data, token["id"])
        server.stop()

    def test_logins_of_one_user_end_no_session_of_another(self):
        data = self.folder / "served"
        anna, ben = (self.json_of("token", "create", "--data-dir", data, "--user", name, "--scope", "read")["token"]
                     for name in ("anna", "ben"))
        server = Server(self)
        first = self.log_in(server, anna)
        for _ in range(1_001):
            last = self.log_in(server, ben)
        self.assertEqual(self.page(server, "GET", "/", cookie=first)[0], 200)
        self.assertEqual(self.page(server, "GET", "/", cookie=last)[0], 200)


if __name__ == "__main__":
    unittest.main()
