"""The program under kills, power loss, faults of disk and network. docs/reliability.md describes what is proved.

`make check` runs a fixed sample of each; `make torture` (HEALTHSYNC_SEEDS=many) runs all, in parts: TORTURE_SLICE=2/3
is the second of three slices of the scenarios."""

import os
import sys

from support.harness import PEERS
from support.seeds import IS_MANY, seeds

sys.path[:0] = [str(PEERS), str(PEERS / "faults")]

# Programs at a time.
WORKERS = os.cpu_count() or 1


def in_slice(scenarios):
    """Returns the scenarios of this slice; with few seeds, a quarter of them."""
    number, count = map(int, os.environ.get("TORTURE_SLICE", "1/1").split("/"))
    return list(scenarios)[number - 1::count * seeds(4, 1, 1)]


def sample(values, count, most=None):
    """Returns all values, or `most`, with many seeds, else `count` of them that are spread evenly from the first to the last."""
    values = list(values)
    count = most or len(values) if IS_MANY else count
    if len(values) <= count:
        return values
    return [values[index * (len(values) - 1) // (count - 1)] for index in range(count)]


def report(line):
    """Prints a figure of the run."""
    print(f"torture: {line}", file=sys.stderr, flush=True)
