import Bidder
import Terminal
import Testing

/// The keys that type a text.
func typed(_ text: String) -> [Key] {
    text.map { .character($0) }
}

/// The keys of bytes that arrive in pieces of a size, without a flush at the end.
func keys(of bytes: [UInt8], by size: Int, with reader: inout KeyReader) -> [Key] {
    stride(from: 0, to: bytes.count, by: size).flatMap { start in
        reader.receive(Array(bytes[start..<min(start + size, bytes.count)]).span)
    }
}

/// The keys of bytes that arrive all at once.
func keys(of text: String) -> [Key] {
    var reader = KeyReader()
    return reader.receive(Array(text.utf8).span)
}

extension LineEditor {
    /// Makes an editor in which these keys were pressed.
    init(_ keys: [Key], completions: [String] = [], offer: String? = nil) {
        self.init(completions: completions)
        for key in keys { _ = press(key, offer: offer) }
    }

    /// The text with a bar for the cursor.
    var shown: String {
        textBeforeCursor + "|" + text.dropFirst(cursor)
    }
}

/// A text with controls, which a test report shows escaped.
struct Raw: CustomTestStringConvertible, ExpressibleByStringInterpolation, Sendable {
    let text: String

    init(stringLiteral text: String) {
        self.text = text
    }

    var bytes: [UInt8] { Array(text.utf8) }

    var testDescription: String { text.debugDescription }
}
