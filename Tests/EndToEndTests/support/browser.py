"""A headless Chromium that records forbidden behavior of pages."""

import atexit
import base64
import json
import os
import pathlib
import shutil
import tempfile
import time

from support import axe
from support import harness

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.by import By  # noqa: F401
except ImportError:
    webdriver = By = None
    Service = object

CHROMIUM = shutil.which("chromium")
DRIVER = shutil.which("chromedriver")
MISSING = None if webdriver and CHROMIUM and DRIVER else "Chromium, its driver or selenium is not here"

# Parts of Chromium that no test needs and that start processes or work at each page.
UNUSED = ("BackForwardCache", "GlobalMediaControls", "HistoryClusters", "LensOverlay", "OptimizationHints", "PageContentAnnotations",
          "PreloadTopChromeWebUI", "SpareRendererForSitePerProcess", "Translate")

# Checks in addition to axe: contrast of shapes, content wider than the window, clipped and colliding text, accessible
# names, and words, as Chromium computes them. Needs no download.
AUDIT = r"""
const problems = [];
const visible = e => e.getClientRects().length > 0 && getComputedStyle(e).visibility !== 'hidden';
const color = text => (text.match(/[\d.]+/g) || []).map(Number);
const over = (top, below) => { const a = top.length > 3 ? top[3] : 1; return [0, 1, 2].map(i => top[i] * a + below[i] * (1 - a)); };
const luminance = c => { const [r, g, b] = c.map(v => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
const contrast = (a, b) => { const [x, y] = [luminance(a), luminance(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
const behind = e => { const layers = []; for (let n = e; n; n = n.parentElement) layers.push(color(getComputedStyle(n).backgroundColor));
  return layers.reverse().reduce((below, top) => top.length ? over(top, below) : below, matchMedia('(prefers-color-scheme: dark)').matches ? [0, 0, 0] : [255, 255, 255]); };
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
for (let node = walker.nextNode(); node; node = walker.nextNode()) {
  const e = node.parentElement;
  if (!node.data.trim() || !visible(e) || e.closest('title, script')) continue;
  const style = getComputedStyle(e);
  const ink = color(e.namespaceURI.endsWith('svg') ? style.fill : style.color);
  const ground = behind(e);
  const size = parseFloat(style.fontSize), large = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
  const ratio = contrast(over(ink, ground), ground);
  if (ratio < (large ? 3 : 4.5)) problems.push(`contrast ${ratio.toFixed(2)}: ${node.data.trim().slice(0, 40)}`);
}
for (const shape of document.querySelectorAll('.chart .bar, .chart .span, .chart .stage, .chart .here, .swatch')) {
  const style = getComputedStyle(shape);
  // The color that a user gave to shoes may be any; its outline separates it.
  const own = shape.classList.contains('own');
  const ink = color(shape.namespaceURI.endsWith('svg') ? (own ? style.stroke : style.fill) : own ? style.outlineColor : style.backgroundColor);
  const a = parseFloat(style.opacity);
  const ground = behind(shape.closest('.card') || shape);
  const ratio = contrast(over([...ink.slice(0, 3), a], ground), ground);
  if (ratio < 3) problems.push(`shape ${shape.getAttribute('class')} ${ratio.toFixed(2)}`);
}
for (const e of document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea')) {
  const label = e.labels && e.labels.length ? e.labels[0].textContent : '';
  const name = e.getAttribute('aria-label') || label || e.textContent || e.value;
  if (!name || !name.trim()) problems.push(`no name: ${e.outerHTML.slice(0, 80)}`);
}
for (const e of document.querySelectorAll('svg')) if (!e.getAttribute('aria-label')) problems.push('svg without a name');
if (document.documentElement.scrollWidth > document.documentElement.clientWidth + 1)
  problems.push(`wider than the window: ${document.documentElement.scrollWidth} > ${document.documentElement.clientWidth}`);
const hidden = e => !e.checkVisibility({visibilityProperty: true}) || e.closest('.skip') || getComputedStyle(e).clipPath !== 'none';
for (const e of document.querySelectorAll('body *')) {
  const style = getComputedStyle(e);
  if (e instanceof SVGElement || !['hidden', 'clip'].includes(style.overflowX) || hidden(e) || !e.textContent.trim()) continue;
  if (e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 1)
    problems.push(`clipped: ${e.textContent.trim().slice(0, 40)}`);
}
// The lines of text of different elements may touch, but not cover each other. What floats above the page may.
const lines = [];
const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
for (let node = texts.nextNode(); node; node = texts.nextNode()) {
  const e = node.parentElement;
  if (!node.data.trim() || hidden(e) || e.closest('title, script, option, .tip, .bar, nav')) continue;
  const range = document.createRange();
  range.selectNodeContents(node);
  const svg = e.closest('svg'), place = range.getBoundingClientRect();
  if (svg) {
    const edge = svg.getBoundingClientRect();
    if (place.left < edge.left - 1 || place.right > edge.right + 1 || place.top < edge.top - 1 || place.bottom > edge.bottom + 1)
      problems.push(`outside its chart: ${node.data.trim().slice(0, 40)}`);
  }
  for (const box of range.getClientRects()) lines.push({e, box, text: node.data.trim().slice(0, 40)});
}
lines.sort((a, b) => a.box.top - b.box.top);
lines.forEach((a, index) => {
  for (let next = index + 1; next < lines.length && lines[next].box.top < a.box.bottom; next++) {
    const b = lines[next];
    const wide = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
    const high = Math.min(a.box.bottom, b.box.bottom) - b.box.top;
    if (a.e !== b.e && !a.e.contains(b.e) && !b.e.contains(a.e) && wide > 1 && high > 3)
      problems.push(`colliding: ${a.text} | ${b.text}`);
  }
});
// A column is found by the labels next to it.
for (const chart of document.querySelectorAll('svg.chart')) {
  const labels = [...chart.querySelectorAll('text[text-anchor=middle]')];
  if (hidden(chart) || labels.length > 2 || chart.querySelectorAll('.hit').length < 5) continue;
  const last = labels.length ? labels.at(-1).getBoundingClientRect().right : 0;
  if (last < chart.getBoundingClientRect().right - chart.clientWidth / 4)
    problems.push(`${labels.length} labels: ${chart.getAttribute('aria-label')}`);
}
for (const e of document.querySelectorAll('.top nav a[aria-current]')) {
  const place = e.getBoundingClientRect();
  if (place.left < 0 || place.right > innerWidth + 1) problems.push(`out of sight: ${e.textContent}`);
}
const words = document.body.innerText;
for (const word of words.match(/(?<![\d.,\u202f\u00a0])\b1 (days|nights|hours|records|items|samples|runs|pairs|years|intervals)\b/g) || [])
  problems.push(`plural: ${word}`);
// Also in collapsed tables.
for (const e of document.querySelectorAll('th, td, dd'))
  if (/^\d{4}-\d{2}$/.test(e.textContent.trim())) problems.push(`month as number: ${e.textContent.trim()}`);
for (const id of words.match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi) || []) problems.push(`long id: ${id}`);
if (!document.documentElement.lang) problems.push('no language');
if (document.querySelectorAll('h1').length !== 1 || document.querySelectorAll('main').length !== 1) problems.push('not one h1 and main');
const ids = [...document.querySelectorAll('[id]')].map(e => e.id);
if (new Set(ids).size !== ids.length) problems.push('ids twice');
return problems;
"""

# The content of the page by sections, including collapsed parts.
SECTIONS = r"""
const figure = e => ({text: e.textContent.trim(), values: [...e.querySelectorAll('data')].map(d => Number(d.value)),
  times: [...e.querySelectorAll('time')].map(t => t.dateTime)});
return [...document.querySelectorAll('main section')].map(section => ({
  id: section.id, heading: (section.querySelector('h2') || {textContent: ''}).textContent, text: section.textContent,
  facts: [...section.querySelectorAll('dl > div')].map(d => [d.children[0].textContent, figure(d.children[1])]),
  tables: [...section.querySelectorAll('table')].map(t => ({caption: t.caption.textContent,
    heads: [...t.tHead.rows[0].cells].map(c => c.textContent), rows: [...t.tBodies[0].rows].map(r => [...r.cells].map(figure))}))}));
"""


class Driver(Service):
    """The process of the driver. Selenium waits only half a minute until it listens."""

    def is_connectable(self):
        deadline = time.monotonic() + harness.PATIENCE
        while not super().is_connectable():
            if self.process.poll() is not None or time.monotonic() > deadline:
                return False
            time.sleep(0.05)
        return True


class Chromium:
    """A process of Chromium, which the tests of a file use one after another, because a start costs as much as ten pages."""

    # Those that no test uses now.
    idle = []

    def __init__(self):
        profile = tempfile.mkdtemp(prefix="healthsync-chromium-")
        atexit.register(shutil.rmtree, profile, ignore_errors=True)
        options = Options()
        options.binary_location = CHROMIUM
        for argument in (
            "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--no-first-run", "--disable-extensions",
            "--disable-background-networking", "--disable-component-update", f"--user-data-dir={profile}",
            "--accept-lang=en", "--force-color-profile=srgb", f"--disable-features={','.join(UNUSED)}",
        ):
            options.add_argument(argument)
        options.add_experimental_option("browserStartupTimeout", harness.PATIENCE * 1_000)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Driver(DRIVER, port=harness.reserve_port(atexit.register)))
        atexit.register(self.driver.quit)
        self.driver.set_script_timeout(harness.PATIENCE)
        self.driver.set_page_load_timeout(harness.PATIENCE)

    @classmethod
    def taken(cls):
        """Returns one that no test uses now."""
        return cls.idle.pop() if cls.idle else cls()

    def give_back(self):
        """Leaves nothing of a test: a new tab has no history, no focus, no pressed key, and none of the emulations of the old
        one."""
        from selenium.common.exceptions import WebDriverException

        try:
            used = self.driver.window_handles
            self.driver.switch_to.new_window("tab")
            new = self.driver.current_window_handle
            for handle in used:
                self.driver.switch_to.window(handle)
                self.driver.close()
            self.driver.switch_to.window(new)
            # Cookies are those of all ports of a host.
            self.driver.execute_cdp_cmd("Network.clearBrowserCookies", {})
            self.driver.execute_cdp_cmd("Network.clearBrowserCache", {})
            for kind in ("browser", "performance"):
                self.driver.get_log(kind)
        except WebDriverException:
            # It crashed.
            self.driver.quit()
        else:
            self.idle.append(self)


class Browser:
    """A window. `visit` fails the test on console errors, policy violations and requests to other hosts."""

    def __init__(self, test, width=1100, height=900, dark=False, script=True, language="en", zone=None):
        self.test = test
        self.chromium = Chromium.taken()
        self.driver = self.chromium.driver
        test.addCleanup(self.close)
        self.look(width, height, dark)
        command = self.driver.execute_cdp_cmd
        # A window that is not active yet shows no focus.
        command("Emulation.setFocusEmulationEnabled", {"enabled": True})
        if language != "en":
            agent = self.driver.execute_script("return navigator.userAgent")
            command("Emulation.setUserAgentOverride", {"userAgent": agent, "acceptLanguage": language})
        if zone:
            command("Emulation.setTimezoneOverride", {"timezoneId": zone})
        if not script:
            # Only the scripts of pages.
            command("Emulation.setScriptExecutionDisabled", {"value": True})
        command("Page.addScriptToEvaluateOnNewDocument", {
            "source": "window.violations = []; document.addEventListener('securitypolicyviolation', "
                      "e => window.violations.push(e.violatedDirective + ' ' + e.blockedURI));"})
        self.script = script

    def close(self):
        """Ends the use; the next test may begin with the same process."""
        chromium, self.chromium = self.chromium, None
        if chromium:
            chromium.give_back()

    def look(self, width=1100, height=900, dark=False):
        """Sets the width and the light or dark color scheme without reloading the page."""
        command = self.driver.execute_cdp_cmd
        command("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})
        # Headless windows have a minimum width; phones are narrower.
        command("Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500})

    def visit(self, url, audit=True):
        self.driver.get(url)
        self.check(audit)

    def audit(self):
        """Runs our own checks on the current page."""
        self.test.assertEqual(self.driver.execute_script(AUDIT), [], self.driver.current_url)

    def check(self, audit=True, is_rejected=False):
        url = self.driver.current_url
        if self.script:
            self.test.assertEqual(self.driver.execute_script("return window.violations"), [], url)
            if audit:
                self.audit()
                self.test.assertEqual(axe.violations(self.driver), [], url)
        errors = [entry for entry in self.driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]
        if is_rejected:
            # Chromium logs the status of the page itself.
            errors = [entry for entry in errors if "the server responded with a status of 4" not in entry["message"]]
        self.test.assertEqual(errors, [], url)
        host = url.split("/")[2]
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                asked = message["params"]["request"]["url"]
                if asked.startswith(("data:", "chrome:", "about:", "devtools:")):
                    continue
                self.test.assertEqual(asked.split("/")[2], host, f"{url} asks {asked}")

    def press(self, name, audit=True, is_rejected=False):
        """Presses the only button of that name and checks the next page and its status."""
        self.in_one_document(lambda: self.leave(self.button(name).click))
        self.check(audit, is_rejected)

    def button(self, name):
        buttons = [
            button for button in self.driver.find_elements(By.CSS_SELECTOR, "button")
            if name in (button.text, button.get_attribute("aria-label"))
        ]
        self.test.assertEqual(len(buttons), 1, name)
        return buttons[0]

    def in_one_document(self, act):
        """Returns what `act` returns. It is repeated if a page that updates itself replaces an element in between."""
        from selenium.common.exceptions import StaleElementReferenceException

        while True:
            try:
                return act()
            except StaleElementReferenceException:
                continue

    def leave(self, act):
        """Performs an action that loads another page, and waits for it."""
        from selenium.common.exceptions import WebDriverException
        from selenium.webdriver.support.ui import WebDriverWait

        # The mark disappears with the document. Querying the old button during the change fails in many ways.
        self.driver.execute_script("window.isLeft = true")
        act()
        WebDriverWait(self.driver, harness.PATIENCE, ignored_exceptions=(WebDriverException,)).until(
            lambda driver: driver.execute_script("return !window.isLeft && document.readyState === 'complete'"))

    def keys(self, *keys):
        """Types on the keyboard at the current focus."""
        from selenium.webdriver.common.action_chains import ActionChains

        ActionChains(self.driver, duration=0).send_keys(*keys).perform()

    def fill(self, **values):
        """Fills in the fields of those names."""
        for name, value in values.items():
            # Set the value by script, because the driver cannot type emoji.
            field = self.driver.find_element(By.NAME, name)
            self.driver.execute_script("arguments[0].value = arguments[1]", field, value)

    def tick(self, identity):
        """Clicks a checkbox in the middle of the window, where the bar with the buttons does not cover it."""
        box = self.driver.find_element(By.ID, identity)
        self.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", box)
        box.click()

    def choose(self, name, option):
        """Selects an option from the list of that name."""
        from selenium.webdriver.support.ui import Select

        Select(self.driver.find_element(By.NAME, name)).select_by_visible_text(option)

    def text(self, selector):
        return self.in_one_document(lambda: self.driver.find_element(By.CSS_SELECTOR, selector).text)

    def data(self, selector):
        """Returns the exact values of the figures below `selector`, in order."""
        return self.driver.execute_script(
            "return [...document.querySelectorAll(arguments[0] + ' data')].map(e => Number(e.value))", selector)

    def sections(self):
        """Returns the sections of the page: id, heading, text, facts by name, tables with rows of cells."""
        # The driver sorts the members of objects, but facts are ordered.
        return [{**section, "facts": dict(section["facts"])} for section in self.driver.execute_script(SECTIONS)]

    def screenshot(self, name):
        """Writes a picture of the page for review, if HEALTHSYNC_SCREENSHOTS names a folder."""
        if not (path := os.environ.get("HEALTHSYNC_SCREENSHOTS")):
            return
        folder = pathlib.Path(path)
        folder.mkdir(parents=True, exist_ok=True)
        height = self.driver.execute_script("return document.documentElement.scrollHeight") if self.script else 900
        width = self.driver.execute_cdp_cmd("Page.getLayoutMetrics", {})["cssLayoutViewport"]["clientWidth"]
        (folder / f"{name}.png").write_bytes(self.clip(0, 0, width, min(height, 4000)))

    def picture(self, element):
        """Returns a picture (PNG) of an element, also of what is outside the window."""
        box = self.driver.execute_script(
            "const b = arguments[0].getBoundingClientRect(); return [b.x + scrollX, b.y + scrollY, b.width, b.height]", element)
        return self.clip(*box)

    def clip(self, x, y, width, height):
        picture = self.driver.execute_cdp_cmd("Page.captureScreenshot", {
            "captureBeyondViewport": True, "clip": {"x": x, "y": y, "width": width, "height": height, "scale": 1}})
        return base64.b64decode(picture["data"])
