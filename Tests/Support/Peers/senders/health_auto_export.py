"""Health Auto Export (iOS), automations of the type REST API, export version 2.

Sources: help.healthyapps.dev (REST API, export format), the wiki of Lybron/health-auto-export. The app sends each automation
in its own request, with a window that begins at midnight of the previous day (period Default), so most data arrive several
times. Aggregation Default: seconds for heart rate, minutes for other metrics. Nothing has an identifier.
"""

import collections
import json
import random
import uuid

from senders.neutral import DAY, HOUR, MINUTE, Request, local

STAGES = {"core": "Core", "deep": "Deep", "rem": "REM", "awake": "Awake", "asleep": "Asleep", "in_bed": "In Bed"}
# Units follow the settings of the phone.
UNITS = {"steps": ("step_count", "count", 1), "distance": ("walking_running_distance", "km", 0.001),
         "energy": ("active_energy", "kcal", 1)}
OTHER_UNITS = {"distance": ("walking_running_distance", "mi", 1 / 1609.344), "energy": ("active_energy", "kJ", 4.184)}


class HealthAutoExport:
    def __init__(self, sources, zone, path="/api/data", seed=0, kilojoules=False, twelve_hours=None):
        self.sources, self.zone, self.path = sources, zone, path
        self.chance, self.twelve_hours = random.Random(seed), twelve_hours
        self.units = {**UNITS, **(OTHER_UNITS if kilojoules else {})}
        self.automation = str(uuid.UUID(int=self.chance.getrandbits(128), version=4))

    def requests(self, samples, days, midnight):
        """Returns the requests of two runs a day and one on the day after. `midnight` returns the start of a day."""
        ends = [midnight(day) + hour * HOUR for day in days for hour in (9, 21)] + [midnight(days[-1]) + DAY + 9 * HOUR]
        requests = []
        for now in ends:
            start = (now - midnight(days[0])) // DAY * DAY + midnight(days[0]) - DAY
            own = [sample for sample in samples if start <= sample.start and sample.end <= now]
            requests += [self.post({"metrics": self.metrics(own)}), self.post({"workouts": self.workouts(own)})]
        return requests

    def post(self, data, name="Health"):
        """Returns a request with members in an order that differs each time."""
        headers = {"Content-Type": "application/json", "automation-name": name, "automation-id": self.automation,
                   "automation-aggregation": "default", "automation-period": "default",
                   "session-id": str(uuid.UUID(int=self.chance.getrandbits(128), version=4)),
                   "User-Agent": "HealthAutoExport/9 CFNetwork/1568.300.101 Darwin/24.2.0"}
        return Request("POST", self.path, headers, json.dumps({"data": self.shuffled(data)}, ensure_ascii=False).encode())

    def shuffled(self, value):
        if isinstance(value, list):
            return [self.shuffled(each) for each in value]
        if not isinstance(value, dict):
            return value
        members = list(value.items())
        self.chance.shuffle(members)
        return {name: self.shuffled(member) for name, member in members}

    def date(self, at):
        """Returns a date; on a phone with a 12-hour clock with U+202F before PM, or with a space and lower case."""
        if self.twelve_hours is None:
            return local(at, self.zone)
        text = local(at, self.zone, "%Y-%m-%d %-I:%M:%S|%p %z")
        return text.replace("|", "\u202f") if self.twelve_hours == "upper" else text.lower().replace("|", " ")

    def metrics(self, samples):
        found = [self.minutes(kind, samples) for kind in self.units]
        found += [self.rates(samples), self.resting(samples), self.sleep(samples)]
        return [metric for metric in found if metric["data"]]

    def minutes(self, kind, samples):
        """Sums by minute, as HealthKit merges them: the phone counts only in minutes without the watch."""
        own = [sample for sample in samples if sample.kind == kind]
        watched = {sample.start // MINUTE for sample in own if sample.source == self.sources.watch}
        total, names = collections.Counter(), collections.defaultdict(set)
        for sample in own:
            minute = sample.start // MINUTE
            names[minute].add(sample.source)
            if sample.source == self.sources.watch or minute not in watched:
                total[minute] += sample.value
        name, unit, factor = self.units[kind]
        return {"name": name, "units": unit, "data": [
            {"date": self.date(minute * MINUTE), "qty": quantity * factor, "source": "|".join(sorted(names[minute]))}
            for minute, quantity in sorted(total.items())]}

    def rates(self, samples):
        return {"name": "heart_rate", "units": "bpm", "data": [
            {"date": self.date(sample.start), "Min": sample.value, "Avg": sample.value, "Max": sample.value,
             "source": sample.source} for sample in samples if sample.kind == "heartRate"]}

    def resting(self, samples):
        return {"name": "resting_heart_rate", "units": "count/min", "data": [
            {"date": self.date(sample.start), "qty": sample.value, "source": sample.source}
            for sample in samples if sample.kind == "restingHeartRate"]}

    def sleep(self, samples):
        return {"name": "sleep_analysis", "units": "hr", "data": [
            {"startDate": self.date(sample.start), "endDate": self.date(sample.end), "qty": (sample.end - sample.start) / HOUR,
             "source": sample.source, "value": STAGES[sample.value]} for sample in samples if sample.kind == "sleep"]}

    def nights(self, samples, older=False):
        """Returns aggregated sleep: one entry for each night, sums in hours. `date` is the day of the end. The older form has
        no stages."""
        sessions = collections.defaultdict(list)
        for sample in samples:
            if sample.kind == "sleep":
                sessions[sample.record].append(sample)
        entries = []
        for session in sessions.values():
            start, end = min(one.start for one in session), max(one.end for one in session)
            hours = {stage: sum(one.end - one.start for one in session if one.value == stage) / HOUR
                     for stage in ("asleep", "awake", "core", "deep", "rem")}
            asleep = sum(hours[stage] for stage in hours if stage != "awake")
            own = {"date": local(end, self.zone)[:10] + " 00:00:00" + local(end, self.zone)[19:],
                   "sleepStart": self.date(start), "sleepEnd": self.date(end), "inBedStart": self.date(start),
                   "inBedEnd": self.date(end)}
            if older:
                entries.append({**own, "asleep": asleep, "inBed": (end - start) / HOUR, "sleepSource": session[0].source,
                                "inBedSource": session[0].source})
            else:
                entries.append({**own, **hours, "totalSleep": asleep, "inBed": 0, "source": session[0].source})
        return {"name": "sleep_analysis", "units": "hr", "data": entries}

    def workouts(self, samples):
        """Returns one walk with its route, as version 2 writes it."""
        walks = [sample for sample in samples if sample.kind == "distance"][:1]
        return [{"id": walk.uuid.upper(), "name": "Outdoor Walk", "start": self.date(walk.start), "end": self.date(walk.end),
                 "duration": (walk.end - walk.start) / 1000, "isIndoor": False,
                 "distance": {"qty": walk.value / 1000, "units": "km"},
                 "activeEnergyBurned": {"qty": 12.5, "units": "kJ"},
                 "stepCount": [{"date": self.date(walk.start), "qty": 40, "units": "count", "source": walk.source}],
                 "heartRateData": [{"date": self.date(walk.start), "Min": 90, "Avg": 95, "Max": 99, "units": "bpm"}],
                 "route": [{"latitude": 48.85 + number / 1e5, "longitude": 2.35, "altitude": 35.5, "speed": 1.4,
                            "timestamp": self.date(walk.start + number * 1000)} for number in range(20)]} for walk in walks]

    def csv(self, samples):
        """Returns the same metrics as CSV, which the app sends as multipart/form-data."""
        rows = ["Date/Time,Step Count (count)"]
        rows += [f"{entry['date'][:19]},{entry['qty']}" for entry in self.minutes("steps", samples)["data"]]
        boundary = "Boundary-" + str(uuid.UUID(int=self.chance.getrandbits(128), version=4)).upper()
        body = (f"--{boundary}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"HealthMetrics.csv\"\r\n"
                "Content-Type: text/csv\r\n\r\n" + "\n".join(rows) + f"\n\r\n--{boundary}--\r\n")
        request = self.post({})
        return Request("POST", self.path, {**request.headers, "Content-Type": f"multipart/form-data; boundary={boundary}"},
                       body.encode())
