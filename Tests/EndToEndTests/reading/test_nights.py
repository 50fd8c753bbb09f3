"""Nights, naps and days equal an oracle that was written from the rules, in the local store, its output, and on a server."""

import datetime
import json
import sqlite3
import sys
import unittest
from contextlib import closing

from support.harness import PEERS, ProgramTest, Server
from support.seeds import seeds

sys.path.insert(0, str(PEERS / "nights"))
import night_rules  # noqa: E402
import random_lives  # noqa: E402

FIGURES = ("asleep", "unspecified", "core", "deep", "rem", "awake", "time_in_bed")
COLUMNS = ("asleep_ms", "unspecified_ms", "core_ms", "deep_ms", "rem_ms", "awake_ms", "in_bed_ms")


class Nights(ProgramTest):
    def write(self, life, name):
        """Writes the export and the configuration of a life; returns the words of a run over it."""
        export = self.folder / f"{name}.xml"
        random_lives.write_export(life, export)
        configuration = self.folder / f"{name}.json"
        configuration.write_text(json.dumps({
            "zone": life["zone"],
            "timeZones": [{"from": stay["from"], "zone": stay["zone"]} for stay in life["travel"]],
        }))
        return ("--config", configuration, "--source", export, "--data-dir", name)

    def rows(self, name, text):
        database = self.folder / name / "healthsync.sqlite"
        with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
            connection.row_factory = sqlite3.Row
            return [dict(row) for row in connection.execute(text)]

    def stored_days(self, name):
        """Returns {day: {role: [figures by start]}} of the local store."""
        days = {}
        for row in self.rows(name, "SELECT * FROM sleep_episode ORDER BY start_ms, end_ms"):
            figures = (row["start_ms"], row["end_ms"], *(row[column] for column in COLUMNS))
            days.setdefault(row["day"], {}).setdefault(row["role"], []).append(figures)
        return days

    @staticmethod
    def expected_days(expected):
        def figures(sleep):
            return (sleep["start"], sleep["end"], *(sleep[name] for name in FIGURES))

        days = {}
        for day in expected["days"]:
            roles = {"main": [day["main"]] if day["main"] else [], "nap": day["naps"], "additional": day["additional"]}
            days[day["day"]] = {
                role: sorted(map(figures, sleeps)) for role, sleeps in roles.items() if sleeps}
        return days

    def check_sessions(self, name, expected):
        stored = {
            (row["source_name"], bool(row["is_user_entered"]), row["start_ms"], row["end_ms"]): row
            for row in self.rows(name, "SELECT * FROM sleep_session")}
        wanted = {(s["source"], s["manual"], s["start"], s["end"]): s for s in expected["sessions"]}
        self.assertEqual(stored.keys(), wanted.keys())
        for key, session in wanted.items():
            row = stored[key]
            self.assertEqual(row["day"], session["day"], key)
            self.assertEqual(bool(row["counts"]), bool(session["counted"]), key)
            if session["night"]:
                self.assertEqual(row["role"], session["role"], key)
            if session["counted"] and session["asleep"]:
                stretches = [[s["start"], s["end"]] for s in json.loads(row["stretches"])]
                self.assertEqual(stretches, session["counted"], key)
                self.assertEqual(row["counted_asleep_ms"], session["asleep"], key)

    def check_output(self, name, words, expected):
        """The command prints the same nights."""
        days = [day["day"] for day in expected["days"]]
        if not days:
            return
        shown = self.json_of("sleep", "--from", days[0], "--to", days[-1], "--config", words[1], "--data-dir", name)
        mains = {day["day"]: day["main"]["asleep"] for day in expected["days"] if day["main"]}
        self.assertEqual(
            {night["day"]: round((night["main"]["totalSleepMinutes"] or 0) * 60_000) for night in shown["nights"]}, mains)
        naps = sorted((day["day"], nap["asleep"]) for day in expected["days"] for nap in day["naps"])
        self.assertEqual(
            sorted((nap["day"], round(nap["totalSleepMinutes"] * 60_000)) for nap in shown["naps"]), naps)

    def check_server(self, server, token, expected):
        status, _, body = server.request(
            "GET", "/api/v1/sleep?limit=1000", headers={"Authorization": f"Bearer {token}"})
        self.assertEqual(status, 200)
        data = json.loads(body)["data"]
        self.assertEqual(data["total"], len(expected["sessions"]))
        nights = [day["main"] for day in expected["days"] if day["main"]]
        slept = [night for night in nights if night["asleep"] + night["awake"] > 0]
        if slept:
            averages = data["averages"]
            for name, figure in (("avg_total_sleep_minutes", "asleep"), ("avg_time_in_bed_minutes", "time_in_bed")):
                mean = sum(night[figure] for night in slept) / len(slept) / 60_000
                self.assertAlmostEqual(averages[name], mean, 3)
        days = {}
        for session in data["sessions"]:
            self.assertTrue(session["day"] and session["night_id"] and session["role"], session)
            if session["counted"]:
                key = (session["day"], session["role"], session["night_id"])
                days[key] = days.get(key, 0) + session["counted"]["asleep_minutes"]
        wanted = {
            (day["day"], role): sorted(round(sleep["asleep"] / 60_000, 2) for sleep in sleeps)
            for day in expected["days"]
            for role, sleeps in (("main", [day["main"]] if day["main"] else []), ("nap", day["naps"]),
                                 ("additional", day["additional"])) if sleeps}
        held = {}
        for (day, role, _), minutes in days.items():
            held.setdefault((day, role), []).append(round(minutes, 2))
        self.assertEqual({key: sorted(values) for key, values in held.items()}, wanted)

    def test_lives_equal_the_oracle(self):
        for seed in range(seeds(24, 96, 300)):
            with self.subTest(seed=seed):
                life = random_lives.life(seed)
                name = f"life{seed}"
                words = self.write(life, name)
                expected = night_rules.expected_of_life(life)
                self.succeed("historical", *words)
                self.assertEqual(self.stored_days(name), self.expected_days(expected), life["note"])
                self.check_sessions(name, expected)
                if seed % 6 == 0:
                    self.check_output(name, words, expected)

    def test_lives_on_a_server_equal_the_oracle(self):
        server = Server(self)
        for seed in range(300, 300 + seeds(4, 12, 36)):
            with self.subTest(seed=seed):
                life = random_lives.life(seed)
                name = f"life{seed}"
                words = self.write(life, name)
                user = f"user{seed}"
                token = server.token("read", "ingest", user=user)
                self.environment["HEALTHSYNC_TOKEN"] = token
                self.succeed("historical", *words, "--server", server.url)
                self.check_server(server, token, night_rules.expected_of_life(life))
                self.succeed("verify", *words[:2], *words[4:], "--server", server.url)

    def test_a_server_finds_nights_of_senders_that_state_none(self):
        server = Server(self)
        tried = 0
        for seed in range(900, 900 + seeds(24, 60, 120)):
            life = random_lives.life(seed)
            # A server knows neither what was entered by hand nor a configured journey.
            if life["travel"] or any(sample["zone"] or sample["manual"] for sample in life["samples"]):
                continue
            tried += 1
            with self.subTest(seed=seed):
                expected = night_rules.expected_of_life(life)
                token = server.token("read", "ingest", user=f"plain{seed}")
                headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
                sessions = self.plain_sessions(life)
                for first in range(0, len(sessions), 100):
                    status, _, body = server.request(
                        "POST", "/api/v1/sleep", {"sessions": sessions[first:first + 100]}, headers)
                    self.assertEqual((status, json.loads(body)["rejected"]), (200, 0), body)
                _, _, body = server.request("GET", "/api/v1/sleep?limit=1", headers=headers)
                averages = json.loads(body)["data"]["averages"]
                nights = [day["main"] for day in expected["days"] if day["main"]]
                slept = [night for night in nights if night["asleep"] + night["awake"] > 0]
                mean = sum(night["asleep"] for night in slept) / len(slept) / 60_000 if slept else 0
                self.assertAlmostEqual(averages["avg_total_sleep_minutes"], mean, 3, life["note"])
        self.assertGreater(tried, 3)

    @staticmethod
    def plain_sessions(life):
        """Returns the sessions of the life as another program posts them, with the offset of each end."""
        zone = night_rules.named_zone(life["zone"])

        def text(instant):
            moment = night_rules.EPOCH + datetime.timedelta(milliseconds=instant)
            return moment.astimezone(zone).isoformat()

        names = ["in_bed", "asleep", "awake", "core", "deep", "rem"]
        return [{
            "source": session.source, "source_id": session.id, "start_time": text(session.start),
            "end_time": text(session.end), "stages": [
                {"stage": names[sample["stage"]], "start_time": text(sample["start"]), "end_time": text(sample["end"])}
                for sample in session.samples],
        } for session in night_rules.sessions_of(life["samples"], 60 * night_rules.MINUTE)]

    def test_a_life_that_grows_equals_the_whole(self):
        """Exports of a growing life, one after the other, end where one import of the whole does, and nights stay."""
        for seed in range(600, 600 + seeds(6, 24, 60)):
            with self.subTest(seed=seed):
                life = random_lives.life(seed)
                name = f"life{seed}"
                ends = sorted(sample["end"] for sample in life["samples"])
                for number, share in enumerate((0.3, 0.5, 0.75, 1.0)):
                    until = ends[min(len(ends) - 1, int(share * len(ends)))]
                    part = {**life, "samples": [s for s in life["samples"] if s["end"] <= until]}
                    self.succeed("historical" if number == 0 else "daily", *self.write(part, name))
                    expected = night_rules.expected_of_life(part)
                    self.assertEqual(self.stored_days(name), self.expected_days(expected), life["note"])


if __name__ == "__main__":
    unittest.main()
