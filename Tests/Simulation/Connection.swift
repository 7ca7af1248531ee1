import Auction
import Basics
import House

/// A connection: the client's end, the bytes under way, and the server's end.
final class Connection {
    /// How far the server has come with a newcomer.
    enum Stage {
        /// Its PROXY header is incomplete: the number of missing bytes, and since when.
        case handshake(left: Int, since: Duration)
        /// It joined at this time.
        case joined(Duration)
        /// It was refused, or is unknown to the server.
        case none
    }

    /// With more bytes of replies than this that the client has not taken, it is not read from.
    private static let outputBytes = 1200

    private(set) var id: SessionID
    let client: Client
    private let world: World
    private var up: Pipe?
    private var down: Pipe?
    private var window: Int

    // The client's end
    /// The room into which the client's WebSocket leads; nil for `main`.
    var socketRoom: RoomName?
    /// Whether the client has closed it, and can send no more.
    private(set) var isHungUp = false
    /// What the client holds back; nil if it sends at once.
    private var heldBack: [UInt8]?
    /// The requests of the client, in order; how many the server has answered, and how many of
    /// the answers the client has received or given up.
    var commands: [Command] = []
    var answered = 0
    private var settled = 0
    private var sentCount = 0
    /// The lines whose first byte was sent, and which the client has not received.
    private var underWay: [SentLine] = []

    // The server's end
    /// The PROXY header with which it begins; nil if it is not a proxy's.
    let header: Header?
    /// What has arrived, and what waits to be sent.
    var input: ConnectionInput
    var output: ConnectionOutput
    /// Whether the end of the client's bytes has arrived, and was not read.
    var hasEnded = false
    private(set) var hasBroken = false
    var stage = Stage.none
    var isGreeted = false
    /// Whether there was no place for it.
    var isTurnedAway = false
    /// Whether it is not read from, because the client takes less than it asks for.
    private(set) var isPaused = false { didSet { noteMuting() } }
    private var wasPaused = false
    /// Whether its loop was commanded not to read from it.
    var isSilenced = false { didSet { noteMuting() } }
    /// Whether its loop has no room to read from it yet.
    var isHeld = false
    /// Since when it has been read from; nil while it is not.
    private var readSince: Duration? = .zero
    private(set) var isShut = false

    init(
        _ id: SessionID, _ client: Client, _ world: World, _ link: Link, _ header: Header?,
        marksEnds: Bool, seed: UInt64
    ) {
        (self.id, self.client, self.world) = (id, client, world)
        window = world.isQuiet ? Link.calm.window : link.window
        self.header = header
        input = ConnectionInput(headerCount: header?.bytes.count ?? 0, marksEnds: marksEnds)
        output = ConnectionOutput(world)
        up = Pipe(world, link, seed: seed) { [weak self] bytes in
            guard let self else { return }
            input.arrive(bytes, at: world.now)
            world.server?.wake(for: self)
        }
        down = Pipe(world, link, seed: ~seed) { [weak self] bytes in
            guard let self else { return }
            self.client.receive(bytes, on: self)
        }
    }

    // The client's end

    /// The address that the server sees: the proxy's for the connection of a proxy.
    var peer: PeerAddress { header == nil ? client.address : Header.proxy }

    func send(_ bytes: [UInt8]) {
        sentCount += bytes.count
        transmit(bytes)
    }

    /// Sends the rest of a line or of a message.
    func sendUnit(_ bytes: [UInt8]) {
        send(bytes)
        input.noteEnd(after: sentCount)
    }

    private func transmit(_ bytes: [UInt8]) {
        if heldBack == nil { up?.send(bytes) } else { heldBack? += bytes }
    }

    /// Holds back everything sent until `goOn`.
    func holdBack() {
        heldBack = heldBack ?? []
    }

    func goOn() {
        if let bytes = heldBack.take() { transmit(bytes) }
    }

    /// Holds nothing back, and takes everything at once.
    func behave() {
        goOn()
        window = Link.calm.window
    }

    /// Closes the client's end behind what was sent, or without what is held back.
    func hangUp() {
        isHungUp = true
        whenAllArrived { [world] in
            $0.hasEnded = true
            world.server?.wake(for: $0)
        }
    }

    func whenAllArrived(_ action: @escaping (Connection) -> Void) {
        up?.end { [weak self] in if let self { action(self) } }
    }

    /// Neither receives nor sends anything more.
    func cut() {
        up?.cut()
        down?.cut()
    }

    /// Breaks, as the server learns now.
    func breakDown() {
        cut()
        hasBroken = true
        world.server?.wake(for: self)
    }

    /// The line that the client receives next; nil if the server sent none.
    func nextLine() -> SentLine? {
        while case .telnet? = underWay.first?.kind { underWay.removeFirst() }
        return underWay.isEmpty ? nil : underWay.removeFirst()
    }

    /// The requests that wait for an answer.
    var pending: ArraySlice<Command> { commands[settled...] }

    /// Counts an entry of the list that the next answer ends, and returns the count.
    func noteListed() -> Int {
        commands[settled].listed += 1
        return commands[settled].listed
    }

    /// Counts a room of the list that the next answer ends.
    func noteListed(_ room: RoomName) {
        guard settled < commands.count else { return }
        _ = noteListed()
        commands[settled].rooms.insert(room)
    }

    /// Removes the next request that has an answer, or will have none; nil if none waits.
    func settleNext() -> Command? {
        guard settled < commands.count else { return nil }
        defer { settled += 1 }
        return commands[settled]
    }

    // Input

    /// Whether a poll at an instant finds something to read.
    func isFound(byPollAt instant: Duration) -> Bool {
        hasBroken || hasEnded || input.hasArrived(by: instant)
    }

    /// Whether there is something to read, and it is read from.
    var isReadable: Bool { (hasEnded || !input.arrived.isEmpty) && !isPaused && !isSilenced }

    /// Gives it to a loop before anything is read from it.
    func move(to loop: Int) {
        id = SessionID(id.handle, loop: loop)
    }

    func beginReading() {
        readSince = world.now
    }

    private func noteMuting() {
        let isMuted = isPaused || isSilenced
        if isMuted { readSince = nil } else if readSince == nil { readSince = world.now }
    }

    /// Whether it was paused, or is no longer, since the last call.
    func takePauseChange() -> Bool {
        defer { wasPaused = isPaused }
        return isPaused != wasPaused
    }

    /// Whether bytes that arrived before an instant, while it was read from, are not handled; a
    /// connection that broke loses its last bytes.
    func isUnhandled(before end: Duration) -> Bool {
        guard !hasBroken else { return false }
        return readSince.map { input.isUnhandled(from: $0, before: end) } ?? false
    }

    // Output

    /// Performs an effect on its connection.
    func perform(_ effect: Effect, at milliseconds: Int64) {
        output.perform(effect, at: milliseconds)
        if case .close = effect { flush() }
    }

    /// Sends as much as the client takes.
    func flush() {
        let space = window - (down?.inFlight ?? 0) - client.unreadCount(on: self)
        let taken = output.take(upTo: space) { underWay.append($0) }
        if !taken.isEmpty { down?.send(taken) }
        pauseOrGoOn()
        if output.isFinishing, output.isEmpty { shut() }
    }

    /// Stops reading when too many bytes of replies wait, until the client has taken them all.
    private func pauseOrGoOn() {
        let pending = output.replyBytes
        if pending > Self.outputBytes { isPaused = true }
        if pending == 0 { isPaused = false }
    }

    /// Closes the server's end: the client learns of it behind everything that was sent.
    func shut() {
        guard !isShut else { return }
        isShut = true
        down?.end { [weak self] in
            if let self { client.lose(self, "the server closed it") }
        }
    }
}
