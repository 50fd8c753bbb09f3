"""Worlds: a local store and a server in a folder that can be reset, and what they contain."""

import http.client
import json
import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import urllib.request
from contextlib import closing

from support.harness import BINARY, PATIENCE, PEERS, figures, integrity, received_records, reserve_port, samples
from support.watch import Watch

LISTS = ("/steps?limit=100000", "/api/v1/samples/heartRate?limit=100000")


class World:
    """A folder in which `data` is the local store and `served` the store of a server. It has always the same path and the
    same port, because the local store contains both."""

    def __init__(self, folder, add_cleanup):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.data, self.served = self.folder / "data", self.folder / "served"
        self.port = reserve_port(add_cleanup)
        self.url = f"http://127.0.0.1:{self.port}"
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("HEALTHSYNC_")},
            "HOME": str(self.folder), "XDG_CONFIG_HOME": str(self.folder / "config"), "XDG_DATA_HOME": str(self.folder / "share"),
        }
        # Header fields of requests that read what the server contains.
        self.fields = {}
        # The token of a phone, and the path to which it posts.
        self.token, self.posts = None, ""
        self.server = self.watching = None
        # A command that runs the program.
        self.under = ()

    def run(self, *words, environment=(), timeout=PATIENCE):
        return subprocess.run(
            [*self.under, str(BINARY), *map(str, words)], cwd=self.folder, env={**self.environment, **dict(environment)}, text=True,
            capture_output=True, stdin=subprocess.DEVNULL, timeout=timeout)

    def succeed(self, *words, statuses=(0,)):
        result = self.run(*words)
        if result.returncode not in statuses:
            raise AssertionError(f"{' '.join(map(str, words))}: status {result.returncode}\n{result.stdout[-1500:]}{result.stderr[-1500:]}")
        return result

    def json_of(self, *words):
        return json.loads(self.succeed(*words, "--json").stdout)

    def start_server(self, *words, environment=()):
        """Starts the server again; returns whether it is ready, which it is not if it was killed before."""
        self.stop_server()
        self.server = subprocess.Popen(
            [*self.under, str(BINARY), "serve", "--data-dir", str(self.served), "--port", str(self.port), *map(str, words)],
            cwd=self.folder, env={**self.environment, **dict(environment)}, text=True, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE)
        return self.server.stdout.readline().startswith("healthsync serving http")

    def serve(self, *words, environment=()):
        """Starts the server, which must become ready."""
        if not self.start_server(*words, environment=environment):
            raise AssertionError(f"the server does not start: {self.stop_server()}")

    def serve_peer(self):
        """Starts the independent receiving server instead."""
        self.stop_server()
        self.server = subprocess.Popen(
            [sys.executable, "-B", PEERS / "servers/receiving_server.py", "--port", str(self.port), "--dir", self.served],
            umask=0o077, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if not self.server.stdout.readline().startswith("ready"):
            raise AssertionError(f"the server does not start: {self.stop_server()}")

    def watch(self, *words, environment=()):
        """Starts `watch`, which may end before it listens."""
        self.watching = Watch(self, "--config", "config.json", *words, listen=f"127.0.0.1:{self.port}", environment=environment,
                              wait=False, under=self.under)
        return self.watching

    def addCleanup(self, *_):
        """Processes are stopped by `stop_server`."""

    def stop_server(self, kill=True, wait=False):
        """Kills or stops the server, or waits for its end; returns the exit status and standard error."""
        if self.watching:
            self.watching.kill()
            self.watching = None
        if self.server is None:
            return None, ""
        if not wait:
            self.server.kill() if kill else self.server.terminate()
        _, errors = self.server.communicate(timeout=PATIENCE)
        status, self.server = self.server.returncode, None
        return status, errors

    def save(self, name):
        """Keeps the present state under a name."""
        kept = self.folder / f"kept-{name}"
        shutil.rmtree(kept, ignore_errors=True)
        kept.mkdir()
        for folder in (self.data, self.served):
            if folder.exists():
                shutil.copytree(folder, kept / folder.name)

    def restore(self, name):
        kept = self.folder / f"kept-{name}"
        for folder in (self.data, self.served):
            shutil.rmtree(folder, ignore_errors=True)
            if (kept / folder.name).exists():
                shutil.copytree(kept / folder.name, folder)

    def empty(self):
        for folder in (self.data, self.served):
            shutil.rmtree(folder, ignore_errors=True)

    def request(self, method, path, body=None, headers=()):
        """Returns status and body; raises OSError or HTTPException if the connection fails."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        with closing(connection):
            data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
            connection.request(method, path, data, {"Content-Type": "application/json", **dict(headers)})
            answer = connection.getresponse()
            return answer.status, answer.read()

    # What is stored.

    def content(self):
        """Returns the content of the local store, and of the server if it is running."""
        return self.local(), self.remote() if self.server else None

    def local(self):
        """Returns the content of the local store without what depends on the order and time of imports."""
        database = self.data / "healthsync.sqlite"
        if not database.exists():
            return None
        with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
            rows = lambda query: sorted(connection.execute(query).fetchall(), key=repr)
            shoes = {
                "shoes": rows("SELECT brand, model, emoji, colour, purchased_on, price, default_since_ms IS NULL,"
                              " archived_at_ms IS NULL FROM shoe"),
                "sessions": rows("SELECT model, start_ms, end_ms FROM shoe_session JOIN shoe ON shoe.id = shoe_id"),
                "settled": rows("SELECT day, start_ms FROM shoe_settled"),
            }
            delivery = {
                "outbox": rows("SELECT kind, state, count(*) FROM outbox_item GROUP BY kind, state"),
                "intervals": rows("SELECT kind, start_ms, end_ms, step_count, sample_count FROM sync_interval"
                                  " JOIN layered_type USING (type_id)"),
                "synced": rows("SELECT kind, start_ms FROM interval_delivery WHERE synced_at_ms IS NOT NULL"),
                "removed": rows("SELECT kind, source_id FROM removed_record"),
            }
            tracking = {"tracking": rows("SELECT metric, day, hex(digest) FROM day_tracking")}
        return {**figures(database), "samples": samples(database), **shoes, **delivery, **tracking}

    def remote(self):
        """Returns the content of the server, which must be running, without revisions."""
        content = {}
        for path in LISTS:
            request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", headers=self.fields)
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                listed = json.load(answer)["samples"]
            content[path] = sorted(json.dumps({name: value for name, value in one.items() if name != "revision"}, sort_keys=True)
                                   for one in listed)
        content["records"] = received_records(self.served / "server/received.db")
        return content

    def problems_of_files(self):
        """Returns damage of the databases and files that no run may leave behind after it ended."""
        problems = []
        for database in (self.data / "healthsync.sqlite", self.served / "server/received.db"):
            if database.exists() and integrity(database) != ["ok"]:
                problems.append(f"{database.name}: {integrity(database)[:3]}")
        for folder in (self.data, self.served):
            for path in folder.rglob("*") if folder.exists() else ():
                if path.name.endswith((".draft", ".part", ".progress")) or path.name.startswith(("backup", "restore")):
                    problems.append(f"{path.relative_to(self.folder)} was left")
                elif path.is_file() and path.stat().st_mode & 0o077:
                    problems.append(f"{path.relative_to(self.folder)} can be read by others")
        return problems
