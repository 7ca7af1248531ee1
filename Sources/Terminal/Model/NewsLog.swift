import Auction
import Bidder
import Wire

/// The newest events of the sale as sentences, in bounded memory; bids are in the laps instead.
package struct NewsLog: Equatable, Sendable {
    /// The maximum number of stored events.
    package static let maximumEntries = 200

    /// An event as a sentence.
    package struct Entry: Equatable, Sendable {
        /// The subject of an event, for its colour and sign.
        package enum Subject: Equatable, Sendable {
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
            /// A bidder joined.
            case arrival
            /// A bidder left.
            case departure
            /// News was missed, or something about the room is bad news.
            case loss
            /// The connection was lost, and is not made again yet.
            case disconnection
            /// The connection was made again.
            case reconnection
            /// The user opened the room.
            case room
        }

        /// The subject.
        package let subject: Subject
        /// The event in plain words; it may contain text of other users.
        package let text: String
        /// The time since the lot opened; nil between lots.
        package let elapsed: Duration?
        /// The bidder whose face the event shows; nil if it is about nobody.
        package internal(set) var bidder: Bidder?
    }

    /// The newest events, oldest first.
    package private(set) var entries: [Entry] = []
    /// The newest news as a sentence, which may be a bid.
    package private(set) var ticker = ""
    /// The bidder who was kicked, whose leaving is no event of its own.
    private var kicked: Bidder?
    /// Whether the newest event is the fall of the hammer.
    private var endsWithHammer = false

    /// Makes an empty log.
    package init() {}

    /// Adds the event of a message, if it is one for the log, and shows it as the newest news.
    ///
    /// A bidder who leaves because of a kick, and the winner by the hammer, do not hide the reason.
    /// A bidder who left and is back, as after a restart of the server, is no event.
    mutating func receive(_ message: ServerMessage, elapsed: Duration?, user: Bidder?) {
        if case .bidderLeft(let bidder) = message.event, bidder == kicked { return kicked = nil }
        if case .bidderKicked(let bidder, _) = message.event { kicked = bidder }
        if case .bidderJoined(let bidder, _) = message.event, forgetDeparture(of: bidder) {
            return ticker = "\(bidder) is back"
        }
        guard let sentence = message.sentence(to: user) else { return }
        let isHammered = endsWithHammer
        if let news = message.news {
            endsWithHammer = message.event == .hammered
            add(news.subject, sentence, elapsed: elapsed)
            entries[entries.count - 1].bidder = news.bidder
        }
        guard !message.isPartOfPicture else { return }
        if case .lotSold = message.event, isHammered {
            ticker = "by the hammer, \(sentence)"
        } else {
            ticker = sentence
        }
    }

    /// Removes that a bidder left, if since then others only came and went.
    private mutating func forgetDeparture(of bidder: Bidder) -> Bool {
        let newest = entries.reversed().prefix { $0.subject.isOfPresence }
        let isDeparture = { (entry: Entry) in entry.subject == .departure && entry.bidder == bidder
        }
        guard let place = newest.firstIndex(where: isDeparture) else { return false }
        entries.remove(at: entries.index(before: place.base))
        return true
    }

    /// Adds an event that the server does not report, and shows it as the newest news.
    mutating func tell(_ subject: Entry.Subject, _ text: String) {
        add(subject, text, elapsed: nil)
        ticker = text
    }

    /// Adds that the connection was lost, or is made again, in place of what was said about it.
    mutating func setConnection(isLost: Bool) {
        entries.removeAll { $0.subject == .disconnection || $0.subject == .reconnection }
        add(
            isLost ? .disconnection : .reconnection,
            isLost ? "connection lost, reconnecting" : "connected again", elapsed: nil)
    }

    /// Adds an event, and drops the oldest if there are too many.
    mutating func add(_ subject: Entry.Subject, _ text: String, elapsed: Duration?) {
        if entries.count == Self.maximumEntries { entries.removeFirst() }
        entries.append(Entry(subject: subject, text: text, elapsed: elapsed))
    }
}

extension NewsLog.Entry.Subject {
    /// Whether it is about who is connected.
    fileprivate var isOfPresence: Bool {
        switch self {
        case .arrival, .departure, .loss, .disconnection, .reconnection: true
        case .opening, .ending, .disclosure, .auctioneer, .chat, .room: false
        }
    }
}

extension ServerMessage {
    /// The subject of the message as an event of the log, and the bidder whose face it shows.
    ///
    /// Nil if the log does not have it.
    fileprivate var news: (subject: NewsLog.Entry.Subject, bidder: Bidder?)? {
        if case .skipped = self { return (.loss, nil) }
        switch event {
        case .lotOpened, .rematchBegan: return (.opening, nil)
        case .lotSold(let sold): return (.ending, sold.bidder)
        case .championNamed(let bidder, _): return (.ending, bidder)
        case .lotPassed, .ended, .awardGiven: return (.ending, nil)
        case .reserveMet, .valueRevealed: return (.disclosure, nil)
        case .messageSaid(let bidder, _): return (.chat, bidder)
        case .reacted, .displayNameSet: return (.chat, nil)
        case .bidderKicked(let bidder, _): return (.auctioneer, bidder)
        case .paused, .resumed, .hammered, .bidVoided, .stopped: return (.auctioneer, nil)
        case .bidderJoined(let bidder, _): return (.arrival, bidder)
        case .bidderLeft(let bidder): return (.departure, bidder)
        default: return nil
        }
    }

    /// Whether the picture of the lot shows it better than a sentence would.
    fileprivate var isPartOfPicture: Bool {
        switch event {
        case .termsAnnounced, .askFell, .bidsSealed, .bidRevealed: true
        default: false
        }
    }
}

/// The clock by which the news of a lot is timed: the server's, where it says the time.
struct NewsClock: Equatable, Sendable {
    /// When the lot opened by the server's clock; nil if that is unknown.
    private var opening: Duration?
    /// Whether the news is about an open lot.
    private(set) var isInLot = false
    /// The time of the lot that missed news has reached, by its bids.
    ///
    /// No missed event that follows is earlier. Its own time may be early by a second.
    private var reached = Duration.zero

    /// Follows a message.
    mutating func follow(_ message: ServerMessage, _ stamp: NewsStamp) {
        switch message {
        case .event(.lotOpened, _):
            (opening, isInLot, reached) = (stamp.isSnapshot ? nil : stamp.time, true, .zero)
        case .state(let members):
            var state = LotState()
            state.merge(json: members)
            reached = state.elapsed ?? .zero
            opening = stamp.time.map { $0 - reached }
        case .event(.lotSold, _), .event(.lotPassed, _): isInLot = false
        case .event(.bidPlaced(let bid), _): reached = bid.elapsed
        default: break
        }
    }

    /// When an event happened, since the lot opened; `arrival` is when its line arrived.
    func elapsed(of stamp: NewsStamp, arrival: Duration) -> Duration {
        let earliest = stamp.isReplay ? reached : .zero
        guard let time = stamp.time, let opening else {
            return stamp.isReplay ? min(earliest, arrival) : arrival
        }
        return min(max(earliest, time - opening), arrival)
    }
}
