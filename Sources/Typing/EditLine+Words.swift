extension EditLine {
    /// Where the word before the cursor starts, if only blanks part words.
    var blankWordStart: Int {
        before.reversed().drop(while: \.isWhitespace).drop { !$0.isWhitespace }.count
    }

    /// What completes the first word, at whose end the cursor is; nil if nothing can.
    ///
    /// It is what all words that begin alike have in common, and a space after the only one.
    func completion(among words: [String]) -> String? {
        let begun = before.drop(while: \.isWhitespace)
        guard !begun.contains(where: \.isWhitespace), after.first?.isWhitespace ?? true else {
            return nil
        }
        let matches = words.filter { $0.starts(with: begun) }
        guard let first = matches.first else { return nil }
        let common = matches.dropFirst().reduce(first[...]) { common, word in
            common.prefix(zip(common, word).prefix { $0 == $1 }.count)
        }
        let rest = String(common.dropFirst(begun.count))
        return matches.count == 1 && after.isEmpty ? rest + " " : rest
    }
}

extension String {
    /// The text without the blanks at its ends.
    var trimmed: String {
        let start = drop(while: \.isWhitespace)
        return String(
            start.prefix(start.count - start.reversed().prefix(while: \.isWhitespace).count))
    }
}
