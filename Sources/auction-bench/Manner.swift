/// How bidders go on.
enum Manner {
    /// So many bids of each have no answer yet.
    case outstanding(Int)
    /// So many bids a second of all together, answered or not.
    case rate(Int)

    /// The bids that have no answer yet, where they are limited.
    var window: Int? {
        if case .outstanding(let count) = self { count } else { nil }
    }

    /// The bids a second, where they are fixed.
    var rate: Int? {
        if case .rate(let rate) = self { rate } else { nil }
    }
}
