import Basics

/// A sale as it is recovered from the lines of its log.
///
/// It begins empty, or with the state at the beginning of a segment. A line that no server can have
/// written there is refused, so that a forged or reordered log recovers nothing.
public struct SaleReplay {
    /// The sale after the last line that was read.
    public private(set) var sale: Sale

    /// The tokens of the owned names, each used by one name.
    private var tokens: Set<String> = []
    /// The state that is being read.
    private var state: SaleState?
    /// The sale at the end of the segment before, while the state is read.
    private var before: Sale?
    private let room: RoomName
    private let keepsHistory: Bool

    /// The rules do not affect what is recovered; the server has its own.
    private static let rules = Rules(seconds: 7)

    /// The instant of every event, because a log has no monotonic time.
    private static let instant = Instant(nanoseconds: 0)

    /// Begins before the first event of a room.
    ///
    /// `keepsHistory` is whether all results are kept; otherwise as many as a server keeps.
    public init(of room: RoomName = .main, keepsHistory: Bool = false) {
        sale = Sale(rules: Self.rules, in: room, keepsHistory: keepsHistory)
        (self.room, self.keepsHistory) = (room, keepsHistory)
    }

    /// Begins a segment with its first event number and the number of its state lines.
    ///
    /// Returns false if no segment can begin so. If the segment before was read, the state must
    /// agree with its end.
    public mutating func beginSegment(first: Int, state lines: Int) -> Bool {
        guard state == nil, (first == 1) == (lines == 0) else { return false }
        guard lines > 0 else {
            self = SaleReplay(of: room, keepsHistory: keepsHistory)
            return true
        }
        state = SaleState(firstEvent: first, lines: lines)
        before = sale
        return true
    }

    /// Reads one line; false if it cannot follow the lines before it.
    ///
    /// `number` is that of the event, or of the event that the line restates; nil for a note.
    public mutating func replay(_ record: Record, number: Int?) -> Bool {
        guard state == nil else { return readState(record, number: number) }
        guard case .event(let event) = record, sale.admits(event),
            (event.audience == .everyone) == (number != nil),
            number ?? sale.eventNumber + 1 == sale.eventNumber + 1
        else { return false }
        guard noteTokens(of: event) else { return false }
        sale.apply(event, at: Self.instant)
        return true
    }

    private mutating func readState(_ record: Record, number: Int?) -> Bool {
        guard state?.read(record, number: number) == true else { return false }
        guard let complete = state, complete.isComplete else { return true }
        var recovered = Sale(
            complete, rules: Self.rules, in: room, keepsHistory: keepsHistory)
        tokens = []
        var areTokensUnique = true
        recovered.names.forEach { account in
            areTokensUnique = tokens.insert(account.token.description).inserted && areTokensUnique
        }
        guard areTokensUnique else { return false }
        if let before, before.hasLot {
            guard recovered.continues(before), recovered.takeEarlierResults(before.results) else {
                return false
            }
        }
        (sale, state, before) = (recovered, nil, nil)
        return true
    }

    /// Keeps the tokens up to date; false if the token of a new name belongs to another one.
    private mutating func noteTokens(of event: SaleEvent) -> Bool {
        switch event {
        case .nameTaken(let bidder, let token):
            if let former = sale.names[bidder] { tokens.remove(former.token.description) }
            return tokens.insert(token.description).inserted
        case .nameFreed(let bidder):
            if let account = sale.names[bidder] { tokens.remove(account.token.description) }
        case .bidderLeft(let bidder):
            if let account = sale.names[bidder], !sale.keepsName(of: bidder) {
                tokens.remove(account.token.description)
            }
        default: break
        }
        return true
    }
}

extension Sale {
    /// Whether a sale that begins with the state of a segment continues the segment before.
    ///
    /// The state may have fewer bids, and has no seconds if no lot is open.
    fileprivate func continues(_ before: Sale) -> Bool {
        let bids = min(auction.bids.count, before.auction.bids.count)
        return serverID == before.serverID && auction.lot == before.auction.lot
            && auction.bids.suffix(bids).elementsEqual(before.auction.bids.suffix(bids))
            && (bids > 0) == (before.auction.leading != nil) && numbers == before.numbers
            && (numbers.countdown == nil || secondsLeft == before.secondsLeft)
            && result?.outcome == before.result?.outcome && isOver == before.isOver
    }

    /// Adds results from an earlier segment; false if they contradict the state.
    fileprivate mutating func takeEarlierResults(_ earlier: [LotResult]) -> Bool {
        guard let first = results.first else {
            takeResults(earlier)
            return true
        }
        let repeated = earlier.drop { $0.lot.number < first.lot.number }
        guard results.starts(with: repeated) else { return false }
        takeResults(earlier.prefix { $0.lot.number < first.lot.number } + results)
        return true
    }
}

/// A line of the log: an event of a sale, an entry of a state, or a note of rooms.
///
/// A state is at the beginning of a segment. It has the events that still hold, and entries that are
/// no events, in the order of `Sale.state`. A note of rooms belongs to no sale; it says to which room
/// the next lines belong.
public enum Record: Equatable, Sendable {
    /// An event; in a state it is restated, under its number if it still holds.
    case event(SaleEvent)
    /// A name under which a bid was accepted, or that is kept until the lot has ended.
    ///
    /// `used` is when its owner left, in milliseconds since 1970; nil if the owner is present.
    case name(Bidder, Token, used: Int64?, hasBid: Bool = true)
    /// The owner of the name is present.
    case present(Bidder)
    /// A bid on the newest lot.
    case bid(Bid)
    /// How an earlier lot ended.
    case result(LotResult)
    /// What a bidder has won so far.
    case tally(Tally)
    /// The next lines belong to this room.
    case room(RoomName)
    /// A room was opened, with its auctioneer's key and its resolved options; the next lines belong
    /// to it.
    indirect case roomOpened(RoomName, key: Token, RoomOptions)
    /// A room has ended, and its names are gone from it; the next lines belong to the main room.
    case roomEnded(RoomName)
    /// The room has had this number of news, and the next `lines` lines are its state.
    case roomState(RoomName, news: Int, lines: Int)
}
