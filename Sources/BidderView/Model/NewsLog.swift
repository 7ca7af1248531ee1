import AuctionRules
import Wire

/// What the server says about a message: its number, its time, whether it is a repetition.
package struct NewsStamp: Equatable, Sendable {
    /// The number of the event; nil if it is unknown.
    package var number: Int?
    /// Whether a snapshot repeats the message, so that it is no new event.
    package var isSnapshot: Bool
    /// When it was sent, since 1970 by the server's clock; nil if that is unknown.
    package var time: Duration?
    /// Whether it was missed, and is sent again after a reconnect.
    package var isReplay = false

    package init(number: Int? = nil, isSnapshot: Bool = false, time: Duration? = nil) {
        (self.number, self.isSnapshot, self.time) = (number, isSnapshot, time)
    }

    /// The stamp of a line of JSON; reads the time only of lines that are placed by it.
    init(_ stamped: StampedMessage) {
        number = stamped.number
        isSnapshot = stamped.isSnapshot
        switch stamped.message {
        case .price, .countdown: time = nil
        default: time = stamped.millisecondsSince1970.map { .milliseconds($0) }
        }
    }
}

/// The numbers of the news of one room, so that none is used twice.
package struct NewsSequence: Equatable, Sendable {
    /// The number of the newest event; nil before the first one.
    package private(set) var newest: Int?
    /// Whether missed news was requested, and its end has not arrived.
    package private(set) var isResuming = false

    package init() {}

    /// Whether to use a message; a snapshot never counts as used before.
    ///
    /// While missed news is requested, only the next number is used: the server sends any higher
    /// one again, after what comes before it.
    package mutating func accept(_ stamp: NewsStamp) -> Bool {
        guard let number = stamp.number else { return true }
        let known = newest ?? 0
        if stamp.isSnapshot {
            if !isResuming { newest = max(known, number) }
            return !isResuming
        }
        guard isResuming ? number == known + 1 : number > known else { return false }
        newest = number
        return true
    }

    /// Begins to receive the missed news.
    package mutating func beginResuming() {
        isResuming = true
    }

    /// Ends after the missed news.
    package mutating func endResuming() {
        isResuming = false
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
            /// Something became known about the lot: that the reserve is met, the common value.
            case disclosure
            /// An action of the auctioneer.
            case auctioneer
            /// A message of a bidder to all.
            case chat
            /// A bidder joined or left.
            case bidders
            /// The connection was lost or made again, or missed news.
            case connection
            /// The user opened the room.
            case room
        }

        /// The subject.
        public let subject: Subject
        /// The event in plain words; it may contain text of other users.
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
    ///
    /// Returns false if a kicked bidder leaves, which is no event of its own.
    mutating func receive(_ message: ServerMessage, elapsed: Duration?) -> Bool {
        if case .left(let bidder) = message, bidder == kicked {
            kicked = nil
            return false
        }
        if case .kicked(let bidder, _) = message { kicked = bidder }
        guard let subject = message.subject, let text = message.sentence else { return true }
        endsWithHammer = message == .hammered
        add(subject, text, elapsed: elapsed)
        return true
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
        case .winner, .passed, .over, .champion: .ending
        case .reserveMet, .value: .disclosure
        case .said: .chat
        case .paused, .resumed, .hammered, .voided, .kicked, .stopped: .auctioneer
        case .joined, .left: .bidders
        case .skipped: .connection
        case .hello, .terms, .ask, .sealed, .revealed, .price, .countdown, .last, .going, .next,
            .purse, .worth, .maximum, .ownBid, .bye, .lap, .result, .who, .standing, .room, .help,
            .ok,
            .error:
            nil
        }
    }
}

extension ServerMessage {
    /// Whether the picture of the lot shows it better than a sentence would.
    var isPartOfPicture: Bool {
        switch self {
        case .terms, .ask, .sealed, .revealed: true
        default: false
        }
    }

    /// Whether it names a champion.
    var isChampion: Bool { if case .champion = self { true } else { false } }
}
