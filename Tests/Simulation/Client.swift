import Addresses
import AuctionRules
import Sale
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
    private var newestNews: [String: Int] = [:]
    /// Whether it was sent missed news that comes before `SKIPPED`.
    var awaitsSkip = false
    var bidder: Bidder?
    private var price: Int64?
    private var minimum: Int64
    var tokens: [Bidder: String] = [:]
    private var lastBid: Int64?
    private var lastMaximum: Int64?
    /// The keys of the rooms that it has opened.
    var keys: [RoomName: String] = [:]
    private(set) var keysSeen: Set<String> = []
    /// The names that it has held, and the amounts that it has sent.
    private(set) var namesHeld: Set<Bidder> = []
    private(set) var amountsSent: Set<Int64> = []
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
        minimum = world.plan.terms.rules.start.amount
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
        guard dice.chance(in: 4) else { return connection.send(header.bytes) }
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

    func claimOwnName() {
        sendName(name, token: tokens[name])
    }

    /// Claims its own name or another client's, with a right or a wrong token, or without one.
    func claim(using dice: inout SplitMix64) {
        let neighbour = world.clients[(index + 1) % world.clients.count]
        switch Int.random(in: 0..<5, using: &dice) {
        case 0: claimOwnName()
        case 1: sendName(name, token: nil)
        case 2: sendName(name, token: String(dice.next(), radix: 16))
        case 3: sendName(neighbour.name, token: tokens[name])
        default: sendName(neighbour.name, token: neighbour.tokens[neighbour.name])
        }
    }

    func sendName(_ name: Bidder, token: String?) {
        let words = "name \(name)" + (token.map { " \($0)" } ?? "")
        send(words, .name(name, token: token))
    }

    /// Bids, under its own name if it has none yet.
    func bid(using dice: inout SplitMix64) {
        guard let connection = connect() else { return }
        if possibleNames(on: connection).isEmpty { claimOwnName() }
        let names = possibleNames(on: connection)
        guard let bidder = names.first, names.count == 1 else { return }
        let amount = min(max(drawAmount(using: &dice), 1), Price.highest.amount)
        lastBid = amount
        noteSent(amount)
        world.oracle.amounts.noteAsked(amount, by: bidder)
        send(dice.chance(in: 4) ? "\(amount)" : "bid \(amount)", .bid(amount, by: bidder))
    }

    /// Takes the asking price, buys, or sets a maximum, under its own name if it has none yet.
    func offer(using dice: inout SplitMix64) {
        guard let connection = connect() else { return }
        if possibleNames(on: connection).isEmpty { claimOwnName() }
        let names = possibleNames(on: connection)
        guard let bidder = names.first, names.count == 1 else { return }
        switch Int.random(in: 0..<10, using: &dice) {
        case 0..<2: send("take", .offer("take"))
        case 2: send("buy", .offer("buy"))
        case 3: send("max 0", .offer("max"))
        default:
            let amount = min(drawMaximum(using: &dice), Price.highest.amount)
            lastMaximum = amount
            noteSent(amount)
            world.oracle.amounts.noteAsked(amount, by: bidder)
            send("max \(amount)", .offer("max"))
        }
    }

    /// Draws a maximum: a new one, that of another client, its own again, or one near the price.
    private func drawMaximum(using dice: inout SplitMix64) -> Int64 {
        let neighbour = world.clients[(index + 1) % world.clients.count]
        switch Int.random(in: 0..<8, using: &dice) {
        case 0..<4: return .random(in: GameTerms.secretAmounts, using: &dice)
        case 4: return neighbour.lastMaximum ?? minimum
        case 5: return lastMaximum ?? minimum
        default: return minimum + .random(in: 0...30, using: &dice)
        }
    }

    func say(using dice: inout SplitMix64) {
        guard connect() != nil else { return }
        if bidder == nil { claimOwnName() }
        send("say \(dice.pick(["hello", "who bids more?", "nobody"]))", .say)
    }

    /// Its name, or the names that it may have when the server has handled what it sent.
    private func possibleNames(on connection: Connection) -> Set<Bidder> {
        if let bidder { return [bidder] }
        return Set(
            connection.pending.compactMap { command in
                if case .name(let bidder, _) = command.kind { bidder } else { nil }
            })
    }

    /// Draws an amount by what it knows of the price.
    private func drawAmount(using dice: inout SplitMix64) -> Int64 {
        switch Int.random(in: 0..<100, using: &dice) {
        case 0..<12 where world.plan.terms.game != nil:
            .random(in: GameTerms.secretAmounts, using: &dice)
        case 0..<45: minimum
        case 45..<65: minimum + .random(in: 1...40, using: &dice)
        case 65..<78: price ?? minimum
        case 78..<84: minimum - .random(in: 1...10, using: &dice)
        case 84: Price.highest.amount
        default: lastBid ?? minimum
        }
    }

    func ask(_ question: Question) {
        let isAboutResults = question == .results
        let ended = room?.decided.endedCount ?? 0
        send(question.rawValue, isAboutResults ? .results(ended: ended) : .question)
    }

    /// Asks for missed news, often on a new connection: after what it received, all, or too much.
    func resume(using dice: inout SplitMix64) {
        if dice.chance(in: 2) { reset(using: &dice) }
        // A new connection is in the main room.
        let newest = newestNews[room?.id ?? ""] ?? 0
        let number =
            switch Int.random(in: 0..<10, using: &dice) {
            case 0..<6: newest
            case 6..<8: 0
            case 8: Int.random(in: 0...newest, using: &dice)
            default: newest + 1_000_000
            }
        send("resume \(number)", .resume(after: number))
    }

    // What it learns

    func noteName(_ bidder: Bidder) { namesHeld.insert(bidder) }

    func noteSent(_ amount: Int64) { amountsSent.insert(amount) }

    func noteKey(_ key: String, of room: RoomName) {
        keys[room] = key
        keysSeen.insert(key)
    }

    /// Notes that it has received news of its room.
    func noteNews(_ seq: Int) {
        guard let room else { return }
        newestNews[room.id] = max(newestNews[room.id] ?? 0, seq)
    }

    func sendNonsense(using dice: inout SplitMix64) {
        guard !isVisitor || dice.chance(in: 3) else { return sendFrames(using: &dice) }
        switch Int.random(in: isVisitor ? 2..<6 : 0..<7, using: &dice) {
        case 0: connect()?.send(Array(" \t\n".utf8))
        case 1: connect()?.send([255, 253, 1, 255, 251, 3])
        case 2: send("hello there", .nonsense(.unknownCommand))
        case 3:
            let bytes = [UInt8](repeating: 120, count: 1500)
            send("(too long)", .nonsense(.lineTooLong), bytes: bytes)
        case 4: send("bid 12x", .nonsense(.badAmount))
        case 5: send("#? ping", .nonsense(.badArguments), bytes: Array("#? ping".utf8))
        default: send("(not UTF-8)", .nonsense(.notUTF8), bytes: [0x70, 0xC3, 0x28])
        }
    }

    /// Sends the end of a line this much later than its beginning, and nothing in between.
    func sendSlowly(over duration: Duration) {
        guard let connection = connect() else { return }
        connection.commands.append(Command(.question, tag: nil, at: world.now, in: room))
        let line = socket?.message(Array("ping".utf8), isSplit: true) ?? Array("ping\n".utf8)
        connection.send(Array(line.prefix(2)))
        connection.holdBack()
        connection.sendUnit(Array(line.dropFirst(2)))
        world.at(world.now + duration) { connection.goOn() }
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
        let rules = room?.rules ?? world.plan.terms.rules
        switch message {
        case .voided, .lot: (price, minimum) = (nil, rules.start.amount)
        case .price(let bid, _, _):
            (price, minimum) = (bid.price.amount, bid.price.amount + rules.step.amount)
        case .countdown(let seconds, _) where seconds <= 1: aim(before: seconds)
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

/// A request that is answered at any time.
enum Question: String, CaseIterable {
    case laps, allLaps = "laps 1 1000", results = "results 1 1000", who, status, ping, help
    case standings
}

extension String {
    /// The line with its verb in capitals.
    fileprivate var capitals: String {
        let words = split(separator: " ", maxSplits: 1)
        return ([words.first.map { $0.uppercased() } ?? ""] + words.dropFirst().map(String.init))
            .joined(separator: " ")
    }
}
