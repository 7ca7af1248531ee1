"""The page as people find it: narrow and wide, light and dark, by keyboard, with a screen reader, without motion."""

import json
import os

import webdriver
from checks import check
from page import AuctionPage
from programs import ROOT

TITLE = "the page at 360 to 2560 pixels, light and dark, by keyboard, for screen readers, without motion or scripts"
NEEDS = webdriver.NEEDS
AXE = os.path.join(ROOT, ".build", "tools", "axe_playwright_python", "axe.min.js")
SIZES = ((360, 640), (1280, 900), (2560, 1300))
GRAVE = ("serious", "critical")
"""What axe-core must not find; the rest is advice."""
MARKUP = "<img src=x onerror=hacked=1>"
NAME = MARKUP + "\u202e"
"""The server admits no such name; the page must not depend on that."""
TEXT = NAME + "W" * 180
"""A title, or a reason."""
MOST_TABS = 8
"""How often Tab may be pressed before the field for the name has the focus."""
FAKE = """
window.WebSocket = class {
    constructor() { window.socket = this; this.readyState = 1; }
    send() {}
    close() {}
};
"""
"""A server that says what the test says."""


def missing_requirement(_):
    """What is missing, in words; empty if nothing."""
    return "" if os.path.exists(AXE) else "no axe-core in .build/tools: scripts/test fetches it"


def play(testbed):
    testbed.serve("--seconds", "60", "--lot", MARKUP + "W" * 150, "--data", "none")
    page = AuctionPage(testbed, "alice")
    show_without_scripts(page)
    bid_by_keyboard(page)
    be_outbid(testbed, page)
    for scheme in ("light", "dark"):
        for width, height in SIZES:
            show(page, scheme, width, height)
            check_access(page, width, scheme)
    page.expect("#laps td:last-child", r"^\d+[sm] ago$")
    show_hostile_text(page)
    page.check_clean()


def show_without_scripts(page):
    """Without JavaScript the page says what it needs.

    It needs fewer connections then than the browser has opened, and the next page uses one of those.
    """
    page.devtools("Emulation.setScriptExecutionDisabled", value=True)
    page.open()
    page.expect("body", "JavaScript")
    page.devtools("Emulation.setScriptExecutionDisabled", value=False)


def bid_by_keyboard(page):
    """From loading to an accepted bid without a mouse; what has the focus is outlined."""
    page.open()
    page.expect_phase("live")
    for _ in range(MOST_TABS):
        page.press("Tab")
        check(page.has_focus_outline(), f"{page.focus()} has the focus and no outline")
        if page.focus() == "name":
            break
    check(page.focus() == "name", f"after {MOST_TABS} Tabs {page.focus()} has the focus")
    page.press(*"alice", "Enter")
    page.expect("#me", "^alice$")
    page.wait("return document.activeElement.id === 'amount'", "the bid field has no focus after the name is taken")
    page.press("Enter")
    page.expect_standing("you lead")


def be_outbid(testbed, page):
    """Another bidder, so that every part of the page has something to show; outbid is announced."""
    bob = testbed.connect("bob", waits=False)
    bob.request("name bob", r"OK name bob .+")
    bob.request("bid 1200", r"OK bid 1200")
    page.expect_standing("outbid by bob")
    page.wait("return /outbid by bob/i.test(document.querySelector('#alert').textContent)", "outbid is not announced")
    page.wait("return document.querySelectorAll('#laps tr').length === 2", "the table has not two laps")
    drawn = page.run("const chart = document.querySelector('#chart');"
                     "return chart.getContext('2d').getImageData(0, 0, chart.width, chart.height).data.some(Boolean)")
    check(drawn, "nothing is drawn in the chart")


def show(page, scheme, width, height):
    """No horizontal scrolling, and no motion for those who ask for that."""
    page.resize(width, height)
    page.prefer(color_scheme=scheme, reduced_motion="reduce")
    page.screenshot(f"{width}-{scheme}")
    check_width(page, width)
    page.wait("return document.getAnimations().every(each => each.playState !== 'running')",
              "something moves although less motion is asked for")


def check_width(page, width):
    wide = page.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
    check(wide <= 0, f"at {width} pixels the page is {wide} pixels too wide")


def check_access(page, width, scheme):
    """Fails if axe-core finds something that is serious or critical."""
    if not page.run("return 'axe' in window"):
        with open(AXE, encoding="utf-8") as file:
            page.run(file.read())
    found = page.run_until_done("return (await axe.run(document, { resultTypes: ['violations'] })).violations.map("
                                "({ id, impact, help, nodes }) => ({ id, impact, help, where: nodes.map("
                                "({ target, failureSummary }) => `${target}: ${failureSummary}`) }));")
    grave = [f"{each['impact']} {each['id']}: {each['help']}: {' | '.join(each['where'])}"
             for each in found if each["impact"] in GRAVE]
    check(not grave, f"axe-core at {width} pixels, {scheme}:", *grave)


def show_hostile_text(page):
    """Names, titles and reasons with markup are text, and no text makes the page wider."""
    page.run_first(FAKE)
    page.open()
    page.resize(360, 640)
    messages = (
        {"type": "hello", "content": "auction/1", "seconds": 7, "step": 1, "game": "zzzz"},
        {"seq": 1, "type": "lot", "lot": 1, "content": TEXT, "start": 1, "elapsedMilliseconds": 0},
        {"seq": 2, "type": "joined", "content": NAME, "bidder": NAME},
        {"seq": 3, "type": "price", "content": "7", "amount": 7, "bidder": NAME, "elapsedMilliseconds": 900, "bid": 1,
         "lot": 1, "remainingMilliseconds": 7000},
        {"seq": 4, "type": "kicked", "content": NAME, "bidder": NAME, "reason": TEXT},
        {"seq": 5, "type": "winner", "content": NAME, "bidder": NAME, "amount": 7, "elapsedMilliseconds": 7900,
         "title": TEXT, "lot": 1},
        {"seq": 6, "type": "next", "seconds": 3, "content": TEXT},
    )
    for message in messages:
        text = json.dumps({"time": "2026-11-20T10:00:00.000Z", **message})
        page.run("socket.onmessage({ data: arguments[0] })", text)
        page.wait("return auction.model.seq === arguments[0]", "a message is not applied", message.get("seq", 0))
    for selector in ("#lot", "#standing-text", "#laps td", "#ticker", "#lots"):
        page.expect(selector, MARKUP)
    check(page.run("return !document.querySelector('img') && typeof hacked === 'undefined'"), "text became markup")
    check_width(page, 360)
