import AuctionRules
import Drawing
import Wire

extension Scene {
    /// The widest, the highest and the smallest.
    static let extremes = [
        Scene(name: "wide-title") { size in
            Stage.opened(size, title: "青花瓷瓶 (清代) 🏺 with a lid 🇨🇳 and a 👨‍👩‍👧 on it").later(4, "bob", 120)
        },
        Scene(name: "long-title") { size in
            let word = "Louis-seize commode with marquetry of tulipwood and amaranth, "
            return Stage.opened(size, title: String(String(repeating: word, count: 4).prefix(200)))
                .later(4, "bob", 120)
        },
        Scene(name: "highest-price") { size in
            let (first, second) = ("abcdefghijklmnopqrstuvwx", "a-name-of-24-letters-123")
            return Stage.opened(size, others: [first, second])
                .later(4, first, 999_999_999_990).later(5, second, 1_000_000_000_000)
        },
        Scene(
            name: "too-small",
            sizes: [Size(columns: 39, rows: 11), Size(columns: 10, rows: 3)]
        ) { Stage.busy($0) },
    ]
}
