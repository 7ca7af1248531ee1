import Arguments
import Auction
import House
import Server
import Wire

/// The flags of lots and games, most of which are the options of the main room, and their settings.
extension Flags {
    static let pause = Flag(
        Option.pause.name, .seconds(RoomOptions.allowedPause), default: Catalogue().pause,
        help: Option.pause.help)
    static let longest = Flag<Duration?>(
        Option.longest.name, .orNone(.seconds(LotOptions.allowedLongest)), default: nil,
        help: Option.longest.help)
    static let lotCount = Flag<Int?>(
        Option.lots.name, .whole(1...LotsFile.mostLots), help: Option.lots.help)
    static let profits = Flag(Option.profits.name, help: Option.profits.help)
    static let wait = Flag(Option.wait.name, help: Option.wait.help)
    static let named = Flag(Option.named.name, help: Option.named.help)
    /// The options that these flags set; their values differ from those in a line of options.
    private static let own = [Option.pause, .longest, .lots, .profits, .wait, .named].map(\.name)

    static let lots = Flag(
        repeating: "lot", .title, help: "A lot; without this flag lots never end")
    static let lotsFile = Flag<String?>(
        "lots-file", .text("FILE"), help: "A lot on each line, such as: Clock buy=500")
    static let selfRaise = Flag(
        "self-raise", .choice, default: Permission.refuse,
        help: "Whether the leader may raise their own bid")
    static let mostRaise = Flag<Price?>(
        "most-raise", .orNone(.price), default: Price(1_000_000),
        help: "Most that one bid or maximum may raise")
    static let seed = Flag<UInt64?>(
        "seed", .whole(0...UInt64.max),
        help: "Draw the same values at each start; keep it secret, it reveals all values")

    static let night = Flag(
        "night", help: "A game night for all in your network")

    /// The options of a night; a flag of an option replaces it.
    private static let nightOptions = [
        (Option.lots, "10"), (Option.pause, "8"), (Option.purse, "auto"),
        (Option.worth, "50..150"), (Option.profits, "yes"), (Option.named, "yes"),
        (Option.wait, "yes"),
    ]

    /// Fills in the rules of a lot without options of its own, the lots, and the game.
    ///
    /// - Throws: `UsageError` for options that do not go together.
    static func setSale(_ invocation: Invocation, in settings: inout Settings) throws(UsageError) {
        var options = RoomOptions()
        if invocation[night] {
            for (option, word) in nightOptions { _ = option.set(word, &options) }
            let hasValues = [Option.common, Option.noise].contains { invocation[$0.flag] != nil }
            if hasValues { options.worth = nil }
        }
        for option in Option.ofRoom where !own.contains(option.name) {
            if let word = invocation[option.flag] { _ = option.set(word, &options) }
        }
        options.lot.longest = invocation[longest]
        if invocation[profits] { options.showsProfits = true }
        // The main room has nothing to do with a class.
        if invocation[wait] || invocation[classFile] != nil { options.waits = true }
        if invocation[named] { options.isNamed = true }
        if let count = invocation[lotCount] { options.lots = count }
        if !invocation[lots].isEmpty || invocation[lotsFile] != nil {
            options.lots = invocation[lotCount]
        }
        if !invocation[night] || invocation.isGiven(pause) { options.pause = invocation[pause] }
        settings.rules = try rules(options.lot, invocation)
        settings.catalogue = try catalogue(invocation, options, settings.rules)
        settings.game = try game(options, invocation)
        settings.classPlan = try read(invocation[classFile], of: "--class", ClassPlan.init(file:))
        settings.roster = try read(invocation[roster], of: "--roster", Roster.init(file:))
        let hasEnd = !settings.catalogue.isEndless
        if let problem = options.conflictOfPurse(hasEnd: hasEnd) {
            throw program.misuse(problem.description)
        }
    }

    private static func rules(
        _ options: LotOptions, _ invocation: Invocation
    ) throws(UsageError) -> Rules {
        let (step, mostRaise) = (options.step ?? .lowest, invocation[mostRaise])
        guard mostRaise ?? step >= step || !invocation.isGiven(Flags.mostRaise) else {
            throw program.misuse("--most-raise must be at least --step")
        }
        let base = Rules(
            seconds: 7, allowsSelfRaise: invocation[selfRaise] == .allow, mostRaise: mostRaise)
        do throws(OptionProblem) {
            return try options.rules(base)
        } catch {
            throw program.misuse(error.description)
        }
    }

    /// The lots: those of `--lot` or of the file, a number of them, or lots without end.
    ///
    /// - Throws: `UsageError` for a wrong line of the file, or more than one of these flags.
    private static func catalogue(
        _ invocation: Invocation, _ options: RoomOptions, _ rules: Rules
    ) throws(UsageError) -> Catalogue {
        let (titles, count) = (invocation[lots], options.lots)
        let pause = options.pause ?? invocation[pause]
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

    /// What the file of a flag has; nil without one.
    ///
    /// - Throws: `UsageError` for a file that cannot be read, or a wrong line.
    private static func read<Content>(
        _ file: String?, of flag: String, _ parse: (_ file: String) throws(LotsFileError) -> Content
    ) throws(UsageError) -> Content? {
        guard let file else { return nil }
        do throws(LotsFileError) {
            return try parse(file)
        } catch {
            throw program.misuse("\(flag): \(error)")
        }
    }

    private static func game(
        _ options: RoomOptions, _ invocation: Invocation
    ) throws(UsageError) -> GameSettings {
        if let problem = options.conflictOfValues(prefix: "--", separator: " ")
            ?? options.conflictOfLeftover(prefix: "--", separator: " ")
        {
            throw program.misuse(problem.description)
        }
        let seed = invocation[seed].map { Seed($0) }
        let draws = options.values != nil || options.isNamed || invocation[classFile] != nil
        guard draws || seed == nil else {
            throw program.misuse(
                "--seed needs --worth, --common, --named or --class, for which it draws")
        }
        return GameSettings(options, seed: seed)
    }
}

extension Option {
    /// The flag of the server with its name; its value is as it is written.
    var flag: Flag<String?> {
        let format = ValueFormat(
            placeholder: placeholder, expected: allowed, bounds: bounds,
            read: { word in
                var options = RoomOptions()
                return self.set(word, &options) ? word : nil
            }, write: { $0 })
        return Flag(name, format, default: standard, help: help)
    }
}
