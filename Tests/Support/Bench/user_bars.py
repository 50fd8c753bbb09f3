"""Measures a server on SQLite with a hundred users who take turns: against one user, as the database grows, and under
mixed load."""

import asyncio
import collections
import contextlib
import random
import re
import shutil
import statistics
import subprocess
import time
import uuid

from server_bars import HERE, Served, rate

USERS = 100
CONNECTIONS = 4
# Samples per request and per round of filling.
SAMPLES, ROUND = 2000, 1_600_000


def created_tokens(bench, folder, count):
    """Returns the token of each of `count` users of the server whose data is in `folder`."""
    words = ["--scope", "ingest,read", "--data-dir", str(folder), "--json"]
    outputs = [subprocess.run([bench.binary, "token", "create", "--user", f"user{user}", *words], capture_output=True,
                              text=True, check=True).stdout for user in range(count)]
    return [re.search(r'"token":"([^"]+)"', output.replace(" ", "")).group(1) for output in outputs]


def compiled(bench):
    load = bench.out / "load"
    subprocess.run(["cc", "-O2", "-pthread", str(HERE / "load.c"), "-o", str(load)], check=True)
    return load


class Filled:
    """A server with `count` users, and the number of samples that were sent to it."""

    def __init__(self, bench, stack, count):
        folder = bench.out / f"served-{count}"
        shutil.rmtree(folder, ignore_errors=True)
        self.load, self.sent = compiled(bench), 0
        self.tokens = created_tokens(bench, folder, count)
        self.served = stack.enter_context(Served([bench.binary, "serve", "--port", "0", "--data-dir", str(folder)]))

    def send(self, samples=ROUND):
        """Sends new samples; returns how many were stored per second, and per second of the server's processor time."""
        requests = max(1, samples // SAMPLES // CONNECTIONS)
        before = self.processor_seconds()
        seen = rate(self.load, self.served, CONNECTIONS, requests, SAMPLES, self.tokens)
        self.sent += CONNECTIONS * requests * SAMPLES
        return seen, CONNECTIONS * requests * SAMPLES / max(self.processor_seconds() - before, 0.01)

    def fill(self, samples):
        while self.sent < samples:
            self.send(min(ROUND, samples - self.sent + CONNECTIONS * SAMPLES))

    def processor_seconds(self):
        with open(f"/proc/{self.served.process.pid}/stat", encoding="ascii") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / 100

    def peak_megabytes(self):
        with open(f"/proc/{self.served.process.pid}/status", encoding="ascii") as file:
            return int(re.search(r"VmHWM:\s+([0-9]+)", file.read()).group(1)) / 1024


def users(bench):
    with contextlib.ExitStack() as stack:
        one, many = Filled(bench, stack, 1), Filled(bench, stack, USERS)
        first = None
        for stored in bench.stored:
            one.fill(stored)
            many.fill(stored)
            # All users are active in turn in every run.
            runs = [(one.send(USERS * SAMPLES * CONNECTIONS), many.send(USERS * SAMPLES * CONNECTIONS))
                    for _ in range(bench.runs)]
            for index, unit in enumerate(("a second", "a second of processor time")):
                mine = statistics.median(pair[1][index] for pair in runs)
                other = statistics.median(pair[0][index] for pair in runs)
                ratio = statistics.median(pair[1][index] / pair[0][index] for pair in runs)
                bench.row(f"serve, {stored / 1e6:g} million stored: {USERS} users / one", f"{mine:,.0f} against {other:,.0f} {unit}",
                          f"{ratio:.2f} ×", "≥ 0.8 ×", ratio >= 0.8)
            first = first or mine
            bench.row(f"serve, {USERS} users: {stored / 1e6:g} / {bench.stored[0] / 1e6:g} million stored", unit,
                      f"{mine / first:.2f} ×", "≥ 0.8 ×", mine / first >= 0.8)
            bench.row(f"serve, {USERS} users, {stored / 1e6:g} million stored: memory", "",
                      f"{many.peak_megabytes():.0f} MB", "≤ 300 MB", many.peak_megabytes() <= 300)


class Client:
    """A client that sends 50 samples a request, and sometimes requests a list or digests."""

    def __init__(self, number, port, tokens, tally):
        self.random, self.port, self.tally = random.Random(), port, tally
        self.token, self.minute = tokens[number % len(tokens)], 10_000_000 + number * 100_000

    async def run(self, until):
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        while time.monotonic() < until:
            choice = self.random.random()
            kind = "digest" if choice < 0.02 else "list" if choice < 0.12 else "write"
            method, path, body = getattr(self, kind)()
            begin = time.monotonic()
            writer.write((f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {self.token}\r\n"
                          f"Content-Length: {len(body)}\r\n\r\n{body}").encode())
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
            if b"transfer-encoding: chunked" in head:
                while size := int(await reader.readline(), 16):
                    await reader.readexactly(size + 2)
                await reader.readexactly(2)
            else:
                await reader.readexactly(int(head.split(b"content-length:")[1].split()[0]))
            self.tally[kind].append((time.monotonic() - begin, int(head.split()[1])))
        writer.close()

    def digest(self):
        # A root or random nodes of the grid of `verify`.
        exponent = self.random.randrange(12, 31)
        starts = [978_307_200 + (self.random.randrange(420_000_000, 800_000_000) >> exponent << exponent) for _ in range(8)]
        words = ",".join(time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(start)) for start in starts)
        return "GET", f"/api/v1/digest?type=steps&seconds={1 << exponent}&start={words}", ""

    def list(self):
        return "GET", self.random.choice(["/steps?limit=100", "/api/v1/summary", "/steps?from=2016-03-01&to=2016-03-02"]), ""

    def write(self):
        samples = []
        for _ in range(50):
            self.minute += 1
            start = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(1_420_070_400 + 60 * self.minute))
            samples.append(f'{{"uuid":"{uuid.UUID(int=self.random.getrandbits(128))}","startDate":"{start}","endDate":"{start}",'
                           f'"count":{self.minute % 150},"sourceBundleId":"com.apple.health"}}')
        return "POST", "/steps", f'{{"samples":[{",".join(samples)}]}}'


async def clients(filled, count, seconds):
    tally, until = collections.defaultdict(list), time.monotonic() + seconds
    await asyncio.gather(*(Client(number, filled.served.port, filled.tokens, tally).run(until) for number in range(count)))
    return tally


def mixed(bench):
    with contextlib.ExitStack() as stack:
        filled = Filled(bench, stack, USERS)
        filled.fill(bench.mixed_stored)
        tally = asyncio.run(clients(filled, 200, bench.mixed_seconds))
        failed = sum(status != 200 for answers in tally.values() for _, status in answers)
        total = sum(map(len, tally.values()))
        bench.row("200 clients, answers other than 200", f"{total} answers, {bench.mixed_stored / 1e6:g} million stored",
                  str(failed), "0", failed == 0)
        for kind, bar in (("write", 0.5), ("list", 0.5), ("digest", 1)):
            seen = sorted(seconds for seconds, _ in tally[kind])
            slowest = seen[len(seen) * 99 // 100]
            bench.row(f"200 clients, 99 % of {kind} requests", f"{len(seen)} answers, median {seen[len(seen) // 2] * 1000:.0f} ms",
                      f"{slowest * 1000:.0f} ms", f"≤ {bar * 1000:.0f} ms", slowest <= bar)
        bench.row("200 clients, peak memory of the server", "", f"{filled.peak_megabytes():.0f} MB", "≤ 300 MB",
                  filled.peak_megabytes() <= 300)
