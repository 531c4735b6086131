# SPDX-License-Identifier: Apache-2.0
"""Pages in a real browser, without a network: no error, and hover, legend, buttons and zoom change the plots.

Needs playwright from PyPI and Debian's chromium (or another one: CHROMIUM); './dev test --full' runs it. With PICTURES,
a folder, it leaves pictures of the pages there.
"""

import os
import pathlib
import shutil
import time
import unittest

import numpy as np

import made_up
from support import TestCase

try:
    from playwright.sync_api import sync_playwright
except ModuleNotFoundError:
    sync_playwright = None
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium")
VISIBLE = """(name) => [...document.querySelectorAll('.js-plotly-plot')].flatMap(plot => plot._fullData)
    .filter(trace => trace.name === name && trace.visible === true).length"""


@unittest.skipUnless(sync_playwright and CHROMIUM, "playwright or chromium is not installed")
class Page(TestCase):
    def setUp(self):
        super().setUp()
        random = np.random.default_rng(1)
        for name, median in (("a", 1000), ("b", 1500)):
            took = random.lognormal(np.log(median), 0.3, 9000).astype(np.uint64)
            made_up.write_timed(self.folder / f"{name}.rec", took, random.choice([0, 1, 3, 5, 9, 202, 257], 9000))
        self.playwright = sync_playwright().start()
        self.addCleanup(self.playwright.stop)
        self.browser = self.playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        self.addCleanup(self.browser.close)

    def opened(self, *words):
        """A page that was written by these words; problems collects errors and requests."""
        done = self.run_it(*words, "-o", "page.html")
        self.assertEqual(done.returncode, 0, done.stderr)
        context = self.browser.new_context(offline=True, viewport={"width": 1300, "height": 1000})
        page = context.new_page()
        self.problems = []
        page.on("console", lambda message: self.problems.append(message.text) if message.type in ("error", "warning")
                else None)
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        address = (self.folder / "page.html").as_uri()
        page.on("request", lambda request: self.problems.append(request.url) if not request.url.startswith(
            (address, "data:", "blob:")) else None)
        page.goto(address)
        page.wait_for_selector(".js-plotly-plot .main-svg")
        return page

    def wait_for(self, condition):
        """The page's policy forbids playwright's own function for it, which evaluates text in the page."""
        end = time.monotonic() + 10
        while not condition():
            self.assertLess(time.monotonic(), end, "nothing has changed")
            time.sleep(0.05)

    def picture(self, page, name):
        if os.environ.get("PICTURES"):
            page.screenshot(path=str(pathlib.Path(os.environ["PICTURES"]) / f"{name}.png"), full_page=True)

    def plot_with(self, page, call):
        """The plot whose legend has the call."""
        return page.locator(".js-plotly-plot", has=page.locator(".legendtext", has_text=call)).first

    def test_a_case(self):
        page = self.opened("plot", "a.rec")
        self.picture(page, "case")
        plot = self.plot_with(page, "openat")
        plot.scroll_into_view_if_needed()
        self.assertEqual(page.evaluate(VISIBLE, "openat"), 3)  # histogram, peaks, tail
        entry = plot.locator(".traces", has_text="openat").locator(".legendtoggle")
        entry.click()
        self.wait_for(lambda: page.evaluate(VISIBLE, "openat") == 0)
        self.assertGreater(page.evaluate(VISIBLE, "close"), 0)
        page.wait_for_timeout(500)  # two clicks in a short time are a double click
        entry.click()
        self.wait_for(lambda: page.evaluate(VISIBLE, "openat") == 3)
        page.wait_for_timeout(500)
        entry.dblclick()
        self.wait_for(lambda: page.evaluate(VISIBLE, "close") == 0)
        self.assertEqual(page.evaluate(VISIBLE, "openat"), 3)
        plot.locator(".updatemenu-button", has_text="all").click()
        self.wait_for(lambda: page.evaluate(VISIBLE, "close") == 3)

        body = plot.locator(".nsewdrag").first.bounding_box()
        page.mouse.move(body["x"] + body["width"] / 2, body["y"] + body["height"] / 2, steps=5)
        page.wait_for_selector(".hoverlayer .hovertext", timeout=5000)
        self.assertRegex(plot.locator(".hoverlayer").text_content(), r"\d+ (ns|us)|%")
        self.picture(page, "hover")
        self.zooms(page, plot)
        self.assertEqual(self.problems, [])

    def zooms(self, page, plot):
        ranges = "(plot) => plot._fullLayout.xaxis.range.join()"
        before = plot.evaluate(ranges)
        box = plot.locator(".nsewdrag").first.bounding_box()
        page.mouse.move(box["x"] + box["width"] * 0.3, box["y"] + box["height"] * 0.4)
        page.mouse.down()
        page.mouse.move(box["x"] + box["width"] * 0.6, box["y"] + box["height"] * 0.7, steps=5)
        page.mouse.up()
        page.wait_for_timeout(500)
        self.assertNotEqual(plot.evaluate(ranges), before)

    def test_bars(self):
        page = self.opened("plot", "a.rec")
        bars = page.locator(".js-plotly-plot").first
        self.assertEqual(page.evaluate(VISIBLE, "metadata"), 2)
        bars.locator(".traces", has_text="metadata").locator(".legendtoggle").click()
        self.wait_for(lambda: page.evaluate(VISIBLE, "metadata") == 0)
        bars.locator(".updatemenu-button", has_text="logarithmic").click()
        self.wait_for(lambda: bars.evaluate("(plot) => plot._fullLayout.xaxis.type") == "log")
        self.picture(page, "bars")
        self.assertEqual(self.problems, [])

    def test_a_comparison(self):
        page = self.opened("compare", "a.rec", "b.rec")
        self.picture(page, "comparison")
        self.assertGreater(page.locator(".js-plotly-plot").count(), 5)
        self.assertIn("bootstrap samples", page.locator("pre").inner_text())
        self.assertEqual(self.problems, [])

    def test_the_policy_holds(self):
        """What the page's policy forbids is refused, so the tests above would see a request."""
        page = self.opened("plot", "a.rec")
        page.evaluate("document.head.appendChild(Object.assign(document.createElement('script'), "
                      "{src: 'https://example.org/x.js'}))")
        page.wait_for_timeout(300)
        self.assertRegex(" ".join(self.problems), "Content Security Policy")


if __name__ == "__main__":
    unittest.main()
