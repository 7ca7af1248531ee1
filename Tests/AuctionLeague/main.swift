import Auction
import League
import Posix

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

// Lets all strategies play each other in all formats, and with purses: auction-league [SALES] [SEED].

let arguments = CommandLine.arguments.dropFirst().map { UInt64($0) }
let numbers = arguments.compactMap { $0 }
let sales = numbers.first ?? 2_000
guard arguments.count <= 2, !arguments.contains(nil), (2...1_000_000).contains(sales) else {
    print("usage: auction-league [SALES, 2 to 1000000] [SEED]")
    exit(2)
}
let seed = numbers.count == 2 ? numbers[1] : 1

let start = monotonicNanoseconds()
let tournament = Tournament()
let table = LeagueTable(
    AuctionFormat.allCases.map { format in
        (format, tournament.play(format, sales: Int(sales), seed: seed))
    })
for line in table.lines { print(line) }
let study = PurseStudy()
let purses = study.play([100, 150, 225, 300, 1000], sales: Int(sales), seed: seed)
print()
for line in LeagueTable(purses).lines { print(line) }
let milliseconds = (monotonicNanoseconds() - start) / 1_000_000
print(
    """

    \(sales) sales of each format from seed \(seed), each of \(tournament.lots) lots among \
    \(tournament.bidders) bidders of any strategy;
    values from \(Tournament.values.lowerBound) to \(Tournament.values.upperBound); \
    means ± 95 % confidence intervals over sales; \(milliseconds) ms
    """)
