/// The result of a scenario: a table for a reader, and the same figures as one JSON object.
///
/// A figure that is nil has neither a row nor a key.
public struct Report: Sendable {
    private var rows: [(name: String, value: String)] = []
    private var members: [(key: String, value: String)] = []

    /// Creates a report without figures.
    public init(of scenario: String) {
        members.append(("scenario", "\"\(scenario)\""))
    }

    /// A table of two columns, the second aligned to the right, without its last newline.
    public var text: String {
        let left = rows.map(\.name.count).max() ?? 0
        let right = rows.map(\.value.count).max() ?? 0
        return rows.map { name, value in
            let gap = left - name.count + 2 + right - value.count
            return name + String(repeating: " ", count: gap) + value
        }.joined(separator: "\n")
    }

    /// One JSON object, on one line.
    public var json: String { object(members) }

    /// Adds a count; without a name it has no row.
    public mutating func add(_ name: String?, _ key: String, _ count: Int?) {
        guard let count else { return }
        if let name { rows.append((name, count.grouped)) }
        members.append((key, "\(count)"))
    }

    /// Adds a measure, rounded to a number of decimal places; its row has the unit.
    public mutating func add(
        _ name: String, _ key: String, _ measure: Double?, places: Int, unit: String = ""
    ) {
        guard let measure else { return }
        let text = measure.text(places: places)
        rows.append((name, unit.isEmpty ? text : "\(text) \(unit)"))
        members.append((key, text))
    }

    /// Adds a number of events as a rate a second, rounded; nothing without a duration.
    public mutating func add(_ name: String, _ key: String, _ count: Int, in nanoseconds: Int64) {
        guard nanoseconds > 0 else { return }
        add(name, key, Int((Double(count) * 1e9 / Double(nanoseconds)).rounded()))
    }

    /// Adds percentiles and the maximum of durations in nanoseconds; nothing if there are none.
    ///
    /// The rows are in microseconds.
    public mutating func add(
        _ name: String, _ key: String, _ times: Histogram, percentiles: [Double] = [50, 99]
    ) {
        guard times.count > 0 else { return }
        var figures = percentiles.map { percent in
            (name: "p" + percent.shortText, value: times.percentile(percent))
        }
        figures.append((name: "max", value: times.maximum))
        for figure in figures {
            let microseconds = (Double(figure.value) / 1e3).text(places: 1)
            rows.append(("\(name) \(figure.name)", "\(microseconds) us"))
        }
        members.append((key, object(figures.map { ($0.name, "\($0.value)") })))
    }

    private func object(_ members: [(key: String, value: String)]) -> String {
        "{" + members.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
    }
}

extension Int {
    /// The number with a comma before every three digits, as in `1,234,567`.
    public var grouped: String {
        let digits = Array(String(magnitude))
        let parts = digits.enumerated().map { index, digit in
            let left = digits.count - index
            return index > 0 && left % 3 == 0 ? ",\(digit)" : "\(digit)"
        }
        return (self < 0 ? "-" : "") + parts.joined()
    }
}

extension Double {
    /// The number with a number of decimal places, at least one.
    fileprivate func text(places: Int) -> String {
        let scale = (0..<places).reduce(1) { scale, _ in scale * 10 }
        let scaled = Int((magnitude * Double(scale)).rounded())
        let fraction = String(scaled % scale)
        let zeros = String(repeating: "0", count: places - fraction.count)
        return "\(self < 0 && scaled > 0 ? "-" : "")\(scaled / scale).\(zeros)\(fraction)"
    }

    /// `50` for 50, `99.9` for 99.9.
    fileprivate var shortText: String {
        let text = "\(self)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
