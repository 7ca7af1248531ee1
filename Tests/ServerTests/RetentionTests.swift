import AuctionRules
import DiskSupport
import Posix
import Saleroom
import Server
import Storage
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

    private func history(on disk: MemoryDisk) throws -> History {
        var history = History()
        _ = try Journal.verify(disk) { history.replay($0, $1, $2) }
        return history
    }

    private func checkResults(on disk: MemoryDisk) throws {
        let results = try history(on: disk).results
        #expect(results.compactMap(\.notice.endedLot) == Array(1...Self.lots))
        for (index, result) in results.enumerated() {
            guard case .winner(let sale) = result.notice else {
                #expect((index + 1) % 3 != 0)
                continue
            }
            #expect(sale.price.amount == Int64(index + 1) && sale.title == "lot-\(index + 1)")
        }
    }

    @Test("the results of every lot are there after the segments that told them are gone")
    func results() async throws {
        let disk = MemoryDisk()
        let settings = try settings(on: disk, retention: Retention(bytes: 4_000))
        try await play(1...20, settings)
        try await play(21...Self.lots, settings)
        #expect(disk.contents["000000000001.journal"] == nil)
        #expect(try history(on: disk).seq > 2 * Self.lots)
        try checkResults(on: disk)
    }

    @Test("results that no segment repeats yet are read before their segments are removed")
    func formerResults() async throws {
        let disk = MemoryDisk()
        try await play(1...20, try settings(on: disk, retention: Retention()))
        // A journal of an older version, whose states tell no results.
        let old = MemoryDisk(try withoutResults(disk.contents))
        #expect(try history(on: old).results.count == 20)
        try await play(21...Self.lots, try settings(on: old, retention: Retention(bytes: 4_000)))
        #expect(old.contents["000000000001.journal"] == nil)
        try checkResults(on: old)
    }

    /// The same journal with the lines of results left out, and sums that fit.
    private func withoutResults(_ files: [String: [UInt8]]) throws -> [String: [UInt8]] {
        var (left, sum) = ([String: [UInt8]](), "00000000")
        for name in files.keys.sorted() {
            let lines = String(decoding: files[name] ?? [], as: UTF8.self).split(separator: "\n")
            let told = lines.filter { !$0.contains(" RESULT ") }
            var text = ""
            for line in told {
                let parts = line.split(separator: " ", maxSplits: 2)
                var rest = String(parts[2])
                if rest.hasPrefix("JOURNAL") {
                    let words = rest.split(separator: "\t")[0].split(separator: " ")
                    let state = (Int(words[4].dropFirst(6)) ?? 0) - (lines.count - told.count)
                    rest = "JOURNAL auction/2 \(words[2]) after=\(sum) state=\(state)\t*"
                }
                sum = Self.sum("\(sum) \(parts[0]) \(rest)")
                text += "\(parts[0]) \(sum) \(rest)\n"
            }
            left[name] = Array(text.utf8)
        }
        return left
    }

    /// The CRC-32C of a text, a bit at a time, as a journal writes it.
    private static func sum(_ text: String) -> String {
        var register: UInt32 = 0xFFFF_FFFF
        for byte in text.utf8 {
            register ^= UInt32(byte)
            for _ in 0..<8 {
                register = register % 2 == 1 ? register / 2 ^ 0x82F6_3B78 : register / 2
            }
        }
        let digits = String(~register, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}
