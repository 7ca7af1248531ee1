import Basics
import Bidder

/// A line of text with a cursor between its characters.
struct EditLine: Equatable, Sendable {
    /// The maximum length of a line in bytes.
    static let maximumBytes = 1000

    private(set) var text = ""
    /// The number of characters before the cursor.
    ///
    /// - Invariant: In `0...text.count`.
    private(set) var cursor = 0

    var before: Substring { text.prefix(cursor) }
    var after: Substring { text.dropFirst(cursor) }

    /// The start of the word before the cursor.
    var wordStart: Int {
        let word = before.reversed().drop { !$0.isOfWord }.drop { $0.isOfWord }
        return word.count
    }

    /// The end of the word after the cursor.
    var wordEnd: Int {
        text.count - after.drop { !$0.isOfWord }.drop { $0.isOfWord }.count
    }

    /// Inserts printable characters at the cursor, as many as fit.
    mutating func insert(_ new: String) {
        var permitted = ""
        permitted.unicodeScalars.append(contentsOf: new.unicodeScalars.lazy.filter(\.isPrintable))
        var room = Self.maximumBytes - text.utf8.count
        let fitting = permitted.prefix { character in
            room -= character.utf8.count
            return room >= 0
        }
        join(before + fitting, after)
    }

    /// Replaces the text, and moves the cursor to its end.
    mutating func replace(with new: String) {
        self = EditLine()
        insert(new)
    }

    /// Moves the cursor, unless the place is outside of the text.
    mutating func move(to place: Int) {
        if (0...text.count).contains(place) { cursor = place }
    }

    /// Removes the characters between the cursor and a place, and returns them.
    mutating func remove(to place: Int) -> String {
        guard (0...text.count).contains(place) else { return "" }
        let (start, end) = (min(place, cursor), max(place, cursor))
        let removed = text.prefix(end).dropFirst(start)
        join(text.prefix(start), text.dropFirst(end))
        return String(removed)
    }

    /// Joins two texts with the cursor between them.
    ///
    /// A letter and a mark that meet become one character; the cursor is then after it.
    private mutating func join(_ before: Substring, _ after: Substring) {
        text = String(before + after)
        let seam = text.utf8.index(text.startIndex, offsetBy: before.utf8.count)
        cursor = text.indices.prefix { $0 < seam }.count
    }
}

extension Character {
    fileprivate var isOfWord: Bool { isLetter || isNumber }
}

extension EditLine {
    /// The start of the word before the cursor, if words are separated by blanks alone.
    var blankWordStart: Int {
        before.reversed().drop(while: \.isWhitespace).drop { !$0.isWhitespace }.count
    }

    /// The rest of the line, if the cursor is at the end of a word; nil if no line matches.
    ///
    /// The common prefix of all matches; a single match is followed by a space.
    func completion(among lines: [String]) -> String? {
        let begun = before.drop(while: \.isWhitespace)
        guard after.first?.isWhitespace ?? true else { return nil }
        let matches = lines.filter { $0.starts(with: begun) }
        guard let first = matches.first else { return nil }
        let common = matches.dropFirst().reduce(first[...]) { common, word in
            common.prefix(zip(common, word).prefix { $0 == $1 }.count)
        }
        let rest = String(common.dropFirst(begun.count))
        return matches.count == 1 && after.isEmpty ? rest + " " : rest
    }
}

extension String {
    /// The text without blanks at its ends.
    var trimmed: String {
        let start = drop(while: \.isWhitespace)
        return String(
            start.prefix(start.count - start.reversed().prefix(while: \.isWhitespace).count))
    }
}
