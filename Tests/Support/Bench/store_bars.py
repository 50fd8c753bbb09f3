"""Measures a server on SQLite where its store is tried hardest: samples that are sent again, digests of short intervals of
samples that arrived in random order, and the requests of a user while another one floods the server."""

import contextlib
import http.client
import json
import os
import random
import select
import shutil
import statistics
import subprocess
import time

from server_bars import Served, rate
from user_bars import compiled, created_tokens

# Samples that arrive in random order, one a minute, and those of a request.
DISORDERED, SAMPLES = 2_000_000, 5_000
# Digests of short intervals: their number, those of a request, their seconds, and the limits in seconds of all and of one alone.
DIGESTS, INTERVALS, SECONDS, ALL_DIGESTS, ONE_DIGEST = 600, 100, 65_536, 2, 0.002
# The flood: connections, requests of each, samples of each; and the other user's pause between
# two requests and the limit of its median, in seconds.
FLOOD, PAUSE, PATIENCE = (60, 8, 5_000), 0.02, 0.1
# Samples that are sent again: connections, requests, samples; and the minimum ratio to new ones.
REPEATED, KNOWN_RATE = (3, 67, 2_000), 0.5
FIRST = 1_420_070_400


def served(bench, stack, name, users):
    folder = bench.out / name
    shutil.rmtree(folder, ignore_errors=True)
    tokens = created_tokens(bench, folder, users)
    return stack.enter_context(Served([bench.binary, "serve", "--port", "0", "--data-dir", str(folder)])), tokens


def repeats(bench):
    """Sends the same samples twice; every run has a new database."""
    load, connections = compiled(bench), REPEATED[0]
    new, known = [], []
    for number in range(bench.runs):
        with contextlib.ExitStack() as stack:
            server, tokens = served(bench, stack, "served-again", 1)
            os.environ["SEED"] = str(number + 1)
            stack.callback(os.environ.pop, "SEED")
            new.append(rate(load, server, *REPEATED, tokens))
            known.append(rate(load, server, *REPEATED, tokens))
    ratio = statistics.median(b / a for a, b in zip(new, known))
    bench.row(f"serve, samples sent again / new, {connections} clients",
              f"{statistics.median(known):,.0f} against {statistics.median(new):,.0f} a second",
              f"{ratio:.2f} ×", f"≥ {KNOWN_RATE} ×", ratio >= KNOWN_RATE)


def text(seconds):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def fill_disordered(port, token, count):
    """Stores `count` samples in random order."""
    generator = random.Random(1)
    minutes = list(range(count))
    generator.shuffle(minutes)
    connection = http.client.HTTPConnection("127.0.0.1", port)
    for first in range(0, count, SAMPLES):
        samples = []
        for minute in minutes[first:first + SAMPLES]:
            start = text(FIRST + 60 * minute)
            bits = f"{generator.getrandbits(128):032x}"
            samples.append(
                f'{{"uuid":"{bits[:8]}-{bits[8:12]}-{bits[12:16]}-{bits[16:20]}-{bits[20:]}","startDate":"{start}",'
                f'"endDate":"{start}","count":{minute % 150},"sourceBundleId":"bench"}}')
        connection.request("POST", "/steps", f'{{"samples":[{",".join(samples)}]}}', {"Authorization": f"Bearer {token}"})
        response = connection.getresponse()
        assert json.loads(response.read())["created"] == len(samples), "a sample was not stored"
    connection.close()


def digest_seconds(port, token, starts):
    connection = http.client.HTTPConnection("127.0.0.1", port)
    begin = time.monotonic()
    connection.request("GET", f"/api/v1/digest?type=steps&seconds={SECONDS}&start={','.join(map(text, starts))}",
                       headers={"Authorization": f"Bearer {token}"})
    response = connection.getresponse()
    answer = json.loads(response.read())
    seconds = time.monotonic() - begin
    connection.close()
    assert len(answer["intervals"]) == len(starts) and all(entry["count"] for entry in answer["intervals"])
    return seconds


def digests(bench):
    generator = random.Random(2)
    with contextlib.ExitStack() as stack:
        server, tokens = served(bench, stack, "served-disordered", 1)
        fill_disordered(server.port, tokens[0], DISORDERED)
        starts = [FIRST + generator.randrange(60 * DISORDERED - SECONDS) for _ in range(DIGESTS)]
        seconds = [digest_seconds(server.port, tokens[0], starts[first:first + INTERVALS]) for first in range(0, DIGESTS, INTERVALS)]
        total = sum(seconds)
        bench.row(f"{DIGESTS} short digests, {INTERVALS} a request, random order", f"{DISORDERED:,} samples, first request {seconds[0]:.2f} s",
                  f"{total:.2f} s", f"≤ {ALL_DIGESTS} s", total <= ALL_DIGESTS)
        one = statistics.median(digest_seconds(server.port, tokens[0], [start]) for start in starts[:200])
        bench.row("one short digest, random order", f"{DISORDERED:,} samples, median of 200", f"{1000 * one:.1f} ms",
                  f"≤ {1000 * ONE_DIGEST:.0f} ms", one <= ONE_DIGEST)


def flood(bench):
    load = compiled(bench)
    with contextlib.ExitStack() as stack:
        server, tokens = served(bench, stack, "served-flood", 2)
        connection = http.client.HTTPConnection("127.0.0.1", server.port)

        def post(number):
            start = text(FIRST + number)
            body = json.dumps({"samples": [{"uuid": f"00000000-0000-4000-8000-{number:012}", "startDate": start, "endDate": start,
                                            "count": 1, "sourceBundleId": "bench"}]})
            begin = time.monotonic()
            connection.request("POST", "/steps", body, {"Authorization": f"Bearer {tokens[1]}"})
            response = connection.getresponse()
            assert response.status == 200 and json.loads(response.read())["created"] == 1
            return time.monotonic() - begin

        post(0)
        process = subprocess.Popen([str(load), str(server.port), *map(str, FLOOD), tokens[0]], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        stack.callback(process.communicate)
        # The client prepares all requests before it begins, and prints the rate when it has all answers.
        process.stderr.readline()
        during = []
        while not select.select([process.stdout], [], [], PAUSE)[0]:
            during.append(post(len(during) + 1))
        assert process.wait() == 0, "a request of the flood was rejected"
    median = statistics.median(during)
    bench.row(f"a user's requests while another floods, {FLOOD[0]} clients", f"{len(during)} requests, longest {1000 * max(during):.0f} ms",
              f"{1000 * median:.0f} ms", f"≤ {1000 * PATIENCE:.0f} ms", median <= PATIENCE)
