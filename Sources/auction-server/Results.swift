import Auction
import Basics
import House
import Wire

/// How the lots of a sale ended, for print.
struct Results {
    let results: [LotResult]
    /// The standings of each sale, and its champions if it is over.
    let standings: [(rows: [StandingsRow], champions: [Bidder])]

    /// A JSON object for each lot.
    var objects: [String] { results.map(json) }

    /// A table with a line for each lot, and then the standings of each sale.
    var table: [String] {
        let rows = [["LOT", "WINNER", "PRICE", "TIME", "TITLE"]] + results.map(row)
        return inColumns(rows, left: [1]) + standings.flatMap { table(of: $0.rows, $0.champions) }
    }

    private func table(of standings: [StandingsRow], _ champions: [Bidder]) -> [String] {
        guard !standings.isEmpty else { return [] }
        let hasProfits = standings.contains { $0.profit != nil }
        let heading = ["RANK", "BIDDER", "LOTS", "SPENT"] + (hasProfits ? ["PROFIT"] : [])
        let rows = standings.map { row in
            ["\(row.rank)", row.bidder.description, "\(row.lots)", "\(row.spent)"]
                + (hasProfits ? ["\(row.profit ?? 0)"] : [])
        }
        let names = champions.map(\.description).joined(separator: ", ")
        return [""] + inColumns([heading] + rows, left: [1], hasTitle: false)
            + (champions.isEmpty ? [] : ["", "champion: \(names)"])
    }

    private func json(_ result: LotResult) -> String {
        var bytes: [UInt8] = []
        ServerMessage.event(result.event).appendJSON(
            to: &bytes, seq: result.number, millisecondsSince1970: result.time)
        return String(decoding: bytes.dropLast(), as: UTF8.self)
    }

    private func row(_ result: LotResult) -> [String] {
        let (number, title) = ("\(result.lot.number)", result.lot.title.escaped)
        return switch result.outcome {
        case .sold(let sale):
            [
                number, sale.bidder.description, "\(sale.price.amount)", sale.elapsed.lotTime,
                title,
            ]
        case .passed(let reason, let elapsed):
            [number, "-", reason.escaped, elapsed?.lotTime ?? "-", title]
        }
    }

    /// Aligns rows in columns, to the left in the columns `left` and to the right in the others.
    ///
    /// With `hasTitle` the last cell of each row is a title, which is not aligned.
    private func inColumns(
        _ rows: [[String]], left: Set<Int>, hasTitle: Bool = true
    ) -> [String] {
        let count = (rows.first?.count ?? 0) - (hasTitle ? 1 : 0)
        let widths = (0..<count).map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).enumerated().map { column, cell in
                let gap = String(repeating: " ", count: cell.1 - cell.0.count)
                return left.contains(column) ? cell.0 + gap : gap + cell.0
            }
            return (cells + row.suffix(hasTitle ? 1 : 0)).joined(separator: "  ")
        }
    }
}
