/// The events of a signal and their times, drawn as one line with a character for each tick.
///
/// `-` is a tick in silence, a letter or digit a value, `|` the completion and `#` a failure. What
/// stands in parentheses happens at the tick of the opening one; the characters still count as
/// ticks, so that lines can be compared by eye.
public struct Diagram: Equatable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// One word of a signal.
    public struct Mark: Equatable {
        /// When it was emitted.
        public let tick: Int
        /// What was emitted.
        public let symbol: Character

        /// Makes one.
        public init(tick: Int, symbol: Character) {
            self.tick = tick
            self.symbol = symbol
        }
    }

    /// All events, in order.
    public private(set) var marks: [Mark] = []

    /// Makes a diagram of events.
    public init(marks: [Mark]) {
        self.marks = marks
    }

    /// Reads a diagram.
    public init(stringLiteral text: String) {
        self.init(text)
    }

    /// Reads a diagram.
    public init(_ text: String) {
        var groupStart: Int?
        for (tick, symbol) in text.enumerated() {
            switch symbol {
            case "-": break
            case "(": groupStart = tick
            case ")": groupStart = nil
            default: marks.append(Mark(tick: groupStart ?? tick, symbol: symbol))
            }
        }
    }

    /// The diagram as one line.
    public var description: String {
        var line = ""
        var rest = marks[...]
        while let first = rest.first {
            let group = rest.prefix { $0.tick == first.tick }
            rest = rest.dropFirst(group.count)
            line += String(repeating: "-", count: max(0, first.tick - line.count))
            let symbols = String(group.map(\.symbol))
            line += group.count == 1 ? symbols : "(\(symbols))"
        }
        return line
    }
}
