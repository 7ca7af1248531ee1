import Auction

/// The lines of events, in text and in JSON, and in the journal.
///
/// Each event is described by its fields in the order of its line: in `write` for printing, and in
/// `read` or `readNote` for parsing. `LineBuffer` and `MessageReader` define how a field looks.
extension SaleEvent {
    /// The values of an event that only JSON has; each is nil if unknown or not of this event.
    ///
    /// Kept in few bytes, because each piece of news carries them.
    public struct Details: Equatable, Sendable {
        private var lotNumber: Int32 = 0
        private var isOpening = false
        /// An empty range if no amount is accepted: `most` is less than `least`.
        private var (least, most): (Int64, Int64) = (0, -1)
        /// In milliseconds, since the opening or until the end; -1 if there is none.
        private var time: Int64 = -1
        /// The members of `LotState` that the event has changed, as a JSON object.
        public var state: [UInt8]?

        /// Creates the details of a bid, a void, a fall of the price, or a second.
        ///
        /// `lot` is the number of the lot, `remaining` the time left of the countdown, to the
        /// millisecond, and `amounts` are those that are accepted after the event.
        public init(
            lot: Int? = nil, remaining: Duration? = nil, amounts: ClosedRange<Int64>? = nil
        ) {
            lotNumber = lot.map { Int32(clamping: $0) } ?? 0
            time = remaining.map { max($0.wholeMilliseconds, 0) } ?? -1
            if let amounts { (least, most) = (amounts.lowerBound, amounts.upperBound) }
        }

        /// Creates the details of the opening of a lot, which was `elapsed` ago.
        ///
        /// `start` is the lower bound of `amounts`.
        public init(start: Price?, elapsed: Duration?, amounts: ClosedRange<Int64>? = nil) {
            self.init(remaining: elapsed, amounts: amounts)
            isOpening = start != nil || elapsed != nil
            if amounts == nil, let start { least = start.amount }
        }

        /// The number of the lot.
        public var lot: Int? { lotNumber > 0 ? Int(lotNumber) : nil }

        /// The minimum of the first bid.
        public var start: Price? { isOpening ? Price(least) : nil }

        /// The time since the lot opened.
        public var elapsed: Duration? { isOpening ? duration : nil }

        /// The time left of the countdown.
        public var remaining: Duration? { isOpening ? nil : duration }

        /// The amounts that are accepted next.
        public var amounts: ClosedRange<Int64>? { least <= most ? least...most : nil }

        private var duration: Duration? { time < 0 ? nil : .milliseconds(time) }
    }

    /// The details of the event, from the newest lot, its rules, and its times.
    public func details(
        lot: Int?, rules: Rules?, elapsed: Duration?, remaining: Duration?
    ) -> Details {
        switch self {
        case .bidPlaced(let bid):
            Details(lot: lot, remaining: remaining, amounts: rules?.amounts(at: bid.price))
        case .bidVoided(let voided):
            Details(lot: lot, amounts: rules?.amounts(at: voided.leading?.price))
        case .askFell(let price):
            Details(remaining: remaining, amounts: rules.map { _ in Rules.amounts(asking: price) })
        case .secondsLeft(let seconds):
            Details(remaining: remaining ?? (seconds == 0 ? .zero : nil))
        case .lotOpened:
            Details(start: rules?.start, elapsed: elapsed, amounts: rules?.amounts(at: nil))
        default: Details()
        }
    }

    /// The exact time since the opening of the lot, which a line of text has in tenths of a second or
    /// not at all; nil if the event has none.
    public var exactElapsed: Duration? {
        switch self {
        case .bidPlaced(let bid): bid.elapsed
        case .bidVoided(let voided): voided.leading?.elapsed
        case .lotSold(let sold): sold.elapsed
        case .lotPassed(_, _, let elapsed): elapsed
        case .bidRevealed(let bid), .bidSealed(let bid): bid.elapsed
        case .lotOpened, .lastReset, .secondsLeft, .warned, .nextAnnounced, .ended, .paused,
            .resumed,
            .hammered, .bidderKicked, .stopped, .bidderJoined, .bidderLeft, .termsAnnounced,
            .askFell,
            .bidsSealed, .reserveMet, .valueRevealed, .championNamed, .messageSaid, .worthDrawn,
            .saleBegan, .nameTaken, .nameFreed, .nameKept, .nameBarred, .barEnded, .timeNoted,
            .gameSet, .lotPlanned, .lotAdded, .valueDrawn, .maximumSet, .bidderMuted,
            .bidderUnmuted:
            nil
        }
    }

    func write(to line: inout LineBuffer, _ details: Details = Details()) {
        switch self {
        case .bidPlaced(let bid):
            line.begin("PRICE")
            line.content(number: "amount", bid.price.amount)
            line.bidder(bid.bidder)
            line.elapsed(bid.elapsed)
            line.number("bid", Int64(bid.number))
            line.detail("lot", details.lot.map { Int64($0) })
            line.detail(amounts: details.amounts)
            line.detail(remaining: details.remaining)
        case .secondsLeft(let seconds):
            line.begin("COUNTDOWN")
            line.content(number: "seconds", Int64(seconds))
            line.detail(remaining: details.remaining)
        case .lotOpened(let lot):
            line.begin("LOT")
            line.number("lot", Int64(lot.number))
            line.content(rest: lot.title)
            line.detail("start", details.start?.amount)
            line.detail("elapsedMilliseconds", details.elapsed?.wholeMilliseconds)
            line.detail(amounts: details.amounts)
        case .termsAnnounced(let terms):
            line.begin("TERMS")
            line.terms(terms)
        case .askFell(let price):
            line.begin("ASK")
            line.content(number: "amount", price.amount)
            line.detail(amounts: details.amounts)
            line.detail(remaining: details.remaining)
        case .bidsSealed(let count):
            line.begin("SEALED")
            line.content(number: "bids", Int64(count))
        case .bidRevealed(let bid):
            line.begin("REVEALED")
            line.content(number: "amount", bid.price.amount)
            line.bidder(bid.bidder)
        case .reserveMet:
            line.begin("RESERVE")
            line.content(rest: "met")
        case .valueRevealed(let value):
            line.begin("VALUE")
            line.content(signedNumber: "value", value)
        case .championNamed(let bidder, let score):
            line.begin("CHAMPION")
            line.content(bidder: bidder)
            line.signedNumber("score", score)
        case .messageSaid(let bidder, let text):
            line.begin("SAID")
            line.speech(of: bidder, text)
        case .lastReset: line.begin(alone: "LAST")
        case .warned(let warning):
            line.begin("GOING")
            line.content(rest: warning.rawValue)
        case .lotSold(let sold):
            line.begin("WINNER")
            line.content(bidder: sold.bidder)
            line.number("amount", sold.price.amount)
            line.elapsed(sold.elapsed)
            line.text("title", sold.title)
            line.detail("lot", sold.number.map { Int64($0) })
        case .lotPassed(let lot, let reason, let elapsed):
            line.begin("PASSED")
            line.number("lot", Int64(lot.number))
            line.text("reason", reason)
            line.content(rest: lot.title)
            line.detail("elapsedMilliseconds", elapsed?.wholeMilliseconds)
        case .nextAnnounced(let title, let seconds):
            line.begin("NEXT")
            line.number("seconds", Int64(seconds))
            line.content(rest: title)
        case .ended(let lots):
            line.begin("OVER")
            line.content(number: "lots", Int64(lots))
        case .paused: line.begin(alone: "PAUSED")
        case .resumed: line.begin(alone: "RESUMED")
        case .hammered: line.begin(alone: "HAMMERED")
        case .bidVoided(let voided):
            line.begin("VOIDED")
            line.content(number: "amount", voided.price.amount)
            line.bidder(voided.bidder)
            line.number("bid", Int64(voided.number))
            line.leading(voided.leading)
            line.detail("lot", details.lot.map { Int64($0) })
            line.detail(amounts: details.amounts)
        case .bidderKicked(let bidder, let reason):
            line.begin("KICKED")
            line.content(bidder: bidder)
            line.text("reason", reason)
        case .stopped: line.begin(alone: "STOPPED")
        case .bidderJoined(let bidder):
            line.begin("JOINED")
            line.content(bidder: bidder)
        case .bidderLeft(let bidder):
            line.begin("LEFT")
            line.content(bidder: bidder)

        // What follows is in the journal alone.
        case .worthDrawn(let worth):
            line.note("WORTH", worth.bidder)
            line.worth(worth.amount, isEstimate: worth.isEstimate)
        case .saleBegan(let serverID):
            line.begin("GAME")
            line.rest(serverID.description)
        case .gameSet(let options):
            line.begin("PLAY")
            line.gameOptions(options)
        case .nameTaken(let bidder, let token):
            line.note("NAME", bidder)
            line.rest(token.description)
        case .nameFreed(let bidder): line.note("FREE", bidder)
        case .nameKept(let bidder): line.note("KEPT", bidder)
        case .nameBarred(let bidder, let end):
            line.note("OUT", bidder)
            line.time(end)
        case .barEnded(let bidder): line.note("IN", bidder)
        case .timeNoted(let time):
            line.begin("TIME")
            line.time(time)
        case .lotPlanned(let terms, let reserve):
            line.begin("PLAN")
            line.terms(terms, reserve: reserve)
        case .lotAdded(let plan):
            line.begin("ADD")
            line.rest(plan.line)
        case .valueDrawn(let value):
            line.begin("DRAWN")
            line.signedNumber("value", value)
        case .bidSealed(let bid):
            line.note("BID", bid.bidder)
            line.number("amount", bid.price.amount)
        case .maximumSet(let bidder, let price):
            line.note("MAX", bidder)
            line.number("amount", price?.amount ?? 0)
        case .bidderMuted(let bidder): line.note("MUTE", bidder)
        case .bidderUnmuted(let bidder): line.note("UNMUTE", bidder)
        }
    }

    /// Reads the news with this word; nil if it is none.
    static func read(_ word: String, from line: inout MessageReader) -> (SaleEvent, Details)? {
        let event: SaleEvent
        switch word {
        case "PRICE":
            guard let price = line.price("amount"), let bidder = line.bidder(),
                let elapsed = line.elapsed(), let number = line.number("bid")
            else { return nil }
            let bid = Bid(number: number, price: price, bidder: bidder, elapsed: elapsed)
            return (
                .bidPlaced(bid),
                Details(
                    lot: line.lot(), remaining: line.remaining(), amounts: line.amounts())
            )
        case "COUNTDOWN":
            guard let seconds = line.number("seconds") else { return nil }
            return (.secondsLeft(seconds), Details(remaining: line.remaining()))
        case "LOT":
            guard let number = line.number("lot"), let title = line.contentRest() else {
                return nil
            }
            let start = line.detail("start").flatMap { Price($0) }
            let elapsed = line.detail("elapsedMilliseconds").map { Duration.milliseconds($0) }
            return (
                .lotOpened(Lot(number: number, title: title)),
                Details(start: start, elapsed: elapsed, amounts: line.amounts())
            )
        case "ASK":
            guard let price = line.price("amount") else { return nil }
            return (
                .askFell(price), Details(remaining: line.remaining(), amounts: line.amounts())
            )
        case "VOIDED":
            guard let price = line.price("amount"), let bidder = line.bidder(),
                let number = line.number("bid"), let leading = line.leading()
            else { return nil }
            let voided = VoidedBid(number: number, price: price, bidder: bidder, leading: leading)
            return (.bidVoided(voided), Details(lot: line.lot(), amounts: line.amounts()))
        case "TERMS":
            guard let terms = line.terms() else { return nil }
            event = .termsAnnounced(terms)
        case "SEALED":
            guard let count = line.number("bids") else { return nil }
            event = .bidsSealed(count)
        case "REVEALED":
            guard let price = line.price("amount"), let bidder = line.bidder() else { return nil }
            let elapsed = line.exactElapsed ?? .zero
            event = .bidRevealed(SealedBid(bidder: bidder, price: price, elapsed: elapsed))
        case "RESERVE":
            guard line.contentRest() == "met" else { return nil }
            event = .reserveMet
        case "VALUE":
            guard let value = line.signedNumber("value") else { return nil }
            event = .valueRevealed(value)
        case "CHAMPION":
            guard let bidder = line.bidder(), let score = line.signedNumber("score") else {
                return nil
            }
            event = .championNamed(bidder, score: score)
        case "SAID":
            guard let bidder = line.bidder(), let text = line.contentRest() else { return nil }
            event = .messageSaid(bidder, text: text)
        case "LAST": event = .lastReset
        case "GOING":
            guard let warning = line.contentRest().flatMap({ Warning(rawValue: $0) }) else {
                return nil
            }
            event = .warned(warning)
        case "WINNER":
            guard let bidder = line.bidder(), let price = line.price("amount"),
                let elapsed = line.elapsed(), let title = line.rest("title")
            else { return nil }
            event = .lotSold(
                SoldLot(
                    number: line.lot(), title: title, bidder: bidder, price: price,
                    elapsed: elapsed))
        case "PASSED":
            guard let number = line.number("lot"), let reason = line.word("reason"),
                let title = line.contentRest()
            else { return nil }
            let elapsed = line.detail("elapsedMilliseconds").map { Duration.milliseconds($0) }
            event = .lotPassed(
                Lot(number: number, title: title), reason: reason,
                elapsed: elapsed ?? line.exactElapsed)
        case "NEXT":
            guard let seconds = line.number("seconds"), let title = line.contentRest() else {
                return nil
            }
            event = .nextAnnounced(title: title, seconds: seconds)
        case "OVER":
            guard let lots = line.number("lots") else { return nil }
            event = .ended(lots: lots)
        case "PAUSED": event = .paused
        case "RESUMED": event = .resumed
        case "HAMMERED": event = .hammered
        case "KICKED":
            guard let bidder = line.bidder(), let reason = line.rest("reason") else { return nil }
            event = .bidderKicked(bidder, reason: reason)
        case "STOPPED": event = .stopped
        case "JOINED":
            guard let bidder = line.bidder() else { return nil }
            event = .bidderJoined(bidder)
        case "LEFT":
            guard let bidder = line.bidder() else { return nil }
            event = .bidderLeft(bidder)
        default: return nil
        }
        return (event, Details())
    }

    /// Reads the event with this word that is in the journal alone; nil if it is none.
    static func readNote(_ word: String, from line: inout MessageReader) -> SaleEvent? {
        switch word {
        case "GAME": return line.word("game").flatMap { Identity($0) }.map { .saleBegan($0) }
        case "PLAY": return line.gameOptions().map { .gameSet($0) }
        case "TIME": return line.time().map { .timeNoted($0) }
        case "PLAN": return line.plan().map { .lotPlanned($0.terms, reserve: $0.reserve) }
        case "ADD":
            let plan = line.contentRest().flatMap { try? LotPlan(line: $0) }
            return plan.map { .lotAdded($0) }
        case "DRAWN": return line.signedNumber("value").map { .valueDrawn($0) }
        default: break
        }
        guard let bidder = line.bidder() else { return nil }
        switch word {
        case "WORTH":
            return line.worth().map {
                .worthDrawn(Worth(bidder: bidder, amount: $0.amount, isEstimate: $0.isEstimate))
            }
        case "NAME": return line.word("token").flatMap { Token($0) }.map { .nameTaken(bidder, $0) }
        case "FREE": return .nameFreed(bidder)
        case "KEPT": return .nameKept(bidder)
        case "OUT": return line.time().map { .nameBarred(bidder, until: $0) }
        case "IN": return .barEnded(bidder)
        case "BID":
            let elapsed = line.exactElapsed ?? .zero
            return line.price("amount").map {
                .bidSealed(SealedBid(bidder: bidder, price: $0, elapsed: elapsed))
            }
        case "MAX":
            guard let amount = line.signedNumber("amount") else { return nil }
            let price = Price(amount)
            return price != nil || amount == 0 ? .maximumSet(bidder, price) : nil
        case "MUTE": return .bidderMuted(bidder)
        case "UNMUTE": return .bidderUnmuted(bidder)
        default: return nil
        }
    }
}
