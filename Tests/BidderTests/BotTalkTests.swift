import Auction
import Basics
import Bidder
import BidderSupport
import Strategies
import Testing

@Suite struct BotTalkTests {
    private static let game = PublicGame(values: .personal(50...150))
    private static let longest = Duration.milliseconds(900)

    /// A bot that may speak and leads the first lot at 10.
    private static func leader(_ temper: Temper = .calm) -> BotTable {
        var table = talker(.truthful, temper, delay: .seconds(2))
        table.sitDown(game: game)
        table.wait(.seconds(4))
        table.receive(#"{"type":"ok","content":"bid 10"}"#)
        table.raise(10, "truthful-1", bid: 1)
        _ = table.takeSent()
        return table
    }

    private static func talker(
        _ kind: StrategyKind, _ temper: Temper, delay: Duration = .zero
    ) -> BotTable {
        BotTable(kind, delay: delay) { ($0.temper, $0.isQuiet) = (temper, false) }
    }

    private static func isTalk(_ line: String) -> Bool {
        line.hasPrefix("say ") || line.hasPrefix("react ")
    }

    @Test(arguments: Temper.allCases)
    func saysSomethingSoonAfterItIsOutbid(temper: Temper) {
        var table = Self.leader(temper)
        table.raise(20, "eve", bid: 2)
        #expect(table.takeSent() == [])
        table.wait(Self.longest)
        #expect(table.takeSent().count(where: Self.isTalk) == 1)
    }

    @Test func saysNothingIfItLeadsAgain() {
        var table = Self.leader()
        table.raise(20, "eve", bid: 2)
        table.raise(25, "truthful-1", bid: 3)
        table.wait(Self.longest)
        #expect(table.takeSent() == [])
    }

    @Test func saysNothingIfTheLotHasEnded() {
        var table = Self.leader()
        table.raise(20, "eve", bid: 2)
        table.news(Self.sold("eve", 20))
        table.wait(Self.longest)
        #expect(table.takeSent() == [])
    }

    @Test func saysNothingIfIsQuiet() {
        var table = BotTable(.truthful, delay: .seconds(60))
        table.sitDown(game: Self.game)
        table.raise(10, "truthful-1", bid: 1)
        table.raise(20, "eve", bid: 2)
        table.wait(Self.longest)
        #expect(!table.takeSent().contains(where: Self.isTalk))
    }

    @Test func isSilentForTwentySecondsAfterALine() {
        var table = Self.leader()
        Self.outbid(&table, for: .seconds(20))
        #expect(table.effects.count(where: Self.isTalk) == 1)
        Self.outbid(&table, for: .seconds(23))
        #expect(table.effects.count(where: Self.isTalk) == 2)
    }

    @Test func isSilentOnceItIsMuted() {
        var table = Self.leader()
        table.raise(20, "eve", bid: 2)
        table.wait(Self.longest)
        table.receive(#"{"type":"error","code":"muted","content":"you are muted"}"#)
        Self.outbid(&table, for: .seconds(45))
        #expect(table.effects.count(where: Self.isTalk) == 1)
    }

    /// Lets the bot lead and be outbid once a second, and accepts all that it sends.
    private static func outbid(_ table: inout BotTable, for duration: Duration) {
        let end = table.now.advanced(by: duration)
        while table.now < end {
            let bid = Int(table.now.nanoseconds / 1_000_000_000) * 2 + 3
            table.raise(Int64(bid * 10), "truthful-1", bid: bid)
            table.raise(Int64(bid * 10 + 5), "eve", bid: bid + 1)
            table.wait(.seconds(1))
            for _ in table.takeSent() { table.receive(#"{"type":"ok","content":"say"}"#) }
        }
    }

    /// The middle of the range that everybody knows is 100, and the lot is worth 60 to the bot.
    @Test(arguments: [(price: 99 as Int64, talks: true), (100, false)])
    func isPleasedByAPriceThatAllKnowToBeLow(price: Int64, talks: Bool) {
        var table = Self.talker(.truthful, .calm)
        table.sitDown(worth: 60, game: Self.game)
        table.receive(#"{"type":"ok","content":"bid 10"}"#)
        _ = table.takeSent()
        table.news(Self.sold("truthful-1", price))
        table.wait(Self.longest)
        #expect(table.takeSent().contains(where: Self.isTalk) == talks)
    }

    @Test(arguments: [AuctionFormat.sealed, .vickrey, .allpay])
    func saysNothingAboutALotWithSealedBids(format: AuctionFormat) {
        var table = Self.talker(.truthful, .calm)
        let terms = Terms(format: format, seconds: 20, start: price(10), step: price(5))
        table.sitDown(terms, game: Self.game)
        table.receive(#"{"type":"ok","content":"bid 100"}"#)
        _ = table.takeSent()
        table.news(.bidsSealed(1), .bidsSealed(2), Self.sold("truthful-1", 60))
        table.wait(Self.longest)
        #expect(table.takeSent() == [])
    }

    @Test func showsNoMoreReactionsToAServerThatKnowsNone() throws {
        let seed = try #require(
            (1...100 as ClosedRange<UInt64>).first { seed in
                var table = Self.outbid(seed: seed)
                return Self.reacts(&table)
            })
        var table = Self.outbid(seed: seed)
        _ = Self.reacts(&table)
        table.receive(#"{"type":"error","code":"unknown-command","content":"help lists all"}"#)
        Self.outbid(&table, for: .seconds(200))
        let said = table.effects.filter(Self.isTalk).dropFirst()
        #expect(said.count >= 4)
        #expect(!said.contains { "\($0)".contains("react ") })
    }

    /// A bot that was outbid just now.
    private static func outbid(seed: UInt64) -> BotTable {
        var table = BotTable(.truthful, delay: .seconds(60)) {
            ($0.temper, $0.isQuiet, $0.seed) = (.calm, false, seed)
        }
        table.sitDown(game: game)
        table.raise(10, "truthful-1", bid: 1)
        table.raise(20, "eve", bid: 2)
        _ = table.takeSent()
        return table
    }

    /// Whether what it says first is a reaction.
    private static func reacts(_ table: inout BotTable) -> Bool {
        table.wait(longest)
        return table.takeSent().first(where: isTalk)?.hasPrefix("react ") == true
    }

    private static func sold(_ name: String, _ amount: Int64) -> SaleEvent {
        .lotSold(
            SoldLot(
                number: 1, title: "Vase", bidder: bidder(name), price: price(amount),
                elapsed: .seconds(9)))
    }

    private static func isTalk(_ effect: ClientEffect) -> Bool {
        if case .send(let line) = effect { isTalk(line) } else { false }
    }
}

@Suite struct BotNamesTests {
    @Test(arguments: [1, 3, 40, 200])
    func noTwoBotsTryTheSameName(count: Int) {
        let names = BotNames(for: count, seed: 1)
        let all = (0..<count).flatMap { names[$0] }
        #expect(Set(all.map { "\($0)".lowercased() }).count == all.count)
    }

    @Test func fewBotsHaveNamesWithoutANumber() {
        let names = BotNames(for: 40, seed: 7)
        #expect((0..<40).allSatisfy { !"\(names[$0][0])".contains("-") })
    }

    @Test func theSeedChoosesTheNames() {
        #expect(BotNames(for: 3, seed: 1)[0] == BotNames(for: 3, seed: 1)[0])
        #expect(BotNames(for: 3, seed: 1)[0] != BotNames(for: 3, seed: 2)[0])
    }
}
