import Auction
import Basics
import Bidder
import Posix
import Transport

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A client that shows the sale on the full screen: a view, its terminal and its connection.
package final class TerminalClient {
    /// The time for the rest of an escape sequence to arrive, before it is read as single keys.
    private static let escapeTimeout = Duration.milliseconds(50)

    private let view: LiveView
    private let connection: ServerConnection
    private let terminal: TerminalDevice
    private let depth: ColorDepth
    private let showsTitle: Bool
    private let perform: (ClientEffect) throws -> Void
    private let loop: EventLoop
    private let signals: SignalPipe
    private let start = Instant.now
    private let terminalHandle: Handle
    private let signalHandle: Handle
    private var keys = KeyReader()
    private var keyDeadline: Instant?
    /// The frame on the terminal; nil if its content is unknown.
    private var shown: Frame?
    /// The title of the window; nil if it is unknown.
    private var shownTitle: String?
    private var ending: (code: ExitCode, signal: Int32?)?
    private var buffer = [UInt8](repeating: 0, count: 4096)

    /// Makes a client on the terminal of standard output, else on the controlling terminal.
    ///
    /// With `showsTitle` the title of the window shows the price and how the user stands.
    /// `perform` carries out effects on files, and collects the complaints to print after the run.
    ///
    /// - Throws: `SystemError` if there is no terminal, or no descriptor is free.
    package init(
        at server: ServerAddress, depth: ColorDepth, showsTitle: Bool = false,
        view makeView: (Size) -> LiveView,
        perform: @escaping (ClientEffect) throws -> Void
    ) throws {
        terminal = try TerminalDevice()
        self.depth = depth
        self.showsTitle = showsTitle
        self.perform = perform
        loop = try EventLoop()
        connection = ServerConnection(to: server, readsInPeriods: true, loop: loop)
        signals = try SignalPipe(
            signals: [SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGTSTP, SIGCONT])
        terminalHandle = try loop.register(terminal.descriptor, for: .readable)
        signalHandle = try loop.register(signals.descriptor, for: .readable)
        view = makeView(Size(terminal.size))
    }

    /// Shows the sale until the user leaves, restores the terminal, and returns the exit code.
    ///
    /// Returns also the signal that ended the run, which the caller should raise again, if one did.
    ///
    /// - Throws: `SystemError` if the terminal or the loop fails, or an error of `perform`.
    package func run() throws -> (code: ExitCode, signal: Int32?) {
        try terminal.enter()
        defer { terminal.leave() }
        view.begin()
        try loop.run { [self] ready, _ in
            advance()
            for readiness in ready { try attend(to: readiness) }
            flushKeys()
            view.receive(connection.poll())
            try carryOutEffects()
            connection.flush()
            try draw()
            if ending != nil { loop.stop() }
            return nextDeadline
        }
        return ending ?? (.lost, nil)
    }

    private func advance() {
        view.advance(to: start.duration(to: .now))
    }

    private var nextDeadline: Instant? {
        let deadline = view.timeline.nextDeadline.map { start.advanced(by: $0) }
        return [deadline, keyDeadline, connection.deadline].compactMap { $0 }.min()
    }

    private func attend(to readiness: Readiness) throws {
        switch readiness.handle {
        case terminalHandle:
            if readiness.isWritable { terminal.flush() }
            if readiness.isReadable { readKeys() }
        case signalHandle:
            while let signal = signals.next() { try handle(signal) }
        default: view.receive(connection.handle(readiness))
        }
    }

    private func readKeys() {
        guard let count = terminal.read(into: &buffer) else { return }
        guard count > 0 else { return end(with: SIGHUP) }
        for key in keys.receive(buffer.span.extracting(first: count)) { view.press(key) }
        keyDeadline = keys.awaitsMore ? .now.advanced(by: Self.escapeTimeout) : nil
    }

    private func flushKeys() {
        guard let deadline = keyDeadline, .now >= deadline else { return }
        keyDeadline = nil
        for key in keys.flush() { view.press(key) }
    }

    private func handle(_ signal: Int32) throws {
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
        ending = (.lost, signal)
    }

    /// Sends queued lines, stops the job until it is continued, and then redraws.
    private func suspend() throws {
        connection.flush()
        try terminal.suspend()
        advance()
        resize()
    }

    /// Makes the next `draw` redraw the whole screen, at the terminal's current size.
    private func resize() {
        (shown, shownTitle) = (nil, nil)
        view.resize(to: Size(terminal.size))
    }

    private func carryOutEffects() throws {
        var effects = view.takeEffects()
        while !effects.isEmpty {
            for effect in effects { try carryOut(effect) }
            effects = view.takeEffects()
        }
    }

    private func carryOut(_ effect: ClientEffect) throws {
        switch effect {
        case .connect: connection.connect()
        case .disconnect: connection.disconnect()
        case .send(let line): connection.send(line)
        case .show, .say, .note, .complain, .keep: try perform(effect)
        case .bell: terminal.write([0x07])
        case .redraw: shown = nil
        case .suspend: try suspend()
        case .exit(let code): ending = (code, nil)
        }
    }

    /// Draws the newest frame if the terminal has taken the last one; otherwise a later call does.
    private func draw() throws {
        if terminal.isDrained, ending == nil, let frame = view.takeDrawing()?() {
            terminal.write(frame.difference(from: shown, in: depth))
            drawTitle()
            shown = frame
        }
        try loop.change(
            terminalHandle, to: terminal.isDrained ? .readable : [.readable, .writable])
    }

    /// Writes the title of the window if it changed.
    ///
    /// Source: "XTerm Control Sequences", OSC 2; the terminal restores its own title at the end.
    private func drawTitle() {
        guard showsTitle, view.title != shownTitle else { return }
        shownTitle = view.title
        terminal.write(Array("\u{1B}]2;\(view.title)\u{1B}\\".utf8))
    }
}

/// The consoles that have neither windows nor the characters of the chart.
private let consoles: Set = ["linux", "vt52", "vt100", "vt102", "vt220", "ansi"]

/// Whether, by the environment, the terminal is in a window, whose title can be set.
package func hasWindowTitle(environment: (String) -> String?) -> Bool {
    guard let term = environment("TERM") else { return false }
    return !consoles.contains(term)
}

/// Whether, by the environment, the terminal shows only ASCII.
///
/// True for a locale without UTF-8, and for consoles whose fonts lack the characters of the chart.
/// The locale is the first non-empty variable of `LC_ALL`, `LC_CTYPE` and `LANG`.
///
/// Source: POSIX, Environment Variables, 8.2.
package func showsOnlyASCII(environment: (String) -> String?) -> Bool {
    if let term = environment("TERM"), consoles.contains(term) { return true }
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(environment)
        .first { !$0.isEmpty }?.lowercased()
    guard let locale else { return true }
    return !locale.contains("utf-8") && !locale.contains("utf8")
}

extension Size {
    fileprivate init(_ size: (columns: Int, rows: Int)) {
        self.init(columns: size.columns, rows: size.rows)
    }
}
