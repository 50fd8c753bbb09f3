"""The dashboard in a browser, over a generated year: its figures equal those of the commands and of sqlite3."""

import datetime
import signal
import unittest
import urllib.parse

from support.browser import MISSING, Browser, By
from support.covering import covering
from support.dashboard_test import DashboardTest
from support.harness import PATIENCE, Server
from support.page_figures import PageFigures
from support.page_forms import Site

PAGES = (
    ["/", "/view/metrics", "/view/journal", "/view/shoes", "/view/sync", "/view/intervals"]
    + [f"/view/sleep?last={last}" for last in ("1d", "7d", "30d", "3mo", "months", "years", "all")] + ["/view/year", "/view/years"]
    + [f"/view/{page}by={by}" for page in ("steps?", "heart?", "metric?name=activeEnergy&", "metric?name=restingHeartRate&")
       for by in ("hour", "day", "week", "month", "year")]
)
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; script-src 'self'", "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Cross-Origin-Resource-Policy": "same-origin",
}


@unittest.skipIf(MISSING, MISSING)
class Pages(DashboardTest):
    def test_figures(self):
        self.fill()
        figures = PageFigures(self, Browser(self), self.open_dashboard(), self.command)
        figures.summary()
        day = self.command("summary")["steps"]["day"]
        earlier = datetime.date.fromisoformat(day) - datetime.timedelta(days=200)
        checks = [(figures.steps_by_hour,), (figures.heart_by_hour,), (figures.night,), (figures.journal,)]
        checks += [(check, by) for by in ("day", "week", "month", "year") for check in (figures.steps_by, figures.heart_by)]
        checks += [(figures.nights, last) for last in ("7d", "30d", "3mo")]
        for (check, *words), days in covering("dashboard", checks, [day, earlier], 1):
            for shown in days:
                check(*words, shown)

    def test_shoes_and_journal_in_the_browser(self):
        self.fill()
        address = self.open_dashboard()
        browser = Browser(self)
        for brand, model in (("Salomon", "Speedcross 6"), ("<b>Hoka</b>", "Clifton")):
            browser.visit(address + "/view/shoes")
            browser.fill(brand=brand, model=model, emoji="👟", price="139.95 EUR")
            browser.press("Add shoes")
        day = self.command("summary")["steps"]["day"]
        for number, (name, hours) in enumerate((("Salomon Speedcross 6", "8 9 10"), ("<b>Hoka</b> Clifton", "10 17"))):
            browser.visit(f"{address}/view/journal?day={day}")
            for hour in hours.split():
                browser.tick(f"hour-{hour}")
            browser.choose("shoe", f"👟 {name}")
            browser.press("Assign selected hours")
            if number == 1:
                self.assertIn("Salomon", browser.text("#conflicts"))
                browser.screenshot("wide-conflict")
                browser.press("Assign anyway")
        browser.visit(f"{address}/view/journal?day={day}")
        browser.screenshot("wide-journal-worn")
        journal = self.command("journal", day)
        uses = [figure for shoe in journal["shoes"] for figure in (shoe["steps"], shoe["walkingDistanceKilometres"], shoe["wornMinutes"])]
        rest, total = journal["unattributed"], journal["total"]
        self.assertEqual(
            browser.data("#totals"),
            uses + [rest["steps"], rest["walkingDistanceKilometres"], total["steps"], total["walkingDistanceKilometres"]])
        self.assertEqual([shoe["wornMinutes"] for shoe in journal["shoes"]], [120, 120])
        for hour in ("8", "9", "10", "17"):
            browser.tick(f"hour-{hour}")
        browser.press("Clear selected hours")
        self.assertEqual(self.command("journal", day)["shoes"], [])
        browser.visit(address + "/view/shoes")
        browser.press("Start session: 👟 Salomon Speedcross 6")
        worn = [shoe["wornNow"] for shoe in self.command("shoes", "list")["shoes"]]
        self.assertEqual(worn, [True, False])
        for name, options in {"wide": {}, "phone-dark": {"width": 390, "height": 844, "dark": True}}.items():
            looking = Browser(self, **options)
            for page in ("/view/shoes", f"/view/journal?day={day}"):
                looking.visit(address + page)
                looking.screenshot(f"{name}-worn-{page.split('/')[2].split('?')[0]}")

    def test_intervals_in_the_browser(self):
        server = Server(self)
        self.fill("--server", server.url)
        address = self.open_dashboard("--server", server.url)
        intervals = self.command("intervals", "--server", server.url)["types"][0]
        totals = intervals["totals"]
        self.assertGreater(totals["intervals"], 100)
        for name, options in {"wide": {}, "phone-dark": {"width": 390, "height": 844, "dark": True}}.items():
            browser = Browser(self, **options)
            browser.visit(address + "/view/intervals")
            browser.screenshot(f"{name}-intervals-synced")
            states = [totals[state] for state in ("synced", "waiting", "refused", "local")]
            self.assertEqual(sorted(browser.data("#map dl")), sorted(map(float, states)))
            cells = [int(link.text) for link in browser.driver.find_elements(By.CSS_SELECTOR, "#map table a")]
            self.assertEqual(sum(cells), totals["intervals"])
            listed = [tuple(map(float, pair)) for pair in zip(*[iter(browser.data("#intervals table"))] * 2)]
            known = [(interval["samples"], interval["steps"]) for interval in intervals["intervals"]]
            self.assertEqual(listed, known[-cells[-1]:][:250])
            browser.close()
        self.assertEqual(server.stop(), 0)


class Process(DashboardTest):
    def test_process(self):
        self.fill()
        address = self.open_dashboard()
        # While another process holds the lock of the folder, nothing changes, and the page names that process.
        site = Site(address, [self.folder / "data/healthsync.sqlite"])
        fields = [*site.forms("/view/shoes")["/view/shoes/add"], ("brand", "a"), ("model", "b")]
        fields = [(name, value) for name, value in fields if value]
        add = lambda: site.ask("POST", "/view/shoes/add", site.own(), urllib.parse.urlencode(fields))
        holder = Server(self, "--store", f"sqlite:{self.folder}/data/received.db", folder="data")
        self.assertEqual(site.ask("GET", "/view/shoes")[0].status, 200)
        answer, text = add()
        self.assertEqual(answer.status, 409)
        self.assertIn(str(holder.process.pid), text)
        holder.stop()
        self.assertEqual(add()[0].status, 303)
        self.assertEqual([shoe["brand"] for shoe in self.command("shoes", "list")["shoes"]], ["a"])
        for page in PAGES:
            answer, text = site.ask("GET", page)
            self.assertLess(len(text.encode()), 200_000, page)
            for name, words in HEADERS.items():
                self.assertIn(words, answer.getheader(name), (page, name))
        self.process.send_signal(signal.SIGTERM)
        self.assertEqual(self.process.wait(timeout=PATIENCE), 0)


if __name__ == "__main__":
    unittest.main()
