import AuctionRules

extension Notice {
    /// Parses a line of JSON without its end; nil if it is none that the server says.
    ///
    /// Members that are not known are read past, for a newer server may have more.
    public init?(json line: String) {
        guard let object = JSONObject(line), let type = object.text("type"),
            let notice = Self.notice(type, object)
        else { return nil }
        self = notice
    }

    private static func notice(_ type: String, _ object: JSONObject) -> Notice? {
        switch type {
        case "hello": object.hello()
        case "lot":
            object.lot().map {
                .lot($0, start: object.price("start"), elapsed: object.duration("elapsed"))
            }
        case "price":
            object.bid().map {
                .price($0, lot: object.integer("lot"), remaining: object.duration("remaining"))
            }
        case "countdown":
            object.integer("seconds").map {
                .countdown($0, remaining: object.duration("remaining"))
            }
        case "last": .last
        case "going": object.text("content").flatMap(Warning.init(rawValue:)).map { .going($0) }
        case "winner": object.sale().map { .winner($0) }
        case "passed": object.passed()
        case "over": object.integer("lots").map { .over(lots: $0) }
        case "paused": .paused
        case "resumed": .resumed
        case "hammered": .hammered
        case "voided": object.voided()
        case "kicked": object.kicked()
        case "stopped": .stopped
        case "joined": object.bidder().map { .joined($0) }
        case "left": object.bidder().map { .left($0) }
        case "skipped": object.integer("lines").map { .skipped($0) }
        case "bye": object.text("content").map { .bye(Farewell(rawValue: $0)) }
        case "lap": object.bid().map { .lap($0) }
        case "who": object.bidder().map { .who($0) }
        case "help": object.text("content").map { .help($0) }
        case "ok": object.answer().map { .ok($0, tag: object.text("tag")) }
        case "error": object.fault().map { .error($0, tag: object.text("tag")) }
        default: nil
        }
    }
}

extension JSONObject {
    fileprivate func integer(_ name: String) -> Int? {
        number(name).map { Int($0) }
    }

    fileprivate func price(_ name: String) -> Price? {
        number(name).flatMap { Price($0) }
    }

    fileprivate func bidder() -> Bidder? {
        text("bidder").flatMap { Bidder($0) }
    }

    fileprivate func duration(_ name: String) -> Duration? {
        number("\(name)Milliseconds").map { .milliseconds($0) }
    }

    fileprivate func hello() -> Notice? {
        guard let seconds = integer("seconds"), let step = price("step") else { return nil }
        return .hello(
            seconds: seconds, step: step, game: text("game").flatMap { GameID($0) })
    }

    fileprivate func lot() -> Lot? {
        guard let number = integer("lot"), let title = text("content") else { return nil }
        return Lot(number: number, title: title)
    }

    fileprivate func bid() -> Bid? {
        guard let number = integer("bid"), let price = price("amount"), let bidder = bidder(),
            let elapsed = duration("elapsed")
        else { return nil }
        return Bid(number: number, price: price, bidder: bidder, elapsed: elapsed)
    }

    fileprivate func sale() -> SoldLot? {
        guard let title = text("title"), let bidder = bidder(), let price = price("amount"),
            let elapsed = duration("elapsed")
        else { return nil }
        return SoldLot(
            number: integer("lot"), title: title, bidder: bidder, price: price, elapsed: elapsed)
    }

    fileprivate func passed() -> Notice? {
        guard let lot = lot(), let reason = text("reason") else { return nil }
        return .passed(lot, reason: reason)
    }

    fileprivate func voided() -> Notice? {
        guard let price = price("amount"), let bidder = bidder() else { return nil }
        return .voided(price, by: bidder, number: integer("bid"), lot: integer("lot"))
    }

    fileprivate func kicked() -> Notice? {
        guard let bidder = bidder(), let reason = text("reason") else { return nil }
        return .kicked(bidder, reason: reason)
    }

    fileprivate func answer() -> Answer? {
        guard let content = text("content") else { return nil }
        var fields = TextFields(content)
        let answer = fields.answer()
        return fields.isAtEnd ? answer : nil
    }

    fileprivate func fault() -> Fault? {
        guard let code = text("code"), let advice = text("content") else { return nil }
        let facts = members.compactMap { member -> Fault.Fact? in
            guard case .number(let value) = member.value, member.name != "seq" else { return nil }
            return Fault.Fact(read: member.name, value)
        }
        return Fault(Fault.Code(rawValue: code), facts: facts, advice: advice)
    }
}
