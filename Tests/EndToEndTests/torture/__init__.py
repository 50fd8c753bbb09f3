"""The program under kills, power loss, faults of disk and network. docs/reliability.md describes what is proved.

`make test` runs a fixed sample of each; `make torture` (TORTURE=full) runs all. TORTURE_WORKERS is the number of programs at
a time (default: one for each core)."""

import os
import sys

from support.harness import PEERS

sys.path.insert(0, str(PEERS / "faults"))

IS_FULL = os.environ.get("TORTURE") == "full"
WORKERS = int(os.environ.get("TORTURE_WORKERS", os.cpu_count() or 1))


def sample(values, count):
    """Returns all values in a full run, else `count` of them that are spread evenly."""
    values = list(values)
    if IS_FULL or len(values) <= count:
        return values
    return [values[index * len(values) // count] for index in range(count)]


def report(line):
    """Prints a figure of the run."""
    print(f"torture: {line}", file=sys.stderr, flush=True)
