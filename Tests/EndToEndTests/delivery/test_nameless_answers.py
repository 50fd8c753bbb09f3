"""Answers that account for none of the records sent: whatever a server answers to every request, nothing counts as delivered
that it does not name, and an ordinary push completes the delivery afterwards. The oracle is the state of the peer.
"""

import datetime
import json
import shutil
import sqlite3
import sys
import unittest
from contextlib import closing

from support.harness import PATIENCE, PEERS, Peer, ProgramTest
from support.records import ordinary_days, write
from support.seeds import IS_MANY

sys.path.insert(0, str(PEERS / "faults"))
import evil_proxy  # noqa: E402

RAW = ("heartRate", "stepCount")


class NamelessAnswers(ProgramTest):
    def setUp(self):
        super().setUp()
        self.peer = Peer(self, *self.plain())
        self.proxy = evil_proxy.EvilProxy(self.peer.port)
        self.addCleanup(self.proxy.__exit__)
        write(self.folder / "a.xml", ordinary_days(3))
        self.words = ("--zone", "UTC", "--data-dir", "data", "--server", f"http://127.0.0.1:{self.proxy.port}")
        result = self.run_program("historical", "--source", "a.xml", "--no-push", "--raw", ",".join(RAW), *self.words)
        self.assertEqual(result.returncode, 0, result.stderr)
        shutil.copytree(self.folder / "data", self.folder / "before")

    def plain(self):
        return ()

    def states(self):
        with closing(sqlite3.connect(f"file:{self.folder}/data/healthsync.sqlite?mode=ro", uri=True)) as connection:
            return dict(connection.execute("SELECT state, count(*) FROM outbox_item GROUP BY state").fetchall())

    def attempt(self, name, answer):
        """Pushes while every request that changes something is answered so; returns the problem, or None."""
        shutil.rmtree(self.folder / "data")
        shutil.copytree(self.folder / "before", self.folder / "data")
        queued = sum(self.states().values())
        self.proxy.begin(lambda exchange: exchange.relay() if exchange.method == "GET" else answer(exchange), 0, 1 << 60)
        result = self.run_program("push", "--deadline", "1", *self.words, "--json", timeout=PATIENCE)
        states = self.states()
        if result.returncode != 3 or not result.stderr.strip() and '"failure"' not in result.stdout:
            return f"{name}: status {result.returncode}: {result.stdout[-300:]}{result.stderr[-300:]}"
        delivered = json.loads(result.stdout)["delivery"]["delivered"]
        # An item of raw samples that is halved becomes several.
        if delivered or states.get("delivered") or sum(states.values()) < queued:
            return f"{name}: {delivered} delivered, of {queued} items {states}"
        return None

    def problems(self, answers):
        return [problem for name, answer in answers.items() if (problem := self.attempt(name, answer))]

    def some(self, answers):
        """Returns all answers with the status 200 or 409, and a quarter of the others, of each status another one; all of many."""
        if IS_MANY:
            return answers
        return {name: answer for number, (name, answer) in enumerate(answers.items())
                if name.startswith(("200", "409")) or number % 4 == 0}

    def test_nothing_is_delivered_that_no_answer_names(self):
        self.assertEqual(self.problems(self.some(evil_proxy.NAMELESS)), [])
        self.assertEqual(self.peer.state()["records"], {})
        self.complete()

    def complete(self):
        """Sends everything; then the peer has each record once."""
        self.proxy.begin(None)
        if self.states().get("dead"):
            self.succeed("outbox", "retry", "--all", "--data-dir", "data")
        self.succeed("push", *self.words)
        expected = self.peer.state()["records"]
        self.assertEqual(self.peer.state()["violations"], [])
        self.assertTrue({"progress", "sleep", "snapshots", "steps"} <= set(expected), list(expected))

    def test_a_batch_of_records_that_exist_according_to_409_is_divided(self):
        """The finding: 409 to batches of progress records, and good answers to everything else."""
        def answer(exchange):
            is_progress = exchange.method == "POST" and exchange.path.endswith("/progress")
            exchange.respond(409, b'{"error":"already exists"}') if is_progress else exchange.relay()
        self.proxy.begin(answer, 0, 1 << 60)
        result = self.run_program("push", *self.words)
        self.assertEqual(result.returncode, 3, result.stdout + result.stderr)
        self.assertNotIn("progress", self.peer.state()["records"])
        listed = self.json_of("outbox", "list", "--data-dir", "data")["items"]
        self.assertEqual({(item["kind"], item["state"], item["lastStatus"]) for item in listed}, {("progress", "dead", 409)})
        self.assertIn("exist", listed[0]["lastReason"])
        self.complete()

    def sessions(self, listed_as):
        """Pushes to a server that answers each request of sessions with 409, and lists what `listed_as` makes of each session;
        returns the kinds and states of what is not delivered."""
        sent = {}

        def answer(exchange):
            if not exchange.path.startswith("/api/v1/sleep"):
                return exchange.relay()
            if exchange.method == "POST":
                body = json.loads(evil_proxy.content_of(exchange))
                for session in body.get("sessions", [body]):
                    sent[session["source_id"]] = session
                return exchange.respond(409, b'{"error":"sleep session already exists"}')
            sessions = [listed for _, session in sorted(sent.items()) for listed in listed_as(session)]
            exchange.respond(200, json.dumps({"data": {"sessions": sessions, "has_more": False}}).encode())
        self.proxy.begin(answer, 0, 1 << 60)
        result = self.run_program("push", *self.words)
        listed = self.json_of("outbox", "list", "--data-dir", "data")["items"]
        self.assertEqual(result.returncode, 3 if listed else 0, result.stdout + result.stderr)
        self.assertEqual(len(sent), 3)
        return {(item["kind"], item["state"]) for item in listed}

    def test_sessions_that_exist_are_delivered_one_by_one_if_the_server_lists_them(self):
        def in_utc(text):
            return datetime.datetime.fromisoformat(text).astimezone(datetime.timezone.utc).isoformat()
        self.assertEqual(self.sessions(lambda one: [{**one, "start_time": in_utc(one["start_time"])}]), set())

    def test_sessions_that_exist_but_are_not_listed_become_dead_letters(self):
        self.assertEqual(self.sessions(lambda one: []), {("sleep", "dead")})

    def test_sessions_that_exist_with_other_times_become_dead_letters(self):
        self.assertEqual(
            self.sessions(lambda one: [{**one, "end_time": one["start_time"]}]), {("sleep", "dead")})


if __name__ == "__main__":
    unittest.main()
