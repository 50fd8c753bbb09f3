"""Compares the receiving server with the step server that it replaces, alternately, under the same load."""

import pathlib
import re
import shutil
import signal
import statistics
import subprocess
import time
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
# Connections, requests per connection, samples per request, and the minimum ratio of the throughputs.
LOADS = [(3, 60, 2000, 3), (8, 500, 50, 8)]


class Served:
    """A running server."""

    def __init__(self, command, port=None):
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.port = port or int(self.process.stdout.readline().rsplit(":", 1)[1])

    def __enter__(self):
        while True:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{self.port}/health").close()
                return self
            except OSError:
                if self.process.poll() is not None:
                    raise
                time.sleep(0.05)

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()
        self.process.stdout.close()


def rate(load, served, connections, requests, samples, tokens=()):
    """Returns the samples per second. Fails unless every response is a 200."""
    words = [str(load), str(served.port), str(connections), str(requests), str(samples), *tokens]
    return float(re.match(r"[0-9]+", subprocess.run(words, capture_output=True, text=True, check=True).stdout).group())


def server(bench):
    load = bench.out / "load"
    subprocess.run(["cc", "-O2", "-pthread", str(HERE / "load.c"), "-o", str(load)], check=True)
    python = bench.venv("flask")
    if not python:
        print("Flask: cannot be installed; the comparison of the server is skipped")
        return
    lines, data = bench.out / "steps.jsonl", bench.out / "served"
    for connections, requests, samples, bar in LOADS:
        ours, theirs = [], []
        for _ in range(bench.runs):
            shutil.rmtree(data, ignore_errors=True)
            with Served([bench.binary, "serve", "--port", "0", "--data-dir", str(data)]) as served:
                ours.append(rate(load, served, connections, requests, samples))
            lines.unlink(missing_ok=True)
            with Served([str(python), str(HERE / "step_server.py"), str(lines), "8977"], port=8977) as served:
                theirs.append(rate(load, served, connections, requests, samples))
        ratio = statistics.median(a / b for a, b in zip(ours, theirs))
        bench.row(
            f"serve / Flask: {connections} clients, {samples} samples a request",
            f"{statistics.median(ours):,.0f} against {statistics.median(theirs):,.0f} a second",
            f"{ratio:.2f} ×", f"≥ {bar} ×", ratio >= bar)
