import Auction

extension LotState {
    /// The object with the members that differ from those of `known`, and with these clocks.
    ///
    /// Nil if there are none; with nothing known it has all members.
    package func json(after known: LotState?, clocks: Clocks) -> [UInt8]? {
        let object = [UInt8](jsonMembers: { write(after: known, clocks: clocks, to: &$0) })
        return object.count > 2 ? object : nil
    }

    private func write(after known: LotState?, clocks: Clocks, to line: inout LineBuffer) {
        func differs<Value: Equatable>(_ member: KeyPath<LotState, Value>) -> Bool {
            known.map { $0[keyPath: member] != self[keyPath: member] } ?? true
        }
        if differs(\.lot) { line.member("lot", Int64(lot)) }
        if differs(\.title) { line.member("title", title) }
        if differs(\.format) { line.member("format", format.rawValue) }
        if differs(\.stage) { line.member("stage", stage.rawValue) }
        if differs(\.price) { line.member("price", price?.amount) }
        if differs(\.leader) { line.member("leader", leader?.description) }
        if differs(\.bids) { line.member("bids", Int64(bids)) }
        if differs(\.amounts) {
            line.member("minimum", amounts?.lowerBound)
            line.member("maximum", amounts?.upperBound)
        }
        if differs(\.buy) { line.member("buy", buy?.amount) }
        if differs(\.reserve) { line.member("reserve", reserve.rawValue) }
        if differs(\.start) { line.member("start", start.amount) }
        if differs(\.step) { line.member("step", step.amount) }
        if differs(\.seconds) { line.member("seconds", Int64(seconds)) }
        if differs(\.warning) { line.member("going", warning?.rawValue) }
        if differs(\.isLast) { line.member("isLast", isLast) }
        if clocks.contains(.remaining) {
            line.member("remainingMilliseconds", remaining?.wholeMilliseconds)
        }
        if clocks.contains(.elapsed) {
            line.member("elapsedMilliseconds", elapsed?.wholeMilliseconds)
        }
        if differs(\.lots) { line.member("lots", lots.map { Int64($0) }) }
        if differs(\.next) { line.member("next", next) }
        if clocks.contains(.nextOpening) {
            line.member("nextMilliseconds", nextOpening?.wholeMilliseconds)
        }
        if differs(\.game) {
            line.member("purse", game?.purse?.amount)
            switch game?.values {
            case .personal(let range):
                line.setting("worth", range)
                line.member("common", nil as Int64?)
                line.member("noise", nil as Int64?)
            case .common(let range, let noise):
                line.member("worth", nil as Int64?)
                line.setting("common", range)
                line.member("noise", noise)
            case nil:
                for name in ["worth", "common", "noise"] as [StaticString] {
                    line.member(name, nil as Int64?)
                }
            }
        }
        if differs(\.people) { line.member("people", Int64(people)) }
    }

    /// Sets the members that an object has, and returns which clocks are among them.
    ///
    /// A member that is not valid stays as it is.
    @discardableResult
    package mutating func merge(json: [UInt8]) -> Clocks {
        guard let members = StateMembers(json) else { return [] }
        members.set(&lot, "lot", \.count)
        members.set(&title, "title", \.text)
        members.set(&format, "format") { $0.text.flatMap { AuctionFormat(rawValue: $0) } }
        members.set(&stage, "stage") { $0.text.flatMap { Stage(rawValue: $0) } }
        members.setOptional(&price, "price", \.price)
        members.setOptional(&leader, "leader") { $0.text.flatMap { Bidder($0) } }
        members.set(&bids, "bids", \.count)
        mergeAmounts(members)
        members.setOptional(&buy, "buy", \.price)
        members.set(&reserve, "reserve") { $0.text.flatMap { Reserve(rawValue: $0) } }
        members.set(&start, "start", \.price)
        members.set(&step, "step", \.price)
        members.set(&seconds, "seconds") {
            $0.count.flatMap { Rules.allowedSeconds.contains($0) ? $0 : nil }
        }
        members.setOptional(&warning, "going") { $0.text.flatMap { Warning(rawValue: $0) } }
        members.set(&isLast, "isLast", \.boolean)
        members.setOptional(&lots, "lots", \.count)
        members.set(&next, "next", \.texts)
        members.set(&people, "people", \.count)
        mergeGame(members)
        var clocks: Clocks = []
        if members.setOptional(&remaining, "remainingMilliseconds", \.time) {
            clocks.insert(.remaining)
        }
        if members.setOptional(&elapsed, "elapsedMilliseconds", \.time) { clocks.insert(.elapsed) }
        if members.setOptional(&nextOpening, "nextMilliseconds", \.time) {
            clocks.insert(.nextOpening)
        }
        return clocks
    }

    private mutating func mergeAmounts(_ members: StateMembers) {
        var (least, most) = (amounts?.lowerBound, amounts?.upperBound)
        members.setOptional(&least, "minimum", \.number)
        members.setOptional(&most, "maximum", \.number)
        guard let least, let most, least <= most else { return amounts = nil }
        amounts = least...most
    }

    /// Sets the terms of the game, whose members come together.
    private mutating func mergeGame(_ members: StateMembers) {
        var (purse, noise): (Price?, Int64?) = (nil, nil)
        var (worth, common): (ClosedRange<Int64>?, ClosedRange<Int64>?) = (nil, nil)
        guard members.setOptional(&purse, "purse", \.price) else { return }
        members.setOptional(&worth, "worth", \.range)
        members.setOptional(&common, "common", \.range)
        members.setOptional(&noise, "noise", \.number)
        let values: GameOptions.Values? =
            if let worth { .personal(worth) } else { common.map { .common($0, noise: noise ?? 0) } }
        game = purse == nil && values == nil ? nil : PublicGame(purse: purse, values: values)
    }
}

extension [UInt8] {
    /// Creates a JSON object with members that `write` appends, each after a comma.
    fileprivate init(jsonMembers write: (inout LineBuffer) -> Void) {
        self = []
        appendBuffered(as: .json, write)
        if isEmpty { append(UInt8(ascii: ",")) }
        self[0] = UInt8(ascii: "{")
        append(UInt8(ascii: "}"))
    }
}

/// The members of a state, of which `null` means that there is no value.
private struct StateMembers {
    private let object: JSONObject

    init?(_ json: [UInt8]) {
        guard let object = JSONObject(String(decoding: json, as: UTF8.self)) else { return nil }
        self.object = object
    }

    /// Sets a value to that of a member, if there is a valid one.
    func set<Value>(_ value: inout Value, _ name: String, _ read: (JSONObject.Value) -> Value?) {
        if let new = object.members.first(where: { $0.name == name }).flatMap({ read($0.value) }) {
            value = new
        }
    }

    /// Sets a value to that of a member, if there is one, and returns whether there is.
    @discardableResult
    func setOptional<Value>(
        _ value: inout Value?, _ name: String, _ read: (JSONObject.Value) -> Value?
    ) -> Bool {
        guard let member = object.members.first(where: { $0.name == name }) else { return false }
        value = read(member.value)
        return true
    }
}

extension JSONObject.Value {
    var number: Int64? { if case .number(let number) = self { number } else { nil } }
    var text: String? { if case .text(let text) = self { text } else { nil } }
    var boolean: Bool? { if case .boolean(let flag) = self { flag } else { nil } }
    var count: Int? {
        number.flatMap { (0...TextFields.most).contains($0) ? Int($0) : nil }
    }
    var price: Price? { number.flatMap { Price($0) } }
    var time: Duration? {
        number.flatMap { $0.magnitude <= TextFields.most ? .milliseconds($0) : nil }
    }
    var range: ClosedRange<Int64>? {
        if case .numbers(let ends) = self { ClosedRange(values: ends) } else { nil }
    }
    var texts: [String]? {
        switch self {
        case .texts(let texts): texts
        case .numbers([]): []
        default: nil
        }
    }
}

extension LineBuffer {
    fileprivate mutating func member(_ name: StaticString, _ number: Int64?) {
        appendName(name)
        if let number { append(signed: number) } else { append("null") }
    }

    fileprivate mutating func member(_ name: StaticString, _ text: String?) {
        appendName(name)
        if let text { append(quoted: text) } else { append("null") }
    }

    fileprivate mutating func member(_ name: StaticString, _ flag: Bool) {
        appendName(name)
        append(flag ? "true" : "false")
    }

    fileprivate mutating func member(_ name: StaticString, _ texts: [String]) {
        appendName(name)
        append("[")
        for index in texts.indices {
            if index > 0 { append(",") }
            append(quoted: texts[index])
        }
        append("]")
    }
}

extension OwnState {
    /// The object with the members that differ from those of `known`; with nothing known, all.
    package func json(after known: OwnState?) -> [UInt8] {
        func differs<Value: Equatable>(_ member: KeyPath<OwnState, Value>) -> Bool {
            known.map { $0[keyPath: member] != self[keyPath: member] } ?? true
        }
        return [UInt8](jsonMembers: { line in
            if differs(\.name) { line.member("name", name.description) }
            if differs(\.leads) { line.member("leads", leads) }
            if differs(\.left) { line.member("left", left) }
            if differs(\.most) { line.member("most", most) }
            if differs(\.worth) { line.member("worth", worth) }
            if differs(\.isEstimate) { line.member("isEstimate", isEstimate) }
            if differs(\.maximum) { line.member("max", maximum?.amount) }
            if differs(\.sealed) { line.member("sealed", sealed?.amount) }
            if differs(\.paid) { line.member("paid", paid?.amount) }
            if differs(\.rank) { line.member("rank", rank.map { Int64($0) }) }
        })
    }

    /// Sets the members that an object has; one that is not valid stays as it is.
    package mutating func merge(json: [UInt8]) {
        guard let members = StateMembers(json) else { return }
        members.set(&name, "name") { $0.text.flatMap { Bidder($0) } }
        members.set(&leads, "leads", \.boolean)
        members.setOptional(&left, "left", \.number)
        members.setOptional(&most, "most", \.number)
        members.setOptional(&worth, "worth", \.number)
        members.set(&isEstimate, "isEstimate", \.boolean)
        members.setOptional(&maximum, "max", \.price)
        members.setOptional(&sealed, "sealed", \.price)
        members.setOptional(&paid, "paid", \.price)
        members.setOptional(&rank, "rank", \.count)
    }
}
