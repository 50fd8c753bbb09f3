"""Runs as other processes see them: the Sync page follows a current run without a reload, and the page and `status` report the
outcome of each. Checked with Chromium, sqlite3 and the independent receiving server."""

import os
import signal
import sqlite3
import time
import unittest
from contextlib import closing

from support.browser import MISSING, Browser, By
from support.dashboard_test import DashboardTest
from support.harness import PATIENCE, Peer
from support.times import instant

REFUSED = "steps/day/2025-03-03"


class Runs(DashboardTest):
    ZONE = ("--zone", "Europe/Paris", "--data-dir", "data")

    def setUp(self):
        super().setUp()
        self.peer = Peer(self)
        self.export, truth = self.generate("export.zip", "--years", "1", "--seed", "11", "--last-day", "2025-06-30")
        self.configuration = self.configuration_for(truth)
        self.answer(seconds=0)

    def answer(self, seconds):
        """Makes the peer reject one record and delay each response by `seconds`, or until it is called again."""
        refuse = {"match": "POST */progress", "do": "reject_ids", "ids": [REFUSED], "reason": "no such <b>day", "times": None}
        slow = {"match": "POST *", "do": "slow", "seconds": seconds, "times": None}
        self.peer.script([refuse] + ([slow] if seconds else []))

    def words(self, command, *more):
        return (command, "--config", self.configuration, "--data-dir", "data", "--server", self.peer.url, *more)

    def runs(self):
        return self.command("status")["runs"]

    def rows(self):
        with closing(sqlite3.connect(f"file:{self.folder}/data/healthsync.sqlite?mode=ro", uri=True)) as connection:
            return connection.execute("SELECT command, ending FROM run ORDER BY id").fetchall()

    def wait_until(self, what):
        """Waits until `what` returns a true value; returns the value."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if found := what():
                return found
            time.sleep(0.05)
        self.fail("nothing happened")

    def stop(self, process):
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=PATIENCE)
        process.stdout.close()
        process.stderr.close()

    def slow_run(self):
        """Starts a run that the peer slows down, and waits until `status` shows it; returns its process."""
        # Without a stated deadline, a run ends by itself after a minute without an answer.
        process = self.start(*self.words("historical", "--force", "--concurrency", "1", "--quiet", "--deadline", "604800"))
        self.addCleanup(self.stop, process)
        self.wait_until(lambda: self.runs()[0]["outcome"] == "atWork" or process.poll() is not None)
        self.assertIsNone(process.poll(), "the run ended too early")
        return process


class Recorded(Runs):
    def test_each_run_and_how_it_ended(self):
        self.assertEqual(self.run_program(*self.words("historical", "--source", self.export)).returncode, 3)
        first = self.json_of(*self.words("daily", "--source", self.export))
        self.run_program(*self.words("push"))
        self.assertEqual(self.run_program(*self.words("daily", "--source", "away.zip")).returncode, 66)
        # A command that only marks items for the next run is not recorded.
        self.run_program("outbox", "retry", "--all", "--data-dir", "data")
        runs = self.runs()
        self.assertEqual(
            [(run["command"], run["outcome"]) for run in runs],
            [("daily", "failed"), ("push", "completed"), ("daily", "completed"), ("historical", "completedWithFailures")])
        self.assertEqual(self.rows(), [(run["command"], run["outcome"]) for run in reversed(runs)])
        failed, push, daily, historical = runs
        self.assertEqual([failure["code"] for failure in failed["failures"]], ["noInput"])
        self.assertIn("away.zip", failed["failures"][0]["subject"])
        # A run derives days in reach of a sample, too; the history states those with records.
        recorded = self.json_of("status", "--data-dir", "data")["recordedDays"]
        self.assertEqual(daily["days"], recorded)
        self.assertLessEqual(first["days"]["first"], recorded["first"])
        self.assertGreaterEqual(first["days"]["last"], recorded["last"])
        self.assertEqual((daily["read"]["unchangedSources"], daily["read"]["records"]), (1, 0))
        read = historical["read"]
        self.assertEqual(read["records"], read["stored"] + read["alreadyKnown"] + read["rejected"] + read["notSelected"])
        self.assertEqual(historical["delivery"]["rejected"], 1)
        self.assertGreater(historical["delivery"]["delivered"], 1000)
        self.assertEqual({failure["code"] for failure in historical["failures"]}, {"deliveryIncomplete"})
        self.assertEqual(push["delivery"]["delivered"], 0)
        for run in runs:
            self.assertLessEqual(instant(run["start"]), instant(run["end"]))
        text = self.succeed("status", *self.ZONE).stdout
        self.assertIn("completed with failures", text)
        self.assertIn("away.zip", text)

    def test_stopped_and_killed(self):
        self.run_program(*self.words("historical", "--source", self.export))
        self.answer(seconds=PATIENCE)
        process = self.slow_run()
        phases = self.wait_until(lambda: self.runs()[0]["progress"])
        self.assertTrue(all(phase["phase"] and phase["done"] >= 0 for phase in phases))
        self.assertEqual(os.stat(self.folder / "data/healthsync.progress").st_mode & 0o777, 0o600)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=PATIENCE), 130)
        self.assertEqual(self.runs()[0]["outcome"], "cancelled")
        self.assertIsNone(self.runs()[0]["progress"])
        self.assertFalse((self.folder / "data/healthsync.progress").exists())

        process = self.slow_run()
        self.wait_until(lambda: self.runs()[0]["progress"])
        process.kill()
        process.wait()
        killed = self.runs()[0]
        self.assertEqual((killed["outcome"], killed["end"], killed["progress"]), ("cutOff", None, None))
        self.assertIsNone(self.rows()[-1][1], "status changes nothing")
        self.assertIn("cut off", self.succeed("status", *self.ZONE).stdout)
        # Now another process holds the folder.
        holder = self.start("serve", "--port", "0", "--store", f"sqlite:{self.folder}/data/received.db")
        self.addCleanup(self.stop, holder)
        self.assertIn("serving", holder.stdout.readline())
        self.assertEqual(self.runs()[0]["outcome"], "cutOff")
        self.stop(holder)
        self.answer(seconds=0)
        self.run_program(*self.words("daily"))
        self.assertEqual([ending for _, ending in self.rows()][1:3], ["cancelled", "cutOff"])
        self.assertFalse((self.folder / "data/healthsync.progress").exists())

    def test_the_last_thousand_are_kept(self):
        self.run_program(*self.words("historical", "--source", self.export))
        with closing(sqlite3.connect(self.folder / "data/healthsync.sqlite")) as connection:
            connection.execute("PRAGMA journal_mode = wal")
            connection.executemany(
                "INSERT INTO run (command, started_at_ms, ending) VALUES ('daily', ?, 'completed')", [(n,) for n in range(1500)])
            connection.execute("INSERT INTO run_metric (run_id, metric, outcome) VALUES (2, 'steps', 'nothingNew')")
            connection.commit()
        self.run_program(*self.words("daily"))
        self.assertEqual(len(self.rows()), 1000)
        with closing(sqlite3.connect(f"file:{self.folder}/data/healthsync.sqlite?mode=ro", uri=True)) as connection:
            self.assertEqual(connection.execute("SELECT count(*) FROM run_metric WHERE run_id < 500").fetchone(), (0,))
            self.assertEqual(connection.execute("PRAGMA integrity_check").fetchone(), ("ok",))


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
        changed = sum(metric.get("records", 0) for metric in run["metrics"])
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
        self.assertIn("No run is in progress; the last one, historical, completed with failures.", self.text(browser, "#run-status"))
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
