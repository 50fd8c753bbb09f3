"""Pages used by keyboard only, with and without script, and in other languages and zones."""

import collections
import datetime
import time
import unittest
import urllib.request
import zoneinfo

from support.browser import MISSING, Browser, By
from support import pixels
from support.covering import covering
from support.harness import PATIENCE, ProgramTest, Server
from support.page_cells import in_words
from support.page_states import State, sleeping, waking
from support.times import instant
from support.watch import eventually

DAY = datetime.date(2024, 6, 5)
PAGES = ["/"] + [f"/view/{page}" for page in (
    "sleep?last=1d", "sleep?last=7d", "sleep?last=months", "year", "steps?by=hour", "steps?by=month", "heart?by=day", "journal", "shoes", "sync", "intervals")]
SERVED = ["/view/synced-steps", "/view/tokens", "/login"]
# The elements that can have the focus, in the order of the page, without those in collapsed parts.
STOPS = """
return [...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, summary, [tabindex="0"]')]
  .filter(e => e.tabIndex >= 0 && e.checkVisibility({contentVisibilityAuto: true, visibilityProperty: true}) || e.classList.contains('skip'))
  .map(e => e.outerHTML.slice(0, 60));
"""
LISTEN = """
window.stops = [];
document.addEventListener('focusin', event => {
  const style = getComputedStyle(event.target);
  window.stops.push([event.target.outerHTML.slice(0, 60), style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0]);
});
"""
LANGUAGES = (
    "en-US en-GB en-CA en-AU en-NZ en-IN en-IE en-ZA en-PH de de-CH fr fr-CA es es-MX it pt-BR nl sv nb da fi pl cs hu ru uk tr "
    "ro he fa ja zh-CN zh-TW ko ar ar-EG hi bn th vi el").split()
# The language in which numbers are written, by the language of the browser.
FORMS = {"de-DE": "de-DE", "en-US": "en-US", "ar": "en"}
TAB, SPACE, ENTER, DOWN, RIGHT, LEFT, HOME, END = "\ue004", " ", "\ue007", "\ue015", "\ue014", "\ue012", "\ue011", "\ue010"


@unittest.skipIf(MISSING, MISSING)
class PageUse(ProgramTest):
    def fill(self, zone="Europe/Paris", server=None):
        self.state = State(self, "home", DAY, zone=zone)
        self.state.read(self.state.lines([*waking(DAY, "Watch", "Watch"), *sleeping(DAY, "Watch", "Watch")]), server)
        for model in ("One", "Two"):
            self.state.wear("Maker", model, None)
        return self.state.dashboard(server).url

    def focused(self, browser):
        return browser.driver.execute_script("return document.activeElement.id || document.activeElement.textContent.trim()")

    def tab_to(self, browser, *names):
        """Presses Tab until an element with one of these ids or texts has the focus."""
        for _ in range(150):
            if self.focused(browser) in names:
                return
            browser.keys(TAB)
        self.fail(f"Tab does not reach {names}")

    def worn(self):
        return {hour["hour"]: [wearing["shoe"] for wearing in hour["wearings"]]
                for hour in self.state.command("journal", DAY)["hours"] if hour["wearings"]}

    def test_by_keyboard_with_script(self):
        browser = Browser(self)
        self.assign_and_clear(browser, self.fill())
        browser.check()

    def test_by_keyboard_without_script(self):
        server = Server(self, "--zone", "Europe/Paris")
        address = self.fill(server=server.url)
        browser = Browser(self, script=False)
        self.assign_and_clear(browser, address)
        self.add_shoes(browser, address)
        for url, _ in covering("without script", [address + page for page in PAGES] + [server.url + page for page in SERVED], [""], 2):
            browser.visit(url)
            self.assertGreater(len(browser.text("main")), 20)

    def assign_and_clear(self, browser, address):
        browser.visit(f"{address}/view/journal?day={DAY}")
        browser.keys(TAB)
        self.assertEqual(self.focused(browser), "Skip to content")
        browser.keys(ENTER)
        for hour in ("8", "9", "17"):
            self.tab_to(browser, f"hour-{hour}")
            browser.keys(SPACE)
        self.tab_to(browser, "shoe")
        browser.keys(DOWN)
        self.tab_to(browser, "Assign selected hours")
        browser.leave(lambda: browser.keys(ENTER))
        self.assertEqual(self.worn(), {hour: [self.state.shoe] for hour in ("8", "9", "17")})
        for hour in ("8", "17"):
            self.tab_to(browser, f"hour-{hour}")
            browser.keys(SPACE)
        self.tab_to(browser, "Clear selected hours")
        browser.leave(lambda: browser.keys(ENTER))
        self.assertEqual(self.worn(), {"9": [self.state.shoe]})

    def add_shoes(self, browser, address):
        browser.visit(address + "/view/shoes")
        for field, text in (("brand", "Brooks"), ("model", "Ghost 16"), ("price", "120 EUR")):
            self.tab_to(browser, field)
            browser.keys(text)
        browser.leave(lambda: browser.keys(ENTER))
        added = self.state.command("shoes", "list")["shoes"][-1]
        self.assertEqual((added["brand"], added["model"], added["price"]["amount"]), ("Brooks", "Ghost 16", 120))

    def test_every_element_is_reached_by_keyboard_and_shows_its_focus(self):
        server = Server(self, "--zone", "Europe/Paris")
        address = self.fill(server=server.url)
        browser = Browser(self)
        shoe = f"/view/shoe?id={self.state.shoe}"
        urls = [address + page for page in [*PAGES, shoe]] + [server.url + page for page in SERVED]
        for url, _ in covering("keyboard", urls, [""], 2):
            with self.subTest(url):
                browser.visit(url, audit=False)
                wanted = browser.driver.execute_script(STOPS)
                browser.driver.execute_script(LISTEN)
                # A date field has several stops.
                browser.keys(*[TAB] * (len(wanted) + 8))
                stops = browser.driver.execute_script("return window.stops")
                reached = [stop for index, (stop, _) in enumerate(stops) if index == 0 or stops[index - 1][0] != stop]
                self.assertEqual([stop for stop in wanted if stop not in reached], [])
                self.assertEqual(list(dict.fromkeys(reached)), list(dict.fromkeys(wanted)), "the order of the page")
                self.assertEqual([stop for stop, shows in stops if not shows], [])

    def test_a_chart_is_one_stop_and_shows_its_figures(self):
        address = self.fill()
        places = ".chart.{} > [aria-label]"
        words = lambda: (browser.text(".tip"), browser.driver.execute_script("return document.activeElement.getAttribute('aria-label')"))
        for width, kind in ((1100, "wide"), (390, "narrow")):
            browser = Browser(self, width=width)
            browser.visit(f"{address}/view/steps?by=hour&day={DAY}")
            titles = [one.get_attribute("aria-label") for one in browser.driver.find_elements(By.CSS_SELECTOR, places.format(kind))]
            self.assertGreater(len(titles), 5)
            stops = browser.driver.execute_script(f"return document.querySelectorAll('.chart.{kind} > [tabindex=\"0\"]').length")
            self.assertEqual(stops, len(browser.driver.find_elements(By.CSS_SELECTOR, f".chart.{kind}")))
            browser.driver.execute_script(f"document.querySelector('.chart.{kind} > [tabindex=\"0\"]').focus()")
            for key, index in (("", -1), (LEFT, -2), (LEFT, -3), (RIGHT, -2), (HOME, 0), (LEFT, 0), (END, -1)):
                browser.keys(key)
                self.assertEqual(words(), (titles[index],) * 2)
            box = browser.driver.execute_script("const b = document.querySelector('.tip').getBoundingClientRect(); return [b.left, b.right]")
            self.assertTrue(0 <= box[0] < box[1] <= width, box)
            browser.check()
            # The first touch shows the figures, and the second follows the link.
            browser.visit(f"{address}/view/steps?by=day&day={DAY}", audit=False)
            place = browser.driver.find_elements(By.CSS_SELECTOR, places.format(kind))[-1]
            for is_first in (True, False):
                touch = lambda: self.touch(browser, place)
                touch() if is_first else browser.leave(touch)
                if is_first:
                    label = place.get_attribute("aria-label")
                    eventually(lambda: self.assertEqual(browser.text(".tip"), label))
                    self.assertIn("by=day", browser.driver.current_url)
            self.assertIn("by=hour", browser.driver.current_url)
            browser.close()

    def touch(self, browser, place):
        """Touches in one command, because a pause between two would make it a long press."""
        from selenium.webdriver.common.actions.action_builder import ActionBuilder
        from selenium.webdriver.common.actions.interaction import POINTER_TOUCH
        from selenium.webdriver.common.actions.pointer_input import PointerInput

        browser.driver.execute_script("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", place)
        actions = ActionBuilder(browser.driver, mouse=PointerInput(POINTER_TOUCH, "finger"), duration=0)
        actions.pointer_action.move_to(place).pointer_down().pointer_up()
        actions.perform()

    def test_a_wide_table_has_shaded_edges_and_scrolls_by_keyboard(self):
        address = self.fill()
        browser = Browser(self)
        script = browser.driver.execute_script
        for width, dark in ((320, False), (320, True), (1400, False)):
            browser.look(width, 800, dark)
            wide = 0
            for page in ("/view/sync", "/view/journal", "/view/steps?by=month"):
                browser.visit(address + page)
                script("document.querySelectorAll('details').forEach(e => { e.open = true; })")
                for region in browser.driver.find_elements(By.CSS_SELECTOR, ".scroll"):
                    if not region.is_displayed():
                        continue
                    over = script("return arguments[0].scrollWidth - arguments[0].clientWidth", region)
                    if over == 0:
                        self.assertEqual(self.shaded(browser, region), (False, False), page)
                    if over < 48:
                        continue
                    wide += 1
                    self.assertTrue(region.accessible_name and region.aria_role == "region", page)
                    self.assertEqual(self.shaded(browser, region), (False, True), page)
                    script("arguments[0].focus()", region)
                    browser.keys(RIGHT)
                    deadline = time.monotonic() + PATIENCE
                    while script("return arguments[0].scrollLeft", region) == 0:
                        self.assertLess(time.monotonic(), deadline)
                    script("document.activeElement.blur(); arguments[0].scrollTo({left: 99999, behavior: 'instant'})", region)
                    self.assertEqual(self.shaded(browser, region), (True, False), page)
            self.assertEqual(wide > 0, width == 320)
            browser.audit()

    def shaded(self, browser, region):
        """Returns whether the left and the right edge of a region differ in color from its card."""
        card = browser.driver.execute_script(
            "return getComputedStyle(arguments[0].closest('.card')).backgroundColor.match(/\\d+/g).map(Number)", region)
        picture = pixels.rows(browser.picture(region))
        usual = lambda at: collections.Counter(row[at] for row in picture).most_common(1)[0][0]
        return tuple(max(abs(a - b) for a, b in zip(usual(at), card)) > 3 for at in (1, -2))

    def test_languages_and_zones(self):
        self.environment["TZ"] = "America/New_York"
        address = self.fill("Asia/Tokyo")
        selected = covering("languages", PAGES, list(FORMS), 1)
        for language, form in FORMS.items():
            browser = Browser(self, language=language, zone="America/Los_Angeles")
            for page in (page for page, languages in selected if language in languages):
                with self.subTest(f"{language} {page}"):
                    browser.visit(address + page, audit=False)
                    self.assertIn("Asia/Tokyo", browser.text("footer"))
                    self.check_numbers(browser, form)
                    self.check_times(browser, zoneinfo.ZoneInfo("Asia/Tokyo"), "%H:%M" if language == "de-DE" else "%-I:%M %p")
            browser.visit(address + "/view/sleep?last=1d")
            browser.screenshot(f"language-{language}")
            if language != "ar":
                browser.close()
        self.check_clocks(browser, address)

    def check_clocks(self, browser, address):
        """Checks that pages use the 12-hour clock for the same languages as Chromium."""
        habits = browser.driver.execute_script(
            "return arguments[0].map(t => [t, new Intl.DateTimeFormat(t, {hour: 'numeric'}).resolvedOptions().hour12])", LANGUAGES)
        self.assertEqual({habit for _, habit in habits}, {True, False})
        for language, by_twelve in habits:
            request = urllib.request.Request(f"{address}/view/journal?day={DAY}", headers={"Accept-Language": f"xx;q=0.5,{language};q=0.9,en-US;q=0"})
            with urllib.request.urlopen(request) as page:
                text = page.read().decode()
            self.assertEqual((">2:00 PM<" in text or "> 2:00 PM<" in text, "14:00<" in text), (by_twelve, not by_twelve), language)

    def check_numbers(self, browser, form):
        """Checks that numbers are formatted as Chromium formats them in the language."""
        wrong = browser.driver.execute_script("""
            const number = /^[-0-9.,\\u00a0\\u202f\\u2019]+/;
            return [...document.querySelectorAll('data')].map(d => [Number(d.value), d.textContent])
              .filter(([value, text]) => !/ (h|min|s|ms)$/.test(text))
              .filter(([value, text]) => ![0, 1, 2].some(places =>
                 new Intl.NumberFormat(arguments[0], {maximumFractionDigits: places}).format(value) === text.match(number)[0]));
        """, form)
        self.assertEqual(wrong, [])

    def check_times(self, browser, zone, form):
        """Checks that times are in the configured zone, independent of browser and machine, and in the format of the language."""
        times = browser.driver.execute_script(
            "return [...document.querySelectorAll('time')].map(t => [t.dateTime, t.textContent])")
        for exact, text in times:
            if "T" not in exact:
                self.assertTrue(text.endswith(in_words(exact)) if "-" in exact else text, (exact, text))
                continue
            local = instant(exact).astimezone(zone)
            self.assertEqual(instant(exact).utcoffset(), local.utcoffset(), exact)
            self.assertIn(text, (f"{local:{form}}", f"{in_words(local.date())} {local:{form}}"))


if __name__ == "__main__":
    unittest.main()
