#!/usr/bin/env python3
"""Runs many concurrent clients and checks that a receiving server serves all of them and loses nothing.

    soak_server.py --program PATH --dir DIR [--clients 200] [--seconds 120]

Each client keeps a connection open and sends small batches of step samples, sometimes a batch that it sent before, or a
query. At the end the server is stopped, and every acknowledged sample must be in its database once, which is read without
the server's code. Exits with status 1 otherwise, or after a status other than 200.
"""

import argparse
import asyncio
import collections
import json
import random
import resource
import subprocess
import sys
import time
import uuid

from received_pages import samples

BATCH = 10
QUERIES = ["/health", "/steps?limit=20", "/api/v1/summary", "/api/v1/capabilities",
             "/api/v1/digest?type=steps&start=2024-01-01&seconds=31622400"]


def sample(client, number, index):
    """Returns a step sample whose id contains the client and the number of its batch."""
    start = f"2024-{number % 12 + 1:02}-{number // 12 % 28 + 1:02}T{index + 8:02}:00:00Z"
    return {"uuid": str(uuid.UUID(int=client << 96 | number << 32 | index)), "startDate": start, "endDate": start,
            "count": number % 500, "sourceBundleId": "soak"}


class Tally:
    def __init__(self):
        self.statuses = collections.Counter()
        self.acknowledged = set()
        # Latencies by method and path.
        self.milliseconds = collections.defaultdict(list)
        self.wrong = 0


class Client:
    def __init__(self, number, port, tally):
        self.number, self.port, self.tally = number, port, tally
        self.generator = random.Random(number)
        self.sent = 0

    async def run(self, until):
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            # On a slow machine the time may be over when the last client is connected.
            while time.monotonic() < until or not self.sent:
                await self.act(reader, writer)
        finally:
            writer.close()

    async def act(self, reader, writer):
        choice = self.generator.random()
        if choice < 0.1:
            await self.exchange(reader, writer, "GET", self.generator.choice(QUERIES))
            return
        is_repeat = choice < 0.15 and self.sent > 0
        number = self.generator.randrange(self.sent) if is_repeat else self.sent
        self.sent += not is_repeat
        body = json.dumps({"samples": [sample(self.number, number, index) for index in range(BATCH)]}).encode()
        status, answer = await self.exchange(reader, writer, "POST", "/steps", body)
        if status == 200:
            answer = json.loads(answer)
            self.tally.wrong += answer["saved"] != BATCH or answer["duplicate" if is_repeat else "created"] != BATCH
            self.tally.acknowledged.add((self.number, number))

    async def exchange(self, reader, writer, method, path, body=b""):
        begin = time.monotonic()
        writer.write(f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        status = int(head.split()[1])
        if b"transfer-encoding: chunked" in head:
            answer = b""
            while size := int(await reader.readline(), 16):
                answer += (await reader.readexactly(size + 2))[:-2]
            await reader.readexactly(2)
        else:
            answer = await reader.readexactly(int(head.split(b"content-length:")[1].split()[0]))
        self.tally.statuses[status] += 1
        self.tally.milliseconds[f"{method} {path.partition('?')[0]}"].append(1000 * (time.monotonic() - begin))
        return status, answer


async def load(port, clients, seconds):
    tally, until = Tally(), time.monotonic() + seconds
    ended = await asyncio.gather(*(Client(number, port, tally).run(until) for number in range(1, clients + 1)),
                                 return_exceptions=True)
    return tally, [repr(error) for error in ended if error]


def waits(milliseconds):
    slow = sorted(milliseconds)
    return f"median {slow[len(slow) // 2]:.1f} ms, 99 % within {slow[len(slow) * 99 // 100]:.1f} ms, longest {slow[-1]:.0f} ms"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True)
    parser.add_argument("--dir", required=True)
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=120)
    options = parser.parse_args()
    server = subprocess.Popen([options.program, "serve", "--data-dir", options.dir, "--port", "0"],
                              stdout=subprocess.PIPE, text=True)
    port = int(server.stdout.readline().rsplit(":", 1)[1])
    tally, cut = asyncio.run(load(port, options.clients, options.seconds))
    server.terminate()
    status = server.wait()
    server.stdout.close()
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    stored = [uuid.UUID(str(row["id"])).int for row in samples(f"{options.dir}/server/received.db")]
    batches = collections.Counter((id >> 96, id >> 32 & 0xFFFF_FFFF) for id in stored)
    answers = sum(tally.statuses.values())
    print(f"{options.clients} clients, {options.seconds:g} s: {answers} responses, {len(stored)} samples stored, "
          f"{waits(sum(tally.milliseconds.values(), []))}, peak memory of the server {memory:.0f} MB")
    for route, milliseconds in sorted(tally.milliseconds.items()):
        print(f"  {route:<26} {len(milliseconds):>8} responses, {waits(milliseconds)}")
    faults = {
        "responses other than 200": answers - tally.statuses[200],
        "responses with wrong counts": tally.wrong,
        "clients that failed": len(cut),
        "acknowledged but not stored": sum(batches[batch] != BATCH for batch in tally.acknowledged),
        "stored twice": len(stored) - len(set(stored)),
        "exit status": status,
    }
    for fault, count in faults.items():
        if count:
            print(f"{fault}: {count} {dict(tally.statuses) if 'responses' in fault else ''} {cut[:2] if 'failed' in fault else ''}")
    return 1 if any(faults.values()) or not tally.acknowledged else 0


if __name__ == "__main__":
    sys.exit(main())
