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
    /// The defaults with a class, which comes from one address, and may be 300 who all begin at once.
    private static let (classConnections, classNames) = (1000, 400)

    static let connections = Flag(
        "connections", .orNone(.whole(1...1_000_000)), default: defaults.limits.connections,
        help: "Connections at once; at most the limit of open files less 64")
    static let connectionsPerAddress = Flag(
        "connections-per-address", .orNone(.whole(1...1_000_000)),
        default: defaults.limits.connectionsPerAddress,
        help: "Connections at once from one address; this machine is exempt")
    static let trustNetwork = Flag(
        repeating: "trust-network", .orNone(.addressBlock),
        help: "A network with ten times the limits per address; by default the private ones")
    static let lineRate = Flag(
        "line-rate", .orNone(.count), default: (defaults.limits.lines?.count).map { Int($0) },
        help: "Lines a second of one connection, 20 times as many of one address; more wait")
    static let timeout = Flag(
        "timeout", .orNone(.seconds), default: defaults.sockets.userTimeoutSeconds,
        help: "Time for a line, and for taking output, after which a connection is closed")
    static let outputBytes = Flag(
        "output-bytes", .orNone(.whole(1_048_576...(1 << 40))),
        default: defaults.output.allOutputBytes,
        help: "Bytes of answers waiting for all; above it the slowest readers are closed")
    static let nameRate = Flag(
        "names-per-minute", .orNone(.count),
        default: (defaults.limits.nameUses?.count).map { Int($0) },
        help: "New names from one address, and 30 times as many new connections")
    static let names = Flag(
        "names", .orNone(.whole(1...10_000_000)), default: defaults.limits.names,
        help: "Most owned names; a new one replaces one unused for 10 minutes")
    static let absence = Flag(
        "absence-seconds", .whole(0...60, "SECONDS"),
        default: Int(defaults.limits.absence.components.seconds),
        help: "Time that a bidder may be away before LEFT is sent; 0 sends it at once")
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

    /// Fills in the limits of connections, addresses, names, rooms and output.
    static func setLimits(_ invocation: Invocation, in settings: inout Settings) {
        let networks = invocation[trustNetwork]
        var limits = Limits()
        limits.trustedNetworks = TrustedNetworks(
            networks.isEmpty ? AddressBlock.privateNetworks : networks.compactMap(\.self))
        limits.connections = invocation[connections]
        limits.connectionsPerAddress = invocation[connectionsPerAddress]
        limits.setLines(perSecond: invocation[lineRate])
        limits.setNames(perMinute: invocation[nameRate])
        if invocation[classFile] != nil {
            if !invocation.isGiven(connectionsPerAddress) {
                limits.connectionsPerAddress = classConnections
            }
            if !invocation.isGiven(nameRate) { limits.setNames(perMinute: classNames) }
            limits.addressJournal = Limits.journalOfClass
        }
        limits.names = invocation[names]
        limits.absence = .seconds(invocation[absence])
        limits.kick = .seconds(invocation[kickSeconds])
        limits.rooms = invocation[rooms]
        limits.roomsPerAddress = invocation[roomsPerAddress]
        limits.roomIdle = invocation[roomIdle].map { .seconds($0) }
        settings.limits = limits
        settings.output.allOutputBytes = invocation[outputBytes]
        settings.setTimeout(seconds: invocation[timeout])
    }
}

extension ValueFormat where Value == Int {
    /// How many of something a bucket brings or holds.
    fileprivate static var count: ValueFormat { .whole(1...TokenBucket.Rate.highest) }
}

extension ValueFormat where Value == Int32 {
    /// Whole seconds of an hour at most.
    fileprivate static var seconds: ValueFormat { .whole(1...3600, "SECONDS") }
}
