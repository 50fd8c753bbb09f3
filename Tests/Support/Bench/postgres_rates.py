"""Measures how many samples per second one, two and three servers store in one PostgreSQL on the same machine, compared
with one server on SQLite, when the store is empty and when it contains samples of the same users."""

import pathlib
import re
import shutil
import statistics
import subprocess
import sys
from contextlib import ExitStack

from server_bars import HERE, Served

sys.path.append(str(pathlib.Path(HERE).parent / "Peers" / "servers"))
import postgres_server  # noqa: E402

USERS = 6
# Requests per user and samples per request; each user has its own connection.
LOADS = [(60, 2000), (600, 50)]
# Requests of 2,000 samples that each user stores before a filled store is measured.
FILLING = 100
# The minimum ratio of one server on PostgreSQL to one on SQLite.
BAR = 0.3


class Store:
    """A store with a token for each user."""

    def __init__(self, bench, location, is_filled):
        self.bench, self.location, self.load = bench, location, bench.out / "load"
        self.tokens = []
        for user in range(USERS):
            words = ["token", "create", "--user", f"user{user}", "--scope", "ingest", "--store", location, "--json"]
            created = subprocess.run([bench.binary, *words], capture_output=True, text=True, check=True).stdout
            self.tokens.append(re.search(r'"token":"([^"]+)"', created.replace(" ", "")).group(1))
        if is_filled:
            self.rate(1, FILLING, 2000)

    def rate(self, count, requests, samples):
        """Returns the samples per second that all users together send to `count` new servers."""
        with ExitStack() as stack:
            ports = [
                stack.enter_context(Served([self.bench.binary, "serve", "--port", "0", "--store", self.location])).port
                for _ in range(count)]
            clients = [
                subprocess.Popen([str(self.load), str(ports[index % count]), "1", str(requests), str(samples), token],
                                 stdout=subprocess.PIPE, text=True)
                for index, token in enumerate(self.tokens)]
            outputs = [client.communicate()[0] for client in clients]
        if any(client.returncode for client in clients):
            raise RuntimeError("a request was rejected")
        return USERS * requests * samples / max(float(re.search(r"([0-9.]+) s,", text).group(1)) for text in outputs)


def sqlite_store(bench, is_filled):
    folder = bench.out / "received"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return Store(bench, f"sqlite:{folder}/received.db", is_filled)


def postgres(bench):
    if not postgres_server.programs():
        print("PostgreSQL: not installed; servers on it are not measured")
        return
    subprocess.run(["cc", "-O2", "-pthread", str(HERE / "load.c"), "-o", str(bench.out / "load")], check=True)
    server = postgres_server.PostgresServer()
    try:
        for is_filled in (False, True):
            for requests, samples in LOADS:
                measure(bench, server, is_filled, requests, samples)
    finally:
        server.remove()


def measure(bench, server, is_filled, requests, samples):
    what = f"{samples} samples per request, {'filled' if is_filled else 'fresh'}"
    rates = {0: [], 1: [], 2: [], 3: []}
    for run in range(bench.runs):
        for count, seen in rates.items():
            name = f"bench_{samples}_{is_filled}_{run}_{count}".lower()
            store = Store(bench, "postgres:" + server.create(name), is_filled) if count else sqlite_store(bench, is_filled)
            seen.append(store.rate(count or 1, requests, samples))
            if count:
                server.sql("postgres", f"DROP DATABASE {name}")
    one, lite = statistics.median(rates[1]), statistics.median(rates[0])
    ratio = statistics.median(a / b for a, b in zip(rates[1], rates[0]))
    bench.row(f"PostgreSQL / SQLite: {what}", f"{one:,.0f} against {lite:,.0f} a second", f"{ratio:.2f} ×", f"≥ {BAR} ×", ratio >= BAR)
    for count in (2, 3):
        print(f"{count} servers on PostgreSQL: {what}: {statistics.median(rates[count]):,.0f} a second", flush=True)
