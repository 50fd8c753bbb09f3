"""Feeds without identifiers: what a later post states for a start replaces what an earlier one stated. A model in Python,
written from the rules, says what counts after any posts in any order; and the inputs that were wrong once."""

import collections
import datetime
import json
import math
import unittest
import zoneinfo

from feeds import restating
from senders.neutral import Request, iso, local
from support import seeds
from support.watch import ZONE, InboxTest

TYPES = {"HKQuantityTypeIdentifierStepCount": "steps", "HKQuantityTypeIdentifierDietaryWater": "water",
         "HKCategoryTypeIdentifierSleepAnalysis": "sleep"}
STAGES = {3: "4", 4: "5", 5: "6", 2: "1"}
# The posts of all lives of a sender go to one store; each life has days of its own.
FIRST, DAYS_OF_A_LIFE = datetime.date(2009, 1, 1), 9


def midnight(day, zone=ZONE):
    return int(datetime.datetime.combine(day, datetime.time(), zoneinfo.ZoneInfo(zone)).timestamp()) * 1000


def hc_webhook(post):
    """HC Webhook states when it made a post, and no identifiers."""
    body = collections.defaultdict(list)
    for one in post.entries:
        name, member, value = ("steps", "count", one.value) if one.kind == "steps" else ("hydration", "liters", one.value / 1000)
        body[name].append({member: value, "start_time": iso(one.start), "end_time": iso(one.end),
                           "metadata": {"data_origin": one.app}})
    for session in post.sessions:
        start, end = session[0].start, session[-1].end
        body["sleep"].append({
            "session_end_time": iso(end), "duration_seconds": (end - start) // 1000, "metadata": {"data_origin": session[0].app},
            "stages": [{"stage": STAGES[one.value], "start_time": iso(one.start), "end_time": iso(one.end)} for one in session]})
    return Request("POST", "/webhook", {"Content-Type": "application/json"},
                   json.dumps({"timestamp": iso(post.made), "app_version": "1.9.19", **body}).encode())


def line(one):
    kind, unit = ("stepCount", "count") if one.kind == "steps" else ("dietaryWater", "mL")
    zone = zoneinfo.ZoneInfo(ZONE)
    return kind, iso(one.start, zone), iso(one.end, zone), one.value, unit


def plain_lines(post):
    text = "".join(",".join(map(str, (*line(one), one.app))) + "\n" for one in post.entries)
    return Request("POST", "/shortcuts", {"Content-Type": "text/plain"}, text.encode())


def json_lines(post):
    rows = [{"type": kind, "startDate": start, "endDate": end, "value": value, "unit": unit, "sourceBundleId": one.app}
            for one in post.entries for kind, start, end, value, unit in [line(one)]]
    return Request("POST", "/lines", {"Content-Type": "application/json"}, "\n".join(map(json.dumps, rows)).encode())


def json_with_time(post):
    rows = [dict(zip(("type", "start", "end", "value", "unit"), line(one)), source=one.app) for one in post.entries]
    return Request("POST", "/lines", {"Content-Type": "application/json"},
                   json.dumps({"timestamp": iso(post.made), "samples": rows}).encode())


def health_auto_export(post):
    names = {"steps": ("step_count", "count"), "water": ("dietary_water", "mL")}
    metrics = [{"name": name, "units": unit, "data": [
        {"date": local(one.start, ZONE), "start": local(one.start, ZONE), "end": local(one.end, ZONE), "qty": one.value,
         "source": one.app} for one in post.entries if one.kind == kind]} for kind, (name, unit) in names.items()]
    return Request("POST", "/api/data", {"Content-Type": "application/json", "automation-name": "Health"},
                   json.dumps({"data": {"metrics": metrics}}).encode())


# The request of a post, whether it states when it was made, and whether it has sessions of sleep.
SENDERS = {"HC Webhook": (hc_webhook, True, True), "plain lines": (plain_lines, False, False),
           "JSON Lines": (json_lines, False, False), "JSON with a time": (json_with_time, True, False),
           "Health Auto Export": (health_auto_export, False, False)}


class Restating(InboxTest):
    def setUp(self):
        super().setUp()
        self.config.write_text(json.dumps({"metrics": ["steps", "dietaryWater", "sleep"]}))

    def rows(self, data="data"):
        """Returns the stored samples in the shape of the model, with their numbers."""
        target = self.folder / f"rows-{data}.jsonl"
        target.unlink(missing_ok=True)
        self.succeed("export", "--format", "jsonl", "--out", target, "--data-dir", data)
        found = collections.Counter()
        for row in map(json.loads, target.read_text().splitlines()):
            start, end = (round(datetime.datetime.fromisoformat(row[name]).timestamp() * 1000) for name in ("startDate", "endDate"))
            found[restating.Entry(TYPES[row["type"]], row["sourceBundleId"], start, end, row["value"])] += 1
        return found

    def figures(self, metric, first, last, data="data"):
        periods = self.json_of("metric", metric, "--data-dir", data, "--from", first, "--to", last)["periods"]
        return {period["period"]: period["quantity"] for period in periods if period["quantity"] is not None}

    def replay(self, name, count):
        request, states_time, has_sleep = SENDERS[name]
        data = name.replace(" ", "-")
        token = self.pair("phone", data=data)
        watch = self.watch(data=data)
        expected, totals = collections.Counter(), {kind: collections.defaultdict(float) for kind in restating.SUMS}
        for seed in range(count):
            first = FIRST + datetime.timedelta(days=DAYS_OF_A_LIFE * seed)
            # Health Auto Export writes whole seconds and takes whole minutes and hours for buckets.
            # It keeps no time of the post with an entry, so entries that overlap add up.
            life = restating.Life(seed, midnight(first), has_sleep=has_sleep, until_now=states_time,
                                  may_overlap=name != "Health Auto Export")
            posts = [one for one in life.arrivals() if one.entries or one.sessions and has_sleep]
            for post in posts:
                watch.accept(request(post), token)
            rows, _ = restating.counting(posts, states_time)
            expected += rows
        self.settle(data)
        found = self.rows(data)
        self.assertEqual((sorted((expected - found).elements()), sorted((found - expected).elements())), ([], []))
        self.assertEqual(watch.terminate(), 0, "".join(watch.errors)[-2000:])
        self.succeed("daily", "--config", self.config, "--data-dir", data, "--zone", ZONE)
        for one, begin, times in restating.measured(expected):
            if one.kind in totals:
                divide(one, begin, times, totals[one.kind])
        last = FIRST + datetime.timedelta(days=DAYS_OF_A_LIFE * count)
        for kind, metric in (("steps", "steps"), ("water", "dietaryWater")):
            found = self.figures(metric, FIRST, last, data)
            differing = {day: (found.get(day), totals[kind].get(day)) for day in {*found, *totals[kind]}
                         if not math.isclose(found.get(day, 0), totals[kind].get(day, 0), abs_tol=0.01 if kind == "water" else 1)}
            self.assertEqual(differing, {})

    def test_what_counts_after_posts_in_any_order(self):
        for name in SENDERS:
            with self.subTest(name):
                self.replay(name, seeds.seeds(8, 200, 200))


class Inputs(InboxTest):
    """Small inputs that once gave wrong figures."""

    def setUp(self):
        super().setUp()
        self.number = 0

    def after(self, requests, metric="steps", days=("2024-01-14", "2024-01-18")):
        """Returns the figures by day after the requests."""
        self.number += 1
        data = f"data{self.number}"
        self.config.write_text(json.dumps({"metrics": ["steps", "dietaryWater", "walkingDistance", "activeEnergy"]}))
        self.run_after_posts(data, *requests)
        periods = self.json_of("metric", metric, "--data-dir", data, "--from", days[0], "--to", days[1])["periods"]
        return {period["period"]: period["quantity"] for period in periods if period["quantity"]}

    def webhooks(self, *posts, made="2024-01-15T12:00:00Z", kind="steps", member="count", app="com.sec.android.app.shealth"):
        """Returns a request for each list of (value, start, end)."""
        metadata = {"metadata": {"data_origin": app}} if app else {}
        return [Request("POST", "/webhook", {"Content-Type": "application/json"}, json.dumps({
            "timestamp": made, "app_version": "1.9.19",
            kind: [{member: value, "start_time": start, "end_time": end, **metadata} for value, start, end in records]}).encode())
            for records in posts]

    def test_a_rewritten_record_counts_once(self):
        day = ("2024-01-14T23:00:00Z", "2024-01-15T22:59:59Z")
        hour = ("2024-01-15T09:00:00Z", "2024-01-15T10:00:00Z")
        for name, requests, metric, expected in (
                ("day", self.webhooks(*[[(value, *day)] for value in (1000, 3000, 8000)]), "steps", 8000),
                ("distance", self.webhooks(*[[(value, *day)] for value in (1000, 3000, 8000)], kind="distance", member="meters"),
                 "walkingDistance", 8),
                ("calories", self.webhooks([(400, *day)], [(800, *day)], kind="active_calories", member="calories"),
                 "activeEnergy", 800),
                ("hour", self.webhooks([(500, *hour)], [(650, *hour)]), "steps", 650),
                ("longer", self.webhooks([(300, hour[0], "2024-01-15T09:30:00Z")], [(650, *hour)]), "steps", 650),
                ("until now", self.webhooks(*[[(value, day[0], end)] for value, end in (
                    (1000, "2024-01-15T08:00:00Z"), (3000, "2024-01-15T12:00:00Z"), (8000, "2024-01-15T20:00:00Z"))]), "steps", 8000),
                ("no app", self.webhooks(*[[(value, *hour)] for value in (100, 300, 800)], app=None), "steps", 800),
                ("no app, midnight", self.webhooks(*[[(value, day[0], "2024-01-15T23:00:00Z")] for value in (1000, 3000, 8000)],
                                                   app=None), "steps", 8000),
                ("water", self.webhooks([(0.25, *hour)], [(0.5, *hour)], kind="hydration", member="liters"), "dietaryWater", 500)):
            with self.subTest(name):
                self.assertEqual(self.after(requests, metric), {"2024-01-15": expected})

    def test_two_glasses_of_one_second_in_one_post_are_two_and_a_later_post_replaces_both(self):
        minute = ("2024-01-15T09:00:00Z", "2024-01-15T09:01:00Z")
        options = {"kind": "hydration", "member": "liters"}
        two = [(0.25, *minute), (0.3, *minute)]
        self.assertEqual(self.after(self.webhooks(two, two, **options), "dietaryWater"), {"2024-01-15": 550})
        equal = [(0.25, *minute)] * 2
        self.assertEqual(self.after(self.webhooks(equal, equal, equal[:1], made="2024-01-15T09:00:30Z", **options),
                                    "dietaryWater"), {"2024-01-15": 250})
        late = self.webhooks(equal[:1], made="2024-01-15T09:00:40Z", **options)
        for requests in (self.webhooks(equal, **options) + late, late + self.webhooks(equal, **options)):
            self.assertEqual(self.after(requests, "dietaryWater"), {"2024-01-15": 500})
        corrected = self.webhooks(two, made="2024-01-15T09:00:30Z", **options) + self.webhooks([(0.4, *minute)], **options)
        for requests in (corrected, corrected[::-1]):
            self.assertEqual(self.after(requests, "dietaryWater"), {"2024-01-15": 400})

    def test_an_event_without_an_end_adds_and_is_never_replaced(self):
        moment = ("2024-01-15T09:00:00Z", "2024-01-15T09:00:00Z")
        requests = self.webhooks([(0.25, *moment)], [(0.3, *moment)], [(0.25, *moment)], kind="hydration", member="liters")
        self.assertEqual(self.after(requests, "dietaryWater"), {"2024-01-15": 550})

    def test_equal_events_without_an_end_are_as_many_as_a_post_states(self):
        glass = (0.25, "2024-01-15T09:00:00Z", "2024-01-15T09:00:00Z")
        requests = self.webhooks([glass], [glass] * 3, [glass] * 2, kind="hydration", member="liters")
        self.assertEqual(self.after(requests, "dietaryWater"), {"2024-01-15": 750})

    def test_records_of_one_app_that_overlap_are_one_measurement(self):
        def times(start, end):
            return f"2024-01-15T{start}:00Z", f"2024-01-15T{end}:00Z"
        for name, records, expected in (
                ("half an hour later", [(500, *times("09:00", "10:00")), (400, *times("09:30", "10:30"))], 700),
                ("a day and its hours", [(8000, *times("00:00", "22:00"))] + [
                    (500, *times(f"{hour:02}:00", f"{hour + 1:02}:00")) for hour in range(8, 16)], 8000),
                ("equal times", [(500, *times("09:00", "10:00")), (480, *times("09:00", "10:00"))], 500),
                ("touching", [(500, *times("09:00", "10:00")), (480, *times("10:00", "11:00"))], 980)):
            with self.subTest(name):
                together, apart = self.webhooks(records), self.webhooks(*[[one] for one in records])
                orders = (together, together * 2) if name == "equal times" else (together, apart, apart[::-1])
                for requests in orders:
                    self.assertEqual(self.after(requests), {"2024-01-15": expected})

    def test_a_clipped_day_does_not_replace_the_full_one(self):
        bounds = [f"2024-01-{day}T23:00:00Z" for day in range(14, 18)]
        full = self.webhooks([(8000, *bounds[:2])], made="2024-01-15T23:30:00Z", app=None)
        clipped = self.webhooks([(2500, *bounds[:2]), (6000, *bounds[1:3]), (3000, bounds[2], "2024-01-17T16:00:00Z")],
                                made="2024-01-17T16:00:00Z", app=None)
        for requests in (full + clipped, clipped + full, full + clipped + full + clipped):
            self.assertEqual(self.after(requests), {"2024-01-15": 8000, "2024-01-16": 6000, "2024-01-17": 3000})

    def test_daily_totals_of_another_midnight_do_not_add_up(self):
        def posts(start, *ends):
            return self.webhooks(*[[(value, start, end)] for value, end in zip((1000, 3000, 8000), ends)], app=None)
        york = posts("2024-01-15T05:00:00Z", "2024-01-15T13:00:00Z", "2024-01-15T17:00:00Z", "2024-01-16T01:00:00Z")
        self.assertEqual(self.after(york), {"2024-01-15": 7200, "2024-01-16": 800})
        for start, ends in (("2024-01-14T15:00:00Z", ("2024-01-15T03:00:00Z", "2024-01-15T09:00:00Z", "2024-01-15T14:00:00Z")),
                            ("2024-01-15T00:00:00Z", ("2024-01-15T13:00:00Z", "2024-01-15T17:00:00Z", "2024-01-16T00:00:00Z"))):
            with self.subTest(start):
                self.assertAlmostEqual(sum(self.after(posts(start, *ends)).values()), 8000)

    def test_a_total_from_a_midnight_of_the_post_is_compared_with_what_apps_counted(self):
        """The total of a day and the records of an app measure the same: the larger counts."""
        app = self.webhooks([(5000, "2024-01-15T08:00:00Z", "2024-01-15T09:00:00Z")])
        for start, end, made in (("2024-01-15T00:00:00Z", "2024-01-15T23:59:00Z", "2024-01-16T00:30:00Z"),
                                 ("2024-01-15T00:00:00-05:00", "2024-01-15T12:00:00-05:00", "2024-01-16T00:30:00Z"),
                                 ("2024-01-15T05:00:00Z", "2024-01-15T17:00:00Z", "2024-01-15T12:00:00-05:00")):
            with self.subTest(start=start, made=made):
                found = self.after(app + self.webhooks([(6000, start, end)], made=made, app=None))
                self.assertAlmostEqual(sum(found.values()), 6000)

    def test_a_new_figure_of_a_shortcut_replaces_the_former(self):
        def lines(*rows):
            return [Request("POST", "/shortcuts", {"Content-Type": "text/plain"},
                            f"stepCount,2024-01-15T{start}+01:00,2024-01-15T{end}+01:00,{value},count\n".encode())
                    for start, end, value in rows]
        for rows, expected in (
                ([("10:00:00", "11:00:00", 500), ("10:00:00", "11:00:00", 650)], 650),
                ([("00:00:00", "23:59:59", value) for value in (1000, 3000, 8000)], 8000),
                ([("00:00:00", end, value) for end, value in (("08:00:00", 1000), ("12:00:00", 3000), ("20:00:00", 8000))], 8000)):
            self.assertEqual(self.after(lines(*rows)), {"2024-01-15": expected})

    def test_a_later_file_of_lines_replaces_and_one_with_uuids_adds(self):
        def figures(name, *lines):
            for number, line in enumerate(lines):
                path = self.folder / f"{name}{number}.jsonl"
                path.write_text(json.dumps({
                    "type": "stepCount", "startDate": "2024-01-15T09:00:00Z", "endDate": "2024-01-15T10:00:00Z", "unit": "count",
                    "sourceBundleId": "script", **line}) + "\n")
                result = self.json_of("historical", "--source", path, "--zone", ZONE, "--data-dir", name, "--metrics", "steps")
            periods = self.json_of("metric", "steps", "--data-dir", name, "--from", "2024-01-15", "--to", "2024-01-15")["periods"]
            return periods[0]["quantity"], result["sources"][0]

        self.assertEqual(figures("grown", {"value": 500}, {"value": 650})[0], 650)
        total, source = figures("clipped", {"value": 500}, {"value": 450})
        self.assertEqual((total, source["clipped"], source["alreadyKnown"]), (500, 1, 1))
        uuids = [{"value": value, "uuid": f"00000000-0000-4000-8000-00000000000{value % 10}"} for value in (501, 602)]
        self.assertEqual(figures("named", *uuids)[0], 1103)


def divide(one, start, count, totals):
    """Adds the parts of an entry from `start` on to the days of the zone, `count` times."""
    zone = zoneinfo.ZoneInfo(ZONE)
    day = datetime.datetime.fromtimestamp(start / 1000, zone).date()
    while True:
        end = min(one.end, midnight(day + datetime.timedelta(days=1)))
        totals[str(day)] += count * one.value * ((end - start) / (one.end - one.start) if one.end > one.start else 1)
        if end == one.end:
            return
        start, day = end, day + datetime.timedelta(days=1)


if __name__ == "__main__":
    unittest.main()
