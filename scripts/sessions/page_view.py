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
GRAVE = ("moderate", "serious", "critical")
"""What axe-core must not find; the rest is advice."""
PHONES = ((360, 740, False), (320, 568, False), (360, 440, True), (320, 256, True), (320, 256, False))
"""Small sizes, and whether the amount has the focus, so that a keyboard is open; 320 by 256 pixels is 400 % of a window."""
LONGEST = "a-name-of-24-characters_"
MARKUP = "<img src=x onerror=hacked=1>"
NAME = MARKUP + "\u202e"
"""The server admits no such name; the page must not depend on that."""
TEXT = NAME + "W" * 180
"""A title, or a reason."""
MOST_TABS = 8
"""How often Tab may be pressed before the field for the name has the focus."""
FAKE = """
window.WebSocket = class {
    constructor() {
        window.socket = this;
        this.readyState = 1;
        setInterval(() => this.onmessage({ data: "{}" }), 500);
    }
    send(text) {
        const [tag, ...words] = text.split(" ");
        const lines = [...(window.data?.[words[0]] ?? []), { type: "ok", tag: tag.slice(1), content: words.join(" ") }];
        for (const line of lines) setTimeout(() => this.onmessage({ data: JSON.stringify(line) }));
    }
    close() {}
};
"""
"""A server that says what the test says, is never silent, and accepts every command; `data` has data for answers."""
HELLO = {"type": "hello", "content": "auction/1", "seconds": 7, "step": 1, "game": "zzzz"}
STATE = {"lot": 1, "title": "Blue vase", "format": "english", "stage": "open", "price": None, "leader": None, "bids": 0,
         "minimum": 10, "maximum": 10 ** 12, "buy": None, "reserve": "none", "start": 10, "step": 5, "seconds": 20,
         "going": None, "isLast": False, "remainingMilliseconds": None, "elapsedMilliseconds": 0, "lots": None, "next": [],
         "nextMilliseconds": None, "purse": None, "worth": None, "common": None, "noise": None, "people": 1}
ENDED = {"minimum": None, "maximum": None, "buy": None, "remainingMilliseconds": None, "nextMilliseconds": None}


def opened(seq=1, **state):
    """The news that opens a lot with these members of its state."""
    state = {**STATE, **state}
    return {"seq": seq, "type": "lot", "lot": state["lot"], "content": state["title"],
            "text": f"lot {state['lot']} is open: {state['title']}", "state": state}


def terms(format, **options):
    """How the lot is sold."""
    return {"seq": 2, "type": "terms", "format": format, "start": 10, "text": f"sold as {format}", **options}


def priced(seq, bidder, amount, **state):
    """A bid of 1 on the first lot, by which the price and these members of the state change."""
    return {"seq": seq, "type": "price", "amount": amount, "bidder": bidder, "elapsedMilliseconds": 900, "bid": 1, "lot": 1,
            "text": f"{bidder} bids {amount}",
            "state": {"price": amount, "leader": bidder, "bids": 1, "minimum": amount + 5, **state}}


def sold(seq, bidder, amount, title="Blue vase"):
    """The end of the first lot."""
    return {"seq": seq, "type": "winner", "bidder": bidder, "amount": amount, "elapsedMilliseconds": 7900, "title": title,
            "lot": 1, "text": f"{bidder} has won {title} for {amount}",
            "state": {**ENDED, "stage": "sold", "price": amount, "leader": bidder, "elapsedMilliseconds": 7900}}


def you(**members):
    """What alice alone may know."""
    return {"type": "you", "you": members}


LOT = opened()
PURSE, WORTH = you(left=860, most=860), you(worth=143, isEstimate=False)
ENGLISH = (opened(buy=500, reserve="unmet"), terms("english", longest=60), PURSE, WORTH, priced(3, "bob", 120), you(max=110))
GAMES = {
    "english": (ENGLISH, {"[data-kind=value]": "Worth 143", "[data-kind=purse]": "Purse 860", "#raises": "earn −2.*Buy 500", "[data-kind=reserve]": "not met",
                          "#lot-number": "60 seconds", "#bid": r"Bid 125 earn \+18"}),
    "highest": ((LOT, PURSE, WORTH, priced(3, LONGEST, 10 ** 12, minimum=None, maximum=None)),
                {"#standing": "the price can rise no more", "#bid": "No higher bid"}),
    "dutch": ((opened(format="dutch", price=880, minimum=880), terms("dutch"), PURSE, you(worth=828, isEstimate=True)),
              {"#price": "^880$", "#take": "Take at 880 perhaps −52", "[data-kind=value]": "Estimate 828",
               "#standing": "first to take it", "#answer": "Over your purse: you can bid at most 860"}),
    "vickrey": ((opened(format="vickrey", bids=3), terms("vickrey"), PURSE, WORTH, you(sealed=120)),
                {"#price": "^3$", "#standing": r"Sealed: 120 .* at least \+23 if you win", "#bid": "^Sealed$",
                 "#laps-title": "3 sealed bids, shown when"}),
    "champion": ((opened(format="vickrey"), terms("vickrey"), WORTH,
                  {"seq": 3, "type": "revealed", "bidder": "bob", "amount": 150},
                  {"seq": 4, "type": "revealed", "bidder": "alice", "amount": 120}, sold(6, "bob", 120),
                  {"seq": 7, "type": "over", "lots": 1, "text": "the sale is over", "state": {"stage": "over"}},
                  {"seq": 8, "type": "champion", "bidder": "bob", "score": -17, "text": "bob is the champion with -17"}),
                 {"#call": "bob has won Blue vase for 120", "#standing": "bob: champion with −17", "#laps": "1 bob 150 2 alice 120"}),
}
"""What alice's page is told of a lot, and what it then shows."""
TELEVISIONS = ((1366, 768), (1920, 1080), (2560, 1440))
CROWD = [f"bidder-{number}" for number in range(30)]
GAME = {"lots": 10, "next": ["Clock", TEXT], "purse": 200, "games": 2, "firstLot": 1}
ENDING = (opened(snapshot=True, **GAME), {**sold(6, CROWD[0], 120), "snapshot": True},
          {"seq": 7, "type": "value", "value": 143, "lot": 1, "text": "the lot was worth 143"})
SCREENS = {
    "lobby": (),
    "play": (opened(**GAME), priced(3, CROWD[0], 120, remainingMilliseconds=20000, going="once")),
    "result": (*ENDING, {"seq": 8, "type": "next", "text": "", "state": {"nextMilliseconds": 600000}}),
    "podium": (*ENDING, {"seq": 8, "type": "over", "lots": 1, "text": "the sale is over", "state": {"stage": "over"}},
               {"seq": 9, "type": "champion", "bidder": CROWD[0], "score": 23, "text": "bidder-0 is the champion with 23"},
               *({"seq": 10 + index, "type": "award", "award": award, "bidder": CROWD[1], "amount": 3, "title": "Blue vase",
                  "text": f"{award}: bidder-1 missed Blue vase by 3"}
                 for index, award in enumerate(("bargain", "overpay", "closest")))),
}
"""What the big screen is told, by what it then shows."""
ROOMS = [{"type": "room", "room": "main", "people": 1200, "lot": 3, "format": "english", "title": TEXT},
         {"type": "room", "room": "a-name-of-twenty-4-bytes", "people": 0, "lot": 12,
          "format": "vickrey", "title": "Lot 12"}]


def missing_requirement(_):
    """What is missing, in words; empty if nothing."""
    return "" if os.path.exists(AXE) else "no axe-core in .build/tools: scripts/test fetches it"


def play(testbed):
    testbed.serve("--seconds", "60", "--lot", MARKUP + "W" * 150, "--data", "none")
    page = AuctionPage(testbed, "alice")
    show_without_scripts(page)
    bid_by_keyboard(page)
    be_outbid(testbed, page)
    show_at_all_sizes(page, "alice")
    page.wait("return document.getAnimations().every(each => each.playState !== 'running')",
              "something moves although less motion is asked for")
    page.expect("#laps td:last-child", r"^\d+[sm] ago$")
    change_name(page)
    page.run_first(FAKE)
    for game, (messages, shown) in GAMES.items():
        show_game(page, game, messages, shown)
    show_before_joining(page)
    show_between_lots(page)
    bid_on_a_phone(page)
    show_long_names(page)
    show_rooms(page)
    show_hostile_text(page)
    show_screen(page)
    page.check_clean()


def change_name(page):
    """What the name before has bid is not marked as one's own."""
    page.expect("#laps .mine", "alice")
    page.click("#change-name")
    page.click("#confirm-yes")
    page.wait("return auction.connection.phase === 'live'", "it does not connect again")
    page.type("#name", "carol")
    page.press("Enter")
    page.expect("#me", "^carol$")
    page.wait("return !document.querySelector('#laps .mine') && document.querySelector('#people .mine')?.innerText === 'carol'",
              "bids of another name are marked")


def open_as_alice(page):
    """Opens the page of somebody whose name is known here."""
    page.open()
    page.run("localStorage['auction/zzzz/name'] = 'alice'")
    say(page, HELLO)
    page.expect("#me", "^alice$")


def show_before_joining(page):
    """Somebody who may join reads what the game is, and finds one button."""
    page.open()
    page.run("localStorage.clear()")
    page.open()
    say(page, HELLO, opened(lots=10, purse=200, worth=[50, 150]))
    page.expect("#game", "10 lots · you can spend 200 · each lot is worth 50 to 150")
    for width, height in ((360, 740), (1280, 900)):
        page.resize(width, height)
        page.screenshot(f"join-{width}")
        check_width(page, width)
        check_access(page, width, "before joining")
    buttons = page.run("return [...document.querySelectorAll('#dock button')].filter(each => each.checkVisibility())"
                       ".map(each => `${each.id} ${each.className}`)")
    check(buttons == ["join main"], f"before joining the bid box has {buttons}")
    page.type("#name", "?!")
    page.press("Enter")
    page.expect("#name-note", "1 to 24 letters")


def show_between_lots(page):
    """A lot that has ended says how, also when the next one is announced; there is nothing to press."""
    open_as_alice(page)
    say(page, LOT, sold(6, "bob", 120), {"seq": 7, "type": "next", "text": "Clock opens in 600 seconds",
                                         "state": {"next": ["Clock"], "nextMilliseconds": 600000}})
    page.expect("#standing", "^bob won it for 120")
    page.expect("#coming", "^[0-9]+ Next Clock$")
    page.check_no_dead_buttons()
    say(page, opened(8, lot=2), {"seq": 9, "type": "passed", "lot": 2, "content": "Blue vase", "text": "Blue vase is unsold",
                                 "state": {**ENDED, "stage": "passed"}})
    page.expect("#standing", "^Unsold ")


def bid_on_a_phone(page):
    """On small phones, above a keyboard and at 400 % time and standing are in sight, and the button does not move."""
    open_as_alice(page)
    title = "Grandmother's porcelain teapot with a golden rim and small roses"
    say(page, opened(title=title, buy=500, reserve="unmet"), *ENGLISH[1:],
        {"seq": 4, "type": "countdown", "seconds": 20, "state": {"remainingMilliseconds": 20000}})
    page.expect("#seconds", r"\d")
    for width, height, types in PHONES:
        page.resize(width, height)
        page.run("document.activeElement.blur(); scrollTo(0, 0);"
                 "if (arguments[0]) document.querySelector('#amount').focus();", types)
        page.screenshot(f"phone-{width}-{height}{'-keyboard' if types else ''}")
        covered = page.run("""
            const ids = ['#price', '#seconds', '#standing-text', '#chips'];
            return ids.filter(id => document.querySelector(id).checkVisibility()).filter(id => {
                const { left, right, top, bottom } = document.querySelector(id).getBoundingClientRect();
                const shown = y => document.elementFromPoint((left + right) / 2, y);
                return ![top + 1, bottom - 1].every(y => document.querySelector('#stage').contains(shown(y)));
            });""")
        check(not covered, f"at {width} by {height} pixels{', above the keyboard,' if types else ''} {covered} is covered")
        check_width(page, width)
    for width, height, _ in PHONES[:2]:
        page.resize(width, height)
        page.run("document.activeElement.blur()")
        tops = {page.run("return document.querySelector('#bid').getBoundingClientRect().top")}
        page.type("#amount", "900")
        page.expect_read("#bid")
        page.press("Enter")
        page.expect("#answer", "buys the lot")
        tops.add(page.run("return document.querySelector('#bid').getBoundingClientRect().top"))
        page.run("auction.bidding.answer = null; document.querySelector('#amount').value = '';")
        check(len(tops) == 1, f"at {width} pixels the button to bid moves when it asks: {tops}")
    lead(page)


def lead(page):
    """Who leads has one button as wide as the bid box, until a maximum is wanted; what is said covers nothing."""
    say(page, priced(9, "alice", 125, remainingMilliseconds=20000))
    page.expect("#bid", "You lead wait, or set a maximum")
    page.screenshot("lead-320")
    wide = page.run("return document.querySelector('#bid').offsetWidth / document.querySelector('#dock').clientWidth")
    check(wide > 0.9, f"the button has {wide:.0%} of the width")
    page.click("#mode")
    page.expect("#set-max", "Bid up to 143")
    page.click("#talk")
    page.wait("return document.activeElement.id === 'chat-text'", "one cannot say something at once")
    page.screenshot("say-320")
    shown = page.run("const { left, top, width, height } = document.querySelector('#set-max').getBoundingClientRect();"
                     "return document.elementFromPoint(left + width / 2, top + height / 2)?.closest('button')?.id")
    check(shown == "set-max", f"{shown} is over the button to bid")


def show_long_names(page):
    """A name of 24 characters is shown whole where it has room."""
    page.open()
    page.run("window.data = { standings: [arguments[0]] }",
             {"type": "standing", "rank": 1, "bidder": LONGEST, "lots": 2, "spent": 140, "left": 860, "profit": 37})
    say(page, HELLO, LOT, priced(2, LONGEST, 1000, remainingMilliseconds=60000))
    page.expect("#standings", LONGEST)
    for width, height in ((360, 740), (1366, 768)):
        page.resize(width, height)
        page.screenshot(f"names-{width}")
        cut = page.run("return [...document.querySelectorAll('#laps td:nth-child(2), #standings td:nth-child(2)')]"
                       ".filter(each => each.scrollWidth > each.clientWidth).length")
        check(not cut, f"at {width} pixels a name is cut in {cut} tables")
        check_access(page, width, "long names")


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
    check(not page.run("return document.querySelector('#bid').checkVisibility()"), "a stranger is offered to bid, not to join")
    page.expect("#rule", "highest bid wins")
    for _ in range(MOST_TABS):
        page.press("Tab")
        check(page.has_focus_outline(), f"{page.focus()} has the focus and no outline")
        if page.focus() == "name":
            break
    check(page.focus() == "name", f"after {MOST_TABS} Tabs {page.focus()} has the focus")
    page.press(*"alice", "Enter")
    page.expect("#me", "^alice$")
    page.wait("return document.activeElement.id === 'amount'", "the bid field has no focus after the name is taken")
    page.expect_read("#bid")
    page.press("Enter")
    page.expect_standing("you lead")


def be_outbid(testbed, page):
    """Another bidder, so that every part of the page has something to show; outbid is announced."""
    bob = testbed.bidder("bob")
    bob.request("bid 1200", r"OK bid 1200")
    page.expect_standing("outbid by bob")
    page.wait("return /outbid by bob/i.test(document.querySelector('#alert').textContent)", "outbid is not announced")
    page.wait("return document.querySelectorAll('#laps tr').length === 2", "the table has not two bids")
    drawn = page.run("const chart = document.querySelector('#chart');"
                     "return chart.getContext('2d').getImageData(0, 0, chart.width, chart.height).data.some(Boolean)")
    check(drawn, "nothing is drawn in the chart")


def show_at_all_sizes(page, name):
    """No horizontal scrolling, and nothing that axe-core finds, light and dark, with less motion."""
    for scheme in ("light", "dark"):
        for width, height in SIZES:
            page.resize(width, height)
            page.prefer(color_scheme=scheme, reduced_motion="reduce")
            page.screenshot(f"{name}-{width}-{scheme}")
            check_width(page, width)
            check_access(page, width, scheme)


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


def show_game(page, game, messages, shown):
    """A lot of another kind, or of a game, at all sizes."""
    open_as_alice(page)
    say(page, *messages)
    for selector, pattern in shown.items():
        page.expect(selector, pattern)
    show_at_all_sizes(page, game)


def show_rooms(page):
    """The dialog of rooms in a room with a long name, whose auctioneer this page is, at all sizes."""
    name = ROOMS[1]["room"]
    page.open()
    page.run("localStorage[`auction/zzzz/key/${arguments[0]}`] = 'f'.repeat(32); window.data = { rooms: arguments[1] }",
             name, ROOMS)
    say(page, {**HELLO, "room": name}, LOT)
    page.expect("#room", name)
    page.click("#room")
    page.expect("#rooms-list", f"main 1,200 here · english · 3. {MARKUP}.*{name}.* 0 here · vickrey · 12. Lot 12")
    page.expect("label", "secret link")
    page.type("[name=lots]", "0")
    page.click("#open summary")
    show_at_all_sizes(page, "rooms")
    wide = page.run("const dialog = document.querySelector('#rooms'); return dialog.scrollWidth - dialog.clientWidth")
    check(wide <= 0, f"the dialog of rooms is {wide} pixels too wide")
    page.click("#rooms form button")
    page.run("auction.connection.phase = 'gone'")
    page.resize(360, 640)
    page.expect("#gone", f"no room {name}")
    page.expect("#standing-text", "this room is not open")
    for scheme in ("light", "dark"):
        page.prefer(color_scheme=scheme, reduced_motion="reduce")
        page.screenshot(f"gone-{scheme}")
        check_width(page, 360)
        check_access(page, 360, f"{scheme}, without its room")


def show_screen(page):
    """The big screen with thirty bidders: nothing is cut off, and axe-core finds nothing."""
    page.prefer(color_scheme="dark", reduced_motion="reduce")
    people = [{"type": "who", "bidder": bidder, "display": "W" * 24} for bidder in CROWD]
    standings = [{"type": "standing", "rank": index + 1, "bidder": bidder, "lots": 1, "spent": 120, "left": 80,
                  "profit": 23 - index, "points": 3} for index, bidder in enumerate(CROWD)]
    for view, messages in SCREENS.items():
        page.open("/screen")
        page.run("window.data = { who: arguments[0], standings: arguments[1] }", people, standings)
        say(page, HELLO, *messages)
        page.wait("return document.body.dataset.view === arguments[0]", f"the screen does not show {view}", view)
        if view != "lobby":
            page.expect("#others", "and 14 more")
        for width, height in TELEVISIONS:
            page.resize(width, height)
            page.screenshot(f"screen-{view}-{width}")
            cut = page.run("return [...document.querySelectorAll('header, section, footer, aside')].filter("
                           "each => each.checkVisibility() && (each.scrollHeight > each.clientHeight + 1"
                           "|| each.scrollWidth > each.clientWidth || each.getBoundingClientRect().bottom > innerHeight))"
                           ".map(each => each.id || each.tagName)")
            check(not cut, f"at {width} pixels the big screen cuts {cut} off")
            check_access(page, width, f"screen, {view}")


def say(page, *messages):
    """Has the page receive these messages, and waits until they are applied."""
    for message in messages:
        text = json.dumps({"time": "2026-11-20T10:00:00.000Z", **message})
        page.run("socket.onmessage({ data: arguments[0] })", text)
        page.wait("return auction.model.seq >= arguments[0]", "a message is not applied", message.get("seq", 0))


def show_hostile_text(page):
    """Names, titles, reasons and what people say are text, also with markup, and no text makes the page wider."""
    page.open()
    page.resize(360, 640)
    page.run("window.data = { standings: [arguments[0]] }",
             {"type": "standing", "rank": 1, "bidder": NAME, "lots": 1, "spent": 7, "left": 993})
    say(page, HELLO, *(
        opened(title=TEXT),
        {"seq": 2, "type": "joined", "bidder": NAME, "text": f"{NAME} has joined"},
        priced(3, NAME, 7),
        {"seq": 4, "type": "kicked", "bidder": NAME, "reason": TEXT, "text": f"{NAME} was removed: {TEXT}"},
        sold(5, NAME, 7, TEXT),
        {"seq": 6, "type": "said", "bidder": NAME, "text": f"{NAME}: {TEXT}"},
        {"seq": 7, "type": "champion", "bidder": NAME, "score": 7, "text": f"{NAME} is the champion with 7"},
        {"seq": 8, "type": "next", "text": f"{TEXT} opens in 3 seconds", "state": {"next": [TEXT], "nextMilliseconds": 3000}},
    ))
    for selector in ("#lot", "#standing-text", "#laps td", "#ticker", "#lots", "#standings"):
        page.expect(selector, MARKUP)
    check(page.run("return !document.querySelector('img') && typeof hacked === 'undefined'"), "text became markup")
    check_width(page, 360)
