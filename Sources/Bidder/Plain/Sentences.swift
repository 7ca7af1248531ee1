import Auction
import Basics
import Wire

/// A line of text for a person, in place of lines of the protocol.
package struct Sentence: Equatable, Sendable {
    /// What a line means for the reader.
    package enum Tone: Equatable, Sendable {
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
    package let text: String
    /// The tone.
    package let tone: Tone

    package init(_ text: String, _ tone: Tone = .plain) {
        (self.text, self.tone) = (text, tone)
    }
}

/// The data of an answer, by its kind.
extension [ServerMessage] {
    package var bids: [Bid] { compactMap { if case .lap(let bid) = $0 { bid } else { nil } } }

    package var people: [(bidder: Bidder, display: String?)] {
        compactMap { if case .who(let bidder, let display) = $0 { (bidder, display) } else { nil } }
    }

    package var standings: [StandingsRow] {
        compactMap { if case .standing(let row) = $0 { row } else { nil } }
    }

    package var rooms: [RoomRow] {
        compactMap { if case .room(let row) = $0 { row } else { nil } }
    }
}

/// The answer to a request as sentences and aligned tables.
struct AnswerText {
    /// The lines; at least one.
    let lines: [Sentence]

    /// Makes the text of an answer from its lines of data; those of `status` are a snapshot.
    init(_ answer: Answer, _ data: [ServerMessage]) {
        switch answer {
        case .laps: lines = Self.laps(data.bids).lines + answer.totals
        case .results: lines = Self.results(data).lines + answer.totals
        case .who:
            lines =
                data.people.map { bidder, display in
                    Sentence("\(bidder)" + (display.map { ", called \($0.harmless)" } ?? ""))
                } + answer.totals
        case .standings:
            lines = data.isEmpty ? answer.totals : Self.standings(data.standings).lines
        case .rooms:
            let rows = data.rooms.map { row in
                [
                    "\(row.name)", Int64(row.people).grouped, "\(row.lot)", row.format.rawValue,
                    row.title.harmless,
                ]
            }
            let titles = ["room", "people", "lot", "format", "title"]
            let table = Table(titles: titles, rows: rows, leftColumns: [0, 3, 4])
            lines = table.lines + answer.totals
        case .opened(let room, let key):
            lines = [
                Sentence("the room \(room) is open", .good),
                Sentence("the key of its auctioneer: \(key)"),
            ]
        case .status:
            var sale = FollowedSale()
            for message in data { sale.follow(message, at: .zero) }
            lines = [Sentence(sale.summary(at: .zero))]
        case .name, .bid, .take, .buy, .maximum, .said, .reacted, .displayed, .joined, .resumed,
            .format, .ping, .ready, .quit, .help, .auctioneer, .ruled:
            lines = [Sentence(answer.text(), .good)]
        }
    }

    private static func laps(_ bids: [Bid]) -> Table {
        let rows = bids.indices.map { index in
            let (bid, before) = (bids[index], index > 0 ? bids[index - 1] : nil)
            let split = before.map { "+\(bid.elapsed.tenths(since: $0.elapsed))" }
            return [
                "\(bid.number)", "\(bid.bidder)", bid.price.grouped, bid.elapsed.lotTime,
                split ?? "",
            ]
        }
        return Table(
            titles: ["#", "bidder", "bid", "time", "after"], rows: rows, leftColumns: [1])
    }

    private static func results(_ data: [ServerMessage]) -> Table {
        let rows = data.compactMap { message -> [String]? in
            guard case .result(let lot, let winner, let price, let elapsed) = message else {
                return nil
            }
            return [
                "\(lot.number)", lot.title.harmless, winner.map { "\($0)" } ?? "unsold",
                price?.grouped ?? "", elapsed?.lotTime ?? "",
            ]
        }
        return Table(
            titles: ["lot", "title", "winner", "price", "time"], rows: rows, leftColumns: [1, 2])
    }

    private static func standings(_ standings: [StandingsRow]) -> Table {
        let rows = standings.map { place in
            [
                "\(place.rank)", "\(place.bidder)", "\(place.lots)", place.spent.grouped,
                place.left?.grouped ?? "", place.profit?.grouped ?? "",
                place.points.map { "\($0)" } ?? "",
            ]
        }
        // A sale without purses, values or a second game leaves out what they have.
        let titles = ["rank", "bidder", "lots", "spent", "left", "profit", "points"]
        let told = titles.indices.filter { column in rows.contains { !$0[column].isEmpty } }
        return Table(
            titles: told.map { titles[$0] }, rows: rows.map { row in told.map { row[$0] } },
            leftColumns: [1])
    }
}

extension FollowedSale {
    /// The state of the sale in one sentence, as in `Lot 1, Vase: 120 by alice, 5 s left`.
    package func summary(at now: Duration) -> String {
        guard let lot else { return "no lot has opened yet" }
        let title = lot.isUntitled ? "Lot \(lot.number)" : "Lot \(lot.number), \(lot.title)"
        var parts: [String]
        if state.isOpen {
            parts = ["\(title): \(priceSummary)"]
            if let left = timeLeft(at: now) { parts.append("\(left.seconds) s left") }
        } else if let winner = state.winner {
            let price = state.price.map { " for \($0.grouped)" } ?? ""
            let time = state.elapsed.map { " after \($0.lotTime)" } ?? ""
            parts = ["\(title): sold to \(winner)" + price + time]
        } else {
            let reason = state.reason.map { ", " + SaleEvent.words(ofReason: $0) } ?? ""
            parts = ["\(title): unsold" + reason]
        }
        if state.stage == .paused { parts.append("paused") }
        if state.stage == .over {
            parts.append("the sale is over after \(counted(lot.number, "lot"))")
        }
        let champions = champions.map { "\($0.bidder) is the champion with \($0.score.grouped)" }
        return (parts + champions).joined(separator: ", ")
    }

    /// The price of an open lot, or in a sealed auction the number of bids.
    private var priceSummary: String {
        guard let price = state.price else {
            return state.bids > 0 ? counted(state.bids, "sealed bid") : "no bid yet"
        }
        return state.leader.map { "\(price.grouped) by \($0)" } ?? "falling, now \(price.grouped)"
    }
}

/// A number with its noun, as in `1 lap` and `12 laps`.
private func counted(_ count: Int, _ noun: String) -> String {
    "\(Int64(count).grouped) \(noun)\(count == 1 ? "" : "s")"
}

extension Answer {
    /// The number of listed items in words; nil for an answer without a list.
    var total: String? {
        switch self {
        case .laps(let count): count == 0 ? "no laps" : counted(count, "lap")
        case .results(0): "no lot has ended yet"
        case .results(let count): "\(counted(count, "lot")) ended"
        case .who(0): "nobody is here under a name"
        case .who(let count): "\(counted(count, "bidder")) here"
        case .standings(0): "nobody has a place in the standings yet"
        case .standings(let count): "\(Int64(count).grouped) in the standings"
        case .rooms(let count): "\(counted(count, "room")) open"
        case .status: FollowedSale().summary(at: .zero)
        case .name, .bid, .take, .buy, .maximum, .said, .reacted, .displayed, .joined, .opened,
            .resumed, .format, .ping, .ready, .quit, .help, .auctioneer, .ruled:
            nil
        }
    }

    fileprivate var totals: [Sentence] { total.map { [Sentence($0)] } ?? [] }

    /// The answer in plain words.
    package func text(isSealed: Bool = false) -> String {
        switch self {
        case .bid(let price) where isSealed: "your sealed bid is \(price.grouped)"
        case .bid(let price): "you bid \(price.grouped)"
        case .take(let price): "you take it at \(price.grouped)"
        case .buy(let price): "you buy it for \(price.grouped)"
        case .maximum(let price?): "the server bids for you, up to \(price.grouped)"
        case .maximum(nil): "the server bids for you no more"
        case .said: "said to everybody"
        case .reacted(let reaction): "\(reaction.rawValue) to everybody"
        case .displayed(let text?): "you are called \(text)"
        case .displayed(nil): "you are called by your name"
        case .ping: "the server is there"
        case .ready: "you are ready; the round begins when all are"
        case .joined(let room): "you are in the room \(room)"
        case .opened(let room, _): "you opened the room \(room)"
        case .auctioneer: "you are the auctioneer"
        case .ruled(let verb): "\(verb.rawValue): done"
        case .laps, .results, .who, .standings, .rooms, .status, .name, .resumed, .format, .quit,
            .help:
            total ?? "done"
        }
    }
}

extension Terms {
    /// How the lot is sold, in plain words.
    var sentence: String {
        format.rule + (hasReserve ? ", with a reserve" : "")
            + (buy.map { ", buy now for \($0.grouped)" } ?? "")
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
