import Auction
import Posix
import Server
import TestSupport
import Testing

/// Time passes, whatever the connections ask for.
@Suite struct FloodTests {
    /// Keeps asking for long answers on connections that are closed unread, until told to stop.
    private static func flood(port: UInt16, until isOver: borrowing Locked<Bool>) throws {
        let questions = Array(repeating: "help", count: 40).joined(separator: "\n")
        var visitors: [Visitor] = []
        while !isOver.withLock({ $0 }) {
            let visitor = try Visitor(port: port)
            try visitor.say(questions)
            try visitor.hear("OK help")
            visitors.append(visitor)
            if visitors.count > 50 { visitors.removeFirst(10) }
        }
    }

    @Test(
        "a lot ends although every turn has more input than it can handle",
        arguments: Wiring.all)
    func hammer(wiring: Wiring) async throws {
        var settings = wiring.settings
        settings.rules = Rules(seconds: 2)
        settings.unsentEffectLimit = 64
        _ = try await withServer(settings) { _, port in
            let eve = try Visitor(port: port)
            try eve.hear("LOT")
            let isOver = Locked(false)
            _ = try beside({ try Self.flood(port: port, until: isOver) }) {
                defer { isOver.withLock { $0 = true } }
                try eve.say("name eve\nbid 5")
                try eve.hear("PRICE 5 eve")
                try eve.hear("WINNER eve 5")
            }
            let told = eve.lines.filter { $0.hasPrefix("COUNTDOWN") }
            #expect(told == ["COUNTDOWN 2", "COUNTDOWN 1", "COUNTDOWN 0"])
        }
    }
}
