import Auction
import Basics
import Posix
import Transport

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A client that prints lines: runs a `OneShotSession` over a connection, on its own event loop.
package final class PlainClient {
    private let timeout: Duration
    private let server: ServerAddress
    private let perform: (ClientEffect) throws -> Void
    private let loop: EventLoop
    private let connection: ServerConnection
    private let input: LineInput?
    private var reconnection = Reconnection(backoff: Backoff { .random(in: 0...1) })
    private var session: OneShotSession
    /// The time limit for the server to answer; nil if no answer is due.
    private var answerDeadline: Instant?
    private var exitCode: ExitCode?
    /// The signals of the user who interrupts the run; nil if they kill the process.
    private let signals: SignalPipe?
    private let signalHandle: Handle?
    private var signal: Int32?

    /// Makes a client that is not connected yet.
    ///
    /// In a `play` session, lines are read from `input`, a descriptor that the caller keeps open.
    /// The server has `timeout` to accept the connection, to greet, and to answer each request.
    /// With `catchesInterrupts` an interrupt ends the session, which may say what of a bid stays.
    /// `perform` carries out the effects on the output and the files.
    ///
    /// - Throws: `SystemError` if no descriptor is free.
    package init(
        _ session: OneShotSession, at server: ServerAddress, input: Int32? = nil,
        timeout: Duration = .seconds(5), catchesInterrupts: Bool = false,
        perform: @escaping (ClientEffect) throws -> Void
    ) throws {
        self.session = session
        self.server = server
        self.timeout = timeout
        self.perform = perform
        loop = try EventLoop()
        connection = ServerConnection(
            to: server, timeout: timeout, loop: loop)
        self.input = input.map { [loop] in LineInput($0, loop: loop) }
        if catchesInterrupts {
            let pipe = try SignalPipe(signals: [SIGINT, SIGTERM])
            signalHandle = try loop.register(pipe.descriptor, for: .readable)
            signals = consume pipe
        } else {
            signals = nil
            signalHandle = nil
        }
    }

    /// Connects, runs the session to its end, and returns the exit code.
    ///
    /// Returns also the signal that ended the run, which the caller should raise again, if one did.
    ///
    /// - Throws: `SystemError` if the loop fails, or an error of `perform`.
    package func run() throws -> (code: ExitCode, signal: Int32?) {
        connection.connect()
        try loop.run { ready, _ in
            for readiness in ready { try attend(to: readiness) }
            if let input, input.isDue { try send(input.read()) }
            try handle(connection.poll())
            try checkDeadline()
            if reconnection.beginRetry(at: .now) { connection.connect() }
            connection.flush()
            if exitCode != nil { loop.stop() }
            // Reads no input while sent lines are still queued, so that the queue stays short.
            try input?.want(session.wantsInput && connection.isDrained)
            return [answerDeadline, reconnection.retryAt].compactMap { $0 }.min()
        }
        return (exitCode ?? .lost, signal)
    }

    private func attend(to readiness: Readiness) throws {
        if readiness.handle == signalHandle {
            while let signal = signals?.next() { try interrupt(by: signal) }
        } else if let input, input.owns(readiness) {
            try send(input.read())
        } else {
            try handle(connection.handle(readiness))
        }
    }

    private func interrupt(by signal: Int32) throws {
        self.signal = signal
        try carryOut(session.interrupt() + [.exit(.lost)])
    }

    private func handle(_ events: [ServerConnection.Event]) throws {
        for event in events {
            switch event {
            case .connected:
                reconnection.connect()
                try carryOut(session.begin())
            case .unreachable(let error):
                let complaint = "cannot reach a server at \(server): \(error)"
                if !retry() { try carryOut([.complain(complaint), .exit(.lost)]) }
            case .line(let line):
                reconnection.noteAnswer(at: .now)
                try carryOut(session.receive(line))
            case .lost:
                let isFirst = reconnection.isConnected
                if !retry() {
                    try carryOut(session.lose())
                } else if isFirst {
                    try carryOut([.complain("the connection is lost, connecting again")])
                }
            }
        }
        if !events.isEmpty { setDeadline() }
    }

    private func setDeadline() {
        answerDeadline = reconnection.isConnected && session.awaitsAnswer ? newDeadline : nil
    }

    /// Schedules another connection; false if the session has ended or ends with this one.
    private func retry() -> Bool {
        guard session.outlivesConnection, reconnection.retry(at: .now) else { return false }
        session.disconnect()
        connection.disconnect()
        return true
    }

    private func send(_ items: [LineInput.Item]) throws {
        for item in items {
            switch item {
            case .line(let line): try carryOut(session.send(line))
            case .unusable(let reason): try carryOut([.complain(reason)])
            case .unreadable(let reason): try carryOut([.complain(reason), .exit(.usage)])
            case .end: try carryOut(session.endInput())
            }
        }
        if answerDeadline == nil, session.awaitsAnswer { answerDeadline = newDeadline }
    }

    private var newDeadline: Instant { .now.advanced(by: timeout) }

    private func checkDeadline() throws {
        guard let deadline = answerDeadline, .now >= deadline else { return }
        answerDeadline = nil
        if !retry() { try carryOut([.complain("the server does not answer"), .exit(.lost)]) }
    }

    private func carryOut(_ effects: [ClientEffect]) throws {
        for effect in effects {
            switch effect {
            case .send(let line): connection.send(line)
            case .exit(let code): exitCode = code
            case .show, .say, .complain, .keep: try perform(effect)
            // Only a live view causes these.
            case .connect, .disconnect, .note, .redraw, .suspend, .bell: break
            }
        }
    }
}
