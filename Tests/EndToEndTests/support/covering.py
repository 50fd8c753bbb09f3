"""A selection of pages and looks, and of other combinations, because all of them take longer than a check may.

With many seeds (`make soak`) everything is selected. Otherwise a part of the pages is, each in one look. Which ones depends on
the state and on the commit: in twelve rotations each page is selected in each look. HEALTHSYNC_ROTATION repeats a rotation.
"""

import os
import subprocess
import sys
import zlib

from support.harness import ROOT
from support.seeds import IS_MANY

ROTATIONS = 12


def rotation():
    """Returns the rotation of this commit."""
    if chosen := os.environ.get("HEALTHSYNC_ROTATION"):
        return int(chosen)
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True).stdout.strip()
    return int(head or "0", 16) % ROTATIONS


ROTATION = rotation()
print(f"HEALTHSYNC_ROTATION={ROTATION}", file=sys.stderr)


def is_selected(case, part):
    """Returns whether a case is in this part of all, which depends on the commit; with many seeds, every case is."""
    return IS_MANY or (zlib.crc32(case.encode()) + ROTATION) % part == 0


def covering(state, pages, looks, part):
    """Returns the selected pages of a state, one of `part`, and the looks of each."""
    if IS_MANY:
        return [(page, looks) for page in pages]
    places = [(page, index + zlib.crc32(state.encode()) + ROTATION) for index, page in enumerate(pages)]
    return [(page, [looks[place // part % len(looks)]]) for page, place in places if place % part == 0]
