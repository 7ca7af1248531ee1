import Auction
import House
import Testing
import Wire

@Suite struct LobbyCommandsTests {
    @Test("laps lists the newest 20 bids, oldest first, and their total number")
    func laps() {
        var clients = with25Bids()
        let lines = clients.send("eve", "#1 laps")
        #expect(lines.count == 21)
        #expect(lines.first == "LAP 6 6 bo 00:00.0")
        #expect(lines.dropLast().last == "LAP 25 25 al 00:00.0")
        #expect(lines.last == "OK #1 laps 25")
    }

    @Test(
        "laps lists a range",
        arguments: [
            (1, 2, ["1", "2"]), (24, 500, ["24", "25"]), (25, 1, ["25"]), (26, 9, []), (999, 1, []),
        ]
            as [(Int, Int, [String])])
    func lapRange(first: Int, count: Int, numbers: [String]) {
        var clients = with25Bids()
        let lines = clients.send("eve", "laps \(first) \(count)")
        #expect(lines.dropLast().map { $0.split(separator: " ")[1] } == numbers.map { $0[...] })
        #expect(lines.last == "OK laps 25")
    }

    @Test("laps without a bid lists none, and between lots those of the last lot")
    func lapsBetweenLots() {
        var clients = TestClients()
        clients.connectNamed("al")
        #expect(clients.send("al", "laps") == ["OK laps 0"])
        clients.send("al", "5")
        clients.pass(milliseconds: 7000)
        _ = clients.received("al")
        #expect(clients.send("al", "laps") == ["LAP 1 5 al 00:00.0", "OK laps 1"])
        clients.pass(milliseconds: 3000)
        _ = clients.received("al")
        #expect(clients.send("al", "laps") == ["OK laps 0"])
    }

    @Test("status repeats the snapshot")
    func status() {
        var clients = TestClients()
        clients.connectNamed("al")
        clients.send("al", "5")
        #expect(
            clients.send("al", "#s status")
                == ["LOT 1 lot-1", "PRICE 5 al 00:00.0 1", "COUNTDOWN 7", "OK #s status"])
    }

    @Test("ping and help are answered")
    func pingAndHelp() {
        var clients = TestClients()
        clients.connect("al")
        #expect(clients.send("al", "ping") == ["OK ping"])
        let help = clients.send("al", "HELP")
        #expect(help.dropLast() == Help.lines(of: .english).map { "HELP \($0)" }[...])
        #expect(help.last == "OK help")
    }

    @Test("format is answered in the old format, and all that follows is in the new one")
    func format() {
        var clients = TestClients()
        clients.connectNamed("al")
        #expect(clients.send("al", "format json") == ["OK format json"])
        clients.send("al", "5")
        clients.pass(milliseconds: 500)
        #expect(
            clients.send("al", "status").first
                == #"{"seq":1,"snapshot":true,"type":"lot","lot":1,"content":"lot-1","#
                + #""text":"lot 1 is open","time":"1970-01-01T00:00:00.000Z"}"#
        )
        #expect(
            clients.send("al", "format text")
                == [#"{"type":"ok","content":"format text","time":"1970-01-01T00:00:00.000Z"}"#])
        #expect(clients.send("al", "ping") == ["OK ping"])
    }

    @Test("in JSON the snapshot has the numbers of its news, and the remaining time")
    func jsonSnapshot() throws {
        var clients = TestClients()
        clients.connectNamed("al")
        clients.send("al", "format json")
        let price = try #require(clients.send("al", "5").dropFirst().first)
        #expect(price.hasPrefix(#"{"seq":3,"type":"price","#))
        #expect(price.contains(#""remainingMilliseconds":7000}"#))
        clients.pass(milliseconds: 500)
        let snapshot = clients.send("al", "status")
        #expect(snapshot[1].hasPrefix(#"{"seq":3,"snapshot":true,"type":"price","#))
        #expect(snapshot[3].hasPrefix(#"{"seq":4,"snapshot":true,"type":"state","#))
        #expect(snapshot[3].contains(#""remainingMilliseconds":6500,"#))
    }

    @Test(
        "in JSON the snapshot of status, and after skipped lines, is marked, and no other line is")
    func snapshotMark() throws {
        var clients = TestClients(Rules(seconds: 1), Catalogue(titles: ["Vase"]))
        clients.connectNamed("al")
        clients.send("al", "format json")
        clients.send("al", "5")
        clients.pass(milliseconds: 2000)
        #expect(!clients.received("al").contains { $0.contains("snapshot") })
        func isMarked(_ line: String) -> Bool { line.contains(#""snapshot":true,"#) }
        let status = clients.send("al", "status")
        #expect(status.map(isMarked) == [true, true, true, true, false, false])
        #expect(status[0].contains(#""type":"winner""#))
        clients.fallBehind("al")
        #expect(clients.received("al").map(isMarked) == [false, true, true, true, true, false])
        #expect(!clients.send("al", "laps").contains(where: isMarked))
    }

    @Test("in JSON the snapshot has the age of the lot and the minimum of its first bid")
    func jsonLot() throws {
        var clients = TestClients(Rules(seconds: 7, start: price(100)))
        clients.pass(milliseconds: 3200)
        clients.connectUngreeted("al")
        clients.send("al", "format json")
        let state = try #require(clients.send("al", "status").dropFirst().first)
        #expect(state.contains(#""start":100,"#) && state.contains(#""elapsedMilliseconds":3200,"#))
    }

    @Test("in JSON LOT has the minimum of the first bid and no elapsed time")
    func jsonOpening() throws {
        var clients = TestClients(Rules(seconds: 1, start: price(5)))
        clients.connectNamed("al")
        clients.send("al", "format json")
        clients.send("al", "5")
        clients.pass(milliseconds: 4000)
        let lot = try #require(clients.received("al").last { $0.contains("seq") })
        #expect(lot.contains(#""minimum":5,"#) && lot.contains(#""elapsedMilliseconds":0,"#))
    }

    @Test("every command is answered by exactly one OK or ERROR, which repeats its tag")
    func oneAnswerEach() {
        let commands = [
            "name al", "name bo", "bid 5", "5", "bid x", "bid", "laps", "laps 1", "who", "status",
            "ping", "help", "dance", "format xml",
        ]
        var clients = TestClients()
        clients.connect("al")
        for command in commands {
            let answers = clients.send("al", "#t \(command)").filter {
                $0.hasPrefix("OK") || $0.hasPrefix("ERROR")
            }
            #expect(answers.count == 1)
            #expect(answers.first?.split(separator: " ")[1] == "#t")
        }
    }

    private func with25Bids() -> TestClients {
        var clients = TestClients()
        clients.connectNamed("al", "bo", "eve")
        for amount in 1...25 { clients.send(amount.isMultiple(of: 2) ? "bo" : "al", "\(amount)") }
        _ = clients.received("eve")
        return clients
    }
}
