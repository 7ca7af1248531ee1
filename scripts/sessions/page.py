"""The page of a sale in a browser: what a person finds on it, and does with it."""

from __future__ import annotations

import re

from checks import check
from webdriver import Chromium

WIRE = """
window.wire = { sent: [], numbers: [] };
window.WebSocket = class extends WebSocket {
    constructor(...words) {
        super(...words);
        const sent = [];
        wire.sent.push(sent);
        this.addEventListener("message", (event) => {
            const message = JSON.parse(event.data);
            if ("seq" in message && !message.snapshot) wire.numbers.push(message.seq);
        });
        this.send = (text) => { sent.push(text); super.send(text); };
    }
};
"""
"""Keeps what the page sends on each connection, and the numbers of all news that it receives."""


class AuctionPage(Chromium):
    """The page of the server that was started last, and its bidder."""

    def __init__(self, testbed, name, is_watched=True):
        """With `is_watched`, what the page requests, sends and receives is kept."""
        super().__init__(testbed, name, is_watched)
        if is_watched:
            self.run_first(WIRE)

    # What a person does

    def enter(self):
        """Opens the page, and takes the name."""
        self.open()
        self.expect_phase("live")
        self.type("#name", self.name)
        self.press("Enter")
        self.expect("#me", rf"^{self.name}$")
        return self

    def bid(self, amount):
        self.type("#amount", str(amount))
        self._do_surely("#bid", lambda: self.press("Enter"))

    def raise_by_one_tap(self):
        self.press_button("#raises button")

    def press_button(self, selector):
        """Presses a button of the bid box, and once more if it asks."""
        self._do_surely(selector, lambda: self.click(selector))

    def _do_surely(self, selector, press):
        """A press means what has been shown for a while, and a question is answered after a while."""
        self.expect_read(selector)
        press()
        if self.asks():
            self.wait("const { answer } = auction.bidding;"
                      "return answer?.kind !== 'ask' || Date.now() >= answer.at + 500", "the question is not ready")
            press()

    def asks(self):
        """Whether the bid box asks if what was pressed is meant."""
        return self.run("return auction.bidding.answer?.kind === 'ask'")

    def expect_read(self, selector):
        """Waits until a press of a button means what it shows."""
        self.wait("return document.querySelector(arguments[0]).matches('[aria-disabled=false]:not([data-fresh])')",
                  f"{selector} cannot be pressed", selector)

    def command(self, verb):
        """Presses a button of the auctioneer, and confirms it if the page asks."""
        self.click(f"#orders [value={verb}]")
        if self.run("return document.querySelector('#confirm').open"):
            self.click("#confirm-yes")

    def sign_in(self, token):
        """Becomes the auctioneer."""
        self.click("#auctioneer summary")
        self.type("#token", token)
        self.press("Enter")

    # What a person sees

    def number(self, selector):
        """The last number of an element's text, whose digits may be in groups."""
        return int(re.findall(r"\d+", self.expect(selector, r"\d").replace(",", ""))[-1])

    def expect_phase(self, phase):
        """Waits until the page shows that its connection is "live" or "lost"."""
        self.wait("return document.body.dataset.phase === arguments[0]", f"the connection is not {phase}", phase)

    def expect_price(self, amount):
        """Waits for this price, whose digits may be in groups."""
        pattern = "^" + ",?".join(str(amount)) + r"\b"
        self.expect("#price", pattern)

    def expect_standing(self, pattern):
        """Waits for what the page says of its bidder: leads, is outbid, has won."""
        self.expect("#standing-text", pattern)

    def focus(self):
        """The identity of the element that has the focus."""
        return self.run("return document.activeElement.id || document.activeElement.tagName.toLowerCase()")

    def has_focus_outline(self):
        return self.run("return getComputedStyle(document.activeElement).outlineStyle !== 'none'")

    def laps(self):
        """The number, the bidder, the amount and the time of each bid in the table, the newest first."""
        self.wait("return document.querySelectorAll('#laps tr').length === auction.model.series.count",
                  "the table does not show all bids")
        return self.run("return [...document.querySelectorAll('#laps tr')].map("
                        "row => [...row.cells].slice(0, 4).map(cell => cell.innerText.trim()))")

    def check_no_dead_buttons(self):
        """Fails if the bid box has something to press or to fill in while no lot is open."""
        dead = self.run("return [...document.querySelectorAll('#dock button, #dock input')]"
                        ".filter(each => each.checkVisibility() && !each.closest('#reactions, #tools, #chat, #setup')).map(each => each.id)")
        check(not dead, f"{self.name}: without a lot the bid box shows {dead}")

    def check_continuity(self):
        """Fails unless all news came, after `resume` on each later connection, and each bid is shown once."""
        numbers, sent = sorted(set(self.run("return wire.numbers"))), self.run("return wire.sent")
        check(numbers == list(range(numbers[0], numbers[-1] + 1)), f"{self.name}: received the news {numbers}")
        # Before that a page may only take its name and sign in.
        later = [commands[:3] for commands in sent[1:] if commands]
        check(all(" resume " in " ".join(commands) for commands in later), f"{self.name}: later sent {later}")
        bids = [int(lap[0]) for lap in self.laps()]
        check(bids == list(range(len(bids), 0, -1)), f"{self.name}: shows the bids {bids}")
