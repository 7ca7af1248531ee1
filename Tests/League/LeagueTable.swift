import Auction
import Strategies

/// The results of a tournament as a table in Markdown, which a terminal shows well too.
public struct LeagueTable: Sendable {
    private let rows: [[String]]

    /// Creates a table with a column for each format.
    public init(_ columns: [(format: AuctionFormat, results: Tournament.Results)]) {
        var rows = [["profit for a lot"] + columns.map { $0.format.rawValue }]
        for kind in StrategyKind.allCases {
            rows.append([kind.rawValue] + columns.map { Self.text(of: $0.results.profit[kind]) })
        }
        rows.append(["*revenue for a lot*"] + columns.map { Self.text(of: $0.results.revenue) })
        rows.append(
            ["*to the highest value, %*"]
                + columns.map { Self.text(of: $0.results.efficiency, times: 100) })
        self.rows = rows
    }

    /// Creates a table with a column for each purse.
    public init(_ columns: [PurseStudy.Row]) {
        rows = [
            ["purse"] + columns.map { "\($0.purse)" },
            ["less left than the lot is worth, %"]
                + columns.map { Self.text(of: $0.bound, times: 100) },
            ["not spent at the end, %"] + columns.map { Self.text(of: $0.unspent, times: 100) },
            ["profit of a sale, shader"] + columns.map { Self.text(of: $0.shader) },
            ["profit of a sale, truthful"] + columns.map { Self.text(of: $0.truthful) },
        ]
    }

    /// The lines of the table, without line ends.
    public var lines: [String] {
        let widths = rows[0].indices.map { column in
            rows.map { $0[column].count }.max() ?? 0
        }
        let rule = widths.indices.map { column in
            let dashes = String(repeating: "-", count: widths[column] + (column == 0 ? 2 : 1))
            return column == 0 ? dashes : dashes + ":"
        }
        var lines = rows.map { Self.line($0, widths) }
        lines.insert("|" + rule.joined(separator: "|") + "|", at: 1)
        return lines
    }

    private static func line(_ row: [String], _ widths: [Int]) -> String {
        let cells = row.indices.map { column in
            let blanks = String(repeating: " ", count: widths[column] - row[column].count)
            return column == 0 ? row[column] + blanks : blanks + row[column]
        }
        return "| " + cells.joined(separator: " | ") + " |"
    }

    /// The mean and half the interval, such as `12.3 ± 0.4`.
    private static func text(of sample: Sample?, times factor: Double = 1) -> String {
        guard let sample, sample.count > 1 else { return "-" }
        return "\(decimal(sample.mean * factor)) ± \(decimal(sample.margin * factor))"
    }

    /// A number with one decimal, rounded.
    private static func decimal(_ number: Double) -> String {
        let tenths = Int((number * 10).rounded())
        let size = abs(tenths)
        return "\(tenths < 0 ? "-" : "")\(size / 10).\(size % 10)"
    }
}
