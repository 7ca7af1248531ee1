"""The page's modules that need no document, in a real browser: the tests in `Tests/PageTests`."""

import functools
import os

import webdriver
from checks import check
from programs import HOST, ROOT
from webdriver import Chromium, Files, serving

TITLE = "the rules of the page: model, connection, bids, chart, ages, resources"
NEEDS = webdriver.NEEDS
PAGE, TESTS = os.path.join(ROOT, "Sources", "Web", "Page"), os.path.join(ROOT, "Tests", "PageTests")


def play(testbed):
    files = sorted(name for name in os.listdir(TESTS) if name.endswith(".test.js"))
    with serving(functools.partial(ModuleFiles, directory=PAGE)) as port:
        browser = Chromium(testbed, "modules")
        browser.open(f"http://{HOST}:{port}/tests/testing.js")
        results = browser.run_until_done("return await (await import('/tests/testing.js')).run(arguments[0]);",
                                         [f"/tests/{name}" for name in files])
    failed = [f"{result['name']}: {result['complaint']}" for result in results if "complaint" in result]
    check(not failed, f"{len(failed)} of {len(results)} tests failed", *failed)
    check(len(results) >= len(files), f"only {len(results)} tests in {files}")


class ModuleFiles(Files):
    """The modules of the page at `/`, and their tests at `/tests/`."""

    def translate_path(self, path):
        name = path.removeprefix("/tests/")
        return os.path.join(TESTS, os.path.basename(name)) if name != path else super().translate_path(path)
