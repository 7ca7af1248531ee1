import Auction
import Basics
import House
import Wire

/// A lobby with clients that record what they receive; time is moved by hand.
struct TestClients {
    var lobby: Lobby
    private(set) var now = Instant(nanoseconds: 0)
    private var lines: [String: [String]] = [:]
    /// The room that each greeted client follows.
    private var following: [String: RoomID] = [:]
    /// The names of the rooms beside `main`.
    private(set) var roomNames: [RoomID: RoomName] = [:]
    /// The clients from which news is held back during an answer.
    private(set) var held: Set<String> = []
    private var encodings: [String: Encoding] = [:]
    private(set) var closed: [String] = []
    /// Whether news is published at once, and not by `publish`.
    var publishesAtOnce = true
    /// The numbers of the news of `main`.
    private(set) var seqs: [Int] = []
    /// The newest news of each room that was not published yet.
    private var unpublished: [RoomID: Int] = [:]
    /// The number of the last event in the journal.
    private var lastEvent: Int
    /// What a journal would keep, in order.
    private(set) var timedJournal: [(record: Record, number: Int?)] = []
    /// The news, in order.
    private(set) var news: [ServerMessage] = []
    /// The maximum number of replies to one read.
    private(set) var mostReplies = 0

    /// The identity of every server here.
    static let serverID = Identity("k3v9") ?? Lobby.randomIdentity()

    /// The time of day at the start, in milliseconds since 1970.
    static let firstTimeOfDay: Int64 = 86_400_000

    /// Opens a sale, or continues a recovered one.
    init(
        _ rules: Rules = Rules(seconds: 7), _ catalogue: Catalogue = Catalogue(),
        settings: GameSettings = GameSettings(), limits: Limits = .none, origins: [String] = [],
        resuming recovered: ServerReplay? = nil, classPlan: ClassPlan? = nil,
        roster: ReservedNames? = nil, timeOfDay: Int64 = TestClients.firstTimeOfDay,
        tokens first: UInt64 = 0
    ) {
        var tokens = first
        lastEvent = recovered?.eventNumber ?? 0
        var options = Lobby.Options(rules: rules, limits: limits)
        (options.catalogue, options.game, options.origins) = (catalogue, settings, origins)
        options.serverID = Self.serverID
        (options.classPlan, options.roster) = (classPlan, roster)
        options.makeToken = {
            tokens += 1
            var generator = Fixed(value: tokens)
            return Token(using: &generator)
        }
        lobby = Lobby(options, resuming: recovered, at: now, timeOfDay: timeOfDay)
        settle()
    }

    /// What a journal would keep without the time of day.
    var journal: [(record: Record, number: Int?)] {
        timedJournal.filter { if case .event(.timeNoted) = $0.record { false } else { true } }
    }

    /// The encoding of the messages to a client.
    func encoding(of client: String) -> Encoding { encodings[client] ?? .text }

    /// The lines to these clients since the entry was set.
    var recorded: [String: [String]] = [:]

    /// The clients whose input is not read.
    var unread: Set<String> = []

    /// Connects a client and waits for its greeting.
    mutating func join(_ client: String, from address: PeerAddress = .loopback) {
        encodings[client] = nil
        lobby.join(id(client), from: address, at: now)
        pass(milliseconds: 20)
    }

    /// Connects clients that have received their greetings.
    mutating func connect(_ clients: String...) {
        for client in clients {
            join(client)
            _ = received(client)
        }
    }

    /// Connects clients that take their names.
    mutating func connectNamed(_ clients: String...) {
        for client in clients {
            join(client)
            send(client, "name \(client)")
            _ = received(client)
        }
    }

    mutating func connectUngreeted(_ client: String, from address: PeerAddress = .loopback) {
        lobby.join(id(client), from: address, at: now)
        settle()
    }

    /// Sends a line, and returns what the client has received since the last call.
    @discardableResult
    mutating func send(_ client: String, _ line: String) -> [String] {
        send(client, Array((line + "\n").utf8))
        return received(client)
    }

    mutating func send(_ client: String, _ bytes: [UInt8]) {
        var rest = bytes[...]
        var isConfirmed = false
        repeat {
            let before = lobby.replyCount
            let received = lobby.receive(
                Array(rest).span, from: id(client), at: now, isConfirmed: isConfirmed)
            mostReplies = max(mostReplies, lobby.replyCount - before)
            rest = rest.dropFirst(received.count)
            isConfirmed = true
            settle()
        } while !rest.isEmpty || lobby.isAnswering(id(client))
    }

    /// Gives bytes once, and returns how many were taken.
    mutating func take(
        _ client: String, _ bytes: [UInt8], isConfirmed: Bool = false
    ) -> Int {
        defer { settle() }
        return lobby.receive(bytes.span, from: id(client), at: now, isConfirmed: isConfirmed)
            .count
    }

    /// The number of lines that the client's own rate allows now.
    func available(_ client: String) -> Int {
        lobby.availableLines(of: id(client), at: now)
    }

    /// When the rest of the client's input is due.
    func due(_ client: String) -> Instant? {
        lobby.due(of: id(client), at: now)
    }

    func milliseconds(to instant: Instant) -> Int64 {
        (instant.nanoseconds - now.nanoseconds) / 1_000_000
    }

    mutating func end(_ client: String) {
        lobby.end(id(client), at: now)
        settle()
    }

    mutating func lose(_ client: String) {
        lobby.leave(id(client), at: now)
        settle()
    }

    mutating func fallBehind(_ client: String) {
        lobby.resync(id(client), at: now)
        settle()
    }

    mutating func shutDown() {
        lobby.shutDown(at: now)
        settle()
    }

    /// Moves time on, with an expiry at each deadline.
    mutating func pass(milliseconds: Int64) {
        let target = now.advanced(by: .milliseconds(milliseconds))
        while let due = lobby.deadline, due <= target {
            now = max(now, due)
            wake()
        }
        now = target
    }

    /// Moves time on without an expiry, as when the machine stalls; or back, if negative.
    mutating func stall(milliseconds: Int64) {
        now = now.advanced(by: .milliseconds(milliseconds))
    }

    /// Lets time expire, with the input of these last milliseconds not yet handled.
    mutating func wake(unhandledMilliseconds: Int64 = 0) {
        let unread = Set(unread.map { id($0) })
        let handledUntil = now.advanced(by: .milliseconds(-unhandledMilliseconds))
        lobby.expire(at: now, handledUntil: handledUntil, isHandled: { !unread.contains($0) })
        settle()
    }

    /// Returns what the client has received since the last call.
    mutating func received(_ client: String) -> [String] {
        lines.removeValue(forKey: client) ?? []
    }

    private mutating func settle() {
        for effect in lobby.takeEffects() { perform(effect) }
        if publishesAtOnce { publish() }
    }

    /// Reports that all news was published.
    mutating func publish() {
        for (room, newest) in unpublished { lobby.published(in: room, upTo: newest, at: now) }
        unpublished.removeAll()
    }

    private mutating func perform(_ effect: Effect) {
        switch effect {
        case .news(let event, let details, let room, let seq):
            if room == .main { seqs.append(seq) }
            unpublished[room] = seq
            news.append(.event(event, details))
            lastEvent += 1
            timedJournal.append((.event(event), lastEvent))
            for (client, followed) in following where followed == room {
                write(.event(event, details), seq, to: client)
            }
        case .journal(let event): timedJournal.append((.event(event), nil))
        case .journalRoom(let record): timedJournal.append((record, nil))
        case .openRoom(let id, let name): roomNames[id] = name
        case .endRoom(let id): roomNames[id] = nil
        case .follow(let id, let room): following[name(id)] = room
        case .reply(let message, let id): write(message, nil, to: name(id))
        case .replay(let message, let seq, _, let id): write(message, seq, to: name(id))
        case .restate(let message, let seq, let id):
            write(message, seq, isSnapshot: true, to: name(id))
        case .send(let bytes, let id):
            lines[name(id), default: []].append(String(decoding: bytes, as: UTF8.self))
        case .use(let encoding, let id): encodings[name(id)] = encoding
        case .sendReport(let request, let id):
            lines[name(id), default: []].append("(\(request.report))")
        case .holdNews(let id): held.insert(name(id))
        case .releaseNews(let id): held.remove(name(id))
        case .confirm: break
        case .skip(let id): lines[name(id), default: []].append("(skipped)")
        case .close(let id, let farewell):
            if let farewell { write(.bye(farewell), nil, to: name(id)) }
            closed.append(name(id))
            following[name(id)] = nil
        }
    }

    private mutating func write(
        _ message: ServerMessage, _ seq: Int?, isSnapshot: Bool = false, to client: String
    ) {
        var bytes: [UInt8] = []
        message.append(
            to: &bytes, as: encodings[client] ?? .text, seq: seq, isSnapshot: isSnapshot,
            millisecondsSince1970: 0)
        // A state has no line of text.
        guard !bytes.isEmpty else { return }
        let end = bytes.last == UInt8(ascii: "\n") ? 1 : 0
        let line = String(decoding: bytes.dropLast(end), as: UTF8.self)
        lines[client, default: []].append(line)
        recorded[client]?.append(line)
    }

    func id(_ client: String) -> SessionID {
        SessionID(rawValue: client.utf8.reduce(0) { $0 << 8 | UInt64($1) })
    }

    private func name(_ id: SessionID) -> String {
        var bytes: [UInt8] = []
        var rest = id.rawValue
        while rest > 0 {
            bytes.append(UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        }
        return String(decoding: bytes.reversed(), as: UTF8.self)
    }
}

/// A generator with a known sequence.
private struct Fixed: RandomNumberGenerator {
    let value: UInt64

    mutating func next() -> UInt64 { value }
}

/// The token that the lobby of `TestClients` gives to the n-th name.
func token(_ number: Int) -> String {
    let half = String(repeating: "0", count: 15) + String(number, radix: 16)
    return half + half
}

func price(_ amount: Int64) -> Price {
    guard let price = Price(amount) else { preconditionFailure("a test's price is in bounds") }
    return price
}

extension Lobby {
    /// The state of a server that has no room but `main`, as a segment of its journal restates it.
    var mainState: [(record: Record, number: Int?)] {
        state.flatMap(\.records).filter { if case .roomState = $0.record { false } else { true } }
    }
}

extension TestClients {
    /// A lobby with the bidders al and bo, and the auctioneer boss.
    static func presided(
        _ catalogue: Catalogue = Catalogue(), resuming recovered: ServerReplay? = nil
    ) -> TestClients {
        var clients = TestClients(Rules(seconds: 7), catalogue, resuming: recovered)
        clients.preside()
        clients.connectNamed("al", "bo")
        _ = clients.received("boss")
        return clients
    }

    /// Connects boss, who becomes the auctioneer.
    mutating func preside() {
        lobby.auctioneerToken = .test
        join("boss")
        send("boss", "auctioneer \(String.auctioneerToken)")
    }
}

extension String {
    static let auctioneerToken = String(repeating: "c0ffee", count: 6)
}

extension AuctioneerToken {
    static var test: AuctioneerToken? { AuctioneerToken(String.auctioneerToken) }
}

extension GameSettings {
    /// Creates the settings of a game.
    init(
        purse: Price? = nil, values: GameOptions.Values? = nil, seed: Seed? = nil,
        showsProfits: Bool = false
    ) {
        var options = RoomOptions()
        (options.purse, options.values, options.showsProfits) = (purse, values, showsProfits)
        self.init(options, seed: seed)
    }
}

extension TestClients {
    /// A sale of one lot after the other under these rules, with the auctioneer boss and the
    /// bidders al, bo and eve, who have received everything so far.
    static func playing(
        _ rules: Rules, _ plans: [LotPlan] = [], settings: GameSettings = GameSettings(),
        limits: Limits = .none
    ) -> TestClients {
        var clients = TestClients(
            rules, Catalogue(plans: plans), settings: settings, limits: limits)
        clients.preside()
        clients.connectNamed("al", "bo", "eve")
        clients.forget()
        return clients
    }

    /// Forgets what the clients have received.
    mutating func forget() { forget("al", "bo", "eve", "boss") }

    /// Forgets what some clients have received.
    mutating func forget(_ clients: String...) {
        for client in clients { _ = received(client) }
    }

    /// Continues after a crash, with nobody connected but boss.
    func restarted(
        _ rules: Rules, _ plans: [LotPlan] = [], settings: GameSettings = GameSettings()
    ) throws -> TestClients {
        let tokens = UInt64(100)
        var after = TestClients(
            rules, Catalogue(plans: plans), settings: settings,
            resuming: try recovered(journal), tokens: tokens)
        after.preside()
        _ = after.received("boss")
        return after
    }

    /// Opens the name of a client that owns it with the token of this number.
    mutating func comeBack(_ client: String, _ number: Int) -> [String] {
        join(client)
        _ = received(client)
        return send(client, "name \(client) \(token(number))")
    }
}

extension Rules {
    /// Rules of a lot of one of the formats that begin at the opening, for ten seconds.
    static func clocked(
        _ format: AuctionFormat, start: Int64 = 1, step: Int64 = 1, reserve: Int64? = nil,
        buy: Int64? = nil
    ) -> Rules {
        Rules(
            seconds: 10, start: price(start), step: price(step), format: format,
            reserve: reserve.map { price($0) }, buy: buy.map { price($0) })
    }
}

extension TestClients {
    /// Two rooms; `al` has opened blue and is in it, `bo` is in main.
    static func twoRooms(_ options: String = "", limits: Limits = .none) -> TestClients {
        var clients = TestClients(limits: limits)
        clients.connectNamed("al", "bo")
        clients.send("al", "open blue seconds=3\(options)")
        _ = clients.received("bo")
        return clients
    }

}

/// The line that the journal has of the owner of a name with the token of this number.
func nameLine(_ name: String, _ number: Int) -> String {
    "NAME \(name) \(Token(token(number)).map { TokenHash(of: $0).description } ?? "none")"
}

/// The identity of the sale in the room that got the token with this number as its key.
func saleIdentity(_ number: Int) -> String {
    Token(token(number)).map { Identity(ofSaleWithKey: TokenHash(of: $0)).description } ?? "none"
}

extension Limits {
    /// No limits, except those that are set.
    static func with(_ change: (inout Limits) -> Void) -> Limits {
        var limits = Limits.none
        change(&limits)
        return limits
    }
}

extension TokenBucket.Rate {
    /// This many in a minute, all of them at once if need be.
    static func perMinute(_ count: Int) -> Self { Self(count, per: .seconds(60), burst: count) }
}
