"""Every page of the dashboard and of a server, in every state of the data, wide and narrow, light and dark."""

import datetime
import json
import unittest

from support.browser import MISSING, Browser, By
from support.harness import Dashboard, Peer, ProgramTest, Server
from support.page_cells import shown
from support.page_figures import PageFigures
from support.page_history import HistoryFigures
from support.page_states import HOSTILE, STAGES, State, names, sleeping, sums_of_a_night, waking

PERIODS = ("hour", "day", "week", "month", "year")
LASTS = ("1d", "7d", "30d", "3mo", "months", "years", "all")
# Some views of each page; EVERY_HOME has all of them.
HOME = ["", "sleep?last=1d", "sleep?last=30d", "sleep?last=all", "steps?by=hour", "steps?by=month", "heart?by=hour",
        "heart?by=year", "journal", "shoes", "sync", "intervals"]
SERVED = ["", "sleep?last=1d", "sleep?last=3mo", "steps?by=hour", "steps?by=week", "heart?by=hour", "heart?by=month",
          "synced-steps", "tokens", "/login"]
EVERY_HOME = [""] + [f"sleep?last={last}" for last in LASTS] + [
    f"{page}?by={by}" for page in ("steps", "heart") for by in PERIODS] + [
    f"years?of={metric}" for metric in ("steps", "sleep", "resting")] + ["year", "metrics", "devices"] + HOME[-4:]
SHARED = SERVED[:-3]
LOOKS = {"wide": {}, "wide-dark": {"dark": True}, "phone": {"width": 360, "height": 800},
         "phone-dark": {"width": 360, "height": 800, "dark": True}}
DAY = datetime.date(2024, 6, 5)


def address(page):
    return page if page.startswith("/") else f"/view/{page}" if page else "/"


@unittest.skipIf(MISSING, MISSING)
class PageStates(ProgramTest):
    def setUp(self):
        super().setUp()
        self.browser = Browser(self)

    def check_pages(self, url, pages, name, looks=("wide", "phone-dark")):
        """Checks that the pages have no problems in any of the looks."""
        for page in pages:
            with self.subTest(f"{name} {page or 'summary'}"):
                self.browser.look(**LOOKS["wide"])
                # Pages that the server shares with the local dashboard were audited there.
                self.browser.visit(url + address(page), audit=page not in SHARED or not name.endswith("served"))
                self.assertIsNone(self.browser.driver.execute_script("return window.hostile || null"))
                self.assertGreater(len(self.browser.text("main")), 20)
                for look in looks:
                    self.browser.look(**LOOKS[look])
                    self.browser.audit()
                self.browser.check(audit=False)
                self.browser.screenshot(f"{name}-" + (page.strip("/").replace("?", "-").replace("=", "-")[:20] or "summary"))

    def see(self, state, server, dashboard, home=HOME, served=SERVED, **looks):
        shoe = [f"shoe?id={state.shoe}"] if state.shoe else []
        self.check_pages(dashboard.url, home + shoe, state.name, **looks)
        self.check_pages(server.url, served, f"{state.name}-served")
        self.browser.look()
        self.figures(state, server, dashboard)
        dashboard.stop()
        server.stop()

    def figures(self, state, server, dashboard):
        for url in (dashboard.url, server.url):
            figures = PageFigures(self, self.browser, url, state.command, is_served=url == server.url)
            figures.summary()
            figures.steps_by_hour(state.day)
            figures.heart_by_hour(state.day)
            figures.night(state.day)
            figures.night(state.day - datetime.timedelta(days=1))
            figures.nights("7d", state.day)
            figures.steps_by("month", state.day)
            figures.heart_by("day", state.day)
            if url == dashboard.url:
                figures.journal(state.day)

    def state(self, name, day=DAY):
        """Returns an empty state and a server for it."""
        state = State(self, name, day)
        return state, Server(self, "--config", state.configuration, folder=f"{name}-served")

    def walked(self, name, day, *more):
        state, server = self.state(name, day)
        state.read(state.lines([*waking(day, "Watch", "Anna’s Watch"), *more]), server.url)
        state.wear("Maker", "One", "0-3", "--emoji", "👟", "--price", "139.95 EUR", "--default")
        return state, server

    def test_nothing(self):
        state, server = self.state("nothing")
        empty = self.folder / "export.xml"
        empty.write_text('<?xml version="1.0"?>\n<HealthData locale="en_US">\n <ExportDate value="2024-06-06 08:00:00 +0200"/>\n</HealthData>\n')
        state.read(empty)
        self.see(state, server, state.dashboard())

    def test_one_day(self):
        state, server = self.walked("one-day", DAY, *sleeping(DAY, "Watch", "Anna’s Watch"))
        self.see(state, server, state.dashboard(server.url))

    def test_days_of_23_and_25_hours(self):
        for name, day, number in (("short-day", datetime.date(2024, 3, 31), 23), ("long-day", datetime.date(2024, 10, 27), 25)):
            state, server = self.walked(name, day, *sleeping(day, "Watch", "Anna’s Watch"))
            dashboard = state.dashboard(server.url)
            self.assertEqual(len(state.command("journal", day)["hours"]), number)
            self.browser.visit(f"{dashboard.url}/view/journal?day={day}")
            labels = [row[0]["text"] for table in self.browser.sections()[0]["tables"] for row in table["rows"]]
            self.assertEqual((len(labels), len(set(labels))), (number, number), "hours with the same label")
            self.see(state, server, dashboard)

    def test_nights_without_stages(self):
        state, server = self.walked("no-stages", DAY, *sleeping(DAY, "Old band", "Band", ["Unspecified"] * 7))
        self.see(state, server, state.dashboard(server.url))
        state, server = self.state("sums-only")
        feed = self.folder / "HealthAutoExport-2024-06-05.json"
        feed.write_text(json.dumps(sums_of_a_night(DAY)))
        state.read(feed, server.url)
        self.see(state, server, state.dashboard(server.url), HOME[:3], SERVED[:3])

    def test_malicious_names(self):
        state, server = self.state("names")
        peer = Peer(self)
        peer.script([{"match": "POST *", "do": "reject_ids", "ids": ["steps/hour/2024-06-05/2024-06-05T06:00:00Z"], "times": None,
                      "reason": " ".join(HOSTILE.values())}])
        source = state.lines(names(DAY), HOSTILE["script"].replace("/", "") + "ж" * 40 + ".jsonl")
        state.read(source, peer.url, status=3)
        state.read(source, server.url)
        for name, hours in zip(HOSTILE.values(), ("0-2", "3-5", "6-9", "10-12", "13")):
            state.wear(name, name[::-1], hours, "--emoji", "👩🏽‍🦼")
        state.wear("<b>Hoka</b>", "&amp;", None)
        state.command("shoes", "archive", state.shoe)
        dashboard = state.dashboard(peer.url)
        for page, name in (("/view/shoes", "emoji"), ("/view/shoes", "script"), ("/view/sync", "script"),
                            ("/view/sleep?last=1d", "right-to-left"), ("/view/steps?by=hour", "long")):
            self.browser.visit(dashboard.url + page, audit=False)
            text = " ".join(section["text"] for section in self.browser.sections())
            self.assertIn(shown(HOSTILE[name])[:30], text)
            self.assertEqual(self.browser.driver.find_elements(By.CSS_SELECTOR, "main script, main img, main b"), [])
        self.see(state, server, dashboard)

    def test_ten_years(self):
        state, server = self.state("ten-years", datetime.date(2025, 12, 31))
        export, truth = self.generate("export.zip", "--years", "10", "--seed", "42", "--density", "0.3")
        known = json.loads(truth.read_text())
        state.configuration.write_text(json.dumps({"zone": known["homeZone"], "timeZones": known["timeZones"]}))
        server.stop()
        server = Server(self, "--config", state.configuration, folder="ten-years-received")
        state.read(export, server.url)
        state.wear("Maker", "One", "8-11,17", "--price", "139.95 EUR", "--default")
        dashboard = state.dashboard(server.url)
        for url in (dashboard.url, server.url):
            figures = PageFigures(self, self.browser, url, state.command)
            HistoryFigures(self, self.browser, url, state.command, figures).check()
        self.see(state, server, dashboard, EVERY_HOME, looks=LOOKS)


if __name__ == "__main__":
    unittest.main()
