import Auction

/// The answer to `help`: the commands, on a screen of 80 columns by 24 lines.
public enum Help {
    /// The lines, in order; each is the text of a `HELP` message.
    ///
    /// They begin with the rule by which the present lot is sold.
    public static func lines(of format: AuctionFormat) -> [String] {
        ["A live auction. The format of this lot is \(format.rawValue):", rule(of: format)]
            + commands
    }

    /// How a lot of this format is sold, as a sentence.
    public static func rule(of format: AuctionFormat) -> String {
        format.rule.prefix(1).uppercased() + format.rule.dropFirst() + "."
    }

    private static let commands = [
        "name alice           take a name; again with its token: name alice TOKEN",
        "bid 120, or 120      bid; with lot=4 after it, only while lot 4 is open",
        "max 200              the server bids for you, up to 200 (max 0: no more)",
        "take, buy            buy at the asking price, or at the buy-now price",
        "laps, laps 1 500     the newest 20 bids of the lot, or 500 from number 1 on",
        "results              how the last 20 lots ended; results 1 500, as laps",
        "who, standings       the connected bidders; the ranking of all bidders",
        "say hello            a message to everybody",
        "resume 1234          the news after number 1234 of JSON, then what follows",
        "status               the lot, the price and the countdown again",
        "format json          JSON from now on (format text: words again)",
        "rooms, join blue     the open rooms; go to the room blue",
        "open blue lots=5     open a room; its key makes you its auctioneer",
        "ping, quit           is anybody there?; leave, a leading bid stays",
        "auctioneer TOKEN     pause resume hammer void close stop, kick NAME REASON,",
        "                     mute/unmute NAME, end ROOM, add TITLE [reserve=80 ...]",
        "",
        "News: LOT number title, PRICE amount bidder time bid, COUNTDOWN seconds,",
        "GOING once, GOING twice, WINNER bidder amount time title, JOINED, LEFT.",
        "A tag before a command is repeated: #7 bid 120 -> OK #7 bid 120",
    ]
}
