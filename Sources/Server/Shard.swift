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
/// happened is in the next report. The news of a room is a feed in each encoding that a connection
/// follows.
package final class Shard: LoopConnections {
    /// A turn sends to this many connections, a quarter of a millisecond, so that input is read in
    /// between.
    ///
    /// It sends to up to four times as many while more than 64 KiB of a room's news wait.
    private static let sendsPerTurn = 32
    /// A turn that has read more bytes than this leaves the other connections to a later one.
    private static let readByteLimit = 1 << 20

    /// Its number among the loops; 0 is the actor's own.
    private let number: Int
    private let connections: Connections
    /// The line that is being encoded, whose memory is used again.
    private var line: [UInt8] = []
    private var frame: [UInt8] = []
    /// What happened since the last report.
    private var latest = LoopReport()
    private var skips = 0
    private var skippedNews = 0
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
    }

    /// Whether something can be read or sent without waiting.
    package var isBusy: Bool { connections.output.hasUnserved || !latest.events.isEmpty }

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

    private var isFull: Bool { isAhead || latest.events.bytes.count > Self.readByteLimit }

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
            latest.events.append(readBuffer[..<count], from: id(handle))
        case .wouldBlock: break
        case .end: latest.events.append(.ended(id(handle)))
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
        latest.events.append(.lost(id(handle)))
    }

    // Commands

    package func execute(_ command: LoopCommand) {
        switch command {
        case .adopt(let socket, let address, _): adopt(socket, from: address)
        case .append(let news): append(news)
        case .perform(let effect): perform(effect)
        case .silence(let id): silences.append((id.handle, true))
        case .unsilence(let id): silences.append((id.handle, false))
        case .closeOneFinishing: _ = connections.closeOneFinishing()
        case .drain: isDrainAsked = true
        case .report: break
        }
    }

    private func adopt(_ socket: Int32, from address: PeerAddress) {
        do throws(SystemError) {
            latest.events.append(.joined(id(try connections.adopt(socket)), address))
        } catch {
            latest.events.append(.refused(reason: error.description))
        }
    }

    /// Appends news to the feeds of its room, encoded once for each that is followed.
    private func append(_ news: News) {
        let room = news.room
        connections.output.append(news.line, feed: FeedKey(room, .text))
        let usesFrames = connections.output.isFollowed(FeedKey(room, .webSocket))
        guard usesFrames || connections.output.isFollowed(FeedKey(room, .json)) else { return }
        line.removeAll(keepingCapacity: true)
        news.message.appendJSON(
            to: &line, seq: news.seq, millisecondsSince1970: news.time)
        connections.output.append(line[...], feed: FeedKey(room, .json))
        guard usesFrames else { return }
        frame.removeAll(keepingCapacity: true)
        WebSocketFrame.appendText(jsonLine: line[...], to: &frame)
        connections.output.append(frame[...], feed: FeedKey(room, .webSocket))
    }

    package func perform(_ effect: Effect) {
        switch effect {
        case .news, .journal, .journalRoom, .openRoom, .endRoom, .sendReport: break
        case .follow(let id, let room):
            connections.output.follow(id.handle, feed: FeedKey(room, encoding(of: id.handle)))
        case .reply(let message, let id): reply(message, to: id.handle)
        case .replay(let message, let seq, let time, let id):
            reply(message, seq: seq, time: time, to: id.handle)
        case .restate(let message, let seq, let id):
            reply(message, seq: seq, isSnapshot: true, to: id.handle)
        case .send(let bytes, let id): connections.output.reply(id.handle, bytes)
        case .use(let encoding, let id): use(encoding, for: id.handle)
        case .skip(let id): replySkipped(connections.output.skip(id.handle), to: id.handle)
        case .holdNews(let id): connections.output.suspendFeed(id.handle)
        case .releaseNews(let id): connections.output.resumeFeed(id.handle)
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
        connections.output.reply(handle, line)
    }

    /// Sends a connection the number of lines of news that it missed.
    private func replySkipped(_ missed: Int, as encoding: Encoding? = nil, to handle: Handle) {
        skips += 1
        skippedNews += missed
        reply(.skipped(missed), as: encoding, to: handle)
    }

    /// The encoding of a connection, which is that of the feed that it follows.
    private func encoding(of handle: Handle) -> Encoding {
        connections.output.feed(of: handle)?.encoding ?? .text
    }

    /// Moves a connection to the feed of its room in another encoding.
    private func use(_ encoding: Encoding, for handle: Handle) {
        let feed = connections.output.feed(of: handle).map {
            FeedKey(topic: $0.topic, format: encoding.format)
        }
        connections.output.follow(handle, feed: feed ?? FeedKey(ofNoRoomIn: encoding))
    }

    /// Ends a connection, after sending it the number of missed lines and the reason.
    private func finish(_ handle: Handle, _ reason: ServerMessage.CloseReason?) {
        let encoding = encoding(of: handle)
        let missed = connections.output.unfollow(handle)
        if let reason {
            if missed > 0 { replySkipped(missed, as: encoding, to: handle) }
            reply(.bye(reason), as: encoding, to: handle)
            if encoding == .webSocket {
                connections.output.reply(handle, WebSocketFrame.closing(code: reason.webSocketCode))
            }
        }
        connections.finish(handle, at: .now)
        if connections.isOpen(handle) { latest.events.append(.finishing(id(handle))) }
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
        if isDrainAsked && connections.output.pendingBytes == 0 {
            isDrainAsked = false
            latest.events.append(.drained)
        }
    }

    private func noteFallenAndEnded() {
        for handle in connections.output.takeFallen() { latest.events.append(.fallen(id(handle))) }
        for ending in connections.takeEnded() {
            if ending.cause == .stalled { latest.events.append(.stalled(id(ending.handle))) }
            forget(ending.handle)
        }
    }

    /// Reports pauses, and the confirmations that waited until a pause ended.
    private func notePauses() {
        for handle in connections.output.takePauseChanges() {
            if connections.output.isPaused(handle) {
                latest.events.append(.paused(id(handle)))
                continue
            }
            latest.events.append(.unpaused(id(handle)))
            if let number = delayed.removeValue(forKey: handle) {
                latest.events.confirm(id(handle), number: number)
            }
        }
    }

    /// Reports the confirmations of connections that have their turn and are not paused.
    private func noteConfirmed() {
        var kept = 0
        for index in asked.indices {
            let (handle, number) = asked[index]
            if connections.output.isUnserved(handle) {
                asked[kept] = asked[index]
                kept += 1
            } else if connections.output.isPaused(handle) {
                delayed[handle] = number
            } else {
                latest.events.confirm(id(handle), number: number)
            }
        }
        asked.removeLast(asked.count - kept)
    }

    package func report(into report: inout LoopReport) {
        latest.readUntil = connections.rounds.readUntil
        latest.isHolding = connections.rounds.hasHeld
        latest.figures = figures
        report.add(&latest)
    }

    private var figures: LoopFigures {
        var figures = LoopFigures()
        let sent = connections.output.figures
        (figures.sends, figures.newsBytes) = (sent.calls, sent.bytes)
        (figures.deliveries, figures.observers) = (
            sent.deliveries, connections.output.followerCounts
        )
        (figures.skips, figures.skippedNews) = (skips, skippedNews)
        return figures
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

extension FeedKey {
    /// The feed of a room in an encoding.
    init(_ room: RoomID, _ encoding: Encoding) {
        self.init(topic: UInt32(room.number), format: encoding.format)
    }

    /// The feed of a connection that is in no room and has chosen an encoding; nothing is appended.
    ///
    /// No room has this number, because its slot is the largest.
    init(ofNoRoomIn encoding: Encoding) {
        self.init(topic: .max, format: encoding.format)
    }

    /// The encoding in which the feed is written.
    var encoding: Encoding { Encoding.byFormat[Int(format)] }
}

extension Encoding {
    /// The encodings in the order of their formats.
    fileprivate static let byFormat = allCases

    /// The format of the feeds that are written in this encoding.
    var format: Int {
        switch self {
        case .text: 0
        case .json: 1
        case .webSocket: 2
        }
    }
}
