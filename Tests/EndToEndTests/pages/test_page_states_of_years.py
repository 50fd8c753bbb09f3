"""Every page of the dashboard and of a server with ten years of data, wide and narrow, light and dark."""

import datetime
import json
import unittest

from support.browser import MISSING
from support.harness import Server
from support.page_figures import PageFigures
from support.page_history import HistoryFigures, all_days
from support.page_states_test import EVERY_HOME, LOOKS, PageStatesTest


@unittest.skipIf(MISSING, MISSING)
class PageStatesOfYears(PageStatesTest):
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
        days = all_days(state.command)
        for url in (dashboard.url, server.url):
            figures = PageFigures(self, self.browser, url, state.command)
            HistoryFigures(self, self.browser, days, figures).check()
        self.see(state, server, dashboard, EVERY_HOME, looks=LOOKS, part=2)


if __name__ == "__main__":
    unittest.main()
