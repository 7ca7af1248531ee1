import Auction
import Basics
import House
import Wire

/// A connection of a client to a node, as the node's loop sees it.
final class ClusterSocket {
    let id: SessionID
    let client: ClusterClient
    private unowned let world: ClusterWorld
    private weak var process: ClusterProcess?
    /// The number by which the judge knows it.
    let number: Int
    /// The room whose news it is sent.
    private(set) var room: RoomID?
    private var encoding = Encoding.text
    /// News that is held until an answer is complete; nil if none is under way.
    private var heldNews: [[UInt8]]?
    /// The number of lines that were not sent because it has fallen behind; nil if it has not.
    private var missed: Int?
    private var isFallReported = true
    /// Whether it is not read from.
    var isSilenced = false
    private var input: [UInt8] = []
    private var hasEnded = false
    private var isFinishing = false
    private var isFinishReported = false
    /// Whether the client has closed or lost it, and whether the node knows.
    private var hasClosed = false
    private(set) var isLost = false
    private var arrival = Instant.distantPast

    init(
        _ id: SessionID, _ client: ClusterClient, _ number: Int, _ process: ClusterProcess,
        _ world: ClusterWorld
    ) {
        (self.id, self.client, self.number) = (id, client, number)
        (self.process, self.world) = (process, world)
    }

    // Input

    func arrive(_ bytes: [UInt8]) { input += bytes }

    /// Notes that the client has closed its side, or lost the connection.
    func close(hasBroken: Bool) {
        if hasBroken { hasClosed = true } else { hasEnded = true }
    }

    func report(into events: inout ConnectionEvents) {
        if !isSilenced, !input.isEmpty, !isFinishing {
            events.append(input[...], from: id)
            input = []
        }
        if !isSilenced, hasEnded, input.isEmpty, !isFinishing {
            hasEnded = false
            events.append(.ended(id))
        }
        if isFinishing, !isFinishReported {
            isFinishReported = true
            events.append(.finishing(id))
        }
        if !isFallReported {
            isFallReported = true
            events.append(.fallen(id))
        }
        if hasClosed, !isLost {
            isLost = true
            events.append(.lost(id))
        }
    }

    /// Lets its node take a turn.
    func noteProcess(_ world: ClusterWorld) { process?.wake() }

    // Output

    /// Falls behind the news.
    func fallBehind() {
        guard missed == nil, heldNews == nil, room != nil, !isFinishing else { return }
        (missed, isFallReported) = (0, false)
    }

    func send(_ news: News) {
        guard !isFinishing else { return }
        if missed != nil {
            missed? += 1
            return
        }
        var bytes: [UInt8] = []
        news.message.append(
            to: &bytes, as: encoding, seq: news.seq, millisecondsSince1970: news.time)
        if heldNews?.append(bytes) == nil { transmit(bytes) }
    }

    func perform(_ effect: Effect, at time: Int64) {
        guard !isFinishing else { return }
        switch effect {
        case .news, .journal, .journalRoom, .openRoom, .endRoom, .sendReport, .confirm: break
        case .follow(_, let room): self.room = room
        case .reply(let message, _): reply(message, at: time)
        case .replay(let message, let seq, let time, _): reply(message, seq: seq, at: time)
        case .restate(let message, let seq, _):
            reply(message, seq: seq, isSnapshot: true, at: time)
        case .send(let bytes, _): transmit(bytes)
        case .use(let encoding, _): self.encoding = encoding
        case .skip:
            reply(.skipped(missed ?? 0), at: time)
            missed = nil
        case .holdNews: heldNews = heldNews ?? []
        case .releaseNews: for bytes in heldNews.take() ?? [] { transmit(bytes) }
        case .close(_, let reason): finish(reason, at: time)
        }
    }

    private func finish(_ reason: ServerMessage.CloseReason?, at time: Int64) {
        if let missed, missed > 0 { reply(.skipped(missed), at: time) }
        for bytes in heldNews.take() ?? [] { transmit(bytes) }
        if let reason { reply(.bye(reason), at: time) }
        (room, isFinishing) = (nil, true)
        later { socket in socket.client.lose(socket) }
    }

    private func reply(
        _ message: ServerMessage, seq: Int? = nil, isSnapshot: Bool = false, at time: Int64?
    ) {
        var bytes: [UInt8] = []
        message.append(
            to: &bytes, as: encoding, seq: seq, isSnapshot: isSnapshot,
            millisecondsSince1970: time)
        transmit(bytes)
    }

    private func transmit(_ bytes: [UInt8]) {
        guard !bytes.isEmpty, !hasClosed else { return }
        world.judge.check(bytes, on: number, at: world.now)
        world.trace("  \(client.name) < \(String(decoding: bytes.dropLast(), as: UTF8.self))")
        later { socket in socket.client.receive(bytes, on: socket) }
    }

    /// Does something at the client's side after everything that was sent.
    private func later(_ action: @escaping (ClusterSocket) -> Void) {
        arrival = max(
            arrival, world.now.advanced(by: world.delay(upTo: world.plan.terms.clientDelay)))
        world.after(world.now.duration(to: arrival)) { [self] in
            if !hasClosed { action(self) }
        }
    }

    /// Breaks, because its node is gone.
    func breakDown() {
        guard !hasClosed else { return }
        (room, isFinishing) = (nil, true)
        later { socket in socket.client.lose(socket) }
    }
}
