/// The submitted lines, and the position of the user in them.
struct LineHistory: Equatable, Sendable {
    /// The line being typed, the offer for an empty line, or a submitted line.
    private enum Place: Equatable {
        case draft
        case offer
        case entry(Int)
    }

    /// The maximum number of stored lines.
    static let maximumLines = 100

    private var entries: [String] = []
    private var place = Place.draft
    private var draft = ""

    /// Adds a line unless it is blank or equal to the newest, and returns to the draft.
    mutating func add(_ line: String) {
        leave()
        guard !line.isEmpty, line != entries.last else { return }
        entries.append(line)
        if entries.count > Self.maximumLines { entries.removeFirst() }
    }

    /// Forgets the newest line.
    mutating func forget() {
        leave()
        _ = entries.popLast()
    }

    /// Makes the shown line the draft, because it was edited.
    mutating func leave() {
        (place, draft) = (.draft, "")
    }

    /// Goes one line back from the shown one, and returns it; nil at the oldest.
    mutating func goBack(from line: String, offer: String?) -> String? {
        switch place {
        case .draft:
            if line.isEmpty, let offer {
                place = .offer
                return offer
            }
            return goBack(to: entries.count - 1, keeping: line)
        case .offer: return goBack(to: entries.count - 1, keeping: "")
        case .entry(let index): return goBack(to: index - 1, keeping: draft)
        }
    }

    /// Goes one line forward, and returns it; nil at the draft.
    mutating func goForward(offer: String?) -> String? {
        switch place {
        case .draft:
            return nil
        case .entry(let index) where index + 1 < entries.count:
            place = .entry(index + 1)
            return entries[index + 1]
        case .entry:
            if draft.isEmpty, let offer {
                place = .offer
                return offer
            }
            place = .draft
            return draft
        case .offer:
            place = .draft
            return ""
        }
    }

    private mutating func goBack(to index: Int, keeping line: String) -> String? {
        guard index >= 0 else { return nil }
        (place, draft) = (.entry(index), line)
        return entries[index]
    }
}
