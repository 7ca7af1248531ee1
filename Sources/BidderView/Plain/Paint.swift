import SafeText
import Wire

/// How a line looks: without anything that could steer a terminal, which may stand behind a pipe
/// too, and its first word in a colour if wanted.
///
/// The sixteen colours are the terminal's own, so that they are readable on light and on dark.
public struct Paint: Sendable {
    private let isColoured: Bool

    /// Makes the look of lines.
    public init(isColoured: Bool) {
        self.isColoured = isColoured
    }

    /// The text to show for a line.
    public func text(of line: Line) -> String {
        if line.text.hasPrefix("{") { return line.text.escapedJSON }
        let plain = line.text.harmless
        guard isColoured, let code = line.message.flatMap(Self.code) else { return plain }
        let end = plain.firstIndex(of: " ") ?? plain.endIndex
        return "\u{1B}[\(code)m\(plain[..<end])\u{1B}[0m\(plain[end...])"
    }

    /// The parameters of the escape sequence.
    ///
    /// Source: ECMA-48, SGR.
    private static func code(_ message: ServerMessage) -> String? {
        switch message {
        case .lot: "1;36"
        case .price: "1"
        case .countdown: "36"
        case .going, .last: "1;35"
        case .winner: "1;32"
        case .ok: "32"
        case .error: "31"
        case .passed, .over, .paused, .resumed, .hammered, .voided, .kicked, .stopped, .skipped,
            .bye:
            "35"
        case .joined, .left: "34"
        case .hello, .lap, .who, .help: nil
        }
    }
}
