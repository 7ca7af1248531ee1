import Arguments
import Auction
import League
import Posix
import Strategies
import Wire

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The command line of the league.
private enum Flags {
    /// A rising auction takes a bid for each amount up to the price.
    private static let allowed: ClosedRange<Int64> = 0...1_000

    static let formats = Flag(
        "formats", .choices(), default: AuctionFormat.allCases, help: "The formats to play")
    static let strategies = Flag(
        "strategies", .choices(), default: StrategyKind.allCases,
        help: "The strategies from which the bidders of a sale are drawn")
    static let bidders = Flag(
        "bidders", .whole(2...50), default: 4, help: "How many bidders a sale has")
    static let lots = Flag("lots", .whole(1...100), default: 5, help: "How many lots a sale has")
    static let values = Flag(
        "values", .range(within: allowed), default: 50...150,
        help: "The range of private values")
    static let common = Flag<ClosedRange<Int64>?>(
        "common", .range(within: allowed),
        help: "The range of values that are the same for all, instead of --values")
    static let noise = Flag(
        "noise", .whole(0...allowed.upperBound), default: 20,
        help: "The most by which an estimate of a common value is wrong")
    static let sales = Flag(
        "sales", .whole(2...1_000_000), default: 2_000,
        help: "How many sales of each format are played")
    static let seed = Flag<UInt64>(
        "seed", .whole(0...UInt64.max), default: 1, help: "The seed of everything that is drawn")

    static let program = Program(
        name: "auction-league", version: Release.version,
        abstract: "Lets strategies play each other in simulated time, with the real rules.",
        flags: formats, strategies, bidders, lots, values, common, noise, sales, seed,
        exits: [ExitStatus(0, "Played"), ExitStatus(2, "A wrong command line")],
        examples: [
            "scripts/league",
            "scripts/league --bidders 3 --formats sealed,allpay --strategies truthful,equilibrium",
            "scripts/league --common 50..150 --noise 20",
        ])
}

/// The tables of one command line.
private struct Tables {
    private let formats: [AuctionFormat]
    private let tournament: Tournament
    private let sales: Int
    private let seed: UInt64

    init(_ invocation: Invocation) {
        formats = invocation[Flags.formats]
        (sales, seed) = (invocation[Flags.sales], invocation[Flags.seed])
        let values: GameOptions.Values =
            if let range = invocation[Flags.common] {
                .common(range, noise: invocation[Flags.noise])
            } else { .personal(invocation[Flags.values]) }
        tournament = Tournament(
            values: values, bidders: invocation[Flags.bidders], lots: invocation[Flags.lots],
            kinds: invocation[Flags.strategies])
    }

    func play() {
        show(
            LeagueTable(
                formats.map { ($0, tournament.play($0, sales: sales, seed: seed)) },
                of: tournament))
        switch tournament.values {
        case .personal(let range):
            showRevenues(range)
            let study = PurseStudy(values: range, bidders: tournament.bidders)
            show(LeagueTable(study.play(sales: sales, seed: seed)))
        case .common(let range, let noise):
            let study = CurseStudy(values: range, noise: noise)
            show(
                LeagueTable(study.play(bidders: [2, 3, 4, 6, 8], sales: sales, seed: seed)))
            print(
                """
                What the winner of a lot earns, if all bidders take their estimate for a private \
                value (naive), or all play
                the equilibrium of bidders with estimates (correcting). In `sealed` the naive shade \
                by the number of bidders too.

                """)
        }
    }

    private func showRevenues(_ range: ClosedRange<Int64>) {
        let study = RevenueStudy(
            values: range, bidders: tournament.bidders, lots: tournament.lots)
        show(
            LeagueTable(
                formats, revenue: formats.map { study.play($0, sales: sales, seed: seed) },
                expectations: formats.map(study.expectation)))
        print(
            """
            If all bidders are risk-neutral and play the equilibrium, each format earns the expected \
            second-highest value.
            The table of strategies differs because they do something else. Those that bid too much \
            where the winner pays its
            own bid, or where all pay, raise the revenue there; those that shade or stop at random \
            where others set the price
            lower it. In a rising auction a jump, and in the last round the step, may pass the \
            second-highest value; a falling
            price falls on until somebody has seen it; and amounts are whole numbers. The equilibrium \
            bidders see at once,
            and their money is finer, so that only chance is left.

            """)
    }

    private func show(_ table: LeagueTable) {
        for line in table.lines { print(line) }
        print()
    }
}

private func run() -> Int32 {
    do {
        switch try Flags.program.parse(commandLine: CommandLine.arguments) {
        case .print(let text): print(text)
        case .run(let invocation):
            let start = monotonicNanoseconds()
            Tables(invocation).play()
            let milliseconds = (monotonicNanoseconds() - start) / 1_000_000
            print("means ± 95 % confidence intervals over sales; \(milliseconds) ms")
        }
        return 0
    } catch {
        StandardStream.error.say(error.message)
        return 2
    }
}

exit(run())
