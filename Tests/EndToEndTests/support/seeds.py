"""The number of random cases, kills and rounds of a test: HEALTHSYNC_SEEDS=few|some|many. docs/development.md has the tiers."""

import os

AMOUNTS = ("few", "some", "many")
AMOUNT = os.environ.get("HEALTHSYNC_SEEDS", "few")
if AMOUNT not in AMOUNTS:
    raise SystemExit(f'HEALTHSYNC_SEEDS: unknown amount "{AMOUNT}"; use few, some or many')
IS_MANY = AMOUNT == "many"
# Of generated exports whose every figure is compared. The debug program, which few seeds are for, reads a tenth of the samples.
DENSITY = "0.1" if AMOUNT == "few" else "1"


def seeds(few, some, many):
    """Returns the number for this run."""
    return (few, some, many)[AMOUNTS.index(AMOUNT)]
