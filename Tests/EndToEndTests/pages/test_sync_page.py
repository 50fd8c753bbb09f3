"""The Sync page: pending and rejected records equal those of the commands, and rejected records can be sent again."""

import datetime
import sqlite3
import time
import unittest
import urllib.request
from contextlib import closing

from support.browser import MISSING, Browser, By
from support.harness import PATIENCE, Peer, ProgramTest
from support.page_figures import PageFigures
from support.page_states import State, waking
from support.times import instant

FIRST = datetime.date(2024, 3, 1)
DAYS = [FIRST + datetime.timedelta(days) for days in range(4)]
REFUSED = [f"steps/hour/{day}/{day}T08:00:00Z" for day in DAYS[:3]]


@unittest.skipIf(MISSING, MISSING)
class SyncPage(ProgramTest):
    def setUp(self):
        super().setUp()
        self.peer = Peer(self)
        self.state = State(self, "home", DAYS[-1], zone="UTC")
        self.source = self.state.lines(line for day in DAYS for line in waking(day, "Watch", "Watch"))
        self.refuse(REFUSED)
        self.state.read(self.source, self.peer.url, status=3)
        self.dashboard = self.state.dashboard(self.peer.url)

    def refuse(self, ids):
        self.peer.script([{"match": "POST *", "do": "reject_ids", "ids": ids, "reason": "no such hour", "times": None}] if ids else [])

    def counts(self):
        return self.state.command("status", "--server", self.peer.url)["outbox"]

    def items(self, state):
        return [item for item in self.state.command("outbox", "list")["items"] if item["state"] == state]

    def rows(self, query):
        with closing(sqlite3.connect(f"file:{self.state.data}/healthsync.sqlite?mode=ro", uri=True)) as connection:
            return connection.execute(query).fetchall()

    def sent(self):
        """Waits until what a button started has ended."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            with urllib.request.urlopen(self.dashboard.url + "/view/sync") as answer:
                if "<strong>Send</strong> ended" in answer.read().decode():
                    return
            time.sleep(0.1)
        self.fail("nothing was sent")

    def push(self, status=0):
        result = self.run_program(*self.state.words("push"), "--server", self.peer.url)
        self.assertEqual(result.returncode, status, result.stderr)

    def compare(self, browser, dead, pending):
        """Compares each figure of the page with the commands."""
        counts = self.counts()
        self.assertEqual((counts["dead"], counts["pending"]), (dead, pending))
        figures = PageFigures(self, browser, self.dashboard.url, self.state.command)
        sections = figures.show("/view/sync")
        server = figures.section(sections, id="server")
        self.assertIn(self.peer.url, server["text"])
        self.assertEqual(
            {name: fact["values"] for name, fact in server["facts"].items()},
            {"Record items delivered": [counts["delivered"]], "Intervals delivered": list(self.rows(
                "SELECT count(*) FROM sync_interval JOIN interval_delivery USING (start_ms) WHERE synced_at_ms > 0 AND sample_count > 0")[0]),
             "Items waiting": [counts["pending"]],
             "Items in flight": [counts["leased"]], "Items rejected": [counts["dead"]]})
        refused = figures.section(sections, id="refused")
        rows = [row for table in refused["tables"] for row in table["rows"]]
        self.assertEqual(
            [[cell["text"] for cell in row[:4]] + [instant(row[4]["times"][0]).timestamp() // 60] for row in rows],
            [[item["record"].rsplit("@", 1)[0], item["kind"], str(item["lastStatus"]), item["lastReason"],
              instant(item["updatedAt"]).timestamp() // 60] for item in self.items("dead")])
        self.assertEqual("Nothing." in refused["text"], dead == 0)
        waiting = [row for section in sections if section["id"] == "waiting" for table in section["tables"] for row in table["rows"]]
        self.assertEqual(
            [[row[0]["text"], row[1]["text"], row[2]["values"][0]] for row in waiting],
            [[item["record"].rsplit("@", 1)[0], item["kind"], item["attempts"]] for item in self.items("pending")][:20])
        sources = figures.section(sections, id="sources")["tables"][0]["rows"]
        self.assertEqual(
            [[row[0]["text"], row[1]["text"], instant(row[3]["times"][0]).timestamp() // 60] for row in sources],
            [[path, provider, at // 60_000] for path, provider, at in self.rows(
                "SELECT path, provider, ingested_at_ms FROM ingested_source ORDER BY ingested_at_ms DESC")])

    def delivered(self, number):
        """Checks that the peer has this number of the rejected records."""
        kept = self.peer.state()["records"]["progress"]
        self.assertEqual([identity.lower() in kept for identity in REFUSED].count(True), number)
        self.assertEqual(self.peer.state()["violations"], [])

    def test_selected_and_all_are_sent_again(self):
        browser = Browser(self)
        self.compare(browser, dead=3, pending=0)
        browser.visit(self.dashboard.url + "/view/sync")
        browser.screenshot("wide-sync-refused")
        first = browser.driver.find_elements(By.CSS_SELECTOR, "#refused tbody input")[0]
        identity = int(first.get_attribute("value"))
        first.click()
        self.assertIn("1 selected", browser.text("#refused .selection"))
        # During a pause the selected record waits.
        self.state.command("pause")
        browser.press("Send selected again")
        self.sent()
        self.assertEqual(self.rows(f"SELECT state FROM outbox_item WHERE id = {identity}"), [("pending",)])
        self.compare(browser, dead=2, pending=1)
        browser.screenshot("wide-sync-waiting")
        # The server still rejects it.
        result = self.run_program(*self.state.words("resume"), "--server", self.peer.url)
        self.assertEqual(result.returncode, 3, result.stderr)
        self.compare(browser, dead=3, pending=0)
        browser.visit(self.dashboard.url + "/view/sync")
        browser.driver.find_element(By.CSS_SELECTOR, f"#refused input[value='{identity}']").click()
        browser.press("Send selected again")
        self.sent()
        self.compare(browser, dead=3, pending=0)
        self.delivered(0)
        self.refuse([])
        browser.visit(self.dashboard.url + "/view/sync")
        browser.driver.find_element(By.CSS_SELECTOR, f"#refused input[value='{identity}']").click()
        browser.press("Send selected again")
        self.sent()
        self.compare(browser, dead=2, pending=0)
        self.delivered(1)
        browser.visit(self.dashboard.url + "/view/sync")
        browser.press("Send all again")
        self.sent()
        self.compare(browser, dead=0, pending=0)
        self.delivered(3)
        self.assertEqual(self.rows("SELECT count(*) FROM outbox_item"), [(0,)])

    def test_they_are_sent_again_without_script(self):
        self.refuse([])
        browser = Browser(self, script=False)
        browser.visit(self.dashboard.url + "/view/sync")
        self.assertNotIn("selected", browser.text("#refused .selection"))
        browser.driver.find_elements(By.CSS_SELECTOR, "#refused tbody input")[1].click()
        browser.press("Send selected again")
        self.sent()
        self.compare(browser, dead=2, pending=0)
        self.delivered(1)
        browser.visit(self.dashboard.url + "/view/sync")
        browser.press("Send all again")
        self.sent()
        self.compare(browser, dead=0, pending=0)
        self.delivered(3)

    def test_nothing_selected_changes_nothing(self):
        browser = Browser(self)
        browser.visit(self.dashboard.url + "/view/sync")
        browser.press("Send selected again", is_rejected=True)
        self.assertIn("select", browser.text("[role=alert]"))
        self.compare(browser, dead=3, pending=0)

    def test_a_record_delivered_in_the_meantime_is_not_sent_twice(self):
        browser = Browser(self)
        browser.visit(self.dashboard.url + "/view/sync")
        # The page does not update what the user selects from.
        browser.driver.find_elements(By.CSS_SELECTOR, "#refused tbody input")[0].click()
        self.refuse([])
        self.state.command("outbox", "retry", "--all")
        self.push()
        browser.press("Send selected again")
        self.sent()
        self.compare(browser, dead=0, pending=0)
        self.delivered(3)


if __name__ == "__main__":
    unittest.main()
