import Auction
import Strategies

/// The results of a tournament as a table in Markdown, which a terminal shows well too.
public struct LeagueTable: Sendable {
    private let rows: [[String]]

    /// Creates a table with a column for each format, and a row for all strategies that play alike.
    public init(
        _ columns: [(format: AuctionFormat, results: Tournament.Results)], of tournament: Tournament
    ) {
        var rows = [["profit for a lot"] + columns.map { $0.format.rawValue }]
        var names: [[StrategyKind]: [String]] = [:]
        let groups = tournament.kinds.map { kind in
            columns.map { $0.results.representative(of: kind) }
        }
        for (kind, group) in zip(tournament.kinds, groups)
        where names[group]?.contains(kind.rawValue) != true {
            names[group, default: []].append(kind.rawValue)
        }
        for (kind, group) in zip(tournament.kinds, groups) {
            guard let alike = names.removeValue(forKey: group) else { continue }
            rows.append(
                [alike.joined(separator: ", ")]
                    + columns.map { Self.text(of: $0.results.profit(of: kind)) })
        }
        rows.append(["*revenue for a lot*"] + columns.map { Self.text(of: $0.results.revenue) })
        if tournament.values.noise == nil {
            rows.append(
                ["*to the highest value, %*"]
                    + columns.map { Self.text(of: $0.results.efficiency, times: 100) })
        }
        self.rows = rows
    }

    /// Creates a table of the revenue in each format, beside what the theory expects.
    public init(_ formats: [AuctionFormat], revenue: [Sample], expectations: [Double]) {
        rows = [
            ["revenue for a lot"] + formats.map(\.rawValue),
            ["equilibrium bidders"] + revenue.map { Self.text(of: $0, decimals: 2) },
            ["theory"] + expectations.map { Self.decimal($0, 2) },
        ]
    }

    /// Creates a table with a row for each number of bidders.
    public init(_ rows: [CurseStudy.Row]) {
        self.rows =
            [
                [
                    "bidders", "vickrey, naive", "theory", "vickrey, correcting", "sealed, naive",
                    "sealed, correcting",
                ]
            ]
            + rows.map { row in
                let samples = [row.correcting, row.naiveFirstPrice, row.correctingFirstPrice]
                return ["\(row.bidders)", Self.text(of: row.naive), Self.decimal(row.expectation)]
                    + samples.map { Self.text(of: $0) }
            }
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
    private static func text(
        of sample: Sample, times factor: Double = 1, decimals: Int = 1
    ) -> String {
        guard sample.count > 1 else { return "-" }
        return
            "\(decimal(sample.mean * factor, decimals)) ± \(decimal(sample.margin * factor, decimals))"
    }

    /// A number with some decimals, rounded.
    private static func decimal(_ number: Double, _ decimals: Int = 1) -> String {
        let unit = (0..<decimals).reduce(1) { unit, _ in unit * 10 }
        let parts = Int((number * Double(unit)).rounded())
        let rest = String(abs(parts) % unit)
        let zeros = String(repeating: "0", count: decimals - rest.count)
        return "\(parts < 0 ? "-" : "")\(abs(parts) / unit).\(zeros)\(rest)"
    }
}
