import Auction
import Basics
import ClusterSupport
import TestSupport
import Wire

/// What clients were promised, checked by what they were sent and by what NATS has stored.
final class ClusterJudge {
    /// How long a room may take until it goes on, once everything works.
    private static let recovery = Duration.seconds(10)

    private(set) var violation: Violation?
    private var stream = StreamModel()
    private var readCount = 0
    private var connections: [Int: JudgedConnection] = [:]
    private var connectionCount = 0
    private var usedAmounts: Set<Int> = []
    /// How often each bid, `AMOUNT BIDDER`, was answered by `OK` in a room.
    private var accepted: [String: [String: Int]] = [:]
    private var refused: [(key: String, room: String)] = []
    /// The identity of the server, as it was told first.
    private var identity: String?
    /// The newest token that a client was told for each name, and the newest key for each room.
    private(set) var tokens: [String: String] = [:]
    private(set) var keys: [String: String] = [:]
    private(set) var lineCount = 0
    /// The lists of each room that a client was told first at the end; nil before that.
    private var lists: [String: (client: String, lines: [String])]?
    private var endsFrom = Instant(nanoseconds: .max)

    var newsCount: Int { stream.rooms.values.reduce(0) { $0 + $1.news.count } }
    /// The names of the rooms that exist.
    var rooms: [String] { stream.open.keys.sorted() }
    /// How often something was seen.
    var counts: [String: Int] { stream.counts }

    func report(_ promise: Promise, _ facts: String) {
        violation = violation ?? Violation(promise: promise, facts: facts)
    }

    /// Reads what was stored since the last call.
    func read(_ history: [FakeNATS.Stored]) {
        for stored in history[readCount...] {
            if let broken = stream.add(stored) { report(broken.promise, broken.facts) }
        }
        readCount = history.count
    }

    // Requests

    /// Notes an attempt of a client to connect, and returns the number of the connection.
    func begin(_ client: String) -> Int {
        connectionCount += 1
        connections[connectionCount] = JudgedConnection(client)
        return connectionCount
    }

    /// Notes that a connection may miss news until that is declared.
    func noteFall(_ number: Int) { connections[number]?.isFallen = true }

    /// Notes that a client has lost its connection.
    func end(_ number: Int) { connections[number] = nil }

    func request(_ command: String, tag: Int, on number: Int) {
        connections[number]?.pending.append((tag, command))
    }

    /// An offer with an amount that nobody has bid, and that is about the least that is accepted.
    func nextOffer(in room: String, _ dice: inout SplitMix64) -> String? {
        guard let room = stream.rooms[room], let price = room.price else { return nil }
        guard room.format != .dutch else { return "take" }
        var amount = max(price + Int.random(in: -1...4, using: &dice), 1)
        while !usedAmounts.insert(amount).inserted { amount += 1 }
        return "bid \(amount)"
    }

    // Lines

    /// Checks a line at the time at which a node sends it.
    func check(_ bytes: [UInt8], on number: Int, at now: Instant) {
        lineCount += 1
        guard let connection = connections[number] else { return }
        let line = String(decoding: bytes.dropLast(), as: UTF8.self)
        if let message = JSONObject(line) {
            check(message, on: connection)
        } else {
            let words = line.split(separator: " ")
            guard words.count > 1, words[0] == "OK" || words[0] == "ERROR" else { return }
            settle(words[1].hasPrefix("#") ? Int(words[1].dropFirst()) : nil, on: connection)
        }
    }

    private func check(_ message: JSONObject, on connection: JudgedConnection) {
        let type = message.string("type") ?? ""
        switch type {
        case "hello": enter(message, connection)
        case "ok", "error": answer(message, isOK: type == "ok", connection)
        case "skipped":
            (connection.newest, connection.hasSkipped, connection.isFallen) = (nil, true, false)
        case "you": checkWorth(message, connection)
        case "result", "standing", "lap":
            let members = message.text.split(separator: ",")
            connection.list.append(members.filter { !$0.hasPrefix("\"time\"") }.joined())
        default:
            guard let seq = message.number("seq").map({ Int($0) }) else { return }
            if type == "lot", let lot = message.number("lot") { connection.lot = "\(lot)" }
            if message["snapshot"] == nil {
                news(message, seq, connection)
            } else if type == "state" {
                stand(at: seq, connection)
            }
        }
    }

    private func enter(_ message: JSONObject, _ connection: JudgedConnection) {
        connection.room = message.place
        (connection.newest, connection.hasSkipped, connection.ownNews) = (nil, false, 0)
        guard stream.rooms[connection.room]?.name == message.string("room") ?? "main" else {
            return report(.durable, "\(connection.client) is greeted by \(message.text)")
        }
        guard let server = message.string("game") else { return }
        if let identity, identity != server {
            report(.agreed, "\(connection.client) is told of \(server), others of \(identity)")
        }
        identity = server
    }

    /// Checks that a lot is worth to a bidder what the stream says.
    private func checkWorth(_ message: JSONObject, _ connection: JudgedConnection) {
        guard let you = message.object("you").flatMap({ JSONObject($0) }),
            let told = you.number("worth"), let bidder = connection.bidder, !connection.isFallen,
            let worth = stream.rooms[connection.room]?.worths["\(connection.lot) \(bidder)"],
            worth != Int(told)
        else { return }
        report(
            .sameValue,
            "\(connection.client) is told that lot \(connection.lot) is worth \(told), not \(worth)"
        )
    }

    /// Checks that a snapshot has all news before it, and no later one.
    private func stand(at seq: Int, _ connection: JudgedConnection) {
        let isKnown = connection.replayed.isEmpty && !connection.isFallen
        if let newest = connection.newest, newest != seq, isKnown {
            report(
                .order, "\(connection.client) is told a state after \(seq), and had \(newest)")
        }
        let count = stream.rooms[connection.room]?.news.count ?? 0
        if seq > count {
            report(
                .durable,
                "\(connection.client) is told a state after \(seq) of \(connection.room), which has \(count)"
            )
        }
        if seq < connection.ownNews {
            report(
                .present,
                "\(connection.client) is told a state after \(seq), and its own bid is "
                    + "\(connection.ownNews)")
        }
        connection.newest = seq
    }

    private func news(_ message: JSONObject, _ seq: Int, _ connection: JudgedConnection) {
        let news = stream.rooms[connection.room]?.news ?? []
        let text = "\(connection.client) is sent \(seq) of \(connection.room)"
        guard seq > 0, seq <= news.count else {
            return report(.durable, "\(text), and the stream has \(news.count)")
        }
        guard news[seq - 1].isTold(by: message) else {
            return report(
                .order, "\(text) as \(message.text), and the stream has \(news[seq - 1].text)")
        }
        if connection.isResuming { return connection.replayed.append(seq) }
        if let newest = connection.newest, seq != newest + 1 {
            report(.order, "\(text) after \(newest)")
        }
        connection.newest = seq
    }

    private func settle(_ tag: Int?, on connection: JudgedConnection) {
        guard let (expected, command) = connection.pending.first, expected == tag else {
            let pending = connection.pending.first.map { "#\($0.tag) \($0.command)" } ?? "nothing"
            return report(
                .answers,
                "\(connection.client) gets the answer to #\(tag ?? 0), and waits for \(pending)")
        }
        connection.pending.removeFirst()
        connection.settled = command
    }

    private func answer(_ message: JSONObject, isOK: Bool, _ connection: JudgedConnection) {
        let isResuming = connection.isResuming
        settle(message.string("tag").flatMap { Int($0) }, on: connection)
        let words = (message.string("content") ?? "").split(separator: " ").map(String.init)
        if isOK, words.count == 2 { compareList(of: words[0], connection) }
        connection.list = []
        let asked = connection.settled.split(separator: " ").map(String.init)
        guard violation == nil else { return }
        if isResuming { endReplay(isOK ? Int(words[1]) : nil, connection) }
        // A bid while the price falls is a purchase at that price.
        let isExpected = words.first == asked.first || words.first == "take" && asked[0] == "bid"
        guard isOK, isExpected else {
            if isOK { report(.answers, "\(connection.client) gets OK \(words) to \(asked)") }
            // A bid below a falling price is refused, and the same price may be taken later.
            let isFalling = stream.rooms[connection.room]?.format == .dutch
            if asked[0] == "bid", !isFalling, message.string("code") != "outbid" {
                refused.append((connection.key(ofBid: asked[1]), connection.room))
            }
            return
        }
        switch words[0] {
        case "bid", "take": bid(words[1], connection)
        case "open": keys[words[1]] = words[2]
        case "name": name(words[1], words[2], connection)
        default: break
        }
    }

    /// Checks the news between a `resume` and its answer: some that came meanwhile, and the missed.
    private func endReplay(_ count: Int?, _ connection: JudgedConnection) {
        let replayed = connection.replayed
        connection.replayed = []
        let asked = Int(connection.settled.split(separator: " ")[1]) ?? 0
        let live = replayed.dropLast(min(count ?? 0, replayed.count))
        for seq in live {
            if let newest = connection.newest, seq != newest + 1 {
                report(.order, "\(connection.client) is sent \(seq) after \(newest)")
            }
            connection.newest = seq
        }
        guard let count else { return }
        let missed = replayed.suffix(count)
        guard missed.count == count, Array(missed) == Array((asked + 1)..<(asked + 1 + count))
        else {
            return report(
                .resumes, "\(connection.client) resumes after \(asked), and gets \(replayed)")
        }
        if let newest = connection.newest, newest != asked + count, !connection.hasSkipped,
            !connection.isFallen
        {
            report(
                .resumes,
                "\(connection.client) had \(newest), resumes after \(asked), and gets \(count)")
        }
        connection.newest = asked + count
    }

    private func bid(_ amount: String, _ connection: JudgedConnection) {
        let key = connection.key(ofBid: amount)
        let count = accepted[connection.room, default: [:]][key, default: 0] + 1
        accepted[connection.room]?[key] = count
        guard let room = stream.rooms[connection.room] else { return }
        let numbers = room.bids[key] ?? []
        // An amount is bid once, but the price of a falling auction can be taken on several lots.
        guard numbers.count == count || room.format == .dutch && numbers.count > count else {
            return report(
                .acknowledged,
                "\(connection.client) is told OK \(amount) \(count) times, which is stored "
                    + "\(numbers.count) times")
        }
        connection.ownNews = numbers[count - 1]
    }

    private func name(_ name: String, _ token: String, _ connection: JudgedConnection) {
        connection.bidder = name
        tokens[name] = token
        // Another node may have freed it meanwhile.
        let owners = stream.rooms[connection.room]?.formerOwners[name.lowercased()] ?? []
        guard let token = Token(token), owners.contains(TokenHash(of: token).description) else {
            return report(
                .names, "\(connection.client) is told that \(name) is its own, which is not stored")
        }
    }

    // The end

    /// Notes when clients begin to bid in all rooms.
    func beginEnd(at now: Instant) { endsFrom = now }

    /// Compares the lists that clients are told from now on.
    func beginComparing() { lists = [:] }

    private func compareList(of verb: String, _ connection: JudgedConnection) {
        let key = "\(verb) of \(connection.room)"
        guard let (client, lines) = lists?[key] else {
            lists?[key] = (connection.client, connection.list)
            return
        }
        guard lines != connection.list else { return }
        report(
            .agreed, "\(connection.client) is told \(key) \(connection.list), \(client) \(lines)")
    }

    func checkEnd(_ world: ClusterWorld) {
        for node in world.nodes {
            guard let process = node.process else {
                return report(.live, "\(node.name) does not run")
            }
            if let trouble = process.trouble { return report(.live, "\(node.name): \(trouble)") }
        }
        for room in rooms.compactMap({ stream.open[$0] }).compactMap({ stream.rooms[$0] }) {
            check(room)
        }
        let seen = world.nodes.map { $0.process?.rooms ?? [] }
        for (node, rooms) in zip(world.nodes, seen) where rooms != seen[0] {
            report(.agreed, "\(world.nodes[0].name) has \(seen[0]), \(node.name) has \(rooms)")
        }
        for client in world.clients { check(client) }
        for (key, room) in refused where stream.rooms[room]?.bids[key] != nil {
            report(.refused, "\(key) in \(room) was refused")
        }
    }

    private func check(_ room: StreamModel.Room) {
        guard let first = room.bidTimes.first(where: { $0 >= endsFrom }) else {
            return report(.live, "nobody could bid in \(room.name) in the end")
        }
        if endsFrom.duration(to: first) > Self.recovery {
            report(
                .live,
                "the first bid in \(room.name) was stored \(endsFrom.duration(to: first)) late")
        }
        if room.isUnsold { report(.live, "a lot of \(room.name) is not sold in the end") }
    }

    private func check(_ client: ClusterClient) {
        guard let number = client.socket?.number, let connection = connections[number] else {
            if client.isObserver { report(.live, "\(client.name) is not connected") }
            return
        }
        if let (tag, command) = connection.pending.first {
            report(.answers, "\(client.name) has no answer to #\(tag) \(command)")
        }
        guard client.isObserver, let goal = stream.open[client.goalRoom] else { return }
        guard connection.room == goal else {
            return report(.live, "\(client.name) is in \(connection.room)")
        }
        let count = stream.rooms[connection.room]?.news.count
        if connection.newest != count, !connection.hasSkipped {
            report(
                .order, "\(client.name) has news up to \(connection.newest ?? 0) of \(count ?? 0)")
        }
    }
}

/// What the judge knows of one connection.
private final class JudgedConnection {
    let client: String
    /// The requests without an answer, and the newest that was answered.
    var pending: [(tag: Int, command: String)] = []
    var settled = ""
    /// The identity of its room's sale, and the number of the lot.
    var (room, lot) = ("main", "")
    var bidder: String?
    /// The number of its newest news; nil before it is known.
    var newest: Int?
    /// The number of the news of its own newest bid in the room.
    var ownNews = 0
    /// Whether it may miss news that is not declared yet.
    var isFallen = false
    /// Whether it has missed news.
    var hasSkipped = false
    /// The lines of the list that it is sent.
    var list: [String] = []
    /// The numbers of the news that came while a `resume` is answered.
    var replayed: [Int] = []

    init(_ client: String) {
        self.client = client
    }

    var isResuming: Bool { pending.first?.command.hasPrefix("resume") == true }

    func key(ofBid amount: String) -> String { "\(amount) \(bidder ?? "")" }
}
