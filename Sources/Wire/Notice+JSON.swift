import AuctionRules

extension Notice {
    /// Appends the notice as a JSON object on one line, with its LF.
    ///
    /// `seq` is the number of the event, nil for a reply; the time is the one of printing, in UTC.
    public func appendJSON(
        to bytes: inout [UInt8], seq: Int?, millisecondsSince1970 milliseconds: Int64
    ) {
        bytes.beginObject()
        if let seq { bytes.append(member: "seq", seq) }
        bytes.append(member: "type", type)
        appendMembers(to: &bytes)
        bytes.append(member: "time") {
            UTCTime.append(millisecondsSince1970: milliseconds, to: &$0)
        }
        bytes.endObject()
        bytes.appendLineFeed()
    }

    /// The kind of notice: its first word in text, in lower case.
    var type: String {
        switch self {
        case .hello: "hello"
        case .lot: "lot"
        case .price: "price"
        case .countdown: "countdown"
        case .last: "last"
        case .going: "going"
        case .winner: "winner"
        case .passed: "passed"
        case .over: "over"
        case .paused: "paused"
        case .resumed: "resumed"
        case .hammered: "hammered"
        case .voided: "voided"
        case .kicked: "kicked"
        case .stopped: "stopped"
        case .joined: "joined"
        case .left: "left"
        case .skipped: "skipped"
        case .bye: "bye"
        case .lap: "lap"
        case .who: "who"
        case .help: "help"
        case .ok: "ok"
        case .error: "error"
        }
    }

    private func appendMembers(to bytes: inout [UInt8]) {
        switch self {
        case .hello(let seconds, let step, let game):
            bytes.append(member: "content", "auction/1")
            bytes.append(member: "seconds", seconds)
            bytes.append(member: "step", step.amount)
            if let game { bytes.append(member: "game", game.description) }
        case .lot(let lot, let start, let elapsed):
            bytes.append(member: "content", lot.title)
            bytes.append(member: "lot", lot.number)
            if let start { bytes.append(member: "start", start.amount) }
            if let elapsed { bytes.append(elapsed: elapsed) }
        case .price(let bid, let lot, let remaining):
            Self.append(bid, lot: lot, remaining: remaining, to: &bytes)
        case .countdown(let seconds, let remaining):
            bytes.append(contentOf: seconds)
            bytes.append(member: "seconds", seconds)
            bytes.append(remaining: remaining)
        case .going(let warning): bytes.append(member: "content", warning.rawValue)
        case .winner(let sale): Self.append(sale, to: &bytes)
        case .passed(let lot, let reason):
            bytes.append(member: "content", lot.title)
            bytes.append(member: "lot", lot.number)
            bytes.append(member: "reason", reason)
        case .over(let lots):
            bytes.append(contentOf: lots)
            bytes.append(member: "lots", lots)
        case .last, .paused, .resumed, .hammered, .stopped: bytes.append(member: "content", "")
        case .voided(let price, let bidder, let number, let lot):
            bytes.append(contentOf: Int(price.amount))
            bytes.append(member: "amount", price.amount)
            bytes.append(member: "bidder", bidder)
            if let number { bytes.append(member: "bid", number) }
            if let lot { bytes.append(member: "lot", lot) }
        case .kicked(let bidder, let reason):
            bytes.append(member: "content", bidder)
            bytes.append(member: "bidder", bidder)
            bytes.append(member: "reason", reason)
        case .joined(let bidder), .left(let bidder), .who(let bidder):
            bytes.append(member: "content", bidder)
            bytes.append(member: "bidder", bidder)
        case .skipped(let lines):
            bytes.append(contentOf: lines)
            bytes.append(member: "lines", lines)
        case .bye(let farewell): bytes.append(member: "content", farewell.rawValue)
        case .lap(let bid): Self.append(bid, lot: nil, remaining: nil, to: &bytes)
        case .help(let text): bytes.append(member: "content", text)
        case .ok(let answer, let tag): Self.append(answer, tag: tag, to: &bytes)
        case .error(let fault, let tag): Self.append(fault, tag: tag, to: &bytes)
        }
    }

    private static func append(
        _ bid: Bid, lot: Int?, remaining: Duration?, to bytes: inout [UInt8]
    ) {
        bytes.append(contentOf: Int(bid.price.amount))
        bytes.append(member: "amount", bid.price.amount)
        bytes.append(member: "bidder", bid.bidder)
        bytes.append(member: "bid", bid.number)
        if let lot { bytes.append(member: "lot", lot) }
        bytes.append(elapsed: bid.elapsed)
        bytes.append(remaining: remaining)
    }

    private static func append(_ sale: SoldLot, to bytes: inout [UInt8]) {
        bytes.append(member: "content", sale.bidder)
        bytes.append(member: "bidder", sale.bidder)
        bytes.append(member: "amount", sale.price.amount)
        if let number = sale.number { bytes.append(member: "lot", number) }
        bytes.append(member: "title", sale.title)
        bytes.append(elapsed: sale.elapsed)
    }

    private static func append(_ answer: Answer, tag: String?, to bytes: inout [UInt8]) {
        if case .name(let bidder, let token) = answer {
            // Another server's token may be any word.
            bytes.append(member: "content", "name \(bidder) \(token)")
        } else {
            bytes.append(member: "content") { answer.append(to: &$0) }
        }
        if let tag { bytes.append(member: "tag", tag) }
    }

    private static func append(_ fault: Fault, tag: String?, to bytes: inout [UInt8]) {
        bytes.append(member: "content", fault.advice)
        if let tag { bytes.append(member: "tag", tag) }
        bytes.append(member: "code", fault.code.rawValue)
        for fact in fault.facts { bytes.append(member: fact.name, fact.value) }
    }
}

extension [UInt8] {
    fileprivate mutating func append(contentOf number: Int) {
        append(member: "content") { $0.append(number) }
    }

    fileprivate mutating func append(elapsed: Duration) {
        append(member: "elapsedMilliseconds", elapsed.wholeMilliseconds)
    }

    fileprivate mutating func append(remaining: Duration?) {
        guard let remaining else { return }
        append(member: "remainingMilliseconds", Swift.max(remaining.wholeMilliseconds, 0))
    }
}
