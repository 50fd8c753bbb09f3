"""The original step app: its requests get the answers that its own server gave, recorded from Flask and flask-cors."""

import json
import unittest
import urllib.error
import urllib.request

from support import harness

RECORDED = harness.PEERS / "servers/step_app_answers.json"


class StepApp(harness.ProgramTest):
    def replay(self, url, exchanges, more=()):
        for exchange in exchanges:
            with self.subTest(method=exchange["method"], body=str(exchange["body"])[:40], headers=exchange["headers"]):
                data = None if exchange["body"] is None else json.dumps(exchange["body"]).encode()
                headers = {**exchange["headers"], **dict(more), **({"Content-Type": "application/json"} if data else {})}
                request = urllib.request.Request(url + exchange["path"], data, headers, method=exchange["method"])
                try:
                    with urllib.request.urlopen(request, timeout=harness.PATIENCE) as answer:
                        status, answered, body = answer.status, answer.headers, answer.read()
                except urllib.error.HTTPError as rejected:
                    with rejected:
                        status, answered, body = rejected.code, rejected.headers, rejected.read()
                self.assertEqual(status, exchange["status"])
                if exchange["answer"] is not None:
                    found = json.loads(body)
                    # A recorded null is an absent member, and further members do not disturb the app.
                    self.assertEqual({name: found.get(name) for name in exchange["answer"]}, exchange["answer"])
                for name, value in exchange["answerHeaders"].items():
                    self.assertEqual(self.parts(answered[name]), self.parts(value), name)
                for name in ("Access-Control-Allow-Origin", "Access-Control-Allow-Methods"):
                    self.assertEqual(name in answered, name in exchange["answerHeaders"], name)

    def parts(self, text):
        return sorted(part.strip() for part in (text or "").split(","))

    def test_every_request_gets_the_answer_of_the_original_server(self):
        recorded = json.loads(RECORDED.read_text())
        for origins, exchanges in recorded.items():
            # The server that needs tokens, because without one "*" admits no page.
            folder = f"served {len(origins)}"
            token = self.json_of("token", "create", "--data-dir", self.folder / folder, "--scope", "ingest,read,delete")["token"]
            server = harness.Server(self, "--cors-origin", origins, folder=folder)
            self.replay(server.url, exchanges, {"Authorization": f"Bearer {token}"}.items())
            server.stop()

    def test_without_tokens_only_listed_origins_are_admitted(self):
        recorded = json.loads(RECORDED.read_text())
        server = harness.Server(self, "--cors-origin", "https://steps.example")
        self.replay(server.url, [exchange for exchange in recorded["https://steps.example"] if exchange["method"] != "OPTIONS"])
        status, _, _ = server.request("GET", "/steps", headers={"Origin": "https://other.example"}.items())
        self.assertEqual(status, 403)
        server.stop()
        open_to_all = harness.Server(self, "--cors-origin", "*")
        status, _, _ = open_to_all.request("GET", "/steps", headers={"Origin": "https://other.example"}.items())
        self.assertEqual(status, 403)

    def test_no_cross_origin_headers_by_default(self):
        server = harness.Server(self)
        _, headers, _ = server.request("GET", "/health", headers={"Origin": "http://localhost:3000"}.items())
        self.assertFalse([name for name in headers if name.lower().startswith("access-control")])

    def test_a_phone_on_the_same_network_sends_with_a_token_in_the_path(self):
        recorded = json.loads(RECORDED.read_text())["*"]
        methods = [exchange["method"] for exchange in recorded]
        exchanges = [{**exchange, "answerHeaders": {}} for exchange in recorded[:methods.index("OPTIONS")] if not exchange["headers"]]
        data = self.folder / "served"
        token = self.json_of("token", "create", "--data-dir", data, "--scope", "ingest,read,delete")["token"]
        refused = self.run_program("serve", "--data-dir", data, "--listen", "0.0.0.0:0")
        self.assertEqual(refused.returncode, 64)
        self.assertIn("--lan", refused.stderr)
        log = self.folder / "access.log"
        server = harness.Server(self, "--listen", "0.0.0.0", "--lan", "--access-log", log)
        base = f"http://127.0.0.1:{server.port}"
        self.replay(f"{base}/device/{token}", exchanges)
        other = "1" if token[-1] == "0" else "0"
        for path in (f"/device/{token[:-1]}{other}/steps", f"/device/{token[:-1]}x/steps", "/device/steps", "/steps"):
            with self.assertRaises(urllib.error.HTTPError) as rejected:
                urllib.request.urlopen(base + path)
            self.assertIn(rejected.exception.code, (401, 404), path)
            rejected.exception.close()
        self.assertEqual(server.stop(), 0)
        self.assertNotIn(token[-64:], log.read_text())

    def test_paths_contain_no_token_without_lan(self):
        token = self.json_of("token", "create", "--data-dir", self.folder / "served", "--scope", "ingest,read")["token"]
        server = harness.Server(self)
        self.assertEqual(server.request("GET", f"/device/{token}/steps")[0], 404)

    def test_sleep_is_answered_with_the_id_of_the_session(self):
        server = harness.Server(self)
        session = {"start_time": "2024-01-14T22:58:00+01:00", "end_time": "2024-01-15T07:01:00+01:00", "source": "Apple Watch",
                   "source_id": "night", "notes": None, "stages": []}
        found = [json.loads(server.request("POST", "/api/v1/sleep", session)[2]) for _ in range(2)]
        self.assertEqual(found[0]["session_id"], found[0]["data"]["id"])
        self.assertEqual(found[1]["session_id"], found[0]["session_id"])


if __name__ == "__main__":
    unittest.main()
