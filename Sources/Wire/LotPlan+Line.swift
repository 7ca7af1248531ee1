import AuctionRules
import SafeText
import Sale

/// The line of a lot, as a file of lots, the auctioneer's `add` and the journal have it.
extension LotPlan {
    /// Parses a title and the options after it, such as `Blue vase reserve=80 format=dutch`.
    ///
    /// The words at the end of the line that contain `=` are options; the rest is the title. The
    /// word `--` between both is left out, so that a title can end in such a word.
    ///
    /// - Throws: The first `Problem` from the right.
    public init(line: some StringProtocol) throws(Problem) {
        var rest = Substring(line).trimmed
        var options = LotOptions()
        var given: Set<Option> = []
        while let word = rest.lastWord, let equals = word.utf8.firstIndex(of: UInt8(ascii: "=")) {
            guard let option = Option(rawValue: String(word[..<equals])) else {
                throw .unknownOption(word.optionName)
            }
            guard given.insert(option).inserted else { throw .repeated(option) }
            guard option.set(word[equals...].dropFirst(), in: &options) else {
                throw .badValue(option)
            }
            rest = Substring(rest.utf8.dropLast(word.utf8.count)).trimmed
        }
        if let word = rest.lastWord, word == Self.titleEnd {
            rest = Substring(rest.utf8.dropLast(Self.titleEnd.utf8.count)).trimmed
        }
        guard Lot.isTitle(String(rest)) else { throw .badTitle }
        self.init(title: String(rest), options: options)
    }

    private static let titleEnd = "--"

    /// The line of the plan, which `init(line:)` parses.
    public var line: String {
        let last = Substring(title).lastWord ?? ""
        let isClear = last != Self.titleEnd && !last.contains("=")
        return Option.allCases.reduce(isClear ? title : "\(title) \(Self.titleEnd)") {
            line, option in
            option.value(in: options).map { "\(line) \(option.rawValue)=\($0)" } ?? line
        }
    }

    /// An option of a lot, by its name.
    public enum Option: String, CaseIterable, Sendable {
        /// How the lot is sold.
        case format
        /// The full countdown.
        case seconds
        /// The minimum of the first bid, or the first asking price.
        case start
        /// The least raise, or the least fall of the asking price.
        case step
        /// The least price at which the lot is sold.
        case reserve
        /// The price at which a bidder buys the lot at once.
        case buy
        /// The time from the first bid after which bids stop resetting the countdown.
        case longest
    }

    /// The reason why a line is not that of a lot.
    public enum Problem: Error, Hashable, Sendable {
        /// There is no title before the options, or it is too long or not printable.
        case badTitle
        /// No option has this name.
        case unknownOption(String)
        /// The value of an option is not valid.
        case badValue(Option)
        /// An option is given twice.
        case repeated(Option)
    }
}

extension LotPlan.Problem: CustomStringConvertible {
    /// What is wrong and what is allowed; it begins with the name of the option, if it has one.
    public var description: String {
        switch self {
        case .badTitle:
            "a lot has a title of 1 to \(Lot.longestTitle) bytes, without tabs or other control "
                + "characters, and then its options"
        case .unknownOption(""): "an option has a name before its value, such as reserve=80"
        case .unknownOption(let name):
            "\(name) is no option: use "
                + LotPlan.Option.allCases.map(\.rawValue).alternatives
                + ", or write -- after a title that ends so"
        case .badValue(let option): "\(option.rawValue) must be \(option.allowed)"
        case .repeated(let option): "\(option.rawValue) is given twice"
        }
    }
}

extension LotPlan.Option {
    private static let allowedLongest = 1...86_400

    /// The values that the option may have, in words.
    var allowed: String {
        switch self {
        case .format: AuctionFormat.allCases.map(\.rawValue).alternatives
        case .seconds: Rules.allowedSeconds.wholeNumbers
        case .start, .step, .reserve, .buy: "a whole number from 1 to \(Price.highest.amount)"
        case .longest: Self.allowedLongest.wholeNumbers
        }
    }

    /// Sets the option; false if the value is not valid.
    func set(_ text: Substring, in options: inout LotOptions) -> Bool {
        let number = Int64(digits: text)
        let price = number.flatMap { Price($0) }
        switch self {
        case .format: options.format = AuctionFormat(rawValue: String(text))
        case .seconds:
            options.seconds = number.flatMap { Int(exactly: $0) }.flatMap {
                Rules.allowedSeconds.contains($0) ? $0 : nil
            }
        case .start: options.start = price
        case .step: options.step = price
        case .reserve: options.reserve = price
        case .buy: options.buy = price
        case .longest:
            options.longest = number.flatMap { Int(exactly: $0) }.flatMap {
                Self.allowedLongest.contains($0) ? .seconds($0) : nil
            }
        }
        return value(in: options) != nil
    }

    /// The value of the option as it is written; nil if it is not set.
    func value(in options: LotOptions) -> String? {
        switch self {
        case .format: options.format?.rawValue
        case .seconds: options.seconds.map { "\($0)" }
        case .start: (options.start?.amount).map { "\($0)" }
        case .step: (options.step?.amount).map { "\($0)" }
        case .reserve: (options.reserve?.amount).map { "\($0)" }
        case .buy: (options.buy?.amount).map { "\($0)" }
        case .longest: (options.longest?.components.seconds).map { "\($0)" }
        }
    }
}

extension [String] {
    /// The words as a choice in a sentence: `a, b or c`.
    var alternatives: String {
        count > 1 ? dropLast().joined(separator: ", ") + " or " + self[count - 1] : joined()
    }
}

extension ClosedRange<Int> {
    /// The range as the values of an option.
    var wholeNumbers: String { "a whole number from \(lowerBound) to \(upperBound)" }
}

extension Substring {
    /// The text without blanks around it.
    fileprivate var trimmed: Substring {
        let rest = utf8.drop(while: \.isBlank)
        guard let last = rest.lastIndex(where: { !$0.isBlank }) else { return "" }
        return Substring(rest[...last])
    }

    /// The name in a word such as `reserve=80` that is no option, short and printable.
    var optionName: String {
        let name = utf8.prefix { $0 != UInt8(ascii: "=") }
        return String(
            String.UnicodeScalarView(Substring(name).unicodeScalars.prefix(Bidder.longest))
        ).escaped
    }

    /// The last word of a text without blanks at its end; nil if it has none.
    fileprivate var lastWord: Substring? {
        guard !isEmpty else { return nil }
        guard let blank = utf8.lastIndex(where: \.isBlank) else { return self }
        return Substring(utf8[blank...].dropFirst())
    }
}

extension UInt8 {
    var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}
