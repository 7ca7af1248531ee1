/// The lines that were submitted, and where in them one is who looks back.
struct LineHistory: Equatable, Sendable {
    /// The line that is typed, what is offered when it is empty, and the lines submitted.
    private enum Place: Equatable {
        case draft
        case offer
        case entry(Int)
    }

    /// The most lines that are kept.
    static let limit = 100

    private var entries: [String] = []
    private var place = Place.draft
    private var draft = ""

    /// Keeps a line as the newest, unless it is blank or was the newest, and comes back to the end.
    mutating func add(_ line: String) {
        leave()
        guard !line.isEmpty, line != entries.last else { return }
        entries.append(line)
        if entries.count > Self.limit { entries.removeFirst() }
    }

    /// Forgets the newest line.
    mutating func forget() {
        leave()
        _ = entries.popLast()
    }

    /// Makes what is shown the line that is typed, because it was changed.
    mutating func leave() {
        (place, draft) = (.draft, "")
    }

    /// Goes one back from the line that is shown, and returns what is there if there is anything.
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

    /// Goes one forward, and returns what is there if there is anything.
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
