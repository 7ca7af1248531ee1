import AuctionRules
import Sale

/// The options of a room, as the command `open` and the journal have them.
extension RoomOptions {
    /// Parses words such as `seconds=10 lots=5 worth=50..150`, in any order; none is no option.
    ///
    /// - Throws: The first `Problem` from the left, or what does not go together.
    public init(line: some StringProtocol) throws(Problem) {
        self.init()
        var values = GivenValues()
        var given: Set<Option> = []
        for bytes in Substring(line).utf8.split(whereSeparator: \.isBlank) {
            let word = Substring(bytes)
            guard let equals = word.utf8.firstIndex(of: UInt8(ascii: "=")) else {
                throw .noValue(word.optionName)
            }
            guard let option = Option(rawValue: String(word[..<equals])) else {
                throw .unknownOption(word.optionName)
            }
            guard given.insert(option).inserted else { throw .repeated(option) }
            let value = Substring(word.utf8[equals...].dropFirst())
            guard set(option, value, &values) else { throw .badValue(option) }
        }
        self.values = try values.model()
    }

    /// The words of the options, which `init(line:)` parses; empty if there is none.
    public var line: String {
        Option.allCases.compactMap { option in
            value(of: option).map { "\(option.rawValue)=\($0)" }
        }
        .joined(separator: " ")
    }

    /// An option of a room, by its name; the first are those of a lot.
    public enum Option: String, CaseIterable, Sendable {
        /// How the lots are sold.
        case format
        /// The full countdown.
        case seconds
        /// The minimum of the first bid, or the first asking price.
        case start
        /// The least raise, or the least fall of the asking price.
        case step
        /// The least price at which a lot is sold.
        case reserve
        /// The price at which a bidder buys a lot at once.
        case buy
        /// The time from the first bid after which bids stop resetting the countdown.
        case longest
        /// The number of lots.
        case lots
        /// The time between two lots.
        case pause
        /// What each bidder may spend.
        case purse
        /// The range of each bidder's private value of a lot.
        case worth
        /// The range of a lot's common value.
        case common
        /// The most by which an estimate of a common value is wrong.
        case noise
        /// Whether the standings have the profits before the end of the sale.
        case profits
    }

    /// The reason why the words are no options of a room.
    public enum Problem: Error, Hashable, Sendable {
        /// A word has no `=`, and so no value.
        case noValue(String)
        /// No option has this name.
        case unknownOption(String)
        /// The value of an option is not valid.
        case badValue(Option)
        /// An option is given twice.
        case repeated(Option)
        /// The lots have a private value and a common one.
        case twoValues
        /// The lots have a common value, but nothing tells how wrong estimates of it are.
        case noNoise
        /// There is no common value of which estimates could be wrong.
        case noCommon
    }

    /// The options of values, which count together.
    private struct GivenValues {
        var worth: ClosedRange<Int64>?
        var common: ClosedRange<Int64>?
        var noise: Int64?

        func model() throws(Problem) -> GameOptions.Values? {
            switch (worth, common, noise) {
            case (nil, nil, nil): return nil
            case (let range?, nil, nil): return .personal(range)
            case (nil, let range?, let noise?): return .common(range, noise: noise)
            case (_?, _?, _): throw .twoValues
            case (nil, _?, nil): throw .noNoise
            case (_, nil, _?): throw .noCommon
            }
        }
    }

    /// Sets an option; false if the value is not valid.
    private mutating func set(
        _ option: Option, _ text: Substring, _ given: inout GivenValues
    ) -> Bool {
        switch option {
        case .format, .seconds, .start, .step, .reserve, .buy, .longest:
            return option.ofLot?.set(text, in: &lot) == true
        case .lots:
            lots = Int64(digits: text).flatMap { Int(exactly: $0) }.flatMap {
                Self.allowedLots.contains($0) ? $0 : nil
            }
            return lots != nil
        case .pause:
            pause = Duration(seconds: text).flatMap { Self.allowedPause.contains($0) ? $0 : nil }
            return pause != nil
        case .purse:
            purse = Int64(digits: text).flatMap { Price($0) }
            return purse != nil
        case .worth:
            given.worth = ClosedRange(values: text)
            return given.worth != nil
        case .common:
            given.common = ClosedRange(values: text)
            return given.common != nil
        case .noise:
            given.noise = Int64(digits: text).flatMap {
                GameOptions.Values.allowed.contains($0) ? $0 : nil
            }
            return given.noise != nil
        case .profits:
            showsProfits = text == "yes"
            return text == "yes" || text == "no"
        }
    }

    /// The value of an option as it is written; nil if it is not set.
    private func value(of option: Option) -> String? {
        switch (option, values) {
        case (.lots, _): lots.map { "\($0)" }
        case (.pause, _): pause?.secondsText
        case (.purse, _): purse.map { "\($0.amount)" }
        case (.worth, .personal(let range)), (.common, .common(let range, _)):
            "\(range.lowerBound)..\(range.upperBound)"
        case (.noise, .common(_, let noise)): "\(noise)"
        case (.profits, _): showsProfits ? "yes" : nil
        default: option.ofLot?.value(in: lot)
        }
    }
}

extension RoomOptions.Problem: CustomStringConvertible {
    /// What is wrong and what is allowed; it begins with the name of the option, if it has one.
    public var description: String {
        switch self {
        case .noValue(let word): "\(word) has no value: an option is a word such as lots=5"
        case .unknownOption(""): "an option has a name before its value, such as lots=5"
        case .unknownOption(let name):
            "\(name) is no option: use "
                + RoomOptions.Option.allCases.map(\.rawValue).alternatives
        case .badValue(let option): "\(option.rawValue) must be \(option.allowed)"
        case .repeated(let option): "\(option.rawValue) is given twice"
        case .twoValues: "worth and common exclude each other: give one"
        case .noNoise: "common needs noise=N, the most by which an estimate may be wrong"
        case .noCommon: "noise needs common=A..B"
        }
    }
}

extension RoomOptions.Option {
    /// The option of a lot that has the same name; nil if it is one of the room alone.
    fileprivate var ofLot: LotPlan.Option? { LotPlan.Option(rawValue: rawValue) }

    /// The values that the option may have, in words.
    fileprivate var allowed: String {
        switch self {
        case .format, .seconds, .start, .step, .reserve, .buy, .longest: ofLot?.allowed ?? ""
        case .lots: RoomOptions.allowedLots.wholeNumbers
        case .pause:
            "a number of seconds from 0 to \(RoomOptions.allowedPause.upperBound.secondsText)"
        case .purse: "a whole number from 1 to \(Price.highest.amount)"
        case .worth, .common:
            "two whole numbers from 0 to \(GameOptions.Values.allowed.upperBound), the lower first, "
                + "such as 50..150"
        case .noise: "a whole number from 0 to \(GameOptions.Values.allowed.upperBound)"
        case .profits: "yes or no"
        }
    }
}
