"""Compares the local database with the true figures of a generated export.

    truth_database.py healthsync.sqlite truth.json

Steps, distance, energy and exercise: mean absolute error at most 1 %, at most 5 % on 99 % of days. Sleep: boundaries, minutes of
each stage, total, time in bed and efficiency exactly, including naps. Heart rate: count, minimum and maximum of each day; its
mean over time is tested separately (reading/test_heart_rate.py). Prints a line for each figure and exits with 1 if one exceeds
its limit. Reads the database with the sqlite3 module, independently of how the figures were derived.
"""

import collections
import datetime
import json
import sqlite3
import sys


def milliseconds(text):
    return round(datetime.datetime.fromisoformat(text).timestamp() * 1000)


def check_sums(connection, truth, metric, member, problems):
    rows = dict(connection.execute("SELECT day, quantity FROM daily_progress WHERE metric = ?", (metric,)))
    wanted = {day["day"]: day[member] for day in truth["days"] if member in day}
    errors = [abs(rows.get(day, 0) - value) / value for day, value in wanted.items() if value > 0]
    mean = sum(errors) / len(errors)
    within = sum(error <= 0.05 for error in errors) / len(errors)
    print(f"{metric}: {len(wanted)} days, mean absolute error {mean * 100:.3f} %, {within * 100:.2f} % of days within 5 %")
    if mean > 0.01 or within < 0.99:
        problems.append(f"{metric}: mean error {mean}, within {within}")


def check_heart_rate(connection, truth, problems):
    rows = {
        day: (count, minimum, maximum)
        for day, count, minimum, maximum in connection.execute(
            "SELECT day, count, minimum, maximum FROM daily_progress WHERE metric = 'heartRate'"
        )
    }
    wrong = []
    wanted = {day["day"]: day["heartRate"] for day in truth["days"] if "heartRate" in day}
    for day, heart in wanted.items():
        if rows.get(day) != (heart["count"], heart["min"], heart["max"]):
            wrong.append(day)
    print(f"heartRate: {len(wanted)} days, {len(wrong)} wrong {wrong[:5]}")
    problems.extend(f"heartRate {day}" for day in wrong)


def check_sleep(connection, truth, problems):
    found = collections.defaultdict(list)
    query = """SELECT day, role, start_ms, end_ms, in_bed_ms, asleep_ms, awake_ms, core_ms, deep_ms, rem_ms,
        unspecified_ms FROM sleep_episode"""
    for day, role, *figures in connection.execute(query):
        found[day, role].append(tuple(figures))
    wanted = collections.defaultdict(list)
    for day in truth["days"]:
        sleep = day.get("sleep", {})
        for role, sessions in (("main", [sleep.get("main")]), ("nap", sleep.get("naps", []))):
            for session in filter(None, sessions):
                minutes = session["stageMinutes"]
                wanted[day["day"], role].append(
                    (milliseconds(session["start"]), milliseconds(session["end"]))
                    + tuple(
                        round(value * 60000)
                        for value in (
                            session["timeInBedMinutes"],
                            session["totalSleepMinutes"],
                            session["awakeMinutes"],
                            *(minutes.get(name, 0) for name in ("core", "deep", "rem", "asleep")),
                        )
                    )
                )
    first, last = truth["days"][0]["day"], truth["days"][-1]["day"]
    keys = {key for key in found if first <= key[0] <= last} | set(wanted)
    wrong = sorted(key for key in keys if sorted(found.get(key, [])) != sorted(wanted.get(key, [])))
    print(f"sleep: {sum(map(len, wanted.values()))} sessions, {len(wrong)} days wrong")
    for key in wrong[:5]:
        print("  ", key, "found", found.get(key), "true", wanted.get(key))
    problems.extend(f"sleep {key}" for key in wrong)


def main():
    database, truth_path = sys.argv[1:]
    with open(truth_path, encoding="utf-8") as file:
        truth = json.load(file)
    problems = []
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
        for metric, member in (
            ("steps", "steps"),
            ("walkingDistance", "walkingDistance"),
            ("activeEnergy", "activeEnergy"),
            ("exerciseMinutes", "exerciseMinutes"),
            ("restingHeartRate", "restingHeartRate"),
        ):
            check_sums(connection, truth, metric, member, problems)
        check_heart_rate(connection, truth, problems)
        check_sleep(connection, truth, problems)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
