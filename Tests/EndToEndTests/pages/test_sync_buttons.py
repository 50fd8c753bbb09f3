"""The buttons of the Sync page do what the commands do, with and without JavaScript: the local database, the server's
database and `status` show the effects."""

import datetime
import json
import re
import sqlite3
import time
import unittest
import urllib.request
from contextlib import closing

from support.browser import MISSING, Browser, By
from support.harness import PATIENCE, ProgramTest, Server, received_records
from support.page_states import State, waking

FIRST = datetime.date(2024, 3, 1)


@unittest.skipIf(MISSING, MISSING)
class SyncButtons(ProgramTest):
    def setUp(self):
        super().setUp()
        self.server = Server(self)
        self.state = State(self, "home", FIRST)
        self.lines = self.write(2)
        self.state.configuration.write_text(json.dumps(
            {"zone": "UTC", "sources": [str(self.lines)], "server": {"url": self.server.url}}))
        self.succeed(*self.state.words("historical", "--no-push"))
        self.dashboard = self.state.dashboard()

    def write(self, days):
        return self.state.lines(
            line for day in range(days) for line in waking(FIRST + datetime.timedelta(day), "Watch", "Watch"))

    def status(self):
        return self.state.command("status")

    def local(self, query):
        with closing(sqlite3.connect(f"file:{self.state.data}/healthsync.sqlite?mode=ro", uri=True)) as connection:
            return connection.execute(query).fetchall()

    def page(self):
        with urllib.request.urlopen(self.dashboard.url + "/view/sync") as answer:
            return re.sub("<[^>]*>", "", answer.read().decode())

    def press(self, browser, name):
        """Presses a button and waits for the end of what it started. Returns the outcome that the page states."""
        browser.press(name)
        return self.outcome(name)

    def outcome(self, name):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if found := re.search(rf"{name} ended [^:]*:\d\d[^:]*: ([^\n]*?)(?:Rejected by|Waiting to|Last runs)", self.page()):
                return found[1]
            time.sleep(0.1)
        self.fail(f"{name} did not end: {self.page()}")

    def stored(self):
        return len(received_records(self.server.database))

    def use(self, browser):
        visit = lambda: browser.visit(self.dashboard.url + "/view/sync")
        visit()
        waiting = self.status()["outbox"]["pending"]
        self.assertGreater(waiting, 0)
        self.assertIn(f"{waiting} items waiting", browser.text("#verdict"))
        self.press(browser, "Pause")
        visit()
        self.assertTrue(self.status()["held"])
        self.assertIn("held by your pause since", browser.text("#verdict"))
        self.assertIn("held by your pause", self.press(browser, "Send"))
        self.assertEqual((self.status()["outbox"]["pending"], self.stored()), (waiting, 0))
        visit()
        sent = re.search(r"(\d+) records delivered; \d+ samples sent in (\d+) interval", self.press(browser, "Resume").replace(",", ""))
        self.assertEqual(int(sent[1]) + int(sent[2]), waiting)
        self.assertFalse(self.status()["held"])
        self.assertEqual(self.status()["outbox"]["pending"], 0)
        first = self.stored()
        self.assertGreater(first, 0)
        days = "SELECT count(DISTINCT day) FROM daily_progress WHERE metric = 'steps'"
        imported = self.local(days)[0][0]
        # A changed source is imported, derived and sent by one button.
        self.write(3)
        visit()
        self.press(browser, "Sync now")
        self.assertGreater(self.stored(), first)
        self.assertEqual(self.local(days), [(imported + 1,)])
        visit()
        self.assertIn("equal", self.press(browser, "Verify"))
        verification = self.status()["verification"]
        self.assertEqual((verification["verdict"], verification["changedSince"]), ("equal", False))
        visit()
        compared = f"{verification['records']} records and {verification['samples']} samples"
        self.assertIn(f"All {compared} verified", browser.text("#verification").replace(",", ""))
        self.assertEqual(browser.driver.find_elements(By.ID, "verdict"), [], "one verdict")
        intervals = self.local("SELECT count(*) FROM sync_interval")[0][0]
        self.assertGreater(intervals, 0)
        browser.press("Clear …")
        browser.screenshot("wide-sync-clear")
        self.assertEqual(self.local("SELECT count(*) FROM sync_interval"), [(intervals,)], "the first press only asks")
        browser.press("Delete permanently: Delete the intervals")
        self.assertIn(f"{intervals} interval", self.outcome("Delete the intervals"))
        self.assertEqual(self.local("SELECT count(*) FROM sync_interval"), [(0,)])
        samples = lambda: self.server.request("GET", "/steps")[2].count(b'"uuid"')
        self.assertGreater(samples(), 0)
        visit()
        browser.press("Clear …")
        browser.press("Delete permanently: Delete the steps on the server")
        self.outcome("Delete the steps on the server")
        self.assertEqual(samples(), 0)

    def test_with_script(self):
        browser = Browser(self)
        self.use(browser)
        # The page shows what becomes of an action without being loaded again.
        browser.visit(self.dashboard.url + "/view/sync")
        browser.screenshot("wide-sync-buttons")

    def test_without_script(self):
        self.use(Browser(self, script=False, width=390, height=844))

    def test_a_dead_server_is_the_verdict(self):
        self.server.stop()
        browser = Browser(self, width=390, height=844)
        browser.visit(self.dashboard.url + "/view/sync")
        self.succeed(*self.state.words("pause"))
        self.press(browser, "Send")
        browser.visit(self.dashboard.url + "/view/sync")
        verdict, since = browser.text("#verdict").split(" since ")
        self.assertIn("items waiting: held by your pause", verdict)
        line = next(line for line in self.succeed(*self.state.words("status")).stdout.splitlines() if line.startswith("delivery"))
        self.assertEqual(verdict.lower(), line.split(None, 1)[1].split(" since ")[0].lower())
        # The page writes the month in letters.
        shown = datetime.datetime.strptime(since.rstrip("."), "%d %b %Y %H:%M")
        self.assertEqual(f"{shown:%Y-%m-%d %H:%M}", line.split(" since ")[1])


if __name__ == "__main__":
    unittest.main()
