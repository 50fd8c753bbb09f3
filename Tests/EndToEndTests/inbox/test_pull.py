"""Posts to a server wait there until the user's machine has pulled them; the figures are those of a direct post."""

import contextlib
import io
import json
import unittest

from inbox.test_senders import SENDERS
from senders import hcgateway, hozz
from senders.life_dashboard import LifeDashboard
from senders.neutral import ANDROID, Person
from support import harness
from support.documented import run_until_ready
from support.harness import BINARY
from support.pulling import PullTest
from support.watch import eventually

import postgres_server


class Senders(PullTest):
    def test_each_sender_posts_to_the_server_and_the_figures_are_right_after_a_pull(self):
        self.serve()
        for number, sender in enumerate(SENDERS):
            with self.subTest(sender.name):
                user, data, person = f"user{number}", f"data{number}", Person(41, sources=sender.sources)
                self.prefer(sender.sources)
                samples = sender.samples(person.samples)
                phone, token = self.phone(user)["token"], self.inbox_token(user)
                requests = sender.requests(person, samples)
                for request in requests:
                    self.accept(request, phone, sender.place)
                posts = len(self.waiting(token))
                pulled = self.pull(token, data)
                self.assertEqual((pulled["pulled"]["posts"], pulled["decoded"], pulled["undecoded"], pulled["failures"]),
                                 (posts, posts, [], []))
                self.assertEqual(self.waiting(token), [])
                self.assert_figures(sender.sent(samples), data=data, only=sender.only)
                again = self.pull(token, data)
                self.assertEqual((again["pulled"]["posts"], again["decoded"]), (0, 0))
        self.assertEqual(self.files(), [])

    def test_posts_that_are_signed(self):
        self.serve()
        self.prefer(ANDROID)
        person, phone = Person(42, sources=ANDROID, days=2), self.phone()
        path = next(field["value"] for field in self.json_of(
            "pair", "other", "--user", "anna", "--address", "https://health.example", "--app", "life-dashboard",
            "--data-dir", "served")["fields"] if field["name"] == "Webhook URL")
        self.assertRegex(path, "^https://health.example/inbox/device/[0-9a-f]{16}/life-dashboard$")
        app = LifeDashboard(secret=phone["signingSecret"], path=f"/device/{phone['id']}/life-dashboard")
        for request in app.syncs(person.samples):
            self.accept(request)
        forged = LifeDashboard(secret="0" * 64, path=f"/device/{phone['id']}/life-dashboard").sync(person.samples[:9])
        self.assertEqual(self.post(forged).status, 401)
        unnamed = LifeDashboard(secret=phone["signingSecret"]).sync(person.samples[:9])
        self.assertEqual(self.post(unnamed).status, 401)
        token = self.inbox_token()
        self.pull(token)
        self.assert_figures(person.samples)
        self.assertEqual({post["device"] for post in self.inbox()}, {"phone"})

    def test_a_login_with_the_token_as_password(self):
        self.serve()
        self.prefer(ANDROID)
        person, phone = Person(43, sources=ANDROID, days=1), self.phone()["token"]
        self.assertEqual(self.post(hcgateway.login("phone", phone[:-1] + ("0" if phone[-1] != "0" else "1"))).status, 401)
        token = json.loads(self.accept(hcgateway.login("phone", phone)).body)["token"]
        for request in hcgateway.requests(person.samples, token):
            self.accept(request)
        self.pull(self.inbox_token())
        self.assert_figures(person.samples)

    def test_a_phone_may_post_to_both(self):
        """The same phone, first in the local network, then on the way: nothing counts twice."""
        self.serve()
        person, phone, token = Person(44), self.phone()["token"], self.inbox_token()
        local, watch = self.pair(), self.watch()
        requests = hozz.requests(person.samples, size=60)
        for request in requests[:len(requests) * 2 // 3]:
            watch.accept(request, local, "raw")
        for request in requests[len(requests) // 3:]:
            self.accept(request, phone, "raw")
        self.settle()
        self.assertEqual(watch.terminate(), 0)
        self.pull(token)
        self.assert_figures(person.samples)


class Commands(PullTest):
    def test_daily_imports_posts_that_wait_here_and_on_the_server(self):
        self.serve()
        phone, token, person = self.phone()["token"], self.inbox_token(), Person(64)
        requests = hozz.requests(person.samples, size=60)
        options = ("--config", self.config, "--data-dir", "data")
        middle = len(requests) // 2
        for request in requests[:middle]:
            self.accept(request, phone, "raw")
        local, watch = self.pair(), self.watch()
        for request in requests[middle:]:
            watch.accept(request, local, "raw")
        posts = self.settle()
        self.assertEqual(watch.terminate(), 0)
        self.succeed("inbox", "retry", *(post["id"] for post in posts), "--data-dir", "data")
        for path in (self.folder / "data").glob("healthsync.sqlite*"):
            path.unlink()
        status = self.json_of("status", *options)
        self.assertEqual(status["inbox"]["waiting"], len(requests) - middle)
        self.config.write_text(json.dumps({
            **json.loads(self.config.read_text()), "inbox": {"server": self.server.url, "tokenFile": "inbox-token"}}))
        secret = self.folder / "inbox-token"
        secret.write_text(token)
        secret.chmod(0o600)
        daily = self.json_of("daily", *options, "--zone", "Europe/Paris")
        self.assertEqual((daily["inbox"]["pulled"]["posts"], daily["inbox"]["decoded"]), (middle, len(requests)))
        self.assert_figures(person.samples)
        self.assertEqual(self.server.stop(), 0)
        offline = self.run_program("daily", *options, "--zone", "Europe/Paris", "--json")
        self.assertEqual(offline.returncode, 3, offline.stderr)
        self.assertEqual(json.loads(offline.stdout)["inbox"]["decoded"], 0)

    def test_without_an_inbox_daily_still_needs_a_source(self):
        result = self.run_program("daily", "--data-dir", "empty", "--zone", "Europe/Paris")
        self.assertEqual(result.returncode, 66, result.stderr)

    def test_errors_name_the_remedy(self):
        self.serve()
        self.phone()
        for token, text in ((self.inbox_token("anna", "read"), "inbox"), ("hst_wrong", "401")):
            result = self.run_program("pull", *self.options(token))
            self.assertEqual(result.returncode, 78, result.stderr)
            self.assertIn(text, result.stdout + result.stderr)
        result = self.run_program("pull", "--data-dir", "data", "--zone", "Europe/Paris")
        self.assertEqual(result.returncode, 64, result.stderr)

    def test_watch_fetches_posts_as_they_arrive(self):
        self.serve()
        phone, token, person = self.phone()["token"], self.inbox_token(), Person(65)
        self.options(token)
        watch = self.watch("--pull", self.server.url, listen=None)
        for request in hozz.requests(person.samples, size=40):
            self.accept(request, phone, "raw")
        self.await_figures(person.samples)
        eventually(lambda: self.assertEqual(self.waiting(token), []))
        watch.await_event("pulled", lambda event: event["posts"] > 0)
        # The server stops although a request waits, and the process continues with the next server.
        port = self.server.port
        self.assertEqual(self.server.stop(), 0)
        watch.await_event("failed")
        self.serve(port=port)
        for request in hozz.requests(Person(67, days=1).samples):
            self.accept(request, phone, "raw")
        eventually(lambda: self.assertEqual(self.waiting(token), []))
        self.assertEqual(watch.terminate(), 0)

    def test_watch_stops_while_it_connects(self):
        """Repeated, because one stop in ten crashed: libcrypto was cleaned up while the request was in progress."""
        self.serve()
        words = ["watch", "--pull", self.server.url, "--data-dir", str(self.folder / "data"), "--zone", "Europe/Paris"]
        with contextlib.redirect_stdout(io.StringIO()):
            ends = [run_until_ready(str(BINARY), words) for _ in range(300)]
        self.assertEqual(set(ends), {0})


class Shared(PullTest):
    def test_two_pulls_at_once_archive_each_post_once(self):
        self.serve()
        phone, token, person = self.phone()["token"], self.inbox_token(), Person(84)
        requests = hozz.requests(person.samples, size=10)
        for request in requests:
            self.accept(request, phone, "raw")
        words = ("pull", *self.options(token), "--json")
        pulls = [self.start(*words) for _ in range(3)]
        statuses = {pull.wait(timeout=harness.PATIENCE) for pull in pulls}
        for pull in pulls:
            pull.communicate()
        self.assertLessEqual(statuses, {0, 75})
        self.pull(token)
        self.assertEqual((self.waiting(token), self.archived()), ([], len(requests)))
        self.assert_figures(person.samples)


@unittest.skipUnless(postgres_server.programs(), "no PostgreSQL server is installed")
class OnPostgres(PullTest):
    def test_posts_to_one_of_the_servers_that_share_a_database(self):
        postgres = postgres_server.PostgresServer()
        self.addCleanup(postgres.remove)
        store = "postgres:" + postgres.create("shared")
        self.serve("--store", store, "--inbox", self.folder / "posts")
        other = harness.Server(self, "--store", store, folder="other")
        phone = self.phone("anna", "phone", "--store", store)["token"]
        token = self.inbox_token("anna", "inbox", "--store", store)
        person = Person(85, days=1)
        for request in hozz.requests(person.samples):
            self.accept(request, phone, "raw")
        headers = {"Authorization": f"Bearer {token}"}
        self.assertEqual(other.request("GET", "/api/v1/inbox/posts", headers=headers)[0], 404)
        refused = self.run_program("serve", "--store", store, "--inbox", self.folder / "posts", "--port", "0")
        self.assertEqual(refused.returncode, 75, refused.stderr)
        self.pull(token)
        self.assert_figures(person.samples)
        self.assertEqual(self.waiting(token), [])


if __name__ == "__main__":
    unittest.main()
