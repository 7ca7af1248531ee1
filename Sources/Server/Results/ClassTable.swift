import Auction
import House
import Journal
import Strategies
import Wire

/// What a class has played, as two tables of comma-separated values: its bidders, and its lots.
///
/// It takes the records of a journal in their order, and adds a lot to the tables when it has ended.
/// So the tables tell nothing of an open lot. Only the bidders who were drawn for a round count.
/// Memory: that of the tables, and of the bids on one lot of each group.
///
/// Source: RFC 4180.
package struct ClassTable {
    /// A row for each bidder of each lot, below a header.
    package private(set) var bidders = """
        session,round,practice,treatment,format,group,size,bidder,value,estimate,maximum,bids,bid,\
        won,price,payment,profit,efficiency,equilibrium\r\n
        """
    /// A row for each lot, below a header.
    package private(set) var lots = """
        session,round,practice,treatment,format,group,size,winner,price,revenue,winner_value,\
        highest_value,efficiency,theoretical_revenue\r\n
        """
    /// Whether a round was played or left out.
    package var hasRound: Bool { round != nil }
    /// The bytes of the larger table.
    var size: Int { max(bidders.utf8.count, lots.utf8.count) }

    /// The identity of the server.
    private var session = ""
    private var round: ClassRound?
    private var groups: [Int: Group] = [:]
    /// The readers of the groups' rooms.
    private var readers: [Int: LotHistoryReader] = [:]
    /// How the lots of the groups get their values.
    private var values: GameOptions.Values?
    /// The least bid on a plain lot.
    private var start = Price.lowest
    /// The room to which the next record belongs.
    private var room = RoomName.main
    /// The number of records that are left of the state at the beginning of a segment.
    private var stateLines = 0

    /// A group of the newest round.
    private struct Group {
        /// The number of the lot that it plays for, in its room.
        let lot: Int
        /// Whether the lot is in the tables, or had ended before the oldest segment.
        var isDone: Bool
        var bidders: [Bidder] = []
    }

    /// Creates the tables of a class that has not begun.
    package init() {}

    /// Reads the tables from all segments of a journal; changes nothing.
    ///
    /// - Throws: `JournalError` if the journal is damaged or unreadable.
    package init(of disk: any Disk) throws(JournalError) {
        var table = ClassTable()
        _ = try Journal.verify(disk) { kind, words, metadata in
            if case .segment(_, let state) = kind {
                table.beginSegment(state: state)
                return true
            }
            guard let record = Record(line: words, elapsedMilliseconds: metadata) else {
                return false
            }
            table.add(record)
            return true
        }
        self = table
    }

    /// Begins a segment with the number of its state records that `add` will get.
    package mutating func beginSegment(state: Int) {
        (room, stateLines) = (.main, state)
    }

    /// Adds the next record.
    package mutating func add(_ record: Record) {
        defer {
            if stateLines > 0 {
                stateLines -= 1
                if stateLines == 0 { room = .main }
            }
        }
        switch record {
        case .room(let next): room = next
        case .roomOpened(let opened, _, let options):
            room = opened
            if opened.group != nil { start = options.lot.start ?? start }
            // In a state the record after this one says it too.
            if stateLines > 0 { return }
        case .roomState(let name, _, let lines):
            room = name
            if let group = name.group {
                readers[group, default: LotHistoryReader(of: name)].beginSegment(state: lines + 1)
            }
        case .event(let event): note(event)
        case .name, .present, .bid, .result, .tally, .award, .roomEnded: break
        }
        if let group = room.group {
            for lot in readers[group, default: LotHistoryReader(of: room)].read(record) {
                add(lot, of: group)
            }
        }
        if case .roomEnded = record { room = .main }
    }

    private mutating func note(_ event: SaleEvent) {
        switch event {
        case .saleBegan(let identity): session = identity.description
        case .gameSet(let options): if room.group != nil { values = options.values }
        case .roundBegan(let next, _): (round, groups) = (next, [:])
        case .memberDrawn(let bidder, let place):
            let group = Group(lot: place.lot, isDone: place.isDone)
            groups[place.group, default: group].bidders.append(bidder)
        default: break
        }
    }

    // Rows

    /// Adds the rows of a lot that has ended, if a group plays for it.
    private mutating func add(_ lot: LotHistory, of number: Int) {
        guard let round, let group = groups[number], !group.isDone, group.lot == lot.lot.number
        else { return }
        groups[number]?.isDone = true
        let head: [String?] = [
            session, "\(round.number)", round.isPractice ? "yes" : "no", "\(round.treatment)",
            round.format.rawValue, "\(number)", "\(group.bidders.count)",
        ]
        let theory = theory(of: lot, in: round, bidders: group.bidders.count)
        let efficiency = lot.efficiency(inClassAmong: group.bidders)
        lots += row(
            head + lot.cells(among: group.bidders) + [efficiency, theory?.revenue.map(decimal)])
        for bidder in group.bidders.sorted(by: { $0.precedes($1) }) {
            let bid = lot.worths[bidder].flatMap { theory?.bid(Double($0)) }
            bidders += row(head + lot.cells(of: bidder) + [efficiency, bid.map(decimal)])
        }
    }

    /// What a bidder bids in equilibrium, by its value or estimate, and what the seller expects.
    private typealias Theory = (bid: (Double) -> Double?, revenue: Double?)

    /// What the theory says of a lot; nil where it says nothing.
    ///
    /// The revenue with a common value has no simple form. Nor is there an equilibrium with a common
    /// value and a start in its range.
    private func theory(of lot: LotHistory, in round: ClassRound, bidders: Int) -> Theory? {
        let start = round.format.verb == .take ? .lowest : lot.start ?? start
        switch values {
        case .personal(let range)?:
            let auction = PrivateValueAuction(
                values: range, bidders: bidders, format: round.format, start: start)
            return (
                { auction.bid(of: $0, in: round.format) }, auction.revenue(in: round.format)
            )
        case .common(let range, let noise)? where start.amount <= range.lowerBound:
            let auction = CommonValueAuction(amounts: range, noise: noise, bidders: bidders)
            return ({ auction.bid(of: $0, in: round.format) }, nil)
        case .common?, nil: return nil
        }
    }

    private func row(_ cells: [String?]) -> String {
        cells.map { $0 ?? "" }.joined(separator: ",") + "\r\n"
    }

    private func decimal(_ amount: Double) -> String {
        Int64(exactly: (amount * 100).rounded()).map { String($0, decimals: 2) } ?? ""
    }
}

extension LotHistory {
    /// The winner, the price, the revenue, the winner's value and the highest value in the group.
    fileprivate func cells(among bidders: [Bidder]) -> [String?] {
        let payments = bidders.map { payment(of: $0) }
        let highest = commonValue ?? bidders.compactMap { worths[$0] }.max()
        return [
            sale?.bidder.description.cell, cell(sale?.price.amount), cell(payments.reduce(0, +)),
            cell(sale.flatMap { value(to: $0.bidder) }), cell(highest),
        ]
    }

    /// What a bidder has believed, done and earned.
    fileprivate func cells(of bidder: Bidder) -> [String?] {
        let own = bids.filter { $0.bidder == bidder }
        let hasWon = sale?.bidder == bidder
        let payment = payment(of: bidder)
        let profit = value(to: bidder).map { (hasWon ? $0 : 0) - payment }
        return [
            bidder.description.cell, cell(value(to: bidder)),
            commonValue == nil ? nil : cell(worths[bidder]), cell(maxima[bidder]?.amount),
            own.map { "\($0.price.amount)@\($0.elapsed.milliseconds)" }.joined(separator: " "),
            cell(own.last { $0.end == nil }?.price.amount), hasWon ? "yes" : "no",
            cell(sale?.price.amount), cell(payment), cell(profit),
        ]
    }

    /// What a bidder has paid.
    private func payment(of bidder: Bidder) -> Int64 {
        if let sale, sale.bidder == bidder { return sale.price.amount }
        return bids.indices.filter { bids[$0].bidder == bidder }
            .compactMap { cost(ofLosing: $0) }.reduce(0, +)
    }

    /// The efficiency; empty if the auctioneer closed the lot, and with a common value 1 if sold.
    fileprivate func efficiency(inClassAmong bidders: [Bidder]) -> String? {
        if case .passed(Outcome.Reason.closed.rawValue, _)? = outcome { return nil }
        guard commonValue == nil else { return sale == nil ? "0.0000" : "1.0000" }
        return efficiency(among: Set(bidders))
    }

    private func cell(_ amount: Int64?) -> String? { amount.map { "\($0)" } }
}
