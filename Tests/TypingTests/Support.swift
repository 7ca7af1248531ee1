import Testing
import Typing

/// The keys that type a text.
func typed(_ text: String) -> [Key] {
    text.map { .character($0) }
}

/// The keys of some bytes that come so many at a time; what is held in the end is not flushed.
func keys(of bytes: [UInt8], by size: Int, with reader: inout KeyReader) -> [Key] {
    stride(from: 0, to: bytes.count, by: size).flatMap { start in
        reader.receive(Array(bytes[start..<min(start + size, bytes.count)]).span)
    }
}

/// The keys of some bytes that come all at once.
func keys(of text: String) -> [Key] {
    var reader = KeyReader()
    return reader.receive(Array(text.utf8).span)
}

extension LineEditor {
    /// An editor in which these keys were pressed, with nothing on offer unless it is given.
    init(_ keys: [Key], completions: [String] = [], offer: String? = nil) {
        self.init(completions: completions)
        for key in keys { _ = press(key, offer: offer) }
    }

    /// The text with a bar for the cursor.
    var shown: String {
        textBeforeCursor + "|" + text.dropFirst(cursor)
    }
}

/// A text of controls, which the report of a test must not send to the terminal as they are.
struct Raw: CustomTestStringConvertible, ExpressibleByStringInterpolation, Sendable {
    let text: String

    init(stringLiteral text: String) {
        self.text = text
    }

    var bytes: [UInt8] { Array(text.utf8) }

    var testDescription: String { text.debugDescription }
}
