"""Chromium with one page, driven through chromedriver by the WebDriver protocol and, for the rest, by DevTools.

Source: https://www.w3.org/TR/webdriver2/, and https://chromedevtools.github.io/devtools-protocol/ for `devtools`.
"""

from __future__ import annotations

import base64
import contextlib
import http.client
import http.server
import json
import os
import re
import signal
import subprocess
import tempfile
import threading
import urllib.parse

from checks import Failure, check
from machine import descendants, kill
from testbed import PATIENCE
from programs import HOST, ROOT

NEEDS = ("chromium", "chromedriver")
POLL_SECONDS, CALL_SECONDS = 0.03, 90
"""How often a condition is evaluated, and how long one call of chromedriver may take on a busy machine."""
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
"""The member that names an element. Source: WebDriver, section 12."""
KEYS = {"Tab": "\ue004", "Enter": "\ue007", "Escape": "\ue00c", "Control": "\ue009", "Null": "\ue000"}
"""Keys by their names; the last one releases those that are held. Source: WebDriver, section 17.4.2."""
FLAGS = ("--headless=new", "--disable-dev-shm-usage", "--disable-gpu", "--no-first-run", "--mute-audio", "--lang=en-US",
         "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions",
         "--blink-settings=primaryPointerType=4,availablePointerTypes=4,primaryHoverType=2,availableHoverTypes=2",
         f"--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE {HOST}")
"""A computer with a mouse, no network besides this machine, and no services of the browser's maker."""
PICTURES = os.path.join(ROOT, ".build", "screenshots")


class Chromium:
    """A browser with a profile of its own.

    Requests are logged, except for a page that receives many messages: logging each would load the machine. While it
    waits, it lets the testbed read the output of the other programs.
    """

    def __init__(self, testbed, name, logs_requests=True):
        self.testbed, self.name, self._logs_requests = testbed, name, logs_requests
        self._session = self._cover = None
        folder = tempfile.mkdtemp(prefix=f"chromium-{name}-", dir=testbed.folder)
        self._log = open(os.path.join(folder, "chromedriver.log"), "wb")
        # Chromium leaves files where temporary files are.
        environment = testbed.environment(TMPDIR=testbed.folder)
        # With port 0 it ends if the port that it gets for IPv4 is in use for IPv6.
        self._driver = subprocess.Popen(["chromedriver", f"--port={testbed.free_port()}"], stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, stderr=self._log, env=environment, cwd=folder)
        testbed.close_at_end(self)
        self._connection = http.client.HTTPConnection(HOST, self._driver_port(), timeout=CALL_SECONDS)
        started = self._call("POST", "/session", {"capabilities": {"alwaysMatch": self._capabilities(folder)}})
        self._session = started["sessionId"]
        self.pid = started["capabilities"]["goog:processID"]
        self.resize(1280, 900)

    def _capabilities(self, folder):
        flags = [*FLAGS, f"--user-data-dir={os.path.join(folder, 'profile')}"]
        if os.geteuid() == 0:
            flags.append("--no-sandbox")
        options, logs = {"args": flags}, {"browser": "ALL"}
        if self._logs_requests:
            options["perfLoggingPrefs"], logs["performance"] = {"enablePage": False}, "ALL"
        limit = 1000 * CALL_SECONDS
        return {"browserName": "chrome", "goog:loggingPrefs": logs, "goog:chromeOptions": options,
                "timeouts": {"script": limit, "pageLoad": limit}}

    def _driver_port(self):
        for line in self._driver.stdout:
            if found := re.search(rb"started successfully on port (\d+)", line):
                return int(found[1])
        raise Failure(f"{self.name}: chromedriver does not start")

    # The page

    def open(self, path="/"):
        """Loads a page of the server that was started last, or from another address."""
        url = urllib.parse.urljoin(f"http://{self._server()}/", path)
        self.testbed.record(self.name, ">", [f"open {url}"])
        self._command("POST", "/url", url=url)

    def run(self, script, *arguments):
        """What the body of a function returns in the page."""
        return self._command("POST", "/execute/sync", script=script, args=list(arguments))

    def run_first(self, script):
        """Has each page that is loaded from now on run the script before its own."""
        self.devtools("Page.addScriptToEvaluateOnNewDocument", source=script)

    def run_until_done(self, script, *arguments):
        """What the body of an async function returns in the page; its error is a failure."""
        body = ("const done = arguments[arguments.length - 1];"
                f"(async () => {{ {script} }})()"
                ".then(value => done({ value }), error => done({ error: String(error?.stack ?? error) }));")
        result = self._command("POST", "/execute/async", script=body, args=list(arguments))
        check("error" not in result, f"{self.name}: {result.get('error')}")
        return result.get("value")

    def wait(self, script, complaint, *arguments, seconds=PATIENCE):
        """Waits until the body of a function returns something true in the page, and returns that."""
        try:
            return self.testbed.wait(lambda: self.run(script, *arguments), f"{self.name}: {complaint}", seconds, POLL_SECONDS)
        except Failure as failure:
            raise Failure(str(failure), *self._report()) from None

    def expect(self, selector, pattern):
        """Waits until the pattern is found in the text of an element that is shown, and returns that text."""
        # What a person reads: `innerText` leaves out what is not shown.
        return self.wait("const [selector, pattern] = arguments;"
                         "const texts = [...document.querySelectorAll(selector)].filter(each => each.checkVisibility())"
                         ".map(each => each.innerText.replace(/\\s+/g, ' ').trim());"
                         "return texts.find(text => new RegExp(pattern, 'i').test(text));",
                         f"no {pattern!r} in {selector}", selector, pattern)

    def click(self, selector):
        """Clicks an element as a mouse does: it must be shown, and nothing may cover it."""
        self.testbed.record(self.name, ">", [f"click {selector}"])
        self._command("POST", f"/element/{self._find(selector)}/click")

    def type(self, selector, text):
        """Replaces what a field has, by keys."""
        self.testbed.record(self.name, ">", [f"type {text!r} into {selector}"])
        keys = KEYS["Control"] + "a" + KEYS["Null"] + text
        self._command("POST", f"/element/{self._find(selector)}/value", text=keys)

    def press(self, *keys):
        """Presses keys, by name or as characters, where the focus is."""
        self.testbed.record(self.name, ">", [" ".join(keys)])
        actions = [{"type": kind, "value": KEYS.get(key, key)} for key in keys for kind in ("keyDown", "keyUp")]
        self._command("POST", "/actions", actions=[{"type": "key", "id": "keyboard", "actions": actions}])

    def hold_key(self, key):
        """Holds a key down, until `release_key`."""
        self._move_key("keyDown", key)

    def release_key(self, key):
        self._move_key("keyUp", key)

    def _move_key(self, move, key):
        keyboard = {"type": "key", "id": "keyboard", "actions": [{"type": move, "value": KEYS.get(key, key)}]}
        self._command("POST", "/actions", actions=[keyboard])

    def hold(self, selector):
        """Presses the mouse on an element, until `release`."""
        self.testbed.record(self.name, ">", [f"hold {selector}"])
        origin = {ELEMENT: self._find(selector)}
        self._move_mouse({"type": "pointerMove", "origin": origin, "x": 0, "y": 0}, {"type": "pointerDown", "button": 0})

    def release(self):
        """Lets the mouse go."""
        self._move_mouse({"type": "pointerUp", "button": 0})

    def _move_mouse(self, *actions):
        self._command("POST", "/actions", actions=[{"type": "pointer", "id": "mouse", "actions": list(actions)}])

    def label(self, selector):
        """What a screen reader says of an element: its accessible name."""
        return self._command("GET", f"/element/{self._find(selector)}/computedlabel")

    def _find(self, selector):
        self.wait("return [...document.querySelectorAll(arguments[0])].some(each => each.checkVisibility());",
                  f"no {selector}", selector)
        return self._command("POST", "/element", using="css selector", value=selector)[ELEMENT]

    # What the page finds around it

    def resize(self, width, height):
        """Gives the page this many CSS pixels; a real window cannot be as narrow as a phone."""
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                      mobile=False)

    def prefer(self, **preferences):
        """Sets media features: `prefer(color_scheme="dark", reduced_motion="reduce")`."""
        self.devtools("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-" + name.replace("_", "-"), "value": value} for name, value in preferences.items()])

    def devtools(self, method, **parameters):
        """Sends one command of the DevTools protocol."""
        return self._command("POST", "/goog/cdp/execute", cmd=method, params=parameters)

    def hide(self):
        """Puts another tab in front of the page, which commands still reach."""
        self._cover = self._cover or self.devtools("Target.createTarget", url="about:blank")["targetId"]
        self.devtools("Target.activateTarget", targetId=self._cover)
        self.wait("return document.hidden", "another tab does not hide the page")

    def show(self):
        """Puts the page in front again."""
        self.devtools("Target.activateTarget", targetId=self._command("GET", "/window"))

    def freeze(self):
        """Freezes the page as the browser does with a tab in the background, which loses its connection by that."""
        self.hide()
        self.devtools("Page.setWebLifecycleState", state="frozen")

    def thaw(self):
        """Lets a frozen page go on, and shows it."""
        self.devtools("Page.setWebLifecycleState", state="active")
        self.show()

    def processes(self):
        """The numbers of all processes of this browser."""
        return descendants(self.pid)

    def send_signal(self, number):
        """Sends a signal to all of them: SIGSTOP is a laptop that is closed, SIGCONT one that wakes."""
        for process in self.processes():
            os.kill(process, number)

    # What it leaves behind

    def screenshot(self, name):
        """Saves what is shown as a picture in `.build/screenshots`."""
        os.makedirs(PICTURES, exist_ok=True)
        path = os.path.join(PICTURES, name + ".png")
        with open(path, "wb") as file:
            file.write(base64.b64decode(self._command("GET", "/screenshot")))
        return path

    def complaints(self):
        """The warnings and errors in the console since the last time."""
        return [f"{entry['level']} {entry['message']}" for entry in self._entries("browser")
                if entry["level"] in ("SEVERE", "WARNING")]

    def requests(self):
        """The addresses on a network that the page has asked for since the last time, WebSockets too."""
        events = [json.loads(entry["message"])["message"] for entry in self._entries("performance")]
        sent = {"Network.requestWillBeSent": lambda facts: facts["request"]["url"],
                "Network.webSocketCreated": lambda facts: facts["url"]}
        urls = [sent[event["method"]](event["params"]) for event in events if event["method"] in sent]
        return [url for url in urls if url.startswith(("http", "ws"))]

    def check_clean(self, *allowed):
        """Fails if the console has an error that no pattern allows, or if a request left the server."""
        wrong = [line for line in self.complaints() if not any(re.search(pattern, line) for pattern in allowed)]
        check(not wrong, f"{self.name}: in the console:", *wrong)
        if self._logs_requests:
            away = [url for url in self.requests() if urllib.parse.urlsplit(url).netloc != self._server()]
            check(not away, f"{self.name}: asked for {away}")

    def close(self):
        """Ends the browser and its driver."""
        started = descendants(self._driver.pid)
        if self._session:
            # A stopped process would not end. One that has ended already is no failure here.
            with contextlib.suppress(OSError, http.client.HTTPException, Failure):
                self.send_signal(signal.SIGCONT)
                self._call("DELETE", f"/session/{self._session}")
        kill(started)
        self._driver.wait()
        self._driver.stdout.close()
        self._log.close()

    def _server(self):
        return f"{HOST}:{self.testbed.port}"

    def _entries(self, kind):
        return self._command("POST", "/se/log", type=kind)

    def _report(self):
        """For a failure: the picture, the console and the words on the page."""
        with contextlib.suppress(Failure):
            words = self.run("return document.body ? document.body.innerText : ''")
            return [self.screenshot(f"failed-{self.name}"), *self.complaints(), *words.split("\n")]
        return []

    def _command(self, method, path, **parameters):
        return self._call(method, f"/session/{self._session}{path}", parameters if method == "POST" else None)

    def _call(self, method, path, body=None):
        """One command to chromedriver; fails with its words."""
        self._connection.request(method, path, None if body is None else json.dumps(body),
                                 {"Content-Type": "application/json"})
        response = self._connection.getresponse()
        value = json.loads(response.read())["value"]
        if response.status != http.HTTPStatus.OK:
            raise Failure(f"{self.name}: {value['error']}: {value['message'].splitlines()[0]}")
        return value


class Files(http.server.SimpleHTTPRequestHandler):
    """Serves the files of a folder without logging requests."""

    def log_message(self, format, *args):
        pass


@contextlib.contextmanager
def serving(handler):
    """The port of an HTTP server beside the tested one."""
    with http.server.ThreadingHTTPServer((HOST, 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()
            thread.join()
