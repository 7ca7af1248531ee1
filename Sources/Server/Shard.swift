import Posix
import Saleroom
import Transport
import Wire

/// The connections of one loop, and what is said to them.
///
/// Belongs to the thread of its loop.
package final class Shard: ShardOutput {
    /// After so many sends those who spoke meanwhile are heard: a quarter of a millisecond.
    private static let sendsPerTurn = 128

    package let connections: Connections
    @exclusivity(unchecked) private var formats: [Handle: Format] = [:]
    @exclusivity(unchecked) private var line: [UInt8] = []
    /// The confirmations that were asked for since `takeConfirmed`.
    private var asked: [Confirmation] = []
    /// The confirmations that wait until a paused connection has been sent all its output.
    private var delayed: [Handle: Int] = [:]

    /// That a connection has been sent what preceded the request with this number.
    package struct Confirmation {
        package let handle: Handle
        package let number: Int
    }

    package init(_ loop: EventLoop, _ limits: ConnectionLimits) {
        connections = Connections(loop: loop, feeds: Format.allCases.count, limits: limits)
    }

    package func hears(_ format: Format) -> Bool {
        connections.isFollowed(format.feed)
    }

    package func append(_ lines: ArraySlice<UInt8>, as format: Format) {
        connections.append(lines, feed: format.feed)
    }

    package func perform(_ effect: Effect) {
        switch effect {
        case .news, .note: break
        case .admit(let id): connections.follow(id.handle, feed: Format.text.feed)
        case .reply(let message, let seq, let id): reply(message, seq: seq, to: id.handle)
        case .send(let bytes, let id): connections.reply(id.handle, bytes)
        case .use(let format, let id): use(format, for: id.handle)
        case .skip(let id): skip(id.handle)
        case .holdNews(let id): connections.suspendFeed(id.handle)
        case .releaseNews(let id): connections.resumeFeed(id.handle)
        case .confirm(let id, let number):
            asked.append(Confirmation(handle: id.handle, number: number))
        case .close(let id, let farewell): finish(id.handle, farewell)
        }
    }

    /// Returns the confirmations to report now, because little of the connection's output waits.
    ///
    /// To be called after `flush`.
    package func takeConfirmed() -> [Confirmation] {
        let unpaused = connections.takeUnpaused()
        if unpaused.isEmpty && asked.isEmpty { return [] }
        var confirmed: [Confirmation] = []
        for handle in unpaused {
            guard let number = delayed.removeValue(forKey: handle) else { continue }
            confirmed.append(Confirmation(handle: handle, number: number))
        }
        for confirmation in asked {
            if connections.isPaused(confirmation.handle) {
                delayed[confirmation.handle] = confirmation.number
            } else {
                confirmed.append(confirmation)
            }
        }
        asked.removeAll(keepingCapacity: true)
        return confirmed
    }

    /// Sends what was said, and stops after a while if it is much: then `connections.isBehind`.
    package func flush() {
        connections.flush(slice: Self.sendsPerTurn)
    }

    /// Closes a connection now, if that is still to be done.
    package func close(_ handle: Handle) {
        connections.close(handle)
        formats[handle] = nil
        delayed[handle] = nil
    }

    private func reply(_ message: ServerMessage, seq: Int? = nil, to handle: Handle) {
        line.removeAll(keepingCapacity: true)
        message.append(to: &line, as: formats[handle] ?? .text, seq: seq)
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
    private func finish(_ handle: Handle, _ farewell: ServerMessage.CloseReason?) {
        let missed = connections.unfollow(handle)
        if missed > 0 { reply(.skipped(missed), to: handle) }
        if let farewell { reply(.bye(farewell), to: handle) }
        connections.finish(handle, at: monotonicNanoseconds())
    }
}

extension ServerMessage {
    /// Appends the line of the message in a format, said now.
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

/// The name of a session is the handle of its connection, with the number of its shard where no
/// slot reaches: a process has fewer than 2^24 open files.
extension SessionID {
    /// The most shards that names have room for.
    package static let mostShards = 256
    private static let shardShift = 24
    private static let shardBits = UInt64(mostShards - 1) << shardShift

    package init(_ handle: Handle, shard: Int) {
        precondition(handle.rawValue & Self.shardBits == 0, "fewer than 2^24 files are open")
        self.init(rawValue: handle.rawValue | UInt64(shard) << Self.shardShift)
    }

    /// Which shard the connection belongs to; 0 is the saleroom's own.
    package var shard: Int { Int((rawValue & Self.shardBits) >> Self.shardShift) }

    /// The connection, as its shard calls it.
    package var handle: Handle { Handle(rawValue: rawValue & ~Self.shardBits) }
}
