/// How a server is spoken to, so that different servers get the very same load.
///
/// Each has one bidder whose every bid is told to all observers: a payload of `payloadBytes`, as
/// long as a usual `PRICE` line.
public struct Dialect: Sendable {
    /// All of them; the first is the auction's own.
    public static let all: [Dialect] = [.auction, .floor, .redis, .redisScript, .nats, .mqtt]
    /// The length of a payload, with its LF.
    static let payloadBytes = 33

    /// The name of the dialect.
    public let name: String
    /// How an observer comes in.
    public let observer: Entrance
    /// How a bidder comes in; nil where it takes a name of its own.
    public let bidder: Entrance?
    /// What writes the bids.
    public let writer: BidWriter
    /// What finds the answers in what a bidder hears.
    public let answers: any AnswerReader
    /// What finds the bids in what an observer hears.
    public let deliveries: DeliveryReader
    /// What is said when the server asks whether somebody is there.
    public let pong: [UInt8]

    init(
        _ name: String, observer: Entrance, bidder: Entrance?, writer: BidWriter,
        answers: any AnswerReader, deliveries: DeliveryReader, pong: String = ""
    ) {
        self.name = name
        self.observer = observer
        self.bidder = bidder
        self.writer = writer
        self.answers = answers
        self.deliveries = deliveries
        self.pong = Array(pong.utf8)
    }
}

/// What somebody says who comes in, and by what they know that they are in.
public struct Entrance: Sendable {
    /// What is said at once.
    public let words: [UInt8]
    /// How what the server says to that ends.
    private let reply: [UInt8]

    init(words: [UInt8], reply: [UInt8]) {
        self.words = words
        self.reply = reply
    }

    init(words: String = "", reply: String) {
        self.init(words: Array(words.utf8), reply: Array(reply.utf8))
    }

    /// The index behind the reply, in all that was heard so far; nil while it is not there.
    ///
    /// O(heard).
    public func end(in heard: [UInt8]) -> Int? {
        guard heard.count >= reply.count else { return nil }
        let starts = 0...(heard.count - reply.count)
        return starts.first { heard[$0...].starts(with: reply) }.map { $0 + reply.count }
    }
}

/// Finds the answers in what a bidder hears, however it is split.
public protocol AnswerReader: Sendable {
    /// Reads bytes, and calls `body` with each answer that they complete, in order.
    mutating func receive(_ bytes: Span<UInt8>, _ body: (Answer) -> Void)

    /// The newest price that was told; 0 where none is.
    var price: Int64 { get }
    /// How often the server has asked whether the bidder is there.
    var pings: Int { get }
    /// The prices that were told since `countNews`; nil where none are.
    var news: PriceNews? { get }

    /// Starts to count `news` anew.
    mutating func countNews()
}

extension AnswerReader {
    /// 0, as for a server that tells bidders no price.
    public var price: Int64 { 0 }
    /// 0, as for a server that does not ask.
    public var pings: Int { 0 }
    /// Nil, as for a server that tells bidders no price.
    public var news: PriceNews? { nil }

    /// Does nothing.
    public mutating func countNews() {}
}
