"""Several servers share one PostgreSQL database, also when they, or PostgreSQL, are killed under load."""

import http.client
import json
import random
import threading
import unittest
import uuid

from support import harness, statements

import postgres_pages
import postgres_server

USERS = ["anna", "bert", "carla"]
SERVERS, CLIENTS, KILLS = 3, 8, 8


class Servers:
    """Three servers that keep their addresses across kills and restarts."""

    def __init__(self, test, store):
        self.test, self.store = test, store
        self.ports = [harness.reserve_port(test.addCleanup) for _ in range(SERVERS)]
        self.processes = [None] * SERVERS
        for number in range(SERVERS):
            self.start(number)
        test.addCleanup(self.stop)

    def start(self, number):
        process = self.test.start("serve", "--store", self.store, "--port", self.ports[number])
        line = process.stdout.readline()
        if not line:
            raise RuntimeError(process.stderr.read())
        self.processes[number] = process

    def kill(self, number):
        process = self.processes[number]
        process.kill()
        process.communicate()
        self.start(number)

    def stop(self):
        """Stops the servers; returns the exit status of each. Later calls do nothing."""
        processes, self.processes = self.processes, []
        for process in processes:
            process.terminate()
        statuses = []
        for process in processes:
            process.communicate()
            statuses.append(process.returncode)
        return statuses


class Ledger:
    """The acknowledged samples by user."""

    def __init__(self):
        self.condition = threading.Condition()
        self.ids = {user: set() for user in USERS}
        self.count = 0
        self.is_closed = False

    def add(self, user, ids):
        with self.condition:
            self.ids[user].update(ids)
            self.count += len(ids)
            self.condition.notify_all()

    def wait_for(self, count):
        with self.condition:
            reached = self.condition.wait_for(lambda: self.count >= count, timeout=harness.PATIENCE)
        assert reached, f"only {self.count} of {count} samples were acknowledged"

    def close(self):
        self.is_closed = True


def request(port, method, path, token, body=None, key=None):
    headers = {"Authorization": f"Bearer {token}", **({"Idempotency-Key": key} if key else {})}
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=harness.PATIENCE)
    try:
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        return response.status, json.loads(response.read())
    finally:
        connection.close()


def client(number, servers, tokens, ledger):
    generator = random.Random(number)
    while not ledger.is_closed:
        user = generator.choice(USERS)
        ids = [str(uuid.UUID(int=generator.getrandbits(128))) for _ in range(generator.randrange(1, 60))]
        start = f"2024-{generator.randrange(1, 13):02}-{generator.randrange(1, 29):02}T08:00:00Z"
        body = json.dumps({"samples": [
            {"uuid": id, "startDate": start, "endDate": start, "count": 7, "sourceBundleId": f"load.{number}"} for id in ids]})
        order = generator.sample(servers.ports, SERVERS)
        acknowledged = 0
        # One in four acknowledged requests is sent again to another server.
        while acknowledged < 1 + (generator.random() < 0.25):
            if ledger.is_closed:
                return
            order.append(order.pop(0))
            try:
                status, answer = request(order[0], "POST", "/steps", tokens[user], body, key=ids[0])
            except (OSError, http.client.HTTPException, ValueError):
                continue
            if status == 200 and answer["saved"] == len(ids):
                ledger.add(user, ids)
                acknowledged += 1


@unittest.skipUnless(postgres_server.programs(), "no PostgreSQL server is installed")
class ServersOnPostgres(harness.ProgramTest):
    def setUp(self):
        super().setUp()
        self.server = postgres_server.PostgresServer()
        self.addCleanup(self.server.remove)
        self.store = "postgres:" + self.server.create("shared")
        self.failed = []

    def check_stored(self, ledger, server):
        """Compares what was acknowledged with what is stored on `server`, read without the program's code; returns it."""
        rows = postgres_pages.samples(server.address("shared"))
        stored = [(row["user"], str(row["id"])) for row in rows]
        self.assertEqual(len(stored), len(set(stored)), "stored twice")
        for user in USERS:
            ids = {id for owner, id in stored if owner == user}
            self.assertEqual(len(ledger.ids[user] - ids), 0, "acknowledged and not stored")
        return rows, stored

    def check(self, ledger, server):
        """Also checks that nothing else is stored and that positions have no gaps."""
        rows, stored = self.check_stored(ledger, server)
        for user in USERS:
            ids = {id for owner, id in stored if owner == user}
            positions = [row["position"] for row in rows if row["user"] == user]
            self.assertEqual(positions, list(range(1, len(ids) + 1)), "positions have gaps or repeat")

    def load(self, store, disturb):
        """Sends samples to three servers on `store` while `disturb` runs; returns what was acknowledged."""
        tokens = {
            user: self.json_of("token", "create", "--user", user, "--scope", "ingest,read", "--store", store)["token"]
            for user in USERS}
        servers, ledger = Servers(self, store), Ledger()
        threads = [threading.Thread(target=client, args=(number, servers, tokens, ledger)) for number in range(CLIENTS)]
        for thread in threads:
            thread.start()
        try:
            disturb(servers, ledger)
            ledger.wait_for(ledger.count + 800)
        finally:
            ledger.close()
            for thread in threads:
                thread.join()
        for user in USERS:
            totals = {
                request(port, "GET", "/steps?limit=1", tokens[user])[1]["total"] for port in servers.ports}
            self.assertEqual(len(totals), 1, "servers disagree")
        self.assertEqual(servers.stop(), [0] * SERVERS)
        return ledger

    def test_acknowledged_samples_are_stored_exactly_once(self):
        def disturb(servers, ledger):
            for kill in range(KILLS):
                ledger.wait_for(800 * (kill + 1))
                servers.kill(kill % SERVERS)
                if kill % 3 == 2:
                    self.server.kill()
                    self.server.start()

        self.check(self.load(self.store, disturb), self.server)

    def test_a_replica_continues_without_loss(self):
        replica = postgres_server.Replica(self.server)
        self.addCleanup(replica.remove)

        def disturb(servers, ledger):
            ledger.wait_for(1_600)
            self.server.kill()
            replica.promote()

        hosts = f"{self.server.folder},{replica.folder}"
        store = f"postgres:host={hosts} user=healthsync dbname=shared connect_timeout=1200 target_session_attrs=read-write"
        self.check(self.load(store, disturb), replica)

    @unittest.skipUnless(postgres_server.Pooler.program(), "PgBouncer is not installed")
    def test_servers_share_sessions_of_a_pooler(self):
        """Three servers with nine connections each share three sessions, in which transactions of all of them alternate."""
        pooler = postgres_server.Pooler(self.server)
        self.addCleanup(pooler.remove)

        def disturb(servers, ledger):
            ledger.wait_for(800)
            servers.kill(0)
            ledger.wait_for(1_600)
            self.server.crash()
            self.server.start()

        self.check(self.load("postgres:" + pooler.address("shared"), disturb), self.server)
        sessions = self.server.sql("shared", "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'healthsync'")
        self.assertLessEqual(int(sessions), 3)

    def test_concurrent_writes_log_no_error(self):
        """Servers that write new, known, revised and deleted samples and records of the same users provoke nothing that an
        operator must look at."""
        ledger = self.load(self.store, lambda servers, ledger: ledger.wait_for(3_000))
        servers = Servers(self, self.store)
        tokens = [self.json_of("token", "create", "--user", user, "--scope", "ingest,read,delete", "--store", self.store)["token"]
                  for user in USERS]
        threads = [threading.Thread(target=self.change, args=(servers.ports, tokens, number)) for number in range(CLIENTS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(servers.stop(), [0] * SERVERS)
        self.assertEqual(self.server.errors, [])
        self.assertEqual(self.failed, [])
        self.check_stored(ledger, self.server)

    def test_servers_that_start_together_log_no_error(self):
        store = "postgres:" + self.server.create("together")
        servers = [self.start("serve", "--store", store, "--port", "0") for _ in range(SERVERS)]
        for server in servers:
            self.addCleanup(server.communicate)
            self.addCleanup(server.terminate)
        self.assertTrue(all(server.stdout.readline() for server in servers))
        self.assertEqual(self.server.errors, [])

    def change(self, ports, tokens, number):
        """Makes changes of every kind through all servers, of ids that other threads change as well."""

        def send(*words, **options):
            status, answer = request(*words, **options)
            # A key that another thread used first has other content.
            if status not in (200, 422):
                self.failed.append((words[1:3], status, answer))

        generator = random.Random(number)
        for step in range(24):
            token, port = tokens[step % len(tokens)], ports[(step + number) % len(ports)]
            ids = [str(uuid.UUID(int=generator.randrange(200) << 64 | 1)) for _ in range(20)]
            start = f"2024-03-{generator.randrange(1, 29):02}T08:00:00Z"
            samples = [{"uuid": id, "startDate": start, "endDate": start, "count": step, "sourceBundleId": f"s{step % 5}",
                        "revision": step % 3} for id in ids]
            send(port, "POST", "/steps", token, json.dumps({"samples": samples}), key=f"k{step}" if step % 2 else None)
            send(port, "POST", "/api/v1/deletions/steps", token,
                    json.dumps({"deletions": [{"id": id, "revision": step} for id in ids[:3]]}))
            days = [{"id": f"steps/day/2024-03-{day:02}", "revision": step, "type": "steps", "granularity": "day",
                     "day": f"2024-03-{day:02}", "start": f"2024-03-{day:02}T00:00:00Z", "quantity": step, "unit": "count"}
                    for day in range(1, 20)]
            send(port, "POST", "/api/v1/progress", token, json.dumps({"entries": days}))
            send(port, "GET", "/api/v1/digest?type=steps&seconds=65536&start=2024-03-01,2024-03-02", token)
            send(port, "GET", "/api/v1/summary", token)

    def test_every_statement_names_the_user(self):
        """So that an extension can spread the tables over machines by user."""
        self.server.sql("postgres", "ALTER SYSTEM SET log_statement = 'all'")
        self.server.sql("postgres", "SELECT pg_reload_conf()")
        self.load(self.store, lambda servers, ledger: ledger.wait_for(800))
        servers = Servers(self, self.store)
        token = self.json_of("token", "create", "--user", "anna", "--store", self.store)["token"]
        port = servers.ports[0]
        day = {"start": "2024-01-01T00:00:00Z", "end": "2024-02-01T00:00:00Z"}
        for path in [f"/steps?limit=3&startDate={day['start']}&endDate={day['end']}",
                     f"/api/v1/digest?type=steps&seconds=1073741824&start={day['start']}", "/api/v1/capabilities",
                     "/api/v1/digest/records?kind=progress"]:
            request(port, "GET", path, token)
        request(port, "DELETE", "/steps", token)
        self.assertEqual(servers.stop(), [0] * SERVERS)
        # Without the name of the prepared statement.
        texts = {text.partition(": ")[2] for text in self.server.log}
        seen = {text for text in texts if statements.TABLES.search(text)}
        self.assertGreater(len(seen), 10)
        self.assertEqual([text for text in seen if statements.concerns_several_users(text)], [])

    def test_jsonl_and_a_lost_database_are_reported(self):
        refused = self.run_program("serve", "--store", self.store, "--jsonl", "lines")
        self.assertEqual(refused.returncode, 64, refused.stderr)
        self.server.stop()
        refused = self.run_program("serve", "--store", self.store, "--port", "0")
        self.assertEqual(refused.returncode, 74, refused.stderr)
        self.assertIn("check that the server is running there", refused.stderr)


if __name__ == "__main__":
    unittest.main()
