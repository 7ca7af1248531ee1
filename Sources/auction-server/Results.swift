import AuctionRules
import Lobby
import SafeText
import Sale
import Wire

/// How the lots of a sale ended, for print.
struct Results {
    let results: [LotResult]

    /// A JSON object for each lot.
    var objects: [String] { results.map(json) }

    /// A table with a line for each lot.
    var table: [String] { inColumns(results.map(row)) }

    private func json(_ result: LotResult) -> String {
        var bytes: [UInt8] = []
        result.announcement.appendJSON(
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

    /// Sets rows in columns, numbers to the right, under a heading.
    private func inColumns(_ rows: [[String]]) -> [String] {
        let rows = [["LOT", "WINNER", "PRICE", "TIME", "TITLE"]] + rows
        let widths = (0..<4).map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).enumerated().map { column, cell in
                let gap = String(repeating: " ", count: cell.1 - cell.0.count)
                return column == 1 ? cell.0 + gap : gap + cell.0
            }
            return (cells + [row[4]]).joined(separator: "  ")
        }
    }
}
