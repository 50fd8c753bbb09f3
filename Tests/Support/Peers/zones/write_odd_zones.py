#!/usr/bin/env python3
"""Writes time zone files (TZif, RFC 9636) with rules that no zone has today.

    write_odd_zones.py FOLDER

The files are written to FOLDER/Odd; FOLDER/tzdata.zi states version 2999z. `zone_file` is also for
other tests that need their own zone.
"""

import pathlib
import struct
import sys

# Footers by name; the version is the lowest that allows the footer.
FOOTERS = {
    "Fixed": (2, "XXX5:30"),
    "Quoted": (2, "<+0330>-3:30<+0430>,J79/24,J263/24"),
    "Julian": (2, "AAA3BBB,J60/0,J300/1:30:15"),
    "Counted": (2, "AAA-3BBB,59/0,299"),
    "LastWeek": (2, "AAA-1BBB,M3.5.0,M10.5.0/3"),
    "South": (2, "AAA-10BBB,M10.1.0,M4.1.0/3"),
    "HalfHour": (2, "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0"),
    "Below": (3, "IST-1GMT0,M10.5.0,M3.5.0/1"),
    "Late": (3, "AAA3BBB,M3.4.4/50,M10.4.4/50"),
    "Early": (3, "AAA2BBB,M3.5.0/-1,M10.5.0/-1"),
    "AllYear": (3, "EST5EDT,0/0,J365/25"),
    "Version4": (4, "AAA-1BBB,M3.5.0,M10.5.0/3"),
    "Empty": (2, ""),
}


def block(size, transitions, types, leap_seconds=()):
    """Returns header counts and data of one block; `types` are (offset, is daylight saving)."""
    time = ">q" if size == 8 else ">l"
    offsets = sorted(set(types))
    names = b"AAA\0"
    counts = struct.pack(">6l", 0, 0, len(leap_seconds), len(transitions), len(offsets), len(names))
    data = b"".join(struct.pack(time, instant) for instant, _ in transitions)
    data += bytes(offsets.index(kind) for _, kind in transitions)
    data += b"".join(struct.pack(">lbb", offset, is_daylight, 0) for offset, is_daylight in offsets)
    data += names + b"".join(struct.pack(time, at) + struct.pack(">l", total) for at, total in leap_seconds)
    return counts + data


def zone_file(version, transitions, footer, first=(0, 0), leap_seconds=()):
    """Returns the bytes of a file; `transitions` are (instant, (offset, is daylight saving)). `first` applies before them; it
    must be the lowest, so that its index is 0."""
    kinds = [first, *(kind for _, kind in transitions)]
    assert min(kinds) == first
    mark = b"TZif" + (b"\0" if version == 1 else str(version).encode()) + bytes(15)
    if version == 1:
        return mark + block(4, transitions, kinds, leap_seconds)
    return mark + block(4, [], [first]) + mark + block(8, transitions, kinds, leap_seconds) + (
        b"\n" + footer.encode() + b"\n")


def main():
    folder = pathlib.Path(sys.argv[1])
    (folder / "Odd").mkdir(parents=True, exist_ok=True)
    (folder / "tzdata.zi").write_text("# version 2999z\n# synthetic\n")
    for name, (version, footer) in FOOTERS.items():
        (folder / "Odd" / name).write_bytes(zone_file(version, [], footer))
    changes = [(0, (3600, 0)), (500_000_000, (7200, 1)), (510_000_000, (3600, 0)), (1_500_000_000, (-12_600 + 20_000, 0))]
    (folder / "Odd" / "Version1").write_bytes(zone_file(1, changes, ""))
    (folder / "Odd" / "NoFooter").write_bytes(zone_file(2, changes, ""))
    # The footer applies from the last transition on.
    (folder / "Odd" / "Both").write_bytes(
        zone_file(3, changes[:3] + [(1_000_000_000, (7200, 1))], "AAA-1BBB,M3.5.0/26,M10.5.0/3"))


if __name__ == "__main__":
    main()
