#!/usr/bin/env python3
"""Runs a PostgreSQL server with a new cluster in a temporary folder, which listens only on a Unix socket.

    postgres_server.py [--pooler]

Prints "ready FOLDER" when the server accepts connections. FOLDER contains the socket (with --pooler, also that of
PgBouncer in transaction mode, with port 6432); the superuser is `healthsync`. Then
reads commands from standard input and prints a line after each: `restart`, `crash` (an immediate shutdown), `stop`,
`start`. At the end of input the server is stopped and the folder deleted. The role `guarded` needs a password, the others
need none. Exits with status 77 if PostgreSQL is not installed.
"""

import glob
import os
import pathlib
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

# A client that a slow machine pauses stays connected. 0 means no limit.
SETTINGS = {"max_connections": "200", "authentication_timeout": "600s", "wal_sender_timeout": "0", "wal_receiver_timeout": "0"}


def programs():
    """Returns the folder of the newest PostgreSQL programs, or None."""
    folders = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: -int(path.split("/")[-2]))
    found = shutil.which("initdb")
    folders += [os.path.dirname(found)] if found else []
    return next((folder for folder in folders if os.access(f"{folder}/initdb", os.X_OK)), None)


class PostgresServer:
    """A running server. If started by root, it runs as another user, because PostgreSQL rejects root."""

    def __init__(self):
        self.programs = programs()
        if not self.programs:
            raise FileNotFoundError("no PostgreSQL server is installed")
        # Not in TMPDIR, because the length of a socket's path is limited.
        self.folder = tempfile.mkdtemp(prefix="healthsync-pg-", dir="/tmp")
        self.identity = {}
        if os.geteuid() == 0:
            names = {entry.pw_name: entry for entry in pwd.getpwall()}
            account = names.get("postgres") or names["nobody"]
            os.chown(self.folder, account.pw_uid, account.pw_gid)
            self.identity = {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
        self.data = os.path.join(self.folder, "data")
        self.process = None
        self.log = []
        # The lines of the server's log with a level of ERROR or more.
        self.errors = []
        self.create_cluster()

    def create_cluster(self):
        self.run("initdb", "-D", self.data, "-A", "trust", "-U", "healthsync", "-E", "UTF8", "--no-locale", "--no-sync")
        hba = pathlib.Path(self.data, "pg_hba.conf")
        hba.write_text("local all guarded scram-sha-256\nlocal all,replication all trust\n")
        self.start()
        self.sql("postgres", "CREATE ROLE guarded LOGIN PASSWORD 'right'")

    def run(self, program, *words):
        # The other user may not be able to read the current folder.
        done = subprocess.run([f"{self.programs}/{program}", *words], cwd="/", capture_output=True, text=True, **self.identity)
        if done.returncode:
            raise RuntimeError(f"{program}: {done.stderr}")
        return done.stdout

    def start(self):
        self.process = subprocess.Popen(
            [f"{self.programs}/postgres", "-D", self.data, "-c", "listen_addresses=", "-c",
             f"unix_socket_directories={self.folder}",
             *(word for setting in SETTINGS.items() for word in ("-c", "=".join(setting)))],
            cwd="/", stderr=subprocess.PIPE, text=True, **self.identity)
        seen = []
        for line in self.process.stderr:
            seen.append(line)
            if "ready to accept " in line:
                break
        else:
            raise RuntimeError("".join(seen))
        stream = self.process.stderr
        threading.Thread(target=self.collect, args=(stream,), daemon=True).start()

    def collect(self, stream):
        """Collects the statements that the server logs, each as one text, if `log_statement` is set."""
        is_statement = False
        for line in stream:
            if line.startswith("\t"):
                if is_statement:
                    self.log[-1] += line
                continue
            if any(f" {level}: " in line for level in ("ERROR", "FATAL", "PANIC")):
                self.errors.append(line)
            _, is_statement, statement = line.partition(" execute ")
            if is_statement:
                self.log.append(statement)

    def stop(self, how=signal.SIGINT):
        if self.process:
            self.process.send_signal(how)
            self.process.wait()
            self.process = None

    def crash(self):
        self.stop(signal.SIGQUIT)

    def kill(self):
        """Kills all processes at once, without a shutdown of any kind."""
        # Stopped, it starts no further processes.
        self.process.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, self.process.pid, os.WSTOPPED)
        listed = subprocess.run(["pgrep", "-P", str(self.process.pid)], capture_output=True, text=True)
        children = [int(child) for child in listed.stdout.split()]
        for child in children:
            os.kill(child, signal.SIGKILL)
        self.process.kill()
        self.process.wait()
        self.process = None
        while any(os.path.exists(f"/proc/{child}") for child in children):
            time.sleep(0.01)

    def remove(self):
        self.crash()
        shutil.rmtree(self.folder, ignore_errors=True)

    def address(self, database):
        return f"host={self.folder} user=healthsync dbname={database} connect_timeout=1200"

    def sql(self, database, text):
        """What psql prints, without its alignment; fields are separated by `|`."""
        return self.run("psql", "-X", "-At", "-v", "ON_ERROR_STOP=1", "-c", text, self.address(database))

    def create(self, database):
        self.sql("postgres", f"CREATE DATABASE {database}")
        return self.address(database)


class Pooler:
    """PgBouncer in transaction mode before `server`, with fewer sessions than clients. Its socket is in the same folder."""

    PORT = 6432

    def __init__(self, server, sessions=3):
        self.server = server
        folder = pathlib.Path(server.folder, "pooler")
        folder.mkdir()
        (folder / "users").write_text('"healthsync" ""\n')
        (folder / "ini").write_text(
            f"[databases]\n* = host={server.folder}\n[pgbouncer]\nunix_socket_dir = {server.folder}\n"
            f"listen_port = {self.PORT}\nauth_type = trust\nauth_file = {folder}/users\npool_mode = transaction\n"
            f"max_client_conn = 500\ndefault_pool_size = {sessions}\nserver_idle_timeout = 2\nserver_login_retry = 0.2\n"
            "query_wait_timeout = 0\nclient_login_timeout = 1200\nserver_connect_timeout = 1200\n")
        if server.identity:
            for path in (folder, folder / "users", folder / "ini"):
                os.chown(path, server.identity["user"], server.identity["group"])
        self.process = subprocess.Popen(
            [self.program(), folder / "ini"], cwd="/", stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            **server.identity)
        seen = []
        for line in self.process.stderr:
            seen.append(line)
            if "process up" in line:
                break
        else:
            raise RuntimeError("".join(seen))
        threading.Thread(target=lambda stream: [None for _ in stream], args=(self.process.stderr,), daemon=True).start()

    @staticmethod
    def program():
        """Returns the path of PgBouncer, or None."""
        return shutil.which("pgbouncer", path=os.environ.get("PATH", "") + ":/usr/sbin")

    def address(self, database):
        return f"{self.server.address(database)} port={self.PORT}"

    def wait(self):
        """Returns when clients reach the server through the pooler."""
        words = ["psql", "-X", "-At", "-c", "SELECT 1", self.address("postgres")]
        while subprocess.run(words, cwd="/", capture_output=True).returncode != 0:
            pass

    def remove(self):
        self.process.kill()
        self.process.wait()


class Replica(PostgresServer):
    """A streaming replica of `primary`, whose commits wait until the replica has applied them."""

    def __init__(self, primary):
        self.primary = primary
        super().__init__()

    def create_cluster(self):
        self.run("pg_basebackup", "-D", self.data, "-R", "-X", "stream", "-c", "fast", "-d", f"host={self.primary.folder} user=healthsync")
        self.start()
        self.primary.sql("postgres", "ALTER SYSTEM SET synchronous_standby_names = '*'")
        self.primary.sql("postgres", "ALTER SYSTEM SET synchronous_commit = 'remote_apply'")
        self.primary.sql("postgres", "SELECT pg_reload_conf()")

    def promote(self):
        self.run("pg_ctl", "promote", "-w", "-t", "1200", "-D", self.data)
        # Nobody follows the new primary.
        self.sql("postgres", "ALTER SYSTEM SET synchronous_standby_names = ''")
        self.sql("postgres", "SELECT pg_reload_conf()")


def main():
    try:
        server = PostgresServer()
    except FileNotFoundError as error:
        print(error, file=sys.stderr)
        return 77
    pooler = Pooler(server) if "--pooler" in sys.argv[1:] else None
    actions = {"stop": [server.stop], "start": [server.start], "restart": [server.stop, server.start],
               "crash": [server.crash, server.start] + ([pooler.wait] if pooler else [])}
    try:
        print(f"ready {server.folder}", flush=True)
        for line in sys.stdin:
            for action in actions[line.strip()]:
                action()
            print("done", flush=True)
    finally:
        if pooler:
            pooler.remove()
        server.remove()
    return 0


if __name__ == "__main__":
    # A terminal's Ctrl-C reaches the whole group; the end of input follows anyway.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.exit(main())
