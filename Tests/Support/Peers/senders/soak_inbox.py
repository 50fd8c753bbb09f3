#!/usr/bin/env python3
"""Sends many posts to `healthsync watch` and checks that its memory stays flat and that everything is counted once.

    soak_inbox.py --program .build/release/healthsync --dir /tmp/soak --posts 100000

First imports a generated export of `--years` years, so that SQLite's page cache reaches its final size. Then sends `--posts`
posts in bursts of 1,000 by 32 clients, each post on its own connection, as phones do. Samples the resident memory after each
burst, when no post waits. Exits with 1 if a post is not accepted, if the growth over the second half of the bursts, by least
squares, exceeds the limit, or if the steps of a day differ from the sum of what was sent.
"""

import argparse
import collections
import concurrent.futures
import contextlib
import json
import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from senders import hozz, step_app  # noqa: E402
from senders.http_client import authorize, send  # noqa: E402
from senders.measure_inbox import Watched  # noqa: E402
from senders.neutral import APPLE, DAY, MINUTE, Sample  # noqa: E402

BURST = 1_000
# Mebibytes over 100,000 posts; the allocator keeps a few in fragments.
LIMIT = 8


def walk(number):
    """Returns a walk in a minute of its own, 1,000 a day from 2020 on."""
    start = 1577836800000 + number // 1_000 * DAY + number % 1_000 * MINUTE + 5_000
    identifier = f"{number:08x}-0000-4000-8000-000000000000"
    return Sample("steps", APPLE.watch, APPLE.watch_device, start, start + 30_000, 1 + number % 97, identifier, identifier)


def request(number):
    """Returns a post with one sample, of the step app and of Hozz by turns of 100."""
    if number // 100 % 2:
        return hozz.batch([hozz.record(walk(number))], number // 200 * 100 + number % 100)
    return step_app.requests([walk(number)])[0]


def waiting(data):
    folder = pathlib.Path(data, "inbox/waiting")
    return len(os.listdir(folder)) if folder.exists() else 0


def settle(watched, limit=1_800):
    deadline = time.monotonic() + limit
    while waiting(watched.data):
        if watched.process.poll() is not None or time.monotonic() > deadline:
            raise SystemExit("posts still wait")
        time.sleep(0.2)


def burst(watched, numbers, pool):
    """Sends posts with a number each; returns those that were not accepted, with their statuses."""
    def one(number):
        answer = send(watched.url, authorize(request(number), watched.token))
        return None if answer.accepted else (number, answer.status)
    return [found for found in pool.map(one, numbers) if found]


def slope(sizes):
    """Returns the growth a step, by least squares."""
    middle, mean = (len(sizes) - 1) / 2, sum(sizes) / len(sizes)
    below = sum((at - middle) ** 2 for at in range(len(sizes)))
    return sum((at - middle) * (size - mean) for at, size in enumerate(sizes)) / below if below else 0


def wrong_days(data, posts):
    """Returns the days whose steps differ from what was sent."""
    sent = collections.Counter()
    for number in range(posts):
        sent[time.strftime("%Y-%m-%d", time.gmtime(walk(number).start // 1000))] += walk(number).value
    with contextlib.closing(sqlite3.connect(f"file:{data}/healthsync.sqlite?mode=ro", uri=True)) as database:
        found = dict(database.execute("SELECT day, quantity FROM daily_progress WHERE metric = 'steps' AND day >= '2020'"))
    return [day for day in sorted({*sent, *found}) if abs(sent[day] - found.get(day, 0)) > 1e-6]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--dir", required=True, type=pathlib.Path)
    parser.add_argument("--posts", type=int, default=100_000)
    parser.add_argument("--years", type=int, default=3)
    options = parser.parse_args()
    # Relative paths in XDG variables are ignored.
    options.dir = options.dir.resolve()
    shutil.rmtree(options.dir, ignore_errors=True)
    options.dir.mkdir(parents=True)
    (options.dir / "config.json").write_text(json.dumps({"zone": "UTC"}))
    os.environ["XDG_CONFIG_HOME"] = str(options.dir)
    (options.dir / "healthsync").mkdir()
    (options.dir / "config.json").rename(options.dir / "healthsync/config.json")
    data, export = str(options.dir / "data"), options.dir / "export.zip"
    # Before the days of the posts.
    for words in (["generate", "--out", export, "--years", str(options.years), "--seed", "1", "--last-day", "2018-12-31"],
                  ["historical", "--source", export, "--data-dir", data]):
        subprocess.run([options.program, *words], check=True, capture_output=True)
    export.unlink()
    watched = Watched(options.program, data)
    sizes, rejected, started, busy = [], [], time.monotonic(), 0.0
    with concurrent.futures.ThreadPoolExecutor(32) as pool:
        for first in range(0, options.posts, BURST):
            began = time.monotonic()
            rejected += burst(watched, range(first, min(first + BURST, options.posts)), pool)
            busy += time.monotonic() - began
            settle(watched)
            watched.events.clear()
            sizes.append(watched.mebibytes("VmRSS"))
            print(f"{first + BURST} posts: {sizes[-1]:.1f} MiB", flush=True)
    seconds = time.monotonic() - started
    growth = slope(sizes[len(sizes) // 2:]) * 100_000 / BURST
    wrong, peak = wrong_days(watched.data, options.posts), watched.mebibytes("VmHWM")
    watched.process.terminate()
    status = watched.process.wait(1200)
    print(f"{options.posts} posts in {seconds:.0f} s, {options.posts / busy:.0f} a second while sending, "
          f"{options.posts / seconds:.0f} a second until imported; {len(rejected)} not accepted {rejected[:3]}")
    print(f"memory: {sizes[0]:.1f} MiB after the first burst, {sizes[len(sizes) // 2]:.1f} after a half, {sizes[-1]:.1f} at the "
          f"end, peak {peak:.1f}; growth {growth:.1f} MiB over 100,000 posts (limit {LIMIT}); {len(wrong)} wrong days {wrong[:3]}")
    return 1 if rejected or wrong or status or growth > LIMIT else 0


if __name__ == "__main__":
    sys.exit(main())
