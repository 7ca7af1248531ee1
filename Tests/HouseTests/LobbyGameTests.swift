import Auction
import House
import Testing
import Wire

/// Purses, values, standings, chat, and lots that are added.
@Suite struct LobbyGameTests {
    private static let purse = GameSettings(purse: price(1000))
    private static let values = GameSettings(
        purse: price(1000), values: .personal(50...150), seed: Seed(1))

    // Purses

    @Test("a purse is reserved by a leading bid, and told to its bidder alone when it changes")
    func leading() {
        var clients = TestClients.playing(Rules(seconds: 7), settings: Self.purse)
        #expect(
            clients.send("al", "140")
                == ["OK bid 140", "PRICE 140 al 00:00.0 1", "PURSE 860", "COUNTDOWN 7"])
        #expect(clients.received("bo") == ["PRICE 140 al 00:00.0 1", "COUNTDOWN 7"])
        #expect(clients.send("bo", "200").last == "PURSE 800")
        #expect(clients.received("al") == ["PRICE 200 bo 00:00.0 2", "PURSE 1000"])
        #expect(
            clients.send("al", "1001")
                == ["ERROR over-purse left=1000 you can bid at most 1000"])
        #expect(
            clients.send("al", "max 1001").last?.hasPrefix("ERROR over-purse left=1000") == true)
        #expect(!clients.received("eve").contains { $0.hasPrefix("PURSE") })
    }

    @Test("what was paid stays spent, and what only a maximum or a sealed bid took comes back")
    func spent() {
        var clients = TestClients.playing(.clocked(.vickrey), settings: Self.purse)
        #expect(clients.send("al", "300").suffix(2) == ["PURSE 700", "SEALED 1"])
        #expect(clients.send("al", "400").suffix(1) == ["PURSE 600"])
        #expect(clients.send("bo", "250").contains("PURSE 750"))
        clients.forget()
        clients.pass(milliseconds: 10_000)
        #expect(
            clients.received("al").suffix(3)
                == ["WINNER al 250 00:10.0 lot-1", "PURSE 750", "NEXT 3 lot-2"])
        #expect(clients.received("bo").contains("PURSE 1000"))
        #expect(
            clients.send("al", "standings") == [
                "STANDING 1 al lots=1 spent=250 left=750", "STANDING 2 bo lots=0 spent=0 left=1000",
                "STANDING 2 eve lots=0 spent=0 left=1000", "OK standings 3",
            ])
    }

    @Test("in an all-pay auction nothing comes back to anybody, and the standings have it")
    func allPay() {
        var clients = TestClients.playing(.clocked(.allpay), settings: Self.purse)
        clients.send("al", "300")
        clients.send("bo", "250")
        clients.forget()
        clients.pass(milliseconds: 10_000)
        #expect(
            clients.received("bo").suffix(4) == [
                "REVEALED 300 al", "REVEALED 250 bo", "WINNER al 300 00:10.0 lot-1",
                "NEXT 3 lot-2",
            ])
        clients.forget()
        #expect(
            clients.send("al", "standings") == [
                "STANDING 1 al lots=1 spent=300 left=700",
                "STANDING 2 eve lots=0 spent=0 left=1000",
                "STANDING 3 bo lots=0 spent=250 left=750", "OK standings 3",
            ])
    }

    @Test("a void gives back what the bid took, and takes back the maximum of its bidder")
    func void() {
        var clients = TestClients.playing(Rules(seconds: 7), settings: Self.purse)
        clients.send("bo", "10")
        clients.send("al", "max 300")
        #expect(clients.send("al", "status").suffix(3) == ["PURSE 700", "MAX 300", "OK status"])
        clients.send("boss", "void")
        #expect(clients.received("al").contains("PURSE 1000"))
        #expect(clients.send("al", "status").suffix(2) == ["PURSE 1000", "OK status"])
        #expect(clients.received("bo").contains("PURSE 990"))
    }

    // The terms of the game

    @Test("a snapshot begins with what everybody may know of the game, added lots included")
    func terms() {
        let plans = [LotPlan(title: "Vase"), LotPlan(title: "Clock")]
        var clients = TestClients(Rules(seconds: 7), Catalogue(plans: plans), settings: Self.values)
        clients.preside()
        clients.join("al")
        let game = "GAME lots=2 purse=1000 worth=50..150"
        #expect(clients.received("al").dropFirst() == [game, "LOT 1 Vase"])
        clients.send("boss", "add Chair")
        #expect(
            clients.send("al", "status")
                == ["GAME lots=3 purse=1000 worth=50..150", "LOT 1 Vase", "OK status"])
        clients.send("al", "open blue common=5..9 noise=2")
        #expect(
            clients.send("al", "status").first == "GAME common=5..9 noise=2")
        #expect(clients.send("al", "join main").contains("GAME lots=3 purse=1000 worth=50..150"))
    }

    @Test("a sale with neither purses nor values is no game")
    func noGame() {
        var clients = TestClients(Rules(seconds: 7))
        clients.join("al")
        #expect(clients.received("al").dropFirst() == ["LOT 1 lot-1"])
    }

    // Values

    @Test("a name learns its purse and the worth of the lot, and the same after a new connection")
    func worth() {
        var clients = TestClients(Rules(seconds: 7), settings: Self.values)
        clients.join("al")
        let lines = clients.send("al", "name al").dropFirst(4)
        let worth = lines.last ?? ""
        #expect(lines.prefix(2) == ["PURSE 1000", "JOINED al"])
        #expect(worth.hasPrefix("WORTH "))
        clients.send("al", "1")
        clients.lose("al")
        clients.connect("bo")
        #expect(
            clients.send("bo", "name al \(token(1))").dropFirst(1).prefix(2) == [
                "PURSE 999", worth,
            ])
        #expect(clients.send("bo", "status").suffix(3) == ["PURSE 999", worth, "OK status"])
        var again = TestClients(Rules(seconds: 7), settings: Self.values)
        again.join("al")
        #expect(again.send("al", "name al").last == worth)
    }

    @Test("private lines keep their place among the news that a long answer or a skip holds back")
    func place() {
        var clients = TestClients.playing(
            Rules(seconds: 1), settings: Self.values, limits: .with { $0.answerLines = 4 })
        clients.send("al", "140")
        clients.forget()
        let line = Array("help\n".utf8)
        #expect(clients.take("al", line, isConfirmed: true) == line.count)
        #expect(clients.held == ["al"])
        clients.pass(milliseconds: 5000)
        #expect(!clients.received("al").contains { $0.hasPrefix("WORTH") })
        clients.send("al", [])
        let lines = clients.received("al")
        #expect(
            lines.firstIndex(of: "OK help").map { lines[$0...].dropFirst().first } == "PURSE 860")
        #expect(lines.last?.hasPrefix("WORTH ") == true)
        clients.fallBehind("al")
        #expect(clients.received("al").suffix(2).map { $0.prefix(5) } == ["PURSE", "WORTH"])
        #expect(clients.send("al", "resume 0").last?.hasPrefix("WORTH ") == true)
        #expect(clients.send("bo", "status").last == "OK status")
    }

    @Test("private lines to others are not charged to the client that causes them")
    func charges() {
        var clients = TestClients.playing(
            .clocked(.sealed), settings: GameSettings(purse: price(1000)),
            limits: .with { $0.answerLines = 3 })
        for client in ["al", "bo", "eve"] { clients.send(client, "bid 10") }
        let input = Array("close\nping\nping\n".utf8)
        #expect(clients.take("boss", input, isConfirmed: true) == input.count)
        for client in ["al", "bo", "eve"] {
            #expect(clients.received(client).contains("PURSE 1000"))
        }
    }

    @Test("a restart without the values of the open lot frees the names that were kept for them")
    func withoutValues() throws {
        let settings = GameSettings(values: .personal(1...9), seed: Seed(1))
        var clients = TestClients.playing(Rules(seconds: 7), settings: settings)
        clients.send("al", "5")
        var after = TestClients(
            Rules(seconds: 7), resuming: try recovered(clients.journal), tokens: 100)
        after.connect("zoe")
        // The first command, because each frees what is due in its room.
        #expect(after.send("zoe", "name bo").first?.hasPrefix("OK name bo") == true)
        #expect(after.comeBack("al", 1).first == "OK name al \(token(1))")
    }

    @Test("with a common value everybody gets an estimate, and the value after the hammer")
    func common() {
        let settings = GameSettings(values: .common(100...100, noise: 5), seed: Seed(1))
        var clients = TestClients.playing(Rules(seconds: 1), settings: settings)
        #expect(clients.send("al", "status").contains { $0.hasPrefix("WORTH about ") })
        clients.send("al", "40")
        clients.forget()
        clients.pass(milliseconds: 1000)
        #expect(
            clients.received("eve").suffix(3)
                == ["WINNER al 40 00:01.0 lot-1", "VALUE 100", "NEXT 3 lot-2"])
        clients.forget()
        #expect(clients.send("al", "standings").first == "STANDING 1 al lots=1 spent=40")
    }

    @Test("profits are told during the sale where the room says so")
    func profits() {
        let settings = GameSettings(
            values: .common(100...100, noise: 5), seed: Seed(1), showsProfits: true)
        var clients = TestClients.playing(Rules(seconds: 1), settings: settings)
        clients.send("al", "40")
        clients.pass(milliseconds: 1000)
        clients.forget()
        let row = "STANDING 1 al lots=1 spent=40 profit=60"
        #expect(clients.send("al", "standings").first == row)
        for (room, profits, rows) in [
            ("blue", " profits=yes", [row]), ("red", "", ["STANDING 1 al lots=1 spent=40"]),
        ] {
            clients.send("al", "open \(room) seconds=1 common=100..100 noise=0\(profits)")
            clients.send("al", "40")
            clients.pass(milliseconds: 1000)
            _ = clients.received("al")
            #expect(clients.send("al", "standings") == rows + ["OK standings 1"])
        }
    }

    @Test("after the last lot the bidder with the highest profit is the champion")
    func champion() {
        let settings = GameSettings(values: .common(100...100, noise: 0), seed: Seed(1))
        var clients = TestClients.playing(
            Rules(seconds: 1), [LotPlan(title: "Vase")], settings: settings)
        clients.send("al", "140")
        clients.pass(milliseconds: 1000)
        let end = ["VALUE 100", "OVER 1", "CHAMPION al -40", "AWARD overpay al 40 Vase"]
        #expect(clients.received("eve").suffix(4) == end)
        #expect(clients.send("eve", "status").suffix(4).prefix(3) == end.suffix(3))
    }

    // Secrets

    @Test(
        "nobody else receives a worth, a maximum, a sealed bid or a reserve before it is revealed",
        arguments: AuctionFormat.allCases)
    func secrets(format: AuctionFormat) {
        let rules = Rules(
            seconds: 10, start: price(format == .dutch ? 9_000_000 : 1),
            step: price(format == .dutch ? 90_000 : 1), format: format, reserve: price(7_654_321))
        let settings = GameSettings(values: .personal(3_141_592...3_141_592), seed: Seed(1))
        var clients = TestClients.playing(rules, settings: settings)
        clients.send("al", "max 6543210")
        clients.send("al", "bid 1234567")
        clients.send("al", "bid 1234568")
        clients.join("x")
        for command in ["status", "standings", "laps", "results", "resume 0", "who", "format json"]
        {
            clients.send("eve", command)
            _ = clients.received("al")
        }
        for command in ["status", "standings", "resume 0"] { clients.send("x", command) }
        let lines = clients.received("bo") + clients.received("x") + clients.received("boss")
        let secrets = ["3141592", "6543210", "7654321"] + (format.isSealed ? ["123456"] : [])
        for secret in secrets {
            #expect(!lines.contains { $0.contains(secret) && !$0.hasPrefix("WORTH") })
        }
        #expect(
            !clients.news.contains { message in secrets.contains { message.text.contains($0) } })
    }

    // Messages

    @Test("a message goes to everybody, also while nobody may bid")
    func say() {
        var clients = TestClients.playing(Rules(seconds: 7))
        clients.send("boss", "pause")
        clients.forget()
        #expect(clients.send("al", "#1 say hello  all") == ["OK #1 say", "SAID al hello  all"])
        #expect(clients.received("bo") == ["SAID al hello  all"])
        #expect(clients.send("boss", "say hello").last?.hasPrefix("ERROR not-named ") == true)
    }

    @Test("a name may send 5 messages in 10 seconds, and a new connection does not change that")
    func chatLimit() {
        var clients = TestClients.playing(Rules(seconds: 7))
        for _ in 0..<5 { #expect(clients.send("al", "say x").first == "OK say") }
        clients.send("al", "1")
        clients.lose("al")
        #expect(clients.comeBack("al", 1).first?.hasPrefix("OK name al ") == true)
        #expect(clients.send("al", "say x").last?.hasPrefix("ERROR slow-down seconds=2 ") == true)
        #expect(clients.send("bo", "say x").suffix(2) == ["OK say", "SAID bo x"])
        clients.pass(milliseconds: 2000)
        #expect(clients.send("al", "say x").contains("OK say"))
        #expect(clients.send("al", "say x").last?.hasPrefix("ERROR slow-down ") == true)
    }

    @Test("a reaction goes to everybody, and is one of eight")
    func react() {
        var clients = TestClients.playing(Rules(seconds: 7))
        clients.forget()
        #expect(clients.send("al", "#1 react 👏") == ["OK #1 react 👏", "REACTED al 👏"])
        #expect(clients.received("bo") == ["REACTED al 👏"])
        #expect(clients.send("boss", "react 👏").last?.hasPrefix("ERROR not-named ") == true)
        #expect(clients.send("al", "react x").last?.hasPrefix("ERROR bad-arguments ") == true)
    }

    @Test("a reaction counts as a third of a message, and a muted name has none")
    func reactionLimit() {
        var clients = TestClients.playing(Rules(seconds: 7))
        for _ in 0..<4 { #expect(clients.send("al", "say x").first == "OK say") }
        for _ in 0..<3 { #expect(clients.send("al", "react 🔥").first == "OK react 🔥") }
        #expect(clients.send("al", "react 🔥").last?.hasPrefix("ERROR slow-down seconds=1 ") == true)
        #expect(clients.send("al", "say x").last?.hasPrefix("ERROR slow-down seconds=2 ") == true)
        clients.send("boss", "mute bo")
        #expect(clients.send("bo", "react 🔥").last?.hasPrefix("ERROR muted ") == true)
    }

    @Test("a display name is told to everybody, and taken back")
    func display() {
        var clients = TestClients.playing(Rules(seconds: 7))
        clients.forget()
        #expect(clients.send("al", "display Ali Ö") == ["OK display Ali Ö", "DISPLAY al Ali Ö"])
        #expect(clients.received("bo") == ["DISPLAY al Ali Ö"])
        #expect(clients.send("al", "display Ali Ö") == ["OK display Ali Ö"])
        #expect(clients.send("al", "display") == ["OK display", "DISPLAY al"])
        #expect(clients.send("boss", "display Zoë").last?.hasPrefix("ERROR not-named ") == true)
        clients.send("boss", "mute bo")
        #expect(clients.send("bo", "display Zoë").last?.hasPrefix("ERROR muted ") == true)
    }

    @Test("nobody is displayed as somebody else who is present")
    func impersonation() {
        var clients = TestClients.playing(Rules(seconds: 7))
        #expect(clients.send("al", "display BO").last?.hasPrefix("ERROR display-taken ") == true)
        #expect(clients.send("al", "display Zoë").contains("OK display Zoë"))
        #expect(
            clients.send("bo", "display zoe\u{308}").last?.hasPrefix("ERROR display-taken ") == true
        )
        #expect(clients.send("al", "display AL").contains("OK display AL"))
        #expect(clients.send("bo", "display Zoë").contains("OK display Zoë"))
    }

    @Test("a display name is in the list of bidders, and goes with its owner to other rooms")
    func displayMoves() {
        var clients = TestClients.twoRooms()
        clients.send("bo", "display Zoë")
        clients.send("al", "format json")
        let arrival = clients.send("bo", "join blue")
        #expect(arrival.suffix(2) == ["DISPLAY bo Zoë", "JOINED bo"])
        let news = clients.received("al")
        #expect(
            news.contains { $0.contains(#""type":"joined""#) && $0.contains(#""display":"Zoë""#) })
        let list = clients.send("al", "who")
        #expect(list.contains { $0.contains(#""type":"who""#) && $0.contains(#""display":"Zoë""#) })
    }

    @Test("a display name is kept over a restart, and freed with its name")
    func displayKept() throws {
        var clients = TestClients.playing(Rules(seconds: 7))
        clients.send("al", "display Zoë")
        clients.send("al", "5")
        var after = try clients.restarted(Rules(seconds: 7))
        _ = after.comeBack("al", 1)
        after.send("al", "format json")
        #expect(after.send("al", "who").contains { $0.contains(#""display":"Zoë""#) })
        // Without a bid the name is free when its owner leaves.
        clients.send("bo", "display Bo B")
        clients.lose("bo")
        clients.connectNamed("bo")
        clients.send("al", "format json")
        #expect(!clients.send("al", "who").contains { $0.contains("Bo B") })
    }

    @Test("the auctioneer mutes a name, also over a restart")
    func mute() throws {
        var clients = TestClients.playing(Rules(seconds: 7))
        #expect(clients.send("boss", "mute al") == ["OK mute"])
        #expect(clients.send("boss", "mute AL") == ["OK mute"])
        #expect(clients.send("boss", "mute nobody").first?.hasPrefix("ERROR not-here ") == true)
        #expect(clients.send("al", "say x").first?.hasPrefix("ERROR muted ") == true)
        #expect(clients.send("eve", "mute bo").first?.hasPrefix("ERROR not-auctioneer ") == true)
        clients.send("al", "1")
        var after = try clients.restarted(Rules(seconds: 7))
        _ = after.comeBack("al", 1)
        #expect(after.send("al", "say x").first?.hasPrefix("ERROR muted ") == true)
        #expect(after.send("boss", "unmute al").contains("OK unmute"))
        #expect(after.send("al", "say x").last == "SAID al x")
    }

    // Lots

    @Test("an added lot comes after those of the list, and opens at once if the sale is over")
    func add() {
        var clients = TestClients.playing(Rules(seconds: 1), [LotPlan(title: "Vase")])
        #expect(clients.send("boss", "add Clock format=sealed seconds=2").last == "OK add")
        #expect(clients.send("eve", "add Lamp").last?.hasPrefix("ERROR not-auctioneer ") == true)
        clients.send("boss", "close")
        clients.pass(milliseconds: 3000)
        #expect(
            clients.received("bo").suffix(3)
                == ["LOT 2 Clock", "TERMS format=sealed seconds=2 start=1 step=1", "COUNTDOWN 2"])
        clients.pass(milliseconds: 2000)
        #expect(clients.received("bo").last == "OVER 2")
        #expect(clients.send("boss", "add Lamp").suffix(2) == ["OK add", "LOT 3 Lamp"])
        #expect(clients.lobby.titlesAhead == [])
    }

    @Test("a lot whose options do not go together with the flags is not added")
    func badOption() {
        var clients = TestClients.playing(Rules(seconds: 7, start: price(10)))
        let news = clients.seqs
        for line in [
            "add Vase reserve=5", "add Vase colour=red", "add Vase buy=x", "add Vase buy=5",
        ] {
            #expect(clients.send("boss", line).last?.hasPrefix("ERROR bad-option ") == true)
        }
        #expect(clients.seqs == news)
    }
}
