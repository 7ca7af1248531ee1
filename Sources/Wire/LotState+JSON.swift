import Auction

extension LotState {
    /// The object with the members that differ from those of `known`, and with these clocks.
    ///
    /// Nil if there are none; with nothing known it has all members.
    package func json(after known: LotState?, clocks: Clocks) -> [UInt8]? {
        var (state, writer) = (self, MemberWriter(isWhole: known == nil, clocks: clocks))
        state.pass(through: &writer, known)
        return writer.members.isEmpty ? nil : writer.object
    }

    /// Sets the members that an object has, and returns which clocks are among them.
    ///
    /// One that is not valid stays as it is, or becomes nil if `null` is allowed.
    @discardableResult
    package mutating func merge(json: [UInt8]) -> Clocks {
        guard var reader = MemberReader(json) else { return [] }
        pass(through: &reader, nil)
        return reader.clocks
    }

    /// The members, in order.
    private mutating func pass(through codec: inout some MemberCodec, _ known: LotState?) {
        codec.member("lot", &lot, known?.lot)
        codec.member("title", &title, known?.title)
        codec.member("format", &format, known?.format)
        codec.member("stage", &stage, known?.stage)
        codec.member("reason", &reason, known?.reason)
        codec.member("price", &price, known?.price)
        codec.member("leader", &leader, known?.leader)
        codec.member("bids", &bids, known?.bids)
        var (least, most) = (amounts?.lowerBound, amounts?.upperBound)
        codec.member("minimum", &least, known?.amounts?.lowerBound)
        codec.member("maximum", &most, known?.amounts?.upperBound)
        if let least, let most, least <= most { amounts = least...most } else { amounts = nil }
        codec.member("buy", &buy, known?.buy)
        codec.member("reserve", &reserve, known?.reserve)
        codec.member("value", &value, known?.value)
        codec.member("winnerWorth", &winnerWorth, known?.winnerWorth)
        codec.member("start", &start, known?.start)
        codec.member("step", &step, known?.step)
        var full = seconds
        codec.member("seconds", &full, known?.seconds)
        if Rules.allowedSeconds.contains(full) { seconds = full }
        codec.member("longest", &longest, known?.longest)
        codec.member("going", &warning, known?.warning)
        codec.member("isLast", &isLast, known?.isLast)
        codec.member("secondsAtPause", &secondsAtPause, known?.secondsAtPause)
        codec.clock("remainingMilliseconds", &remaining, .remaining)
        codec.clock("elapsedMilliseconds", &elapsed, .elapsed)
        codec.member("lots", &lots, known?.lots)
        codec.member("games", &games, known?.games)
        codec.member("firstLot", &firstLot, known?.firstLot)
        codec.member("next", &next, known?.next)
        codec.clock("nextMilliseconds", &nextOpening, .nextOpening)
        var (terms, former) = (GameMembers(game), GameMembers(known?.game))
        codec.member("purse", &terms.purse, former.purse)
        codec.member("worth", &terms.worth, former.worth)
        codec.member("common", &terms.common, former.common)
        codec.member("noise", &terms.noise, former.noise)
        codec.member("leftover", &terms.countsLeftover, former.countsLeftover)
        game = terms.game
        codec.member("people", &people, known?.people)
    }
}

extension OwnState {
    /// The object with the members that differ from those of `known`; with nothing known, all.
    package func json(after known: OwnState?) -> [UInt8] {
        var (state, writer) = (self, MemberWriter(isWhole: known == nil))
        state.pass(through: &writer, known)
        return writer.object
    }

    /// Sets the members that an object has.
    ///
    /// One that is not valid stays as it is, or becomes nil if `null` is allowed.
    package mutating func merge(json: [UInt8]) {
        guard var reader = MemberReader(json) else { return }
        pass(through: &reader, nil)
    }

    /// The members, in order.
    private mutating func pass(through codec: inout some MemberCodec, _ known: OwnState?) {
        codec.member("name", &name, known?.name)
        codec.member("leads", &leads, known?.leads)
        codec.member("left", &left, known?.left)
        codec.member("most", &most, known?.most)
        codec.member("worth", &worth, known?.worth)
        codec.member("isEstimate", &isEstimate, known?.isEstimate)
        codec.member("max", &maximum, known?.maximum)
        codec.member("sealed", &sealed, known?.sealed)
        codec.member("paid", &paid, known?.paid)
        codec.member("rank", &rank, known?.rank)
    }
}

/// The terms of a game as members.
private struct GameMembers {
    var purse: Price?
    var (worth, common): (ClosedRange<Int64>?, ClosedRange<Int64>?)
    var noise: Int64?
    var countsLeftover: Bool

    init(_ game: PublicGame?) {
        (purse, countsLeftover) = (game?.purse, game?.countsLeftover ?? false)
        switch game?.values {
        case .personal(let range): worth = range
        case .common(let range, let noise): (common, self.noise) = (range, noise)
        case nil: break
        }
    }

    var game: PublicGame? {
        let values: GameOptions.Values? =
            if let worth { .personal(worth) } else { common.map { .common($0, noise: noise ?? 0) } }
        guard purse != nil || values != nil else { return nil }
        return PublicGame(purse: purse, values: values, countsLeftover: countsLeftover)
    }
}

/// Writes or reads the members of a state, of which each is described once for both.
///
/// `known` is the value that the receiver of a written member has.
private protocol MemberCodec {
    mutating func member<Value: FieldValue & Equatable>(
        _ name: StaticString, _ value: inout Value, _ known: Value?)
    /// A member that is `null` without a value.
    mutating func member<Value: FieldValue & Equatable>(
        _ name: StaticString, _ value: inout Value?, _ known: Value?)
    /// A time in milliseconds, which is written whenever it was asked for.
    mutating func clock(
        _ name: StaticString, _ time: inout Duration?, _ clock: LotState.Clocks)
}

private struct MemberWriter: MemberCodec {
    /// Whether nothing is known.
    let isWhole: Bool
    var clocks: LotState.Clocks = []
    /// The members, each after a comma.
    private(set) var members: [UInt8] = []

    var object: [UInt8] { [UInt8(ascii: "{")] + members.dropFirst() + [UInt8(ascii: "}")] }

    mutating func member<Value: FieldValue & Equatable>(
        _ name: StaticString, _ value: inout Value, _ known: Value?
    ) {
        if isWhole || value != known { append(name, value) }
    }

    mutating func member<Value: FieldValue & Equatable>(
        _ name: StaticString, _ value: inout Value?, _ known: Value?
    ) {
        if isWhole || value != known { append(name, value) }
    }

    mutating func clock(
        _ name: StaticString, _ time: inout Duration?, _ clock: LotState.Clocks
    ) {
        if clocks.contains(clock) { append(name, time?.wholeMilliseconds) }
    }

    private mutating func append(_ name: StaticString, _ value: (some FieldValue)?) {
        members.appendBuffered(as: .json) { line in
            line.appendName(name)
            if let value { value.write(to: &line) } else { line.append("null") }
        }
    }
}

private struct MemberReader: MemberCodec {
    private let object: JSONObject
    /// The clocks that were read.
    private(set) var clocks: LotState.Clocks = []

    init?(_ json: [UInt8]) {
        guard let object = JSONObject(String(decoding: json, as: UTF8.self)) else { return nil }
        self.object = object
    }

    mutating func member<Value: FieldValue & Equatable>(
        _ name: StaticString, _ value: inout Value, _ known: Value?
    ) {
        if let new = object["\(name)"].flatMap({ Value(json: $0) }) { value = new }
    }

    mutating func member<Value: FieldValue & Equatable>(
        _ name: StaticString, _ value: inout Value?, _ known: Value?
    ) {
        if let member = object["\(name)"] { value = Value(json: member) }
    }

    mutating func clock(
        _ name: StaticString, _ time: inout Duration?, _ clock: LotState.Clocks
    ) {
        guard let member = object["\(name)"] else { return }
        let milliseconds = Int64(json: member) ?? .max
        time = milliseconds.magnitude <= TextFields.most ? .milliseconds(milliseconds) : nil
        clocks.insert(clock)
    }
}

/// Titles, which are only in JSON.
extension [String]: FieldValue {
    static var isString: Bool { false }

    init?(word: String) { return nil }

    init?(json: JSONObject.Value) {
        switch json {
        case .texts(let texts): self = texts
        case .numbers([]): self = []
        case .numbers, .text, .number, .decimal, .boolean, .null, .object, .objects: return nil
        }
    }

    func write(to line: inout LineBuffer) {
        line.append("[")
        for index in indices {
            if index > 0 { line.append(",") }
            line.append(quoted: self[index])
        }
        line.append("]")
    }
}

/// Seconds, whole or with a decimal point.
extension Duration: FieldValue {
    static var isString: Bool { false }

    init?(word: String) { self.init(seconds: word) }

    init?(json: JSONObject.Value) {
        switch json {
        case .number(let number): self.init(seconds: "\(number)")
        case .decimal(let digits): self.init(seconds: digits)
        case .text, .boolean, .numbers, .texts, .null, .object, .objects: return nil
        }
    }

    func write(to line: inout LineBuffer) { line.append(seconds: self) }
}
