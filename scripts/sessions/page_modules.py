"""The page's modules that need no document, in a real browser: the tests in `Tests/PageTests`."""

import contextlib
import functools
import http.server
import os
import threading

import webdriver
from checks import check
from programs import HOST, ROOT
from webdriver import Chromium

TITLE = "the rules of the page: model, connection, bids, chart, ages, resources"
NEEDS = webdriver.NEEDS
PAGE, TESTS = os.path.join(ROOT, "Sources", "Web", "Page"), os.path.join(ROOT, "Tests", "PageTests")


def play(testbed):
    files = sorted(name for name in os.listdir(TESTS) if name.endswith(".test.js"))
    with serving() as port:
        browser = Chromium(testbed, "modules")
        browser.open(f"http://{HOST}:{port}/tests/testing.js")
        results = browser.run_until_done("return await (await import('/tests/testing.js')).run(arguments[0]);",
                                         [f"/tests/{name}" for name in files])
    failed = [f"{result['name']}: {result['complaint']}" for result in results if "complaint" in result]
    check(not failed, f"{len(failed)} of {len(results)} tests failed", *failed)
    check(len(results) >= len(files), f"only {len(results)} tests in {files}")


@contextlib.contextmanager
def serving():
    """The port of a server of the modules at `/`, and of their tests at `/tests/`."""
    with http.server.ThreadingHTTPServer((HOST, 0), functools.partial(Files, directory=PAGE)) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()
            thread.join()


class Files(http.server.SimpleHTTPRequestHandler):
    """The files of two folders."""

    def translate_path(self, path):
        name = path.removeprefix("/tests/")
        return os.path.join(TESTS, os.path.basename(name)) if name != path else super().translate_path(path)

    def log_message(self, format, *args):
        """Says nothing about each request."""
