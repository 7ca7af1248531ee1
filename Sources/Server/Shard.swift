import Auction
import Basics
import House
import Posix
import Transport
import Web
import Wire

/// The connections of one loop: it reads, sends and reports, and decides nothing.
///
/// Belongs to the thread of its loop. A turn of the loop reads, executes commands, and sends; what
/// happened is in the next report.
package final class Shard: ShardOutput {
    /// A turn sends to this many connections, a quarter of a millisecond, so that input is read in
    /// between.
    ///
    /// It sends to up to four times as many while more than 64 KiB of a room's news wait.
    private static let sendsPerTurn = 32
    /// A turn that has read more bytes than this leaves the other connections to a later one.
    private static let readByteLimit = 1 << 20

    /// Its number among the loops; 0 is the actor's own.
    package let number: Int
    private let connections: Connections
    private let output: Output
    @exclusivity(unchecked) private var line: [UInt8] = []
    @exclusivity(unchecked) private var events = ConnectionEvents()
    /// What was received and skipped; the output counts what is sent.
    @exclusivity(unchecked) private var counted = ShardFigures()
    private var readBuffer = [UInt8](repeating: 0, count: Connections.readBytes)
    /// Whether nothing is read, because too much input waits to be handled.
    private var isAhead = false
    /// The connections to silence or unsilence after this turn's reading.
    ///
    /// A silenced connection that is reported readable has closed.
    private var silences: [(handle: Handle, isSilent: Bool)] = []
    private var isDrainAsked = false
    /// The confirmations of connections that were not sent anything since they were asked for.
    private var asked: [(handle: Handle, number: Int)] = []
    /// The confirmations that wait until a paused connection has been sent all its output.
    private var delayed: [Handle: Int] = [:]

    package init(_ loop: EventLoop, number: Int, _ limits: ConnectionLimits) {
        self.number = number
        connections = Connections(loop: loop, limits: limits)
        output = connections.output
    }

    /// Whether something can be read or sent without waiting.
    package var isBusy: Bool { output.hasUnserved || !events.isEmpty }

    /// Whether some connections that a poll found readable were not read.
    package var isHolding: Bool { connections.rounds.hasHeld }

    /// When a connection must next be closed or checked.
    package var deadline: Instant? { connections.deadline }

    // Reading

    /// Reads the connections that were held in an earlier turn; call it before `heed`.
    ///
    /// `polledAt` is the instant at which this turn's poll began. With `isAhead` nothing is read,
    /// because too much input waits to be handled.
    package func beginReading(polledAt: Instant, isAhead: Bool) {
        self.isAhead = isAhead
        connections.beginRound(at: polledAt)
        while !isFull, let handle = connections.takeHeld() { read(handle) }
    }

    private var isFull: Bool { isAhead || events.bytes.count > Self.readByteLimit }

    /// Reads from a connection that this turn's poll found ready, or holds it until a later turn.
    package func heed(_ readiness: Readiness) {
        let handle = readiness.handle
        if readiness.isWritable { connections.writable(handle) }
        guard readiness.isReadable else { return }
        if connections.isSilenced(handle) { return lose(handle) }
        if isFull || !connections.rounds.mayReadReady {
            if !connections.hold(handle) { lose(handle) }
        } else {
            read(handle)
        }
    }

    private func read(_ handle: Handle) {
        let outcome = readBuffer.withUnsafeMutableBytes { connections.read(handle, into: $0) }
        switch outcome {
        case .bytes(let count):
            events.append(readBuffer[..<count], from: id(handle))
        case .wouldBlock: break
        case .end: events.append(.ended(id(handle)))
        case .reset: lose(handle)
        }
    }

    private func id(_ handle: Handle) -> SessionID { SessionID(handle, loop: number) }

    private func lose(_ handle: Handle) {
        guard connections.isOpen(handle) else { return }
        forget(handle)
    }

    /// Closes a connection unless it is closed already, and reports it as lost.
    private func forget(_ handle: Handle) {
        connections.close(handle)
        delayed[handle] = nil
        events.append(.lost(id(handle)))
    }

    // Commands

    /// Takes over a connected socket of this peer.
    package func adopt(_ descriptor: Int32, from address: PeerAddress) {
        do throws(SystemError) {
            events.append(.joined(id(try connections.adopt(descriptor)), address))
        } catch {
            events.append(.refused(reason: error.description))
        }
    }

    package func execute(_ command: LoopCommand) {
        switch command {
        case .silence(let id): silences.append((id.handle, true))
        case .unsilence(let id): silences.append((id.handle, false))
        case .closeOneFinishing: _ = connections.closeOneFinishing()
        case .drain: isDrainAsked = true
        case .report: break
        }
    }

    package func encodings(followedIn room: RoomID) -> Encodings {
        Encodings(rawValue: output.followedFormats(of: room.topic))
    }

    package func append(_ record: ArraySlice<UInt8>, to feed: RoomFeed) {
        output.append(record, feed: feed.key)
    }

    package func append(
        _ records: ArraySlice<UInt8>, lengths: ArraySlice<Int>, to feed: RoomFeed
    ) {
        output.append(records, lengths: lengths, feed: feed.key)
    }

    package func perform(_ effect: Effect) {
        switch effect {
        case .news, .note, .log, .openRoom, .endRoom, .sendMetrics: break
        case .follow(let id, let room):
            output.follow(id.handle, feed: RoomFeed(room, encoding(of: id.handle)).key)
        case .reply(let message, let id): reply(message, to: id.handle)
        case .replay(let message, let seq, let time, let id):
            reply(message, seq: seq, time: time, to: id.handle)
        case .restate(let message, let seq, let id):
            reply(message, seq: seq, isSnapshot: true, to: id.handle)
        case .send(let bytes, let id): output.reply(id.handle, bytes)
        case .use(let encoding, let id): use(encoding, for: id.handle)
        case .skip(let id): replySkipped(output.skip(id.handle), to: id.handle)
        case .holdNews(let id): output.suspendFeed(id.handle)
        case .releaseNews(let id): output.resumeFeed(id.handle)
        case .confirm(let id, let number): asked.append((id.handle, number))
        case .close(let id, let reason): finish(id.handle, reason)
        }
    }

    private func reply(
        _ message: ServerMessage, seq: Int? = nil, isSnapshot: Bool = false,
        time milliseconds: Int64? = wallClockMilliseconds(), as encoding: Encoding? = nil,
        to handle: Handle
    ) {
        line.removeAll(keepingCapacity: true)
        message.append(
            to: &line, as: encoding ?? self.encoding(of: handle), seq: seq, isSnapshot: isSnapshot,
            millisecondsSince1970: milliseconds)
        output.reply(handle, line)
    }

    /// Sends a connection the number of lines of news that it missed.
    private func replySkipped(_ missed: Int, as encoding: Encoding? = nil, to handle: Handle) {
        counted.skips += 1
        counted.skippedNews += missed
        reply(.skipped(missed), as: encoding, to: handle)
    }

    /// The encoding of a connection, which is that of the feed that it follows.
    private func encoding(of handle: Handle) -> Encoding {
        output.feed(of: handle)?.encoding ?? .text
    }

    /// Moves a connection to the feed of its room in another encoding.
    private func use(_ encoding: Encoding, for handle: Handle) {
        let feed = output.feed(of: handle).map {
            FeedKey(topic: $0.topic, format: encoding.format)
        }
        output.follow(handle, feed: feed ?? FeedKey(ofNoRoomIn: encoding))
    }

    /// Ends a connection, after sending it the number of missed lines and the reason.
    private func finish(_ handle: Handle, _ reason: ServerMessage.CloseReason?) {
        let encoding = encoding(of: handle)
        let missed = output.unfollow(handle)
        if let reason {
            if missed > 0 { replySkipped(missed, as: encoding, to: handle) }
            reply(.bye(reason), as: encoding, to: handle)
            if encoding == .webSocket {
                output.reply(handle, WebSocketFrame.closing(code: reason.webSocketCode))
            }
        }
        connections.finish(handle, at: .now)
        if connections.isOpen(handle) { events.append(.finishing(id(handle))) }
    }

    // The end of a turn

    /// Sends at most one slice of the waiting output, and records the events that follow.
    ///
    /// `isBusy` is true afterwards if more is waiting.
    package func send(at now: Instant) {
        for (handle, isSilent) in silences {
            if isSilent { connections.silence(handle) } else { connections.unsilence(handle) }
        }
        silences.removeAll(keepingCapacity: true)
        connections.expire(at: now)
        connections.flush(slice: Self.sendsPerTurn)
        noteFallenAndEnded()
        notePauses()
        noteConfirmed()
        if isDrainAsked && output.pendingBytes == 0 {
            isDrainAsked = false
            events.append(.drained)
        }
    }

    private func noteFallenAndEnded() {
        for handle in output.takeFallen() { events.append(.fallen(id(handle))) }
        for ending in connections.takeEnded() {
            if ending.cause == .stalled { events.append(.stalled(id(ending.handle))) }
            forget(ending.handle)
        }
    }

    /// Reports pauses, and the confirmations that waited until a pause ended.
    private func notePauses() {
        for handle in output.takePauseChanges() {
            if output.isPaused(handle) {
                events.append(.paused(id(handle)))
                continue
            }
            events.append(.unpaused(id(handle)))
            if let number = delayed.removeValue(forKey: handle) {
                events.confirm(id(handle), number: number)
            }
        }
    }

    /// Reports the confirmations of connections that have their turn and are not paused.
    private func noteConfirmed() {
        var kept = 0
        for index in asked.indices {
            let (handle, number) = asked[index]
            if output.isUnserved(handle) {
                asked[kept] = asked[index]
                kept += 1
            } else if output.isPaused(handle) {
                delayed[handle] = number
            } else {
                events.confirm(id(handle), number: number)
            }
        }
        asked.removeLast(asked.count - kept)
    }

    /// What was sent to its connections.
    package var figures: ShardFigures {
        var figures = counted
        figures.sent = output.figures
        figures.observers = output.followerCounts
        return figures
    }

    /// Moves what happened since the last report to the end of a report.
    package func report(into report: inout LoopReport) {
        if report.events.isEmpty {
            swap(&report.events, &events)
        } else {
            report.events.append(events)
        }
        events.removeAll()
        report.readUntil = connections.rounds.readUntil
    }
}

extension SessionID {
    /// Names a connection by its handle on a loop.
    package init(_ handle: Handle, loop: Int) {
        self.init(connection: handle.rawValue, loop: loop)
    }

    /// The handle of the connection on its loop.
    package var handle: Handle { Handle(rawValue: connection) }
}

/// What was sent to the connections of one loop since the start.
package struct ShardFigures: Equatable, Sendable {
    /// What was sent.
    package var sent = SendFigures()
    /// How often a connection fell behind its feed.
    package var skips = 0
    /// The number of news that these connections missed, all together.
    package var skippedNews = 0
    /// The number of connections in each encoding, by its format; inline, because it is copied often.
    package var observers = SIMD4<Int32>()

    package init() {}

    /// Adds the figures of another loop.
    mutating func add(_ other: ShardFigures) {
        sent.add(other.sent)
        skips += other.skips
        skippedNews += other.skippedNews
        observers &+= other.observers
    }
}
