import Posix
import Saleroom
import Transport
import Wire

/// The connections of one loop, and what is said to them.
///
/// Belongs to the thread of its loop.
final class Shard: Audience {
    /// After so many sends those who spoke meanwhile are heard: a quarter of a millisecond.
    private static let sendsPerTurn = 128

    let connections: Connections
    private var formats: [Handle: Format] = [:]
    private var line: [UInt8] = []
    /// The connections to report when their output is sent.
    private var unconfirmed: [Handle] = []

    init(_ loop: EventLoop, _ limits: ConnectionLimits) {
        connections = Connections(loop: loop, feeds: Format.allCases.count, limits: limits)
    }

    func hears(_ format: Format) -> Bool {
        connections.isFollowed(format.feed)
    }

    func append(_ lines: ArraySlice<UInt8>, as format: Format) {
        connections.append(lines, feed: format.feed)
    }

    func perform(_ effect: Effect) {
        switch effect {
        case .news, .note: break
        case .admit(let id): connections.follow(id.handle, feed: Format.text.feed)
        case .reply(let notice, let seq, let id): reply(notice, seq: seq, to: id.handle)
        case .send(let bytes, let id): connections.reply(id.handle, bytes)
        case .use(let format, let id): use(format, for: id.handle)
        case .skip(let id): skip(id.handle)
        case .holdNews(let id): connections.suspendFeed(id.handle)
        case .releaseNews(let id): connections.resumeFeed(id.handle)
        case .confirm(let id): unconfirmed.append(id.handle)
        case .close(let id, let farewell): finish(id.handle, farewell)
        }
    }

    /// Returns the connections to report now, because little of their output still waits.
    func takeConfirmed() -> [Handle] {
        let taken = connections.takeUnpaused()
        if taken.isEmpty && unconfirmed.isEmpty { return [] }
        let unpaused = taken.filter(connections.isSilenced)
        defer { unconfirmed.removeAll(keepingCapacity: true) }
        return unpaused + unconfirmed.filter { !connections.isPaused($0) }
    }

    /// Sends what was said, and stops after a while if it is much: then `connections.isBehind`.
    func flush() {
        connections.flush(slice: Self.sendsPerTurn)
    }

    /// Closes a connection now, if that is still to be done.
    func close(_ handle: Handle) {
        connections.close(handle)
        formats[handle] = nil
    }

    private func reply(_ notice: Notice, seq: Int? = nil, to handle: Handle) {
        line.removeAll(keepingCapacity: true)
        notice.append(to: &line, as: formats[handle] ?? .text, seq: seq)
        connections.reply(handle, line)
    }

    private func use(_ format: Format, for handle: Handle) {
        guard connections.isOpen(handle) else { return }
        formats[handle] = format == .text ? nil : format
        connections.follow(handle, feed: format.feed)
    }

    private func skip(_ handle: Handle) {
        reply(.skipped(connections.skip(handle)), to: handle)
    }

    /// Says goodbye; who is far behind is told how much they will not hear.
    private func finish(_ handle: Handle, _ farewell: Notice.Farewell?) {
        let missed = connections.unfollow(handle)
        if missed > 0 { reply(.skipped(missed), to: handle) }
        if let farewell { reply(.bye(farewell), to: handle) }
        connections.finish(handle, at: monotonicNanoseconds())
    }
}

extension Notice {
    /// Appends the line of the notice in a format, said now.
    func append(to line: inout [UInt8], as format: Format, seq: Int?) {
        switch format {
        case .text: appendText(to: &line)
        case .json:
            appendJSON(to: &line, seq: seq, millisecondsSince1970: wallClockMilliseconds())
        }
    }
}

extension Format {
    /// The number of the feed that is written in this format.
    var feed: Int {
        switch self {
        case .text: 0
        case .json: 1
        }
    }
}
