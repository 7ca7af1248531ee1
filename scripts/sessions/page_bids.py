"""A bid that one can trust: a press means what its button said, by mouse and by keys, and a mistake is asked about."""

import webdriver
from checks import check
from page import AuctionPage

TITLE = "a press means what its button said, held and by keys; mistakes are asked about"
NEEDS = webdriver.NEEDS


def play(testbed):
    testbed.serve("--lots-file", testbed.secret("lots", "Vase buy=2000\n"), "--seconds", "60", "--purse", "3000",
                  "--worth", "100..100", "--self-raise", "allow", "--data", "none")
    alice = AuctionPage(testbed, "alice").enter()
    bob = testbed.bidder("bob")
    bob.request("bid 50", r"OK bid 50")
    type_amount(alice)
    hold(alice, bob)
    bob.request("bid 92", r"OK bid 92")
    alice.expect_price(92)
    ask(alice)
    alice.check_continuity()
    alice.check_clean()


def type_amount(alice):
    """A click into the amount is enough to type there."""
    alice.run("document.activeElement.blur()")
    alice.click("#amount")
    alice.press("7", "7")
    alice.expect("#bid", "Bid 77")
    alice.press("Escape")


def hold(alice, bob):
    """What changes under a finger stays on the button, and is what is bid; so it is with a key that is held down."""
    alice.expect("#bid", "Bid 51")
    alice.expect_read("#bid")
    alice.hold("#bid")
    check(alice.run("return document.activeElement.id") == "amount", "a press on the button closes a phone's keyboard")
    bob.request("bid 52", r"OK bid 52")
    alice.expect_price(52)
    alice.expect("#bid", "Bid 51")
    alice.release()
    alice.expect("#answer", "bid at least 53")
    check(last_bid(alice) == "bid 51 lot=1", f"held on 51 the page sent {last_bid(alice)}")
    alice.expect_read("#raises button")
    alice.run("document.querySelector('#raises button').focus()")
    alice.hold_key(" ")
    bob.request("bid 54", r"OK bid 54")
    alice.expect_price(54)
    alice.release_key(" ")
    alice.expect("#answer", "bid at least 55")
    check(last_bid(alice) == "bid 53 lot=1", f"with the key held on 53 the page sent {last_bid(alice)}")


def ask(alice):
    """A loss, a purchase and five times the price are asked about; a screen reader is told the loss on each raise."""
    before = last_bid(alice)
    for amount, question in ((150, "is 50 above your value"), (460, "is 5 times the price, 360 above"),
                             (2010, "buys the lot for 2,000, 1,900 above your value")):
        alice.type("#amount", str(amount))
        alice.expect_read("#bid")
        alice.press("Enter")
        alice.expect("#answer", f"^This {question}")
        alice.expect("#bid", f"^Yes, bid {amount:,}")
        check(last_bid(alice) == before, f"{amount} was sent unasked")
    label = alice.label("#raises button:nth-child(3)")
    check("−" in label, f"a screen reader is told {label!r} for a raise at a loss")


def last_bid(page):
    """The last bid that the page has sent, without its tag."""
    bids = [line.split(" ", 1)[1] for line in page.run("return wire.sent.flat()") if " bid " in line]
    return bids[-1] if bids else ""
