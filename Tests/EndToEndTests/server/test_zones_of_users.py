"""Five users in five zones on a server in UTC: every cell of the tables of their days is that of the local pages, whose hours and
nights are in the zone of the data. `zoneinfo` is the oracle for the hours."""

import datetime
import html.parser
import http.client
import json
import random
import re
import unittest
import urllib.request
import zoneinfo

from support.harness import PATIENCE, Dashboard, ProgramTest, Server

ZONES = ("Europe/Paris", "America/Los_Angeles", "Asia/Kolkata", "Pacific/Apia", "Asia/Kathmandu")
FIRST = datetime.date(2024, 3, 7)
DAYS = 27
# Clocks change in Los Angeles on the first and in Paris on the second of these days.
SHOWN = ("2024-03-10", "2024-03-31", "2024-03-20", "2024-04-01")
PAGES = [f"/view/{page}" for day in SHOWN for page in (
    f"steps?by=hour&day={day}", f"heart?by=hour&day={day}", f"sleep?last=1d&day={day}",
    f"metric?name=bodyMass&by=hour&day={day}", f"metric?name=dietaryWater&by=hour&day={day}")]
PAGES += ["/", "/view/metrics", "/view/steps?by=day&day=2024-04-01", "/view/steps?by=month", "/view/heart?by=day&day=2024-04-01",
          "/view/sleep?last=30d&day=2024-04-01", "/view/years"]


class Tables(html.parser.HTMLParser):
    """The texts of the cells of each table, by row, under the caption of the table."""

    def __init__(self):
        super().__init__()
        self.tables, self.texts = [], []

    def handle_starttag(self, tag, attributes):
        if tag == "table":
            self.tables.append([])
        if tag == "tr":
            self.tables[-1].append([])
        if tag in ("td", "th", "caption"):
            self.texts = []

    def handle_data(self, data):
        self.texts.append(data)

    def handle_endtag(self, tag):
        text = " ".join("".join(self.texts).split())
        if tag == "caption":
            self.tables[-1].append([text])
        if tag in ("td", "th"):
            self.tables[-1][-1].append(text)


def tables(text):
    parser = Tables()
    parser.feed(text)
    return parser.tables


def life(zone):
    """Returns the JSON lines of a user: steps in the first and last hours of every day, rates, weights, water and sleep."""
    chance, rows = random.Random(zone), []
    here = zoneinfo.ZoneInfo(zone)

    def add(type, unit, value, start, minutes):
        end = start + datetime.timedelta(minutes=minutes)
        rows.append({
            "type": type, "unit": unit, "value": value, "sourceBundleId": "Watch",
            **{name: at.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
               for name, at in (("startDate", start), ("endDate", end))}})

    for number in range(DAYS):
        day = FIRST + datetime.timedelta(days=number)
        at = lambda hour, minute: datetime.datetime(day.year, day.month, day.day, hour, minute, tzinfo=here)
        for hour in (0, 1, 4, 12, 18, 23):
            add("HKQuantityTypeIdentifierStepCount", "count", chance.randrange(10, 900), at(hour, 5), 10)
            add("HKQuantityTypeIdentifierHeartRate", "count/min", chance.randrange(50, 150), at(hour, 20), 0)
        add("HKQuantityTypeIdentifierBodyMass", "kg", chance.randrange(60, 90), at(7, 10), 0)
        add("HKQuantityTypeIdentifierDietaryWater", "mL", chance.randrange(100, 400), at(13, 10), 0)
        start = at(22, 40) + datetime.timedelta(days=1)
        for state, minutes in ((3, 200), (4, 90), (5, 60)):
            add("HKCategoryTypeIdentifierSleepAnalysis", "", state, start, minutes)
            start += datetime.timedelta(minutes=minutes)
    return "".join(json.dumps({name: value for name, value in row.items() if value != ""}) + "\n" for row in rows)


class ZonesOfUsers(ProgramTest):
    def setUp(self):
        super().setUp()
        self.environment.update({"TZ": "UTC", "LC_ALL": "C.UTF-8"})
        self.server = Server(self)

    def read(self, url, session=None):
        with urllib.request.urlopen(urllib.request.Request(url, headers=session or {}), timeout=PATIENCE) as answer:
            return answer.read().decode()

    def log_in(self, token):
        """Returns the header fields of a session on the server's pages."""
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=PATIENCE)
        connection.request("POST", "/login", f"token={token}", {
            "Content-Type": "application/x-www-form-urlencoded", "Origin": self.server.url})
        answer = connection.getresponse()
        self.assertEqual(answer.status, 303)
        cookie = answer.headers["Set-Cookie"].split(";")[0]
        connection.close()
        return {"Cookie": cookie}

    def fill(self, zone):
        """Imports the life of a user and sends it; returns the local dashboard and the session of the user on the server's pages."""
        name = zone.rsplit("/", 1)[1].lower()
        (self.folder / f"{name}.jsonl").write_text(life(zone))
        token = self.server.token("ingest", "read", user=name)
        path = self.folder / f"{name}.token"
        path.write_text(token)
        path.chmod(0o600)
        words = ("--zone", zone, "--data-dir", name)
        self.succeed("historical", *words, "--source", f"{name}.jsonl", "--server", self.server.url, "--token-file", path)
        return Dashboard(self, *words), self.log_in(token)

    def test_every_cell_is_that_of_the_local_pages(self):
        for zone in ZONES:
            with self.subTest(zone):
                dashboard, session = self.fill(zone)
                for page in PAGES:
                    local = tables(self.read(dashboard.url.rstrip("/") + page))
                    served = tables(self.read(self.server.url + page, session))
                    self.assertEqual(len(local) > 0, True, page)
                    self.assertEqual(self.without_sources(served), self.without_sources(local), (zone, page))
                page = self.read(self.server.url + "/", session)
                self.assertRegex(page, r"time zone of your data, as in [A-Z]")
                self.assert_hours(zone, session)
                dashboard.stop()

    def assert_hours(self, zone, session):
        """The first steps of each day, at 0:05 in the zone of the data, are in its first hour."""
        for day in SHOWN:
            [table] = [table for table in tables(self.read(f"{self.server.url}/view/steps?by=hour&day={day}", session))
                       if len(table) > 10]
            first = [row for row in table if re.match(r"(12|0?0):00", row[0])][0]
            self.assertGreater(int(re.sub(r"\D", "", first[1])), 0, (zone, day, first))

    def without_sources(self, found):
        """Returns the tables without the columns and the tables of single sources, whose figures are not sent."""
        tables = []
        for table in found:
            columns = {at for row in table for at, cell in enumerate(row) if cell == "Watch"}
            tables.append([[cell for at, cell in enumerate(row) if at not in columns] for row in table])
        return [table for table in tables if all(table) and not any("ource" in cell for row in table[:2] for cell in row)]


if __name__ == "__main__":
    unittest.main()
