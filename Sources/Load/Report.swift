/// The result of a scenario: rows for a reader, and the same figures as one JSON object.
///
/// A figure that is not known, nil, has neither a row nor a key.
public struct Report: Sendable {
    /// The quantiles of a distribution that a reader is shown, besides its maximum.
    public static let shares: [(name: String, share: Double)] = [
        ("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("p99.9", 0.999),
    ]

    private var rows: [(name: String, value: String)] = []
    private var members: [(key: String, value: String)] = []

    /// Creates a report without figures.
    public init(of scenario: String) {
        members.append(("scenario", "\"\(scenario)\""))
    }

    /// A table of two columns, the second to the right, without its last newline.
    public var text: String {
        let left = rows.map(\.name.count).max() ?? 0
        let right = rows.map(\.value.count).max() ?? 0
        return rows.map { name, value in
            let gap = left - name.count + 2 + right - value.count
            return name + String(repeating: " ", count: gap) + value
        }.joined(separator: "\n")
    }

    /// One JSON object, on one line.
    public var json: String {
        object(members)
    }

    /// Adds a count; without a name it has no row.
    public mutating func add(_ name: String?, _ key: String, _ count: Int?) {
        guard let count else { return }
        if let name { rows.append((name, count.grouped)) }
        members.append((key, "\(count)"))
    }

    /// Adds a measure, both times with so many decimal places; its row shows the unit.
    public mutating func add(
        _ name: String, _ key: String, _ measure: Double?, places: Int, unit: String = ""
    ) {
        guard let measure else { return }
        let text = measure.text(places: places)
        rows.append((name, unit.isEmpty ? text : "\(text) \(unit)"))
        members.append((key, text))
    }

    /// Adds so many events as their rate a second, rounded; without a duration there is no rate.
    public mutating func add(_ name: String, _ key: String, _ count: Int, in nanoseconds: Int64) {
        guard nanoseconds > 0 else { return }
        add(name, key, Int((Double(count) * 1e9 / Double(nanoseconds)).rounded()))
    }

    /// Adds some quantiles and the maximum of times in nanoseconds; nothing if there are none.
    ///
    /// The rows are in microseconds.
    public mutating func add(
        _ name: String, _ key: String, _ times: Histogram,
        shares: [(name: String, share: Double)] = Self.shares
    ) {
        guard times.count > 0 else { return }
        let quantiles =
            shares.map { ($0.name, times.quantile($0.share)) } + [("max", times.highest)]
        for (quantile, nanoseconds) in quantiles {
            rows.append(
                ("\(name) \(quantile)", (Double(nanoseconds) / 1e3).text(places: 1) + " us"))
        }
        members.append((key, object(quantiles.map { ($0, "\($1)") })))
    }

    private func object(_ members: [(key: String, value: String)]) -> String {
        "{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
    }
}
