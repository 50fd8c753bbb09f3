"""Recomputes the journal of shoes from the database and compares it with the output of the program.

    check_journal.py healthsync.sqlite zones.json journals.json shoes.json

`zones.json` is a configuration with `zone` and `timeZones`, `journals.json` a list of `journal DAY --json`, and
`shoes.json` is `shoes list --json`. Steps and walking distance are merged again from the pages and divided among the
rows of `shoe_session`. Hours, days and sessions must equal the stored ones; parts of hours may differ by the one step
that rounding moves. Prints what it compared, and exits with 1 after a difference. Shares no code with the program.
"""

import bisect
import collections
import datetime
import json
import sqlite3
import sys

from shoe_pages import samples
from truth_rules import Clock, subtract, union

HOUR = 3_600_000
MEMBERS = {"steps": "steps", "walkingDistance": "walkingDistanceKilometres"}


def milliseconds(text):
    moment = datetime.datetime.fromisoformat(text)
    return int(moment.timestamp()) * 1000 + moment.microsecond // 1000


def pieces(found):
    """Returns the parts of samples that count, as (start, end, amount): those that no recorder of a better rank covers. A
    sample without a length is a millisecond long."""
    covered, by_rank, counted = [], collections.defaultdict(list), []
    for rank, start, end, value in found:
        by_rank[rank].append((start, max(end, start + 1), value))
    for rank in sorted(by_rank):
        for start, end, value in sorted(set(by_rank[rank])):
            for low, high in subtract((start, end), covered):
                counted.append((low, high, value * (high - low) / (end - start)))
        covered = union(covered + [(start, end) for start, end, _ in by_rank[rank]])
    return sorted(counted)


class Pieces:
    """Sums over intervals of time."""

    def __init__(self, found):
        self.all = pieces(found)
        self.starts = [piece[0] for piece in self.all]
        self.longest = max((end - start for start, end, _ in self.all), default=0)

    def sum(self, start, end):
        total, place = 0.0, bisect.bisect_left(self.starts, start - self.longest)
        for low, high, amount in self.all[place:bisect.bisect_left(self.starts, end)]:
            shared = min(high, end) - max(low, start)
            if shared > 0:
                total += amount * shared / (high - low)
        return total


class Checker:
    def __init__(self, connection, zones, days):
        self.connection, self.problems, self.seen = connection, [], collections.Counter()
        first, last = (datetime.date.fromisoformat(day) for day in (min(days), max(days)))
        self.clock = Clock(zones["zone"], zones["timeZones"], first, last)
        self.walked = {metric: Pieces(samples(connection, metric)) for metric in MEMBERS}
        self.sessions = connection.execute(
            "SELECT shoe_id, start_ms, end_ms FROM shoe_session ORDER BY start_ms"
        ).fetchall()
        self.sums = collections.defaultdict(lambda: collections.Counter())

    def expect(self, holds, *what):
        if not holds:
            self.problems.append(what)

    def hours(self, day):
        """Returns the hours of a day as (name, start, end): the local hour, with a letter if it occurs twice. The last one may be
        shorter, after a journey to a zone with another half hour."""
        start, end = self.clock.start(day), self.clock.start(day + datetime.timedelta(1))
        zone = self.clock.zone(day)
        names = [str(datetime.datetime.fromtimestamp(at, zone).hour) for at in range(start, end, 3600)]
        for name in {name for name in names if names.count(name) > 1}:
            for letter in "ab":
                names[names.index(name)] = name + letter
        return [
            (name, (start + n * 3600) * 1000, min(start + (n + 1) * 3600, end) * 1000) for n, name in enumerate(names)]

    def worn(self, start, end):
        return [
            (shoe, max(low, start), min(high, end)) for shoe, low, high in self.sessions if low < end and high > start
        ]

    def check(self, journal):
        day = journal["day"]
        date = datetime.date.fromisoformat(day)
        buckets = self.hours(date)
        self.expect([hour["hour"] for hour in journal["hours"]] == [name for name, *_ in buckets], day, "names of hours")
        parts = collections.defaultdict(collections.Counter)
        for hour, (_, start, end) in zip(journal["hours"], buckets):
            self.expect((milliseconds(hour["start"]), milliseconds(hour["end"])) == (start, end), day, hour["hour"])
            self.hour(day, hour, start, end)
            for part in hour["wearings"]:
                for member in MEMBERS.values():
                    parts[part["shoe"]][member] += part[member] or 0
        self.day(journal, buckets[0][1], buckets[-1][2], parts)

    def hour(self, day, hour, start, end):
        expected = self.worn(start, end)
        stated = [(part["shoe"], milliseconds(part["start"]), milliseconds(part["end"])) for part in hour["wearings"]]
        self.expect(stated == expected, day, hour["hour"], "worn", stated, expected)
        self.seen["partial hours"] += any(high - low < end - start for _, low, high in expected)
        for metric, member in MEMBERS.items():
            stored = self.connection.execute(
                "SELECT quantity FROM hour_progress WHERE metric = ? AND day = ? AND start_ms = ?", (metric, day, start)
            ).fetchone()
            self.expect(hour[member] == (stored[0] if stored else None), day, hour["hour"], member, hour[member], stored)
            margin = 2 if metric == "steps" else 1e-6
            self.expect(
                abs((hour[member] or 0) - self.walked[metric].sum(start, end)) <= margin, day, hour["hour"], member,
                hour[member], self.walked[metric].sum(start, end))
            for part, (_, low, high) in zip(hour["wearings"], expected):
                own = self.walked[metric].sum(low, high)
                self.expect(
                    abs((part[member] or 0) - own) <= margin, day, hour["hour"], member, "part", part[member], own)

    def day(self, journal, start, end, parts):
        day = journal["day"]
        uses = {use["shoe"]: use for use in journal["shoes"]}
        expected = collections.Counter()
        for shoe, low, high in self.worn(start, end):
            expected[shoe] += high - low
        self.expect(len(uses) == len(journal["shoes"]), day, "a shoe twice")
        worn = {shoe: round(use["wornMinutes"] * 60_000) for shoe, use in uses.items()}
        self.expect(worn == dict(expected), day, "time worn", worn, expected)
        for metric, member in MEMBERS.items():
            stored = self.connection.execute(
                "SELECT quantity FROM daily_progress WHERE metric = ? AND day = ?", (metric, day)
            ).fetchone()
            total = journal["total"][member]
            self.expect(total == (stored[0] if stored else None), day, member, "total", total, stored)
            attributed = sum(use[member] or 0 for use in uses.values())
            rest = journal["unattributed"][member] or 0
            exact = metric == "steps"
            self.expect(
                attributed + rest == (total or 0) if exact else abs(attributed + rest - (total or 0)) < 1e-9, day, member,
                "attributed + unattributed", attributed, rest, total)
            for shoe, use in uses.items():
                self.expect(abs((use[member] or 0) - parts[shoe][member]) < 1e-9, day, member, "hours of", shoe)
                self.sums[shoe][member] += use[member] or 0
            self.seen[member] += total or 0
            self.seen[f"unattributed {member}"] += rest
        for shoe, length in expected.items():
            self.sums[shoe]["worn"] += length

    def collection(self, shoes):
        for shoe in shoes:
            own = self.sums[shoe["id"]]
            for member in MEMBERS.values():
                self.expect(
                    abs((shoe[member] or 0) - own[member]) < 1e-6, shoe["model"], member, shoe[member], own[member])
            self.expect(round(shoe["wornMinutes"] * 60_000) == own["worn"], shoe["model"], "worn", own["worn"])
            price, distance = shoe["price"], shoe["walkingDistanceKilometres"]
            cost = price["amount"] / distance if price and distance else None
            stated = shoe["costPerKilometre"]
            self.expect(
                stated == cost or (cost and abs(stated - cost) < 1e-9), shoe["model"], "cost", stated, cost)
            print(f"{shoe['model']}: {shoe['steps']} steps, {shoe['wornMinutes'] / 60:.1f} h")


def main():
    database, zones, journals, shoes = sys.argv[1:]
    zones, journals, shoes = (json.load(open(path, encoding="utf-8")) for path in (zones, journals, shoes))
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
        checker = Checker(connection, zones, [journal["day"] for journal in journals])
        for journal in journals:
            checker.check(journal)
        checker.collection(shoes["shoes"])
        ends = [end for _, start, end in checker.sessions]
        starts = [start for _, start, _ in checker.sessions]
        checker.expect(all(end <= start for end, start in zip(ends, starts[1:])), "sessions overlap")
    print(f"{len(journals)} days, {len(checker.sessions)} sessions, {dict(checker.seen)}, {len(checker.problems)} differences")
    for problem in checker.problems[:10]:
        print("  ", *problem)
    sys.exit(1 if checker.problems else 0)


if __name__ == "__main__":
    main()
