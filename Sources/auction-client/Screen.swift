import BidderView
import Posix

/// The two streams that lines are shown on, each with the look that suits it.
struct Screen {
    private let output: Paint
    private let error: Paint

    init(colouring: Colouring) {
        output = Self.paint(colouring, on: .output)
        error = Self.paint(colouring, on: .error)
    }

    /// Shows a line on standard output, or what went wrong on standard error.
    ///
    /// - Throws: `OutputError` if standard output has no reader, or its disk is full.
    func perform(_ action: Action) throws(OutputError) {
        switch action {
        case .show(let line): try Self.write(output.text(of: line))
        case .complain(let line): complain(line)
        case .send, .keep, .exit: break
        }
    }

    private func complain(_ line: Line) {
        StandardStream.error.say("auction-client: \(error.text(of: line))")
    }

    /// Writes a line of text to standard output.
    ///
    /// - Throws: `OutputError` when that fails.
    static func write(_ text: String) throws(OutputError) {
        do {
            try StandardStream.output.write(text)
        } catch {
            throw OutputError(reason: error)
        }
    }

    /// Whether to colour what goes to a stream.
    static func isColoured(_ colouring: Colouring, on stream: StandardStream) -> Bool {
        switch colouring {
        case .always: true
        case .never: false
        case .auto: stream.isTerminal && allowsColour
        }
    }

    private static func paint(_ colouring: Colouring, on stream: StandardStream) -> Paint {
        Paint(isColoured: isColoured(colouring, on: stream))
    }

    /// Source: no-color.org.
    private static var allowsColour: Bool {
        (environmentVariable("NO_COLOR") ?? "").isEmpty && environmentVariable("TERM") != "dumb"
    }
}

/// Standard output cannot be written to.
struct OutputError: Error, CustomStringConvertible {
    let reason: SystemError

    var description: String { "cannot write to standard output: \(reason)" }
}
