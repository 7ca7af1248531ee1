import BidderView
import Posix
import Transport
import Wire

/// The line to the server as a view needs it: dialled without waiting, and dialled again.
package final class ServerLine {
    /// A line of the server's has at most so many bytes.
    private static let longestLine = 64 * 1024
    /// How long the server may take to be reached.
    private static let patienceNanoseconds: Int64 = 5_000_000_000

    private let server: ServerAddress
    private let connections: Connections
    private let dialer: Dialer
    private let loop: EventLoop
    private var hasBroken = false
    private var handle: Handle?
    private var framer = LineFramer(limit: longestLine)
    private var buffer = [UInt8](repeating: 0, count: Connections.readBytes)

    /// Makes a line that is not connected; `loop` is the loop of its owner.
    package init(_ server: ServerAddress, loop: EventLoop) {
        self.server = server
        connections = Connections(loop: loop, feeds: 0)
        dialer = Dialer(loop: loop)
        self.loop = loop
    }

    /// Begins to connect, in place of whatever there was.
    package func dial() {
        hangUp()
        dialer.dial(server, timeoutNanoseconds: Self.patienceNanoseconds)
    }

    /// Closes the connection, or gives up the attempt to make one.
    package func hangUp() {
        dialer.cancel()
        handle.take().map { connections.close($0) }
        hasBroken = false
    }

    /// Says a line, when it is flushed.
    package func say(_ line: String) {
        guard let handle else { return }
        connections.reply(handle, Array((line + "\n").utf8))
    }

    /// Sends what was said; where that fails, the next turn hears of it, and comes at once.
    package func flush() {
        connections.flush()
        guard !connections.takeEnded().isEmpty else { return }
        hasBroken = true
        loop.wake()
    }

    /// Tells the view what became of an attempt, and of a connection that ended.
    package func hear(_ view: LiveView) {
        switch dialer.takeOutcome() {
        case .success(let socket)?: adopt(socket, view)
        case .failure(let error)?: view.lost(error.reason)
        case nil: break
        }
        let hasEnded = !connections.takeEnded().isEmpty
        if hasEnded || hasBroken { lose(view) }
    }

    /// Takes the part in a turn that belongs to the connection.
    package func attend(to readiness: Readiness, _ view: LiveView) {
        guard let handle, readiness.handle == handle else { return }
        if readiness.isWritable { connections.writable(handle) }
        guard readiness.isReadable else { return }
        switch buffer.withUnsafeMutableBytes({ connections.read(handle, into: $0) }) {
        case .bytes(let count):
            for line in framer.lines(in: buffer, count: count) { view.hear(line) }
        case .wouldBlock: break
        case .end, .reset: lose(view)
        }
    }

    private func adopt(_ socket: Int32, _ view: LiveView) {
        do {
            handle = try connections.adopt(socket)
            framer = LineFramer(limit: Self.longestLine)
            view.connected()
        } catch {
            view.lost(error.reason)
        }
    }

    private func lose(_ view: LiveView) {
        hangUp()
        view.lost("the server closed the connection")
    }
}

extension LineFramer {
    /// The lines that the first bytes of a buffer complete, without their ends.
    ///
    /// One that is too long is none that this client knows, and is left out.
    mutating func lines(in buffer: [UInt8], count: Int) -> [String] {
        var lines: [String] = []
        receive(buffer.span.extracting(first: count)) { frame in
            switch frame {
            case .line(let line):
                lines.append(line.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) })
            case .tooLong, .negotiation, .filler: break
            }
        }
        return lines
    }
}
