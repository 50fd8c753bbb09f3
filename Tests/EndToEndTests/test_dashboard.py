"""The dashboard in a browser, over a generated year: its figures equal those of the commands and of sqlite3."""

import datetime
import http.client
import json
import os
import re
import signal
import unittest
import urllib.parse
import urllib.request

from browser import MISSING, Browser, By
from harness import ProgramTest, Server

PAGES = (
    ["/", "/view/journal", "/view/shoes", "/view/sync", "/view/intervals"]
    + [f"/view/sleep?last={last}" for last in ("1d", "7d", "30d", "3mo")]
    + [f"/view/{page}?by={by}" for page in ("steps", "heart") for by in ("hour", "day", "week", "month", "year")]
)


class DashboardTest(ProgramTest):
    YEARS = os.environ.get("HEALTHSYNC_DASHBOARD_YEARS", "1")

    def fill(self, *words):
        export, truth = self.generate("export.zip", "--years", self.YEARS, "--seed", "42", "--zone", "Europe/Paris")
        self.configuration = self.configuration_for(truth)
        self.succeed("historical", "--config", self.configuration, "--source", export, "--data-dir", "data", *words)

    def open_dashboard(self, *words):
        process = self.start(
            "dashboard", "--port", "0", "--json", "--config", self.configuration, "--data-dir", "data", *words)
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

        self.sleep_figures(browser, address, sleep["day"])
        self.steps_and_heart_figures(browser, address, steps["day"])

    def sleep_figures(self, browser, address, day):
        last = datetime.date.fromisoformat(day)
        for name, length in (("7d", 7), ("30d", 30)):
            first = last - datetime.timedelta(days=length - 1)
            averages = self.command("sleep", "--from", first, "--to", last)["averages"]
            browser.visit(f"{address}/view/sleep?last={name}&day={day}")
            shown = browser.data("main section.card:first-of-type")
            stages = averages["stages"]
            for value, expected in zip(shown, (
                averages["totalSleepMinutes"], averages["timeInBedMinutes"], averages["sleepEfficiencyPercentage"],
                averages["nights"], stages["deepMinutes"], stages["coreMinutes"], stages["remMinutes"], stages["awakeMinutes"],
            ), strict=True):
                self.assertAlmostEqual(value, expected, places=3)

    def steps_and_heart_figures(self, browser, address, day):
        last = datetime.date.fromisoformat(day)
        stretch = ("--from", last - datetime.timedelta(days=30), "--to", last, "--by", "day")
        steps = self.command("steps", *stretch)
        browser.visit(f"{address}/view/steps?by=day&day={day}")
        self.assertEqual(
            browser.data(".facts"),
            [steps["totalSteps"], steps["recordedDays"], steps["averageStepsPerDay"], steps["best"]["steps"]])
        rows = [[period["steps"], period["averageStepsPerDay"], *(origin["steps"] for origin in period["origins"])]
                for period in steps["periods"]]
        self.assertEqual(browser.data("table"), [figure for row in rows for figure in row if figure is not None])
        hours = self.command("steps", day, "--by", "hour")
        browser.visit(f"{address}/view/steps?by=hour&day={day}")
        self.assertEqual(browser.data("#total"), [hours["totalSteps"]])
        heart = self.command("heart", *stretch)
        names = [name + "BeatsPerMinute" for name in ("minimum", "mean", "maximum", "resting")]
        browser.visit(f"{address}/view/heart?by=day&day={day}")
        self.assertEqual(browser.data(".facts"), [heart[names[index]] for index in (1, 0, 2, 3)])
        self.assertEqual(
            browser.data("table"),
            [period[name] for period in heart["periods"] for name in names if period[name] is not None])

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
                browser.driver.find_element(By.ID, f"hour-{hour}").click()
            browser.choose("shoe", f"👟 {name}")
            browser.press("Assign selected hours")
            if number == 1:
                self.assertIn("Salomon", browser.text("#conflicts"))
                browser.screenshot("wide-conflict")
                browser.press("Assign all the same")
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
            browser.driver.find_element(By.ID, f"hour-{hour}").click()
        browser.press("Clear selected hours")
        self.assertEqual(self.command("journal", day)["shoes"], [])
        browser.visit(address + "/view/shoes")
        browser.press("Put on: 👟 Salomon Speedcross 6")
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
            browser.driver.quit()
        self.assertEqual(server.stop(), 0)

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
        form = {"Content-Type": "application/x-www-form-urlencoded", "Origin": f"http://{host}"}
        with urllib.request.urlopen(address + "/view/shoes") as page:
            token = re.search(r'name="form_token" value="([0-9a-f]{64})"', page.read().decode())[1]
        shoe = f"form_token={token}&brand=a&model=b"
        for headers, body in (
            (form, "brand=a&model=b"), (form, shoe.replace(token, token[::-1])), ({**form, "Origin": "http://evil.example"}, shoe),
            ({**form, "Origin": "null"}, shoe), ({"Content-Type": form["Content-Type"]}, shoe),
            ({**form, "Content-Type": "text/plain"}, shoe), ({**form, "Sec-Fetch-Site": "cross-site"}, shoe),
        ):
            self.assertEqual(status("POST", "/view/shoes/add", headers, body), 403)
        self.assertEqual(status("POST", "/view/shoes/add", {**form, "Host": "evil.example"}, shoe), 421)
        self.assertEqual(status("GET", f"/view/shoes/add?{shoe}"), 404)
        self.assertEqual(self.command("shoes", "list")["shoes"], [])
        # While a run holds the lock of the folder, nothing is changed, and the page says who it is.
        holder = self.start("serve", "--port", "0", "--store", f"sqlite:{self.folder}/data/received.db")
        self.addCleanup(self.stop, holder)
        self.assertIn("serving", holder.stdout.readline())
        self.assertEqual(status("GET", "/view/shoes"), 200)
        self.assertEqual(status("POST", "/view/shoes/add", form, shoe), 409)
        self.stop(holder)
        self.assertEqual(status("POST", "/view/shoes/add", form, shoe), 303)
        self.assertEqual([shoe["brand"] for shoe in self.command("shoes", "list")["shoes"]], ["a"])
        for page in PAGES:
            with urllib.request.urlopen(address + page) as answer:
                self.assertLess(int(answer.headers["Content-Length"]), 200_000, page)
        self.process.send_signal(signal.SIGTERM)
        self.assertEqual(self.process.wait(timeout=30), 0)


if __name__ == "__main__":
    unittest.main()
