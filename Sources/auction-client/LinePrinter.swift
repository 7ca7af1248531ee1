import BidderView
import Posix

/// The printer of lines and complaints, on standard output and standard error.
struct LinePrinter {
    private let output: LinePaint
    private let error: LinePaint

    init(colouring: Colouring) {
        output = LinePaint(isColoured: Self.isColoured(colouring, on: .output))
        error = LinePaint(isColoured: Self.isColoured(colouring, on: .error))
    }

    /// Prints a line to standard output, or a complaint to standard error.
    ///
    /// - Throws: `OutputError` if standard output has no reader, or its disk is full.
    func perform(_ effect: ClientEffect) throws(OutputError) {
        switch effect {
        case .show(let line): try Self.write(output.text(of: line))
        case .complain(let text):
            StandardStream.error.say("auction-client: \(error.text(of: ReceivedLine(text)))")
        case .connect, .disconnect, .send, .keep, .redraw, .suspend, .exit: break
        }
    }

    /// Writes a line of text to standard output.
    ///
    /// - Throws: `OutputError` if that fails.
    static func write(_ text: String) throws(OutputError) {
        do {
            try StandardStream.output.write(text)
        } catch {
            throw OutputError(reason: error)
        }
    }

    /// Whether to colour the text of a stream.
    ///
    /// Source: no-color.org.
    static func isColoured(_ colouring: Colouring, on stream: StandardStream) -> Bool {
        switch colouring {
        case .always: true
        case .never: false
        case .auto:
            stream.isTerminal && (environmentVariable("NO_COLOR") ?? "").isEmpty
                && environmentVariable("TERM") != "dumb"
        }
    }
}

/// A failed write to standard output.
struct OutputError: Error, CustomStringConvertible {
    let reason: SystemError

    var description: String { "cannot write to standard output: \(reason)" }
}
