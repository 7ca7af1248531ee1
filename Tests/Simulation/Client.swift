import Auction
import Basics
import TestSupport
import Wire

/// A client that connects, watches and bids, and checks what it receives against what was sent.
final class Client {
    /// The token that proves the auctioneer.
    static let auctioneerToken = "5ab3c1f0e8d24b7795d3a6c41e0f8b62"
    private static let names = ["al", "bo", "cy", "di", "ed", "flo", "gus"]
    private static let longestLine = 1 << 16

    let index: Int
    let name: Bidder
    let world: World
    private let link: Link
    private var dice: SplitMix64

    private(set) var connection: Connection?
    private var framer = LineFramer(limit: Client.longestLine)
    private var unread: [UInt8] = []
    /// The WebSocket of the connection; nil if the client speaks lines.
    var socket: WebSocketEnd?
    private var readsNothingUntil = Duration.zero
    private var connections: UInt64 = 0
    private var tags = 0

    // What it knows from what it received
    /// The room in which it is, and the number of the last news of that on this connection; nil
    /// before the greeting.
    var room: RoomReferee?
    var lastNews: Int?
    /// Whether it was greeted in a room, and has no answer yet to the command that led there.
    var awaitsEntry = false
    /// When it connected last.
    private(set) var connectedAt = Duration.zero
    /// The number of the newest news of each room that it has received on any connection.
    private(set) var newestNews: [String: Int] = [:]
    /// Whether it was sent missed news that comes before `SKIPPED`.
    var awaitsSkip = false
    var bidder: Bidder?
    var amounts: KnownAmounts
    var tokens: [Bidder: String] = [:]
    /// The keys of the rooms that it has opened.
    var keys: [RoomName: String] = [:]
    private(set) var keysSeen: Set<String> = []
    /// The names that it has held.
    private(set) var namesHeld: Set<Bidder> = []
    /// How long before the hammer it bids, and the seed of that bid; nil if it waits for none.
    var snipe: (early: Duration, seed: UInt64)?

    init(_ index: Int, _ world: World) {
        (self.index, self.world) = (index, world)
        guard let name = Bidder(Self.names[index % Self.names.count]) else {
            preconditionFailure("these are names")
        }
        self.name = name
        dice = SplitMix64(seed: world.plan.seed ^ UInt64(index + 1) &* 0x9E37_79B9)
        let drawn = Link(using: &dice)
        link = world.plan.terms.isCalm ? .calm : drawn
        amounts = KnownAmounts(minimum: world.plan.terms.rules.start.amount)
    }

    /// Whether the verbs of its lines are in capitals.
    var writesCapitals: Bool { link.usesCapitals }

    /// Each has its own address, every third in another network.
    var address: PeerAddress {
        PeerAddress(high: 0x2001_0DB8 << 32 | (index % 3 == 2 ? 1 : 0), low: UInt64(index))
    }

    // Connecting

    /// Connects, if it is not connected, and returns the connection; nil if no server runs, or the
    /// client's end is closed.
    @discardableResult
    func connect() -> Connection? {
        if let connection {
            return connection.isHungUp || socket?.isOver == true ? nil : connection
        }
        guard let server = world.server else { return nil }
        connections += 1
        connectedAt = world.now
        let id = UInt64(index) << 32 | connections
        let isProxied = world.plan.terms.proxied.map { index % $0 == 0 } ?? false
        let connection = Connection(
            .init(rawValue: id), self, world, link,
            isProxied ? Header(for: address, using: &dice) : nil, marksEnds: isVisitor,
            seed: world.plan.seed &* 31 ^ id)
        self.connection = connection
        framer = LineFramer(limit: Self.longestLine)
        (unread, socket, lastNews, awaitsSkip, bidder) = ([], nil, nil, false, nil)
        (room, awaitsEntry) = (nil, false)
        connection.whenAllArrived { [world] in
            if server.isGone { return $0.client.lose($0, "no server listened") }
            server.accept($0)
            world.trace("\($0.client.name) is connected")
        }
        if let header = connection.header {
            world.trace("\(name) sends a PROXY header: \(header.bytes)")
            begin(connection, with: header)
        }
        if isVisitor { openSocket(on: connection, seed: world.plan.seed &* 37 ^ id) }
        return connection
    }

    /// Sends a PROXY header, whole or only a part of it: then the rest comes later, or never.
    private func begin(_ connection: Connection, with header: Header) {
        guard dice.chance(in: 4), !world.isQuiet else { return connection.send(header.bytes) }
        let count = Int.random(in: 0..<header.bytes.count, using: &dice)
        connection.send(Array(header.bytes[..<count]))
        connection.holdBack()
        connection.send(Array(header.bytes[count...]))
        let time = world.now + .random(in: 0...9_000_000_000, using: &dice)
        switch Int.random(in: 0..<4, using: &dice) {
        case 0: connection.hangUp()
        case 1:
            world.at(time) { [self] in
                if connection === self.connection { drop(connection) }
                connection.breakDown()
            }
        default: world.at(time) { connection.goOn() }
        }
    }

    func lose(_ lost: Connection, _ reason: String) {
        guard lost === connection else { return }
        world.trace("\(name) loses the connection: \(reason)")
        read()
        if lost === connection { drop(lost) }
    }

    /// Forgets a connection: the outcome of requests without an answer is unknown.
    private func drop(_ connection: Connection) {
        while let command = connection.settleNext() { settle(command, by: nil) }
        self.connection = nil
    }

    func hangUp() {
        guard let connection, !connection.isHungUp else { return }
        connection.goOn()
        connection.hangUp()
    }

    /// Closes the connection without reading the rest; the server learns of it soon.
    func reset(using dice: inout SplitMix64) {
        guard let connection else { return }
        drop(connection)
        if dice.chance(in: 2) { connection.cut() }
        world.at(world.now + .random(in: 0...50_000_000, using: &dice)) { connection.breakDown() }
    }

    /// Is gone without a word; the server learns of it much later.
    func vanish(using dice: inout SplitMix64) {
        guard let connection else { return }
        drop(connection)
        connection.cut()
        world.at(world.now + .random(in: 0...20_000_000_000, using: &dice)) {
            connection.breakDown()
        }
    }

    /// Does something several times, with the same time between.
    func repeatedly(
        using dice: inout SplitMix64, _ action: @escaping (Client, inout SplitMix64) -> Void
    ) {
        let pace = Duration.random(in: 50_000_000...9_000_000_000, using: &dice)
        for number in 0..<Int.random(in: 1...8, using: &dice) {
            var dice = SplitMix64(seed: dice.next())
            world.at(world.now + pace * number) { [self] in action(self, &dice) }
        }
    }

    // Requests

    /// Sends a request, in one of the ways in which it may be written.
    func send(_ words: String, _ kind: Command.Kind, bytes: [UInt8]? = nil) {
        guard let connection = connect() else { return }
        var tag: String?
        if link.usesTags, bytes == nil {
            tags += 1
            tag = "\(name)\(tags)"
        }
        let line = (tag.map { "#\($0) " } ?? "") + (link.usesCapitals ? words.capitals : words)
        connection.commands.append(Command(kind, tag: tag, at: world.now, in: room))
        world.trace("\(name) sends \(line)")
        let sent = (bytes ?? Array(line.utf8)) + Array((link.usesCRLF ? "\r\n" : "\n").utf8)
        guard socket != nil else { return connection.send(sent) }
        // A message needs no end of line.
        sendMessage(link.usesCRLF ? sent : sent.dropLast(), on: connection, using: &dice)
    }

    /// Asks for a format; a WebSocket has only one.
    func choose(_ format: Format) {
        let isRefused = isVisitor && format == .text
        send("format \(format.rawValue)", isRefused ? .nonsense(.badArguments) : .format(format))
    }

    /// Leaves with `quit`.
    func quit(using dice: inout SplitMix64) {
        guard !isVisitor || dice.chance(in: 2) || !sendClose() else { return }
        send("quit", .quit)
    }

    // What it learns

    func noteName(_ bidder: Bidder) { namesHeld.insert(bidder) }

    func noteKey(_ key: String, of room: RoomName) {
        keys[room] = key
        keysSeen.insert(key)
    }

    /// Notes that it has received news of its room.
    func noteNews(_ seq: Int) {
        guard let room else { return }
        newestNews[room.id] = max(newestNews[room.id] ?? 0, seq)
    }

    // Reading

    func stopReading(for duration: Duration) {
        readsNothingUntil = max(readsNothingUntil, world.now + duration)
        world.at(readsNothingUntil) { [self] in read() }
    }

    /// Has no trouble any more.
    func behave() {
        connection?.behave()
        readsNothingUntil = .zero
        read()
    }

    func receive(_ bytes: [UInt8], on connection: Connection) {
        guard connection === self.connection else { return }
        unread += bytes
        read()
    }

    /// The number of bytes of a connection that it has not read.
    func unreadCount(on connection: Connection) -> Int {
        connection === self.connection ? unread.count : 0
    }

    private func read() {
        guard world.now >= readsNothingUntil, let connection, !unread.isEmpty else { return }
        let bytes = unread
        unread = []
        guard socket == nil else { return readFrames(bytes, on: connection) }
        var lines: [String] = []
        framer.receive(bytes.span) { frame in
            if case .line(let line) = frame {
                lines.append(line.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) })
            }
        }
        for line in lines where connection === self.connection { receive(line, on: connection) }
        world.server?.wake(for: connection)
    }

    private func readFrames(_ bytes: [UInt8], on connection: Connection) {
        socket?.receive(bytes)
        while connection === self.connection, let item = socket?.next() {
            receive(item, on: connection)
        }
        world.server?.wake(for: connection)
    }

    /// Updates what it knows of the sale.
    func learn(_ message: ServerMessage) {
        amounts.learn(message, room?.rules ?? world.plan.terms.rules)
        switch message {
        case .event(.secondsLeft(let seconds), _) where seconds <= 1: aim(before: seconds)
        case .bye(let reason): socket?.expectClosing(reason)
        default: break
        }
    }

    private func aim(before seconds: Int) {
        guard let (early, seed) = snipe else { return }
        snipe = nil
        world.at(max(world.now, world.now + .seconds(seconds) - early)) { [self] in
            var dice = SplitMix64(seed: seed)
            bid(using: &dice)
        }
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
