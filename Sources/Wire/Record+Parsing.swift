import AuctionRules
import Sale

extension Record {
    /// Parses a line without its end, with the exact time beside it; nil if it is not a record.
    ///
    /// Accepted bids are parsed without creating strings, because a journal has millions of them.
    public init?(line: Span<UInt8>, elapsedMilliseconds: Int64?) {
        let elapsed = elapsedMilliseconds.map { Duration.milliseconds($0) }
        guard elapsed ?? .zero <= Bid.longestElapsed else { return nil }
        if let bid = Bid(priceLine: line, elapsed: elapsed) {
            self = .event(.bidPlaced(bid))
            return
        }
        let text = line.text(line.indices)
        var fields = TextFields(text)
        let word = fields.word()
        switch word {
        case "NAME":
            guard let name = fields.name() else { return nil }
            self = name
        case "FREE":
            guard let bidder = fields.bidder() else { return nil }
            self = .event(.nameFreed(bidder))
        case "KEPT":
            guard let bidder = fields.bidder() else { return nil }
            self = .event(.nameKept(bidder))
        case "IN":
            guard let bidder = fields.bidder() else { return nil }
            self = .event(.barEnded(bidder))
        case "OUT":
            guard let bidder = fields.bidder(), let until = fields.time() else { return nil }
            self = .event(.nameBarred(bidder, until: until))
        case "RESULT":
            guard let result = fields.result(elapsed: elapsed) else { return nil }
            self = .result(result)
        case "TIME":
            guard let time = fields.time() else { return nil }
            self = .event(.timeNoted(time))
        case "GAME":
            guard let serverID = fields.word().flatMap({ Identity($0) }) else { return nil }
            self = .event(.saleBegan(serverID))
        case "ROOM":
            guard let name = fields.room() else { return nil }
            self = .room(name)
        case "OPEN":
            guard let opened = fields.openedRoom() else { return nil }
            self = opened
        case "SHUT":
            guard let name = fields.room() else { return nil }
            self = .roomEnded(name)
        case "STATE":
            guard let name = fields.room(), let news = fields.integer(),
                let lines = fields.integer()
            else { return nil }
            self = .roomState(name, news: news, lines: lines)
        case "PLAN", "PLAY", "ADD", "DRAWN", "WORTH", "BID", "MAX", "MUTE", "UNMUTE", "TALLY":
            var line = MessageReader(text: fields)
            guard let record = Self.read(word, from: &line, elapsed), line.isAtEnd else {
                return nil
            }
            self = record
            return
        default:
            guard let message = ServerMessage(text: text)?.with(elapsed: elapsed),
                let record = Record(message)
            else { return nil }
            self = record
            return
        }
        guard fields.isAtEnd else { return nil }
    }
}

extension Record {
    /// Reads a note about a lot or the game, after its first word.
    private static func read(
        _ word: String?, from line: inout MessageReader, _ elapsed: Duration?
    ) -> Record? {
        switch word {
        case "PLAN":
            return line.plan().map { .event(.lotPlanned($0.terms, reserve: $0.reserve)) }
        case "PLAY": return line.gameOptions().map { .event(.gameSet($0)) }
        case "ADD":
            let plan = line.contentRest().flatMap { try? LotPlan(line: $0) }
            return plan.map { .event(.lotAdded($0)) }
        case "DRAWN": return line.signedNumber("value").map { .event(.valueDrawn($0)) }
        case "TALLY": return line.tally().map { .tally($0) }
        default: break
        }
        guard let bidder = line.bidder() else { return nil }
        switch word {
        case "WORTH":
            return line.worth().map {
                .event(
                    .worthDrawn(
                        Worth(bidder: bidder, amount: $0.amount, isEstimate: $0.isEstimate)))
            }
        case "BID":
            return line.price("amount").map {
                .event(
                    .bidSealed(SealedBid(bidder: bidder, price: $0, elapsed: elapsed ?? .zero)))
            }
        case "MAX":
            guard let amount = line.signedNumber("amount") else { return nil }
            let price = Price(amount)
            return price != nil || amount == 0 ? .event(.maximumSet(bidder, price)) : nil
        case "MUTE": return .event(.bidderMuted(bidder))
        case "UNMUTE": return .event(.bidderUnmuted(bidder))
        default: return nil
        }
    }
}

extension TextFields {
    fileprivate mutating func name() -> Record? {
        guard let bidder = bidder(), let token = word().flatMap({ Token($0) }) else { return nil }
        guard let bid = word() else { return .event(.nameTaken(bidder, token)) }
        guard bid == "bid" || bid == "left" else { return nil }
        guard let used = word() else {
            return bid == "bid" ? .name(bidder, token, used: nil) : nil
        }
        guard let time = UTCTime.parse(used) else { return nil }
        return .name(bidder, token, used: time, hasBid: bid == "bid")
    }

    /// Reads a room, its auctioneer's key and its options, which must be resolved.
    fileprivate mutating func openedRoom() -> Record? {
        guard let name = room(), let key = word().flatMap({ Token($0) }),
            let options = remainder().flatMap({ try? RoomOptions(line: $0) }), options.isResolved
        else { return nil }
        return .roomOpened(name, key: key, options)
    }

    fileprivate mutating func time() -> Int64? {
        word().flatMap { UTCTime.parse($0) }
    }

    /// Reads the number of a lot, the number of the event that ended it, its time, and its words.
    fileprivate mutating func result(elapsed: Duration?) -> LotResult? {
        guard let number = integer(), let seq = integer(), let time = time(), number > 0, seq > 0,
            let message = remainder().flatMap({ ServerMessage(text: $0) })?.with(elapsed: elapsed)
        else { return nil }
        switch message {
        case .winner(let sold):
            let lot = Lot(number: number, title: sold.title)
            return LotResult(lot, .sold(sold.ofLot(number)), number: seq, time: time)
        case .passed(let lot, let reason, let elapsed):
            guard lot.number == number else { return nil }
            return LotResult(
                lot, .passed(reason: reason, elapsed: elapsed), number: seq, time: time)
        default: return nil
        }
    }
}

extension Record {
    /// Creates the record whose line is that of a message; nil if the log has no such line.
    private init?(_ message: ServerMessage) {
        switch message {
        case .who(let bidder): self = .present(bidder)
        case .lap(let bid): self = .bid(bid)
        default:
            guard let event = SaleEvent(message) else { return nil }
            self = .event(event)
        }
    }
}

extension ServerMessage {
    /// The message with its exact time, which must match the printed tenths.
    fileprivate func with(elapsed: Duration?) -> ServerMessage? {
        guard let elapsed else { return self }
        switch self {
        case .price(let bid, let lot, let remaining, _):
            guard bid.elapsed.isSameTenth(as: elapsed) else { return nil }
            return .price(bid.with(elapsed: elapsed), lot: lot, remaining: remaining)
        case .lap(let bid):
            guard bid.elapsed.isSameTenth(as: elapsed) else { return nil }
            return .lap(bid.with(elapsed: elapsed))
        case .revealed(let bidder, let price, _):
            return .revealed(bidder, price, elapsed: elapsed)
        case .voided(let voided, let lot, _):
            guard let leading = voided.leading, leading.elapsed.isSameTenth(as: elapsed) else {
                return nil
            }
            return .voided(
                VoidedBid(
                    number: voided.number, price: voided.price, bidder: voided.bidder,
                    leading: leading.with(elapsed: elapsed)), lot: lot)
        case .winner(let sale):
            guard sale.elapsed.isSameTenth(as: elapsed) else { return nil }
            return .winner(
                SoldLot(
                    number: sale.number, title: sale.title, bidder: sale.bidder, price: sale.price,
                    elapsed: elapsed))
        case .passed(let lot, let reason, _):
            return .passed(lot, reason: reason, elapsed: elapsed)
        default: return self
        }
    }
}

extension Bid {
    /// Reads `PRICE 120 alice 00:03.2 1`; the exact time replaces the time in the words.
    fileprivate init?(priceLine line: Span<UInt8>, elapsed: Duration?) {
        var words = Words()
        guard let elapsed, let verb = words.next(in: line), line.matches("PRICE", in: verb),
            let amount = words.next(in: line).flatMap({ line.number($0) }),
            let price = Price(amount), let name = words.next(in: line),
            let bidder = Bidder(line.extracting(name)),
            let time = words.next(in: line), line.matches(elapsed, in: time),
            let digits = words.next(in: line), digits.count <= TextFields.mostDigits,
            let number = line.number(digits), words.next(in: line) == nil
        else { return nil }
        self.init(number: Int(number), price: price, bidder: bidder, elapsed: elapsed)
    }

    fileprivate func with(elapsed: Duration) -> Bid {
        Bid(number: number, price: price, bidder: bidder, elapsed: elapsed)
    }
}

extension Duration {
    fileprivate func isSameTenth(as other: Duration) -> Bool {
        wholeMilliseconds / 100 == other.wholeMilliseconds / 100
    }
}

extension Span<UInt8> {
    /// Whether the word is this time as `LotTime` prints it, truncated to a tenth.
    fileprivate func matches(_ elapsed: Duration, in range: Range<Int>) -> Bool {
        var rest = elapsed.wholeMilliseconds / 100
        var index = range.upperBound
        func isNext(_ byte: UInt8) -> Bool {
            index -= 1
            return index >= range.lowerBound && self[index] == byte
        }
        func isDigit(of base: Int64) -> Bool {
            defer { rest /= base }
            return isNext(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % base))
        }
        guard isDigit(of: 10), isNext(UInt8(ascii: ".")), isDigit(of: 10), isDigit(of: 6),
            isNext(UInt8(ascii: ":")), isDigit(of: 10), isDigit(of: 10)
        else { return false }
        while rest > 0 { guard isDigit(of: 10) else { return false } }
        return index == range.lowerBound
    }

    fileprivate func matches(_ word: StaticString, in range: Range<Int>) -> Bool {
        guard range.count == word.utf8CodeUnitCount else { return false }
        for offset in 0..<range.count
        where self[range.lowerBound + offset] != word.utf8Start[offset] {
            return false
        }
        return true
    }
}
