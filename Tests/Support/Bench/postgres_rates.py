"""Measures how many samples per second one and three servers store in one PostgreSQL on the same machine."""

import pathlib
import re
import statistics
import subprocess
import sys
from contextlib import ExitStack

from server_bars import HERE, Served

sys.path.append(str(pathlib.Path(HERE).parent / "Peers" / "servers"))
import postgres_server  # noqa: E402

USERS = 6
# Requests per user and samples per request; each user has its own connection.
LOADS = [(30, 2000), (300, 50)]


def rate(bench, load, store, count, requests, samples):
    """Returns the samples per second that all users together send to `count` servers on a separate database."""
    tokens = []
    for user in range(USERS):
        words = ["token", "create", "--user", f"user{user}", "--scope", "ingest", "--store", store, "--json"]
        created = subprocess.run([bench.binary, *words], capture_output=True, text=True, check=True).stdout
        tokens.append(re.search(r'"token":"([^"]+)"', created.replace(" ", "")).group(1))
    with ExitStack() as stack:
        ports = [
            stack.enter_context(Served([bench.binary, "serve", "--port", "0", "--store", store])).port
            for _ in range(count)]
        clients = [
            subprocess.Popen([str(load), str(ports[index % count]), "1", str(requests), str(samples), token],
                             stdout=subprocess.PIPE, text=True)
            for index, token in enumerate(tokens)]
        outputs = [client.communicate()[0] for client in clients]
    if any(client.returncode for client in clients):
        raise RuntimeError("a request was rejected")
    return USERS * requests * samples / max(float(re.search(r"([0-9.]+) s,", text).group(1)) for text in outputs)


def postgres(bench):
    if not postgres_server.programs():
        print("PostgreSQL: not installed; servers on it are not measured")
        return
    load = bench.out / "load"
    subprocess.run(["cc", "-O2", "-pthread", str(HERE / "load.c"), "-o", str(load)], check=True)
    server = postgres_server.PostgresServer()
    try:
        for requests, samples in LOADS:
            rates = {1: [], 3: []}
            for run in range(bench.runs):
                for count, seen in rates.items():
                    store = "postgres:" + server.create(f"bench_{samples}_{run}_{count}")
                    seen.append(rate(bench, load, store, count, requests, samples))
            for count, seen in rates.items():
                figure = f"{statistics.median(seen):,.0f} a second"
                print(f"serve on PostgreSQL: {count} servers, {USERS} users, {samples} samples per request: {figure}", flush=True)
    finally:
        server.remove()
