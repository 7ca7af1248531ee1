import Load
import Posix
import Transport

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Connections that only listen, as many as one process may have.
final class Crowd {
    /// So many connect at a time: a server may let in no more in one turn.
    private static let underWay = 256
    private static let patienceNanoseconds: Int64 = 5_000_000_000
    private static let readBytes = 64 * 1024

    private enum State { case connecting, entering, inside }

    private struct Observer {
        let socket: Int32
        var state = State.connecting
        /// What was heard and is no whole line or frame yet, or does not show that it is in.
        var rest: [UInt8] = []
    }

    private let loop: EventLoop
    private let dialect: Dialect
    private var observers: [Observer] = []
    /// The observer in each slot of the loop; -1 where there is none.
    private var places: [Int32] = []
    private var buffer = [UInt8](repeating: 0, count: readBytes)
    private var insiders = 0

    /// Creates a crowd of nobody on a loop.
    init(on loop: EventLoop, speaking dialect: Dialect) {
        self.loop = loop
        self.dialect = dialect
    }

    deinit {
        for observer in observers { close(observer.socket) }
    }

    /// Connects so many observers; blocks until each is in.
    ///
    /// - Throws: `Failure`, or `SystemError` when this machine has no descriptor or port left.
    func gather(_ count: Int, host: String, port: UInt16) throws {
        let first = try connect(host: host, port: port)
        try add(first)
        let address = try RemoteAddress(of: first)
        var progress = Progress(of: "observers came")
        var (insidersBefore, deadline) = (0, monotonicNanoseconds() + Self.patienceNanoseconds)
        try loop.run { ready, _ in
            for readiness in ready { try welcome(readiness) }
            while observers.count < count && observers.count - insiders < Self.underWay {
                try add(try address.connect(observers.count))
            }
            if insiders == count { loop.stop() }
            let now = monotonicNanoseconds()
            progress.show(insiders, at: now)
            if insiders > insidersBefore { deadline = now + Self.patienceNanoseconds }
            guard now < deadline else { throw Failure.notAdmitted(count - insiders) }
            insidersBefore = insiders
            return min(deadline, progress.next)
        }
    }

    /// Reads once what one of the crowd hears, and hands over its number and the bytes.
    ///
    /// They begin with a line or frame; `body` returns how many make whole ones, and gets the rest
    /// again before what comes next. Returns false for a handle of somebody else.
    ///
    /// - Throws: `Failure.lost`, or what `body` throws.
    @discardableResult
    func hear(
        _ readiness: Readiness, _ body: (Int, Span<UInt8>) throws -> Int
    ) throws -> Bool {
        guard let number = number(of: readiness.handle) else { return false }
        guard let byteCount = try read(number) else { return true }
        let whole = try buffer.withUnsafeBufferPointer {
            try body(number, $0.span.extracting(first: byteCount))
        }
        observers[number].rest.removeAll(keepingCapacity: true)
        if whole < byteCount { observers[number].rest += buffer[whole..<byteCount] }
        return true
    }

    /// Says something for one of the crowd, short enough for the kernel to take it at once.
    ///
    /// - Throws: `Failure.lost`.
    func say(_ bytes: [UInt8], by number: Int) throws(Failure) {
        guard !bytes.isEmpty else { return }
        let sent = uninterrupted {
            bytes.withUnsafeBytes { send(observers[number].socket, $0.baseAddress, $0.count, 0) }
        }
        guard sent == bytes.count else { throw .lost }
    }

    private func add(_ socket: Int32) throws {
        observers.append(Observer(socket: socket))
        let handle = try loop.register(socket, for: .writable)
        while places.count <= handle.place { places.append(-1) }
        places[handle.place] = Int32(observers.count - 1)
    }

    private func number(of handle: Handle) -> Int? {
        guard handle.place < places.count, places[handle.place] >= 0 else { return nil }
        return Int(places[handle.place])
    }

    private func welcome(_ readiness: Readiness) throws {
        guard let number = number(of: readiness.handle) else { return }
        switch observers[number].state {
        case .connecting:
            observers[number].state = .entering
            try say(dialect.observer.words, by: number)
            try loop.change(readiness.handle, to: .readable)
        case .entering:
            guard let byteCount = try read(number) else { return }
            let heard = Array(buffer.prefix(byteCount))
            let end = dialect.observer.end(in: heard)
            observers[number].rest = end.map { Array(heard[$0...]) } ?? heard
            guard end != nil else { return }
            observers[number].state = .inside
            insiders += 1
        case .inside:
            try hear(readiness) { _, _ in 0 }
        }
    }

    /// Reads once, behind what was left; how many bytes there are, or nil if nothing has come.
    private func read(_ number: Int) throws(Failure) -> Int? {
        let rest = observers[number].rest.count
        if rest > 0 {
            if buffer.count < rest + Self.readBytes {
                buffer += [UInt8](repeating: 0, count: rest + Self.readBytes - buffer.count)
            }
            buffer.replaceSubrange(..<rest, with: observers[number].rest)
        }
        let count = uninterrupted {
            buffer.withUnsafeMutableBytes {
                recv(observers[number].socket, $0.baseAddress.map { $0 + rest }, $0.count - rest, 0)
            }
        }
        if count == -1 && errno == EAGAIN { return nil }
        guard count > 0 else { throw .lost }
        return rest + count
    }
}

extension Handle {
    /// The slot of the loop, from 0, which is free again once its descriptor is deregistered.
    fileprivate var place: Int { Int(UInt32(truncatingIfNeeded: rawValue)) }
}
