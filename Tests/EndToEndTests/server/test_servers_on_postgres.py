"""Several servers share one PostgreSQL database, also when they are killed under load."""

import csv
import http.client
import io
import json
import random
import sys
import threading
import unittest
import uuid

from support import harness

sys.path.insert(0, str(harness.PEERS / "servers"))
import postgres_server  # noqa: E402

USERS = ["anna", "bert", "carla"]
SERVERS, CLIENTS, KILLS = 3, 8, 8


class Servers:
    """Three servers that keep their addresses across kills and restarts."""

    def __init__(self, test, store):
        self.test, self.store = test, store
        self.ports, self.processes = [0] * SERVERS, [None] * SERVERS
        for number in range(SERVERS):
            self.start(number)
        test.addCleanup(self.stop)

    def start(self, number):
        process = self.test.start("serve", "--store", self.store, "--port", self.ports[number])
        line = process.stdout.readline()
        if not line:
            raise RuntimeError(process.stderr.read())
        self.processes[number] = process
        self.ports[number] = int(line.rsplit(":", 1)[1])

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
            reached = self.condition.wait_for(lambda: self.count >= count, timeout=60)
        assert reached, f"only {self.count} of {count} samples were acknowledged"

    def close(self):
        self.is_closed = True


def request(port, method, path, token, body=None, key=None):
    headers = {"Authorization": f"Bearer {token}", **({"Idempotency-Key": key} if key else {})}
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
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

    def stored(self):
        """Returns owner and id of each stored sample, read by psql."""
        text = self.server.run(
            "psql", "-X", "--csv", "-t", "-c",
            "SELECT name, id, position FROM healthsync.samples JOIN healthsync.users USING (user_id)",
            self.server.address("shared"))
        return list(csv.reader(io.StringIO(text)))

    def test_acknowledged_samples_are_stored_exactly_once(self):
        tokens = {
            user: self.json_of("token", "create", "--user", user, "--scope", "ingest,read", "--store", self.store)["token"]
            for user in USERS}
        servers, ledger = Servers(self, self.store), Ledger()
        threads = [threading.Thread(target=client, args=(number, servers, tokens, ledger)) for number in range(CLIENTS)]
        for thread in threads:
            thread.start()
        try:
            for kill in range(KILLS):
                ledger.wait_for(800 * (kill + 1))
                servers.kill(kill % SERVERS)
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
        rows = self.stored()
        self.assertEqual(len(rows), len({(user, id) for user, id, _ in rows}), "stored twice")
        for user in USERS:
            stored = {id for owner, id, _ in rows if owner == user}
            self.assertEqual(len(ledger.ids[user] - stored), 0, "acknowledged and not stored")
            positions = sorted(int(position) for owner, _, position in rows if owner == user)
            self.assertEqual(positions, list(range(1, len(stored) + 1)), "positions have gaps or repeat")

    def test_jsonl_and_a_lost_database_are_reported(self):
        refused = self.run_program("serve", "--store", self.store, "--jsonl", "lines")
        self.assertEqual(refused.returncode, 64, refused.stderr)
        self.server.stop()
        refused = self.run_program("serve", "--store", self.store, "--port", "0")
        self.assertEqual(refused.returncode, 74, refused.stderr)
        self.assertIn("check that the server is running there", refused.stderr)


if __name__ == "__main__":
    unittest.main()
