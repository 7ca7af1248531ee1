import Auction

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
        var fields = TextFields(line.text(line.indices))
        guard let word = fields.word() else { return nil }
        var reader = MessageReader(text: fields, exactElapsed: elapsed)
        guard let record = Self.read(word, from: &reader), reader.isAtEnd else { return nil }
        self = record
    }

    private static func read(_ word: String, from line: inout MessageReader) -> Record? {
        switch word {
        case "NAME": return line.name()
        case "RESULT": return line.result().map { .result($0) }
        case "ROOM": return line.field("room").map { .room($0) }
        case "OPEN": return line.openedRoom()
        case "SHUT": return line.field("room").map { .roomEnded($0) }
        case "STATE":
            guard let name: RoomName = line.field("room"), let news: Int = line.field("news"),
                let lines: Int = line.field("lines")
            else { return nil }
            return .roomState(name, news: news, lines: lines)
        case "TALLY": return line.tally().map { .tally($0) }
        case "BEST": return line.award().map { .award($0) }
        case "WHO": return line.field("bidder").map { .present($0) }
        case "LAP": return line.lap().map { .bid($0) }
        default:
            let event = SaleEvent.read(word, from: &line)
            return (event ?? SaleEvent.readNote(word, from: &line)).map { .event($0) }
        }
    }
}

extension MessageReader {
    /// Reads a name that is taken, or one of a state.
    fileprivate mutating func name() -> Record? {
        guard let bidder: Bidder = field("bidder"),
            let hash = field("hash").flatMap({ TokenHash($0 as String) })
        else { return nil }
        guard let bid: String = field("bid") else { return .event(.nameTaken(bidder, hash)) }
        guard bid == "bid" || bid == "left" else { return nil }
        if isAtEnd { return bid == "bid" ? .name(bidder, hash, used: nil) : nil }
        return time().map { .name(bidder, hash, used: $0, hasBid: bid == "bid") }
    }

    /// Reads a room, the hash of its auctioneer's key and its options, which must be resolved.
    fileprivate mutating func openedRoom() -> Record? {
        guard let name: RoomName = field("room"),
            let keyHash = field("hash").flatMap({ TokenHash($0 as String) }),
            let options = resolvedOptions()
        else { return nil }
        return .roomOpened(name, keyHash: keyHash, options)
    }

    /// Reads options that are resolved.
    mutating func resolvedOptions() -> RoomOptions? {
        let options = contentRest().flatMap { try? RoomOptions(line: $0) }
        return options?.isResolved == true ? options : nil
    }

    /// Reads the number of a lot, the number of the event that ended it, its time, and its words.
    fileprivate mutating func result() -> LotResult? {
        guard let lot: Int = field("lot"), let seq: Int = field("seq"), let time = time(), lot > 0,
            seq > 0, let word: String = field("type"), let event = SaleEvent.read(word, from: &self)
        else { return nil }
        if case .lotSold(let sold) = event {
            return LotResult(
                Lot(number: lot, title: sold.title), .sold(sold.ofLot(lot)), number: seq, time: time
            )
        }
        guard case .lotPassed(let passed, let reason, let elapsed) = event, passed.number == lot
        else { return nil }
        return LotResult(
            passed, .passed(reason: reason, elapsed: elapsed), number: seq, time: time)
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
