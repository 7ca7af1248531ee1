import AuctionRules
import Wire

/// What the server says about a message: its number, its time, and whether it only repeats.
package struct NewsStamp: Equatable, Sendable {
    /// The number of the event; nil if it is unknown.
    package var number: Int?
    /// Whether a snapshot repeats the message, so that it is no new event.
    package var isSnapshot: Bool
    /// When it was sent, since 1970 by the server's clock; nil if that is unknown.
    package var time: Duration?

    package init(number: Int? = nil, isSnapshot: Bool = false, time: Duration? = nil) {
        (self.number, self.isSnapshot, self.time) = (number, isSnapshot, time)
    }

    /// The stamp of a line of JSON; reads the time only of lines that are placed by it.
    init(_ stamped: StampedMessage) {
        number = stamped.number
        isSnapshot = stamped.isSnapshot
        switch stamped.message {
        case .joined, .lot: time = stamped.millisecondsSince1970.map { .milliseconds($0) }
        default: time = nil
        }
    }
}

/// The newest events of the sale as sentences, in bounded memory; bids are in the laps instead.
public struct NewsLog: Equatable, Sendable {
    /// The maximum number of stored events.
    package static let maximumEntries = 200

    /// An event as a sentence.
    public struct Entry: Equatable, Sendable {
        /// The subject of an event, for its colour and sign.
        public enum Subject: Equatable, Sendable {
            /// A lot opened.
            case opening
            /// A lot was sold or passed, or the sale is over.
            case ending
            /// An action of the auctioneer.
            case auctioneer
            /// A bidder joined or left.
            case bidders
            /// The connection was lost or made again, or missed news.
            case connection
        }

        /// The subject.
        public let subject: Subject
        /// The event in plain words; may have text of others.
        public let text: String
        /// The time since the lot opened; nil between lots.
        public let elapsed: Duration?
    }

    /// The newest events, oldest first.
    public private(set) var entries: [Entry] = []
    /// The bidder who was kicked, whose leaving is no event of its own.
    private var kicked: Bidder?
    /// Whether the newest event is the fall of the hammer.
    private(set) var endsWithHammer = false

    /// Makes an empty log.
    public init() {}

    /// Adds the event of a message, if it is one for the log.
    mutating func receive(_ message: ServerMessage, elapsed: Duration?) {
        if case .left(let bidder) = message, bidder == kicked {
            kicked = nil
            return
        }
        if case .kicked(let bidder, _) = message { kicked = bidder }
        guard let subject = message.subject, let text = message.sentence else { return }
        endsWithHammer = message == .hammered
        add(subject, text, elapsed: elapsed)
    }

    /// Adds an event, and drops the oldest if there are too many.
    mutating func add(_ subject: Entry.Subject, _ text: String, elapsed: Duration?) {
        if entries.count == Self.maximumEntries { entries.removeFirst() }
        entries.append(Entry(subject: subject, text: text, elapsed: elapsed))
    }
}

extension ServerMessage {
    /// The subject of the message as an event of the log; nil if the log does not have it.
    fileprivate var subject: NewsLog.Entry.Subject? {
        switch self {
        case .lot: .opening
        case .winner, .passed, .over: .ending
        case .paused, .resumed, .hammered, .voided, .kicked, .stopped: .auctioneer
        case .joined, .left: .bidders
        case .skipped: .connection
        case .hello, .price, .countdown, .last, .going, .next, .bye, .lap, .result, .who, .help,
            .ok, .error:
            nil
        }
    }
}
