import Auction
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
        if case .bidPlaced? = stamped.message.event { return }
        if case .secondsLeft? = stamped.message.event { return }
        time = stamped.millisecondsSince1970.map { .milliseconds($0) }
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
