import Auction
import Basics
import Cluster
import ClusterSupport
import House
import TestSupport
import Wire

/// One run of a node, from its start to its end.
///
/// It drives a `ClusterNode` and a `House` as `ClusterMember` and `AuctionServer` do.
final class ClusterProcess {
    /// How long the first connection may take, and NATS may be silent.
    private static let (startTime, silenceTime) = (Duration.seconds(30), Duration.seconds(4))
    private static let pause = Duration.milliseconds(250)
    /// With more turns than this in a second, it keeps itself awake.
    private static let mostTurns = 1500
    /// What a NATS server says first.
    private static let greeting = Array(
        (#"INFO {"server_name":"n1","version":"2.12.1","max_payload":1048576,"headers":true,"#
            + #""jetstream":true}"# + "\r\nPONG\r\n").utf8)

    private unowned let machine: ClusterMachine
    private unowned let world: ClusterWorld
    private var dice: SplitMix64
    private let node: ClusterNode
    private var house: House
    private let started: Instant
    private var reports = [LoopReport()]
    private var sockets: [SessionID: ClusterSocket] = [:]
    /// The newcomers, and the connections that were closed, since the last turn.
    private var newcomers: [ClusterSocket] = []
    private var socketCount: UInt64 = 0
    /// The connection to NATS; nil while there is none.
    private(set) var connection: Int?
    private var inbox: [FakeNATS.Received] = []
    /// Since when nothing passes the connection; nil while everything does.
    private var heldSince: Instant?
    /// News that is sent after the next one, because of a planted fault.
    private var swapped: News?
    private var nextAttempt = Instant.distantPast
    private var wokenAt: Instant?
    /// The turns of the present second, and when it ends.
    private var (turnCount, secondEnds) = (0, Instant.distantPast)
    private(set) var isServing = false
    private var isGone = false
    let digits: String

    init(_ machine: ClusterMachine, _ world: ClusterWorld, seed: UInt64) {
        (self.machine, self.world) = (machine, world)
        dice = SplitMix64(seed: seed)
        guard let name = NodeName(machine.name) else { preconditionFailure("a name of a node") }
        let number = UInt32(truncatingIfNeeded: dice.next())
        digits = NodeInstance(name, number: number).digits
        node = ClusterNode(name, number: number, at: world.now)
        started = world.now
        var limits = Limits.none
        limits.absence = .seconds(3)
        limits.roomIdle = ClusterTerms.roomIdle
        var options = Lobby.Options(
            rules: Rules(seconds: world.plan.terms.seconds), limits: limits)
        options.catalogue = Catalogue(pause: world.plan.terms.pause)
        options.node = machine.name
        var tokens = SplitMix64(seed: dice.next())
        options.serverID = Identity(using: &tokens)
        options.makeToken = { Token(using: &tokens) }
        options.makeSeed = { Seed(tokens.next()) }
        let lobby = Lobby(options, at: world.now, timeOfDay: Self.timeOfDay(at: world.now))
        house = House(lobby, CommitQueue(SimulatedLog(node.log, world.plan)), House.Options())
    }

    // The connection to NATS

    func receive(_ item: FakeNATS.Received) {
        inbox.append(item)
        wake()
    }

    func holdConnection() {
        guard let connection, heldSince == nil else { return }
        heldSince = world.now
        world.nats.hold(connection)
        world.after(Self.silenceTime) { [self] in wake() }
    }

    func releaseConnection() {
        guard let connection, heldSince != nil else { return }
        heldSince = nil
        world.nats.release(connection)
        wake()
    }

    /// Reads what NATS has sent, finds out that it is silent, or connects to it.
    private func readNATS() {
        for item in inbox where item.connection == connection {
            node.receive(
                altered(item.message, .heartbeatsUnheard, .valueMisread, .resultsMisread),
                subscription: item.subscription, at: world.now)
        }
        inbox = []
        if let connection, let heldSince,
            heldSince.advanced(by: Self.silenceTime) <= world.now
        {
            world.trace("\(machine.name): NATS is silent")
            self.connection = nil
            self.heldSince = nil
            world.nats.disconnect(connection)
            world.nats.release(connection)
            nextAttempt = world.now.advanced(by: Self.pause)
            node.disconnected(at: world.now)
        }
        guard connection == nil, nextAttempt <= world.now, !machine.isPartitioned else { return }
        var session = NATSSession(nil, name: "test", version: "0", messageLimit: 1 << 20)
        do throws(NATSProblem) {
            try session.receive(Self.greeting.span)
        } catch {
            preconditionFailure("\(error)")
        }
        guard case .connected(let server)? = session.nextEvent() else {
            preconditionFailure("the greeting is complete")
        }
        connection = world.nats.connect()
        node.connected(server, at: world.now)
    }

    /// A message as a node with one of these planted faults receives or sends it.
    private func altered(_ message: NATSMessage, _ faults: ClusterPlan.Planted...) -> NATSMessage {
        guard let planted = world.plan.planted, faults.contains(planted) else { return message }
        var message = message
        let text = String(decoding: message.payload, as: UTF8.self)
        if planted == .heartbeatsUnheard, message.subject == Membership.subject,
            !text.hasPrefix("\(machine.name) ")
        {
            message.payload = []
        } else if message.subject.hasPrefix("auction.log.") {
            message.payload = Array(text.split(separator: "\n").map { altered($0) }.joined().utf8)
        }
        return message
    }

    /// A line of the log as a node with a planted fault reads or writes it.
    private func altered(_ line: Substring) -> String {
        var words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard words.count > 4 else { return "\(line)\n" }
        if world.plan.planted == .bidsDropped, words[2] == "PRICE" { return "" }
        if world.plan.planted == .winnerChanged, words[2] == "WINNER" { words[3] += "x" }
        if world.plan.planted == .valueMisread, words[2] == "WORTH" {
            words[words.count - 1] += "0"
        }
        if world.plan.planted == .resultsMisread, words[2] == "RESULT",
            let word = words.firstIndex(of: "WINNER")
        {
            words[word + 1] += "x"
        }
        return words.joined(separator: " ") + "\n"
    }

    private func sendNATS() {
        let commands = node.takeCommands().map { command in
            guard case .publish(let message) = command else { return command }
            return .publish(altered(message, .bidsDropped, .winnerChanged))
        }
        guard let connection else { return }
        world.nats.send(commands, on: connection, at: world.now)
    }

    // Connections

    /// Takes over a connection of a client; false if nobody listens.
    func accept(_ client: ClusterClient, _ number: Int) -> ClusterSocket? {
        guard isServing, !house.isClosing else { return nil }
        socketCount += 1
        let socket = ClusterSocket(
            SessionID(connection: socketCount << 32 | socketCount, loop: 0), client, number, self,
            world)
        newcomers.append(socket)
        wake()
        return socket
    }

    private func readSockets() {
        for socket in newcomers {
            guard house.placeNewcomer(isLocal: false) != nil else { continue }
            sockets[socket.id] = socket
            reports[0].events.append(.joined(socket.id, socket.client.address))
        }
        newcomers = []
        for (id, socket) in sockets.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            socket.report(into: &reports[0].events)
            if socket.isLost { sockets[id] = nil }
        }
        reports[0].readUntil = world.now
    }

    // Turns

    /// Lets a turn come soon.
    func wake() { wake(at: world.now.advanced(by: .random(in: 1000...200_000, using: &dice))) }

    private func wake(at time: Instant) {
        if let wokenAt, wokenAt <= time, wokenAt >= world.now { return }
        wokenAt = time
        world.after(world.now.duration(to: time)) { [weak self] in
            guard let self, wokenAt == time else { return }
            wokenAt = nil
            turn()
        }
    }

    private func turn() {
        guard !isGone, !machine.isFrozen else { return }
        if secondEnds <= world.now {
            (turnCount, secondEnds) = (0, world.now.advanced(by: .seconds(1)))
        }
        turnCount += 1
        if turnCount > Self.mostTurns {
            world.judge.report(.restful, "\(machine.name) takes \(turnCount) turns in a second")
        }
        readNATS()
        do throws(ClusterError) {
            try node.deliver(to: &house, at: world.now)
        } catch {
            guard error.isLate else {
                return world.judge.report(.applied, "\(machine.name): \(error)")
            }
            world.count("purged before read")
            return machine.restart(error.description)
        }
        if isServing { serve() } else { begin() }
    }

    private func begin() {
        node.finish(house)
        sendNATS()
        if let problem = node.problem { return machine.restart(problem) }
        if node.isReady {
            world.trace("\(machine.name): serves")
            isServing = true
            return wake()
        }
        guard started.advanced(by: Self.startTime) > world.now else {
            return machine.restart("cannot begin: \(node.log.problem ?? "no owner of main")")
        }
        sleep(until: nil)
    }

    private func serve() {
        if house.isClosing { newcomers = [] }
        readSockets()
        let outputs = house.step(&reports, at: world.now, timeOfDay: timeOfDay)
        for batch in outputs.durable {
            publish(batch)
            house.published(batch, at: world.now)
        }
        for effect in outputs.effects { perform(effect) }
        for command in outputs.commands { execute(command) }
        node.take(outputs)
        node.finish(house)
        sendNATS()
        if house.isFinished {
            node.leave(house)
            sendNATS()
            return machine.restart(node.problem ?? "stopped")
        }
        if outputs.canContinue || !reports[0].events.isEmpty { wake() }
        sleep(until: house.deadline)
    }

    private var timeOfDay: Int64 { Self.timeOfDay(at: world.now) }

    private static func timeOfDay(at now: Instant) -> Int64 {
        1_790_000_000_000 + now.nanoseconds / 1_000_000
    }

    private func sleep(until deadline: Instant?) {
        let attempt = connection == nil ? max(nextAttempt, world.now.advanced(by: Self.pause)) : nil
        let due = Instant.earliest(Instant.earliest(deadline, node.deadline), attempt)
        if let due {
            wake(at: max(due, world.now).advanced(by: .random(in: 1000...300_000, using: &dice)))
        }
    }

    private func publish(_ batch: Batch) {
        var news = batch.news.makeIterator()
        for effect in batch.effects {
            if case .news = effect, let item = news.next() {
                let news = News(item, of: batch, time: timeOfDay)
                if world.plan.planted == .newsSwapped, swapped == nil {
                    swapped = news
                } else {
                    send(news)
                    if let held = swapped.take() { send(held) }
                }
            } else {
                perform(effect)
            }
        }
    }

    private func send(_ news: News) {
        for (_, socket) in sockets.sorted(by: { $0.key.rawValue < $1.key.rawValue })
        where socket.room == news.room {
            socket.send(news)
        }
    }

    private func perform(_ effect: Effect) {
        if world.plan.planted == .bidDenied, case .reply(.ok(.bid, let tag), let id) = effect {
            return perform(.reply(.error(.paused, tag: tag), to: id))
        }
        guard let id = effect.session else { return }
        if id.isRemote {
            guard let (name, messages) = house.lobby.messages(of: effect, time: timeOfDay) else {
                return
            }
            for message in messages { node.send(message, to: name) }
        } else if case .confirm(_, let number) = effect {
            reports[0].events.confirm(id, number: number)
        } else {
            sockets[id]?.perform(effect, at: timeOfDay)
        }
    }

    private func execute(_ command: LoopCommand) {
        switch command {
        case .silence(let id): sockets[id]?.isSilenced = true
        case .unsilence(let id):
            sockets[id]?.isSilenced = false
            wake()
        case .drain: reports[0].events.append(.drained)
        case .adopt, .append, .perform, .closeOneFinishing, .report: break
        }
    }

    // The end

    func shutDown() {
        guard isServing, !isGone else { return }
        world.trace("\(machine.name): shuts down")
        house.shutDown(at: world.now)
        wake()
    }

    /// Ends the process at once: it sends nothing more.
    func end() {
        isGone = true
        if let connection { world.nats.disconnect(connection) }
        if let connection { world.nats.release(connection) }
        connection = nil
        for socket in Array(sockets.values).sorted(by: { $0.id.rawValue < $1.id.rawValue })
            + newcomers
        {
            socket.breakDown()
        }
        sockets = [:]
    }

    /// What an operator sees of the rooms.
    var rooms: [String] {
        house.lobby.statuses.map { room in
            "\(room.name) lot \(room.lot) \(room.stage) ended \(room.lotsEnded) named \(room.named) "
                + "price \(room.price?.amount ?? 0) "
                + (room.newestSale.map { "sold to \($0.bidder) for \($0.price.amount)" } ?? "")
        }
    }

    /// Why it does not serve; nil if it does.
    var trouble: String? {
        if !isServing { return "it has not begun" }
        if !node.isServing { return "it cannot append" }
        return house.isClosing ? "it is ending" : nil
    }
}

/// The log of a node, with the planted faults, and with short segments in some plans.
private final class SimulatedLog: EventLog {
    private let log: ReplicatedLog
    private let plan: ClusterPlan
    /// The number of batches, and of entries since the last segment began.
    private var (count, entries) = (0, 0)

    init(_ log: ReplicatedLog, _ plan: ClusterPlan) {
        (self.log, self.plan) = (log, plan)
    }

    func append(_ batch: LogBatch) -> Int {
        entries += batch.entries.count
        count = log.append(batch)
        return count
    }

    func beginSegment(state: @escaping @Sendable () -> LogBatch) -> Int {
        entries = 0
        count = log.beginSegment(state: state)
        return count
    }

    var progress: LogProgress {
        var progress = log.progress
        if let most = plan.terms.segmentEntries, entries >= most { progress.isSegmentFull = true }
        if plan.planted == .durableWhenSent { progress.durable = count }
        if plan.planted == .fencingUnnoticed, progress.failure != nil {
            (progress.durable, progress.failure) = (count, nil)
        }
        return progress
    }

    func close() { log.close() }
}
