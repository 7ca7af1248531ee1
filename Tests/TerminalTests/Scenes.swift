import Auction
import Bidder
import Terminal
import Testing
import Wire

/// A state of the view, reached by lines of the server, keys and time.
struct Scene: CustomTestStringConvertible, Sendable {
    let name: String
    var sizes = [Size(columns: 80, rows: 24), Size(columns: 40, rows: 12)]
    let play: @Sendable (Size) -> Stage

    var testDescription: String { name }

    /// The state on terminals of all sizes.
    var views: [View] { sizes.map { View(scene: self, size: $0) } }

    /// A state on a terminal of one size.
    struct View: CustomTestStringConvertible, Sendable {
        let scene: Scene
        let size: Size

        var file: String { "\(scene.name)-\(size.columns)x\(size.rows).txt" }
        var testDescription: String { file }

        /// The frame of the state.
        var frame: Frame {
            let stage = scene.play(size)
            _ = stage.screen
            return stage.frame
        }
    }

    static let all = connections + rooms + lots + endings + inputs + extremes + games
}

extension Scene {
    /// The widest, highest and smallest content.
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
        Scene(name: "alike-names") { size in
            let names = (1...5).map { "bidder-number-00000000-\($0)" }
            let stage = Stage.opened(size, others: names + (1...20).map { "guest-\($0)" })
            for (index, name) in names.enumerated() {
                stage.later(1.5, name, Int64(100 + 20 * index))
            }
            return stage
        },
        Scene(
            name: "too-small",
            sizes: [Size(columns: 39, rows: 11), Size(columns: 10, rows: 3)]
        ) { Stage.busy($0) },
    ]
}
