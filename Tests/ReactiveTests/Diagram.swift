/// What a signal said and when, drawn as one line with a character for each tick.
///
/// `-` is a tick in silence, a letter or digit a value, `|` the completion and `#` a failure. What
/// stands in parentheses happens at the tick of the opening one; the characters still count as
/// ticks, so that lines can be compared by eye.
struct Diagram: Equatable, CustomStringConvertible, ExpressibleByStringLiteral {
    struct Mark: Equatable {
        let tick: Int
        let symbol: Character
    }

    private(set) var marks: [Mark] = []

    init(marks: [Mark]) {
        self.marks = marks
    }

    init(stringLiteral text: String) {
        self.init(text)
    }

    init(_ text: String) {
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

    var description: String {
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
