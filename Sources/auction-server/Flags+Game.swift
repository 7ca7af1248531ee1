import Arguments
import AuctionRules
import Lobby
import Sale
import Server
import Wire

/// The flags of formats, lots, purses and values, and the settings that they make.
extension Flags {
    static let format = Flag(
        "format", .format, default: AuctionFormat.english,
        help: "english, dutch, sealed or vickrey")
    static let reserve = Flag<Price?>(
        "reserve", .price, help: "Least price at which a lot is sold; it is secret")
    static let buy = Flag<Price?>(
        "buy", .price, help: "Price at which a bidder buys a lot at once")

    static let lotCount = Flag<Int?>(
        "lots", .whole(1...LotsFile.mostLots), help: "Number of lots without titles")
    static let lotsFile = Flag<String?>(
        "lots-file", .text("FILE"), help: "A lot on each line, such as: Clock buy=500")

    static let purse = Flag<Price?>(
        "purse", .price, help: "What each bidder may spend in the sale")
    static let worth = Flag<ClosedRange<Int64>?>(
        "worth", .values, help: "Range of each bidder's private value of a lot")
    static let common = Flag<ClosedRange<Int64>?>(
        "common", .values, help: "Range of a lot's true value, of which bidders get estimates")
    static let noise = Flag<Int64?>(
        "noise", .whole(GameOptions.Values.allowed),
        help: "With --common: the most by which an estimate is wrong")
    static let seed = Flag<UInt64?>(
        "seed", .whole(0...UInt64.max),
        help: "Draw the same values at each start; keep it secret, it reveals all values")

    static let profits = Flag(
        "profits", help: "Show profits during the sale; they reveal the values of the winners")

    /// The rules of a lot without options of its own.
    ///
    /// - Throws: `UsageError` for terms that do not go together.
    static func rules(_ invocation: Invocation) throws(UsageError) -> Rules {
        var mostRaise = invocation[mostRaise]
        if !invocation.isGiven(Flags.mostRaise) {
            mostRaise = mostRaise.map { max($0, invocation[step]) }
        }
        guard mostRaise ?? .highest >= invocation[step] else {
            throw program.misuse("--most-raise must be at least --step")
        }
        let rules = Rules(
            seconds: invocation[seconds], start: invocation[start], step: invocation[step],
            allowsSelfRaise: invocation[selfRaise] == .allow, longest: invocation[longest],
            mostRaise: mostRaise, format: invocation[format],
            reserve: invocation[reserve], buy: invocation[buy])
        if let problem = rules.problem { throw program.misuse(problem) }
        return rules
    }

    /// The lots: those of `--lot` or of the file, a number of them, or lots without end.
    ///
    /// - Throws: `UsageError` for a wrong line of the file, or more than one of these flags.
    static func catalogue(_ invocation: Invocation, _ rules: Rules) throws(UsageError) -> Catalogue
    {
        let (titles, count) = (invocation[lots], invocation[lotCount])
        let pause = invocation[pause]
        switch (titles.isEmpty, count, invocation[lotsFile]) {
        case (_, nil, nil):
            return Catalogue(plans: titles.map { LotPlan(title: $0) }, pause: pause)
        case (true, let count?, nil):
            let plans = (1...count).map { LotPlan(title: Lot(number: $0).title) }
            return Catalogue(plans: plans, pause: pause)
        case (true, nil, let file?):
            do throws(LotsFileError) {
                return Catalogue(plans: try LotsFile(file, rules: rules).plans, pause: pause)
            } catch {
                throw program.misuse("--lots-file: \(error)")
            }
        default:
            throw program.misuse("--lot, --lots and --lots-file exclude each other: give one")
        }
    }

    /// The purses and the values of a game.
    ///
    /// - Throws: `UsageError` for flags that do not go together.
    static func game(_ invocation: Invocation) throws(UsageError) -> GameSettings {
        let values = try values(invocation)
        guard values != nil || invocation[seed] == nil else {
            throw program.misuse("--seed needs --worth or --common, whose values it draws")
        }
        return GameSettings(
            purse: invocation[purse], values: values, seed: invocation[seed].map { Seed($0) },
            showsProfits: invocation[profits])
    }

    private static func values(
        _ invocation: Invocation
    ) throws(UsageError) -> GameOptions.Values? {
        switch (invocation[worth], invocation[common], invocation[noise]) {
        case (nil, nil, nil): return nil
        case (let range?, nil, nil): return .personal(range)
        case (nil, let range?, let noise?): return .common(range, noise: noise)
        case (_?, _?, _):
            throw program.misuse("--worth and --common exclude each other: give one")
        case (nil, _?, nil):
            throw program.misuse(
                "--common needs --noise N, the most by which an estimate may be wrong")
        case (_, nil, _?): throw program.misuse("--noise needs --common A..B")
        }
    }
}

extension ValueFormat where Value == AuctionFormat {
    /// A kind of auction by its name; its help lists the names.
    static var format: ValueFormat {
        ValueFormat(
            placeholder: "FORMAT", expected: "english, dutch, sealed or vickrey",
            read: { AuctionFormat(rawValue: $0) }, write: { $0.rawValue })
    }
}

extension ValueFormat where Value == ClosedRange<Int64> {
    /// Two whole numbers, the least and the greatest value, as in `50..150`.
    static var values: ValueFormat {
        let allowed = GameOptions.Values.allowed
        return ValueFormat(
            placeholder: "A..B",
            expected: "two whole numbers from \(allowed.lowerBound) to \(allowed.upperBound), the "
                + "lower first, such as 50..150",
            read: { ClosedRange(values: $0) },
            write: { "\($0.lowerBound)..\($0.upperBound)" })
    }
}
