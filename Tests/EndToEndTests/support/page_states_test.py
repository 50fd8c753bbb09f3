"""Checks of every page in a state of the data."""

import datetime

from support.browser import Browser
from support.covering import covering
from support.harness import ProgramTest, Server
from support.page_figures import PageFigures
from support.page_states import State, waking

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


class PageStatesTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.browser = Browser(self)

    def check_pages(self, url, pages, name, looks=("wide", "phone-dark"), part=3):
        """Checks that the pages have no problems in any of the looks."""
        for page, looks in covering(name, pages, list(looks), part):
            with self.subTest(f"{name} {page or 'summary'} {' '.join(looks)}"):
                self.browser.look(**LOOKS[looks[0]])
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
        self.check_pages(server.url, served, f"{state.name}-served", part=looks.get("part", 3))
        self.browser.look()
        self.figures(state, server, dashboard)
        dashboard.stop()
        server.stop()

    def figures(self, state, server, dashboard):
        """Checks each figure on the dashboard or on the server; with many seeds, on both."""
        local, served = (PageFigures(self, self.browser, url, state.command, is_served=url == server.url)
                         for url in (dashboard.url, server.url))
        day, before = state.day, state.day - datetime.timedelta(days=1)
        checks = [("summary",), ("steps_by_hour", day), ("heart_by_hour", day), ("night", day), ("night", before),
                  ("nights", "7d", day), ("steps_by", "month", day), ("heart_by", "day", day)]
        for (check, *values), places in covering(f"{state.name}-figures", checks, [local, served], 1):
            for place in places:
                getattr(place, check)(*values)
        local.journal(day)

    def state(self, name, day=DAY):
        """Returns an empty state and a server for it."""
        state = State(self, name, day)
        return state, Server(self, "--config", state.configuration, folder=f"{name}-served")

    def walked(self, name, day, *more):
        state, server = self.state(name, day)
        state.read(state.lines([*waking(day, "Watch", "Anna’s Watch"), *more]), server.url)
        state.wear("Maker", "One", "0-3", "--emoji", "👟", "--price", "139.95 EUR", "--default")
        return state, server
