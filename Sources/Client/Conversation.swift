import BidderView
import Posix
import Transport
import Wire

/// An errand carried out over a connection, on a loop of its own.
public final class Conversation {
    /// How long the server may take to be reached, to greet, and to answer each thing said.
    public static let patienceNanoseconds: Int64 = 5_000_000_000
    /// A line of the server's has at most so many bytes.
    private static let longestLine = 64 * 1024

    private let patienceNanoseconds: Int64
    private let perform: (Action) throws -> Void
    private let loop: EventLoop
    private let connections: Connections
    private let handle: Handle
    private let input: LineInput?
    private var errand: Errand
    private var framer = LineFramer(limit: longestLine)
    private var buffer = [UInt8](repeating: 0, count: Connections.readBytes)
    private var answerDeadline: Int64?
    private var exitCode: ExitCode?

    /// Connects to a server.
    ///
    /// What the errand wants shown or kept is handed to `perform`. The lines to play with are read
    /// from `input`, a descriptor that stays the caller's.
    ///
    /// - Throws: `EndpointError` or `SystemError` when the server cannot be reached.
    public init(
        _ errand: Errand, at server: ServerAddress, input: Int32? = nil,
        patienceNanoseconds: Int64 = Conversation.patienceNanoseconds,
        perform: @escaping (Action) throws -> Void
    ) throws {
        self.errand = errand
        self.patienceNanoseconds = patienceNanoseconds
        self.perform = perform
        loop = try EventLoop()
        connections = Connections(loop: loop, feeds: 0)
        self.input = input.map { [loop] in LineInput($0, loop: loop) }
        let socket = try connectSocket(to: server, timeoutNanoseconds: patienceNanoseconds)
        handle = try connections.adopt(socket)
        answerDeadline = monotonicNanoseconds() + patienceNanoseconds
    }

    /// Talks until the errand is done, and returns how it ended.
    ///
    /// - Throws: `SystemError` when the kernel no longer lets the loop wait, or what `perform`
    ///   throws.
    public func run() throws -> ExitCode {
        try carryOut(errand.begin())
        try loop.run { ready, _ in
            for readiness in ready { try attend(to: readiness) }
            if let input, input.isDue { try say(input.read()) }
            try checkAnswer()
            connections.flush()
            if !connections.takeEnded().isEmpty { try carryOut(errand.lose()) }
            if exitCode != nil { loop.stop() }
            try input?.want(wantsInput)
            return answerDeadline
        }
        return exitCode ?? .lost
    }

    /// Whether a line of the user's could be sent at once.
    ///
    /// A connection whose outbox fills is not read from: if the server did likewise, both would
    /// wait for ever.
    private var wantsInput: Bool {
        errand.wantsInput && connections.pendingBytes(of: handle) == 0
    }

    private func attend(to readiness: Readiness) throws {
        if let input, input.isMeant(by: readiness) { return try say(input.read()) }
        if readiness.isWritable { connections.writable(handle) }
        guard readiness.isReadable else { return }
        switch buffer.withUnsafeMutableBytes({ connections.read(handle, into: $0) }) {
        case .bytes(let count): try hear(count)
        case .wouldBlock: break
        case .end, .reset: try carryOut(errand.lose())
        }
    }

    private func hear(_ count: Int) throws {
        let lines = framer.lines(in: buffer, count: count)
        for line in lines { try carryOut(errand.hear(line)) }
        guard !lines.isEmpty else { return }
        answerDeadline =
            errand.awaitsAnswer ? monotonicNanoseconds() + patienceNanoseconds : nil
    }

    private func say(_ items: [LineInput.Item]) throws {
        for item in items {
            switch item {
            case .line(let line): try carryOut(errand.say(line))
            case .unusable(let reason): try carryOut([.complain(Line(reason))])
            case .unreadable(let reason):
                try carryOut([.complain(Line(reason)), .exit(.usage)])
            case .end: try carryOut(errand.endInput())
            }
        }
        guard answerDeadline == nil, errand.awaitsAnswer else { return }
        answerDeadline = monotonicNanoseconds() + patienceNanoseconds
    }

    private func checkAnswer() throws {
        guard let deadline = answerDeadline, monotonicNanoseconds() >= deadline else { return }
        answerDeadline = nil
        try carryOut([.complain(Line("the server does not answer")), .exit(.lost)])
    }

    private func carryOut(_ actions: [Action]) throws {
        for action in actions {
            switch action {
            case .send(let line): connections.reply(handle, Array((line + "\n").utf8))
            case .exit(let code): exitCode = code
            case .show, .complain, .keep: try perform(action)
            }
        }
    }
}
