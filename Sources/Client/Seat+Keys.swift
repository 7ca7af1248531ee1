import BidderView
import Drawing
import Posix

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

extension Seat {
    /// How long an escape that may begin a sequence is waited for to go on.
    private static let keyNanoseconds: Int64 = 50_000_000

    func readKeys() {
        switch buffer.withUnsafeMutableBytes({ terminal.read(into: $0) }) {
        case .bytes(let count):
            for key in keys.receive(buffer.span.extracting(first: count)) { view.press(key) }
            keyDeadline =
                keys.awaitsMore ? monotonicNanoseconds() + Self.keyNanoseconds : nil
        case .wouldBlock: break
        case .end: end(with: SIGHUP)
        }
    }

    func flushKeys() {
        guard let deadline = keyDeadline, monotonicNanoseconds() >= deadline else { return }
        keyDeadline = nil
        for key in keys.flush() { view.press(key) }
    }

    func take(_ signal: Int32) throws {
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
    func suspend() throws {
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
}
