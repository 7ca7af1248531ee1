import Auction
import Basics
import Wire

/// One room: its sale, and what is decided in it for a connection.
///
/// Connections, names and their limits belong to the server, and the outputs are arguments. A class,
/// so that a room stays where it is while others are opened and end; it belongs to one lobby.
final class Room {
    /// The number of entries of a list if no range was requested: the newest.
    private static let newestEntries = 20

    // Not checked for exclusive access at run time, because every bid uses it several times.
    /// The sale.
    @exclusivity(unchecked) var live: LiveSale
    /// How the room was opened; nil for `main`.
    @Indirect private(set) var opening: Opening?
    /// The number of connections that follow its news.
    private(set) var people = 0
    /// When the room ends unless somebody enters it; nil while somebody is in it, and for `main`.
    private var end: Instant?
    /// The number of the departure after which it may give way to a new room; nil if it may not.
    private(set) var departure: Int?
    private var knownBids = 0
    /// The secret bids that were accepted on the lot with this number.
    private var secretBids = (lot: 0, count: 0)
    private var standings = RecentStandings()

    /// When the room is due according to the timers of all rooms; nil if it has no timer.
    var timer: Instant?
    /// Whether its deadline may have changed since its timer was set.
    var isChanged = false

    /// How a room was opened.
    struct Opening {
        /// The secret that makes a connection the room's auctioneer.
        let key: Token
        /// The identity of the sale, which distinguishes rooms that had the same name.
        var sale: Identity { Identity(ofSaleWithKey: key) }
        /// Its options, as the log has them.
        let options: RoomOptions
        /// The address from which it was opened; nil if that is not known any more.
        let origin: PeerAddress?
    }

    /// Makes a room of a sale, in which no lot is open yet.
    init(_ live: LiveSale, _ opening: Opening? = nil) {
        self.live = live
        self.opening = opening
    }

    /// Its identity.
    var id: RoomID { live.room }

    /// Its name.
    var name: RoomName { live.roomName }

    /// The address from which it was opened, if that is known.
    var origin: PeerAddress? { opening?.origin }

    /// The state of the sale in one line.
    var row: RoomRow {
        let auction = live.auction
        return RoomRow(
            name: name, people: people, lot: auction.lot.number, format: auction.rules.format,
            title: auction.lot.title)
    }

    /// The number of bids, purchases and maxima that were accepted in it since the start.
    ///
    /// Secret ones count when their lot has ended.
    var bidsAccepted: Int {
        let auction = live.auction
        let isSecret = secretBids.lot == auction.lot.number && !auction.isClosed
        return knownBids + (isSecret ? 0 : secretBids.count)
    }

    private func countBid(isSecret: Bool) {
        guard isSecret else {
            knownBids += 1
            return
        }
        let lot = live.auction.lot.number
        if secretBids.lot != lot {
            knownBids += secretBids.count
            secretBids = (lot, 0)
        }
        secretBids.count += 1
    }

    /// Whether an offer is one that nobody else may know of before the newest lot has ended.
    func isSecret(_ offer: Request.Offer) -> Bool {
        switch offer {
        case .bid: !live.sale.isQuiet && live.sale.auction.rules.format.isSealed
        case .maximum: true
        case .take, .buy: false
        }
    }

    // Time

    /// When something is next due; nil if only input can change anything.
    var deadline: Instant? { Instant.earliest(live.deadline, end) }

    /// Starts the sale, or continues it after a restart: opens the next lot if it is due.
    func start(
        serverID: Identity, _ settings: GameSettings, at now: Instant, _ outputs: inout Outputs
    ) {
        if live.sale.serverID == nil { live.commit(.saleBegan(serverID), at: now, &outputs) }
        let former = live.sale.options
        if let options = settings.options(after: former, Self.randomSeed), options != former {
            live.commit(.gameSet(options), at: now, &outputs)
        }
        live.continueLots(at: now, &outputs)
    }

    private static func randomSeed() -> Seed {
        var generator = SystemRandomNumberGenerator()
        return Seed(using: &generator)
    }

    /// Counts a connection that follows the news from now on.
    func enter() {
        people += 1
        (end, departure) = (nil, nil)
    }

    /// Counts a connection that no longer follows the news; an empty room ends after `idleTime`.
    func leave(at now: Instant, _ idleTime: Duration?) {
        people -= 1
        waitForPeople(at: now, idleTime)
    }

    /// Lets the room end after `idleTime`, if nobody is in it; nil for never.
    func waitForPeople(at now: Instant, _ idleTime: Duration?) {
        guard people == 0, opening != nil else { return }
        end = idleTime.map { now.advanced(by: $0) }
    }

    /// Notes a departure, and returns whether the room may give way to a new one from now on.
    ///
    /// It may if nobody is in it and nobody has bid in it; `main` never may.
    func mayGiveWay(afterDeparture number: Int) -> Bool {
        guard people == 0, departure == nil, opening != nil, live.sale.isUnused else {
            return false
        }
        departure = number
        return true
    }

    /// Ends the open lot unsold, if there is one, because the room is about to end.
    func closeLot(at now: Instant, _ outputs: inout Outputs) {
        guard let event = try? live.decide(.close, at: now, &outputs) else { return }
        live.record(event, at: now, &outputs)
    }

    /// Does what is due, and returns whether the room ends.
    ///
    /// It ends if nobody has been in it for `idleTime` and no countdown runs.
    /// While one runs, the room is checked again later. Sealed bids that have waited since a restart
    /// for a bidder get their countdown now: bids that were confirmed are not lost.
    func expire(
        at now: Instant, handledUntil: Instant, _ idleTime: Duration?, _ outputs: inout Outputs
    ) -> Bool {
        live.expire(at: now, handledUntil: handledUntil, &outputs)
        guard let end, end <= handledUntil else { return false }
        live.decideSealedBids(at: now, &outputs)
        guard live.auction.deadline != nil else { return true }
        waitForPeople(at: now, idleTime)
        return false
    }

    // Commands

    /// Lets the rules decide an offer; the reply to its bidder precedes the news.
    func offer(
        _ offer: Request.Offer, onLot lot: Int?, tag: String?, by bidder: Bidder?,
        on id: SessionID, as encoding: Encoding, at now: Instant, _ outputs: inout Outputs
    ) {
        guard let bidder else { return outputs.refuseBid(.notNamed, tag: tag, to: id) }
        let command = offer.command(by: bidder)
        do throws(Auction.Refusal) {
            let event = try live.decide(command, onLot: lot, at: now, &outputs)
            countBid(isSecret: isSecret(offer))
            let answer: Answer
            if case .bid(let price) = offer, live.sale.isQuiet {
                // In a quiet lot nobody can buy, and to ask the auction costs a copy of it.
                answer = .bid(price)
            } else {
                answer = Answer(to: command, event, in: live.auction, at: now)
            }
            switch offer {
            case .bid: break
            case .take, .buy, .maximum: outputs.figures.otherBidsAccepted.add(offer.verb)
            }
            outputs.confirmOffer(answer, tag: tag, to: id, as: encoding)
            if let event { live.record(event, at: now, &outputs) }
        } catch {
            outputs.refuseBid(ErrorReply(error, isOver: live.isOver), tag: tag, to: id)
        }
    }

    /// Sends a message of a bidder to everybody in the room.
    func say(
        _ text: String, tag: String?, by bidder: Bidder?, on id: SessionID,
        _ chat: inout ChatLimits, at now: Instant, _ outputs: inout Outputs
    ) {
        guard let bidder else { return outputs.refuse(.notNamed, tag: tag, to: id) }
        guard !live.sale.muted.contains(bidder) else {
            return outputs.refuse(.muted, tag: tag, to: id)
        }
        if let seconds = chat.charge(bidder, at: now) {
            outputs.note(.messages)
            return outputs.refuse(.tooManyMessages(seconds: seconds), tag: tag, to: id)
        }
        outputs.reply(.ok(.said, tag: tag), to: id)
        outputs.figures.messages += 1
        live.commit(.messageSaid(bidder, text: text), at: now, &outputs)
    }

    // Long answers

    /// The accepted bids of the newest lot; nil means the newest 20.
    func laps(_ range: ListRange?) -> LongAnswer.Rest {
        .list(
            .laps(lot: live.auction.lot.number, voids: live.voidCount),
            numbers(range, of: live.auction.bidCount))
    }

    /// How the lots ended; nil means the newest 20.
    func results(_ range: ListRange?) -> LongAnswer.Rest {
        .list(.results, numbers(range, of: live.sale.lotsEnded))
    }

    /// The help, with the rule of the present lot.
    var help: LongAnswer.Rest { .help(live.sale.auction.rules.format, from: 0) }

    /// Who is present.
    var whoIsPresent: LongAnswer.Rest {
        .who(after: 0, upTo: live.sale.names.lastNumber, listed: 0)
    }

    /// The standings as they are now.
    func currentStandings() -> LongAnswer.Rest {
        .standings(standings.rows(of: live.sale), from: 0)
    }

    /// The number of the newest news.
    var newestNews: Int { live.sale.eventNumber }

    /// The news after a number; nil if there was none of that number.
    func news(after number: Int) -> LongAnswer.Rest? {
        guard number <= newestNews else { return nil }
        let left = number + 1..<newestNews + 1
        return .list(.news, LongAnswer.Numbers(left: left, count: left.count))
    }

    /// The requested part of a list that now has `count` entries.
    private func numbers(_ range: ListRange?, of count: Int) -> LongAnswer.Numbers {
        let first = min(range?.first ?? max(count - Self.newestEntries, 0) + 1, count + 1)
        let end = min(first + (range?.count ?? Self.newestEntries), count + 1)
        return LongAnswer.Numbers(left: first..<end, count: count)
    }

    // Connections

    /// Sends a connection the greeting and the snapshot.
    func greet(_ id: SessionID, serverID: Identity?, at now: Instant, _ outputs: inout Outputs) {
        let rules = live.sale.rules
        outputs.reply(
            .hello(
                seconds: rules.seconds, step: rules.step, serverID: serverID, room: name,
                sale: opening?.sale), to: id)
        live.sendSnapshot(to: id, at: now, &outputs)
    }
}

/// The standings of a sale, which are computed at most once for each event.
private struct RecentStandings {
    private var rows: [StandingsRow] = []
    /// The number of the newest event when they were computed.
    private var number = 0

    /// The rows as they are now.
    mutating func rows(of sale: borrowing Sale) -> [StandingsRow] {
        if number != sale.eventNumber { (rows, number) = (sale.standings, sale.eventNumber) }
        return rows
    }
}

extension ErrorReply {
    /// The reply to a client that asks for news after a number that no news has.
    static func noSuchNews(newest: Int) -> ErrorReply {
        let usage = "resume NUMBER with a NUMBER up to \(newest), the newest"
        return ErrorReply(.badArguments(usage: usage))
    }
}

extension Request.Offer {
    /// The command to the auction.
    fileprivate func command(by bidder: Bidder) -> Auction.Command {
        switch self {
        case .bid(let price): .bid(price, by: bidder)
        case .take: .take(by: bidder)
        case .buy: .buy(by: bidder)
        case .maximum(let price): .setMaximum(price, by: bidder)
        }
    }
}

extension Answer {
    /// The answer to an accepted command of a bidder, which says what it has done.
    ///
    /// What buys the lot is answered as a purchase, with the price paid, and a maximum with what is
    /// kept: one above the buy price counts as the buy price. Without an event nothing has changed.
    fileprivate init(
        to command: Auction.Command, _ event: Auction.Event?, in auction: borrowing Auction,
        at now: Instant
    ) {
        if let price = event.flatMap({ auction.purchase(by: $0, at: now) }) {
            self = auction.rules.format == .dutch ? .take(price) : .buy(price)
            return
        }
        switch command {
        case .bid(let price, _): self = .bid(price)
        case .setMaximum(_, let bidder):
            self = .maximum(event.map(\.offer?.price) ?? auction.maximum(of: bidder))
        default: preconditionFailure("every other offer is a purchase")
        }
    }
}
