import Basics
import TestSupport
import Wire

/// A client of the nodes, which sends lines and reads JSON.
final class ClusterClient {
    private enum Role {
        /// Does what the plan says, at any node.
        case bidder
        /// Follows the news of a room at one node.
        case observer
        /// Bids in a room at one node, once everything works.
        case player
    }

    let name: String
    let address: PeerAddress
    private unowned let world: ClusterWorld
    private var dice: SplitMix64
    private let role: Role
    /// The node that it connects to; nil for any.
    private let home: ClusterMachine?
    /// The room in which it wants to be.
    private var goal: String
    private(set) var socket: ClusterSocket?
    private var received: [UInt8] = []
    private var tags = 0
    private var arrival = Instant.distantPast
    private var bidder: String?
    /// Whether the server has confirmed the name on this connection.
    private var isNamed = false
    private var tokens: [String: String] = [:]
    /// The room in which it is, by its name and by the identity of its sale, and the number of the
    /// newest news that it has of each.
    private var (room, place) = ("main", "main")
    private var newest: [String: (place: String, number: Int)] = [:]
    private var isResting = false

    private init(
        _ name: String, seed: UInt64, _ world: ClusterWorld, _ role: Role, _ goal: String,
        at home: ClusterMachine?
    ) {
        (self.name, self.world, self.role) = (name, world, role)
        (self.goal, self.home) = (goal, home)
        dice = SplitMix64(seed: seed)
        address = PeerAddress(version4: UInt32(truncatingIfNeeded: dice.next()))
        if role == .player { bidder = "p-\(goal)" }
    }

    convenience init(_ name: String, seed: UInt64, _ world: ClusterWorld) {
        self.init(name, seed: seed, world, .bidder, "main", at: nil)
    }

    convenience init(
        _ name: String, seed: UInt64, _ world: ClusterWorld, watching room: String,
        at home: ClusterMachine
    ) {
        self.init(name, seed: seed, world, .observer, room, at: home)
    }

    convenience init(
        _ name: String, seed: UInt64, _ world: ClusterWorld, playing room: String,
        at home: ClusterMachine
    ) {
        self.init(name, seed: seed, world, .player, room, at: home)
    }

    /// Whether it must be in its room in the end.
    var isObserver: Bool { role == .observer }
    var goalRoom: String { goal }
    /// Whether it connects only to a node that was lost.
    var isNodeLost: Bool { home?.isLost == true }

    // Connections

    func connectSoon() {
        world.after(.random(in: 50_000_000...700_000_000, using: &dice)) { [self] in connect() }
    }

    private func connect() {
        guard socket == nil, !isResting else { return }
        let node = home ?? dice.pick(world.nodes)
        let number = world.judge.begin(name)
        guard !node.isFrozen, let accepted = node.process?.accept(self, number) else {
            return connectSoon()
        }
        (socket, received, tags, isNamed) = (accepted, [], 0, false)
        (room, place) = ("main", "main")
        world.trace("-- \(name) connects to \(node.name)")
        send("format json")
        if goal != "main" { send("join \(goal)") }
        send(newest[goal].map { "resume \($0.number)" } ?? "status")
        proveName()
        if role != .bidder { live() }
    }

    private func proveName() {
        guard let bidder else { return }
        send(["name", bidder, tokens[bidder]].compactMap { $0 }.joined(separator: " "))
    }

    /// Learns that its connection has ended.
    func lose(_ lost: ClusterSocket) {
        guard lost === socket else { return }
        world.judge.end(lost.number)
        lost.close(hasBroken: true)
        lost.noteProcess(world)
        socket = nil
        if !isResting { connectSoon() }
    }

    private func send(_ command: String) {
        guard let socket else { return }
        tags += 1
        world.judge.request(command, tag: tags, on: socket.number)
        world.trace("  \(name) > #\(tags) \(command)")
        let bytes = Array("#\(tags) \(command)\n".utf8)
        arrival = max(
            arrival, world.now.advanced(by: world.delay(upTo: world.plan.terms.clientDelay)))
        world.after(world.now.duration(to: arrival)) { [world] in
            socket.arrive(bytes)
            socket.noteProcess(world)
        }
    }

    // What it does by itself

    /// Comes back to its room, and bids in it if that is its role.
    private func live() {
        guard let current = socket, !isResting else { return }
        world.after(.random(in: 500_000_000...1_200_000_000, using: &dice)) { [self] in
            guard socket === current, !isResting else { return }
            if room != goal, world.judge.rooms.contains(goal) {
                send("join \(goal)")
            } else if role == .player {
                // A player whose token was lost with a connection takes the name when it is free.
                if isNamed { bid() } else { proveName() }
            }
            live()
        }
    }

    /// Asks for the lists that must be the same for all clients.
    func compare() {
        for command in ["results", "standings", "laps"] { send(command) }
    }

    /// Ends the connection for good.
    func rest() {
        isResting = true
        send("quit")
    }

    private func bid() {
        if let offer = world.judge.nextOffer(in: place, &dice) { send(offer) }
    }

    // What the plan says

    func perform(_ kind: ClusterAction.Kind, _ dice: inout SplitMix64) {
        switch kind {
        case .name: takeName(&dice)
        case .bid: bid()
        case .open:
            goal = dice.pick(ClusterTerms.rooms)
            send("open \(goal) \(dice.pick(ClusterTerms.openings)) pause=0.5")
        case .end:
            guard let key = world.judge.keys[room] else { return }
            send("auctioneer \(key)")
            send("end \(room)")
        case .join:
            goal = dice.pick(["main"] + ClusterTerms.rooms)
            send("join \(goal)")
        case .say: send("say \(dice.pick(["hello", "all well", "well, well"]))")
        case .react: send("react 👏")
        case .laps, .results, .who, .rooms, .standings, .status, .ping, .quit: send(kind.rawValue)
        case .resume: send("resume \(max((newest[room]?.number ?? 0) - Int(dice.next() % 6), 0))")
        case .burst:
            for _ in 0..<Int.random(in: 3...8, using: &dice) {
                perform(dice.pick([.bid, .bid, .ping, .laps, .say, .status, .who]), &dice)
            }
        case .drop:
            guard let socket else { return }
            if dice.chance(in: 2) {
                lose(socket)
            } else {
                socket.close(hasBroken: false)
                socket.noteProcess(world)
            }
        case .fallBehind:
            guard let socket else { return }
            world.judge.noteFall(socket.number)
            socket.fallBehind()
            socket.noteProcess(world)
        case .kill, .stop, .freeze, .partition, .leaderless, .faults:
            preconditionFailure("\(kind) is no action of a client")
        }
    }

    private func takeName(_ dice: inout SplitMix64) {
        let chosen = dice.pick(ClusterTerms.names)
        if bidder == nil { bidder = chosen }
        let token = dice.chance(in: 4) ? world.judge.tokens[chosen] : tokens[chosen]
        send(["name", chosen, token].compactMap { $0 }.joined(separator: " "))
    }

    // What it receives

    func receive(_ bytes: [UInt8], on sender: ClusterSocket) {
        guard sender === socket else { return }
        received += bytes
        while let end = received.firstIndex(of: UInt8(ascii: "\n")) {
            let line = String(decoding: received[..<end], as: UTF8.self)
            received.removeFirst(end + 1)
            if let message = JSONObject(line) { take(message) }
        }
    }

    private func take(_ message: JSONObject) {
        switch message.string("type") {
        case "hello":
            (room, place) = (message.string("room") ?? "main", message.place)
            if newest[room]?.place != place { newest[room] = nil }
        case "ok":
            let words = message.string("content")?.split(separator: " ").map(String.init) ?? []
            guard words.first == "name", words.count == 3 else { return }
            (bidder, isNamed, tokens[words[1]]) = (words[1], true, words[2])
        case "error":
            guard let code = message.string("code"), let bidder else { return }
            guard code == "name-taken" || code == "wrong-token", role == .bidder else { return }
            tokens[bidder] = nil
            self.bidder = nil
        case "bye":
            // Two that have one token would replace each other for ever.
            if message.string("content") == "replaced", role == .bidder { bidder = nil }
        default:
            guard let seq = message.number("seq") else { return }
            newest[room] = (place, max(newest[room]?.number ?? 0, Int(seq)))
        }
    }
}

extension JSONObject {
    /// The identity of the sale in the room of a greeting; `main` in that room.
    var place: String { string("sale") ?? string("room") ?? "main" }

    /// The text of a member; nil if it has none.
    func string(_ name: String) -> String? {
        if case .text(let text)? = self[name] { text } else { nil }
    }

    /// The number of a member; nil if it has none.
    func number(_ name: String) -> Int64? {
        if case .number(let number)? = self[name] { number } else { nil }
    }
}
