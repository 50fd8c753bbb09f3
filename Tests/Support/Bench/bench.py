"""Prints the measurements of docs/performance.md: ratios of two commands that run alternately (A B A B …), medians of five.

    bench.py HEALTHSYNC [--out bench-output] [--years 10] [--runs 5] [--only NAME ...]
             [--stored 1,10,20,50] [--mixed-stored 20] [--mixed-seconds 300]

pip installs each program used for comparison into a virtual environment of its own; if that fails, it is skipped with a
message. The table is also written to bench.json in the folder, and as bars to bench.svg.
"""

import argparse
import datetime
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import time

from bench_report import write_json, write_svg
from layering_bar import layering
from page_bars import pages
from peer_bars import peers
from postgres_rates import postgres
from server_bars import server
from store_bars import digests, flood, repeats
from user_bars import mixed, users


class Bench:
    def __init__(self, options):
        self.binary = str(options.healthsync.resolve())
        self.out = options.out.resolve()
        self.runs = options.runs
        self.years = options.years
        self.stored = [int(float(millions) * 1e6) for millions in options.stored.split(",")]
        self.mixed_stored, self.mixed_seconds = int(options.mixed_stored * 1e6), options.mixed_seconds
        self.failed = False
        # What `row` printed, and the seconds of imports by program, for the report.
        self.rows = []
        self.imports = {}
        self.out.mkdir(parents=True, exist_ok=True)
        self.environment = {**os.environ, "XDG_CONFIG_HOME": str(self.out / "config")}

    def measure(self, command, prepare=None):
        """Runs `command`, an argument list; returns its wall time in seconds and its peak memory in MB."""
        if prepare:
            prepare()
        begin = time.monotonic()
        process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=self.environment
        )
        message = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.monotonic() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        process.stderr.close()
        if process.returncode != 0:
            raise RuntimeError(f"{command}: exit {process.returncode}: {message.decode()[-400:]}")
        return wall, usage.ru_maxrss / 1024

    def paired(self, name, ours, theirs, bar, prepare=None, at_least=False, runs=None):
        """Prints the ratio ours / theirs (with `at_least`: theirs / ours), run alternately; returns the seconds of both."""
        mine, other = [], []
        for _ in range(runs or self.runs):
            mine.append(self.measure(ours, prepare)[0])
            other.append(sum(self.measure(command)[0] for command in theirs))
        ratios = [b / a if at_least else a / b for a, b in zip(mine, other)]
        ratio = statistics.median(ratios)
        held = ratio >= bar if at_least else ratio <= bar
        self.row(
            name,
            f"{statistics.median(mine):.3f} s against {statistics.median(other):.3f} s",
            f"{ratio:.2f} ×",
            f"{'≥' if at_least else '≤'} {bar} ×" if bar else "–",
            held,
        )
        return statistics.median(mine), statistics.median(other)

    def row(self, name, seen, figure, bar, held):
        self.failed |= not held
        self.rows.append({"name": name, "seen": seen, "figure": figure, "bar": bar, "held": held})
        print(f"{name:<44} {seen:<32} {figure:>12} {bar:>12}  {'held' if held else 'MISSED'}", flush=True)

    def export(self, years):
        path = self.out / f"export-{years}.zip"
        if not path.exists():
            self.measure([self.binary, "generate", "--years", str(years), "--seed", "42", "--out", str(path)])
        return path

    def xml(self, years):
        path = self.out / f"export-{years}.xml"
        if not path.exists():
            import zipfile

            with zipfile.ZipFile(self.export(years)) as archive, path.open("wb") as target:
                name = next(n for n in archive.namelist() if n.endswith("export.xml"))
                shutil.copyfileobj(archive.open(name), target, 1 << 20)
        return path

    def venv(self, package):
        """Returns the Python of a virtual environment for `package` only, or None if it cannot be installed."""
        python = self.out / "venvs" / package.split("==")[0] / "bin" / "python"
        if not python.exists() and subprocess.run([sys.executable, "-m", "venv", str(python.parents[1])]).returncode:
            return None
        installed = subprocess.run([str(python), "-m", "pip", "install", "-q", package]).returncode == 0
        return python if installed else None

    def fresh(self):
        shutil.rmtree(self.out / "data", ignore_errors=True)

    def historical(self, path):
        data = str(self.out / "data")
        return [self.binary, "historical", "--quiet", "--zone", "Europe/Paris", "--data-dir", data, "--source", str(path)]


def scan(bench):
    floor = bench.out / "floor"
    subprocess.run(["cc", "-O2", str(pathlib.Path(__file__).with_name("floor.c")), "-o", str(floor)], check=True)
    xml, archive = bench.xml(3), bench.export(3)
    runs = max(7, bench.runs)
    wall = None
    for cores, pin in (("on one core", ["taskset", "-c", "0"]), ("on any core", [])):
        if pin and not shutil.which("taskset"):
            print("taskset: command not found; the scan of export.xml on one core is skipped")
            continue
        ours = [*pin, bench.binary, "inspect", "--quiet", str(xml)]
        seconds, _ = bench.paired(f"scan export.xml / floor, {cores}", ours, [[*pin, str(floor), str(xml)]], 2, runs=runs)
        wall = wall or seconds
    size = xml.stat().st_size
    bench.row("scan export.xml, every record decoded", f"{size / 1e6:.0f} MB", f"{size / wall / 1e9:.2f} GB/s", "≥ 1 GB/s", size / wall >= 1e9)
    if shutil.which("igzip"):
        raw = bench.out / "export-3.xml.gz"
        if not raw.exists():
            subprocess.run(["sh", "-c", f"gzip -c '{xml}' > '{raw}'"], check=True)
        bench.paired(
            "scan export.zip / (igzip -dc + scan of the xml)",
            [bench.binary, "inspect", "--quiet", str(archive)],
            [["igzip", "-dc", str(raw)], [bench.binary, "inspect", "--quiet", str(xml)]],
            1.5,
        )
    else:
        print("igzip: command not found; the scan of export.zip is skipped")


def unchanged(bench):
    archive = bench.export(bench.years)
    bench.fresh()
    bench.measure(bench.historical(archive))
    command = [w if w != "historical" else "daily" for w in bench.historical(archive)]
    bench.measure(command)
    walls = [bench.measure(command)[0] for _ in range(2 * bench.runs)]
    wall = statistics.median(walls) * 1000
    bench.row("daily, nothing changed", f"{bench.years} years of data", f"{wall:.0f} ms", "< 50 ms", wall < 50)


# Samples that are days apart: each is a day of its own to derive.
SCATTERED, APART, SCATTERED_SECONDS = 2_500, 5, 0.5


def scattered(bench):
    lines = bench.out / "scattered.jsonl"
    first = datetime.date(1985, 1, 1)
    days = [first + datetime.timedelta(days=APART * number) for number in range(SCATTERED)]
    lines.write_text("".join(json.dumps({
        "type": "stepCount", "startDate": f"{day}T08:00:00Z", "endDate": f"{day}T08:10:00Z", "value": 100, "unit": "count",
        "sourceBundleId": "Bench"}) + "\n" for day in days))
    wall = statistics.median(bench.measure(bench.historical(lines), bench.fresh)[0] for _ in range(bench.runs))
    bench.row(f"historical, samples {APART} days apart", f"{SCATTERED} samples", f"{wall:.2f} s", f"≤ {SCATTERED_SECONDS} s",
              wall <= SCATTERED_SECONDS)


def memory(bench):
    import sqlite3

    archive = bench.export(bench.years)
    bench.fresh()
    peak = bench.measure(bench.historical(archive))[1]
    database = next((bench.out / "data").rglob("*.sqlite"))
    with sqlite3.connect(database) as connection:
        samples = connection.execute("SELECT sum(count) FROM sample_page").fetchone()[0]
    allowed = 64 + 20 * samples / 1e6
    bench.row("historical, peak memory", f"{samples} samples", f"{peak:.0f} MB", f"≤ {allowed:.0f} MB", peak <= allowed)


def growth(bench):
    walls = {}
    for years in (1, 2, 4, 8):
        archive = bench.export(years)
        walls[years] = statistics.median(bench.measure(bench.historical(archive), bench.fresh)[0] for _ in range(bench.runs))
    factor = (walls[8] - walls[4]) / (walls[4] - walls[2]) / 2
    seen = ", ".join(f"{y}: {w:.2f} s" for y, w in walls.items())
    bench.row("historical, growth with 1, 2, 4, 8 years", seen, f"{factor:.2f}", "≤ 1.10", factor <= 1.10)


PARTS = {"scan": scan, "peers": peers, "unchanged": unchanged, "scattered": scattered, "memory": memory, "growth": growth, "server": server,
         "layering": layering, "postgres": postgres, "pages": pages, "users": users, "mixed": mixed, "repeats": repeats,
         "digests": digests, "flood": flood}


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("healthsync", type=pathlib.Path)
    arguments.add_argument("--out", type=pathlib.Path, default=pathlib.Path("bench-output"))
    arguments.add_argument("--years", type=int, default=10)
    arguments.add_argument("--runs", type=int, default=5)
    arguments.add_argument("--stored", default="1,10,20,50", help="millions of stored samples at which users are measured")
    arguments.add_argument("--mixed-stored", type=float, default=20, help="millions of stored samples under mixed load")
    arguments.add_argument("--mixed-seconds", type=float, default=300)
    arguments.add_argument("--only", nargs="*", choices=sorted(PARTS), default=list(PARTS))
    bench_options = arguments.parse_args()
    bench = Bench(bench_options)
    for name in bench_options.only:
        PARTS[name](bench)
    write_json(bench)
    write_svg(bench)
    sys.exit(1 if bench.failed else 0)


if __name__ == "__main__":
    main()
