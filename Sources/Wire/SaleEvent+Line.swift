import Auction

/// The lines of events, in text and in JSON, and in the journal.
///
/// Each event is described by its fields in the order of its line: in `write` for printing, and in
/// `read` or `readNote` for parsing. `LineBuffer` and `MessageReader` define how a field looks.
extension SaleEvent {
    /// The exact time since the opening of the lot, which a line of text has in tenths of a second
    /// or not at all; nil if the event has none.
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
            .bidsSealed, .reserveMet, .valueRevealed, .championNamed, .awardGiven, .messageSaid,
            .reacted,
            .waiting, .rematchBegan, .displayNameSet, .worthDrawn,
            .saleBegan, .nameTaken, .nameFreed, .nameKept, .nameBarred, .barEnded, .timeNoted,
            .gameSet, .lotPlanned, .lotAdded, .lotRenamed, .optionsSet, .roundBegan, .memberDrawn,
            .memberEarned, .valueDrawn, .maximumSet,
            .bidderMuted,
            .bidderUnmuted:
            nil
        }
    }

    func write(to line: inout LineBuffer) {
        switch self {
        case .bidPlaced(let bid):
            line.begin("PRICE")
            line.content("amount", bid.price)
            line.field("bidder", bid.bidder)
            line.elapsed(bid.elapsed)
            line.field("bid", bid.number)
        case .secondsLeft(let seconds):
            line.begin("COUNTDOWN")
            line.content("seconds", seconds)
        case .lotOpened(let lot):
            line.begin("LOT")
            line.field("lot", lot.number)
            line.field("content", lot.title)
        case .termsAnnounced(let terms):
            line.begin("TERMS")
            line.terms(terms)
        case .askFell(let price):
            line.begin("ASK")
            line.content("amount", price)
        case .bidsSealed(let count):
            line.begin("SEALED")
            line.content("bids", count)
        case .bidRevealed(let bid):
            line.begin("REVEALED")
            line.content("amount", bid.price)
            line.field("bidder", bid.bidder)
        case .reserveMet:
            line.begin("RESERVE")
            line.field("content", "met")
        case .valueRevealed(let value):
            line.begin("VALUE")
            line.content("value", value)
        case .championNamed(let bidder, let score):
            line.begin("CHAMPION")
            line.content("bidder", bidder)
            line.field("score", score)
        case .awardGiven(let award):
            line.begin("AWARD")
            line.award(award)
        case .messageSaid(let bidder, let text):
            line.begin("SAID")
            line.speech(of: bidder, text)
        case .reacted(let bidder, let reaction):
            line.begin("REACTED")
            line.speech(of: bidder, reaction.rawValue)
        case .displayNameSet(let bidder, let text):
            line.begin("DISPLAY")
            line.speech(of: bidder, text)
            line.detail("display", text)
        case .waiting(let people):
            line.begin("WAITING")
            line.content("people", people)
        case .rematchBegan(let games, let first):
            line.begin("REMATCH")
            line.content("games", games)
            line.field("firstLot", first)
        case .lastReset: line.begin(alone: "LAST")
        case .warned(let warning):
            line.begin("GOING")
            line.field("content", warning)
        case .lotSold(let sold):
            line.begin("WINNER")
            line.content("bidder", sold.bidder)
            line.field("amount", sold.price)
            line.elapsed(sold.elapsed)
            line.field("title", sold.title)
            line.detail("lot", sold.number)
        case .lotPassed(let lot, let reason, let elapsed):
            line.begin("PASSED")
            line.field("lot", lot.number)
            line.field("reason", reason)
            line.field("content", lot.title)
            line.detail("elapsedMilliseconds", elapsed?.wholeMilliseconds)
        case .nextAnnounced(let title, let seconds):
            line.begin("NEXT")
            line.field("seconds", seconds)
            line.field("content", title)
        case .ended(let lots):
            line.begin("OVER")
            line.content("lots", lots)
        case .paused: line.begin(alone: "PAUSED")
        case .resumed: line.begin(alone: "RESUMED")
        case .hammered: line.begin(alone: "HAMMERED")
        case .bidVoided(let voided):
            line.begin("VOIDED")
            line.content("amount", voided.price)
            line.field("bidder", voided.bidder)
            line.field("bid", voided.number)
            line.leading(voided.leading)
        case .bidderKicked(let bidder, let reason):
            line.begin("KICKED")
            line.content("bidder", bidder)
            line.field("reason", reason)
        case .stopped: line.begin(alone: "STOPPED")
        case .bidderJoined(let bidder, let display):
            line.begin("JOINED")
            line.content("bidder", bidder)
            line.detail("display", display)
        case .bidderLeft(let bidder):
            line.begin("LEFT")
            line.content("bidder", bidder)

        // The following are in the journal alone. The words GAME and PLAY are those of earlier
        // versions, so that the journal's format does not change.
        case .worthDrawn(let worth):
            line.note("WORTH", worth.bidder)
            line.worth(worth.amount, isEstimate: worth.isEstimate)
        case .saleBegan(let serverID):
            line.begin("GAME")
            line.field("game", serverID)
        case .gameSet(let options):
            line.begin("PLAY")
            line.gameOptions(options)
        case .nameTaken(let bidder, let hash):
            line.note("NAME", bidder)
            line.rest(hash.description)
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
        case .lotRenamed(let lot):
            line.begin("TITLE")
            line.field("lot", lot.number)
            line.rest(lot.title)
        case .optionsSet(let options):
            line.begin("SET")
            line.rest(options.line)
        case .roundBegan(let round, let members):
            line.begin("ROUND")
            line.round(round, members: members)
        case .memberDrawn(let bidder, let place):
            line.note("MEMBER", bidder)
            line.field("group", place.group)
            line.field("lot", place.lot)
            if place.isDone { line.rest("done") }
        case .memberEarned(let tally):
            line.begin("EARNED")
            line.tally(tally)
        case .valueDrawn(let value):
            line.begin("DRAWN")
            line.field("value", value)
        case .bidSealed(let bid):
            line.note("BID", bid.bidder)
            line.field("amount", bid.price)
        case .maximumSet(let bidder, let price):
            line.note("MAX", bidder)
            line.field("amount", price?.amount ?? 0)
        case .bidderMuted(let bidder): line.note("MUTE", bidder)
        case .bidderUnmuted(let bidder): line.note("UNMUTE", bidder)
        }
    }

    /// Reads the news with this word; nil if it is none.
    static func read(_ word: String, from line: inout MessageReader) -> SaleEvent? {
        switch word {
        case "PRICE":
            guard let price: Price = line.field("amount"),
                let bidder: Bidder = line.field("bidder"),
                let elapsed = line.elapsed(), let number: Int = line.field("bid"), number > 0
            else { return nil }
            return .bidPlaced(Bid(number: number, price: price, bidder: bidder, elapsed: elapsed))
        case "COUNTDOWN": return line.field("seconds").map { .secondsLeft($0) }
        case "LOT":
            guard let number: Int = line.field("lot"), let title = line.contentRest() else {
                return nil
            }
            return .lotOpened(Lot(number: number, title: title))
        case "ASK": return line.field("amount").map { .askFell($0) }
        case "VOIDED":
            guard let price: Price = line.field("amount"),
                let bidder: Bidder = line.field("bidder"),
                let number: Int = line.field("bid"), number > 0, let leading = line.leading()
            else { return nil }
            return .bidVoided(
                VoidedBid(number: number, price: price, bidder: bidder, leading: leading))
        case "TERMS": return line.terms().map { .termsAnnounced($0) }
        case "SEALED": return line.field("bids").map { .bidsSealed($0) }
        case "REVEALED":
            guard let price: Price = line.field("amount"), let bidder: Bidder = line.field("bidder")
            else { return nil }
            let elapsed = line.exactElapsed ?? .zero
            return .bidRevealed(SealedBid(bidder: bidder, price: price, elapsed: elapsed))
        case "RESERVE": return line.contentRest() == "met" ? .reserveMet : nil
        case "VALUE": return line.field("value").map { .valueRevealed($0) }
        case "CHAMPION":
            guard let bidder: Bidder = line.field("bidder"), let score: Int64 = line.field("score")
            else {
                return nil
            }
            return .championNamed(bidder, score: score)
        case "AWARD": return line.award().map { .awardGiven($0) }
        case "SAID":
            guard let bidder: Bidder = line.field("bidder"), let text = line.contentRest() else {
                return nil
            }
            return .messageSaid(bidder, text: text)
        case "REACTED":
            guard let bidder: Bidder = line.field("bidder"),
                let reaction = line.contentRest().flatMap({ Reaction(rawValue: $0) })
            else { return nil }
            return .reacted(bidder, reaction)
        case "DISPLAY":
            return line.field("bidder").map {
                .displayNameSet($0, text: line.contentRest() ?? "")
            }
        case "WAITING": return line.field("people").map { .waiting(people: $0) }
        case "REMATCH":
            guard let games: Int = line.field("games"), let first: Int = line.field("firstLot")
            else { return nil }
            return .rematchBegan(games: games, firstLot: first)
        case "LAST": return .lastReset
        case "GOING":
            return line.contentRest().flatMap { Warning(rawValue: $0) }.map { .warned($0) }
        case "WINNER":
            guard let bidder: Bidder = line.field("bidder"),
                let price: Price = line.field("amount"),
                let elapsed = line.elapsed(), let title = line.rest("title")
            else { return nil }
            return .lotSold(
                SoldLot(
                    number: line.detail("lot"), title: title, bidder: bidder,
                    price: price, elapsed: elapsed))
        case "PASSED":
            guard let number: Int = line.field("lot"), let reason: String = line.field("reason"),
                let title = line.contentRest()
            else { return nil }
            let elapsed = line.detail("elapsedMilliseconds").map {
                Duration.milliseconds($0 as Int)
            }
            return .lotPassed(
                Lot(number: number, title: title), reason: reason,
                elapsed: elapsed ?? line.exactElapsed)
        case "NEXT":
            guard let seconds: Int = line.field("seconds"), let title = line.contentRest() else {
                return nil
            }
            return .nextAnnounced(title: title, seconds: seconds)
        case "OVER": return line.field("lots").map { .ended(lots: $0) }
        case "PAUSED": return .paused
        case "RESUMED": return .resumed
        case "HAMMERED": return .hammered
        case "KICKED":
            guard let bidder: Bidder = line.field("bidder"), let reason = line.rest("reason") else {
                return nil
            }
            return .bidderKicked(bidder, reason: reason)
        case "STOPPED": return .stopped
        case "JOINED":
            return line.field("bidder").map { .bidderJoined($0, display: line.detail("display")) }
        case "LEFT": return line.field("bidder").map { .bidderLeft($0) }
        default: return nil
        }
    }

    /// Reads the event with this word that is in the journal alone; nil if it is none.
    static func readNote(_ word: String, from line: inout MessageReader) -> SaleEvent? {
        switch word {
        case "GAME": return line.field("game").map { .saleBegan($0) }
        case "PLAY": return line.gameOptions().map { .gameSet($0) }
        case "TIME": return line.time().map { .timeNoted($0) }
        case "PLAN": return line.plan().map { .lotPlanned($0.terms, reserve: $0.reserve) }
        case "ADD":
            let plan = line.contentRest().flatMap { try? LotPlan(line: $0) }
            return plan.map { .lotAdded($0) }
        case "TITLE":
            guard let number: Int = line.field("lot"), number > 0, let title = line.contentRest(),
                Lot.isTitle(title)
            else { return nil }
            return .lotRenamed(Lot(number: number, title: title))
        case "ROUND": return line.round().map { .roundBegan($0.0, members: $0.members) }
        case "EARNED": return line.tally().map { .memberEarned($0) }
        case "SET": return line.resolvedOptions().map { .optionsSet($0) }
        case "DRAWN": return line.field("value").map { .valueDrawn($0) }
        default: break
        }
        guard let bidder: Bidder = line.field("bidder") else { return nil }
        switch word {
        case "WORTH":
            return line.worth().map {
                .worthDrawn(Worth(bidder: bidder, amount: $0.amount, isEstimate: $0.isEstimate))
            }
        case "NAME":
            return line.field("hash").flatMap { TokenHash($0 as String) }.map {
                .nameTaken(bidder, $0)
            }
        case "FREE": return .nameFreed(bidder)
        case "KEPT": return .nameKept(bidder)
        case "OUT": return line.time().map { .nameBarred(bidder, until: $0) }
        case "IN": return .barEnded(bidder)
        case "BID":
            let elapsed = line.exactElapsed ?? .zero
            return line.field("amount").map {
                .bidSealed(SealedBid(bidder: bidder, price: $0, elapsed: elapsed))
            }
        case "MAX":
            guard let amount: Int64 = line.field("amount") else { return nil }
            let price = Price(amount)
            return price != nil || amount == 0 ? .maximumSet(bidder, price) : nil
        case "MEMBER":
            guard let group: Int = line.field("group"), let lot: Int = line.field("lot"),
                group > 0, lot > 0
            else { return nil }
            let place = ClassPlace(group: group, lot: lot, isDone: line.takesWord("done"))
            return .memberDrawn(bidder, place)
        case "MUTE": return .bidderMuted(bidder)
        case "UNMUTE": return .bidderUnmuted(bidder)
        default: return nil
        }
    }
}
