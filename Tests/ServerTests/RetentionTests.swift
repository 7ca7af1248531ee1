import Auction
import DiskSupport
import House
import Journal
import Posix
import Server
import TestSupport
import Testing
import Wire

@Suite(.serialized) struct RetentionTests {
    private static let lots = 40
    private let temporary = TemporaryFolder()

    private func settings(on disk: MemoryDisk, retention: Retention) throws -> Settings {
        var settings = Settings()
        settings.limits = .none
        settings.rules = Rules(seconds: 60)
        settings.catalogue = Catalogue(pause: .zero)
        settings.data = "memory"
        settings.disk = disk
        settings.segmentBytes = 300
        settings.retention = retention
        let file = temporary.path + "/token"
        try replaceFile(file, with: Array(AuctioneerTests.token.utf8), mode: 0o600)
        settings.auctioneerTokenFile = file
        return settings
    }

    /// Ends lots one after the other, every third with a sale.
    private func play(_ lots: ClosedRange<Int>, _ settings: Settings) async throws {
        _ = try await withServer(settings) { _, port in
            let boss = try Visitor(port: port)
            try boss.say("auctioneer \(AuctioneerTests.token)")
            try boss.hear("OK auctioneer")
            try boss.say("name n\(lots.lowerBound)")
            try boss.hear("OK name")
            for lot in lots {
                try boss.say(lot % 3 == 0 ? "bid \(lot)\nhammer" : "close")
                try boss.hear(lot % 3 == 0 ? "WINNER" : "PASSED \(lot) ")
                try boss.hear("LOT \(lot + 1) ")
            }
        }
    }

    private func history(on disk: MemoryDisk) throws -> ServerReplay {
        var history = ServerReplay()
        _ = try Journal.verify(disk) { history.replay($0, $1, $2) }
        return history
    }

    private func checkResults(on disk: MemoryDisk) throws {
        let results = try history(on: disk).main.results
        #expect(results.map(\.lot.number) == Array(1...Self.lots))
        for (index, result) in results.enumerated() {
            guard case .sold(let sale) = result.outcome else {
                #expect((index + 1) % 3 != 0)
                continue
            }
            #expect(sale.price.amount == Int64(index + 1) && sale.title == "lot-\(index + 1)")
        }
    }

    @Test("the results of every lot stay after the segments that recorded them are removed")
    func results() async throws {
        let disk = MemoryDisk()
        let settings = try settings(on: disk, retention: Retention(bytes: 4_000))
        try await play(1...20, settings)
        try await play(21...Self.lots, settings)
        #expect(disk.contents["000000000001.journal"] == nil)
        #expect(try history(on: disk).main.eventNumber > 2 * Self.lots)
        try checkResults(on: disk)
    }
}
