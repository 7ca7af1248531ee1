import Arguments
import AuctionRules
import Saleroom
import Server
import Transport
import Wire

/// Whether a thing is allowed.
enum Permission: String, CaseIterable {
    case allow, refuse
}

/// The command line of the server.
enum Flags {
    static let seconds = Flag(
        "seconds", .whole(Rules.allowedSeconds), default: 7,
        help: "Countdown that each accepted bid sets back")
    static let host = Flag(
        "host", .text("HOST"), default: "127.0.0.1",
        help: "Address to listen on; 0.0.0.0 lets other machines in")
    static let port = Flag<UInt16>(
        "port", .whole(0...65535), default: 7777, help: "Port to listen on; 0 takes a free one")
    static let start = Flag(
        "start", .price, default: Price.lowest, help: "Least amount of the first bid")
    static let step = Flag(
        "step", .price, default: Price.lowest, help: "Least increment from the price to a bid")
    static let pause = Flag(
        "pause", .seconds(.zero ... .seconds(3600)), default: .seconds(3),
        help: "Time between two lots")
    static let lots = Flag(
        repeating: "lot", .title, help: "Title of the next lot; without any, lots go on for ever")
    static let once = Flag("once", help: "Exit after the first lot, its winner on standard output")
    static let selfRaise = Flag(
        "self-raise", .choice, default: Permission.refuse,
        help: "Whether the leader may raise a bid of their own")
    static let poller = Flag(
        "poller", .choice, default: PollerKind.standard, help: "How to wait for the network")

    static let program = Program(
        name: "auction-server", version: Release.version,
        abstract: """
            Holds a live auction over TCP. Everybody who connects sees the price and the \
            countdown; each accepted bid sets the countdown back, and when it reaches 0 the last \
            bidder has won.
            """,
        flags: seconds, host, port, start, step, pause, lots, once, selfRaise, poller,
        examples: [
            "auction-server --seconds 7",
            "auction-server --lot 'Blue vase' --lot Clock --start 100 --step 10",
        ])

    /// The settings that a command line asks for.
    static func settings(_ invocation: Invocation) -> Settings {
        var settings = Settings()
        settings.host = invocation[host]
        settings.port = invocation[port]
        settings.rules = Rules(
            seconds: invocation[seconds], start: invocation[start], step: invocation[step],
            allowsSelfRaise: invocation[selfRaise] == .allow)
        settings.catalogue = Catalogue(titles: invocation[lots], pause: invocation[pause])
        settings.endsWithFirstLot = invocation[once]
        settings.poller = invocation[poller]
        return settings
    }
}

extension ValueFormat where Value == Price {
    /// An amount that can be bid.
    static var price: ValueFormat {
        let bounds = "\(Price.lowest.amount) to \(Price.highest.amount)"
        return ValueFormat(
            placeholder: "N", expected: "a whole number from \(bounds)",
            read: { Int64(digits: $0).flatMap { Price($0) } },
            write: { "\($0.amount)" })
    }
}

extension ValueFormat where Value == String {
    /// A title that fits a line, and cannot steer a terminal.
    static var title: ValueFormat {
        ValueFormat(
            placeholder: "TITLE",
            expected: "1 to \(Lot.longestTitle) bytes of text without control characters",
            read: { Lot.isTitle($0) ? $0 : nil }, write: { $0 })
    }
}
