"""A night in browsers, from the QR code on a big screen to the podium, with a phone that sleeps and a killed server."""

import contextlib
import importlib.util
import json
import os
import re
import sys

import webdriver
from checks import Failure, check
from page import AuctionPage
from programs import HOST, ROOT
from page_auction import LOST

sys.path.append(os.path.join(ROOT, ".build", "tools"))

TITLE = "a night: screen, four phones, nc, bots; a phone sleeps, the server is killed, the podium, a rematch"
NEEDS = (*webdriver.NEEDS, "nc -N")
TOKEN = "0123456789abcdef" * 2
PHONES = ("alice", "bob", "zoe", "max")
PEOPLE = len(PHONES) + 3
"""With the bidder who has only `nc`, and two bots."""
LOTS, SECONDS = 3, 8
PURSE = 90 * LOTS // PEOPLE
"""The purse that `auto` makes of values of 100 on average. Nobody can bid more than a whole one."""
SCREEN_SIZES, PHONE_SIZES = ((1920, 1080), (1280, 720)), ((360, 740),)
TIME_OF_LOT, CALM_SECONDS, WAKE_SECONDS = 90, 20, 10
"""Seconds that may pass: the bids on a lot, until a page is calm again, and until one that wakes is right."""
TRIES, TAP_SECONDS = 10, 2
"""How often a person taps where bots bid too, and how long a tap may take to become a bid."""
STILL = ("return document.getAnimations().every(each => each.playState !== 'running'"
         " || each.effect.getComputedTiming().iterations === Infinity)")
FACTS = """
const { model } = auction;
const names = [...model.people.values()].map(name => `${name} ${model.nameOf(name)}`).sort();
const text = (selector) => document.querySelector(selector)?.innerText.replace(/\\s+/g, " ").trim() ?? "";
return { title: text("#lot, #title"), price: text("#price"), leader: model.state.leader, names, me: text("#me"),
    purse: text("#purse, [data-kind=purse]"), left: model.standings.map(({ bidder, left }) => `${bidder} ${left}`).sort() };
"""
"""What a page shows of an open lot and of the bidders; some of the elements are on the screen, some on phones."""
WATCH = """
window.glances = [];
const look = () => {
    const { lot, seconds } = Object.fromEntries(["lot", "seconds"].map(id => [id, document.getElementById(id).innerText]));
    glances.push([lot, seconds]);
    requestAnimationFrame(look);
};
look();
"""
"""Keeps the title and the countdown of each frame."""
AWARDS_SEEN = """
const [awards, scrolls] = arguments;
const isSeen = (each) => {
    if (scrolls) each.scrollIntoView({ block: "center" });
    const { left, top, right, bottom } = each.getBoundingClientRect();
    const points = [0.02, 0.5, 0.98].map(part => [left + part * (right - left), (top + bottom) / 2]);
    let opacity = 1;
    for (let part = each; part; part = part.parentElement) opacity *= getComputedStyle(part).opacity;
    return right > left && left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight && opacity > 0.9
        && points.every(point => each.contains(document.elementFromPoint(...point)));
};
const items = [...document.querySelectorAll("#awards li")];
return items.length === awards.length && items.every(isSeen)
    && awards.every(words => items.some(each => words.every(word => each.innerText.includes(word))));
"""
"""Whether each award is in the window as a whole, covered by nothing, and has its words."""


def missing_requirement(_):
    """What is missing, in words; empty if nothing."""
    return "" if importlib.util.find_spec("cv2") else "no OpenCV in .build/tools: scripts/test fetches it"


def play(testbed):
    flags = ("--night", "--lots", str(LOTS), "--seconds", str(SECONDS), "--pause", "3", "--seed", "1",
             "--data", os.path.join(testbed.folder, "journal"), "--auctioneer-token-file", testbed.secret("key", TOKEN))
    server = testbed.serve(*flags, port=testbed.free_port())
    observer = testbed.connect("observer")
    screen = open_screen(testbed)
    nina, proof = join_by_nc(testbed)
    nina.request("display Nína", "OK display Nína")
    link = scan(screen)
    phones = {name: enter(testbed, name, link) for name in PHONES}
    testbed.client("bots", "bots", "2", "--stay")
    gather(screen, phones)
    set_up(phones["alice"])
    play_first_lot(screen, phones, nina, observer)
    wake_in_second_lot(phones, observer)
    observer, nina = lose_server(testbed, server, flags, screen, phones, nina, observer, proof)
    play_last_lot(phones, observer)
    end(testbed, screen, phones, observer)
    command(testbed, "rematch")
    expect_view(screen, "play")
    screen.expect("#place", "Lot 1 of 3 · Game 2")
    for page in (screen, *phones.values()):
        page.check_clean(LOST, "ERR_INVALID_HTTP_RESPONSE")


# How they come

def open_screen(testbed):
    """The screen waits for bidders without any input."""
    screen = AuctionPage(testbed, "screen")
    screen.resize(*SCREEN_SIZES[0])
    screen.open("/screen")
    expect_view(screen, "lobby")
    screen.expect("#here", "nobody is here yet")
    return screen


def join_by_nc(testbed, proof=""):
    """A bidder without a device who has only `nc`, and the token of the name."""
    nina = testbed.spawn("nina", "nc", HOST, str(testbed.port))
    return nina, nina.request(f"name nina {proof}".strip(), "OK name nina .+").split()[-1]


def scan(screen):
    """The address that a phone reads off the screen."""
    import cv2

    screen.wait("const image = document.querySelector('#lobby img');"
                "return image.complete && image.naturalWidth > 0", "no QR code")
    link, _, _ = cv2.QRCodeDetector().detectAndDecode(cv2.imread(screen.screenshot("night-code")))
    check(link.startswith("http://"), f"the QR code says {link!r}")
    return link


def enter(testbed, name, link):
    """A phone that opens the link of the QR code, and takes its name."""
    phone = AuctionPage(testbed, name)
    phone.resize(*PHONE_SIZES[0])
    phone.devtools("Emulation.setScrollbarsHidden", hidden=True)
    phone.open(link)
    phone.expect_phase("live")
    phone.type("#name", name)
    phone.press("Enter")
    phone.expect("#me", f"^{name}$")
    return phone


def gather(screen, phones):
    screen.expect("#here", f"^{PEOPLE} bidders are here$")
    screen.expect("#faces", "Nína")
    take_pictures(screen, "lobby")
    take_pictures(phones["alice"], "lobby")


def set_up(host):
    """The host's phone gives a lot a title, and starts the game."""
    host.sign_in(TOKEN)
    host.type("#titles li:nth-child(2) input", "Blue vase")
    host.press("Tab")
    host.expect("#answer", "lot 2 is now Blue vase")
    host.wait("return auction.model.state.next[1] === 'Blue vase'", "the lot has another title")
    host.click("#begin")


def command(testbed, word):
    """The host of the night, on a connection of its own."""
    host = testbed.connect("host", waits=False)
    host.request(f"auctioneer {TOKEN}", "OK auctioneer")
    host.request(word, f"OK {word}")


# The lots

def play_first_lot(screen, phones, nina, observer):
    """A phone bids, and is outbid by `nc`, whose reaction floats over the screen; another one buys, while zoe sleeps."""
    expect_view(screen, "play")
    bob, zoe = phones["bob"], phones["zoe"]
    raise_at_last(bob, observer)
    fall_asleep(zoe)
    amount = PURSE // 2
    nina.request(f"bid {amount}", f"OK bid {amount}")
    nina.request("react 👏", "OK react 👏")
    screen.wait("return document.querySelector('#floats').textContent.includes('👏')", "no reaction floats")
    screen.expect("#bids", f"{amount} Nína")
    bob.expect_standing("outbid")
    take_pictures(screen, "play")
    take_pictures(bob, "outbid")
    phones["alice"].bid(PURSE)
    phones["alice"].expect_standing("you lead")
    take_pictures(phones["alice"], "lead")
    observer.expect(rf"WINNER alice {PURSE} .+")
    expect_view(screen, "result")
    screen.expect("#buyer", "alice")
    phones["alice"].expect_standing("won|yours")
    phones["alice"].expect("#purse, [data-kind=purse]", r"\b0\b")
    take_pictures(screen, "result")
    take_pictures(phones["alice"], "won")
    take_pictures(bob, "sold")


def raise_at_last(phone, observer):
    """Raises by one tap, and again if a bot was faster."""
    for _ in range(TRIES):
        phone.raise_by_one_tap()
        with contextlib.suppress(Failure):
            return observer.expect(rf"PRICE \d+ {phone.name} .+", TAP_SECONDS)
    raise Failure(f"{phone.name} taps, and does not bid")


def fall_asleep(phone):
    phone.run(WATCH)
    phone.freeze()


def wake_in_second_lot(phones, observer):
    """A phone that slept over the end of a lot shows the open one, no time of the other one, and has sent no bid."""
    title = observer.expect("LOT 2 .+").split(" ", 2)[2]
    phones["bob"].expect("#lot", title)
    raise_at_last(phones["bob"], observer)
    zoe = phones["zoe"]
    zoe.run("glances.length = 0")
    zoe.thaw()
    zoe.testbed.wait(lambda: is_equal(zoe, phones["max"], observer), "zoe wakes to something else than the others see",
                     WAKE_SECONDS, webdriver.POLL_SECONDS)
    take_pictures(zoe, "awake")
    # The first frame is the one from before the sleep.
    glances = zoe.run("return glances.slice(1)")
    check(glances, "zoe's page draws nothing")
    wrong = [(lot, seconds) for lot, seconds in glances if lot != title and seconds.isdigit() and int(seconds) > 0]
    check(not wrong, f"zoe wakes, and a countdown of the lot before runs: {wrong}")
    sent = " ".join(line for lines in zoe.run("return wire.sent") for line in lines)
    check(not any(f" {verb} " in sent for verb in ("bid", "max", "take", "buy")), f"zoe slept and sent {sent}")


def is_equal(woken, awake, observer):
    """Whether both pages show the newest price, and the same time within a second."""
    _, amount, leader, *_ = next(line for line in reversed(observer.lines) if line.startswith("PRICE ")).split()
    facts, others = (page.run(FACTS) for page in (woken, awake))
    woken_seconds, seconds = (page.run("return document.getElementById('seconds').innerText") for page in (woken, awake))
    is_right = all(each["price"] == amount and each["leader"] == leader for each in (facts, others))
    return (is_right and facts["title"] == others["title"] and woken_seconds.isdigit() and seconds.isdigit()
            and abs(int(woken_seconds) - int(seconds)) <= 1)


def lose_server(testbed, server, flags, screen, phones, nina, observer, proof):
    """Without its server no page counts on; with another one each shows what it showed. Returns new connections.

    The leading bid is a whole purse, so that nobody can bid more meanwhile.
    """
    nina.request(f"bid {PURSE}", f"OK bid {PURSE}")
    pages, standings = (screen, *phones.values()), standings_of(observer)
    left = sorted(f"{bidder} {words['left']}" for bidder, words in standings.items())
    expected = str(PURSE), "nina", left
    shown = {page.name: expect_facts(page, lambda facts: (facts["price"], facts["leader"], facts["left"]) == expected)
             for page in pages}
    check("nina Nína" in shown["screen"]["names"], f"the screen has the names {shown['screen']['names']}")
    server.kill()
    check(not any(line.startswith("WINNER nina") for line in observer.lines), "the lot ended before the server was killed")
    screen.expect("#notice", "connection lost|connecting")
    for page in pages:
        page.wait("return !/[0-9]/.test(document.querySelector('#seconds').innerText)", "a page counts on without a server")
    take_pictures(screen, "lost")
    take_pictures(phones["bob"], "lost")
    testbed.serve(*flags, port=testbed.port)
    observer = testbed.connect("observer again")
    observer.expect(rf"LOT 2 {shown['screen']['title']}")
    observer.expect(rf"PRICE {PURSE} nina .+")
    nina, _ = join_by_nc(testbed, proof)
    for page in pages:
        page.expect_phase("live")
        expect_facts(page, lambda facts, page=page: facts == shown[page.name], f", and showed {shown[page.name]}")
    check(standings_of(observer) == standings, f"the standings were {standings}")
    observer.expect(rf"WINNER nina {PURSE} .+", TIME_OF_LOT)
    return observer, nina


def expect_facts(page, is_right, complaint=""):
    """Waits until what the page shows is right, and returns it."""
    def look():
        facts = page.run(FACTS)
        return facts if is_right(facts) else None

    return page.testbed.wait(look, lambda: f"{page.name} shows {page.run(FACTS)}{complaint}",
                             CALM_SECONDS, webdriver.POLL_SECONDS)


def standings_of(peer):
    """The rank, the profit and so on by bidder, the first one first."""
    start = len(peer.lines)
    peer.request("standings", r"OK standings .*")
    rows = [line.split()[1:] for line in peer.lines[start:] if line.startswith("STANDING ")]
    return {bidder: dict(word.split("=") for word in (f"rank={rank}", *words)) for rank, bidder, *words in rows}


def play_last_lot(phones, observer):
    """The phone that slept bids like any other; the bots may bid more."""
    title = observer.expect("LOT 3 .+").split(" ", 2)[2]
    phones["zoe"].expect("#lot", title)
    phones["zoe"].bid(PURSE - 2)
    observer.expect(rf"PRICE {PURSE - 2} zoe .+")
    observer.expect(r"WINNER .+", TIME_OF_LOT)


# The end

def end(testbed, screen, phones, observer):
    """On the podium stand those whom the server names, and each award is seen; a phone may scroll to it."""
    expect_view(screen, "podium")
    observer.expect("OVER.*")
    displays = displays_of(testbed)
    check_places(screen, list(standings_of(observer).items())[:3], displays)
    awards = [line.split(" ", 4)[1:] for line in observer.lines if line.startswith("AWARD ")]
    check(awards, "nobody has an award")
    champion = next(line.split()[1] for line in observer.lines if line.startswith("CHAMPION "))
    for page in (screen, *phones.values()):
        page.expect("body", rf"({champion}|{displays[champion]})\W+(is the )?champion|you are the champion")
    for page in (screen, phones["zoe"]):
        take_pictures(page, "podium", lambda page: expect_awards(page, awards))


def displays_of(testbed):
    """What people are called, by their names."""
    follower = testbed.connect("follower")
    follower.send_lines("format json", "who")
    follower.expect(r'\{"type":"ok".*"content":"who.*')
    rows = [json.loads(line) for line in follower.lines if line.startswith('{"type":"who"')]
    return {row["bidder"]: row.get("display", row["bidder"]) for row in rows}


def check_places(screen, rows, displays):
    """Each of the first three has its rank and its profit beside its name."""
    places = screen.run("return [...document.querySelectorAll('#places li')].map(each => each.innerText)")
    check(len(places) == len(rows) == 3, f"the podium has {places}")
    for place, (bidder, words) in zip(places, rows):
        expected = displays[bidder], words["rank"], profit_text(int(words["profit"]))
        check(all(re.search(rf"(?<!\S){re.escape(word)}(?!\S)", place) for word in expected),
              f"the podium has {places}, not {expected}")


def profit_text(profit):
    sign = "+" if profit > 0 else "−" if profit < 0 else "±"
    return f"{sign}{abs(profit)}"


def expect_awards(page, awards):
    """Waits until all awards are seen, with their amounts and lots; for a while somebody's words may cover them."""
    words, scrolls = [award[2:] for award in awards], page.name != "screen"
    page.wait(AWARDS_SEEN, f"not all of the awards {awards} are seen", words, scrolls, seconds=CALM_SECONDS)


# What all need

def take_pictures(page, view, prepare=lambda page: None):
    """Saves what the page shows at each of its sizes, once it is prepared and nothing moves."""
    kind, sizes = ("screen", SCREEN_SIZES) if page.name == "screen" else ("phone", PHONE_SIZES)
    for width, height in sizes:
        page.resize(width, height)
        prepare(page)
        page.wait(STILL, "the page does not come to rest")
        page.screenshot(f"night-{kind}-{view}-{width}")
    page.resize(*sizes[0])


def expect_view(screen, view):
    screen.wait("return document.body.dataset.view === arguments[0]", f"the screen does not show {view}", view,
                seconds=TIME_OF_LOT)
