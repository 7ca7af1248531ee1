"""A game on the page: lots of all formats with purses and values, against a bidder of lines."""

import os

import webdriver
from checks import check
from page import AuctionPage

TITLE = "lots of all formats on the page: purses, values, a maximum, chat, a lot that is added, a champion"
NEEDS = webdriver.NEEDS
LOTS = """Vase format=vickrey seconds=10
Clock format=dutch seconds=40 start=300 step=10
Lamp reserve=40 buy=900 seconds=14
"""
PURSE, VALUES = 1000, "100..150"
TOKEN = "0123456789abcdef" * 2


def play(testbed):
    path = os.path.join(testbed.folder, "lots")
    with open(path, "w", encoding="ascii") as file:
        file.write(LOTS)
    testbed.serve("--lots-file", path, "--purse", str(PURSE), "--worth", VALUES, "--seed", "1", "--pause", "2",
                  "--auctioneer-token-file", testbed.secret("key", TOKEN))
    alice = AuctionPage(testbed, "alice").enter()
    bob = testbed.bidder("bob")
    spent = play_vickrey(alice, bob)
    spent += play_dutch(alice, bob)
    command(alice, bob)
    spent += play_english(alice, bob)
    spent += play_sealed(alice, bob)
    end(alice, bob, spent)
    alice.check_continuity()
    alice.check_clean()


def play_vickrey(alice, bob):
    """A sealed bid is shown to its bidder alone and can be replaced; then all are revealed. Returns the price."""
    alice.expect("#lot-number", "pays the second-highest")
    alice.expect("[data-kind=purse]", "1,000")
    worth = alice.number("[data-kind=value]")
    bob.request("bid 60", r"OK bid 60")
    alice.expect("#price", "^1$")
    alice.bid(worth + 5)
    alice.expect_standing(f"sealed: {worth + 5} .* at least −5")
    alice.bid(90)
    alice.expect_standing("sealed: 90")
    alice.expect("#price", "^2$")
    alice.expect("[data-kind=purse]", "910")
    lines = bob.expect(r"REVEALED .+")
    check(lines == "REVEALED 90 alice", f"revealed first: {lines}")
    alice.expect_standing(rf"yours for 60 with a bid of 90 · worth {worth} to you: you earn \+{worth - 60}")
    alice.expect("#laps", "^1 alice 90 2 bob 60$")
    alice.expect("[data-kind=purse]", "940")
    return 60


def play_dutch(alice, bob):
    """The button takes the lot at the price that is asked. Returns that price."""
    alice.expect("#lot-number", "the price falls")
    alice.expect("#take", "Take at 2[0-9]0")
    worth = alice.number("[data-kind=value]")
    asked = alice.number("#take span")
    alice.expect("#take", f"earn −{asked - worth}|earn")
    steps = alice.run("return auction.model.series.steps.map(({ price }) => price)")
    check(steps == list(range(300, steps[-1] - 1, -10)), f"the chart has the asking prices {steps}")
    alice.press_button("#take")
    alice.expect("#answer", "you bought it for 2[0-9]0")
    alice.expect_standing("yours(, but .* too dear You pay| for) 2[0-9]0")
    price = alice.number("#price")
    bob.expect(rf"WINNER alice {price} .+ Clock")
    alice.expect("[data-kind=purse]", f"{PURSE - 60 - price}")
    alice.expect("#standings", rf"alice 2 {60 + price} {PURSE - 60 - price}")
    return price


def command(alice, bob):
    """The auctioneer's page mutes a bidder for a while, and adds a lot."""
    alice.sign_in(TOKEN)
    alice.type("#kick-name", "bob")
    alice.click("[value=mute]")
    alice.expect("#auctioneer-note", "done: mute")
    bob.request("say hello", r"ERROR muted .+")
    alice.click("[value=unmute]")
    alice.expect("#auctioneer-note", "done: unmute")
    alice.type("#add-title", "Chair")
    alice.type("#add-options", "format=sealed buy=200 speed=9")
    alice.press("Enter")
    alice.expect("#auctioneer-note", "speed")
    alice.type("#add-options", "format=sealed buy=200 seconds=20")
    alice.press("Enter")
    alice.expect("#auctioneer-note", "done: add")


def play_english(alice, bob):
    """A maximum bids by itself, up to the reserve and over others; what is said is heard. Returns the price."""
    alice.expect("[data-kind=reserve]", "not met")
    alice.expect("#buy", "Buy 900")
    alice.type("#amount", "100000")
    alice.expect("#answer", "over your purse")
    bob.request("bid 20", r"OK bid 20")
    alice.expect_price(20)
    alice.click("#mode")
    alice.type("#amount", "90")
    alice.press_button("#set-max")
    alice.expect("[data-kind=reserve]", "^reserve met$")
    alice.expect_standing("you lead with 40")
    bob.request("bid 50", r"OK bid 50")
    alice.expect_standing("you lead with 51")
    bob.request("say <b>well bid</b>", r"OK say")
    alice.expect("#ticker", "bob: <b>well bid</b>")
    alice.click("#talk")
    alice.type("#chat-text", "thank you")
    alice.press("Enter")
    bob.expect(r"SAID alice thank you")
    alice.expect("#proxy", "bids for you up to 90")
    alice.expect_standing("yours for 51")
    return 51


def play_sealed(alice, bob):
    """A purchase ends a sealed lot at once, and its bids are revealed too. Returns the price."""
    alice.expect("#lot-number", "pays its amount")
    bob.request("bid 70", r"OK bid 70")
    alice.expect("#price", "^1$")
    alice.expect("#raises", "^Buy 200 earn −")
    alice.expect_read("#buy")
    alice.click("#buy")
    alice.expect("#answer", "This buys the lot for 200, .* above your value: sure\?")
    alice.expect("#buy", "^Yes, buy 200")
    alice.press_button("#buy")
    alice.expect("#answer", "you bought it for 200")
    alice.expect_standing("yours.* 200")
    bob.expect(r"REVEALED 70 bob")
    alice.expect("#laps", "^1 bob 70$")
    return 200


def end(alice, bob, spent):
    """The champion and a final table."""
    champion, score = bob.expect(r"CHAMPION .+").split()[1:]
    alice.expect_standing("champion")
    alice.expect("#standings-title", "final")
    alice.expect("#standings", rf"alice {PURSE - spent} ")
    alice.check_no_dead_buttons()
