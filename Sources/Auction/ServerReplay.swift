import Basics

/// The rooms of a server as they are recovered from the lines of its journal.
///
/// It begins empty, or with the state at the beginning of a segment. A line that was written was
/// decided before, so it is applied and not judged; only one that cannot be applied is refused.
/// Each line is read once, and the memory is about that of the rooms.
public struct ServerReplay {
    /// A room beside the main one, as it was opened and as its sale is now.
    public struct Room {
        /// The name.
        public let name: RoomName
        /// The hash of the key that proves its auctioneer.
        public let keyHash: TokenHash
        /// What was chosen when it was opened, resolved.
        public let options: RoomOptions
        /// The sale after the last line of the room that was read.
        public let sale: Sale
    }

    /// The number of the last public event of the journal, counted over all rooms.
    public private(set) var eventNumber = 0

    /// The rooms that have ended, in the order of their ends, if the history is kept.
    ///
    /// A name can occur repeatedly.
    public private(set) var ended: [Room] = []

    /// The live rooms in the order of their opening, the main room first.
    private var live: [LiveRoom]
    /// The place of each live room.
    private var places: [RoomName: Int] = [.main: 0]
    /// The place of the room to which the next line belongs.
    private var logged = 0
    /// The lines of the state that were not read yet.
    private var stateLines = 0
    /// The number of news of the room whose state is being read.
    private var news = 0
    /// The results of the live rooms in earlier segments, while a state is read.
    private var earlierResults: [RoomName: [LotResult]] = [:]
    private let keepsHistory: Bool

    /// A live room; the main room was not opened.
    private struct LiveRoom {
        let name: RoomName
        let opening: (keyHash: TokenHash, options: RoomOptions)?
        var sale: Sale

        var room: Room? {
            opening.map { Room(name: name, keyHash: $0.keyHash, options: $0.options, sale: sale) }
        }
    }

    /// Begins before the first line.
    ///
    /// `keepsHistory` is whether all results are kept, and the rooms that have ended, which makes
    /// the memory grow with the journal. Otherwise each room keeps as many results as a server
    /// does.
    public init(keepsHistory: Bool = false) {
        self.keepsHistory = keepsHistory
        live = []
        open(.main, opening: nil)
    }

    /// The sale of the main room.
    public var main: Sale { live[0].sale }

    /// The number of live rooms beside the main one.
    public var roomCount: Int { live.count - 1 }

    /// The live rooms beside the main one, in the order of their opening; O(n).
    public var rooms: [Room] { live.compactMap(\.room) }

    /// The room to which the next entry of the journal belongs.
    public var loggedRoom: RoomName { live[logged].name }

    /// Begins a segment with its first event number and the number of its state lines.
    ///
    /// The state replaces what was recovered from the segments before, except the history.
    public mutating func beginSegment(first: Int, state lines: Int) {
        if keepsHistory {
            for room in live { earlierResults[room.name] = room.sale.results }
        }
        live = []
        places = [:]
        open(.main, opening: nil)
        (eventNumber, news, stateLines) = (first - 1, first - 1, lines)
    }

    /// Reads one line; false if it cannot be applied after the lines before it.
    ///
    /// `number` is that of the event in the journal, or for a line of a state, that of the event
    /// which the line restates, counted in its room. It is nil for a note.
    public mutating func replay(_ record: Record, number: Int?) -> Bool {
        guard stateLines > 0 else { return add(record, number: number) }
        stateLines -= 1
        guard restore(record, number: number) else { return false }
        if stateLines == 0 { endState() }
        return true
    }

    private mutating func add(_ record: Record, number: Int?) -> Bool {
        guard record.isNews == (number != nil) else { return false }
        switch record {
        case .event(let event):
            guard live[logged].sale.canApply(event) else { return false }
            live[logged].sale.apply(event, at: Sale.restoring)
            eventNumber = number ?? eventNumber
        case .room(let name):
            guard let place = places[name] else { return false }
            logged = place
        case .roomOpened(let name, let keyHash, let options):
            guard places[name] == nil else { return false }
            open(name, opening: (keyHash, options))
        case .roomEnded(let name):
            guard let place = places[name], place > 0 else { return false }
            end(place)
        case .name, .present, .bid, .result, .tally, .award, .roomState: return false
        }
        return true
    }

    /// Reads a line of the state: after the line of each room come those of its sale.
    private mutating func restore(_ record: Record, number: Int?) -> Bool {
        switch record {
        case .roomOpened:
            live[logged].sale.endState(news: news)
            news = 0
            return add(record, number: nil)
        case .roomState(let name, let news, _):
            guard let place = places[name] else { return false }
            live[logged].sale.endState(news: self.news)
            (logged, self.news) = (place, news)
            return true
        case .room, .roomEnded: return false
        case .event, .name, .present, .bid, .result, .tally, .award:
            return live[logged].sale.restore(record, number: number)
        }
    }

    private mutating func endState() {
        live[logged].sale.endState(news: news)
        for place in live.indices {
            live[place].sale.add(earlierResults: earlierResults[live[place].name] ?? [])
        }
        (logged, earlierResults) = (0, [:])
    }

    private mutating func open(
        _ name: RoomName, opening: (keyHash: TokenHash, options: RoomOptions)?
    ) {
        (logged, places[name]) = (live.count, live.count)
        // The rules do not affect what is recovered; the server has its own.
        let sale = Sale(rules: Rules(seconds: 7), in: name, keepsHistory: keepsHistory)
        live.append(LiveRoom(name: name, opening: opening, sale: sale))
    }

    private mutating func end(_ place: Int) {
        let former = live.remove(at: place)
        if keepsHistory, let room = former.room { ended.append(room) }
        (places[former.name], logged) = (nil, 0)
        for place in place..<live.count { places[live[place].name] = place }
    }
}

/// A line of the journal: an event of a sale, an entry of a state, or a note of rooms.
///
/// A state is at the beginning of a segment. It has the events that still hold, and entries that
/// are no events, in the order of `Sale.state`. A note of rooms belongs to no sale; it says to
/// which room the next lines belong.
public enum Record: Equatable, Sendable {
    /// An event; in a state it is restated, under its number if it still holds.
    case event(SaleEvent)
    /// A name under which a bid was accepted, or that is kept until the lot has ended.
    ///
    /// `used` is when its owner left, in milliseconds since 1970; nil if the owner is present.
    case name(Bidder, TokenHash, used: Int64?, hasBid: Bool = true)
    /// The owner of the name is present.
    case present(Bidder)
    /// A bid on the newest lot.
    case bid(Bid)
    /// How an earlier lot ended.
    case result(LotResult)
    /// What a bidder has won so far.
    case tally(Tally)
    /// An award that the sale gives if no later lot beats it.
    indirect case award(Award)
    /// The next lines belong to this room.
    case room(RoomName)
    /// A room was opened, with the hash of its auctioneer's key and its resolved options; the next
    /// lines belong to it.
    indirect case roomOpened(RoomName, keyHash: TokenHash, RoomOptions)
    /// A room has ended, and its names are gone from it; the next lines belong to the main room.
    case roomEnded(RoomName)
    /// The room has had this number of news, and the next `lines` lines are its state.
    case roomState(RoomName, news: Int, lines: Int)

    /// Whether it is an event for everybody, which has a number.
    fileprivate var isNews: Bool {
        if case .event(let event) = self { event.audience == .everyone } else { false }
    }
}
