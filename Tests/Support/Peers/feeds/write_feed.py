"""Writes folders of Health Auto Export files in every form of the app, and next to each the expected samples.

Usage: write_feed.py FOLDER SEED. Writes FOLDER/NN/*.json and FOLDER/NN.truth, a JSON array of the samples in FOLDER/NN:
type, start and length in milliseconds, value in canonical units, whether it is a bucket, the name of the source, and
minimum, maximum and milliseconds in the state if known.
"""
import json
import os
import random
import sys
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

ZONE = ZoneInfo("Europe/Paris")
UTC = ZoneInfo("UTC")
FEED = "Health Auto Export"
CLOCKS = ["24", "12", "12lower", "12narrow"]
STAGES = {"inBed": (0, "In Bed"), "asleep": (1, "Asleep"), "awake": (2, "Awake"), "core": (3, "Core"),
          "deep": (4, "Deep"), "rem": (5, "REM")}


def later(time, **delta):
    return (time.astimezone(UTC) + timedelta(**delta)).astimezone(ZONE)


def milliseconds(time):
    return round(time.timestamp() * 1000)


def date(time, clock):
    offset = time.strftime("%z")
    if clock == "24":
        return time.strftime("%Y-%m-%d %H:%M:%S ") + offset
    half = "PM" if time.hour >= 12 else "AM"
    text = f"{time:%Y-%m-%d} {time.hour % 12 or 12}:{time:%M:%S}"
    if clock == "12lower":
        return f"{text} {half.lower()} {offset}"
    return f"{text}{chr(0x202F) if clock == '12narrow' else ' '}{half} {offset}"


class Case:
    def __init__(self, number, seed):
        self.chance = random.Random(f"{seed}/{number}")
        self.clock = CLOCKS[number % 4]
        self.grain = ["minute", "hour", "day"][number // 4 % 3]
        self.night = ["stretches", "older", "newer"][number % 3]
        self.states_ends = number % 5 == 0
        # Of four cases the second begins on the day on which clocks go forward, the third on the day on which they go back.
        first = [(2024, 1, 9), (2024, 3, 31), (2024, 10, 27), (2024, 7, 1)][number // 3 % 4]
        self.days = [datetime(*first, tzinfo=ZONE) + timedelta(days=index) for index in range(3)]
        self.truth = {}

    def sample(self, type_, start, end, value, bucket, source, **more):
        key = (type_, milliseconds(start), milliseconds(end), more.get("state"), source)
        more.pop("state", None)
        self.truth[key] = dict(type=type_, start=key[1], length=key[2] - key[1], value=value, bucket=bucket,
                               source=source, **more)

    def shuffled(self, entry):
        items = list(entry.items())
        self.chance.shuffle(items)
        return dict(items)

    def source(self):
        return self.chance.choice([{}, {"source": ""}, {"source": "iPhone"}, {"source": "Anna’s Apple Watch|iPhone"},
                                   {"source": "iPhone|iPhone"}])

    def buckets(self, day):
        if self.grain == "day":
            return [(day, day + timedelta(days=1))]
        length = {"minutes": 1} if self.grain == "minute" else {"hours": 1}
        begins = sorted({later(day, minutes=self.chance.randrange(0, 22 * 60)) for _ in range(12)} | {later(day, minutes=61)})
        if self.grain == "hour":
            begins = sorted({begin.replace(minute=0) for begin in begins} | {later(day, hours=5)})
        return [(begin, later(begin, **length)) for begin in begins]

    def sums(self, name, type_, unit, factor, whole=False):
        entries = []
        for day in self.days:
            for start, end in self.buckets(day):
                figure = self.chance.randrange(1, 900) if whole else round(self.chance.uniform(0.01, 90), 4)
                entry = {"date": date(start, self.clock), "qty": figure} | self.source()
                if self.states_ends and self.grain != "day":
                    entry |= {"start": date(start, self.clock), "end": date(end, self.clock)}
                entries.append((day, entry))
                self.sample(type_, start, end, figure * factor, True, FEED)
        return name, unit, entries

    def heart_rate(self):
        entries = []
        for day in self.days:
            for start, end in self.buckets(day):
                low, mean, high = sorted(round(self.chance.uniform(40, 180), 2) for _ in range(3))
                entries.append((day, {"date": date(start, self.clock), "Min": low, "Avg": mean, "Max": high} | self.source()))
                self.sample("HeartRate", start, end, mean, True, FEED, minimum=low, maximum=high)
        return "heart_rate", self.chance.choice(["bpm", "count/min"]), entries

    def weight(self):
        entries = []
        for day in self.days:
            moment = later(day, hours=7, minutes=31, seconds=12)
            pounds = round(self.chance.uniform(120, 220), 1)
            entries.append((day, {"date": date(moment, self.clock), "qty": pounds, "source": "Scale"}))
            self.sample("BodyMass", moment, moment, pounds * 0.45359237, False, "Scale")
        return "weight_body_mass", "lb", entries

    def temperature(self):
        unit = self.chance.choice(["degF", "°F", "degC", "°C"])
        entries = []
        for day in self.days:
            moment = later(day, hours=6, minutes=2, seconds=41)
            celsius = round(self.chance.uniform(35, 41), 1)
            figure = celsius if unit.endswith("C") else celsius * 9 / 5 + 32
            entries.append((day, {"date": date(moment, self.clock), "qty": figure, "source": "Thermometer"}))
            self.sample("BodyTemperature", moment, moment, celsius, False, "Thermometer")
        return "body_temperature", unit, entries

    def oxygen(self):
        entries = []
        for day in self.days:
            moment = later(day, hours=3, minutes=1, seconds=7)
            entries.append((day, {"date": date(moment, self.clock), "qty": 97.5}))
            self.sample("OxygenSaturation", moment, moment, 0.975, False, FEED)
        return "blood_oxygen_saturation", "%", entries

    def sleep(self):
        entries = []
        for day in self.days:
            start = later(day, hours=-1, minutes=-self.chance.randrange(40), seconds=11)
            end = later(day, hours=6, minutes=self.chance.randrange(50), seconds=29)
            entries += [(day, entry) for entry in getattr(self, "night_" + self.night)(start, end)]
        return "sleep_analysis", "hr", entries

    def night_stretches(self, start, end):
        at = start
        while at < end:
            key = self.chance.choice(list(STAGES))
            until = min(end, later(at, minutes=self.chance.randrange(5, 90)))
            hours = (milliseconds(until) - milliseconds(at)) / 3_600_000
            self.sample("SleepAnalysis", at, until, STAGES[key][0], False, "Anna’s Apple Watch")
            yield {"startDate": date(at, self.clock), "endDate": date(until, self.clock), "qty": hours,
                   "source": "Anna’s Apple Watch", "value": STAGES[key][1]}
            at = until

    def night_older(self, start, end):
        bed = later(start, minutes=-20)
        yield self.night_sums({"asleep": 6.25, "inBed": 6.75}, start, end, bed, end) | {
            "sleepSource": "Sleep Cycle", "inBedSource": "Sleep Cycle"}

    def night_newer(self, start, end):
        yield self.night_sums({"asleep": 0, "awake": 0.25, "core": 3.5, "deep": 1.125, "rem": 1.5, "inBed": 0,
                               "totalSleep": 6.125}, start, end, None, None) | {"source": "Sleep Cycle"}

    def night_sums(self, figures, start, end, bed_start, bed_end):
        for key, hours in figures.items():
            if key in STAGES and hours:
                stretch = (bed_start or start, bed_end or end) if key == "inBed" else (start, end)
                self.sample("SleepAnalysis", *stretch, STAGES[key][0], True, "Sleep Cycle", state=key,
                            stateMilliseconds=round(hours * 3_600_000))
        entry = figures | {"date": date(end.replace(hour=0, minute=0, second=0), self.clock),
                           "sleepStart": date(start, self.clock), "sleepEnd": date(end, self.clock)}
        if bed_start:
            entry |= {"inBedStart": date(bed_start, self.clock), "inBedEnd": date(bed_end, self.clock)}
        return entry

    def write(self, folder):
        os.makedirs(folder)
        metrics = [self.sums("step_count", "StepCount", "count", 1, whole=True),
                   self.sums("active_energy", "ActiveEnergyBurned", "kJ", 1 / 4.184),
                   self.sums("walking_running_distance", "DistanceWalkingRunning", "mi", 1.609344),
                   self.sums("apple_exercise_time", "AppleExerciseTime", "min", 1), self.heart_rate(), self.weight(),
                   self.temperature(), self.oxygen(), self.sleep()]
        self.chance.shuffle(metrics)
        for day in self.days:
            self.write_file(f"{folder}/HealthAutoExport-{day:%Y-%m-%d}.json", metrics, day)
        stale = json.loads(json.dumps([self.metric(name, unit, entries[:2]) for name, unit, entries in metrics]))
        for metric in stale:
            for entry in metric["data"]:
                entry.update({key: entry[key] + 1 for key in ("qty", "Avg") if key in entry and "startDate" not in entry})
        self.write_json(f"{folder}/HealthAutoExport-2023-12-31.json",
                        {"data": {"metrics": [m for m in stale if m["name"] == "step_count"]}})
        self.write_json(f"{folder}/HealthAutoExport-2023-12-30.json", self.chance.choice([{}, {"data": {}}]))

    def metric(self, name, unit, entries):
        return self.shuffled({"name": name, "units": unit, "data": [self.shuffled(entry) for _, entry in entries]})

    def write_file(self, path, metrics, day):
        today = [self.metric(name, unit, [pair for pair in entries if pair[0] == day]) for name, unit, entries in metrics]
        workouts = [{"name": "Walking", "start": date(day, self.clock), "heartRateData": [{"qty": [1, {"a": "]"}]}]}]
        self.write_json(path, {"data": self.shuffled({"metrics": today, "workouts": workouts})})

    def write_json(self, path, value):
        with open(path, "w", encoding="utf-8") as file:
            json.dump(value, file, ensure_ascii=self.chance.random() < 0.5, indent=self.chance.choice([None, 2]))


def main():
    folder, seed = sys.argv[1:]
    for number in range(24):
        case = Case(number, seed)
        case.write(f"{folder}/{number:02}")
        with open(f"{folder}/{number:02}.truth", "w", encoding="utf-8") as file:
            json.dump(list(case.truth.values()), file)


main()
