import Auction
import Basics
import Wire

/// A line of the server.
package struct ReceivedLine: Equatable, Sendable {
    /// The text as received, without the line end.
    package let text: String
    /// The message; nil if this client does not know it.
    package let message: ServerMessage?
    /// What a line of JSON says beside its message.
    package let stamp: NewsStamp

    /// Parses a line in a format.
    package init(_ text: String, format: Format = .text) {
        self.text = text
        switch format {
        case .text: (message, stamp) = (ServerMessage(text: text), NewsStamp())
        case .json:
            let stamped = StampedMessage(json: text)
            message = stamped?.message
            stamp = stamped.map { NewsStamp($0) } ?? NewsStamp()
        }
    }
}

/// The style of printed lines: escaped text, with the first word in a colour if wanted.
///
/// Escapes everything that could control a terminal, which may also be at the end of a pipe. The
/// colours are the terminal's own, readable on light and dark backgrounds.
package struct LinePaint: Sendable {
    private let isColoured: Bool

    /// Makes a style with or without colours.
    package init(isColoured: Bool) {
        self.isColoured = isColoured
    }

    /// The text to print for a line.
    package func text(of line: ReceivedLine) -> String {
        if line.text.hasPrefix("{") { return line.text.escapedJSON }
        let plain = line.text.harmless
        guard isColoured, let code = line.message.flatMap(Self.code) else { return plain }
        let end = plain.firstIndex(of: " ") ?? plain.endIndex
        return "\u{1B}[\(code)m\(plain[..<end])\u{1B}[0m\(plain[end...])"
    }

    /// The text to print for a sentence.
    package func text(of sentence: Sentence) -> String {
        let plain = sentence.text.harmless
        guard isColoured, let code = Self.code(sentence.tone) else { return plain }
        return "\u{1B}[\(code)m\(plain)\u{1B}[0m"
    }

    private static func code(_ tone: Sentence.Tone) -> String? {
        switch tone {
        case .plain: nil
        case .heading: "1"
        case .good: "32"
        case .bad: "31"
        }
    }

    /// The parameters of the escape sequence.
    ///
    /// Source: ECMA-48, SGR.
    private static func code(_ message: ServerMessage) -> String? {
        switch message {
        case .event(let event, _): code(event)
        case .ok, .purse, .worth, .maximum, .ownBid: "32"
        case .error: "31"
        case .skipped, .bye: "35"
        default: nil
        }
    }

    private static func code(_ event: SaleEvent) -> String? {
        switch event {
        case .lotOpened, .rematchBegan: "1;36"
        case .bidPlaced, .askFell, .bidRevealed: "1"
        case .secondsLeft, .termsAnnounced, .bidsSealed: "36"
        case .warned, .lastReset: "1;35"
        case .lotSold, .championNamed, .awardGiven: "1;32"
        case .bidderJoined, .bidderLeft, .messageSaid, .reacted, .displayNameSet,
            .waiting:
            "34"
        case .nextAnnounced: nil
        default: "35"
        }
    }
}
