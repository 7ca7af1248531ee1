"""The page in a browser, going from room to room."""

from page import AuctionPage

REFUSED = r"Unexpected response code: 404|status of 404|ERR_CONNECTION|ERR_INVALID_HTTP_RESPONSE"
"""What Chromium itself writes into the console when a room or the server is gone.

On a busy machine a request can be sent so long after its connection was made that the server has greeted in text.
"""
RARE = {"step", "reserve", "buy", "pause", "longest", "common", "noise", "profits"}
"""The options that are shown on demand."""


class RoomPage(AuctionPage):
    """A page that goes from room to room."""

    def show_rooms(self):
        if not self.run("return document.querySelector('#rooms').open"):
            self.click("#room")

    def close_rooms(self):
        self.click("#rooms form[method=dialog] button")

    def open_room(self, **options):
        """Fills the form, and sends it."""
        self.show_rooms()
        if RARE.intersection(options) and not self.run("return document.querySelector('#open details').open"):
            self.click("#open summary")
        # These rooms begin at once.
        self.run("document.querySelector('#open [name=wait]').value = '';"
                 "document.querySelector('#open [name=named]').value = '';")
        for option, text in options.items():
            self.type(f"#open [name={option}]", str(text))
        self.press("Enter")

    def enter_room(self, name):
        """Takes the link in the list."""
        self.show_rooms()
        self.expect("#rooms-list", rf"(^| ){name} ")
        self.click(f"#rooms-list a[href='{path_of(name)}']")
        self.expect_room(name)

    def expect_room(self, name):
        self.wait("return auction.model.room === arguments[0] && location.pathname === arguments[1]",
                  f"the page is not in {name}", name, path_of(name))
        self.expect("#room-name", f"^{name}$")
        self.expect_phase("live")

    def expect_auctioneer(self, is_one=True):
        self.wait("return auction.connection.isAuctioneer === arguments[0]", "the wrong page is the auctioneer", is_one)

    def link(self, field):
        """The link in a field of the dialog."""
        self.show_rooms()
        return self.wait("return document.getElementById(arguments[0]).value", f"no {field}", field)


def path_of(room):
    return "/" if room == "main" else f"/rooms/{room}"
