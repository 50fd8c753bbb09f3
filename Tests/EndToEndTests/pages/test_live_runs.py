"""The Sync page follows a current run without a reload, and shows how it ended. Checked with Chromium and the independent receiving
server."""

import unittest

from support.browser import MISSING, Browser, By
from support.harness import PATIENCE
from support.runs_test import Runs


@unittest.skipIf(MISSING, MISSING)
class LivePage(Runs):
    def row(self, browser, number):
        """Returns the exact figures and the text of a row of the last runs."""
        figures, text = browser.driver.execute_script("""
            const row = document.querySelectorAll('#runs tbody tr')[arguments[0]];
            return [[...row.querySelectorAll('data')].map(figure => figure.value), row.innerText];""", number)
        return [float(figure) for figure in figures], text

    def rows_shown(self, browser):
        return browser.driver.execute_script("return document.querySelectorAll('#runs tbody tr').length")

    def text(self, browser, selector):
        """Returns the text of an element, in one call, because the page may replace the element between two."""
        return browser.driver.execute_script("return document.querySelector(arguments[0]).innerText", selector)

    def assert_row_is(self, browser, number, run):
        figures, text = self.row(browser, number)
        self.assertIn(run["command"], text)
        read, delivery = run["read"], run["delivery"]
        changed = sum(metric.get("records", 0) for metric in run["metrics"]) + run["snapshots"]
        samples = [delivery["samples"]] if delivery["samples"] else []
        self.assertEqual(
            figures[1:], [*samples, read["records"], read["stored"], read["deleted"], changed, delivery["delivered"],
                          delivery["refused"], delivery["left"]])

    def current_phases(self, browser):
        """Returns the phases of the current run on the page with their progress; None if the page shows none."""
        return browser.driver.execute_script("""
            const section = document.getElementById('at-work');
            return section && [...section.querySelectorAll('.phase')].map(phase =>
                [phase.querySelector('label').textContent, phase.querySelector('progress').value]);""")

    def test_a_run_is_followed_without_a_reload(self):
        self.run_program(*self.words("historical", "--source", self.export))
        address = self.open_dashboard("--server", self.peer.url) + "/view/sync"
        browser = Browser(self)
        browser.visit(address)
        self.assertIn("No run is in progress; the last one, historical, completed with failures.",
                      self.text(browser, "#run-status"))
        self.assertIn("no such <b>day", self.text(browser, "#refused"))
        self.assert_row_is(browser, 0, self.runs()[0])
        box = browser.driver.find_element(By.CSS_SELECTOR, "#refused input[type=checkbox]")
        box.click()
        browser.driver.execute_script("""
            window.isSame = true;
            window.said = [];
            new MutationObserver(() => window.said.push(document.getElementById('run-status').textContent))
                .observe(document.getElementById('run-status'), {childList: true, characterData: true, subtree: true});""")
        browser.driver.execute_script("""
            const original = window.fetch;
            window.updates = 0;
            window.fetch = (...all) => original(...all).finally(() => { window.updates += 1; });""")
        self.answer(seconds=PATIENCE)
        process = self.slow_run()
        self.wait_until(lambda: self.current_phases(browser))
        browser.check()
        browser.screenshot("wide-run-at-work")
        delivering = []
        while len(set(delivering)) < 3:
            self.assertIsNone(process.poll(), f"the run ended when the page had shown only {delivering}")
            delivering += [phase[1] for phase in self.current_phases(browser) or () if phase[0].startswith("delivering")]
            # At most one response arrives between two updates of the page.
            self.answer(seconds=PATIENCE)
            seen = browser.driver.execute_script("return window.updates")
            self.wait_until(lambda: browser.driver.execute_script("return window.updates") >= seen + 2)
        self.assertEqual(delivering, sorted(delivering))
        self.answer(seconds=0)
        process.communicate()
        self.wait_until(lambda: self.current_phases(browser) is None)
        runs = self.runs()
        self.wait_until(lambda: self.rows_shown(browser) == 2)
        self.assert_row_is(browser, 0, runs[0])
        self.assert_row_is(browser, 1, runs[1])
        self.assertTrue(browser.driver.execute_script("return window.isSame"), "the page was loaded again")
        # Selection and focus are unchanged, and a screen reader announced two sentences.
        self.assertTrue(box.is_selected())
        self.assertTrue(browser.driver.execute_script("return document.activeElement === arguments[0]", box))
        said = browser.driver.execute_script("return window.said")
        self.assertEqual(said[0], "historical is in progress.")
        self.assertEqual(len(said), 2, said)
        browser.check()
        browser.screenshot("wide-last-runs")
        # Without JavaScript a reload shows the same.
        plain = Browser(self, script=False, width=390, height=844)
        plain.visit(address)
        row = plain.driver.find_elements(By.CSS_SELECTOR, "#runs tbody tr")[0]
        shown = [float(figure.get_attribute("value")) for figure in row.find_elements(By.CSS_SELECTOR, "data")]
        self.assertEqual(shown, self.row(browser, 0)[0])

    def test_an_unused_form_is_updated(self):
        self.run_program(*self.words("historical", "--source", self.export))
        address = self.open_dashboard("--server", self.peer.url) + "/view/sync"
        browser = Browser(self)
        browser.visit(address)
        browser.driver.execute_script("window.isSame = true")
        self.run_program("outbox", "drop", "--all", "--data-dir", "data")
        self.wait_until(lambda: self.text(browser, "#refused").endswith("Nothing."))
        self.answer(seconds=0)
        self.run_program(*self.words("historical", "--force"))
        self.wait_until(lambda: "no such <b>day" in self.text(browser, "#refused"))
        # The script's addition to the form exists again.
        self.assertIn("0 selected", self.text(browser, "#refused"))
        self.assertTrue(browser.driver.execute_script("return window.isSame"))
        browser.check()

    def test_a_killed_run_is_shown_as_cut_off(self):
        self.run_program(*self.words("historical", "--source", self.export))
        address = self.open_dashboard("--server", self.peer.url) + "/view/sync"
        self.answer(seconds=PATIENCE)
        process = self.slow_run()
        browser = Browser(self, width=390, height=844, dark=True)
        browser.visit(address)
        self.wait_until(lambda: self.current_phases(browser))
        browser.check()
        browser.screenshot("phone-dark-run-at-work")
        process.kill()
        process.wait()
        self.wait_until(lambda: "was cut off" in self.text(browser, "#run-status"))
        self.assertIn("cut off", self.row(browser, 0)[1])
        self.assertEqual(self.row(browser, 0)[0], [])
        self.assertEqual(self.runs()[0]["outcome"], "cutOff")
        browser.check()

    def test_a_hidden_page_sends_no_requests(self):
        self.run_program(*self.words("historical", "--source", self.export))
        address = self.open_dashboard("--server", self.peer.url) + "/view/sync"
        browser = Browser(self)
        browser.visit(address)
        # From here on the timers of the script are recorded and do not fire.
        browser.driver.execute_script("""
            window.timers = new Map();
            const clear = window.clearTimeout.bind(window);
            window.setTimeout = (block, milliseconds) => { timers.set(timers.size + 1, milliseconds); return timers.size; };
            window.clearTimeout = (number) => { timers.delete(number); clear(number); };
            window.look = (state) => {
                Object.defineProperty(document, 'visibilityState', {value: state, configurable: true});
                document.dispatchEvent(new Event('visibilitychange'));
            };
            look('visible');""")
        pending = "return [...timers.values()]"
        self.wait_until(lambda: browser.driver.execute_script(pending) == [10_000])
        browser.driver.execute_script("look('hidden')")
        self.assertEqual(browser.driver.execute_script(pending), [])
        self.answer(seconds=PATIENCE)
        process = self.slow_run()
        # A page that becomes visible is updated at once, and then every second during a run.
        self.assertIsNone(self.current_phases(browser))
        browser.driver.execute_script("look('visible')")
        self.wait_until(lambda: self.current_phases(browser) is not None)
        self.wait_until(lambda: browser.driver.execute_script(pending) == [1_000])
        process.kill()
        process.wait()


if __name__ == "__main__":
    unittest.main()
