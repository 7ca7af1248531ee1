/// The result of a scenario, as one JSON object; a figure that is nil has no key.
public struct Report: Sendable {
    private var members: [(key: String, value: String)]

    /// Creates a report without figures.
    public init(of scenario: String) {
        members = [("scenario", "\"\(scenario)\"")]
    }

    /// One JSON object, on one line.
    public var json: String { object(members) }

    /// Adds a count.
    public mutating func add(_ key: String, _ count: Int?) {
        guard let count else { return }
        members.append((key, "\(count)"))
    }

    /// Adds a measure, rounded to a number of decimal places.
    public mutating func add(_ key: String, _ measure: Double?, places: Int) {
        guard let measure else { return }
        members.append((key, measure.text(places: places)))
    }

    /// Adds a number of events as a rate a second, rounded; nothing without a duration.
    public mutating func add(_ key: String, _ count: Int, in nanoseconds: Int64) {
        guard nanoseconds > 0 else { return }
        add(key, Int((Double(count) * 1e9 / Double(nanoseconds)).rounded()))
    }

    /// Adds percentiles and the maximum of durations in nanoseconds; nothing if there are none.
    public mutating func add(
        _ key: String, _ times: Histogram, percentiles: [Double] = [50, 99]
    ) {
        guard times.count > 0 else { return }
        var figures = percentiles.map { percent in
            (key: "p" + percent.shortText, value: "\(times.percentile(percent))")
        }
        figures.append((key: "max", value: "\(times.maximum)"))
        members.append((key, object(figures)))
    }

    private func object(_ members: [(key: String, value: String)]) -> String {
        "{" + members.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
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
