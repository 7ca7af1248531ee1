extension StringProtocol {
    /// The candidate that was probably meant, the first of equals, or nil if none is close.
    ///
    /// Close is its beginning, or an edit for every two of its characters but two at most.
    func nearest(among candidates: [String]) -> String? {
        guard count >= 2 else { return nil }
        let ranked = candidates.map { (name: $0, edits: $0.hasPrefix(self) ? 0 : edits(to: $0)) }
        guard let best = ranked.min(by: { $0.edits < $1.edits }) else { return nil }
        return best.edits <= Swift.min(2, best.name.count / 2) ? best.name : nil
    }

    /// The insertions, deletions and replacements that turn one text into the other.
    private func edits(to other: String) -> Int {
        var row = Array(0...other.count)
        for (i, left) in enumerated() {
            var next = [i + 1]
            for (j, right) in other.enumerated() {
                let replaced = row[j] + (left == right ? 0 : 1)
                next.append(Swift.min(row[j + 1] + 1, next[j] + 1, replaced))
            }
            row = next
        }
        return row[other.count]
    }
}
