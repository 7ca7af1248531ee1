import SafeText

/// A line of text with a cursor between its characters.
struct EditLine: Equatable, Sendable {
    /// The most bytes that a line may have.
    static let limit = 1000

    private(set) var text = ""
    /// How many characters stand before the cursor.
    ///
    /// - Invariant: In `0...text.count`.
    private(set) var cursor = 0

    var before: Substring { text.prefix(cursor) }
    var after: Substring { text.dropFirst(cursor) }

    /// Where the word before the cursor starts.
    var wordStart: Int {
        let word = before.reversed().drop { !$0.isOfWord }.drop { $0.isOfWord }
        return word.count
    }

    /// Where the word after the cursor ends.
    var wordEnd: Int {
        text.count - after.drop { !$0.isOfWord }.drop { $0.isOfWord }.count
    }

    /// Inserts at the cursor as many characters as there is room for, without those that are no text.
    mutating func insert(_ new: String) {
        var permitted = ""
        permitted.unicodeScalars.append(contentsOf: new.unicodeScalars.lazy.filter(\.isPrintable))
        var room = Self.limit - text.utf8.count
        let fitting = permitted.prefix { character in
            room -= character.utf8.count
            return room >= 0
        }
        join(before + fitting, after)
    }

    /// Puts another text for all of this one, with the cursor at its end.
    mutating func replace(with new: String) {
        self = EditLine()
        insert(new)
    }

    /// Moves the cursor, or leaves it if there is no such place.
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

    /// Sets the text, and the cursor between its halves.
    ///
    /// What meets may become one character, as a letter and a mark do: then the cursor is after it.
    private mutating func join(_ before: Substring, _ after: Substring) {
        text = String(before + after)
        let seam = text.utf8.index(text.startIndex, offsetBy: before.utf8.count)
        cursor = text.indices.prefix { $0 < seam }.count
    }
}

extension Character {
    fileprivate var isOfWord: Bool { isLetter || isNumber }
}
