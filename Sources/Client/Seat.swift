import AuctionRules
import BidderView
import Drawing
import Posix
import Transport
import Typing
import Wire

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A bidder's place in the saleroom: the terminal, the socket and the view of both, on one loop.
public final class Seat {
    /// How the seat was left.
    public struct Ending: Equatable {
        /// How the run of the client ends.
        public let code: ExitCode
        /// What went wrong, if something did.
        public let complaint: String?
        /// The signal that ended it, for the caller to die of.
        public let signal: Int32?
    }

    /// How long the rest of an escape sequence is waited for.
    private static let keyNanoseconds: Int64 = 50_000_000

    private let view: LiveView
    private let line: ServerLine
    private let terminal: Terminal
    private let isColoured: Bool
    private let keep: (String, Bidder, GameID?) -> Void
    private let loop: EventLoop
    private let signals: SignalPipe
    private let startNanoseconds = monotonicNanoseconds()
    private let terminalHandle: Handle
    private let signalHandle: Handle
    private var keys = KeyReader()
    private var keyDeadline: Int64?
    private var shown: Frame?
    private var ending: Ending?
    private var buffer = [UInt8](repeating: 0, count: 4096)

    /// Takes a seat at the terminal that standard output is.
    ///
    /// The tokens that are to be kept are handed to `keep`.
    ///
    /// - Throws: `SystemError` when there is no terminal, or no descriptor left.
    public init(
        at server: ServerAddress, isColoured: Bool, view makeView: (Size) -> LiveView,
        keep: @escaping (_ token: String, _ bidder: Bidder, _ game: GameID?) -> Void
    ) throws {
        terminal = try Terminal()
        self.isColoured = isColoured
        self.keep = keep
        loop = try EventLoop()
        line = ServerLine(server, loop: loop)
        signals = try SignalPipe(
            signals: [SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGTSTP, SIGCONT])
        terminalHandle = try loop.register(terminal.descriptor, for: .readable)
        signalHandle = try loop.register(signals.descriptor, for: .readable)
        view = makeView(Size(terminal.size))
    }

    /// Shows the sale until the bidder leaves, and gives the terminal back.
    ///
    /// - Throws: `SystemError` when the terminal or the kernel fails.
    public func run() throws -> Ending {
        try terminal.enter()
        defer { terminal.leave() }
        view.begin()
        try loop.run { [self] ready, _ in
            advance()
            for readiness in ready { try attend(to: readiness) }
            flushKeys()
            line.hear(view)
            try carryOutWishes()
            line.flush()
            try draw()
            if ending != nil { loop.stop() }
            return nextDeadline
        }
        return ending ?? Ending(code: .lost, complaint: nil, signal: nil)
    }

    private func advance() {
        view.advance(to: .nanoseconds(monotonicNanoseconds() - startNanoseconds))
    }

    private var nextDeadline: Int64? {
        let deadline = view.timeline.nextDeadline.map { startNanoseconds + $0.nanoseconds }
        return [deadline, keyDeadline].compactMap { $0 }.min()
    }

    private func attend(to readiness: Readiness) throws {
        switch readiness.handle {
        case terminalHandle:
            if readiness.isWritable { terminal.flush() }
            if readiness.isReadable { readKeys() }
        case signalHandle:
            while let signal = signals.next() { try take(signal) }
        default: line.attend(to: readiness, view)
        }
    }

    private func readKeys() {
        switch buffer.withUnsafeMutableBytes({ terminal.read(into: $0) }) {
        case .bytes(let count):
            for key in keys.receive(buffer.span.extracting(first: count)) { view.press(key) }
            keyDeadline =
                keys.awaitsMore ? monotonicNanoseconds() + Self.keyNanoseconds : nil
        case .wouldBlock: break
        case .end: end(with: SIGHUP)
        }
    }

    private func flushKeys() {
        guard let deadline = keyDeadline, monotonicNanoseconds() >= deadline else { return }
        keyDeadline = nil
        for key in keys.flush() { view.press(key) }
    }

    private func take(_ signal: Int32) throws {
        switch signal {
        case SIGWINCH: resize()
        case SIGTSTP: view.press(.control("z"))
        case SIGCONT:
            try terminal.resume()
            resize()
        case SIGINT: view.press(.control("c"))
        default: end(with: signal)
        }
    }

    private func end(with signal: Int32) {
        ending = Ending(code: .lost, complaint: nil, signal: signal)
    }

    /// Stops until the job is continued; what was said before is not left for then.
    private func suspend() throws {
        line.flush()
        try terminal.suspend()
        advance()
        resize()
    }

    /// Draws all of it anew, for the terminal may be another by now.
    private func resize() {
        shown = nil
        view.resize(to: Size(terminal.size))
    }

    private func carryOutWishes() throws {
        var wishes = view.takeWishes()
        while !wishes.isEmpty {
            for wish in wishes { try carryOut(wish) }
            wishes = view.takeWishes()
        }
    }

    private func carryOut(_ wish: Wish) throws {
        switch wish {
        case .connect: line.dial()
        case .disconnect: line.hangUp()
        case .send(let text): line.say(text)
        case .keep(let token, let bidder, let game): keep(token, bidder, game)
        case .redraw: shown = nil
        case .suspend: try suspend()
        case .leave(let code, let complaint):
            ending = Ending(code: code, complaint: complaint, signal: nil)
        }
    }

    /// Draws what has changed, unless the terminal has yet to take what it was given before.
    private func draw() throws {
        if terminal.isDrained, ending == nil, let frame = view.takeFrame() {
            terminal.write(
                Renderer().difference(from: shown, to: frame, isColoured: isColoured))
            shown = frame
        }
        try loop.change(
            terminalHandle, to: terminal.isDrained ? .readable : [.readable, .writable])
    }
}

extension Size {
    fileprivate init(_ size: (columns: Int, rows: Int)) {
        self.init(columns: size.columns, rows: size.rows)
    }
}

extension Duration {
    fileprivate var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
