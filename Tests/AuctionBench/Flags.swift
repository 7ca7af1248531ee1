import Arguments
import Auction
import Load
import Wire

/// The command line of the load generator.
enum Flags {
    static let port = Flag<UInt16>(
        "port", .whole(1...65535), default: 7777, help: "The port of the server"
    ).short("p")
    static let bidders = Flag(
        "bidders", .whole(1...10_000), default: 1,
        help: "How many connections bid; with rooms, in each room"
    ).only(with: bids, rooms)
    static let observers = Flag(
        "observers", .whole(1...1_000_000), default: 1000,
        help: "How many connections listen; with rooms, in the busy room"
    ).only(with: fanout, idle, rooms)
    static let count = Flag(
        "bids", .whole(1...100_000_000, "M"), default: 10_000, help: "How many bids are made"
    ).only(with: fanout)
    static let outstanding = Flag<Int?>(
        "outstanding", .whole(1...65_536, "W"),
        help: "Bids of each bidder without an answer; 64 with bids, else 16"
    ).only(with: bids, fanout)
    static let rate = Flag<Int?>(
        "rate", .whole(1...1_000_000, "R"),
        help: "Bids a second, instead of --outstanding; 100 in the busy room"
    ).only(with: bids, fanout, rooms)
    static let seconds = Flag(
        "seconds", .seconds(.milliseconds(100) ... .seconds(3600)), default: .seconds(5),
        help: "How long to bid, or to listen; with rooms three times"
    ).only(with: bids, idle, rooms)
    static let quietRooms = Flag(
        "rooms", .whole(1...1000), default: 10, help: "How many quiet rooms are measured"
    ).only(with: rooms)
    static let speak = Flag(
        "speak", .dialect, default: Dialect.auction,
        help: "The protocol of the server, to compare others"
    ).only(with: bids, fanout, idle)
    static let room = Flag<RoomName?>(
        "room", .word("ROOM", RoomName.allowed),
        help: "The room to be in; without this flag the one that greets"
    ).only(with: bids, fanout)
    static let otherPorts = Flag<[UInt16]>(
        repeating: "other-port", .whole(1...65535),
        help: "Another machine of a cluster, by its port here, for some of the observers"
    ).only(with: fanout)
    static let process = Flag<Int32?>(
        "pid", .whole(1...Int32.max),
        help: "The process of the server, to show its CPU time and memory"
    ).only(with: fanout, idle, rooms)

    static let bids = Command(
        "bids", help: "Bid as fast as the server answers; the price rises by millions")
    static let fanout = Command(
        "fanout", help: "Bid, and measure the delivery of each bid to each observer")
    static let rooms = Command(
        "rooms",
        help: "Measure quiet rooms, alone and beside a bidding war that many observe, and then the "
            + "lots of that room")
    static let idle = Command(
        "idle", help: "Listen while nobody bids, and measure what that costs the server")

    static let program = Program(
        name: "auction-bench", version: Release.version,
        abstract: "Puts a load on a server of this machine, and prints figures as a JSON object.",
        commands: [bids, fanout, rooms, idle],
        flags: port, bidders, observers, count, outstanding, rate, seconds, quietRooms, room,
        otherPorts, speak, process,
        exits: [
            ExitStatus(0, "Measured"),
            ExitStatus(1, "The server's rules forbid it, or something was lost or not answered"),
            ExitStatus(2, "A wrong command line"),
            ExitStatus(3, "The server cannot be reached, or is lost"),
        ],
        examples: ["auction-bench fanout --observers 1000 --rate 100 --pid $(pidof auction-server)"]
    )

    /// The outstanding bids of each bidder in a closed loop; nil in an open loop, with `--rate`.
    static func window(_ invocation: Invocation) throws(UsageError) -> Int? {
        let count = invocation[outstanding]
        guard invocation[rate] != nil else {
            return count ?? (invocation.command == bids ? 64 : 16)
        }
        guard count == nil else {
            throw program.misuse("--rate and --outstanding exclude each other: give one")
        }
        return nil
    }

    /// The protocol of the server, with the room of `--room`.
    static func dialect(_ invocation: Invocation) throws(UsageError) -> Dialect {
        guard let room = invocation[room] else { return invocation[speak] }
        guard invocation[speak].name == Dialect.auction.name else {
            throw program.misuse("--room and --speak exclude each other: give one")
        }
        return .auction(inRoom: room.description)
    }

    /// The value of `--seconds` in nanoseconds.
    static func nanoseconds(_ invocation: Invocation) -> Int64 {
        Int64((invocation[seconds] / .nanoseconds(1)).rounded())
    }
}

extension ValueFormat where Value == Dialect {
    /// One of the dialects, by its name.
    static var dialect: ValueFormat {
        let names = Dialect.all.map(\.name).joined(separator: "|")
        return ValueFormat(
            placeholder: names, expected: "one of \(names)",
            read: { name in Dialect.all.first { $0.name == name } }, write: { $0.name })
    }
}
