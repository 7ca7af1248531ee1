import Auction
import House
import Posix
import Server
import TestSupport
import Testing

/// The limits on real connections.
@Suite struct LimitsTests {
    private func settings(_ wiring: Wiring, _ change: (inout Limits) -> Void) -> Settings {
        var settings = wiring.settings
        settings.limits = .none
        change(&settings.limits)
        return settings
    }

    @Test(
        "a client that sends too much at once gets all answers, and delays nobody",
        arguments: Wiring.all)
    func flood(wiring: Wiring) async throws {
        let settings = settings(wiring) {
            $0.lines = TokenBucket.Rate(1000, per: .seconds(1), burst: 20)
        }
        _ = try await withServer(settings) { _, port in
            let visitors = try (0..<6).map { _ in try Visitor(port: port) }
            for visitor in visitors { try visitor.hear("LOT") }
            for visitor in visitors.dropLast() {
                try visitor.say((0..<600).map { "#\($0) ping" }.joined(separator: "\n"))
                visitor.endSpeaking()
            }
            try visitors[5].say("name eve\nbid 5")
            try visitors[5].hear("PRICE 5 eve")
            for visitor in visitors.dropLast() {
                try visitor.hearEnd()
                let answers = visitor.lines.filter { $0.hasPrefix("OK #") }
                #expect(answers == (0..<600).map { "OK #\($0) ping" })
                #expect(visitor.lines.last == "BYE end")
            }
        }
    }

    @Test(
        "beyond the limit a newcomer is refused, until a connection closes", arguments: Wiring.all)
    func full(wiring: Wiring) async throws {
        let output = try LogOutput()
        var settings = settings(wiring) { $0.connections = 3 }
        settings.logWriter = output.writer
        _ = try await withServer(settings) { _, port in
            var visitors = try (0..<3).map { _ in try Visitor(port: port) }
            for visitor in visitors {
                try visitor.say("ping")
                try visitor.hear("OK ping")
            }
            let late = try Visitor(port: port)
            try late.hearEnd()
            #expect(
                late.lines == ["ERROR full too many are connected, try again later", "BYE full"])
            try visitors.removeLast().say("quit")
            try visitors[0].say("ping")
            try visitors[0].hear("OK ping")
            let next = try Visitor(port: port)
            _ = try next.hearAny(of: ["HELLO", "ERROR full"])
        }
        #expect(output.end().contains { $0.hasSuffix(" event=refused reason=full count=1") })
    }

    @Test("a connection that is finishing on another loop makes room for a newcomer")
    func openLimit() async throws {
        let settings = settings(Wiring(poller: .standard, threads: 2)) { $0.connections = 100 }
        let openLimit = Capacity(files: 20_000, asked: 100).openLimit
        _ = try await withServer(settings) { _, port in
            // By turns on the first loop, where all stay, and on the second, where all finish.
            var visitors: [Visitor] = []
            for number in 0..<openLimit {
                let visitor = try Visitor(port: port)
                let (line, answer) = number % 2 == 0 ? ("ping", "OK ping") : ("quit", "BYE quit")
                try visitor.say(line)
                try visitor.hear(answer)
                visitors.append(visitor)
            }
            for _ in 0..<4 {
                let visitor = try Visitor(port: port)
                try visitor.say("ping")
                try visitor.hear("OK ping")
                visitors.append(visitor)
            }
        }
    }

    @Test("a line without an end ends its connection, whatever others send", arguments: Wiring.all)
    func idle(wiring: Wiring) async throws {
        let settings = settings(wiring) { $0.lineTime = .milliseconds(50) }
        _ = try await withServer(settings) { _, port in
            let eve = try Visitor(port: port)
            try eve.hear("LOT")
            let slow = try Visitor(port: port)
            try slow.hear("LOT")
            try slow.sayPart("bid 1")
            try slow.hearEnd()
            #expect(slow.lines.last == "BYE idle")
            try eve.say("ping")
            try eve.hear("OK ping")
        }
    }

    @Test("input that is stored of a connection is dropped with it", arguments: Wiring.all)
    func lost(wiring: Wiring) async throws {
        _ = try await withServer(wiring.settings) { server, port in
            let eve = try Visitor(port: port)
            try eve.hear("LOT")
            var deaf: Visitor? = try Visitor(port: port)
            try deaf?.say("name deaf")
            try eve.hear("JOINED deaf")
            let questions = Array(repeating: "help", count: 100).joined(separator: "\n")
            // It does not read, so the server reads no more of it when all buffers are full.
            var turns = 0
            for _ in 0..<5_000 where turns < 50 {
                if server.storedInputs == 0 { try deaf?.say(questions) }
                try eve.say("ping")
                try eve.hear("OK ping")
                turns = server.storedInputs == 1 ? turns + 1 : 0
            }
            #expect(turns == 50)
            deaf = nil
            try eve.hear("LEFT deaf")
            #expect(server.storedInputs == 0)
        }
    }

    @Test(
        "a client that asks and does not read is closed, and the others continue",
        arguments: Wiring.all)
    func stalled(wiring: Wiring) async throws {
        let output = try LogOutput()
        var settings = settings(wiring) { _ in }
        settings.output.stallTime = .milliseconds(200)
        settings.logWriter = output.writer
        _ = try await withServer(settings) { _, port in
            let eve = try Visitor(port: port)
            try eve.hear("LOT")
            let deaf = try Visitor(port: port)
            try deaf.say("name deaf")
            try deaf.hear("OK name deaf")
            // As much as fills all buffers on the way: it ends when the connection does.
            while (try? deaf.say(Array(repeating: "help", count: 50).joined(separator: "\n")))
                != nil
            {
                try eve.say("ping")
                try eve.hear("OK ping")
            }
            // It may have come before the last answer.
            if !eve.lines.contains("LEFT deaf") { try eve.hear("LEFT deaf") }
        }
        #expect(output.end().contains { $0.contains(" event=closed reason=stalled ") })
    }
}

extension AuctionServer {
    /// Asks the server, from another thread than its own, of how many connections input is stored.
    fileprivate nonisolated var storedInputs: Int {
        let answer = Locked<Int?>(nil)
        Task.immediate {
            let count = await storedInputCount
            answer.withLock { $0 = count }
            answer.signal()
        }
        return answer.withLock(when: { $0 != nil }) { $0 ?? 0 }
    }
}
