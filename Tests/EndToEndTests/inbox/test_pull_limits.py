"""Who may post to a server and fetch posts there, and what posts may take."""

import json
import os
import unittest

from senders import hozz
from senders.neutral import Person, Request
from support.pulling import PullTest
from support.watch import eventually


class Access(PullTest):
    def setUp(self):
        super().setUp()
        self.serve()
        self.phones = {user: self.phone(user)["token"] for user in ("anna", "bert")}
        self.tokens = {user: self.inbox_token(user) for user in ("anna", "bert")}
        self.requests = hozz.requests(Person(51, days=1).samples, size=40)

    def ask(self, method, path, token):
        return self.server.request(method, path, headers={"Authorization": f"Bearer {token}"})

    def test_a_user_gets_only_the_posts_of_the_own_phones(self):
        for request in self.requests[:2]:
            self.accept(request, self.phones["anna"], "raw")
        self.accept(self.requests[2], self.phones["bert"], "raw")
        anna = [post["id"] for post in self.waiting(self.tokens["anna"])]
        bert = [post["id"] for post in self.waiting(self.tokens["bert"])]
        self.assertEqual((len(anna), len(bert)), (2, 1))
        self.assertEqual(self.ask("GET", f"/api/v1/inbox/posts/{anna[0]}", self.tokens["bert"])[0], 404)
        self.assertEqual(self.ask("DELETE", "/api/v1/inbox/posts?ids=" + ",".join(anna), self.tokens["bert"])[0], 200)
        self.assertEqual([post["id"] for post in self.waiting(self.tokens["anna"])], anna)
        status, _, body = self.ask("GET", f"/api/v1/inbox/posts/{anna[0]}", self.tokens["anna"])
        head, content = body.split(b"\n", 1)
        self.assertEqual((status, content, json.loads(head)["device"]), (200, self.requests[0].body, "phone"))
        self.assertNotIn(self.phones["anna"].encode(), body)

    def test_a_phone_can_only_post(self):
        phone = self.phones["anna"]
        self.accept(self.requests[0], phone, "raw")
        waiting = self.waiting(self.tokens["anna"])[0]["id"]
        for method, path in (("GET", "/api/v1/inbox/posts"), ("GET", f"/api/v1/inbox/posts/{waiting}"),
                             ("DELETE", f"/api/v1/inbox/posts?ids={waiting}"), ("GET", "/steps"), ("POST", "/steps"),
                             ("DELETE", "/steps"), ("GET", "/metrics"), ("GET", "/api/v1/capabilities"),
                             ("GET", "/openapi.json"), ("GET", "/api/v1/summary")):
            with self.subTest(path):
                self.assertEqual(self.ask(method, path, phone)[0], 403)
        status, _, body = self.server.request("POST", "/login", f"token={phone}".encode())
        self.assertNotEqual(status, 303, body)
        self.assertEqual(len(self.waiting(self.tokens["anna"])), 1)

    def test_tokens_that_are_not_of_a_phone_cannot_post(self):
        for scope in ("inbox", "ingest,read,delete,admin"):
            token = self.inbox_token("anna", scope)
            self.assertEqual(self.post(self.requests[0], token, "raw").status, 401)
        self.assertEqual(self.ask("GET", "/api/v1/inbox/posts", self.inbox_token("anna", "read,admin"))[0], 403)
        self.assertEqual(self.files(), [])

    def test_strangers_leave_nothing_on_the_disk(self):
        big = Request("POST", "/api/data", {"Content-Type": "application/json"}, b"{" + b" " * (9 << 20))
        signed = big.with_headers(**{"X-Signature": "sha256=" + "0" * 64})
        for request in (big, signed, Request("POST", "/device/0123456789abcdef/x", signed.headers, big.body)):
            try:
                self.assertIn(self.post(request).status, (401, 413))
            except OSError:
                pass  # The server closes the connection instead of reading the body.
            self.assertEqual(self.files(), [])

    def test_a_revoked_phone(self):
        self.accept(self.requests[0], self.phones["anna"], "raw")
        self.succeed("device", "revoke", "phone", "--user", "anna", "--data-dir", "served")
        eventually(lambda: self.assertEqual(self.post(self.requests[1], self.phones["anna"], "raw").status, 401))
        self.accept(self.requests[1], self.phones["bert"], "raw")
        self.assertEqual(len(self.waiting(self.tokens["anna"])), 1)

    def test_names_and_modes_of_files(self):
        self.accept(self.requests[0], self.phones["anna"], "raw")
        (post,) = self.files()
        self.assertEqual(post.parts[-3:-1], ("anna", "waiting"))
        self.assertEqual(post.stat().st_mode & 0o777, 0o600)
        for folder in list(post.parents)[:3]:
            self.assertEqual(folder.stat().st_mode & 0o777, 0o700, folder)


def peak(process):
    """Returns the peak of the resident memory of a process, in KiB."""
    with open(f"/proc/{process.pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))


class Limits(PullTest):
    def test_a_quota_rejects_posts_until_they_are_pulled(self):
        self.serve("--inbox-quota", 200_000)
        phones = {user: self.phone(user)["token"] for user in ("anna", "bert")}
        token, person = self.inbox_token(), Person(61)
        requests = hozz.requests(person.samples, size=40)
        statuses = [self.post(request, phones["anna"], "raw").status for request in requests]
        self.assertEqual(set(statuses), {200, 507})
        self.accept(requests[0], phones["bert"], "raw")
        left = requests[statuses.index(507):]
        for _ in range(50):
            self.pull(token)
            while left and self.post(left[0], phones["anna"], "raw").status == 200:
                left.pop(0)
            if not left:
                break
        self.assertEqual(left, [])
        self.pull(token)
        self.assert_figures(person.samples)
        # Half-received posts no longer count, also after a restart.
        port = self.server.port
        self.assertEqual(self.server.stop(), 0)
        self.serve("--inbox-quota", 200_000, port=port)
        big = Request("POST", "/x", {}, b"x" * 190_000)
        self.assertEqual(self.post(Request("POST", "/x", {}, b"x" * 200_000), phones["anna"], "raw").status, 507)
        self.accept(big, phones["anna"], "raw")
        self.assertEqual(self.post(big, phones["anna"], "raw").status, 507)

    def test_memory_does_not_grow_with_the_size_of_a_post(self):
        """The body is not gzip, so that its import needs no memory either."""
        self.serve()
        phone, token = self.phone()["token"], self.inbox_token()
        self.options(token)
        watch = self.watch("--pull", self.server.url, listen=None)
        bodies, peaks = [os.urandom(1 << 10), os.urandom(60 << 20)], []
        for number, body in enumerate(bodies):
            self.accept(Request("POST", "/x", {"Content-Encoding": "gzip"}, body), phone, "raw")
            eventually(lambda: self.assertEqual([self.state(), self.waiting(token)], [(0, number + 1), []]))
            peaks.append((peak(watch.process), peak(self.server.process)))
        self.assertEqual([post["bytes"] for post in self.inbox()], [60 << 20, 1 << 10])
        for before, after in zip(*peaks):
            self.assertLess(after - before, 24 << 10, peaks)
        self.assertEqual(watch.terminate(), 0)

    def state(self):
        """Returns how many posts of the local archive wait, and how many could not be decoded."""
        listed = self.json_of("inbox", "list", "--data-dir", "data")
        return listed["waiting"], listed["undecoded"]

    def test_a_damaged_post_stays_on_the_server_and_does_not_block_the_others(self):
        self.serve()
        phone, token, person = self.phone()["token"], self.inbox_token(), Person(62, days=1)
        for request in hozz.requests(person.samples, size=40):
            self.accept(request, phone, "raw")
        damaged = self.files()[0]
        content = damaged.read_bytes()
        damaged.write_bytes(b"damaged\n" + content)
        result = self.run_program("pull", *self.options(token), "--json")
        pulled = json.loads(result.stdout)
        self.assertEqual((result.returncode, pulled["failures"][0]["subject"]), (65, damaged.name))
        self.assertEqual([post["id"] for post in self.waiting(token)], [damaged.name])
        damaged.write_bytes(content)
        self.assertEqual(self.pull(token)["pulled"]["posts"], 1)
        self.assert_figures(person.samples)

    def test_a_server_that_limits_requests_only_delays_a_pull(self):
        self.serve("--requests-per-minute", 60)
        phone, token, person = self.phone()["token"], self.inbox_token(), Person(68, days=1)
        requests = hozz.requests(person.samples, size=len(person.samples) // 30 + 1)
        for request in requests:
            self.accept(request, phone, "raw")
        self.assertEqual(self.pull(token)["pulled"]["posts"], len(requests))
        self.assert_figures(person.samples)

    def test_posts_are_counted(self):
        self.serve()
        phone, token, admin = self.phone()["token"], self.inbox_token(), self.inbox_token("anna", "admin")
        requests = hozz.requests(Person(63, days=1).samples, size=40)

        def metrics():
            text = self.server.request("GET", "/metrics", headers={"Authorization": f"Bearer {admin}"})[2].decode()
            lines = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
            self.assertNotIn("anna", text)
            return [int(lines["healthsync_inbox_" + name])
                    for name in ("archived_posts_total", "confirmed_posts_total", "waiting_posts")]
        for request in requests:
            self.accept(request, phone, "raw")
        self.assertEqual(metrics(), [len(requests), 0, len(requests)])
        self.pull(token)
        self.assertEqual(metrics(), [len(requests), len(requests), 0])


if __name__ == "__main__":
    unittest.main()
