import Auction

/// The description of an option of lots, of rooms and of the server's main room.
///
/// A line has the option as a word `name=value`. All options are listed below.
package struct Option: Sendable {
    /// The name.
    package let name: String
    /// What it is for, in one line without a full stop.
    package let help: String
    /// The default of the server's flag; nil if it has none.
    package let standard: String?
    /// What stands for the value in a synopsis, such as `A..B`.
    package let placeholder: String
    /// The values that it may have, as words after "must be".
    package let allowed: String
    /// The bounds that a help shows; nil if it shows none.
    package let bounds: String?

    /// Sets the option to a value as it is written; false if the value is not allowed.
    package let set: @Sendable (_ text: String, _ options: inout RoomOptions) -> Bool
    /// Makes the option one that was not given.
    let clear: @Sendable (_ options: inout RoomOptions) -> Void
    /// The value of the option as it is written; nil if it is not set.
    let text: @Sendable (_ options: RoomOptions) -> String?

    private init<Value>(
        _ name: String, _ path: WritableKeyPath<RoomOptions, Value?> & Sendable,
        _ format: OptionFormat<Value>, standard: String? = nil, help: String
    ) {
        (self.name, self.help, self.standard) = (name, help, standard)
        (placeholder, allowed, bounds) = (format.placeholder, format.allowed, format.bounds)
        set = { text, options in
            guard let value = format.read(text) else { return false }
            options[keyPath: path] = value
            return true
        }
        clear = { $0[keyPath: path] = nil }
        text = { $0[keyPath: path].map(format.write) }
    }

    /// An option that a line has only if it is true.
    private init(
        _ name: String, _ path: WritableKeyPath<RoomOptions, Bool> & Sendable,
        _ format: OptionFormat<Bool> = .flag, help: String
    ) {
        (self.name, self.help, standard) = (name, help, nil)
        (placeholder, allowed, bounds) = (format.placeholder, format.allowed, format.bounds)
        set = { text, options in
            guard let value = format.read(text) else { return false }
            options[keyPath: path] = value
            return true
        }
        clear = { $0[keyPath: path] = false }
        text = { $0[keyPath: path] ? format.write(true) : nil }
    }
}

extension Option {
    /// The options of a lot, in the order of a line.
    package static let ofLot = [format, seconds, start, step, reserve, buy, longest]
    /// The options of a room, in the order of a line; the first are those of each lot.
    package static let ofRoom =
        ofLot + [
            lots, pause, purse, worth, common, noise, profits, wait, named, leftover,
        ]

    package static let format = Option(
        "format", \.lot.format, .format, standard: "english",
        help: AuctionFormat.allCases.map(\.rawValue).alternatives)
    package static let seconds = Option(
        "seconds", \.lot.seconds, .whole(Rules.allowedSeconds), standard: "7",
        help: "Countdown in seconds")
    package static let start = Option(
        "start", \.lot.start, .price, standard: "1", help: "Minimum of the first bid")
    package static let step = Option(
        "step", \.lot.step, .price, standard: "1", help: "Minimum raise of a later bid")
    package static let reserve = Option(
        "reserve", \.lot.reserve, .price, help: "Least price at which a lot is sold; it is secret")
    package static let buy = Option(
        "buy", \.lot.buy, .price, help: "Price at which a bidder buys a lot at once")
    package static let longest = Option(
        "longest", \.lot.longest, .wholeSeconds(LotOptions.allowedLongest),
        help: "Time after which bids stop resetting the countdown")

    package static let lots = Option(
        "lots", \.lots, .whole(RoomOptions.allowedLots), help: "Number of lots without titles")
    package static let pause = Option(
        "pause", \.pause, .seconds(RoomOptions.allowedPause), help: "Time between two lots")
    package static let purse = Option(
        "purse", \.anyPurse, .purse,
        help: "What each bidder may spend in the sale; auto makes it scarce")
    package static let worth = Option(
        "worth", \.worth, .values, help: "Range of each bidder's private value of a lot")
    package static let common = Option(
        "common", \.common, .values,
        help: "Range of a lot's true value, of which bidders get estimates")
    package static let noise = Option(
        "noise", \.noise, .whole(GameOptions.Values.allowed),
        help: "With --common: the most by which an estimate is wrong")
    package static let profits = Option(
        "profits", \.showsProfits,
        help: "Show profits during the sale; they reveal the values of the winners")
    package static let wait = Option(
        "wait", \.waits, help: "Wait until the auctioneer says start")
    package static let named = Option(
        "named", \.isNamed, help: "Give lots without titles amusing names")
    package static let leftover = Option(
        "leftover", \.countsLeftover, .leftover,
        help: "Whether what is left of a purse counts as profit")
}

/// What each bidder may spend: an amount, or one that is computed from the number of bidders.
private enum Purse: Equatable, Sendable {
    case amount(Price)
    case auto
}

extension RoomOptions {
    /// The purse, or that it is shared.
    fileprivate var anyPurse: Purse? {
        get { sharesPurse ? .auto : purse.map { .amount($0) } }
        set {
            (purse, sharesPurse) = (nil, newValue == .auto)
            if case .amount(let price)? = newValue { purse = price }
        }
    }
}

/// How the value of an option is written.
private struct OptionFormat<Value: Sendable>: Sendable {
    let placeholder: String
    let allowed: String
    var bounds: String?
    let read: @Sendable (String) -> Value?
    let write: @Sendable (Value) -> String
}

extension OptionFormat where Value: BinaryInteger {
    static func whole(_ range: ClosedRange<Value>) -> OptionFormat {
        let bounds = "\(range.lowerBound) to \(range.upperBound)"
        return OptionFormat(
            placeholder: "N", allowed: "a whole number from \(bounds)", bounds: bounds,
            read: { Int64(digits: $0).flatMap { Value(exactly: $0) }.flatMap(range.member) },
            write: { "\($0)" })
    }
}

extension OptionFormat where Value == Price {
    static var price: OptionFormat {
        OptionFormat(
            placeholder: "N",
            allowed: "a whole number from \(Price.lowest.amount) to \(Price.highest.amount)",
            read: { Int64(digits: $0).flatMap { Price($0) } }, write: { "\($0.amount)" })
    }
}

extension OptionFormat where Value == Purse {
    static var purse: OptionFormat {
        let price = OptionFormat<Price>.price
        return OptionFormat(
            placeholder: "N", allowed: price.allowed + ", or auto",
            read: { $0 == "auto" ? .auto : price.read($0).map { .amount($0) } },
            write: { purse in
                switch purse {
                case .amount(let amount): price.write(amount)
                case .auto: "auto"
                }
            })
    }
}

extension OptionFormat where Value == Duration {
    static func seconds(_ range: ClosedRange<Duration>) -> OptionFormat {
        let bounds = "\(range.lowerBound.secondsText) to \(range.upperBound.secondsText)"
        return OptionFormat(
            placeholder: "SECONDS", allowed: "a number of seconds from \(bounds)", bounds: bounds,
            read: { Duration(seconds: $0).flatMap(range.member) }, write: \.secondsText)
    }

    static func wholeSeconds(_ range: ClosedRange<Duration>) -> OptionFormat {
        let bounds = "\(range.lowerBound.secondsText) to \(range.upperBound.secondsText)"
        return OptionFormat(
            placeholder: "SECONDS", allowed: "a whole number from \(bounds)", bounds: bounds,
            read: { Int64(digits: $0).flatMap { range.member(.seconds($0)) } },
            write: \.secondsText)
    }
}

extension OptionFormat where Value == ClosedRange<Int64> {
    static var values: OptionFormat {
        let allowed = GameOptions.Values.allowed
        return OptionFormat(
            placeholder: "A..B",
            allowed: "two whole numbers from \(allowed.lowerBound) to \(allowed.upperBound), the "
                + "lower first, such as 50..150",
            read: { ClosedRange(values: $0) }, write: { "\($0.lowerBound)..\($0.upperBound)" })
    }
}

extension OptionFormat where Value == AuctionFormat {
    static var format: OptionFormat {
        OptionFormat(
            placeholder: "FORMAT", allowed: AuctionFormat.allCases.map(\.rawValue).alternatives,
            read: { AuctionFormat(rawValue: $0) }, write: \.rawValue)
    }
}

extension OptionFormat where Value == Bool {
    static var flag: OptionFormat {
        OptionFormat(
            placeholder: "yes|no", allowed: "yes or no",
            read: { $0 == "yes" ? true : $0 == "no" ? false : nil }, write: { $0 ? "yes" : "no" })
    }
}

extension OptionFormat where Value == Bool {
    static var leftover: OptionFormat {
        OptionFormat(
            placeholder: "counts|no", allowed: "counts or no",
            read: { $0 == "counts" ? true : $0 == "no" ? false : nil },
            write: { $0 ? "counts" : "no" })
    }
}

extension ClosedRange {
    /// The value, if the range has it.
    fileprivate func member(_ value: Bound) -> Bound? { contains(value) ? value : nil }
}

extension [String] {
    /// The words as a choice in a sentence: `a, b or c`.
    var alternatives: String {
        count > 1 ? dropLast().joined(separator: ", ") + " or " + self[count - 1] : joined()
    }
}
