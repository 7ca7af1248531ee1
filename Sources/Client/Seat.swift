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

    let view: LiveView
    let line: ServerLine
    let terminal: Terminal
    let isColoured: Bool
    let keep: (String, Bidder, GameID?) -> Void
    let loop: EventLoop
    let signals: SignalPipe
    private let startNanoseconds = monotonicNanoseconds()
    let terminalHandle: Handle
    private let signalHandle: Handle
    var keys = KeyReader()
    var keyDeadline: Int64?
    var shown: Frame?
    var ending: Ending?
    var buffer = [UInt8](repeating: 0, count: 4096)

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

    func advance() {
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
}

extension Size {
    init(_ size: (columns: Int, rows: Int)) {
        self.init(columns: size.columns, rows: size.rows)
    }
}

extension Duration {
    fileprivate var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
