import Basics
import Load
import Posix
import Transport

/// A bidder on an event loop: it bids, and matches the replies to its bids.
final class Bidder {
    private let connection: Connection
    private let dialect: Dialect
    private let loop: EventLoop
    /// Its name on the loop.
    let handle: Handle
    private var buffer = [UInt8](repeating: 0, count: Connection.readBytes)
    private var nextAmount: Int64 = 1
    private var newestPrice: Int64 = 0
    /// When each outstanding bid was sent, or was due; replies come in the order of the bids.
    private var sent = Queue<Int64>()
    private var broadcasts = Deliveries()
    /// The number in its name; 0 if it has none.
    private(set) var number = 0

    /// Connects, enters its room, logs in, and registers with the loop; blocks until that is done.
    ///
    /// If names are needed it takes the first free one from `bench-N` on, N being `number`.
    init(
        on loop: EventLoop, to server: Server, speaking dialect: Dialect, from number: Int = 1
    ) throws {
        self.loop = loop
        self.dialect = dialect
        connection = Connection(try server.connect())
        handle = try loop.register(connection.socket, for: .readable)
        if let handshake = dialect.bidder {
            try logIn(by: handshake)
        } else {
            if let room = dialect.room { try join(room) }
            try takeName(from: number)
        }
        broadcasts = Deliveries()
    }

    /// How many bids have no answer yet.
    var outstanding: Int { sent.count }

    /// The broadcasts that it received; nil if the server sends it none.
    var deliveries: Deliveries? { dialect.bidder == nil ? broadcasts : nil }

    /// Whether each bid has its reply, and the last one its price if the server sends prices.
    var hasReceivedAll: Bool {
        outstanding == 0 && (newestPrice == 0 || newestPrice >= nextAmount - 1)
    }

    /// Adds the age of each outstanding bid to a histogram.
    func recordAges(at now: Int64, in ages: inout Histogram) {
        while let time = sent.popFirst() { ages.record(now - time) }
    }

    /// Sends a number of bids at once, each higher than the one before and than the price.
    ///
    /// They count as sent at a given time, in monotonic nanoseconds.
    func bid(_ count: Int, at time: Int64) throws {
        guard count > 0 else { return }
        for _ in 0..<count { queueBid(at: time) }
        try flush()
    }

    /// Adds a bid above the price to the next `flush`.
    func queueBid(at time: Int64) {
        nextAmount = max(nextAmount, newestPrice + 1)
        connection.queue { dialect.bid.append(nextAmount, to: &$0) }
        nextAmount += 1
        sent.append(time)
    }

    /// Sends what the kernel takes, and waits on the loop for room if something is left.
    func flush() throws {
        try connection.flush()
        try loop.change(handle, to: connection.isBlocked ? [.readable, .writable] : .readable)
    }

    /// Reads once, and counts the replies to bids; returns how many there were.
    ///
    /// `onMessage` gets each message and when it was read.
    @discardableResult
    func receive(
        _ tally: inout Tally, _ onMessage: (MessageKind, Int64) -> Void = { _, _ in }
    ) throws -> Int {
        let before = sent.count
        try receiveMessages { kind, now in
            if case .reply(let reply) = kind, let time = sent.popFirst() {
                tally.count(reply, after: now - time)
            }
            onMessage(kind, now)
        }
        return before - sent.count
    }

    /// The name of a room that the load generator opens.
    static func name(ofRoom number: Int) -> String { "bench-\(number)" }

    /// Opens a room and enters it; returns the number of the first free one from `number` on.
    func openRoom(from number: Int, _ options: String) throws -> Int {
        for number in number... {
            try connection.send(Array("open \(Self.name(ofRoom: number)) \(options)\n".utf8))
            switch try awaitReply() {
            case .accepted: return number
            case .nameTaken: continue
            case .tooLow, .leading, .refused: throw Failure.noRoom
            }
        }
        preconditionFailure("the numbers do not end")
    }

    /// Waits for the reply to the only command without one.
    func awaitReply() throws -> Reply {
        let deadline = monotonicNanoseconds() + patienceNanoseconds
        var result: Reply?
        while true {
            try connection.waitUntilReadable(by: deadline)
            try receiveMessages { kind, _ in
                if case .reply(let reply) = kind { result = reply }
            }
            if let result { return result }
        }
    }

    private func receiveMessages(_ body: (MessageKind, Int64) -> Void) throws {
        var pings = 0
        try connection.receive(through: &buffer) { bytes in
            let now = monotonicNanoseconds()
            return dialect.replies.scan(bytes) { kind, message in
                switch kind {
                case .delivery: newestPrice = leadingNumber(message, from: "PRICE ".utf8.count)
                case .ping: pings += 1
                case .reply, .lot, .winner, .other, .invalid: break
                }
                broadcasts.receive(kind, message)
                body(kind, now)
            }
        }
        for _ in 0..<pings { try connection.send(dialect.pong) }
    }

    private func logIn(by handshake: Handshake) throws {
        let deadline = monotonicNanoseconds() + patienceNanoseconds
        var isIn = false
        try connection.send(handshake.request)
        while !isIn {
            try connection.waitUntilReadable(by: deadline)
            try connection.receive(through: &buffer) { bytes in
                let end = handshake.end(in: bytes)
                isIn = end != nil
                return end ?? 0
            }
        }
    }

    private func join(_ room: String) throws {
        try connection.send(Array("join \(room)\n".utf8))
        guard try awaitReply() == .accepted else { throw Failure.notAdmitted(room) }
    }

    private func takeName(from first: Int) throws {
        for number in first... {
            try connection.send(Array("name bench-\(number)\n".utf8))
            switch try awaitReply() {
            case .accepted: return self.number = number
            case .nameTaken: continue
            case .tooLow, .leading, .refused: throw Failure.notNamed
            }
        }
    }
}

/// The number that the digits from an index on make; a price has at most 13.
private func leadingNumber(_ bytes: Span<UInt8>, from start: Int) -> Int64 {
    var number: Int64 = 0
    for index in start..<min(bytes.count, start + 13) {
        let digit = bytes[index] &- UInt8(ascii: "0")
        guard digit <= 9 else { break }
        number = number * 10 + Int64(digit)
    }
    return number
}
