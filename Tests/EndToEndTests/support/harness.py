"""Runs the program as users do, and checks its results with independent tools only: sqlite3, expat, zipfile.

The program is named by HEALTHSYNC_BINARY, else it is the release build of this checkout.
"""

import atexit
import functools
import hashlib
import json
import os
import pathlib
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import unittest
import urllib.error
import urllib.request
import zipfile
from contextlib import closing

ROOT = pathlib.Path(__file__).resolve().parents[3]
BINARY = pathlib.Path(os.environ.get("HEALTHSYNC_BINARY", ROOT / ".build/release/healthsync")).resolve()
PEERS = ROOT / "Tests/Support/Peers"
sys.path.insert(0, str(PEERS / "servers"))
from ports import reserve_port  # noqa: E402

# How many seconds a test waits for something that happens: only one that hangs waits so long, also on a machine that is
# loaded ten times over.
PATIENCE = 1200


@functools.cache
def generated():
    """Returns the folder of the exports that the tests of this run generated."""
    if path := os.environ.get("HEALTHSYNC_GENERATED"):
        os.makedirs(path, exist_ok=True)
        return pathlib.Path(path)
    folder = tempfile.mkdtemp(prefix="healthsync-generated-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return pathlib.Path(folder)


class ProgramTest(unittest.TestCase):
    """A test with its own folder, isolated from the user's configuration."""

    maxDiff = 4000

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="healthsync-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("HEALTHSYNC_")},
            "HOME": str(self.folder),
            "XDG_CONFIG_HOME": str(self.folder / "config"),
            "XDG_DATA_HOME": str(self.folder / "share"),
        }

    def start(self, *words, **options):
        return subprocess.Popen(
            [str(BINARY), *map(str, words)],
            cwd=self.folder, env=self.environment, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, **options,
        )

    def run_program(self, *words, timeout=PATIENCE, **options):
        process = self.start(*words, **options)
        try:
            output, errors = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
        return subprocess.CompletedProcess(words, process.returncode, output, errors)

    def succeed(self, *words, **options):
        result = self.run_program(*words, **options)
        self.assertEqual(result.returncode, 0, f"{words}\n{result.stdout}\n{result.stderr}")
        return result

    def json_of(self, *words):
        return json.loads(self.succeed(*words, "--json").stdout)

    def generate(self, name, *words):
        """Generates an export with its truth; returns both paths. The same words give the same export, so that only the first test
        of a run generates it."""
        path, truth = self.folder / name, self.folder / f"{name}.truth.json"
        kept = generated() / hashlib.sha256(repr([BINARY, path.suffix, self.environment.get("TZ"), *words]).encode()).hexdigest()
        if not kept.exists():
            with tempfile.TemporaryDirectory(dir=kept.parent) as folder:
                whole = pathlib.Path(folder) / "whole"
                whole.mkdir()
                self.succeed("generate", "--out", whole / f"export{path.suffix}", "--truth", whole / "truth", *words)
                try:
                    whole.rename(kept)
                except OSError:
                    # Another job of the run was faster.
                    self.assertTrue(kept.exists())
        shutil.copy(kept / f"export{path.suffix}", path)
        shutil.copy(kept / "truth", truth)
        return path, truth

    def configuration_for(self, truth):
        """Returns a configuration with the zones in `truth`."""
        known = json.loads(truth.read_text())
        path = self.folder / "zones.json"
        path.write_text(json.dumps({"zone": known["homeZone"], "timeZones": known["timeZones"]}))
        return path

    def peer(self, script, *words):
        result = subprocess.run(
            [sys.executable, "-B", str(PEERS / script), *map(str, words)], capture_output=True, text=True
        )
        self.assertEqual(result.returncode, 0, result.stdout[-4000:] + result.stderr[-4000:])
        return result.stdout


def extract_xml(archive, target):
    """Returns the main file of a generated archive."""
    with zipfile.ZipFile(archive) as opened:
        name = next(name for name in opened.namelist() if name.endswith("/export.xml"))
        with opened.open(name) as source, open(target, "wb") as file:
            shutil.copyfileobj(source, file, 1 << 20)
    return target


# Row ids depend on the order of imports, the id of a session on its first known start, and the other columns on when and
# from which file data was imported.
VOLATILE = {
    "daily_progress": {"id", "revision"},
    "sleep_session": {"id", "source_id", "revision"},
    "activity_snapshot": {"revision"},
}


def figures(database):
    """Returns every derived record, without columns that depend on the order of imports."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        connection.row_factory = sqlite3.Row
        return {
            table: sorted(
                repr({name: row[name] for name in row.keys() if name not in left_out})
                for row in connection.execute(f"SELECT * FROM {table}")
            )
            for table, left_out in VOLATILE.items()
        }


def samples(database):
    """Returns count, sum, range and digest of each page, by its key."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        query = """SELECT identifier, provider, source_name, device, day, count, sum, first_start_ms, last_end_ms,
            hex(digest) FROM sample_page JOIN sample_type ON sample_type.id = type_id
            JOIN origin ON origin.id = origin_id"""
        return sorted(connection.execute(query).fetchall())


def integrity(database):
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        return [row[0] for row in connection.execute("PRAGMA integrity_check")] + connection.execute(
            "PRAGMA foreign_key_check"
        ).fetchall()


class Peer:
    """The independent receiving server, on its own port."""

    def __init__(self, test, *words, folder="peer"):
        self.folder = test.folder / folder
        self.folder.mkdir(exist_ok=True)
        self.process = subprocess.Popen(
            [sys.executable, "-B", str(PEERS / "servers/receiving_server.py"), "--port", str(reserve_port(test.addCleanup)),
             "--dir", str(self.folder), *words],
            stdout=subprocess.PIPE, text=True,
        )
        test.addCleanup(self.stop)
        self.port = int(self.process.stdout.readline().split()[1])
        self.url = f"http://127.0.0.1:{self.port}"

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait()
        self.process.stdout.close()

    def state(self):
        with urllib.request.urlopen(f"{self.url}/state") as answer:
            return json.load(answer)

    def script(self, rules):
        request = urllib.request.Request(f"{self.url}/script", json.dumps(rules).encode(), method="PUT")
        urllib.request.urlopen(request).close()


class Server:
    """`healthsync serve` on a free port, in its own folder."""

    def __init__(self, test, *words, folder="served", port=0, environment=()):
        self.test = test
        self.data = test.folder / folder
        self.database = self.data / "server" / "received.db"
        self.process = subprocess.Popen(
            [str(BINARY), "serve", "--data-dir", str(self.data), "--port", str(port or reserve_port(test.addCleanup)),
             *map(str, words)],
            cwd=test.folder, env={**test.environment, **dict(environment)}, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        test.addCleanup(self.stop)
        line = self.process.stdout.readline()
        test.assertTrue(line.startswith("healthsync serving http"), line + (self.process.stderr.read() if not line else ""))
        self.url = line.split()[2]
        self.port = int(self.url.rsplit(":", 1)[1])

    def stop(self, number=signal.SIGTERM):
        """Stops the process; returns its exit status."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        status = self.process.wait(timeout=PATIENCE)
        self.process.stdout.close()
        self.process.stderr.close()
        return status

    def token(self, *scopes, user="anna"):
        created = self.test.json_of("token", "create", "--data-dir", self.data, "--user", user, "--scope", ",".join(scopes))
        return created["token"]

    def request(self, method, path, body=None, headers=()):
        """Sends a request; returns status, headers and body of the response. A body that is not bytes is sent as JSON."""
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, dict(headers), method=method)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as refused:
            with refused:
                return refused.code, refused.headers, refused.read()


class Dashboard:
    """`healthsync dashboard` on a free port."""

    def __init__(self, test, *words):
        self.process = test.start("dashboard", "--port", "0", "--json", *words)
        test.addCleanup(self.stop)
        lines = []
        while "}" not in "".join(lines):
            line = self.process.stdout.readline()
            if not line:
                test.fail(self.process.stderr.read())
            lines.append(line)
        self.url = json.loads("".join(lines))["address"]

    def stop(self):
        """Stops the process; returns its exit status."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(timeout=PATIENCE)
        self.process.stdout.close()
        self.process.stderr.close()
        return status


def received_records(database):
    """Returns every live derived record of a server: kind, id, body without the revision."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        query = "SELECT kind, id, json_remove(body, '$.revision') FROM records WHERE NOT is_deleted"
        return sorted(connection.execute(query).fetchall())


def without_revisions(value):
    """Returns the value without members `revision`, which depend on when a record was stored."""
    if isinstance(value, dict):
        return {name: without_revisions(member) for name, member in value.items() if name != "revision"}
    return [without_revisions(member) for member in value] if isinstance(value, list) else value
