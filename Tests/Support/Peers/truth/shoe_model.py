"""The reference model of automatic sessions and of assigned hours, written as simply as possible.

A wearing is (shoe, start, end) with instants in milliseconds; end is None while worn.
"""

import datetime

from shoe_pages import samples
from truth_rules import union

FOREVER = 1 << 62


def cut(wearings, start, end):
    """Returns `wearings` without the time from `start` to `end`."""
    left = []
    for shoe, low, high in wearings:
        if low < start:
            left.append((shoe, low, min(high, start)))
        if high > end:
            left.append((shoe, max(low, end), high))
    return sorted((piece for piece in left if piece[1] < piece[2]), key=lambda piece: piece[1])


def assign(wearings, shoe, start, end):
    return sorted(cut(wearings, start, end) + [(shoe, start, end)], key=lambda piece: piece[1])


def joined(wearings):
    """Returns the time in which each shoe was worn, with adjacent wearings joined."""
    return {
        shoe: union([(low, high) for owner, low, high in wearings if owner == shoe]) for shoe in {w[0] for w in wearings}
    }


def step_intervals(connection, now):
    """Returns the intervals with steps until `now`."""
    return union([(start, min(end, now)) for _, start, end, value in samples(connection, "steps") if value > 0 and start < now])


def automatic_sessions(stretches, clock, days, shoe, inactivity, now):
    """Returns the automatic sessions of a default shoe on days without entries of the user."""
    wearings = []
    for day in days:
        start, end = clock.start(day) * 1000, clock.start(day + datetime.timedelta(1)) * 1000
        if any(start <= low < end for _, low, _ in wearings):
            continue
        begin = max([start] + [high or FOREVER for _, low, high in wearings if low < start])
        first = next((max(low, begin) for low, high in stretches if high > begin), None)
        if first is None or first >= end:
            continue
        last = None
        for low, high in stretches:
            if high <= first:
                continue
            if last is not None and low - last >= inactivity:
                break
            last = high
        wearings.append((shoe, first, last if now - last >= inactivity else None))
    return wearings
