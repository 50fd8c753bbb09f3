"""The journal: hours and steps of the selection, the message after a change and its undo, collapsed hours; shoes in their
own colors and their months."""

import collections
import datetime
import sqlite3
import unittest
from contextlib import closing

from support.browser import MISSING, Browser, By
from support.harness import ProgramTest
from support.page_cells import value
from support.page_figures import PageFigures
from support.page_states import State, waking

DAYS = [datetime.date(2024, month, day) for month in (4, 6) for day in (3, 5)]


@unittest.skipIf(MISSING, MISSING)
class Journal(ProgramTest):
    def setUp(self):
        super().setUp()
        self.state = State(self, "home", DAYS[-1])
        self.state.read(self.state.lines(line for day in DAYS for line in waking(day, "Watch", "Watch")))
        self.state.wear("Maker", "Red", None, "--colour", "#aa3300")
        self.state.wear("Maker", "White", None, "--colour", "white")
        self.state.wear("Maker", "Odd", None, "--colour", "nosuchcolour")
        self.ids = {shoe["model"]: shoe["id"] for shoe in self.state.command("shoes", "list")["shoes"]}
        self.address = self.state.dashboard().url

    def sessions(self):
        with closing(sqlite3.connect(f"file:{self.state.data}/healthsync.sqlite?mode=ro", uri=True)) as connection:
            return connection.execute("SELECT * FROM shoe_session ORDER BY start_ms").fetchall()

    def choose(self, browser, *hours):
        for hour in hours:
            browser.tick(f"hour-{hour}")

    def change(self, browser):
        """Assigns and clears hours and undoes both; returns nothing, because nothing is left."""
        browser.visit(f"{self.address}/view/journal")
        self.choose(browser, 8, 9)
        browser.choose("shoe", "Maker White")
        browser.press("Assign selected hours")
        self.assertIn("2 hours assigned to Maker White.", browser.text("#done"))
        assigned = self.sessions()
        self.assertEqual(len(assigned), 1)
        self.choose(browser, 9)
        browser.press("Clear selected hours")
        self.assertIn("1 hour cleared.", browser.text("#done"))
        self.assertNotEqual(self.sessions(), assigned)
        browser.screenshot("wide-journal-cleared")
        browser.press("Undo")
        self.assertIn("as before", browser.text("#done"))
        self.assertEqual(self.sessions(), assigned)
        self.assertEqual([button.text for button in browser.driver.find_elements(By.CSS_SELECTOR, "#done button")], [])
        self.state.command("shoes", "unassign", "--day", DAYS[-1], "--hours", "8-9")

    def test_selection_message_and_undo(self):
        browser = Browser(self, height=500)
        browser.visit(f"{self.address}/view/journal")
        hours = {hour["hour"]: hour for hour in self.state.command("journal", DAYS[-1])["hours"]}
        self.choose(browser, 8, 9, 17)
        steps = sum(hours[str(hour)]["steps"] for hour in (8, 9, 17))
        self.assertIn(f"3 h · {steps:.0f} steps", browser.text(".bar .selection"))
        box = browser.driver.execute_script(
            "scrollTo(0, document.getElementById('hour-8').getBoundingClientRect().top + scrollY - 80);"
            "const b = document.querySelector('.bar').getBoundingClientRect(); return [b.top, b.bottom, innerHeight]")
        self.assertLessEqual(box[1], box[2] + 1, "the bar is in sight while hours are selected")
        browser.screenshot("wide-journal-bar")
        self.change(browser)
        self.assertEqual(self.sessions(), [])

    def test_without_script(self):
        browser = Browser(self, script=False, width=390, height=844)
        self.change(browser)
        self.assertEqual(self.sessions(), [])

    def test_hours_without_steps_are_collapsed(self):
        browser = Browser(self)
        browser.visit(f"{self.address}/view/journal")
        hours = self.state.command("journal", DAYS[-1])["hours"]
        empty = [hour["hour"] for hour in hours if not hour["steps"]]
        self.assertIn(f"{len(empty)} hours without steps", browser.text("#empty-hours summary"))
        found = [box.get_attribute("value") for box in browser.driver.find_elements(By.CSS_SELECTOR, "#empty-hours tbody input")]
        self.assertEqual(found, empty)
        is_shown = f"return document.getElementById('hour-{empty[0]}').checkVisibility({{contentVisibilityAuto: true}})"
        self.assertFalse(browser.driver.execute_script(is_shown))
        # If all hours are selected, the collapsed ones are shown.
        browser.driver.execute_script("document.querySelector('.bar button').click()")
        self.assertTrue(browser.driver.execute_script(is_shown))

    def test_shoes_have_their_own_colors(self):
        for model, hours in (("Red", "8"), ("White", "9"), ("Odd", "10")):
            self.state.command("shoes", "assign", self.ids[model], "--day", DAYS[-1], "--hours", hours)
        for look in ({}, {"dark": True, "width": 390, "height": 844}):
            browser = Browser(self, **look)
            browser.visit(f"{self.address}/view/journal")
            fills = browser.driver.execute_script(
                "return [...document.querySelectorAll('.chart .own, .chart .shoe-2')].map(e => getComputedStyle(e).fill)")
            self.assertEqual(fills[:2], ["rgb(170, 51, 0)", "rgb(255, 255, 255)"])
            self.assertNotIn(fills[2], ["rgb(0, 0, 0)", "none", *fills[:2]], "an unknown name falls back to a color of the pages")
            browser.screenshot("phone-dark-own-colors" if look else "wide-own-colors")
            browser.visit(f"{self.address}/view/shoes")
            shown = browser.driver.execute_script(
                "return [...document.querySelectorAll('h2 .swatch')].map(e => getComputedStyle(e).backgroundColor)")
            self.assertEqual(shown[:2], ["rgb(170, 51, 0)", "rgb(255, 255, 255)"])

    def test_the_months_of_a_pair(self):
        wanted = collections.defaultdict(float)
        for day, hours in zip(DAYS, ("8-10", "9", "14-15", "20")):
            self.state.command("shoes", "assign", self.ids["Red"], "--day", day, "--hours", hours)
            for shoe in self.state.command("journal", day)["shoes"]:
                wanted[f"{day:%b %Y}"] += shoe["steps"]
        browser = Browser(self)
        figures = PageFigures(self, browser, self.address, self.state.command)
        browser.visit(f"{self.address}/view/shoe?id={self.ids['Red']}")
        browser.screenshot("wide-shoe-months")
        section = figures.section(browser.sections(), id="months")
        rows = {row[0]["text"]: value(row[1]) or 0 for row in section["tables"][0]["rows"]}
        self.assertEqual(rows, {"Jun 2024": wanted["Jun 2024"], "May 2024": 0, "Apr 2024": wanted["Apr 2024"]})


if __name__ == "__main__":
    unittest.main()
