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
    /// - Throws: `SystemError` when nobody reads standard output, or its disk is full.
    func perform(_ action: Action) throws(SystemError) {
        switch action {
        case .show(let line): try StandardStream.output.write(output.text(of: line))
        case .complain(let line): complain(line)
        case .send, .keep, .exit: break
        }
    }

    /// Says what the server said as it is, and what we say with our name before it.
    private func complain(_ line: Line) {
        let text = error.text(of: line)
        StandardStream.error.say(line.notice == nil ? "auction-client: \(text)" : text)
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
