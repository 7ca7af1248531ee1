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
    func perform(_ action: Action) {
        switch action {
        case .show(let line): StandardStream.output.say(output.text(of: line))
        case .complain(let line): complain(line)
        case .send, .keep, .exit: break
        }
    }

    /// Says what the server said as it is, and what we say with our name before it.
    private func complain(_ line: Line) {
        let text = error.text(of: line)
        StandardStream.error.say(line.notice == nil ? "auction-client: \(text)" : text)
    }

    private static func paint(_ colouring: Colouring, on stream: StandardStream) -> Paint {
        switch colouring {
        case .always: Paint(isColoured: true)
        case .never: Paint(isColoured: false)
        case .auto:
            Paint(isColoured: stream.isTerminal && (environmentVariable("NO_COLOR") ?? "").isEmpty)
        }
    }
}
