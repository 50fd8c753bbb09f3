"""Runs `healthsync watch` and reads its events and its figures. Events are awaited; nothing sleeps to synchronize."""

import datetime
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time

from support.harness import BINARY, PATIENCE, PEERS, ProgramTest

if str(PEERS) not in sys.path:
    sys.path.insert(0, str(PEERS))
from senders import http_client, oracle  # noqa: E402
from senders.http_client import authorize, compressed, send, send_with_retries  # noqa: E402, F401
from senders.neutral import APPLE  # noqa: E402

ZONE = "Europe/Paris"
MARGIN = {"steps": 1e-6, "kilometres": 1e-6, "kilocalories": 1e-6, "mean": 1e-6, "start": 1000, "end": 1000}


def eventually(check, limit=PATIENCE, pause=0.05):
    """Repeats `check` until it does not fail; then returns its result. Raises the last failure after the limit."""
    deadline = time.monotonic() + limit
    while True:
        try:
            return check()
        except (AssertionError, OSError, http_client.http.client.HTTPException):
            if time.monotonic() > deadline:
                raise
            time.sleep(pause)


class Watch:
    """One process; its standard output are events."""

    def __init__(self, test, *words, data="data", listen="127.0.0.1:0", environment=(), wait=True, under=()):
        """`under` is a command that runs the program."""
        self.test, self.events, self.errors = test, [], []
        self.changed = threading.Condition()
        options = ["--listen", listen] if listen else []
        self.process = subprocess.Popen(
            [*map(str, under), str(BINARY), "watch", *options, "--json", "--data-dir", str(test.folder / data), "--zone", ZONE,
             *map(str, words)],
            cwd=test.folder, env={**test.environment, **dict(environment)}, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
        self.readers = [threading.Thread(target=self.read, daemon=True),
                        threading.Thread(target=lambda: self.errors.extend(self.process.stderr), daemon=True)]
        for reader in self.readers:
            reader.start()
        test.addCleanup(self.kill)
        self.url = self.await_event("listening")["address"].rstrip("/") if wait and listen else None

    def read(self):
        for line in self.process.stdout:
            try:
                event = json.loads(line)
            except ValueError:
                # The last line of a killed process may be cut off; any other one is a defect.
                event = {"event": "malformed" if line.endswith("\n") else "cut off", "text": line}
            with self.changed:
                self.events.append(event)
                self.changed.notify_all()
        with self.changed:
            self.events.append({"event": "end of output"})
            self.changed.notify_all()

    def await_event(self, name, accept=lambda event: True, limit=PATIENCE, after=0):
        """Returns the first event of the name, from number `after` on."""
        deadline = time.monotonic() + limit
        with self.changed:
            while True:
                for event in self.events[after:]:
                    if event["event"] == name and accept(event):
                        return event
                ended = self.events and self.events[-1]["event"] == "end of output" and name != "end of output"
                if ended or not self.changed.wait(max(0, deadline - time.monotonic())):
                    self.test.fail(f"no event {name}\n{self.events[-20:]}\n{''.join(self.errors)[-4000:]}")

    @property
    def has_ended(self):
        with self.changed:
            return bool(self.events) and self.events[-1]["event"] == "end of output"

    def until(self, name, count=1):
        """Waits for that many events of the name or the end of the process; returns the events, or none if it ended."""
        with self.changed:
            while True:
                found = [event for event in self.events if event["event"] == name]
                if len(found) >= count:
                    return found
                if self.events and self.events[-1]["event"] == "end of output":
                    return []
                self.changed.wait()

    def send(self, request, token=None, place="bearer"):
        return send(self.url, authorize(request, token, place) if token else request)

    def accept(self, request, token=None, place="bearer"):
        """Sends a request that must be answered with 2xx; returns the answer."""
        answer = self.send(request, token, place)
        self.test.assertTrue(answer.accepted, f"{request.method} {request.path}: {answer.status} {answer.body[:400]}")
        return answer

    def terminate(self):
        """Sends SIGTERM; returns the exit status."""
        self.process.send_signal(signal.SIGTERM)
        status = self.ended()
        self.test.assertEqual([event for event in self.events if event["event"] in ("malformed", "cut off")], [])
        return status

    def ended(self):
        status = self.process.wait(timeout=PATIENCE)
        for reader in self.readers:
            reader.join(PATIENCE)
        return status

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
            self.ended()
        self.process.stdout.close()
        self.process.stderr.close()


class InboxTest(ProgramTest):
    """A test of posts: pairs devices and compares figures with those of the oracle."""

    def setUp(self):
        super().setUp()
        self.config = self.folder / "config.json"
        self.prefer(APPLE)

    def prefer(self, sources):
        """Configures the priority of sources, so that no test depends on how kinds of devices are detected."""
        self.sources = [sources.watch, sources.phone]
        names = [sources.watch, sources.watch_device, sources.phone, sources.phone_device]
        self.config.write_text(json.dumps({"originPriority": names}))

    def watch(self, *words, **options):
        return Watch(self, "--config", self.config, *words, **options)

    def pair(self, name="phone", *words, data="data"):
        """Returns the token of a new device."""
        return self.json_of("pair", name, "--data-dir", data, *words)["token"]

    def inbox(self, data="data"):
        """Returns the latest posts of the archive, the latest one first."""
        return self.json_of("inbox", "list", "--data-dir", data)["posts"]

    def archived(self, data="data"):
        """Returns the number of archived posts."""
        listed = self.json_of("inbox", "list", "--data-dir", data)
        return listed["waiting"] + listed["decoded"] + listed["undecoded"]

    def run_after_posts(self, data, *requests, place="bearer"):
        """Posts as one phone to `watch` with the store `data`, stops it when all is imported, and derives the days."""
        token, watch = self.pair("phone", data=data), self.watch(data=data)
        for request in requests:
            watch.accept(request, token, place)
        self.settle(data)
        self.assertEqual(watch.terminate(), 0, "".join(watch.errors)[-2000:])
        self.succeed("daily", "--config", self.config, "--data-dir", data, "--zone", ZONE)

    def settle(self, data="data", limit=PATIENCE):
        """Waits until no post waits to be decoded and imported; returns the latest posts."""
        def settled():
            listed = self.json_of("inbox", "list", "--data-dir", data)
            self.assertEqual(listed["waiting"], 0, listed["posts"][:3])
            return listed["posts"]
        return eventually(settled, limit)

    def count(self, data="data"):
        """Returns the number of archived posts once none of them waits."""
        self.settle(data)
        return self.archived(data)

    def found(self, days, data="data"):
        """Returns the figures that the program shows, in the shape of the oracle."""
        span = ("--data-dir", data, "--from", min(days), "--to", max(days))
        figures = {str(day): {} for day in days}
        for period in self.json_of("steps", *span)["periods"]:
            figures[period["period"]]["steps"] = period["steps"]
        for period in self.json_of("heart", *span)["periods"]:
            own = figures[period["period"]]
            if period["measurementCount"]:
                own["heartRate"] = {"minimum": period["minimumBeatsPerMinute"], "maximum": period["maximumBeatsPerMinute"],
                                    "count": period["measurementCount"], "mean": period["meanBeatsPerMinute"]}
            if period["restingBeatsPerMinute"] is not None:
                own["restingHeartRate"] = period["restingBeatsPerMinute"]
        for metric, name in (("walkingDistance", "kilometres"), ("activeEnergy", "kilocalories")):
            for period in self.json_of("metric", metric, *span)["periods"]:
                figures[period["period"]][name] = period["quantity"]
        self.add_sleep(figures, self.json_of("sleep", *span))
        return {day: own for day, own in figures.items() if own}

    def add_sleep(self, figures, sleep):
        for night in sleep["nights"]:
            figures[night["day"]]["sleep"] = {"main": self.session(night["main"]), "naps": []}
        for nap in sleep["naps"]:
            figures[nap["day"]].setdefault("sleep", {"main": None, "naps": []})["naps"].append(self.session(nap))

    def session(self, session):
        return {"start": milliseconds(session["start"]), "end": milliseconds(session["end"]),
                "timeInBed": session["timeInBedMinutes"], "totalSleep": session["totalSleepMinutes"],
                "awake": session["awakeMinutes"], "rem": session["remMinutes"], "core": session["coreMinutes"],
                "deep": session["deepMinutes"]}

    def expected(self, samples, zone=ZONE):
        return oracle.figures(samples, self.sources, zone)

    def assert_figures(self, samples, data="data", only=None, minutes=0.02):
        """Asserts that the program shows exactly the figures of the samples. `only` names the figures to compare."""
        expected = self.expected(samples)
        days = sorted(expected)
        found = self.found(days, data)
        for figures in (expected, found):
            for day in list(figures):
                figures[day] = {name: value for name, value in figures[day].items() if not only or name in only}
                if not figures[day]:
                    del figures[day]
        differing = [line for day in sorted({*expected, *found})
                     for line in differences(day, expected.get(day), found.get(day), minutes)]
        self.assertEqual(differing, [])
        return found

    def await_figures(self, samples, limit=PATIENCE, **options):
        return eventually(lambda: self.assert_figures(samples, **options), limit)


def milliseconds(text):
    """Returns the milliseconds since 1970 of an RFC 3339 text."""
    return int(datetime.datetime.fromisoformat(re.sub("Z$", "+00:00", text)).timestamp() * 1000)


def differences(path, expected, found, minutes):
    if isinstance(expected, dict) and isinstance(found, dict):
        return [line for name in sorted({*expected, *found})
                for line in differences(f"{path}.{name}", expected.get(name), found.get(name), minutes)]
    if isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        return [line for number, pair in enumerate(zip(expected, found))
                for line in differences(f"{path}.{number}", *pair, minutes)]
    numbers = all(isinstance(value, (int, float)) for value in (expected, found))
    if numbers and abs(expected - found) <= MARGIN.get(path.rsplit(".", 1)[1], minutes):
        return []
    return [] if expected == found else [f"{path}: expected {expected}, found {found}"]
