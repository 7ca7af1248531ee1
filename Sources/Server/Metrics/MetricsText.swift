import Basics
import House

/// Figures in the text format of Prometheus, version 0.0.4, family by family.
///
/// Each call appends one family, with its help and its type. A family has one label at most, whose
/// values the server chooses itself.
///
/// Source: Prometheus, "Exposition formats", section "Text-based format".
package struct MetricsText {
    /// The text so far; each line has its end.
    package private(set) var bytes: [UInt8] = []

    /// Creates an empty text.
    package init() {}

    /// The type of a family of single numbers.
    package enum Kind: String {
        /// A number that only grows; the family's name ends in `_total`.
        case counter
        /// A number that may also fall.
        case gauge
    }

    /// Appends a number.
    package mutating func add(_ kind: Kind, _ name: String, _ help: String, _ value: Int) {
        begin(name, kind.rawValue, help)
        sample(name, "\(value)")
    }

    /// Appends a number for each of a few words, which are the values of the label.
    package mutating func add(
        _ kind: Kind, _ name: String, _ help: String, by label: String, _ counts: WordCounts
    ) {
        begin(name, kind.rawValue, help)
        for (word, count) in counts.list { sample(name, "\(count)", (label, word)) }
    }

    /// Appends a number of nanoseconds, which is at least 0, in seconds.
    package mutating func add(
        _ kind: Kind, _ name: String, _ help: String, nanoseconds: Int64
    ) {
        begin(name, kind.rawValue, help)
        sample(name, Self.seconds(nanoseconds))
    }

    /// Appends the buckets of a histogram of durations, in seconds, with their sum and number.
    package mutating func add(
        histogram name: String, _ help: String, _ durations: DurationHistogram
    ) {
        begin(name, "histogram", help)
        for (bound, count) in zip(DurationHistogram.bounds, durations.cumulativeCounts) {
            sample("\(name)_bucket", "\(count)", ("le", Self.seconds(bound)))
        }
        sample("\(name)_bucket", "\(durations.count)", ("le", "+Inf"))
        sample("\(name)_sum", Self.seconds(durations.sum))
        sample("\(name)_count", "\(durations.count)")
    }

    private mutating func begin(_ name: String, _ type: String, _ help: String) {
        add("# HELP \(name) ")
        addEscaped(help, quotes: false)
        add("\n# TYPE \(name) \(type)\n")
    }

    private mutating func sample(
        _ name: String, _ value: String, _ label: (name: String, value: String)? = nil
    ) {
        add(name)
        if let label {
            add("{\(label.name)=\"")
            addEscaped(label.value, quotes: true)
            add("\"}")
        }
        add(" \(value)\n")
    }

    private mutating func add(_ text: String) {
        bytes += text.utf8
    }

    /// Appends a text in which backslashes, line feeds and, in a label, quotes are escaped.
    private mutating func addEscaped(_ text: String, quotes: Bool) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\\"): add("\\\\")
            case UInt8(ascii: "\n"): add("\\n")
            case UInt8(ascii: "\"") where quotes: add("\\\"")
            default: bytes.append(byte)
            }
        }
    }

    /// A number of nanoseconds, at least 0, as exact seconds without trailing zeros.
    private static func seconds(_ nanoseconds: Int64) -> String {
        let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        guard rest != 0 else { return "\(whole)" }
        let digits = "\(rest)"
        var fraction = String(repeating: "0", count: 9 - digits.utf8.count) + digits
        while fraction.utf8.last == UInt8(ascii: "0") { fraction.removeLast() }
        return "\(whole).\(fraction)"
    }
}
