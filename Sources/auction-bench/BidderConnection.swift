import Load
import Posix
import Transport
import Wire

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The connection of one bidder: what it has yet to send, and what it hears.
final class BidderConnection {
    /// What one read brought: bytes, when, and how many answers among them.
    struct Reading {
        let byteCount: Int
        let time: Int64
        let answers: Int
    }

    private static let lowBid = Array("bid 1\n".utf8)

    let socket: Int32
    let dialect: Dialect
    var outbox: [UInt8] = []
    var answers: any AnswerReader
    private var writer: BidWriter
    private var sendTimes: SendTimes
    private var pongs = 0
    /// The first bytes heard.
    var greeting: [UInt8] = []

    /// Connects to a server; so many bids may be outstanding without more memory.
    ///
    /// - Throws: `Failure.unreachable`.
    init(
        host: String, port: UInt16, speaking dialect: Dialect, outstanding: Int
    ) throws(Failure) {
        self.dialect = dialect
        answers = dialect.answers
        writer = dialect.writer
        sendTimes = SendTimes(capacity: outstanding)
        socket = try connect(host: host, port: port)
    }

    deinit {
        close(socket)
    }

    /// How many bids have no answer yet.
    var outstanding: Int { sendTimes.count }

    /// Records how long each bid without an answer has waited by now.
    func recordAges(at now: Int64, in ages: inout Histogram) {
        sendTimes.recordAges(at: now, in: &ages)
    }

    /// Whether each bid has its answer, and where prices are told, the last of them its price.
    var hasHeardAll: Bool {
        outstanding == 0 && (answers.price == 0 || answers.price >= writer.amount - 1)
    }

    /// The newest price heard; 0 before the first.
    var price: Int64 { answers.price }

    /// The seconds of the countdown, as the greeting says; nil where there is none, or not yet.
    var countdownSeconds: Int? {
        let line = greeting.prefix { $0 != UInt8(ascii: "\n") }
        guard
            case .hello(let seconds, _, _) = ServerMessage(
                text: String(decoding: line, as: UTF8.self))
        else { return nil }
        return seconds
    }

    /// Whether the kernel has not taken everything yet.
    var isBlocked: Bool { !outbox.isEmpty }

    /// The prices it was told since it came in; nil where bidders are told none.
    var news: PriceNews? { answers.news }

    /// Sends so many bids in one write, each higher than the one before and than the price.
    ///
    /// They count as sent at a given time, in monotonic nanoseconds.
    ///
    /// - Throws: `Failure.lost`.
    func bid(_ count: Int, at time: Int64 = monotonicNanoseconds()) throws(Failure) {
        guard count > 0 else { return }
        queueBid(count, at: time)
        try flush()
    }

    /// Makes so many bids part of the next `flush`.
    func queueBid(_ count: Int = 1, at time: Int64) {
        writer.outbid(answers.price)
        writer.append(count, to: &outbox)
        sendTimes.append(count, at: time)
    }

    /// Makes a bid part of the next `flush` that is too low as soon as there is a price.
    func queueLowBid(at time: Int64) {
        outbox += Self.lowBid
        sendTimes.append(1, at: time)
    }

    /// Sends what the kernel takes now of what is left.
    ///
    /// - Throws: `Failure.lost`.
    func flush() throws(Failure) {
        guard !outbox.isEmpty else { return }
        let sent = uninterrupted {
            outbox.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, 0) }
        }
        guard sent != -1 || errno == EAGAIN else { throw .lost }
        if sent == outbox.count {
            outbox.removeAll(keepingCapacity: true)
        } else if sent > 0 {
            outbox.removeFirst(sent)
        }
    }

    /// Reads once, and counts the answers.
    ///
    /// - Throws: `Failure.lost`.
    func hear(into buffer: inout [UInt8], _ tally: inout Tally) throws(Failure) -> Reading {
        let byteCount = try read(into: &buffer)
        let now = monotonicNanoseconds()
        let before = sendTimes.count
        answers.receive(buffer.span.extracting(first: byteCount)) { answer in
            if let sent = sendTimes.takeOldest() { tally.count(answer, after: now - sent) }
        }
        while pongs < answers.pings {
            outbox += dialect.pong
            pongs += 1
        }
        try flush()
        return Reading(byteCount: byteCount, time: now, answers: before - sendTimes.count)
    }

    /// Reads once, and returns how many bytes; 0 when nothing has arrived.
    func read(into buffer: inout [UInt8]) throws(Failure) -> Int {
        let count = uninterrupted {
            buffer.withUnsafeMutableBytes { recv(socket, $0.baseAddress, $0.count, 0) }
        }
        if count == -1 && errno == EAGAIN { return 0 }
        guard count > 0 else { throw .lost }
        return count
    }
}
