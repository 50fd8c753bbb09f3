"""Measures `healthsync watch`: the time from a post to its figures, a burst, and memory. Exits with 1 if a limit is exceeded.

    measure_inbox.py --program .build/release/healthsync --dir /tmp/inbox --years 10 --posts 20 --flat 5000
"""

import argparse
import concurrent.futures
import contextlib
import json
import os
import pathlib
import re
import sqlite3
import statistics
import subprocess
import sys
import threading
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from senders import hozz, step_app  # noqa: E402
from senders.http_client import authorize, send  # noqa: E402
from senders.neutral import APPLE, HOUR, MINUTE, Request, Sample  # noqa: E402

LIMITS = {"post to figures, median": 250, "post to figures, worst": 1000, "peak with 64 MiB": 128, "growth": 8}


class Watched:
    def __init__(self, program, data):
        self.program, self.data, self.events = program, data, []
        self.token = json.loads(self.run("pair", f"phone-{os.getpid()}", "--json"))["token"]
        self.process = subprocess.Popen([program, "watch", "--listen", "127.0.0.1:0", "--json", "--data-dir", data], text=True,
                                        stdout=subprocess.PIPE)
        self.url = json.loads(self.process.stdout.readline())["address"].rstrip("/")
        threading.Thread(target=lambda: self.events.extend(self.process.stdout), daemon=True).start()

    def run(self, *words):
        return subprocess.run([self.program, *words, "--data-dir", self.data], check=True, capture_output=True, text=True).stdout

    def post(self, request):
        answer = send(self.url, authorize(request, self.token))
        if not answer.accepted:
            raise SystemExit(f"{request.method} {request.path}: {answer.status}")

    def mebibytes(self, name):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(rf"{name}:\s+(\d+) kB", status)[1]) / 1024

    def steps(self, day):
        path = f"file:{self.data}/healthsync.sqlite?mode=ro"
        with contextlib.closing(sqlite3.connect(path, uri=True, timeout=1200)) as database:
            row = database.execute("SELECT quantity FROM daily_progress WHERE metric = 'steps' AND day = ?", (day,)).fetchone()
        return row[0] if row else 0

    def last_day(self):
        path = f"file:{self.data}/healthsync.sqlite?mode=ro"
        with contextlib.closing(sqlite3.connect(path, uri=True)) as database:
            return database.execute("SELECT max(day) FROM daily_progress WHERE metric = 'steps'").fetchone()[0]

    def idle(self, limit=600):
        """Waits until no post is waiting."""
        deadline = time.monotonic() + limit
        while time.monotonic() < deadline:
            listed = json.loads(self.run("inbox", "list", "--json"))
            posts = listed["posts"] if isinstance(listed, dict) else listed
            if all(post["state"] in ("decoded", "undecoded") for post in posts):
                return len(posts)
            time.sleep(0.2)
        raise SystemExit("posts are still waiting")


def hour(number, first):
    """Returns an hour of samples: a walk and a heart rate in each minute."""
    found = []
    for minute in range(60):
        start = first + number * HOUR + minute * MINUTE
        for kind, value in (("steps", 20 + minute), ("heartRate", 60 + minute % 40)):
            identifier = f"{number:08x}-0000-4000-8000-{minute:06x}{len(kind):06x}"
            found.append(Sample(kind, APPLE.watch, APPLE.watch_device, start, start + (50_000 if kind == "steps" else 0), value,
                                identifier, identifier))
    return found


def latencies(watched, posts, first, day):
    """Returns milliseconds from the first byte of a post until the day's steps include it."""
    found, before = [], 0
    for number in range(posts):
        samples, start = hour(number, first), time.monotonic()
        watched.post(hozz.batch([hozz.record(one) for one in samples], number + 1))
        expected = before + sum(one.value for one in samples if one.kind == "steps")
        while watched.steps(day) < expected - 1e-6:
            if time.monotonic() - start > 60:
                raise SystemExit(f"post {number + 1} has no figures after 60 s")
            time.sleep(0.002)
        found.append((time.monotonic() - start) * 1000)
        before = expected
        watched.idle()
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--dir", required=True, type=pathlib.Path)
    for name, value in (("--years", 10), ("--posts", 20), ("--flat", 2000)):
        parser.add_argument(name, type=int, default=value)
    options = parser.parse_args()
    options.dir.mkdir(parents=True, exist_ok=True)
    data, export = str(options.dir / "data"), options.dir / "export.zip"
    if not export.exists():
        subprocess.run([options.program, "generate", "--out", export, "--years", str(options.years), "--seed", "1",
                        "--last-day", "2024-12-31"], check=True, capture_output=True)
    subprocess.run([options.program, "historical", "--source", export, "--zone", "UTC", "--data-dir", data], check=True,
                   capture_output=True)
    watched = Watched(options.program, data)
    first = 1735776000000  # 2025-01-02, after the export
    times = latencies(watched, min(options.posts, 20), first, "2025-01-02")
    figures = {"post to figures, median": statistics.median(times), "post to figures, worst": max(times)}
    body = b'{"data":{"metrics":[]}'
    watched.post(Request("POST", "/api/data", {"Content-Type": "application/json"}, body + b" " * ((64 << 20) - 23) + b"}"))
    watched.idle()
    figures["peak with 64 MiB"] = watched.mebibytes("VmHWM")
    steps = [one for number in range(48, 48 + options.flat // 60 + 1) for one in hour(number, first) if one.kind == "steps"]
    sizes, started = [], time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(32) as pool:
        for at in range(0, options.flat, 1000):
            list(pool.map(lambda one: watched.post(step_app.requests([one])[0]), steps[at:at + 1000]))
            sizes.append(watched.mebibytes("VmRSS"))
    figures["posts a second"] = options.flat / (time.monotonic() - started)
    watched.idle()
    figures["growth"] = watched.mebibytes("VmRSS") - sizes[0]
    watched.process.terminate()
    status = watched.process.wait(1200)
    for name, value in figures.items():
        limit = LIMITS.get(name)
        print(f"{name}: {value:.1f}" + (f" (limit {limit}){'' if value <= limit else ' EXCEEDED'}" if limit else ""))
    exceeded = [name for name, value in figures.items() if value > LIMITS.get(name, float("inf"))]
    return 1 if exceeded or status else 0


if __name__ == "__main__":
    sys.exit(main())
