"""The dashboard in a browser, over a generated year: its figures equal those of the commands and of sqlite3."""

import http.client
import json
import os
import signal
import unittest
import urllib.parse
import urllib.request

from browser import MISSING, Browser
from harness import ProgramTest

PAGES = (
    ["/"]
    + [f"/view/sleep?last={last}" for last in ("1d", "7d", "30d", "3mo")]
    + [f"/view/{page}?by={by}" for page in ("steps", "heart") for by in ("hour", "day", "week", "month", "year")]
)


class DashboardTest(ProgramTest):
    YEARS = os.environ.get("HEALTHSYNC_DASHBOARD_YEARS", "1")

    def fill(self, *words):
        export, truth = self.generate("export.zip", "--years", self.YEARS, "--seed", "42", "--zone", "Europe/Paris", *words)
        self.configuration = self.configuration_for(truth)
        self.succeed("historical", "--config", self.configuration, "--source", export, "--data-dir", "data")

    def open_dashboard(self):
        process = self.start("dashboard", "--port", "0", "--json", "--config", self.configuration, "--data-dir", "data")
        self.addCleanup(self.stop, process)
        lines = []
        while "}" not in "".join(lines):
            line = process.stdout.readline()
            if not line:
                self.fail(process.stderr.read())
            lines.append(line)
        self.process = process
        return json.loads("".join(lines))["address"]

    def stop(self, process):
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=30)
        process.stdout.close()
        process.stderr.close()

    def command(self, *words):
        return self.json_of(*words, "--config", self.configuration, "--data-dir", "data")


@unittest.skipIf(MISSING, MISSING)
class Pages(DashboardTest):
    def test_every_page(self):
        self.fill()
        address = self.open_dashboard()
        for name, options in {
            "wide": {}, "phone": {"width": 390, "height": 844}, "dark": {"dark": True},
            "phone-dark": {"width": 390, "height": 844, "dark": True},
        }.items():
            browser = Browser(self, **options)
            for page in PAGES:
                with self.subTest(f"{name} {page}"):
                    browser.visit(address + page)
                    shot = page.strip("/").replace("view/", "").replace("?", "-").replace("=", "-") or "summary"
                    browser.screenshot(f"{name}-{shot}")
            browser.driver.quit()
        self.figures(address)

    def figures(self, address):
        browser = Browser(self)
        summary = self.command("summary")
        browser.visit(address + "/")
        steps, rate, sleep = summary["steps"], summary["heartRate"], summary["sleep"]
        self.assertEqual(browser.data("#steps"), [steps["quantity"]])
        self.assertEqual(browser.data("#heart"), [rate["quantity"], rate["minimum"], rate["maximum"]])
        self.assertAlmostEqual(browser.data("#sleep")[0], sleep["totalSleepMinutes"])
        self.assertAlmostEqual(browser.data("#sleep")[1], sleep["sleepEfficiencyPercentage"])
        self.assertIn(f"{round(sleep['totalSleepMinutes'] / 60, 1):g} h", browser.text("#sleep"))

    def test_without_script(self):
        self.fill()
        address = self.open_dashboard()
        browser = Browser(self, script=False)
        for page in PAGES:
            browser.visit(address + page)
            self.assertGreater(len(browser.text("main")), 20)


class Door(DashboardTest):
    def test_door(self):
        self.fill()
        address = self.open_dashboard()
        host = urllib.parse.urlsplit(address).netloc

        def status(method, path, headers=None, body=None):
            connection = http.client.HTTPConnection(host)
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            answer.read()
            connection.close()
            return answer.status

        self.assertEqual(status("GET", "/"), 200)
        self.assertEqual(status("GET", "/", {"Host": "evil.example"}), 421)
        self.assertEqual(status("POST", "/view/steps", {"Origin": "http://evil.example"}, "a=b"), 403)
        self.assertEqual(status("DELETE", "/view/steps"), 405)
        for page in PAGES:
            with urllib.request.urlopen(address + page) as answer:
                self.assertLess(int(answer.headers["Content-Length"]), 200_000, page)
        self.process.send_signal(signal.SIGTERM)
        self.assertEqual(self.process.wait(timeout=30), 0)


if __name__ == "__main__":
    unittest.main()
