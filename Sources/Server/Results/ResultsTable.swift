import Auction
import Basics
import Journal
import Wire

extension Journal {
    /// How many bytes of a table are written at once, or a few more.
    private static let chunk = 64 * 1024

    /// Writes the lots and bids of a room in a folder's journal as comma-separated values; changes
    /// nothing.
    ///
    /// It calls `write` with parts of the table. Returns the number of the oldest lot that was open
    /// when the journal begins, of which bids may be missing, if older segments were removed; of
    /// the lots before it all bids are missing. Memory: that of two segments, and of the bids of
    /// one lot.
    ///
    /// - Throws: `JournalError` if the journal is damaged or unreadable, and what `write` throws.
    public static func writeTable(
        of folder: String, room: RoomName = .main, totals: [StandingsRow] = [],
        _ write: ([UInt8]) throws -> Void
    ) throws -> Int? {
        var bidders: Set<Bidder> = []
        _ = try readHistories(of: folder, room) { bidders.formUnion($0.bids.map(\.bidder)) }
        var failure: (any Error)?
        var text = ResultsTable.header + "\r\n"
        func flush() -> Bool {
            defer { text.removeAll(keepingCapacity: true) }
            do { try write(Array(text.utf8)) } catch { failure = error }
            return failure == nil
        }
        let firstPartial: Int?
        do {
            firstPartial = try readHistories(of: folder, room) { history in
                guard failure == nil else { return }
                for row in ResultsTable.rows(of: history, among: bidders) { text += row + "\r\n" }
                if text.utf8.count >= chunk { _ = flush() }
            }
        } catch {
            throw failure ?? error
        }
        for total in totals { text += ResultsTable.row(of: total) + "\r\n" }
        _ = flush()
        if let failure { throw failure }
        return firstPartial
    }

    /// Calls `body` with the history of each lot of a room, by rising numbers.
    ///
    /// Returns the number of the oldest lot of which bids may be missing.
    private static func readHistories(
        of folder: String, _ room: RoomName, _ body: (LotHistory) -> Void
    ) throws -> Int? {
        var reader = LotHistoryReader(of: room)
        _ = try verify(PosixDisk(folder: folder)) { kind, words, metadata in
            if case .segment(_, let state) = kind {
                reader.beginSegment(state: state)
                return true
            }
            guard let record = Record(line: words, elapsedMilliseconds: metadata) else {
                return false
            }
            reader.read(record).forEach(body)
            return true
        }
        reader.current.map(body)
        return reader.firstPartial
    }
}

/// The lots and bids of a journal as comma-separated values, a row for each.
///
/// Source: RFC 4180. A row here has no line end.
package enum ResultsTable {
    /// The names of the columns.
    package static let header =
        "kind,lot,title,format,bidder,value,bid,price,profit,milliseconds,revenue,efficiency,outcome"

    /// The rows of a lot: its bids, the values of other bidders, and if it has ended its outcome.
    ///
    /// Bids are in the order of acceptance. `bidders` are those that have bid in the sale; the
    /// efficiency is computed among them.
    package static func rows(of history: LotHistory, among bidders: Set<Bidder>) -> [String] {
        let bids = history.bids.indices.map { row(ofBid: $0, in: history) }
        let own = Set(history.bids.map(\.bidder))
        let others = history.worths.keys.filter { !own.contains($0) }
        let values = others.sorted { $0.precedes($1) }.map { row(ofValueTo: $0, in: history) }
        let end = history.outcome.map { [row(of: history, $0, among: bidders)] } ?? []
        return bids + values + end
    }

    /// The row of what a bidder has won in the sale.
    package static func row(of total: StandingsRow) -> String {
        var row = Row(kind: "total", lot: total.lots)
        row.addEmpty(2)
        row.add(total.bidder)
        row.addEmpty(2)
        row.add(total.spent)
        row.add(total.profit)
        row.addEmpty(4)
        return row.text
    }

    private static func row(ofValueTo bidder: Bidder, in history: LotHistory) -> String {
        var row = Row("value", history)
        row.add(bidder)
        row.add(history.worths[bidder])
        row.addEmpty(7)
        return row.text
    }

    private static func row(ofBid place: Int, in history: LotHistory) -> String {
        let bid = history.bids[place]
        var row = Row("bid", history)
        row.add(bid.bidder)
        row.add(history.worths[bid.bidder])
        row.add(bid.price.amount)
        let cost = history.cost(ofLosing: place)
        row.add(cost)
        row.add(cost.flatMap { cost in history.value(to: bid.bidder).map { _ in -cost } })
        row.add(bid.elapsed.milliseconds)
        row.addEmpty(2)
        row.add(bid.end?.rawValue ?? fate(ofBid: place, in: history))
        return row.text
    }

    private static func fate(ofBid place: Int, in history: LotHistory) -> String? {
        guard history.outcome != nil else { return nil }
        return history.winning == place ? "won" : "lost"
    }

    private static func row(
        of history: LotHistory, _ outcome: LotResult.Outcome, among bidders: Set<Bidder>
    ) -> String {
        var row = Row("lot", history)
        switch outcome {
        case .sold(let sold):
            let price = sold.price.amount
            let value = history.value(to: sold.bidder)
            row.add(sold.bidder)
            row.add(value)
            row.add(history.winning.map { history.bids[$0].price.amount })
            row.add(price)
            row.add(value.map { $0 - price })
            row.add(sold.elapsed.milliseconds)
            row.add(history.bids.indices.compactMap { history.cost(ofLosing: $0) }.reduce(price, +))
            row.add(history.efficiency(among: bidders))
            row.add("sold")
        case .passed(let reason, let elapsed):
            row.addEmpty(1)
            row.add(history.commonValue)
            row.addEmpty(3)
            row.add(elapsed?.milliseconds)
            row.add(0)
            row.add(
                reason == Outcome.Reason.closed.rawValue ? nil : history.efficiency(among: bidders))
            row.add(reason)
        }
        return row.text
    }

    /// The cells of a row.
    private struct Row {
        private(set) var text: String

        init(kind: String, lot: Int) {
            text = "\(kind),\(lot)"
        }

        /// Begins with what all rows of a lot have.
        init(_ kind: String, _ history: LotHistory) {
            self.init(kind: kind, lot: history.lot.number)
            add(history.lot.title.escaped)
            add(history.format?.rawValue)
        }

        mutating func add(_ cell: String?) {
            text += "," + (cell?.cell ?? "")
        }

        mutating func add(_ number: Int64?) {
            text += "," + (number.map { "\($0)" } ?? "")
        }

        mutating func add(_ bidder: Bidder) {
            add(bidder.description)
        }

        mutating func addEmpty(_ count: Int) {
            text += String(repeating: ",", count: count)
        }
    }
}

extension LotHistory {
    /// The winner's value of the lot as a fraction of the highest value among these bidders.
    ///
    /// With four decimals. 0 if nobody has won. Nil without private values: a common value is the
    /// same for every winner.
    func efficiency(among bidders: Set<Bidder>) -> String? {
        let values = worths.filter { bidders.contains($0.key) }.values
        guard commonValue == nil, !worths.isEmpty else { return nil }
        let highest = values.max() ?? 0
        guard let sale else { return "0.0000" }
        guard let value = worths[sale.bidder] else { return nil }
        let parts = highest > 0 ? (value * 10_000 + highest / 2) / highest : 10_000
        return String(parts, decimals: 4)
    }
}

extension Duration {
    var milliseconds: Int64 { Int64(self / .milliseconds(1)) }
}

extension String {
    /// A number that is not negative, of this many units of its last decimal.
    init(_ units: Int64, decimals: Int) {
        let digits = "\(units)"
        let padding = String(
            repeating: "0", count: Swift.max(decimals + 1 - digits.count, 0))
        let all = padding + digits
        self = all.dropLast(decimals) + "." + all.suffix(decimals)
    }

    /// The text as a cell that is quoted if it needs to be, and that no spreadsheet takes for a
    /// formula.
    ///
    /// A text that begins like a formula, perhaps after spaces, gets an apostrophe before it.
    ///
    /// Source: OWASP, "CSV Injection".
    var cell: String {
        let first = unicodeScalars.first { $0 != " " }
        let isFormula = first.map { "=+-@＝＋－＠".unicodeScalars.contains($0) } ?? false
        let safe = isFormula ? "'" + self : self
        guard safe.utf8.contains(where: { ",\"".utf8.contains($0) }) else { return safe }
        return "\"" + safe.replacing("\"", with: "\"\"") + "\""
    }
}
