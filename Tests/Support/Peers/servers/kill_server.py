#!/usr/bin/env python3
"""Kills a receiving server repeatedly under load and checks what it acknowledged.

    kill_server.py --program PATH --dir DIR [--rounds 6] [--clients 4] [--apart 1.0]

Each client sends batches of step samples and repeats each until it is acknowledged. The server is
killed with SIGKILL at random times and restarted. At the end, every acknowledged sample must be in the
database once and in steps.jsonl once; both are read without the server's code. Exits with status 1
otherwise.
"""

import argparse
import atexit
import http.client
import json
import os
import random
import subprocess
import sys
import threading
import time
import uuid

from ports import reserve_port
from received_pages import samples


class Server:
    def __init__(self, program, folder):
        self.command = [program, "serve", "--data-dir", folder, "--jsonl", os.path.join(folder, "lines")]
        self.port = reserve_port(atexit.register)
        self.process = None

    def start(self):
        self.process = subprocess.Popen([*self.command, "--port", str(self.port)], stdout=subprocess.PIPE, text=True,
                                        stderr=subprocess.DEVNULL)
        if not self.process.stdout.readline():
            raise RuntimeError("the server did not start")

    def stop(self, kill):
        self.process.kill() if kill else self.process.terminate()
        status = self.process.wait()
        self.process.stdout.close()
        return status


def batch(generator):
    samples = []
    for _ in range(generator.randrange(1, 120)):
        start = f"2024-{generator.randrange(1, 13):02}-{generator.randrange(1, 29):02}T08:00:00Z"
        samples.append({"uuid": str(uuid.UUID(int=generator.getrandbits(128))), "startDate": start, "endDate": start,
                        "count": generator.randrange(500), "sourceBundleId": "load"})
    return samples


def client(server, number, stopping, acknowledged, lock):
    generator = random.Random(number)
    while not stopping.is_set():
        sent = batch(generator)
        body = json.dumps({"samples": sent})
        while True:
            try:
                connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=1200)
                connection.request("POST", "/steps", body)
                response = connection.getresponse()
                answer = json.loads(response.read())
                if response.status == 200 and answer["saved"] == len(sent):
                    with lock:
                        acknowledged.update(sample["uuid"] for sample in sent)
                    break
            except (OSError, http.client.HTTPException, ValueError):
                time.sleep(0.02)
            if stopping.is_set():
                return


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True)
    parser.add_argument("--dir", required=True)
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--clients", type=int, default=4)
    parser.add_argument("--apart", type=float, default=1.0, help="maximum number of seconds between kills")
    options = parser.parse_args()
    server, stopping, lock, acknowledged = Server(options.program, options.dir), threading.Event(), threading.Lock(), set()
    server.start()
    threads = [threading.Thread(target=client, args=(server, number, stopping, acknowledged, lock))
               for number in range(options.clients)]
    for thread in threads:
        thread.start()
    for _ in range(options.rounds):
        time.sleep(random.uniform(0.2, options.apart))
        server.stop(kill=True)
        server.start()
    time.sleep(0.3)
    stopping.set()
    for thread in threads:
        thread.join()
    status = server.stop(kill=False)
    stored = [str(sample["id"]) for sample in samples(f"{options.dir}/server/received.db")]
    with open(os.path.join(options.dir, "lines", "steps.jsonl"), encoding="utf-8") as file:
        lines = [json.loads(line)["uuid"] for line in file]
    faults = {
        "acknowledged but not stored": len(acknowledged - set(stored)),
        "stored twice": len(stored) - len(set(stored)),
        "lines twice": len(lines) - len(set(lines)),
        "stored without a line, or a line without a stored sample": len(set(stored) ^ set(lines)),
        "exit status": status,
    }
    print(f"{options.rounds} kills, {len(acknowledged)} acknowledged, {len(stored)} stored, {len(lines)} lines")
    for fault, count in faults.items():
        if count:
            print(f"{fault}: {count}")
    return 1 if any(faults.values()) or not acknowledged else 0


if __name__ == "__main__":
    sys.exit(main())
