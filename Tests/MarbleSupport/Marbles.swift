import Reactive

/// A failure that is none but the one that a test expects.
public struct Broken: Error, Equatable {
    /// Makes one.
    public init() {}
}

/// A marble diagram: a text with a line for each signal, played on a timeline that is advanced by
/// hand.
///
/// A line is a name and a `Diagram`; the line of the name `=` is what is expected. `^` and `!` on a
/// further line of a signal's name are expected too: when it was observed and when it was let go,
/// one line for each time.
@dynamicMemberLookup
public final class Marbles {
    /// The time of the diagram: a tick is a second.
    public let timeline = Timeline()
    private var diagrams: [String: String] = [:]
    private var expectedLives: [String: [Diagram]] = [:]
    private var lives: [String: [Life]] = [:]
    private var length = 0

    /// Reads a diagram.
    public init(_ text: String) {
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            precondition(words.count == 2, "a line is a name and a diagram: \(line)")
            length = max(length, words[1].count)
            if words[1].contains("^") {
                expectedLives[words[0], default: []].append(Diagram(words[1]))
            } else {
                diagrams[words[0]] = words[1]
            }
        }
    }

    /// The tick it is.
    public var tick: Int { Int(timeline.now.components.seconds) }

    /// The signal of that name, which plays its line from the beginning for everyone who observes
    /// it.
    public subscript(dynamicMember name: String) -> Signal<Character> {
        guard let text = diagrams[name] else { preconditionFailure("no line is named \(name)") }
        return Signal { [self] observer in
            let life = Life(from: tick)
            lives[name, default: []].append(life)
            observer.hold(Subscription { life.end = self.tick })
            for mark in Diagram(text).marks { schedule(mark, for: observer) }
        }
    }

    private func schedule(_ mark: Diagram.Mark, for observer: Signal<Character>.Observer) {
        func tell() {
            switch mark.symbol {
            case "|": observer.complete()
            case "#": observer.fail(Broken())
            default: observer.next(mark.symbol)
            }
        }
        // An event at the first tick is emitted inside the observation.
        guard mark.tick > 0 else { return tell() }
        observer.hold(timeline.schedule(after: .seconds(mark.tick), tell))
    }

    /// Draws what the signal emits until it is cancelled: at that tick, or when the longest line is
    /// over.
    public func watch(_ signal: Signal<Character>, until end: Int? = nil) -> Diagram {
        var marks: [Diagram.Mark] = []
        let subscription = signal.observe {
            marks.append(Diagram.Mark(tick: self.tick, symbol: $0))
        } onEnd: {
            marks.append(Diagram.Mark(tick: self.tick, symbol: $0 == nil ? "|" : "#"))
        }
        timeline.advance(to: timeline.now + .seconds(end ?? length))
        subscription.cancel()
        timeline.advance(to: max(timeline.now, .seconds(length)))
        return Diagram(marks: marks)
    }

    /// When the signal of that name was observed and let go, each time.
    public func lives(of name: String) -> [Diagram] {
        lives[name, default: []].map(\.diagram)
    }

    /// Plays the signal against the expected lines, and returns in words what is different.
    ///
    /// After that nothing may be left of the signal.
    public func differences(_ signal: Signal<Character>, until end: Int? = nil) -> [String] {
        guard let expected = diagrams["="] else {
            preconditionFailure("what is expected stands in a line named =")
        }
        let drawn = watch(signal, until: end)
        var differences: [String] = []
        if drawn != Diagram(expected) { differences.append("\(drawn) is not \(Diagram(expected))") }
        for (name, expected) in expectedLives where lives(of: name) != expected {
            differences.append("\(name) lived \(lives(of: name)), not \(expected)")
        }
        if timeline.nextDeadline != nil { differences.append("work is left over") }
        return differences
    }
}

/// When a source was observed and let go.
private final class Life {
    private let start: Int
    var end: Int?

    init(from start: Int) {
        self.start = start
    }

    var diagram: Diagram {
        let marks = [Diagram.Mark(tick: start, symbol: "^")]
        return Diagram(marks: marks + [end].compactMap { $0 }.map { .init(tick: $0, symbol: "!") })
    }
}
