"""Measures the response time and the size of each page with ten years of data, over one persistent connection.

Addresses are found by following the links on the pages. Those that differ only in a day, a name or a position in a list are of
one kind; some of each kind, from all of the ten years, are requested."""

import collections
import html
import http.client
import math
import random
import re
import shutil
import statistics
import subprocess
import time
import urllib.parse

import years_of_shoes

ZONE = "Europe/Paris"
OF_A_KIND = 25
MAXIMUM_MILLISECONDS = 25
MAXIMUM_BYTES = 200_000
# Values that determine the kind of a page, as in `by=month` and `last=30d`; other values select its data.
DIVISION = re.compile(r"[0-9]{0,2}[a-z]{1,5}")


class Asked:
    """Requests pages of a server over one connection."""

    def __init__(self, port):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)

    def get(self, address):
        """Returns the body and the milliseconds until it was complete."""
        begin = time.perf_counter()
        self.connection.request("GET", address)
        answer = self.connection.getresponse()
        body = answer.read()
        took = 1000 * (time.perf_counter() - begin)
        if answer.status != 200:
            raise RuntimeError(f"{address}: {answer.status}")
        return body, took


def kind(address):
    path, _, query = address.partition("?")
    words = [f"{name}={value if DIVISION.fullmatch(value) else '…'}" for name, value in urllib.parse.parse_qsl(query)]
    return path + ("?" + "&".join(words) if words else "")


def addresses(asked):
    """Returns addresses by kind, found by a random walk, so that they cover all years, and the longest first view."""
    chance, found, seen = random.Random(3), collections.defaultdict(list), {"/"}
    longest = (0, "/")
    waiting = ["/"]
    while waiting:
        address = waiting.pop(chance.randrange(len(waiting)))
        if len(found[kind(address)]) == OF_A_KIND:
            continue
        found[kind(address)].append(address)
        body, took = asked.get(address)
        longest = max(longest, (took, address))
        links = [html.unescape(link) for link in re.findall(r'href="(/[^"#]*)', body.decode())]
        for link in links:
            if link not in seen and not link.startswith("/assets/"):
                seen.add(link)
                waiting.append(link)
    return found, longest


def measure(bench, name, words):
    process = subprocess.Popen([bench.binary, *words, "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                               text=True, env=bench.environment)
    try:
        asked = Asked(int(process.stdout.readline().rsplit(":", 1)[1]))
        found, longest = addresses(asked)
        for page, known in sorted(found.items()):
            # The answers for these addresses may have been dropped since: this is a first view, too.
            longest = max([longest, *((asked.get(address)[1], address) for address in known)])
            seen = [asked.get(address) for _ in range(bench.runs) for address in known]
            times = sorted(elapsed for _, elapsed in seen)
            median, late = statistics.median(times), times[math.ceil(len(times) * 0.95) - 1]
            size = max(len(body) for body, _ in seen)
            bench.row(
                f"{name} {page}", f"{len(known)} addresses, {median:.1f} ms, 95 % within", f"{late:.1f} ms",
                f"≤ {MAXIMUM_MILLISECONDS} ms", late <= MAXIMUM_MILLISECONDS)
            if size > MAXIMUM_BYTES:
                bench.row(f"{name} {page}", "size", f"{size / 1000:.0f} kB", f"≤ {MAXIMUM_BYTES // 1000} kB", False)
            bench.largest = max(getattr(bench, "largest", 0), size)
        # What a page costs after new data.
        bench.row(f"{name} {kind(longest[1])}", "the longest first view", f"{longest[0]:.1f} ms", "", True)
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()


def pages(bench):
    """Measures every page of a local store with ten years of data and shoes, and of the server that received the data."""
    home, served = bench.out / "pages-home", bench.out / "pages-served"
    for folder in (home, served):
        shutil.rmtree(folder, ignore_errors=True)
    serving = ["serve", "--data-dir", str(served), "--zone", ZONE]
    common = ["--data-dir", str(home), "--zone", ZONE]
    receiver = subprocess.Popen([bench.binary, *serving, "--port", "0"], stdout=subprocess.PIPE,
                                stderr=subprocess.DEVNULL, text=True, env=bench.environment)
    try:
        url = receiver.stdout.readline().split()[2]
        historical = [bench.binary, "historical", "--quiet", *common]
        bench.measure([*historical, "--server", url, "--source", str(bench.export(bench.years))])
        sessions = years_of_shoes.wear(bench.binary, common, home / "healthsync.sqlite", ZONE, bench.environment)
        bench.measure(historical)
    finally:
        receiver.terminate()
        receiver.wait()
        receiver.stdout.close()
    listing = [bench.binary, "shoes", "list", *common]
    wall = 1000 * statistics.median(bench.measure(listing)[0] for _ in range(2 * bench.runs))
    bench.row("shoes list", f"{sessions:,} sessions", f"{wall:.0f} ms", "< 100 ms", wall < 100)
    measure(bench, "dashboard", ["dashboard", *common])
    measure(bench, "serve", serving)
    print(f"the largest page has {bench.largest / 1000:.0f} kB", flush=True)
