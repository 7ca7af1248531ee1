import Auction

extension Request {
    /// Parses a line without its end; nil if it has no words.
    ///
    /// Verbs are not case-sensitive, and a number alone is a bid.
    ///
    /// - Throws: The `ParseError` to be answered.
    public init?(line: Span<UInt8>) throws(ParseError) {
        guard line.isUTF8 else { throw ParseError(tag: nil, reason: .notUTF8) }
        var words = Words()
        guard var verb = words.next(in: line) else { return nil }
        var tag: String?
        if line[verb.lowerBound] == UInt8(ascii: "#") {
            tag = Self.tag(line, verb)
            guard tag != nil, let next = words.next(in: line) else {
                throw ParseError(tag: tag, reason: .badArguments(usage: "#TAG COMMAND"))
            }
            verb = next
        }
        do throws(ParseError.Reason) {
            self.init(try Command(verb: verb, words, of: line), tag: tag)
        } catch {
            throw ParseError(tag: tag, reason: error)
        }
    }

    /// Parses a line of text without its end; nil if it has no words.
    ///
    /// - Throws: The `ParseError` to be answered.
    public init?(line: String) throws(ParseError) {
        try self.init(line: Array(line.utf8).span)
    }

    static func tag(_ line: Span<UInt8>, _ word: Range<Int>) -> String? {
        let tag = word.dropFirst()
        guard (1...32).contains(tag.count) else { return nil }
        for index in tag where !isLetterOrDigit(line[index]) { return nil }
        return line.text(tag)
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}

extension ParseError.Reason: Error {}

extension Request.Command {
    fileprivate init(
        verb: Range<Int>, _ following: Words, of line: Span<UInt8>
    ) throws(ParseError.Reason) {
        var words = following
        let arguments = Arguments(words.next(in: line), words.next(in: line), words.next(in: line))
        guard line[verb.lowerBound] &- UInt8(ascii: "0") > 9 else {
            self = try Self.bareBid(verb, arguments, of: line)
            return
        }
        switch Verb(verb, of: line) {
        case "bid": self = try Self.bid(arguments, of: line)
        case "take": self = try Self.purchase(.take, arguments, of: line)
        case "buy": self = try Self.purchase(.buy, arguments, of: line)
        case "max": self = try Self.maximum(arguments, of: line)
        case "say": self = .say(try Self.message(following, of: line))
        case "react": self = .react(try Self.reaction(arguments, of: line))
        case "display": self = .display(try Self.displayName(following, of: line))
        case "name": self = try Self.name(arguments, of: line)
        case "laps": self = .laps(try arguments.range(verb: "laps", of: line))
        case "results": self = .results(try arguments.range(verb: "results", of: line))
        case "format": self = try Self.format(arguments, of: line)
        case "who": self = try arguments.none(usage: "who", .who)
        case "standings": self = try arguments.none(usage: "standings", .standings)
        case "rooms": self = try arguments.none(usage: "rooms", .rooms)
        case "join":
            let word = try arguments.one(usage: "join \(Self.roomUsage)")
            self = .join(try Self.room(word, usage: "join \(Self.roomUsage)", of: line))
        case "open": self = try Self.open(following, of: line)
        case "status": self = try arguments.none(usage: "status", .status)
        case "ping": self = try arguments.none(usage: "ping", .ping)
        case "help": self = try arguments.none(usage: "help", .help)
        case "quit": self = try arguments.none(usage: "quit", .quit)
        case "auctioneer":
            self = .auctioneer(token: line.text(try arguments.one(usage: "auctioneer TOKEN")))
        case "pause": self = try arguments.none(usage: "pause", .rule(.pause))
        case "resume": self = try Self.resume(arguments, of: line)
        case "hammer": self = try arguments.none(usage: "hammer", .rule(.hammer))
        case "void": self = try arguments.none(usage: "void", .rule(.void))
        case "kick": self = .rule(try Self.kick(following, of: line))
        case "mute": self = .rule(.mute(try Self.bidder(arguments, usage: "mute NAME", of: line)))
        case "unmute":
            self = .rule(.unmute(try Self.bidder(arguments, usage: "unmute NAME", of: line)))
        case "add": self = .rule(.add(try Self.plan(following, of: line)))
        case "title": self = .rule(.title(try Self.titled(following, of: line)))
        case "start": self = try arguments.none(usage: "start", .rule(.start))
        case "skip": self = try arguments.none(usage: "skip", .rule(.skip))
        case "class": self = try arguments.none(usage: "class", .rule(.classStatus))
        case "ready": self = try arguments.none(usage: "ready", .ready)
        case "set": self = .rule(.set(try Self.changes(following, of: line)))
        case "rematch": self = try arguments.none(usage: "rematch", .rule(.rematch))
        case "close": self = try arguments.none(usage: "close", .rule(.close))
        case "end": self = .rule(.end(try Self.ended(arguments, of: line)))
        case "stop": self = try arguments.none(usage: "stop", .rule(.stop))
        case "host:": throw .http
        default:
            let isHTTP = arguments.isHTTP(in: line)
            throw isHTTP ? .http : .unknownCommand
        }
    }

    private static func name(
        _ arguments: Arguments, of line: Span<UInt8>
    ) throws(ParseError.Reason) -> Self {
        guard let name = arguments.first, arguments.third == nil else {
            throw .badArguments(usage: "name NAME, or name NAME TOKEN")
        }
        guard let bidder = Bidder(line.extracting(name)) else { throw .badName }
        return .name(bidder, token: arguments.second.map { line.text($0) })
    }

    private static func bid(
        _ following: Arguments, of line: Span<UInt8>
    ) throws(ParseError.Reason) -> Self {
        var arguments = following
        let lot = try arguments.takeLot(after: "bid AMOUNT", of: line)
        return .offer(.bid(try price(arguments.one(usage: "bid AMOUNT"), of: line)), lot: lot)
    }

    private static func purchase(
        _ offer: Request.Offer, _ following: Arguments, of line: Span<UInt8>
    ) throws(ParseError.Reason) -> Self {
        var arguments = following
        let lot = try arguments.takeLot(after: "\(offer)", of: line)
        return try arguments.none(usage: "\(offer)", .offer(offer, lot: lot))
    }

    private static func maximum(
        _ following: Arguments, of line: Span<UInt8>
    ) throws(ParseError.Reason) -> Self {
        var arguments = following
        let lot = try arguments.takeLot(after: "max AMOUNT", of: line)
        let word = try arguments.one(usage: "max AMOUNT, or max 0 to take it back")
        guard line.number(word) != 0 else { return .offer(.maximum(nil), lot: lot) }
        return .offer(.maximum(try price(word, of: line)), lot: lot)
    }

    private static func message(
        _ following: Words, of line: Span<UInt8>
    ) throws(ParseError.Reason) -> String {
        var words = following
        // The text is printed on other people's terminals.
        guard let text = words.remainder(of: line).map({ line.text($0) }), Lot.isTitle(text) else {
            throw .badArguments(
                usage:
                    "say TEXT with a TEXT of 1 to \(Lot.longestTitle) bytes, no control characters")
        }
        return text
    }

    private static func displayName(
        _ following: Words, of line: Span<UInt8>
    ) throws(ParseError.Reason) -> String? {
        var words = following
        guard let text = words.remainder(of: line).map({ line.text($0) }) else { return nil }
        guard DisplayName.isValid(text) else {
            throw .badArguments(
                usage: "display NAME with a NAME of 1 to \(DisplayName.longest) letters, digits, "
                    + "single spaces, -, _, ' or .; display alone takes it back")
        }
        return text
    }

    private static func reaction(
        _ arguments: Arguments, of line: Span<UInt8>
    ) throws(ParseError.Reason) -> Reaction {
        let all = Reaction.allCases.map(\.rawValue).joined(separator: " ")
        let usage = "react with one of \(all)"
        guard let reaction = Reaction(rawValue: line.text(try arguments.one(usage: usage))) else {
            throw .badArguments(usage: usage)
        }
        return reaction
    }

    private static func titled(
        _ following: Words, of line: Span<UInt8>
    ) throws(ParseError.Reason) -> Lot {
        var words = following
        guard let number = words.next(in: line).flatMap({ line.number($0) }), number > 0,
            let title = words.remainder(of: line).map({ line.text($0) }), Lot.isTitle(title)
        else { throw .badArguments(usage: "title NUMBER TITLE, such as: title 3 Blue vase") }
        return Lot(number: Int(number), title: title)
    }

    private static func changes(
        _ following: Words, of line: Span<UInt8>
    ) throws(ParseError.Reason) -> OptionChanges {
        var words = following
        guard let rest = words.remainder(of: line) else {
            throw .badArguments(usage: "set OPTIONS, such as: set seconds=10 purse=none")
        }
        do throws(OptionProblem) {
            return try OptionChanges(line: line.text(rest))
        } catch {
            throw .badOption(error)
        }
    }

    private static func bidder(
        _ arguments: Arguments, usage: String, of line: Span<UInt8>
    ) throws(ParseError.Reason) -> Bidder {
        let name = try arguments.one(usage: usage)
        guard let bidder = Bidder(line.extracting(name)) else { throw .badName }
        return bidder
    }

    private static func plan(
        _ following: Words, of line: Span<UInt8>
    ) throws(ParseError.Reason) -> LotPlan {
        var words = following
        do throws(OptionProblem) {
            return try LotPlan(line: words.remainder(of: line).map { line.text($0) } ?? "")
        } catch {
            guard error != .badTitle else {
                throw .badArguments(usage: "add TITLE, and then options such as reserve=80")
            }
            throw .badOption(error)
        }
    }

    private static let roomUsage =
        "ROOM with a ROOM of 1 to \(RoomName.longest) small letters, digits or -, the first not -"

    private static func room(
        _ word: Range<Int>, usage: String, of line: Span<UInt8>
    ) throws(ParseError.Reason) -> RoomName {
        guard let room = RoomName(line.extracting(word)) else { throw .badArguments(usage: usage) }
        return room
    }

    private static func ended(
        _ arguments: Arguments, of line: Span<UInt8>
    ) throws(ParseError.Reason) -> RoomName {
        let usage = "end ROOM with the name of a room, but not main, which never ends"
        let room = try room(try arguments.one(usage: usage), usage: usage, of: line)
        guard room != .main else { throw .badArguments(usage: usage) }
        return room
    }

    private static func open(
        _ following: Words, of line: Span<UInt8>
    ) throws(ParseError.Reason) -> Self {
        var words = following
        let usage = "open \(roomUsage), and then options such as lots=5"
        guard let word = words.next(in: line) else { throw .badArguments(usage: usage) }
        let room = try room(word, usage: usage, of: line)
        let rest = words.remainder(of: line).map { line.text($0) }
        do throws(OptionProblem) {
            return .open(room, try RoomOptions(line: rest ?? ""))
        } catch {
            throw .badOption(error)
        }
    }

    /// Reads the auctioneer's command, or with a number that of a client.
    private static func resume(
        _ arguments: Arguments, of line: Span<UInt8>
    ) throws(ParseError.Reason) -> Self {
        guard let word = arguments.first else { return .rule(.resume) }
        guard arguments.second == nil, let number = line.number(word) else {
            throw .badArguments(usage: "resume NUMBER with the number of an event, or resume")
        }
        return .resume(after: Int(number))
    }

    private static func format(
        _ arguments: Arguments, of line: Span<UInt8>
    ) throws(ParseError.Reason) -> Self {
        let usage = "format json, or format text"
        let word = try arguments.one(usage: usage)
        guard let format = Format(rawValue: line.lowercasedText(word)) else {
            throw .badArguments(usage: usage)
        }
        return .format(format)
    }

    private static func kick(
        _ following: Words, of line: Span<UInt8>
    ) throws(ParseError.Reason) -> AuctioneerCommand {
        var words = following
        let usage = "kick NAME REASON with a REASON of 1 to \(Lot.longestTitle) bytes of text"
        guard let name = words.next(in: line), let rest = words.remainder(of: line) else {
            throw .badArguments(usage: usage)
        }
        guard let bidder = Bidder(line.extracting(name)) else { throw .badName }
        let reason = line.text(rest)
        // The reason is printed on other people's terminals.
        guard Lot.isTitle(reason) else { throw .badArguments(usage: usage) }
        return .kick(bidder, reason: reason)
    }

    /// Reads a line that begins with a digit: a number alone is a bid.
    private static func bareBid(
        _ word: Range<Int>, _ arguments: Arguments, of line: Span<UInt8>
    ) throws(ParseError.Reason) -> Self {
        guard !arguments.isHTTP(in: line) else { throw .http }
        return try bid(Arguments(word, arguments.first, arguments.second), of: line)
    }

    private static func price(
        _ word: Range<Int>, of line: Span<UInt8>
    ) throws(ParseError.Reason) -> Price {
        guard let amount = line.number(word), let price = Price(amount) else { throw .badAmount }
        return price
    }
}

/// The first word of a line in lower case, as an integer that one operation compares.
///
/// Not a string, because each bid is parsed by it.
private struct Verb {
    /// The bytes; no verb has more than 16.
    private let bytes: UInt128

    init(_ word: Range<Int>, of line: Span<UInt8>) {
        guard word.count <= 16 else {
            bytes = 0
            return
        }
        var bytes: UInt128 = 0
        for index in word {
            let byte = line[index]
            let isUpper = byte &- UInt8(ascii: "A") < 26
            bytes = bytes << 8 | UInt128(isUpper ? byte | 0x20 : byte)
        }
        self.bytes = bytes
    }

    static func ~= (word: StaticString, verb: Verb) -> Bool {
        var bytes: UInt128 = 0
        for offset in 0..<word.utf8CodeUnitCount {
            bytes = bytes << 8 | UInt128(word.utf8Start[offset])
        }
        return bytes == verb.bytes
    }
}

/// The positions of the words after a verb, at most one more than any command has.
private struct Arguments {
    private(set) var first: Range<Int>?
    private(set) var second: Range<Int>?
    let third: Range<Int>?

    init(_ first: Range<Int>?, _ second: Range<Int>?, _ third: Range<Int>?) {
        self.first = first
        self.second = second
        self.third = third
    }

    /// Whether the words are the first line of an HTTP request.
    func isHTTP(in line: Span<UInt8>) -> Bool {
        guard let second, third == nil else { return false }
        return line.value(of: "HTTP/", in: second) != nil
    }

    func one(usage: String) throws(ParseError.Reason) -> Range<Int> {
        guard let first, second == nil else { throw .badArguments(usage: usage) }
        return first
    }

    /// Takes the last word if it is one such as `lot=4`, and returns its number.
    ///
    /// - Throws: `badArguments` with the usage of the command if the number is not one of a lot.
    mutating func takeLot(
        after usage: String, of line: Span<UInt8>
    ) throws(ParseError.Reason) -> Int? {
        guard third == nil, let last = second ?? first,
            let digits = line.value(of: "lot=", in: last)
        else { return nil }
        guard let number = line.number(digits), number > 0 else {
            throw .badArguments(usage: "\(usage) lot=NUMBER with the number of a lot")
        }
        if second == nil { first = nil } else { second = nil }
        return Int(number)
    }

    func range(verb: String, of line: Span<UInt8>) throws(ParseError.Reason) -> ListRange? {
        guard let first else { return nil }
        guard let second, third == nil, let number = line.number(first),
            let count = line.number(second),
            let range = ListRange(first: Int(number), count: Int(count))
        else {
            throw .badArguments(
                usage: "\(verb), or \(verb) FIRST COUNT with a COUNT from 1 to \(ListRange.longest)"
            )
        }
        return range
    }

    func none(
        usage: String, _ command: Request.Command
    ) throws(ParseError.Reason) -> Request.Command {
        guard first == nil else { throw .badArguments(usage: usage) }
        return command
    }
}

/// The reason why a line is not a valid request.
public struct ParseError: Error, Equatable {
    /// The tag for the answer, if the line has a valid one.
    public let tag: String?

    /// The fault of the line.
    public let reason: Reason

    /// Creates an error.
    public init(tag: String?, reason: Reason) {
        self.tag = tag
        self.reason = reason
    }

    /// The possible faults of a line.
    public enum Reason: Equatable, Sendable {
        /// The bytes are not UTF-8.
        case notUTF8
        /// The first word is not a command.
        case unknownCommand
        /// The command has too many, too few or wrong words; the value is its correct form.
        case badArguments(usage: String)
        /// The amount of a bid is not a whole number in bounds.
        case badAmount
        /// The word is not a valid name.
        case badName
        /// The options of a lot or a room are not valid.
        case badOption(OptionProblem)
        /// The line is the first line of an HTTP request, or a `Host` header.
        case http
    }
}
