import Addresses
import AuctionRules
import TestSupport
import Wire

/// Somebody who comes, watches and bids, and holds what they hear against what was said.
final class Visitor {
    private static let names = ["al", "bo", "cy", "di", "ed", "flo", "gus"]

    /// What proves the auctioneer.
    static let auctioneerToken = "5ab3c1f0e8d24b7795d3a6c41e0f8b62"

    let index: Int
    let name: Bidder
    let world: World
    private let nature: Nature
    var dice: SplitMix64

    private(set) var connection: Connection?
    private var framer = LineFramer(limit: 1 << 16)
    private var unread: [UInt8] = []
    private var deafUntil = Duration.zero
    private var connections: UInt64 = 0
    private var tags = 0

    /// What is known of the room, by what was heard.
    var format = Format.text
    var lastNews: Int?
    var bidder: Bidder?
    var price: Int64?
    var minimum: Int64
    var tokens: [Bidder: String] = [:]
    var lastBid: Int64?
    var snipe: (offer: Offer, early: Duration)?

    init(_ index: Int, _ world: World) {
        (self.index, self.world) = (index, world)
        guard let name = Bidder(Self.names[index % Self.names.count]) else {
            preconditionFailure("these are names")
        }
        self.name = name
        dice = SplitMix64(seed: world.plan.seed ^ UInt64(index + 1) &* 0x9E37_79B9)
        let drawn = Nature(using: &dice)
        nature = world.plan.terms.isCalm ? .calm : drawn
        minimum = world.plan.terms.rules.start.amount
    }

    /// Each comes from an address of its own, every third from another network.
    var address: PeerAddress {
        PeerAddress(high: 0x2001_0DB8 << 32 | (index % 3 == 2 ? 1 : 0), low: UInt64(index))
    }

    /// How many bytes of a connection it has not read.
    func unreadCount(on connection: Connection) -> Int {
        connection === self.connection ? unread.count : 0
    }

    /// Connects, if it is not, and returns the connection; nil if nobody listens, or the own side
    /// is closed.
    @discardableResult
    func connect() -> Connection? {
        if let connection { return connection.isHungUp ? nil : connection }
        guard let house = world.house else { return nil }
        connections += 1
        let id = UInt64(index) << 32 | connections
        let connection = Connection(
            .init(rawValue: id), self, world, nature, seed: world.plan.seed &* 31 ^ id)
        self.connection = connection
        (framer, unread, format, lastNews, bidder) = (
            LineFramer(limit: 1 << 16), [], .text, nil, nil
        )
        connection.whenAllArrived { [world] in
            house.isGone ? $0.visitor.lose($0, "nobody listened") : house.accept($0)
            world.trace("\($0.visitor.name) is there")
        }
        return connection
    }

    /// Leaves the connection behind, heard by nobody.
    func abandonConnection() -> Connection? {
        guard let connection else { return nil }
        drop(connection)
        return connection
    }

    func lose(_ lost: Connection, _ why: String) {
        guard lost === connection else { return }
        world.trace("\(name) loses the connection: \(why)")
        read()
        if lost === connection { drop(lost) }
    }

    /// What was asked and not answered has an outcome that nobody knows.
    private func drop(_ connection: Connection) {
        while let command = connection.settleNext() { settle(command, by: nil) }
        self.connection = nil
    }

    /// Says a command, in one of the many ways it may be written.
    func say(_ words: String, _ kind: Command.Kind, bytes: [UInt8]? = nil) {
        guard let connection = connect() else { return }
        var tag: String?
        if nature.usesTags, bytes == nil {
            tags += 1
            tag = "\(name)\(tags)"
        }
        let line = (tag.map { "#\($0) " } ?? "") + (nature.usesCapitals ? words.capitals : words)
        connection.commands.append(Command(kind: kind, tag: tag, invoked: world.now))
        world.trace("\(name) says \(line)")
        connection.say((bytes ?? Array(line.utf8)) + Array((nature.usesCRLF ? "\r\n" : "\n").utf8))
    }

    /// Says bytes that nobody answers.
    func mutter(_ bytes: [UInt8]) {
        connect()?.say(bytes)
    }

    func stopReading(for duration: Duration) {
        deafUntil = max(deafUntil, world.now + duration)
        world.at(deafUntil) { [self] in read() }
    }

    /// Has no troubles any more.
    func behave() {
        connection?.behave()
        deafUntil = .zero
        read()
    }

    func receive(_ bytes: [UInt8], on connection: Connection) {
        guard connection === self.connection else { return }
        unread += bytes
        read()
    }

    private func read() {
        guard world.now >= deafUntil, let connection, !unread.isEmpty else { return }
        let bytes = unread
        unread = []
        var lines: [String] = []
        framer.receive(bytes.span) { frame in
            if case .line(let line) = frame {
                lines.append(line.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) })
            }
        }
        for line in lines where connection === self.connection { hear(line, on: connection) }
        world.house?.wake(for: connection)
    }
}

extension String {
    /// The line with its verb in capitals.
    fileprivate var capitals: String {
        let words = split(separator: " ", maxSplits: 1)
        return ([words.first.map { $0.uppercased() } ?? ""] + words.dropFirst().map(String.init))
            .joined(separator: " ")
    }
}
