"""The pages of the dashboard and of a server in states of the data with little in them, wide and narrow, light and dark."""

import datetime
import json
import unittest

from support.browser import MISSING, By
from support.harness import Peer
from support.page_cells import shown
from support.page_states import HOSTILE, names, sleeping, sums_of_a_night
from support.page_states_test import DAY, HOME, SERVED, PageStatesTest


@unittest.skipIf(MISSING, MISSING)
class PageStates(PageStatesTest):
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


if __name__ == "__main__":
    unittest.main()
