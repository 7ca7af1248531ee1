import Auction
import Basics
import House
import TestSupport
import Testing
import Wire

@Suite struct LobbyRecoveryTests {
    @Test("an open lot continues with its price, its leader and its full seconds")
    func openLot() throws {
        var before = TestClients()
        before.connectNamed("al", "bo")
        before.pass(milliseconds: 960)
        before.send("al", "5")
        before.pass(milliseconds: 1000)
        before.send("bo", "9")
        before.pass(milliseconds: 4500)
        var after = TestClients(resuming: try recovered(before.journal))
        after.join("eve")
        #expect(
            after.received("eve") == [
                "HELLO auction/1 seconds=7 step=1 game=k3v9 room=main (type help)", "LOT 1 lot-1",
                "PRICE 9 bo 00:02.0 2", "COUNTDOWN 7",
            ])
        #expect(
            after.send("eve", "laps") == ["LAP 1 5 al 00:01.0", "LAP 2 9 bo 00:02.0", "OK laps 2"])
        after.pass(milliseconds: 6979)
        #expect(after.received("eve").last == "GOING twice")
        after.pass(milliseconds: 1)
        #expect(
            after.received("eve") == ["COUNTDOWN 0", "WINNER bo 9 00:09.0 lot-1", "NEXT 3 lot-2"])
    }

    @Test("a server keeps the identity in its journal, and a new journal begins with it")
    func identity() throws {
        let serverID = try #require(Identity("abcd23"))
        let rules = Rules(seconds: 7)
        var options = Lobby.Options(rules: rules)
        options.serverID = serverID
        var first = Lobby(options, at: Instant(nanoseconds: 0))
        var journal: [(record: Record, number: Int?)] = []
        for effect in first.takeEffects() {
            switch effect {
            case .journal(let event): journal.append((.event(event), nil))
            case .news(let event, _, _, let seq): journal.append((.event(event), seq))
            default: break
            }
        }
        #expect(
            journal.prefix(2).map(\.record) == [
                .event(.timeNoted(0)), .event(.saleBegan(serverID)),
            ])
        for lines in [journal, first.mainState] {
            let recovered = try recovered(lines)
            var again = Lobby(
                Lobby.Options(rules: rules), resuming: recovered,
                at: Instant(nanoseconds: 0))
            #expect(again.serverID == serverID)
            #expect(!again.takeEffects().contains(.journal(.saleBegan(serverID))))
        }
    }

    @Test("after a restart a lot's clock continues from its last bid, under the new rules")
    func lotInJSON() throws {
        var before = TestClients(Rules(seconds: 7, start: price(2)))
        before.connectNamed("al")
        before.pass(milliseconds: 1980)
        before.send("al", "5")
        before.pass(milliseconds: 3000)
        let recovered = try recovered(before.journal)
        var after = TestClients(Rules(seconds: 7, start: price(3)), resuming: recovered)
        after.pass(milliseconds: 500)
        after.join("eve")
        after.send("eve", "format json")
        let lines = after.send("eve", "status")
        let state = try #require(lines.first { $0.contains(#""type":"state""#) })
        #expect(state.contains(#""start":3,"#) && state.contains(#""elapsedMilliseconds":2520,"#))
    }

    @Test("numbers continue without a gap, and everybody who was present has left")
    func numbers() throws {
        var before = TestClients()
        before.connectNamed("al", "bo")
        before.send("al", "5")
        let after = TestClients(resuming: try recovered(before.journal))
        let news = after.journal.map { "\($0.number ?? 0) \($0.record.text)" }
        #expect(news == ["6 LEFT al", "7 LEFT bo", "8 COUNTDOWN 7"].map { $0 })
        #expect(before.seqs + after.seqs == Array(1...8))
    }

    @Test("a name with a bid stays owned and opens to its token; one without a bid is free")
    func names() throws {
        var before = TestClients()
        before.connectNamed("al", "bo")
        before.send("al", "5")
        var after = TestClients(resuming: try recovered(before.journal), tokens: 10)
        after.connect("x")
        #expect(after.send("x", "name al").first?.hasPrefix("ERROR name-taken") == true)
        #expect(
            after.send("x", "name al \(token(2))").first?.hasPrefix("ERROR wrong-token") == true)
        #expect(after.send("x", "name al \(token(1))").first == "OK name al \(token(1))")
        #expect(after.send("x", "5") == ["OK bid 5"])
        after.connect("bo")
        #expect(after.send("bo", "name bo").first == "OK name bo \(token(11))")
    }

    @Test("a name that was cut off before JOINED is free")
    func nameCutOff() throws {
        var before = TestClients()
        before.connectNamed("al")
        let cut = Array(before.journal.dropLast())
        #expect(cut.last?.record.text == nameLine("al", 1))
        var after = TestClients(resuming: try recovered(cut), tokens: 10)
        after.connect("x")
        #expect(after.send("x", "name al").first == "OK name al \(token(11))")
        #expect(try recovered(cut + after.journal).main.summary == "lot 1 open, no bids")
    }

    @Test(
        "a summary describes the sale",
        arguments: [
            (0, "lot 1 open, no bids"), (1, "lot 1 open at 5 by al, 1 bid"),
            (2, "lot 1 open at 6 by bo, 2 bids"), (3, "1 lot"), (4, "1 lot, lot 2 open, no bids"),
            (5, "1 lot, lot 2 open at 7 by al, 1 bid"), (6, "2 lots, the sale is over"),
        ])
    func summary(steps: Int, summary: String) throws {
        var clients = TestClients(Rules(seconds: 7), Catalogue(titles: ["Vase", "Clock"]))
        clients.connectNamed("al", "bo")
        for step in 0..<steps {
            switch step {
            case 0: clients.send("al", "5")
            case 1: clients.send("bo", "6")
            case 4: clients.send("al", "7")
            case 3: clients.pass(milliseconds: 3000)
            default: clients.pass(milliseconds: 7000)
            }
        }
        #expect(try recovered(clients.journal).main.summary == summary)
    }

    @Test("an effect is small enough to be copied without a call")
    func size() {
        #expect(MemoryLayout<Effect>.size <= 128)
    }

    @Test("after a failed write pending requests get an error, and no lost news is sent")
    func lost() {
        let id = SessionID(rawValue: 1)
        let unavailable = Effect.reply(.error(.unavailable, tag: "7"), to: id)
        #expect(Effect.reply(.ok(.ping, tag: "7"), to: id).ifLost == unavailable)
        #expect(Effect.reply(.error(.closed, tag: "7"), to: id).ifLost == unavailable)
        #expect(Effect.close(id, .quit).ifLost == .close(id, .journal))
        #expect(Effect.close(id, nil).ifLost == .close(id, nil))
        #expect(Effect.news(.ended(lots: 1), nil, room: .main, seq: 1).ifLost == nil)
        #expect(Effect.replay(.event(.ended(lots: 1)), seq: 1, time: nil, to: id).ifLost == nil)
        #expect(Effect.restate(.event(.ended(lots: 1)), seq: 1, to: id).ifLost == nil)
        #expect(Effect.use(.json, for: id).ifLost == nil)
        // The handshake is answered, so what follows must be frames.
        #expect(Effect.use(.webSocket, for: id).ifLost == .use(.webSocket, for: id))
        #expect(Effect.follow(id, room: .main).ifLost == nil)
    }
}

/// The sale that a journal recovers; each line is printed and parsed.
func recovered(_ journal: [(record: Record, number: Int?)]) throws -> ServerReplay {
    var recovered = ServerReplay()
    for line in journal {
        let text = line.record.text
        let read = try record(text, elapsedMilliseconds: line.record.elapsedMilliseconds)
        let isTaken = recovered.replay(read, number: line.number)
        #expect(isTaken, "\(text)")
    }
    return recovered
}

/// The sale that the current state recovers, as the beginning of a new segment.
func recoveredFromState(of clients: TestClients) -> ServerReplay {
    var recovered = ServerReplay()
    let first = (clients.journal.compactMap(\.number).last ?? 0) + 1
    let lines = clients.lobby.mainState
    recovered.beginSegment(first: first, state: lines.count)
    for line in lines {
        let isTaken = recovered.replay(line.record, number: line.number)
        #expect(isTaken, "\(line.record.text)")
    }
    return recovered
}

/// The record of a line.
func record(_ line: String, elapsedMilliseconds: Int64?) throws -> Record {
    let record = Record(line: Array(line.utf8).span, elapsedMilliseconds: elapsedMilliseconds)
    return try #require(record, "\(line)")
}

extension Record {
    /// The line without its end.
    var text: String {
        var bytes: [UInt8] = []
        appendText(to: &bytes)
        return String(decoding: bytes.dropLast(), as: UTF8.self)
    }
}
