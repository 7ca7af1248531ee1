import Arguments
import Basics
import House
import Journal
import Server
import Transport
import Wire

/// The flags of limits, and the settings that they make.
extension Flags {
    private static let defaults = Settings()

    static let connections = Flag(
        "connections", .orNone(.whole(1...1_000_000)), default: defaults.limits.connections,
        help: "Connections at once; at most the limit of open files less 64")
    static let reservedConnections = Flag(
        "reserved-connections", .whole(0...10_000), default: defaults.limits.reserve,
        help: "Additional ones for the Unix socket and for clients that prove a token")
    static let connectionsPerAddress = Flag(
        "connections-per-address", .orNone(.whole(1...1_000_000)),
        default: defaults.limits.connectionsPerAddress,
        help: "Connections at once from one address; this machine is exempt")
    static let trustNetwork = Flag(
        repeating: "trust-network", .orNone(.addressBlock),
        help: "A network with ten times the limits per address; by default the private ones")
    static let lineRate = Flag(
        "line-rate", .orNone(.count), default: (defaults.limits.lines?.count).map { Int($0) },
        help: "Lines a second read from one connection; more wait until they are due")
    static let lineBurst = Flag(
        "line-burst", .count, default: Int(defaults.limits.lines?.burst ?? 1),
        help: "Lines of one connection read at once")
    static let addressLineRate = Flag(
        "address-line-rate", .orNone(.count),
        default: (defaults.limits.addressLines?.count).map { Int($0) },
        help: "Lines a second read from one address; this machine is exempt")
    static let addressLineBurst = Flag(
        "address-line-burst", .count, default: Int(defaults.limits.addressLines?.burst ?? 1),
        help: "Lines of one address read at once")
    static let connects = Flag(
        "connects-per-minute", .orNone(.count),
        default: (defaults.limits.connects?.count).map { Int($0) },
        help: "New connections from one address; this machine is exempt")
    static let names = Flag(
        "names", .orNone(.whole(1...10_000_000)), default: defaults.limits.names,
        help: "Most owned names; a new one replaces one unused for 10 minutes")
    static let nameDays = Flag(
        "name-days", .orNone(.whole(1...36_500, "DAYS")),
        default: (defaults.limits.nameAge?.components.seconds).map { Int($0 / 86_400) },
        help: "Time after which an unused name becomes free")
    static let kickSeconds = Flag(
        "kick-seconds", .whole(0...604_800, "SECONDS"),
        default: Int(defaults.limits.kick.components.seconds),
        help: "Time for which nobody can take a kicked name")
    static let rooms = Flag(
        "rooms", .whole(1...10_000), default: defaults.limits.rooms,
        help: "Most rooms at once, with main; with 1 nobody can open another")
    static let roomsPerAddress = Flag(
        "rooms-per-address", .orNone(.whole(1...10_000)),
        default: defaults.limits.roomsPerAddress,
        help: "Most rooms at once that were opened from one address")
    static let roomIdle = Flag(
        "room-idle", .orNone(.whole(1...604_800, "SECONDS")),
        default: (defaults.limits.roomIdle?.components.seconds).map { Int($0) },
        help: "Time after which a room that nobody is in ends; main never ends")
    static let wrongTokensInRow = Flag(
        "wrong-tokens", .orNone(.whole(1...1_000_000)), default: defaults.limits.wrongTokensInRow,
        help: "Wrong tokens in a row after which a connection is closed")
    static let auctioneerLocal = Flag(
        "auctioneer-local", help: "Accept the auctioneer's token only on the Unix socket")
    static let claims = Flag(
        "claims-per-minute", .orNone(.count),
        default: (defaults.limits.claims?.count).map { Int($0) },
        help: "New names that one address may take")
    static let openings = Flag(
        "openings-per-minute", .orNone(.count),
        default: (defaults.limits.openings?.count).map { Int($0) },
        help: "Uses of one name by its token, and moves to rooms; tenfold from one address")
    static let absence = Flag(
        "absence-seconds", .whole(0...60, "SECONDS"),
        default: Int(defaults.limits.absence.components.seconds),
        help: "Time that a bidder may be away before LEFT is sent; 0 sends it at once")
    static let wrongTokens = Flag(
        "wrong-tokens-per-minute", .orNone(.count),
        default: (defaults.limits.wrongTokens?.count).map { Int($0) },
        help: "Wrong tokens that one address may send")
    static let outputBytes = Flag(
        "output-bytes", .whole(4096...(1 << 30)), default: defaults.output.outputBytes,
        help: "Bytes of answers waiting for one connection; above half it is not read")
    static let allOutputBytes = Flag(
        "all-output-bytes", .orNone(.whole(1_048_576...(1 << 40))),
        default: defaults.output.allOutputBytes,
        help: "Bytes of answers waiting for all; above it the slowest readers are closed")
    static let stallSeconds = Flag(
        "stall-seconds", .orNone(.seconds),
        default: defaults.output.stallTime.map { Int32($0.components.seconds) },
        help: "Time after which a connection that takes nothing of its output is closed")
    static let lineBytes = Flag(
        "line-bytes", .whole(128...65_536), default: defaults.limits.lineBytes,
        help: "Longest line, with its end")
    static let lineSeconds = Flag(
        "line-seconds", .orNone(.seconds),
        default: (defaults.limits.lineTime?.components.seconds).map { Int32($0) },
        help: "Time after which a connection whose line has no end is closed")
    static let keepAlive = Flag(
        "keepalive", .orNone(.keepAlive), default: defaults.sockets.keepAlive,
        help: "Seconds until the kernel probes a silent peer, seconds between probes, and probes")
    static let userTimeout = Flag(
        "user-timeout", .orNone(.seconds), default: defaults.sockets.userTimeoutSeconds,
        help: "Time after which a peer that acknowledges nothing is disconnected")
    static let sendBuffer = Flag(
        "send-buffer", .orNone(.bytes), default: defaults.sockets.sendBuffer,
        help: "Bytes that the kernel keeps for one connection")
    static let unsent = Flag(
        "unsent", .orNone(.bytes), default: defaults.sockets.unsent,
        help: "Of these, unsent bytes at which a connection takes no more")

    static let keepBytes = Flag<Int?>(
        "keep-bytes", .orNone(.whole(1_048_576...(1 << 50), "BYTES")), default: nil,
        help: "Size of the journal past which its oldest segments are removed")
    static let keepDays = Flag<Int?>(
        "keep-days", .orNone(.whole(1...36_500, "DAYS")), default: nil,
        help: "Age past which a segment of the journal is removed, never the newest")

    static func retention(_ invocation: Invocation) -> Retention {
        Retention(
            bytes: invocation[keepBytes],
            age: invocation[keepDays].map { Int64($0) * 86_400_000 })
    }

    static func limits(_ invocation: Invocation) -> Limits {
        var limits = Limits()
        let networks = invocation[trustNetwork]
        limits.trustedNetworks = TrustedNetworks(
            networks.isEmpty ? AddressBlock.privateNetworks : networks.compactMap(\.self))
        limits.connections = invocation[connections]
        limits.reserve = invocation[reservedConnections]
        limits.connectionsPerAddress = invocation[connectionsPerAddress]
        limits.lines = invocation[lineRate].map {
            TokenBucket.Rate($0, per: .seconds(1), burst: invocation[lineBurst])
        }
        limits.addressLines = invocation[addressLineRate].map {
            TokenBucket.Rate($0, per: .seconds(1), burst: invocation[addressLineBurst])
        }
        limits.connects = invocation[connects].map(perMinute)
        limits.names = invocation[names]
        limits.nameAge = invocation[nameDays].map { .seconds($0 * 86_400) }
        limits.kick = .seconds(invocation[kickSeconds])
        limits.rooms = invocation[rooms]
        limits.roomsPerAddress = invocation[roomsPerAddress]
        limits.roomIdle = invocation[roomIdle].map { .seconds($0) }
        limits.wrongTokensInRow = invocation[wrongTokensInRow]
        limits.claims = invocation[claims].map(perMinute)
        limits.openings = invocation[openings].map(perMinute)
        limits.absence = .seconds(invocation[absence])
        limits.wrongTokens = invocation[wrongTokens].map(perMinute)
        limits.lineBytes = invocation[lineBytes]
        limits.lineTime = invocation[lineSeconds].map { .seconds($0) }
        return limits
    }

    static func output(_ invocation: Invocation) -> ConnectionLimits {
        var output = ConnectionLimits()
        output.outputBytes = invocation[outputBytes]
        output.allOutputBytes = invocation[allOutputBytes]
        output.stallTime = invocation[stallSeconds].map { .seconds($0) }
        return output
    }

    static func sockets(_ invocation: Invocation) -> SocketOptions {
        var sockets = SocketOptions()
        sockets.keepAlive = invocation[keepAlive]
        sockets.userTimeoutSeconds = invocation[userTimeout]
        sockets.sendBuffer = invocation[sendBuffer]
        sockets.unsent = invocation[unsent]
        return sockets
    }

    private static func perMinute(_ count: Int) -> TokenBucket.Rate {
        TokenBucket.Rate(count, per: .seconds(60), burst: count)
    }
}

extension ValueFormat where Value == Int {
    /// How many of something a bucket brings or holds.
    fileprivate static var count: ValueFormat { .whole(1...TokenBucket.Rate.highest) }
}

extension ValueFormat where Value == Int32 {
    /// Whole seconds of an hour at most.
    fileprivate static var seconds: ValueFormat { .whole(1...3600, "SECONDS") }
    /// The size of a buffer of the kernel.
    fileprivate static var bytes: ValueFormat { .whole(1024...(1 << 26), "BYTES") }
}

extension ValueFormat where Value == SocketOptions.KeepAlive {
    /// Three whole numbers, parted by slashes.
    fileprivate static var keepAlive: ValueFormat {
        ValueFormat(
            placeholder: "IDLE/INTERVAL/PROBES",
            expected: "seconds, seconds and a count, as 60/10/3",
            read: { word in
                let parts = word.split(separator: "/", omittingEmptySubsequences: false)
                let numbers = parts.compactMap { Int32($0) }
                guard parts.count == 3, numbers.count == 3,
                    numbers.allSatisfy({ (1...3600).contains($0) }), numbers[2] <= 100
                else { return nil }
                return Value(
                    idleSeconds: numbers[0], intervalSeconds: numbers[1], probes: numbers[2])
            },
            write: { "\($0.idleSeconds)/\($0.intervalSeconds)/\($0.probes)" })
    }
}
