import Arguments

enum Permission: String, CaseIterable { case allow, refuse }
enum Poller: String, CaseIterable { case epoll, poll }
enum Color: String, CaseIterable { case auto, always, never }

/// The flags of a server: only flags, of every kind.
enum Server {
    static let seconds = Flag(
        "seconds", .whole(1...3600), default: 7, help: "Seconds of the countdown after each bid")
    static let host = Flag(
        "host", .text("HOST"), default: "127.0.0.1", help: "Address to listen on")
    static let port = Flag<UInt16>(
        "port", .whole(0...65535), default: 7777, help: "Port to listen on; 0 picks a free one"
    ).short("p")
    static let start = Flag<Int64>(
        "start", .whole(1...1_000_000_000_000), default: 1, help: "Least amount of the first bid")
    static let step = Flag<Int64>(
        "step", .whole(1...1_000_000_000_000), default: 1, help: "Least raise over the price")
    static let pause = Flag(
        "pause", .seconds(.zero ... .seconds(3600)), default: .seconds(3),
        help: "Pause between two lots")
    static let lots = Flag(repeating: "lot", .text("TITLE"), help: "Title of a lot, in order")
    static let once = Flag("once", help: "Exit when the last lot is done")
    static let selfRaise = Flag(
        "self-raise", .choice, default: Permission.refuse,
        help: "Whether the leader may bid higher")
    static let poller = Flag<Poller?>(
        "poller", .choice, help: "How to wait for the network; the best one here by default")

    static let program = Program(
        name: "auction-server", version: "0.1.0",
        abstract: """
            Auctions lots over TCP to everybody who connects. Each accepted bid starts the \
            countdown again; at 0 the last bidder has won.
            """,
        flags: seconds, host, port, start, step, pause, lots, once, selfRaise, poller,
        examples: ["auction-server --seconds 10 --lot Vase --lot 'Old clock' --once"])
}

/// The flags and commands of a client.
enum Client {
    static let host = Flag("host", .text("HOST"), default: "127.0.0.1", help: "Server to reach")
        .orVariable("AUCTION_HOST")
    static let port = Flag<UInt16>("port", .whole(1...65535), default: 7777, help: "Its port")
        .orVariable("AUCTION_PORT")
    static let name = Flag<String?>("name", .text("NAME"), help: "Name to bid under")
        .only(with: bid, laps, send).short("n").orVariable("AUCTION_NAME")
    static let json = Flag("json", help: "Print events as JSON")
    static let color = Flag("color", .choice, default: Color.auto, help: "When to use colours")
    static let noWait = Flag("no-wait", help: "Exit without waiting for the hammer")
        .only(with: bid)

    static let watch = Command("watch", help: "Show the auction until it is over")
    static let bid = Command(
        "bid", "PRICE", 1...1, help: "Bid an amount",
        details: "It goes on until the hammer falls, and tells who has won the lot.",
        examples: ["auction-client -n alice bid 120"])
    static let laps = Command("laps", "[FROM [COUNT]]", 0...2, help: "List accepted bids")
    static let send = Command("send", "WORD...", 1...Int.max, help: "Send lines as they are")

    static let program = Program(
        name: "auction-client", version: "0.1.0", abstract: "Bids in an auction.",
        commands: [watch, bid, laps, send], flags: host, port, name, json, color, noWait,
        exits: [ExitStatus(0, "You have won"), ExitStatus(2, "The command line is wrong")],
        examples: ["auction-client --name alice bid 120", "auction-client send '#1 bid 5'"])
}

/// Thrown where a program did the other thing that `Parsed` knows.
struct Unexpected: Error {
    let parsed: Parsed
}

extension Program {
    func run(_ words: String...) throws -> Invocation { try run(words) }

    func run(_ words: [String]) throws -> Invocation {
        switch try parse(words) {
        case .run(let invocation): return invocation
        case .print(let text): throw Unexpected(parsed: .print(text))
        }
    }

    func printed(_ words: [String]) throws -> String {
        switch try parse(words) {
        case .run(let invocation): throw Unexpected(parsed: .run(invocation))
        case .print(let text): return text
        }
    }

    /// The message for a command line, its words parted by spaces; nil if there is none.
    func complaint(about line: String) -> String? {
        do throws(UsageError) {
            _ = try parse(line.split(separator: " ").map(String.init))
            return nil
        } catch {
            return error.message
        }
    }
}
