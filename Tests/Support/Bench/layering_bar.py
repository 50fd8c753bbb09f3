"""Measures the delivery of raw steps: layering local samples, and sending them to our server on the same machine."""

import shutil
import sqlite3
import statistics
import subprocess
from contextlib import closing


def layering(bench):
    archive = bench.export(bench.years)
    base = [bench.binary, "historical", "--zone", "Europe/Paris", "--metrics", "steps", "--quiet", "--json"]
    bench.fresh()
    data = bench.out / "data"
    bench.measure([*base, "--source", str(archive), "--data-dir", str(data)])
    both, alone = [], []
    for _ in range(bench.runs):
        work, served = bench.out / "layered", bench.out / "served"
        for folder in (work, served):
            shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(data, work)
        server = subprocess.Popen(
            [bench.binary, "serve", "--data-dir", str(served), "--port", "0"], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True, env=bench.environment)
        try:
            url = server.stdout.readline().split()[2]
            words = [*base, "--data-dir", str(work), "--server", url]
            # Everything is enqueued, including days. Then the intervals are deleted, so that only they are created again.
            bench.measure([*words, "--no-push"])
            bench.measure([bench.binary, "clear", "--local", "--yes", "--data-dir", str(work)])
            alone.append(bench.measure([*words, "--no-push"])[0])
            both.append(alone[-1] + bench.measure([bench.binary, "push", "--quiet", "--data-dir", str(work), "--server", url])[0])
        finally:
            server.terminate()
            server.wait()
            server.stdout.close()
    with closing(sqlite3.connect(work / "healthsync.sqlite")) as database:
        count, = database.execute("SELECT sum(sample_count) FROM sync_interval").fetchone()
    layered, sent = statistics.median(alone), statistics.median(both)
    seen = f"{bench.years} years, {count:,} samples"
    bench.row("steps layered and enqueued", seen, f"{layered:.2f} s", "< 0.5 s", layered < 0.5)
    bench.row("steps layered and acknowledged", f"{seen}, and the derived days", f"{sent:.2f} s", "< 5 s", sent < 5)
