"""Posts on a server survive kills of the server and of the machine that pulls them, and count once."""

import random
import threading
import unittest

from inbox.test_durability import Senders
from senders import hozz
from senders.http_client import authorize
from senders.life_dashboard import LifeDashboard
from senders.neutral import Person
from support import harness
from support.pulling import PullTest
from support.seeds import seeds
from support.watch import eventually

import postgres_server
from counting_proxy import CountingProxy

ROUNDS = seeds(4, 12, 100)


class Cuts(PullTest):
    """A proxy stops a pull at each of its requests."""

    def setUp(self):
        super().setUp()
        self.serve()
        self.phone_token, self.token = self.phone()["token"], self.inbox_token()
        self.proxy = CountingProxy(self.server.port, holds=True)
        self.addCleanup(self.proxy.listener.close)
        self.url = f"http://127.0.0.1:{self.proxy.port}"

    def deliver(self, person):
        requests = hozz.requests(person.samples, size=90)
        for request in requests:
            self.accept(request, self.phone_token, "raw")
        return len(requests)

    def interrupt(self, requests, data, end):
        """Starts a pull, waits until it has sent so many requests, and ends something. Returns whether it was running."""
        self.proxy.limit(requests)
        process = self.start("pull", *self.options(self.token, data, self.url))
        while process.poll() is None and not self.proxy.reached.wait(0.01):
            pass
        running = process.poll() is None
        end(process)
        process.communicate()
        return running

    def each(self, end):
        """Interrupts pulls after 1, 2, 3 … requests, each continuing what the one before left, until one ends by itself."""
        person = Person(81)
        posts = self.deliver(person)
        number, interrupted = 1, 0
        while self.interrupt(number, "data", end):
            self.proxy.limit(None)
            number, interrupted = number + 1, interrupted + 1
        self.assertGreater(interrupted, 3)
        self.proxy.limit(None)
        self.pull(self.token)
        self.assertEqual(self.waiting(self.token), [])
        self.assertEqual(self.archived(), posts)
        self.assert_figures(person.samples)
        self.assertEqual(harness.integrity(self.folder / "data/healthsync.sqlite"), ["ok"])

    def test_a_pull_that_is_killed_at_any_request(self):
        self.each(lambda process: process.kill())

    def test_a_server_that_is_killed_at_any_request(self):
        def end(process):
            self.server.stop(9)
            self.serve(port=self.server.port)
            self.proxy.limit(None)
        self.each(end)

    def test_each_request_from_a_fresh_start(self):
        """The first pull is killed at request N, the second one completes: for every N that occurs."""
        number = 1
        while True:
            data, person = f"data{number}", Person(200 + number, days=1)
            posts = self.deliver(person)
            running = self.interrupt(number, data, lambda process: process.kill())
            self.proxy.limit(None)
            self.pull(self.token, data)
            self.assertEqual((self.waiting(self.token), self.archived(data)), ([], posts), number)
            self.assert_figures(person.samples, data=data)
            if not running:
                break
            number += 1
        self.assertGreater(number, posts)


class Kills(PullTest):
    def test_random_kills_of_both_sides_while_phones_post(self):
        chance, person = random.Random(83), Person(83)
        server = self.serve()
        phone, token = self.phone()["token"], self.inbox_token()
        requests = [authorize(one, phone, "raw") for one in hozz.requests(person.samples, size=8)]
        requests += [authorize(one, phone) for one in LifeDashboard().syncs(person.samples, size=30)]
        chance.shuffle(requests)
        self.options(token)
        senders = Senders(self, requests).start(server.url + "/inbox")
        watch = self.watch("--pull", server.url, listen=None)
        kills = 0
        while senders.busy or kills < ROUNDS:
            # The pause chooses the moment of the kill; nothing is expected to have happened by then.
            threading.Event().wait(chance.uniform(0, 0.2))
            if chance.random() < 0.5:
                port = self.server.port
                self.server.stop(9)
                self.serve(port=port)
            else:
                watch.kill()
                watch = self.watch("--pull", server.url, listen=None)
            kills += 1
            if kills >= ROUNDS:
                break
        senders.join()
        self.assertEqual((senders.failures, senders.left), ([], []))
        eventually(lambda: self.assertEqual(self.waiting(token), []))
        self.settle()
        self.await_figures(person.samples)
        watch.kill()
        self.assertEqual(harness.integrity(self.folder / "data/healthsync.sqlite"), ["ok"])

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
