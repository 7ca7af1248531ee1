import Arguments
import Auction
import Bidder
import Strategies
import Wire

/// The commands, and what `--help` says about them.
extension Flags {
    static let bid = Command(
        "bid", "AMOUNT", 1...1, help: "Bid, then follow the lot until the hammer falls",
        details: """
            Prints the answer and the news, and exits 0 if you have won. A bid of a lot that has \
            ended is refused; --wait bids on the next lot instead. A sealed bid replaces your \
            earlier one. If the price falls, you win at once with a bid of at least the price; \
            with --wait a lower bid waits until the price has fallen to it.
            """,
        examples: [
            "auction-client --name alice bid 120", "auction-client -n alice bid 120 --wait",
            "auction-client -n alice bid 120 --no-wait --json",
        ])
    static let max = Command(
        "max", "AMOUNT", 1...1,
        help: "Let the server bid for you, each time the least that leads, up to AMOUNT",
        details: """
            For lots whose price rises. The amount is secret. Prints the answer and the news, and \
            exits 0 if you have won. max 0 takes it back; a bid that leads stays.
            """,
        examples: ["auction-client -n alice max 200", "auction-client -n alice max 0"])
    static let take = Command(
        "take", help: "Win the lot at its falling price",
        examples: ["auction-client -n alice take"])
    static let buy = Command(
        "buy", help: "Win the lot at its buy-now price",
        examples: ["auction-client -n alice buy"])
    static let say = Command(
        "say", "TEXT", 1...Int.max, help: "Say something to everybody",
        examples: ["auction-client -n alice say good luck"])
    static let play = Command(
        "play", help: "Bid and watch on the full screen; piped: send each line of the input",
        details: """
            Type an amount and Enter to bid, ? for the keys. Without a terminal, or with --plain, \
            each line of the input is sent to the server, and everything it sends is printed.
            """,
        examples: ["auction-client play", "printf 'bid 5\\nlaps\\n' | auction-client play"])
    static let watch = Command(
        "watch", help: "Follow the news until interrupted, on the full screen or in lines",
        examples: ["auction-client watch", "auction-client watch --json | jq .type"])
    static let laps = Command(
        "laps", "[FIRST COUNT]", 0...2, help: "List accepted bids; by default the newest 20",
        details: """
            Between two lots it lists those of the last lot. FIRST is the number of a bid. A \
            terminal shows a table; a pipe gets the lines of the server.
            """,
        examples: ["auction-client laps", "auction-client laps 1 500"])
    static let results = Command(
        "results", "[FIRST COUNT]", 0...2, help: "List how lots ended; by default the newest 20",
        details: """
            FIRST is the number of a lot. A terminal shows a table; a pipe gets the lines of the \
            server.
            """,
        examples: ["auction-client results", "auction-client results 1 500"])
    static let who = Command("who", help: "List the bidders who are connected")
    static let standings = Command(
        "standings", help: "List who has won how many lots, best first",
        details: """
            With what is left of each purse, and the profit, if the sale has purses and values. A \
            terminal shows a table; a pipe gets the lines of the server.
            """)
    static let status = Command("status", help: "Show the lot, the price and the countdown")
    static let rooms = Command(
        "rooms", help: "List the open rooms",
        details: """
            With the number of people in each, and the newest lot. A terminal shows a table; a pipe \
            gets the lines of the server.
            """)
    static let open = Command(
        "open", "NAME [OPTION=VALUE ...]", 1...Int.max, help: "Open a room of your own",
        details: """
            Prints the key of its auctioneer, and how others join it. NAME is \(RoomName.allowed). \
            The options are those of a lot (\(Option.ofLot.map(\.name).joined(separator: ", "))) and \
            lots, pause, purse, worth=A..B, or common=A..B with noise=N, and profits=yes, which shows \
            profits during the sale. The room ends some time after the last person has left it.
            """,
        examples: [
            "auction-client open blue",
            "auction-client open blue seconds=10 lots=5 purse=1000 worth=50..150",
            "auction-client --room blue -n alice play",
        ])
    static let bots = Command(
        "bots", "COUNT", 1...1, help: "Play with COUNT bots until the sale is over",
        details: """
            Each bot is a bidder with a name such as Ada, and a temper: \(tempers). Now and then one \
            says something to everybody. Prints who plays and how lots end on standard error, and \
            the standings at the end, or when you press Ctrl-C. A person can play along; with \
            --delay 0 they bid at once.
            """,
        topic: HelpTopic(
            "Strategies, and what they bid",
            StrategyKind.allCases.map { ($0.rawValue, $0.summary) }),
        examples: [
            "auction-client bots 5 --strategy truthful,sniper,jumper,shader,random --seed 1",
            "auction-client bots 3 --strategy zip --delay 0",
            "auction-client bots 2 --temper bold --stay",
        ])
    /// How each temper behaves, in a sentence.
    private static var tempers: String {
        Temper.allCases.map { "a \($0.rawValue) one \($0.summary)" }.joined(separator: "; ")
    }
    static let send = Command(
        "send", "LINE", 1...Int.max, help: "Send any line of the protocol, such as ping",
        details:
            "Prints the data of the answer and the answer. With --name it takes that name first.",
        examples: ["auction-client send help", "auction-client -n alice send '#1 bid 130'"])
}
