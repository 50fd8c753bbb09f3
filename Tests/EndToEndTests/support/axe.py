"""Runs axe-core, an accessibility checker, from a PyPI package."""

import functools
import itertools
import pathlib
import subprocess
import sys
import tempfile
import zipfile

from support import harness
from support.covering import ROTATION
from support.seeds import IS_MANY

PACKAGE = "axe-core-python==0.1.0"
FOLDER = harness.ROOT / ".build" / PACKAGE.replace("==", "-")
# Which third depends on the commit.
PAGES = itertools.count(ROTATION)
RUN = """
const done = arguments[arguments.length - 1];
axe.run(document, {resultTypes: ['violations'], preload: false, rules: {'color-contrast': {enabled: arguments[0]}}, runOnly: {type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice']}})
   .then(found => done(found.violations.map(v => v.id + ': ' + v.nodes.map(n => n.html.slice(0, 120)).slice(0, 3).join(' | '))))
   .catch(error => done([String(error)]));
"""


@functools.cache
def source():
    """Returns the script, downloaded by pip, or None if that fails."""
    wheels = lambda: list(pathlib.Path(FOLDER).glob("*.whl"))
    if not wheels():
        with tempfile.TemporaryDirectory(dir=harness.ROOT / ".build") as folder:
            pip = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary=:all:", "-d", folder, PACKAGE]
            if subprocess.run(pip, capture_output=True).returncode:
                print("axe-core cannot be fetched here: skipped", file=sys.stderr)
                return None
            # Other tests run beside this one and must not find a part of the file.
            FOLDER.mkdir(exist_ok=True)
            for wheel in pathlib.Path(folder).iterdir():
                wheel.replace(FOLDER / wheel.name)
    with zipfile.ZipFile(wheels()[0]) as wheel:
        return wheel.read("axe_core_python/axe.min.js").decode()


def violations(driver):
    """Returns the violations that axe finds on the current page. Two thirds of its time are contrasts, which our own checks also
    compute; with fewer than many seeds it computes those of each third page."""
    script = source()
    if not script:
        return []
    driver.execute_script(script)
    return driver.execute_async_script(RUN, IS_MANY or next(PAGES) % 3 == 0)
