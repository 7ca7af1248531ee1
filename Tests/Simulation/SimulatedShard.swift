import Auction
import Basics
import House
import Server
import Transport
import Wire

/// The connections of one simulated loop, in the place of a shard and the kernel.
///
/// Its turn is that of `Shard`: it reads, executes commands, and sends.
final class SimulatedShard: LoopConnections {
    let number: Int
    private let world: World
    private(set) var connections: [Connection] = []
    /// The connections that the actor has placed here and that were not adopted yet.
    private var newcomers: [(descriptor: Int32, connection: Connection)] = []
    private var adopted: [Handle: Connection] = [:]
    private var latest = LoopReport()
    private var rounds = ReadingRounds()
    /// The rooms of the news that is to be appended, in order.
    private var expected: [(news: News, room: RoomReferee)] = []
    private var silences: [(connection: Connection, isSilent: Bool)] = []
    private var asked: [(connection: Connection, number: Int)] = []
    private var isAhead = false
    private var isDrainAsked = false

    init(_ number: Int, _ world: World) {
        (self.number, self.world) = (number, world)
    }

    /// All connections of the loop, with those that it has not adopted yet.
    var all: [Connection] { newcomers.map(\.connection) + connections }

    /// The connection of a session that was adopted here.
    func connection(_ id: SessionID) -> Connection? { adopted[id.handle] }

    /// Whether another turn can do something without waiting.
    var isBusy: Bool {
        !latest.events.isEmpty || connections.contains { $0.isReadable && !$0.isHeld }
    }

    /// Notes which connection a descriptor stands for.
    func expect(_ connection: Connection, as descriptor: Int32) {
        connection.move(to: number)
        newcomers.append((descriptor, connection))
    }

    /// Records the room of the next news that will be appended.
    func expect(_ news: News, of room: RoomReferee) {
        expected.append((news, room))
    }

    // Reading

    /// Reads what the poll found that ended at `polledAt`, and began at `lastTurn`.
    ///
    /// `order` puts the connections in the order in which the kernel names them.
    func read(
        polledAt: Duration, lastTurn: Duration, isAhead: Bool,
        order: ([Connection]) -> [Connection] = { $0 }
    ) {
        self.isAhead = isAhead
        let ready = connections.filter {
            $0.isFound(byPollAt: polledAt) && ($0.hasBroken || $0.isReadable && !$0.isHeld)
        }
        rounds.begin(at: Instant(nanoseconds: lastTurn.nanoseconds))
        while !isFull, let connection = takeHeld() { read(connection) }
        for connection in order(ready) { readOrHold(connection) }
    }

    private var isFull: Bool { isAhead || latest.events.bytes.count > world.plan.terms.mostRead }

    private func takeHeld() -> Connection? {
        while let handle = rounds.takeHeld() {
            guard let connection = adopted[handle], isHere(connection) else { continue }
            connection.isHeld = false
            if connection.hasBroken || connection.isReadable { return connection }
        }
        return nil
    }

    private func isHere(_ connection: Connection) -> Bool {
        connections.contains { $0 === connection }
    }

    private func readOrHold(_ connection: Connection) {
        if connection.isSilenced { return forget(connection) }
        guard isFull || !rounds.mayReadReady else { return read(connection) }
        guard !connection.isHeld else { return forget(connection) }
        connection.isHeld = true
        rounds.hold(connection.id.handle)
    }

    private func read(_ connection: Connection) {
        if connection.hasBroken { return forget(connection) }
        if !connection.input.arrived.isEmpty {
            latest.events.append(connection.input.takeArrived()[...], from: connection.id)
        } else if connection.hasEnded {
            connection.hasEnded = false
            latest.events.append(.ended(connection.id))
        }
    }

    private func forget(_ connection: Connection) {
        guard isHere(connection) else { return }
        connections.removeAll { $0 === connection }
        latest.events.append(.lost(connection.id))
    }

    // Commands

    private func adopt(_ descriptor: Int32, from address: PeerAddress) {
        guard let place = newcomers.firstIndex(where: { $0.descriptor == descriptor }) else {
            return
        }
        let connection = newcomers.remove(at: place).connection
        if world.failingSockets > 0 {
            world.failingSockets -= 1
            connection.shut()
            return latest.events.append(.refused(reason: "a failed socket"))
        }
        connections.append(connection)
        adopted[connection.id.handle] = connection
        connection.beginReading()
        latest.events.append(.joined(connection.id, address))
    }

    private func append(_ news: News) {
        guard expected.first?.news == news else {
            return world.oracle.report(.order, "loop \(number) is given unknown news")
        }
        let room = expected.removeFirst().room
        for connection in connections where connection.output.room == news.room {
            let encoding = connection.output.encoding
            let record =
                encoding == .text
                ? Array(news.line)
                : news.message.bytes(
                    as: encoding, seq: news.seq, at: news.time)
            connection.output.append(record, seq: news.seq, of: room)
        }
    }

    func perform(_ effect: Effect) {
        guard let id = effect.session, let connection = adopted[id.handle] else { return }
        if case .confirm(_, let number) = effect { asked.append((connection, number)) }
        connection.perform(effect, at: world.timeOfDay)
        if case .close = effect, isHere(connection) { latest.events.append(.finishing(id)) }
    }

    func execute(_ command: LoopCommand) {
        switch command {
        case .adopt(let descriptor, let address, _): adopt(descriptor, from: address)
        case .append(let news): append(news)
        case .perform(let effect): perform(effect)
        case .silence(let id): note(id) { silences.append(($0, true)) }
        case .unsilence(let id): note(id) { silences.append(($0, false)) }
        case .closeOneFinishing:
            if let connection = connections.first(where: { $0.output.isFinishing && !$0.isShut }) {
                connection.shut()
            }
        case .drain: isDrainAsked = true
        case .report: break
        }
    }

    private func note(_ id: SessionID, _ action: (Connection) -> Void) {
        if let connection = adopted[id.handle] { action(connection) }
    }

    // The end of a turn

    /// Sends what the connections take, and records what follows from it.
    func send() {
        for (connection, isSilent) in silences { connection.isSilenced = isSilent }
        silences = []
        for connection in connections { connection.flush() }
        for connection in connections where connection.output.takeFall() {
            latest.events.append(.fallen(connection.id))
        }
        for connection in connections where connection.isShut { forget(connection) }
        for connection in connections where connection.takePauseChange() {
            latest.events.append(
                connection.isPaused ? .paused(connection.id) : .unpaused(connection.id))
        }
        for (connection, number) in asked where !connection.isPaused {
            latest.events.confirm(connection.id, number: number)
        }
        asked.removeAll { !$0.connection.isPaused }
        if isDrainAsked, connections.allSatisfy({ $0.output.isEmpty }) {
            isDrainAsked = false
            latest.events.append(.drained)
        }
    }

    /// Moves what happened since the last report to the end of a report.
    func report(into report: inout LoopReport) {
        latest.readUntil = rounds.readUntil
        latest.isHolding = rounds.hasHeld
        report.add(&latest)
    }
}
