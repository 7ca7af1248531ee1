/// A lot that will be sold: its title, and where its rules differ from those of the sale.
public struct LotPlan: Hashable, Sendable {
    /// The title, one line of text.
    public let title: String

    /// The options that replace rules of the sale.
    public let options: LotOptions

    /// Creates a plan; `title` must satisfy `Lot.isTitle`, which is not checked.
    public init(title: String, options: LotOptions = LotOptions()) {
        (self.title, self.options) = (title, options)
    }
}

/// The rules that a lot has instead of those of its sale; what is nil is as in the sale.
public struct LotOptions: Hashable, Sendable {
    /// The allowed times of `longest`.
    public static let allowedLongest: ClosedRange<Duration> = .seconds(1) ... .seconds(86_400)

    /// How the lot is sold.
    public var format: AuctionFormat?
    /// The full countdown in seconds.
    public var seconds: Int?
    /// The minimum of the first bid, or the first asking price.
    public var start: Price?
    /// The least raise, or the least fall of the asking price.
    public var step: Price?
    /// The least price at which the lot is sold.
    public var reserve: Price?
    /// The price at which a bidder buys the lot at once.
    public var buy: Price?
    /// The time from the first bid after which bids stop resetting the countdown, in whole seconds.
    public var longest: Duration?

    /// Creates options that replace nothing.
    public init() {}

    /// Creates the options that give the lots of a sale these rules.
    package init(of rules: Rules) {
        (format, seconds, start, step) = (rules.format, rules.seconds, rules.start, rules.step)
        (reserve, buy, longest) = (rules.reserve, rules.buy, rules.longest)
    }
}

extension LotOptions {
    /// Returns the rules of a lot with these options, in a sale with these rules.
    ///
    /// - Throws: The first thing that does not go together.
    public func rules(_ base: Rules) throws(OptionProblem) -> Rules {
        let reserve = reserve ?? base.reserve
        let terms = Terms(
            format: format ?? base.format, seconds: seconds ?? base.seconds,
            start: start ?? base.start, step: step ?? base.step, hasReserve: reserve != nil,
            buy: buy ?? base.buy, longest: longest ?? base.longest)
        if let problem = Rules.problem(of: terms, reserve: reserve) { throw OptionProblem(problem) }
        return base.with(terms, reserve: reserve)
    }
}

/// An invalid option, or options that conflict.
public struct OptionProblem: Error, Hashable, CustomStringConvertible {
    /// The problem, and what to write instead.
    public let description: String

    /// Creates a problem from its sentence.
    public init(_ description: String) {
        self.description = description
    }
}
