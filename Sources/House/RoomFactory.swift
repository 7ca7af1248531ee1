import Auction
import Basics
import Wire

/// Opens rooms: `main`, those that clients ask for, and those in the log after a restart.
struct RoomFactory {
    /// The options of every room that does not choose others.
    @Indirect private var defaults: Defaults
    @Indirect private var limits: Limits
    private let names: NameLimits
    private let makeToken: () -> Token

    /// The rules of `main`, and the pause between its lots.
    private struct Defaults {
        let rules: Rules
        let pause: Duration
    }

    init(
        _ limits: Limits, _ names: NameLimits, rules: Rules, pause: Duration,
        makeToken: @escaping () -> Token
    ) {
        (self.limits, self.names, self.makeToken) = (limits, names, makeToken)
        defaults = Defaults(rules: rules, pause: pause)
    }

    /// Opens `main`, or continues it after a restart.
    func openMain(
        _ recovered: Sale?, _ catalogue: Catalogue, serverID: Identity, _ settings: GameSettings,
        in rooms: inout Rooms, at now: Instant, _ outputs: inout Outputs
    ) {
        let live = LiveSale(
            in: .main, .main, rules: defaults.rules, catalogue: catalogue,
            showsProfits: settings.showsProfits, resuming: recovered, at: now)
        start(Room(live), serverID: serverID, settings, in: &rooms, at: now, &outputs)
    }

    /// Continues a room after a restart.
    func reopen(
        _ room: ServerReplay.Room, in rooms: inout Rooms, at now: Instant,
        _ outputs: inout Outputs
    ) {
        let opening = Room.Opening(key: room.key, options: room.options, origin: nil)
        // The options were checked when the room was opened, against the flags of that time.
        let rules = (try? room.options.rules(defaults.rules)) ?? defaults.rules.plain
        let id = rooms.nextID
        open(room.name, rules, opening, resuming: room.sale, in: &rooms, at: now, &outputs)
        rooms.noteDeparture(from: id)
    }

    /// Whether a new room needs the place of another one.
    func isFull(_ rooms: borrowing Rooms) -> Bool { rooms.count >= limits.rooms }

    /// The error if no room can be opened from an address; nil if one can.
    ///
    /// The operator, who is at the Unix socket or has proved the token of the server, can open as
    /// many as there is place for, and one more.
    func fullError(
        from origin: PeerAddress, isOperator: Bool, in rooms: inout Rooms
    ) -> ErrorReply? {
        let most = limits.rooms + (isOperator ? 1 : 0)
        guard limits.rooms > 1, rooms.count < most || rooms.leftLongest != nil else {
            return .roomsFull
        }
        guard !isOperator, let most = limits.roomsPerAddress else { return nil }
        return rooms.isFull(origin, most: most) ? .addressRoomsFull : nil
    }

    /// The rules of a room with these options.
    ///
    /// - Throws: Why the options are not allowed.
    func rules(_ options: RoomOptions) throws(OptionProblem) -> Rules {
        try options.rules(defaults.rules)
    }

    /// Opens a room for a client at an address; returns the key of its auctioneer.
    func open(
        _ name: RoomName, _ rules: Rules, _ options: RoomOptions, from origin: PeerAddress,
        in rooms: inout Rooms, at now: Instant, _ outputs: inout Outputs
    ) -> Token {
        let key = makeToken()
        let opening = Room.Opening(
            key: key, options: options.resolved(with: rules, pause: defaults.pause),
            origin: origin)
        outputs.write(.roomOpened(name, key: key, opening.options), of: rooms.nextID)
        open(name, rules, opening, in: &rooms, at: now, &outputs)
        return key
    }

    /// Opens a room in the next slot.
    private func open(
        _ name: RoomName, _ rules: Rules, _ opening: Room.Opening, resuming recovered: Sale? = nil,
        in rooms: inout Rooms, at now: Instant, _ outputs: inout Outputs
    ) {
        let id = rooms.nextID
        outputs.perform(.openRoom(id, name))
        let live = LiveSale(
            in: id, name, rules: rules, catalogue: opening.options.catalogue,
            showsProfits: opening.options.showsProfits, resuming: recovered, at: now)
        guard let serverID = rooms[.main].live.sale.serverID else { return }
        start(
            Room(live, opening), serverID: serverID, GameSettings(opening.options), in: &rooms,
            at: now, &outputs)
        rooms[id].waitForPeople(at: now, limits.roomIdle)
    }

    private func start(
        _ room: Room, serverID: Identity, _ settings: GameSettings, in rooms: inout Rooms,
        at now: Instant, _ outputs: inout Outputs
    ) {
        names.releaseAll(in: &room.live, at: now, &outputs)
        room.start(serverID: serverID, settings, at: now, &outputs)
        // The start may have ended the lot, or left it without values.
        names.freeWaiting(in: &room.live, at: now, &outputs)
        rooms.add(room)
    }
}
