import Addresses
import Saleroom
import Server
import TestSupport
import Transport
import Wire

/// A loop beside the actor's: reads its connections, sends to them, and decides nothing.
///
/// Its turn is that of `ShardLoop`. What it and the actor's loop tell each other goes through a real
/// mailbox, and each hears of it later by a drawn delay.
final class Loop {
    let number: Int
    let mailbox = Mailbox()
    private let house: House
    private let world: World
    private var dice: SplitMix64

    private(set) var connections: [Connection] = []
    /// The connections that the actor has given away, and the loop has not taken yet.
    private var newcomers: [(descriptor: Int32, connection: Connection)] = []
    private var adopted: [Handle: Connection] = [:]
    private var events = ShardEvents()
    private var commands = ShardCommands()
    private var rounds = ReadingRounds()
    /// The numbers of the news in the commands, in order, for each format.
    private var numbers: [Format: [Int]] = [:]
    private var silences: [(connection: Connection, isSilent: Bool)] = []
    private var askedWhenSent: [(connection: Connection, number: Int)] = []
    /// Whether the actor has so much to take that nothing more is read.
    private var isAhead = false
    private var nextTurn: Duration?
    /// When the last turn ended and the poll began.
    private var lastTurn = Duration.zero
    /// When the poll ended whose turn has not begun; nil while the poll waits.
    private var polledAt: Duration?
    private var standsStillUntil = Duration.zero

    init(_ number: Int, _ house: House, _ world: World, seed: UInt64) {
        (self.number, self.house, self.world) = (number, house, world)
        dice = SplitMix64(seed: seed)
    }

    // The actor's side.

    /// All connections that are on their way to the loop, or there.
    var everybody: [Connection] { newcomers.map(\.connection) + connections }

    /// The connection that was adopted under a name.
    func connection(_ handle: Handle) -> Connection? { adopted[handle] }

    /// Notes which connection a descriptor stands for.
    func expect(_ connection: Connection, as descriptor: Int32) {
        newcomers.append((descriptor, connection))
    }

    /// Notes the number of news that is given as a line.
    func expect(_ seq: Int, as format: Format) {
        numbers[format, default: []].append(seq)
    }

    func standStill(for duration: Duration) {
        standsStillUntil = max(standsStillUntil, world.now + duration)
    }

    /// Has a turn soon, or late where loops are slow.
    func wake() {
        wake(at: world.now + world.loopDelay(&dice))
    }

    private func wake(at time: Duration) {
        let time = max(time, standsStillUntil, house.standsStillUntil)
        if let nextTurn, nextTurn <= time { return }
        nextTurn = time
        world.at(time) { [self] in
            guard !house.isGone, nextTurn == time else { return }
            nextTurn = nil
            if world.now < max(standsStillUntil, house.standsStillUntil) { return wake() }
            if polledAt == nil {
                polledAt = world.now
                if let preemption = world.preemption(due: house.room.deadline, &dice) {
                    standStill(for: preemption)
                    return wake(at: standsStillUntil)
                }
            }
            turn(polledAt: polledAt.take() ?? world.now)
        }
    }

    // The turn.

    private func turn(polledAt: Duration) {
        world.trace("turn of loop \(number)")
        let ready = connections.filter {
            $0.isFound(byPollAt: polledAt) && ($0.hasBroken || isReadable($0) && !$0.isHeld)
        }
        takeCommands()
        rounds.begin(at: lastTurn.nanoseconds)
        while !isFull, let connection = takeHeld() { read(connection) }
        for connection in ready { hear(connection) }
        for (connection, isSilent) in silences { connection.isSilenced = isSilent }
        silences = []
        for connection in connections { connection.flush() }
        noteFallenAndEnded()
        noteSent()
        world.noteTurn(isIdle: events.isEmpty && commands.isEmpty)
        let (isNews, mustTurn) = mailbox.report(
            &events, heardUntil: rounds.readUntil, isHolding: rounds.hasHeld)
        lastTurn = world.now
        if isNews { house.wake() }
        if mustTurn || connections.contains(where: { isReadable($0) && !$0.isHeld }) { wake() }
    }

    private var isFull: Bool { isAhead || events.bytes.count > world.plan.terms.mostRead }

    private func isReadable(_ connection: Connection) -> Bool {
        (connection.hasEnded || !connection.arrived.isEmpty)
            && !connection.isPaused && !connection.isSilenced
    }

    private func takeHeld() -> Connection? {
        while let handle = rounds.takeHeld() {
            guard let connection = adopted[handle] else { continue }
            connection.isHeld = false
            if connection.hasBroken || isReadable(connection) { return connection }
        }
        return nil
    }

    private func hear(_ connection: Connection) {
        if connection.isSilenced { return forget(connection) }
        guard isFull || !rounds.mayReadReady else { return read(connection) }
        guard !connection.isHeld else { return forget(connection) }
        connection.isHeld = true
        rounds.hold(connection.id.handle)
    }

    private func read(_ connection: Connection) {
        if connection.hasBroken { return forget(connection) }
        if !connection.arrived.isEmpty {
            events.append(connection.takeArrived()[...], from: connection.id.handle)
        } else if connection.hasEnded {
            connection.hasEnded = false
            events.append(.ended(connection.id.handle))
        }
    }

    private func forget(_ connection: Connection) {
        guard connections.contains(where: { $0 === connection }) else { return }
        connections.removeAll { $0 === connection }
        events.append(.lost(connection.id.handle))
    }

    private func noteFallenAndEnded() {
        for connection in connections where connection.takeFallen() {
            events.append(.fallen(connection.id.handle))
        }
        for connection in connections where connection.isShut { forget(connection) }
    }

    private func noteSent() {
        for (connection, number) in askedWhenSent where !connection.isPaused {
            events.append(.sent(connection.id.handle, number))
        }
        askedWhenSent.removeAll { !$0.connection.isPaused }
        for connection in connections where connection.takePauseChange() {
            let handle = connection.id.handle
            events.append(connection.isPaused ? .paused(handle) : .unpaused(handle))
        }
    }

    // ShardCommands.

    private func takeCommands() {
        let (untaken, wasBehind) = mailbox.take(&commands)
        if wasBehind { house.wake() }
        isAhead = untaken > world.plan.terms.mostRead
        var text = commands.text[...]
        for command in commands.list { execute(command, &text) }
    }

    private func execute(_ command: ShardCommands.Command, _ text: inout ArraySlice<UInt8>) {
        switch command {
        case .adopt(let descriptor, let address): adopt(descriptor, from: address)
        case .append(let count, let format):
            tell(text.prefix(count), as: format)
            text = text.dropFirst(count)
        case .perform(let effect):
            guard let handle = effect.session?.handle, let connection = adopted[handle] else {
                return
            }
            if case .confirm(_, let number) = effect {
                askedWhenSent.append((connection, number))
            }
            connection.obey(effect, at: world.timeOfDay)
        case .silence(let handle): note(handle) { silences.append(($0, true)) }
        case .unsilence(let handle): note(handle) { silences.append(($0, false)) }
        case .closeOneFinishing, .drain: break
        }
    }

    private func note(_ handle: Handle, _ action: (Connection) -> Void) {
        if let connection = adopted[handle] { action(connection) }
    }

    private func adopt(_ descriptor: Int32, from address: PeerAddress) {
        guard let place = newcomers.firstIndex(where: { $0.descriptor == descriptor }) else {
            return
        }
        let connection = newcomers.remove(at: place).connection
        connections.append(connection)
        adopted[connection.id.handle] = connection
        connection.beginsToBeRead(at: world.now)
        events.append(.joined(connection.id.handle, address))
    }

    private func tell(_ lines: ArraySlice<UInt8>, as format: Format) {
        for line in lines.split(separator: UInt8(ascii: "\n")) {
            guard let seq = numbers[format]?.removeFirst() else {
                return world.witness.report(.order, "loop \(number) is told unknown news")
            }
            for connection in connections where connection.format == format {
                connection.tell(
                    line + [UInt8(ascii: "\n")], seq: seq,
                    ringLines: world.plan.terms.ringLines)
            }
        }
    }
}
