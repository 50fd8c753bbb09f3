"""The bar of raw steps: layered and sent to our own server on the same machine, from samples that are at home."""

import shutil
import statistics
import subprocess


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
            alone.append(bench.measure([*words, "--no-push"])[0])
            both.append(alone[-1] + bench.measure([bench.binary, "push", "--quiet", "--data-dir", str(work), "--server", url])[0])
        finally:
            server.terminate()
            server.wait()
            server.stdout.close()
    layered, sent = statistics.median(alone), statistics.median(both)
    bench.row(f"{bench.years} years of steps layered and enqueued", "whole run", f"{layered:.2f} s", "< 0.5 s", layered < 0.5)
    bench.row(f"{bench.years} years of steps layered and acknowledged", "whole runs", f"{sent:.2f} s", "< 5 s", sent < 5)
