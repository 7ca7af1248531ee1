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
}
