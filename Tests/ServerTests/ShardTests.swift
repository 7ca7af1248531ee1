import Auction
import Server
import Testing

/// A server whose connections are spread over several loops, by turns.
@Suite struct ShardTests {
    private static let wiring = Wiring(poller: .standard, threads: 3)

    @Test("bidders on different loops make one order, which all connections receive")
    func oneOrder() async throws {
        var settings = Self.wiring.settings
        settings.rules = Rules(seconds: 60, allowsSelfRaise: true)
        _ = try await withServer(settings) { _, port in
            let visitors = try (0..<9).map { _ in try Visitor(port: port) }
            for visitor in visitors { try visitor.hear("LOT") }
            for (number, visitor) in visitors.enumerated() { try visitor.say("name b\(number)") }
            for visitor in visitors { try visitor.hear("OK name") }
            for round in 0..<50 {
                for (number, visitor) in visitors.enumerated() {
                    try visitor.say("bid \(round * 9 + number + 1)")
                }
            }
            try visitors[0].say("bid 1000000")
            for visitor in visitors { try visitor.hear("PRICE 1000000 b0") }
            let prices = visitors.map { $0.lines.filter { $0.hasPrefix("PRICE") } }
            #expect(prices.allSatisfy { $0 == prices[0] })
            #expect(prices[0].count > 1)
        }
    }

    @Test(
        "a client that asks for more than it reads gets it all, on whichever loop", arguments: 0..<3
    )
    func flood(loop: Int) async throws {
        var settings = Self.wiring.settings
        settings.unsentEffectLimit = 64
        _ = try await withServer(settings) { _, port in
            let visitors = try (0..<3).map { _ in try Visitor(port: port) }
            for visitor in visitors { try visitor.hear("LOT") }
            for _ in 0..<5 {
                try visitors[loop].say(Array(repeating: "help", count: 100).joined(separator: "\n"))
            }
            try visitors[loop].say("ping")
            visitors[loop].endSpeaking()
            let other = visitors[(loop + 1) % 3]
            try other.say("name eve\nbid 5")
            try other.hear("PRICE 5 eve")
            try visitors[loop].hearEnd()
            let answers = visitors[loop].lines.filter { $0.hasPrefix("OK") }
            #expect(answers.count == 501)
            #expect(answers.last == "OK ping")
            #expect(visitors[loop].lines.last == "BYE end")
        }
    }

    @Test("a bidder whose connection on another loop is lost has left")
    func leaving() async throws {
        _ = try await withServer(Self.wiring.settings) { _, port in
            let eve = try Visitor(port: port)
            try eve.hear("LOT")
            var visitors = try (0..<6).map { _ in try Visitor(port: port) }
            for (number, visitor) in visitors.enumerated() {
                try visitor.say("name b\(number)")
                try eve.hear("JOINED b\(number)")
            }
            visitors.removeAll()
            for _ in 0..<6 { try eve.hear("LEFT b") }
        }
    }
}
