/// The rooms of a server as they are recovered from the lines of its log.
///
/// It begins empty, or with the state at the beginning of a segment. A line that no server can have
/// written at that place is refused, so nothing is recovered from a forged or reordered log. Each
/// line is read once, and the memory is about that of the rooms.
public struct ServerReplay {
    /// A room beside the main one, as it was opened and as its sale is now.
    public struct Room {
        /// The name.
        public let name: RoomName
        /// What proves its auctioneer.
        public let key: Token
        /// What was chosen when it was opened, resolved.
        public let options: RoomOptions
        /// The sale after the last line of the room that was read.
        public let sale: Sale
    }

    /// The number of the last public event of the log; the numbers count the events of all rooms.
    public private(set) var eventNumber = 0

    /// The rooms that have ended, in the order of their ends, if the history is kept.
    ///
    /// A name can occur repeatedly.
    public private(set) var ended: [Room] = []

    /// The live rooms; the main room has the first place.
    private var live: [LiveRoom]
    /// The place of each live room.
    private var places: [RoomName: Int] = [.main: 0]
    /// The place of the room to which the next line belongs.
    private var logged = 0
    /// The number of rooms opened so far, by which they are ordered.
    private var openings = 0
    private var owners = NameOwners()
    private var state = ServerStateProgress()
    private let keepsHistory: Bool

    /// A live room; the main room was not opened.
    private struct LiveRoom {
        let name: RoomName
        var opening: Opening?
        var replay: SaleReplay

        var room: Room? {
            opening.map {
                Room(name: name, key: $0.key, options: $0.options, sale: replay.sale)
            }
        }
    }

    /// How a room was opened, and its number in the order of opening.
    private struct Opening {
        let number: Int
        let key: Token
        let options: RoomOptions
    }

    /// Begins before the first line.
    ///
    /// `keepsHistory` is whether all results are kept, and the rooms that have ended, which makes the
    /// memory grow with the log. Otherwise each room keeps as many results as a server does.
    public init(keepsHistory: Bool = false) {
        self.keepsHistory = keepsHistory
        live = [LiveRoom(name: .main, replay: SaleReplay(keepsHistory: keepsHistory))]
    }

    /// Continues after the lines of a log that has the main room alone.
    package init(continuing main: SaleReplay) {
        self.init()
        live[0].replay = main
        eventNumber = main.sale.eventNumber
        main.sale.names.forEach { _ = owners.add($0) }
    }

    /// The sale of the main room.
    public var main: Sale { live[0].replay.sale }

    /// The number of live rooms beside the main one.
    public var roomCount: Int { live.count - 1 }

    /// The live rooms beside the main one, in the order of their opening; O(n log n).
    public var rooms: [Room] {
        live.sorted { $0.opening?.number ?? 0 < $1.opening?.number ?? 0 }.compactMap(\.room)
    }

    /// The room to which the next entry of the log belongs.
    public var loggedRoom: RoomName { live[logged].name }

    /// Begins a segment with its first event number and the number of its state lines.
    ///
    /// Returns false if no segment can begin so. If the segment before was read, the state must
    /// agree with its end, room by room.
    public mutating func beginSegment(first: Int, state lines: Int) -> Bool {
        guard !state.isIncomplete, (first == 1) == (lines == 0) else { return false }
        guard lines > 0 else {
            self = ServerReplay(keepsHistory: keepsHistory)
            return true
        }
        let continues = main.hasLot
        guard !continues || first == eventNumber + 1 else { return false }
        state = ServerStateProgress(lines: lines, news: first - 1, continues: continues)
        (eventNumber, logged) = (first - 1, 0)
        return true
    }

    /// Reads one line; false if it cannot follow the lines before it.
    ///
    /// `number` is that of the event in the log, or for a line of a state, that of the event which
    /// the line restates, counted in its room. It is nil for a note.
    public mutating func replay(_ record: Record, number: Int?) -> Bool {
        guard !state.isIncomplete else { return readState(record, number: number) }
        if case .event(let event) = record { return replay(event, number: number) }
        guard number == nil else { return false }
        switch record {
        case .room(let name):
            guard let place = places[name] else { return false }
            logged = place
            return true
        case .roomOpened(let name, let key, let options):
            guard main.hasLot, places[name] == nil, options.isPossible else { return false }
            open(name, key: key, options)
            return true
        case .roomEnded(let name): return end(name)
        case .event, .name, .present, .bid, .result, .tally, .roomState: return false
        }
    }

    // Events

    private mutating func replay(_ event: SaleEvent, number: Int?) -> Bool {
        if let number {
            guard number == eventNumber + 1 else { return false }
        }
        let bidder = event.bidderWhoseNameChanges
        let former = bidder.flatMap { live[logged].replay.sale.names[$0] }
        let ownNumber = number.map { _ in live[logged].replay.sale.eventNumber + 1 }
        guard live[logged].replay.replay(.event(event), number: ownNumber) else { return false }
        eventNumber = number ?? eventNumber
        if case .saleBegan(let serverID) = event { return serverID == main.serverID }
        let account = bidder.flatMap { live[logged].replay.sale.names[$0] }
        guard former?.token != account?.token else { return true }
        if let former { owners.remove(former) }
        return account.map { owners.add($0) } ?? true
    }

    // Rooms

    private mutating func open(_ name: RoomName, key: Token, _ options: RoomOptions) {
        openings += 1
        (logged, places[name]) = (live.count, live.count)
        live.append(
            LiveRoom(
                name: name, opening: Opening(number: openings, key: key, options: options),
                replay: SaleReplay(of: name, keepsHistory: keepsHistory)))
    }

    /// Ends a room that is not the main one, and in which nobody is present.
    private mutating func end(_ name: RoomName) -> Bool {
        guard let place = places[name], let room = live[place].room,
            room.sale.names.presentCount == 0
        else { return false }
        room.sale.names.forEach { owners.remove($0) }
        for bidder in room.sale.names.pending {
            if let account = room.sale.names[bidder] { owners.remove(account) }
        }
        if keepsHistory { ended.append(room) }
        let last = live.removeLast()
        if place < live.count {
            live[place] = last
            places[last.name] = place
        }
        (places[name], logged) = (nil, 0)
        return true
    }

    // The state at the beginning of a segment

    private mutating func readState(_ record: Record, number: Int?) -> Bool {
        // A log from before there were rooms has the state of the main room alone.
        if state.roomCount == 0, !record.isNoteOfRooms {
            guard beginState(of: .main, news: eventNumber, lines: state.linesLeft) else {
                return false
            }
        }
        let isOfRoom = state.roomLines > 0
        state.countLine()
        let isRead =
            isOfRoom
            ? live[logged].replay.replay(record, number: number)
            : number == nil && readStateNote(record)
        return isRead && (state.isIncomplete || completeState())
    }

    /// Reads a line between the states of two rooms.
    private mutating func readStateNote(_ record: Record) -> Bool {
        switch record {
        case .roomOpened(let name, let key, let options):
            guard state.opened == nil, state.roomCount > 0, name != .main, options.isPossible
            else { return false }
            if state.continues {
                guard let opening = places[name].flatMap({ live[$0].opening }),
                    opening.key == key, opening.options == options
                else { return false }
            } else {
                guard places[name] == nil else { return false }
                open(name, key: key, options)
            }
            state.opened = name
            return true
        case .roomState(let name, let news, let lines):
            // The main room comes first, every other one after the line that says how it was opened.
            return (name == .main) == (state.roomCount == 0) && state.opened ?? .main == name
                && beginState(of: name, news: news, lines: lines)
        case .room, .roomEnded, .event, .name, .present, .bid, .result, .tally: return false
        }
    }

    private mutating func beginState(of name: RoomName, news: Int, lines: Int) -> Bool {
        guard let place = places[name], state.begin(name, news: news, lines: lines),
            !state.continues || live[place].replay.sale.eventNumber == news
        else { return false }
        logged = place
        return live[place].replay.beginSegment(first: news + 1, state: lines)
    }

    /// Checks what all rooms have in common, after the state of each was read.
    private mutating func completeState() -> Bool {
        guard state.opened == nil, state.roomLines == 0, state.roomCount == live.count else {
            return false
        }
        logged = 0
        owners = NameOwners()
        var isConsistent = true
        for room in live {
            room.replay.sale.names.forEach {
                isConsistent = owners.add($0) && isConsistent
            }
            isConsistent = room.replay.sale.serverID == main.serverID && isConsistent
        }
        return isConsistent
    }
}

extension Record {
    /// Whether it belongs to no sale.
    fileprivate var isNoteOfRooms: Bool {
        switch self {
        case .room, .roomOpened, .roomEnded, .roomState: true
        case .event, .name, .present, .bid, .result, .tally: false
        }
    }
}

extension RoomOptions {
    /// Whether a server can have opened a room with these options.
    fileprivate var isPossible: Bool {
        isResolved && (try? rules(Rules(seconds: 7))) != nil
    }
}

extension SaleEvent {
    /// The bidder whose name is owned or free after the event, but was not before.
    fileprivate var bidderWhoseNameChanges: Bidder? {
        switch self {
        case .nameTaken(let bidder, _), .nameFreed(let bidder), .bidderLeft(let bidder): bidder
        default: nil
        }
    }
}

/// How much was read of the state of all rooms with which a segment begins.
struct ServerStateProgress {
    /// Whether the state must agree with the end of the segment before, which was read.
    let continues: Bool
    /// The lines of the room whose state is read.
    private(set) var roomLines = 0
    /// The room that was opened in the line before, whose state must follow.
    var opened: RoomName?
    private(set) var linesLeft: Int
    /// The most news that the rooms whose state was not read yet can have had.
    private var newsLeft: Int
    private var rooms: Set<RoomName> = []

    /// Begins a state of `lines` lines, before which the log has `news` public events.
    init(lines: Int = 0, news: Int = 0, continues: Bool = false) {
        (linesLeft, newsLeft, self.continues) = (lines, news, continues)
    }

    var isIncomplete: Bool { linesLeft > 0 }

    /// The number of rooms whose state was begun.
    var roomCount: Int { rooms.count }

    mutating func countLine() {
        linesLeft -= 1
        roomLines = max(roomLines - 1, 0)
    }

    /// Begins the state of a room; false if it was begun before, or the numbers are impossible.
    mutating func begin(_ room: RoomName, news: Int, lines: Int) -> Bool {
        guard news > 0, news <= newsLeft, lines > 0, lines <= linesLeft,
            rooms.insert(room).inserted
        else { return false }
        newsLeft -= news
        (roomLines, opened) = (lines, nil)
        return true
    }
}
