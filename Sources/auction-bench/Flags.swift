import Arguments
import Wire

/// The command line of the load generator.
enum Flags {
    static let host = Flag(
        "host", .text("HOST"), default: "127.0.0.1", help: "Where the server is")
    static let port = Flag<UInt16>("port", .whole(1...65535), default: 7777, help: "Its port")
    static let bidders = Flag(
        "bidders", .whole(1...10_000), default: 1, help: "How many connections bid")
    static let outstanding = Flag(
        "outstanding", .whole(1...65_536, "W"), default: 64,
        help: "How many bids of each have no answer yet")
    static let seconds = Flag(
        "seconds", .seconds(.milliseconds(100) ... .seconds(3600)), default: .seconds(5),
        help: "How long to bid")
    static let json = Flag("json", help: "Print the result as one JSON object")

    static let bids = Command(
        "bids", help: "Bid as fast as the server answers; its price rises by millions")

    static let program = Program(
        name: "auction-bench", version: Release.version,
        abstract: """
            Puts a load on an auction server, and measures what it does. Exits 0 if it was \
            measured, 1 if the server's rules do not allow it, 2 for bad usage, 3 if the server \
            cannot be reached or is lost.
            """,
        commands: [bids],
        flags: host, port, bidders, outstanding, seconds, json,
        examples: [
            "auction-server --self-raise allow",
            "auction-bench bids --outstanding 4096",
            "auction-bench bids --bidders 100 --seconds 10 --json",
        ])
}
