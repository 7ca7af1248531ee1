import Arguments
import Auction
import Strategies

extension ValueFormat where Value == Bidder {
    /// A name to bid under.
    static var bidder: ValueFormat {
        ValueFormat(
            placeholder: "NAME",
            expected: "1 to \(Bidder.longest) letters, digits, _ or -, not beginning with -",
            read: { $0.hasPrefix("-") ? nil : Bidder($0) }, write: { $0.description })
    }
}

extension ValueFormat where Value == RoomName {
    /// The name of a room.
    static var room: ValueFormat {
        ValueFormat(
            placeholder: "ROOM",
            expected: RoomName.allowed,
            read: { RoomName($0) }, write: { $0.description })
    }
}

extension RoomName {
    /// What a name may be, in words.
    static let allowed =
        "1 to \(longest) small letters, digits and -, not beginning with -"
}

extension ValueFormat where Value == [StrategyKind] {
    /// Names of strategies, separated by commas.
    static var strategies: ValueFormat {
        let names = StrategyKind.allCases.map(\.rawValue)
        return ValueFormat(
            placeholder: "LIST",
            expected: "one or more of \(names.joined(separator: ", ")), separated by commas",
            words: names,
            read: { text in
                let words = text.split(separator: ",", omittingEmptySubsequences: false)
                let kinds = words.compactMap { StrategyKind(rawValue: String($0)) }
                return kinds.count == words.count ? kinds : nil
            },
            write: { $0.map(\.rawValue).joined(separator: ",") })
    }
}

extension ValueFormat where Value == ClosedRange<Int64> {
    /// Two amounts such as `50..150`, the lower one first.
    static var range: ValueFormat {
        ValueFormat(
            placeholder: "A..B", expected: "two amounts such as 50..150, the lower one first",
            read: { ClosedRange(values: $0) },
            write: { "\($0.lowerBound)..\($0.upperBound)" })
    }
}
