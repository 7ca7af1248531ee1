import AuctionRules
import Drawing
import SafeText
import Sale
import Wire

/// A line of text for a person, in place of lines of the protocol.
public struct Sentence: Equatable, Sendable {
    /// What a line means for the reader.
    public enum Tone: Equatable, Sendable {
        /// A fact.
        case plain
        /// The titles of a table.
        case heading
        /// Good news for the user.
        case good
        /// Bad news for the user, or a refusal.
        case bad
    }

    /// The text; it may contain characters that could control a terminal.
    public let text: String
    /// The tone.
    public let tone: Tone

    package init(_ text: String, _ tone: Tone = .plain) {
        (self.text, self.tone) = (text, tone)
    }
}

/// The answer to a request as sentences and aligned tables.
struct AnswerText {
    /// The lines; at least one.
    let lines: [Sentence]

    /// Makes the text of an answer from its lines of data; those of `status` are a snapshot.
    init(_ answer: Answer, _ data: [ServerMessage]) {
        switch answer {
        case .laps(let count): lines = Self.laps(data, of: count)
        case .results(let count): lines = Self.results(data, of: count)
        case .who(let count): lines = Self.bidders(data, count)
        case .status: lines = [Sentence(Self.status(data))]
        default: lines = [Sentence("done", .good)]
        }
    }

    private static func laps(_ data: [ServerMessage], of count: Int) -> [Sentence] {
        let bids = data.compactMap { if case .lap(let bid) = $0 { bid } else { nil } }
        let rows = bids.indices.map { index in
            let (bid, before) = (bids[index], index > 0 ? bids[index - 1] : nil)
            let split = before.map { "+\(bid.elapsed.tenths(since: $0.elapsed))" }
            return [
                "\(bid.number)", "\(bid.bidder)", bid.price.grouped, bid.elapsed.lotTime,
                split ?? "",
            ]
        }
        let table = Table(
            titles: ["#", "bidder", "bid", "time", "after"], rows: rows, leftColumns: [1])
        return table.lines + [Sentence(count == 0 ? "no laps" : counted(count, "lap"))]
    }

    private static func results(_ data: [ServerMessage], of count: Int) -> [Sentence] {
        let rows = data.compactMap { message -> [String]? in
            guard case .result(let lot, let winner, let price, let elapsed) = message else {
                return nil
            }
            return [
                "\(lot.number)", lot.title.harmless, winner.map { "\($0)" } ?? "unsold",
                price?.grouped ?? "", elapsed?.lotTime ?? "",
            ]
        }
        let table = Table(
            titles: ["lot", "title", "winner", "price", "time"], rows: rows, leftColumns: [1, 2])
        let end = count == 0 ? "no lot has ended yet" : "\(counted(count, "lot")) ended"
        return table.lines + [Sentence(end)]
    }

    private static func bidders(_ data: [ServerMessage], _ count: Int) -> [Sentence] {
        let names = data.compactMap { if case .who(let bidder) = $0 { "\(bidder)" } else { nil } }
        guard count > 0 else { return [Sentence("nobody is here under a name")] }
        return names.map { Sentence($0) } + [Sentence("\(counted(count, "bidder")) here")]
    }

    /// The state of the sale in one sentence, as in `Lot 1, Vase: 120 by alice, 5 s left`.
    private static func status(_ snapshot: [ServerMessage]) -> String {
        let sale = snapshot.reduce(SaleState()) { $0.applying($1, at: .zero) }
        guard let lot = sale.lot else { return "no lot has opened yet" }
        let end = sale.lotsDone.map { ["the sale is over after \(counted($0, "lot"))"] } ?? []
        let title = lot.isUntitled ? "Lot \(lot.number)" : "Lot \(lot.number), \(lot.title)"
        var parts: [String]
        switch sale.outcome {
        case .sold(let sold):
            // The text has no number of a sold lot.
            let name = sold.number == nil ? sold.title : title
            parts = [
                "\(name): sold to \(sold.bidder) for \(sold.price.grouped) "
                    + "after \(sold.elapsed.lotTime)"
            ]
        case .passed(let reason): parts = ["\(title): unsold, \(plainWords(of: reason))"]
        case nil:
            parts = [
                "\(title): "
                    + (sale.leading.map { "\($0.price.grouped) by \($0.bidder)" } ?? "no bid yet")
            ]
            if let left = sale.timeLeft(at: .zero) { parts.append("\(left.seconds) s left") }
        }
        if sale.isPaused { parts.append("paused") }
        return (parts + end).joined(separator: ", ")
    }

    private static func counted(_ count: Int, _ noun: String) -> String {
        "\(Int64(count).grouped) \(noun)\(count == 1 ? "" : "s")"
    }
}

/// Rows of words under titles, in columns as wide as needed.
private struct Table {
    let titles: [String]
    let rows: [[String]]
    /// The columns that are aligned to the left; all others have numbers.
    let leftColumns: Set<Int>

    /// The titles and the rows; empty without rows.
    var lines: [Sentence] {
        guard !rows.isEmpty else { return [] }
        let widths = titles.indices.map { column in
            (rows.map { $0[column].columns } + [titles[column].columns]).max() ?? 0
        }
        return [Sentence(line(titles, widths), .heading)]
            + rows.map { Sentence(line($0, widths)) }
    }

    private func line(_ words: [String], _ widths: [Int]) -> String {
        let cells = words.indices.map { column in
            leftColumns.contains(column)
                ? words[column].padded(to: widths[column])
                : words[column].leftPadded(to: widths[column])
        }
        let line = cells.joined(separator: "  ")
        return String(line.reversed().drop { $0 == " " }.reversed())
    }
}

extension Duration {
    /// The seconds since an earlier time, with one decimal; the difference of the shown times.
    fileprivate func tenths(since earlier: Duration) -> String {
        let tenths = Int64(self / .milliseconds(100)) - Int64(earlier / .milliseconds(100))
        return "\(tenths / 10).\(tenths % 10)"
    }
}

/// The news of a lot as sentences, for the bidder who waits for its end.
struct NewsSentences: Sendable {
    private let bidder: Bidder
    private var isLeading = false

    init(for bidder: Bidder) {
        self.bidder = bidder
    }

    /// The sentence of a message; nil if it is not worth a line.
    mutating func sentence(of message: ServerMessage) -> Sentence? {
        switch message {
        case .price(let bid, _, _):
            let wasLeading = isLeading
            isLeading = bid.bidder == bidder
            // The answer to the bid has said so already.
            if isLeading { return nil }
            return wasLeading
                ? Sentence("OUTBID by \(bid.bidder): \(bid.price.grouped)", .bad)
                : message.sentence.map { Sentence($0) }
        case .winner(let sold) where sold.bidder == bidder:
            return Sentence("you have won \(sold.title) for \(sold.price.grouped)", .good)
        case .voided:
            isLeading = false
            return message.sentence.map { Sentence($0) }
        case .joined, .left, .countdown: return nil
        default: return message.sentence.map { Sentence($0) }
        }
    }
}
