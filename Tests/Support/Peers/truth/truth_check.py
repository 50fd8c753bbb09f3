#!/usr/bin/env python3
"""Compares an export of `healthsync generate` with its truth file.

Written only from the definitions (days, step merge, sleep sessions), with expat and zoneinfo, so that it shares
neither code nor mistakes with the program.

    truth_check.py EXPORT(.zip|.xml) TRUTH.json     prints the errors, exits with 1 if a limit is exceeded

Other checkers can use `truth_days(truth)` and `compare_days(truth, found)` to compare their own `DayFigures` of each day,
for example those of a database, with the truth.
"""

import argparse
import datetime
import json
import sys

from truth_records import STEPS, read_export
from truth_rules import Clock, DayFigures, figures_of_export


def truth_days(truth):
    """Returns the `DayFigures` of truth.json by day; times in seconds since 1970, durations in seconds."""
    def session(stated):
        if stated is None:
            return None
        seconds = lambda minutes: round(minutes * 60)
        return {
            "source": stated["source"], "start": int(datetime.datetime.fromisoformat(stated["start"]).timestamp()),
            "end": int(datetime.datetime.fromisoformat(stated["end"]).timestamp()),
            "stages": {name: seconds(value) for name, value in stated["stageMinutes"].items()},
            "totalSleep": seconds(stated["totalSleepMinutes"]), "timeInBed": seconds(stated["timeInBedMinutes"]),
            "awake": seconds(stated["awakeMinutes"]), "efficiency": stated["efficiency"]}

    days = {}
    for stated in truth["days"]:
        days[datetime.date.fromisoformat(stated["day"])] = DayFigures(
            stated["steps"], stated["walkingDistance"], stated.get("activeEnergy"), stated.get("exerciseMinutes"),
            stated.get("restingHeartRate"), stated.get("heartRate"), session(stated["sleep"].get("main")),
            [session(nap) for nap in stated["sleep"]["naps"]])
    return days


def compare_days(truth, found):
    """Returns a line for each exceeded limit: steps and distance must be within 1 % on average and within 5 % on 99 % of days,
    all other figures exact."""
    problems = []
    for name in ("steps", "walkingDistance"):
        errors = [abs((getattr(found[day], name) or 0) / getattr(truth[day], name) - 1) for day in sorted(truth)]
        mean, close = sum(errors) / len(errors), sum(e <= 0.05 for e in errors) / len(errors)
        print(f"{name}: mean error {mean:.3%}, within 5 % on {close:.2%} of {len(errors)} days")
        if mean > 0.01 or close < 0.99:
            problems.append(f"{name}: too far from the truth")
    for day in sorted(truth):
        one, other = truth[day], found.get(day, DayFigures())
        for name, bound in (("activeEnergy", 0.01), ("exerciseMinutes", 0.001), ("restingHeartRate", 0)):
            mine, theirs = getattr(one, name), getattr(other, name)
            if (mine is None) != (theirs is None) or (mine is not None and abs(mine - theirs) > bound):
                problems.append(f"{day} {name}: expected {mine}, found {theirs}")
        problems += compare_rates(day, one.heartRate, other.heartRate)
        problems += compare_sleep(day, "main sleep", [one.main], [other.main])
        problems += compare_sleep(day, "naps", one.naps, sorted(other.naps, key=lambda nap: nap["start"]))
    return problems


def compare_rates(day, one, other):
    if one is None or other is None:
        return [] if one is other else [f"{day} heart rate: expected {one}, found {other}"]
    wrong = [name for name in ("min", "mean", "max", "count") if abs(one[name] - other[name]) > 1e-6]
    return [f"{day} heart rate {name}: expected {one[name]}, found {other[name]}" for name in wrong]


def compare_sleep(day, what, stated, found):
    if len(stated) != len(found):
        return [f"{day} {what}: expected {len(stated)}, found {len(found)}"]
    problems = []
    for one, other in zip(stated, found):
        if one is None or other is None:
            if one is not other:
                problems.append(f"{day} {what}: expected {one}, found {other}")
            continue
        for name in one:
            same = abs(one[name] - other[name]) < 1e-9 if name == "efficiency" else one[name] == other[name]
            if not same:
                problems.append(f"{day} {what} {name}: expected {one[name]}, found {other[name]}")
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("export")
    parser.add_argument("truth")
    arguments = parser.parse_args()
    with open(arguments.truth, encoding="utf-8") as stream:
        truth = json.load(stream)
    days = truth_days(truth)
    clock = Clock(truth["homeZone"], truth["timeZones"], min(days), max(days))
    reader = read_export(arguments.export)
    problems = compare_days(days, figures_of_export(reader.samples, clock))
    stated = {(row["type"], row["source"]): row["count"] for row in truth["records"]}
    if stated != dict(reader.counts):
        problems.append(f"record counts differ: {set(stated.items()) ^ set(reader.counts.items())}")
    summed = sum(float(s.value) for s in reader.samples if s.type == STEPS)
    print(f"records: {sum(stated.values())}; the plain sum of all steps is {summed / sum(d.steps for d in days.values()):.2f} "
          "times the truth")
    for problem in problems[:20]:
        print(problem)
    print(f"{len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
