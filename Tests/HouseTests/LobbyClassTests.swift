import Auction
import House
import Strategies
import Testing
import Wire

/// A class: rounds in the rooms of groups, to which its members are moved.
@Suite struct LobbyClassTests {
    private static let students = ["al", "bo", "cy", "di", "ed", "fi", "gus"]

    private static func plan(_ formats: AuctionFormat..., practice: Int = 0) -> ClassPlan {
        var plan = ClassPlan()
        plan.parts = formats.enumerated().map { index, format in
            ClassPlan.Part(1, format, isPractice: index < practice)
        }
        plan.lot.seconds = 2
        (plan.pause, plan.shows) = (.seconds(3), [])
        return plan
    }

    private func classroom(
        _ plan: ClassPlan, of students: [String] = students, limits: Limits = .none
    ) -> TestClients {
        var clients = TestClients(Rules(seconds: 7), limits: limits, classPlan: plan)
        gather(students, in: &clients)
        return clients
    }

    /// A class whose first round has begun.
    private func playing(_ plan: ClassPlan, of students: [String] = students) -> TestClients {
        var clients = classroom(plan, of: students)
        clients.send("boss", "start")
        clients.pass(milliseconds: 3000)
        return clients
    }

    /// Connects a teacher and students, who have received everything so far.
    private func gather(_ students: [String], in clients: inout TestClients) {
        clients.preside()
        clients.send("boss", "join class")
        for student in students {
            clients.join(student)
            clients.send(student, "join class")
            clients.send(student, "name \(student)")
        }
        for client in students + ["boss"] { _ = clients.received(client) }
    }

    /// Lets a round of sealed bids be played in which each student bids 10 and one for each letter.
    private func playSealed(_ clients: inout TestClients, of students: [String] = students) {
        for student in students { clients.send(student, "bid \(10 + student.utf8.count)") }
    }

    @Test("at the start everybody moves to the room of a group, and a lot opens there with a value")
    func round() {
        var clients = classroom(Self.plan(.sealed))
        clients.pass(milliseconds: 60_000)
        #expect(clients.received("al") == [])
        #expect(clients.send("al", "start").last?.hasPrefix("ERROR not-auctioneer") == true)
        #expect(clients.send("boss", "start").prefix(2) == ["OK start", "NEXT 3 Round 1"])
        clients.pass(milliseconds: 3000)
        var members: [String: Set<String>] = [:]
        for student in Self.students {
            let lines = clients.received(student)
            let notice = lines.first { $0.hasPrefix("ROUND 1 practice=no format=sealed group=") }
            let group = String(notice?.split(separator: " ")[4] ?? "none")
            members[group, default: []].insert(student)
            #expect(lines.contains("LOT 1 Round 1"))
            #expect(lines.contains { $0.hasPrefix("WORTH ") })
        }
        #expect(members.keys.sorted() == ["group=1", "group=2"])
        #expect(members.values.map(\.count).sorted() == [3, 4])
    }

    @Test("after the round everybody is back, and knows the standings of the class at its end")
    func end() {
        var clients = playing(Self.plan(.sealed))
        playSealed(&clients)
        clients.pass(milliseconds: 2000)
        #expect(clients.received("al").contains { $0.hasPrefix("WINNER ") })
        clients.pass(milliseconds: 5000)
        let lines = clients.received("al")
        #expect(lines.contains { $0.hasPrefix("HELLO ") && $0.contains("room=class ") })
        #expect(lines.contains("OVER 1"))
        #expect(lines.contains { $0.hasPrefix("CHAMPION ") })
        let rows = clients.send("al", "standings")
        #expect(rows.filter { $0.contains("lots=1") && $0.contains("profit=") }.count == 2)
        #expect(rows.last == "OK standings 7")
    }

    @Test("who has lost most is no champion, because others have won nothing")
    func championship() {
        var plan = Self.plan(.sealed)
        plan.groupSize = 2
        var clients = playing(plan, of: ["al", "bo"])
        clients.send("al", "bid 1000")
        clients.send("bo", "bid 10")
        clients.pass(milliseconds: 7000)
        let champions = clients.received("bo").filter { $0.hasPrefix("CHAMPION ") }
        #expect(champions == ["CHAMPION bo 0"])
    }

    @Test("what practice rounds bring does not count")
    func practice() {
        var clients = classroom(Self.plan(.sealed, .sealed, practice: 1))
        clients.send("boss", "start")
        for _ in 0..<2 {
            clients.pass(milliseconds: 3000)
            playSealed(&clients)
            clients.pass(milliseconds: 5000)
        }
        let rows = clients.send("al", "standings")
        #expect(rows.filter { $0.contains("lots=1") }.count == 2)
        #expect(rows.allSatisfy { !$0.contains("lots=2") })
    }

    @Test("who is new joins with the next round, and cannot enter the room of a group")
    func latecomer() {
        var clients = playing(Self.plan(.sealed, .vickrey))
        clients.connectNamed("late")
        #expect(clients.send("late", "join class-1").last?.hasPrefix("ERROR wrong-time") == true)
        #expect(clients.send("late", "open class-9").last?.hasPrefix("ERROR room-taken") == true)
        #expect(clients.send("late", "join class").contains("OK join class"))
        clients.join("spy")
        clients.send("spy", "join class-1")
        #expect(clients.send("spy", "name spy").last?.hasPrefix("ERROR wrong-time") == true)
        playSealed(&clients)
        clients.pass(milliseconds: 10_000)
        #expect(
            clients.received("late").contains { $0.hasPrefix("ROUND 2 ") && $0.contains(" group=") }
        )
    }

    @Test("the teacher pauses, skips and ends rounds")
    func orders() {
        var clients = classroom(Self.plan(.sealed, .sealed, .sealed))
        clients.send("boss", "start")
        #expect(clients.send("boss", "pause") == ["OK pause", "PAUSED"])
        #expect(clients.send("boss", "pause").last?.hasPrefix("ERROR wrong-time") == true)
        clients.pass(milliseconds: 9000)
        #expect(clients.send("boss", "resume") == ["OK resume", "RESUMED", "NEXT 3 Round 1"])
        #expect(clients.send("boss", "skip").prefix(2) == ["OK skip", "NEXT 3 Round 2"])
        #expect(clients.send("boss", "start").first == "OK start")
        #expect(clients.received("al").contains("LOT 1 Round 2"))
        clients.send("boss", "pause")
        #expect(clients.received("al") == ["PAUSED"])
        clients.pass(milliseconds: 9000)
        clients.send("boss", "resume")
        clients.send("boss", "skip")
        #expect(clients.received("al").contains("PASSED 1 closed Round 2"))
        clients.pass(milliseconds: 8000)
        #expect(clients.received("al").contains("LOT 2 Round 3"))
        #expect(clients.send("boss", "start").last?.hasPrefix("ERROR wrong-time") == true)
    }

    @Test("the teacher leads the class from main too, and cannot end or change its rooms")
    func rooms() {
        var clients = classroom(Self.plan(.sealed), of: ["al", "bo"])
        clients.send("boss", "join main")
        #expect(clients.send("boss", "start").first == "OK start")
        clients.pass(milliseconds: 3000)
        #expect(clients.received("al").contains("LOT 1 Round 1"))
        #expect(clients.send("boss", "end class").last?.hasPrefix("ERROR wrong-time") == true)
        #expect(clients.send("boss", "end class-1").last?.hasPrefix("ERROR wrong-time") == true)
        clients.send("boss", "join class")
        for command in ["rematch", "add Vase", "set seconds=9", "title 1 Vase"] {
            #expect(clients.send("boss", command).last?.hasPrefix("ERROR wrong-time") == true)
        }
        #expect(clients.send("boss", "pause").contains("OK pause"))
    }

    @Test("who is kicked is out of all rooms of the class")
    func kick() {
        var clients = classroom(
            Self.plan(.sealed, .sealed), of: ["al", "bo", "cy"],
            limits: .with { $0.kick = .seconds(600) })
        clients.send("boss", "start")
        clients.pass(milliseconds: 3000)
        #expect(clients.send("boss", "kick dora rude").last?.hasPrefix("ERROR not-here") == true)
        #expect(clients.send("boss", "kick cy rude").first == "OK kick")
        #expect(clients.received("al").contains("KICKED cy rude"))
        clients.connect("again")
        clients.send("again", "join class")
        #expect(clients.send("again", "name cy").last?.hasPrefix("ERROR kicked") == true)
        playSealed(&clients, of: ["al", "bo"])
        clients.pass(milliseconds: 8000)
        #expect(
            clients.received("al").contains { $0.hasPrefix("ROUND 2 ") && $0.contains("size=2") })
    }

    @Test("a rising auction without a bid ends after its seconds, unless the class is paused")
    func noBid() {
        var clients = playing(Self.plan(.english), of: ["al", "bo", "cy", "di", "ed", "fi"])
        clients.send("boss", "pause")
        clients.pass(milliseconds: 9000)
        #expect(!clients.received("al").contains { $0.hasPrefix("PASSED ") })
        clients.send("boss", "resume")
        clients.pass(milliseconds: 2000)
        #expect(clients.received("al").contains("PASSED 1 no-bids Round 1"))
        clients.pass(milliseconds: 3000)
        #expect(clients.received("al").contains("OVER 1"))
    }

    @Test("with a short pause the results stay no longer than that in sight")
    func shortPause() {
        var plan = Self.plan(.sealed, .sealed)
        plan.pause = .seconds(1)
        var clients = classroom(plan, of: ["al", "bo"])
        clients.send("boss", "start")
        clients.pass(milliseconds: 1000)
        playSealed(&clients, of: ["al", "bo"])
        clients.pass(milliseconds: 2000 + 1000 + 1000)
        #expect(clients.received("al").contains("LOT 2 Round 2"))
    }

    @Test("with instructions a round waits until all are ready, or the teacher starts it")
    func instructions() {
        var plan = Self.plan(.sealed, .vickrey)
        plan.shows = [.instructions]
        var clients = classroom(plan, of: ["al", "bo"])
        #expect(clients.send("al", "ready").last?.hasPrefix("ERROR wrong-time") == true)
        clients.send("boss", "start")
        #expect(
            clients.received("al").contains {
                $0.hasPrefix("ROUND 1 practice=no format=sealed size=3")
            })
        clients.send("al", "ready")
        clients.pass(milliseconds: 60_000)
        #expect(!clients.received("bo").contains { $0.hasPrefix("NEXT") })
        #expect(clients.send("bo", "ready") == ["OK ready", "NEXT 3 Round 1"])
        clients.pass(milliseconds: 3000)
        playSealed(&clients, of: ["al", "bo"])
        clients.pass(milliseconds: 7000)
        _ = clients.received("al")
        #expect(clients.send("boss", "start").last == "NEXT 3 Round 2")
    }

    @Test("after a restart in a round everybody has the same group, value and bid")
    func restart() throws {
        var clients = playing(Self.plan(.sealed, .sealed), of: ["al", "bo", "cy"])
        let worth = clients.received("al").last { $0.hasPrefix("WORTH ") }
        clients.send("bo", "bid 12")
        var after = TestClients(
            Rules(seconds: 7), resuming: try recovered(clients.journal),
            classPlan: Self.plan(.sealed, .sealed), tokens: 100)
        for (index, student) in ["al", "bo", "cy"].enumerated() {
            after.join(student)
            after.send(student, "join class")
            // The first two tokens are those of the rooms.
            let lines = after.send(student, "name \(student) \(token(index + 2))")
            #expect(lines.contains { $0.hasPrefix("ROUND 1 ") && $0.contains("group=1") })
            if student == "al" { #expect(lines.contains { $0 == worth }) }
            if student == "bo" { #expect(lines.contains("YOURS 12")) }
        }
        after.pass(milliseconds: 2000)
        #expect(after.received("al").contains { $0.hasPrefix("WINNER bo 12 ") })
        after.pass(milliseconds: 8000)
        #expect(after.received("al").contains("LOT 2 Round 2"))
    }

    @Test(
        "for who leaves during a round a bot bids, if the plan names its strategy",
        arguments: [AuctionFormat.sealed, .vickrey, .english, .dutch],
        [StrategyKind.equilibrium, .truthful, .proxy])
    func leaver(format: AuctionFormat, strategy: StrategyKind) throws {
        var plan = Self.plan(format)
        plan.substitute = strategy
        var clients = playing(plan, of: ["al", "bo", "cy"])
        _ = clients.received("al")
        let words = clients.received("bo").first { $0.hasPrefix("WORTH ") }?.split(separator: " ")
        let worth = try #require(words?.last.flatMap { Int64($0) })
        clients.send("bo", "quit")
        clients.pass(milliseconds: 4000)
        let lines = clients.received("al")
        #expect(lines.contains { $0.hasPrefix("WINNER bo ") })
        let theory = PrivateValueAuction(
            values: 50...150, bidders: 3, format: format, start: .lowest)
        let shaded = theory.bid(of: Double(worth), in: format).map { Int64($0.rounded()) }
        let bid = strategy == .truthful ? worth : try #require(shaded)
        switch format {
        case .sealed, .vickrey: #expect(lines.contains("REVEALED \(bid) bo"))
        case .english: #expect(lines.contains { $0.hasPrefix("PRICE 1 bo ") })
        case .dutch, .allpay:
            let price = lines.last { $0.hasPrefix("WINNER ") }?.split(separator: " ")[2]
            // The asking price falls by more than one.
            #expect((bid - 40...bid).contains(try #require(price.flatMap { Int64($0) })))
        }
    }

    @Test("a student who was drawn keeps the name without a bid, also over a restart")
    func keptName() throws {
        var clients = playing(Self.plan(.dutch, .dutch), of: ["al", "bo", "cy"])
        clients.send("al", "quit")
        clients.pass(milliseconds: 10_000)
        clients.join("eve")
        clients.send("eve", "join class")
        #expect(clients.send("eve", "name al").last?.hasPrefix("ERROR name-taken") == true)
        var after = TestClients(
            Rules(seconds: 7), resuming: try recovered(clients.journal),
            classPlan: Self.plan(.dutch, .dutch), tokens: 100)
        after.join("eve")
        after.send("eve", "join class")
        #expect(after.send("eve", "name al").last?.hasPrefix("ERROR name-taken") == true)
    }

    @Test("no bot bids for a student who was kicked")
    func kickedLeaver() {
        var plan = Self.plan(.sealed)
        plan.substitute = .truthful
        var clients = playing(plan, of: ["al", "bo", "cy"])
        clients.send("bo", "bid 20")
        clients.send("boss", "kick bo why")
        clients.pass(milliseconds: 4000)
        #expect(clients.received("al").contains { $0.hasPrefix("PASSED 1 no-bids ") })
    }

    @Test("a lot whose only bid was voided late ends after its seconds")
    func voided() {
        var clients = classroom(Self.plan(.english), of: ["al", "bo"])
        clients.send("boss", "start")
        clients.pass(milliseconds: 4900)
        clients.send("al", "bid 20")
        clients.pass(milliseconds: 1000)
        clients.send("boss", "join class-1")
        clients.send("boss", "void")
        clients.pass(milliseconds: 3000)
        #expect(clients.received("al").contains { $0.hasPrefix("PASSED 1 no-bids ") })
    }

    @Test("a class that is cut off while it is paused or resumed goes on as its own room says")
    func cutOffInPause() throws {
        var clients = classroom(Self.plan(.sealed), of: ["al", "bo"])
        clients.send("boss", "start")
        clients.pass(milliseconds: 3500)
        clients.send("boss", "pause")
        clients.send("boss", "resume")
        let journal = clients.journal
        let first = journal.firstIndex {
            if case .event(.paused) = $0.record { true } else { false }
        }
        for end in try #require(first)...journal.count {
            var after = TestClients(
                Rules(seconds: 7), resuming: try recovered(Array(journal[..<end])),
                classPlan: Self.plan(.sealed), tokens: 100)
            gather(["cy", "di"], in: &after)
            if report(to: "boss", of: &after).first?.contains(" paused=yes ") == true {
                after.pass(milliseconds: 60_000)
                #expect(report(to: "boss", of: &after).first?.hasPrefix("CLASS playing ") == true)
                after.send("boss", "resume")
            }
            after.pass(milliseconds: 10_000)
            #expect(after.received("cy").contains("OVER 1"), "after \(end) records")
        }
    }

    @Test("a pause between two rounds is told, and holds after a restart")
    func pauseBetween() throws {
        var clients = classroom(Self.plan(.sealed, .sealed))
        clients.send("boss", "start")
        clients.send("boss", "pause")
        clients.send("boss", "resume")
        clients.pass(milliseconds: 3000)
        playSealed(&clients)
        clients.pass(milliseconds: 2500)
        _ = clients.received("al")
        clients.send("boss", "pause")
        #expect(clients.received("al") == ["PAUSED"])
        var after = TestClients(
            Rules(seconds: 7), resuming: try recovered(clients.journal),
            classPlan: Self.plan(.sealed, .sealed), tokens: 100)
        gather(["zoe", "yan"], in: &after)
        after.pass(milliseconds: 60_000)
        #expect(after.received("zoe") == [])
        #expect(
            report(to: "boss", of: &after).first
                == "CLASS results paused=yes round=1 orders=resume rounds=2 A class")
        after.send("boss", "resume")
        after.pass(milliseconds: 7000)
        #expect(after.received("zoe").contains("LOT 2 Round 2"))
    }

    @Test("the teacher sees where the class stands, and what each student does")
    func report() {
        var plan = Self.plan(.sealed)
        plan.shows = [.instructions]
        var clients = classroom(plan, of: ["al", "bo", "cy"])
        #expect(clients.send("bo", "class").last?.hasPrefix("ERROR not-auctioneer") == true)
        #expect(
            report(to: "boss", of: &clients) == [
                "CLASS gathering round=1 orders=start rounds=1 A class", "STUDENT al here",
                "STUDENT bo here", "STUDENT cy here", "OK class",
            ])
        clients.send("al", "quit")
        clients.send("boss", "start")
        clients.send("bo", "ready")
        #expect(
            report(to: "boss", of: &clients) == [
                "CLASS reading round=1 orders=start,skip rounds=1 A class", "STUDENT bo ready",
                "STUDENT cy reading", "OK class",
            ])
        clients.send("cy", "ready")
        #expect(
            report(to: "boss", of: &clients).first
                == "CLASS counting round=1 milliseconds=3000 orders=start,pause,skip rounds=1 A class"
        )
        clients.pass(milliseconds: 3500)
        clients.send("cy", "bid 20")
        #expect(
            report(to: "boss", of: &clients) == [
                "CLASS playing round=1 milliseconds=1500 orders=pause,skip rounds=1 A class",
                "STUDENT bo thinking group=1", "STUDENT cy bid group=1",
                "OK class",
            ])
        clients.pass(milliseconds: 2000)
        #expect(
            report(to: "boss", of: &clients) == [
                "CLASS results round=1 milliseconds=2500 orders=pause rounds=1 A class",
                "STUDENT bo done group=1", "STUDENT cy done group=1", "OK class",
            ])
        clients.pass(milliseconds: 3000)
        clients.send("cy", "quit")
        #expect(
            report(to: "boss", of: &clients) == [
                "CLASS over rounds=1 A class", "STUDENT bo here", "STUDENT cy away", "OK class",
            ])
    }

    /// The answer to `class`, without the news before it.
    private func report(to client: String, of clients: inout TestClients) -> [String] {
        Array(clients.send(client, "class").drop { !$0.hasPrefix("CLASS ") })
    }

    @Test("the teacher takes no name, and a student does not become the teacher")
    func teacherWithName() {
        var clients = classroom(Self.plan(.sealed), of: ["al"])
        #expect(clients.send("boss", "name boss").last?.hasPrefix("ERROR wrong-time") == true)
        #expect(
            clients.send("al", "auctioneer \(String.auctioneerToken)").last?
                .hasPrefix("ERROR wrong-time") == true)
        clients.join("host")
        clients.send("host", "auctioneer \(String.auctioneerToken)")
        clients.send("host", "name host")
        #expect(clients.send("host", "join class").last?.hasPrefix("ERROR wrong-time") == true)
    }

    @Test("fixed groups stay when a round between is left out")
    func fixedGroups() {
        var plan = Self.plan(.sealed, .sealed, .sealed)
        (plan.groupSize, plan.matchesAnew) = (2, false)
        let students = ["al", "bo", "cy", "di"]
        var clients = classroom(plan, of: students)
        func groups(ofRound round: Int) -> [String] {
            students.compactMap { student in
                clients.received(student).first {
                    $0.hasPrefix("ROUND \(round) ") && $0.contains(" group=")
                }.map { String($0.split(separator: " ")[4]) }
            }
        }
        clients.send("boss", "start")
        clients.pass(milliseconds: 3000)
        let first = groups(ofRound: 1)
        #expect(first.count == 4)
        playSealed(&clients, of: students)
        clients.pass(milliseconds: 5000)
        clients.send("boss", "skip")
        clients.pass(milliseconds: 4000)
        #expect(groups(ofRound: 3) == first)
    }

    @Test("a journal whose class has another round or other values is refused")
    func conflict() throws {
        var clients = classroom(Self.plan(.sealed, .dutch))
        clients.send("boss", "start")
        clients.pass(milliseconds: 4000)
        let journal = try recovered(clients.journal)
        #expect(Self.plan(.sealed, .vickrey).conflict(with: journal) == nil)
        #expect(Self.plan(.vickrey, .dutch).conflict(with: journal) != nil)
        var other = Self.plan(.sealed, .dutch)
        other.values = .personal(1...9)
        #expect(other.conflict(with: journal) != nil)
    }

    @Test("of the example classes each begins", arguments: ClassExample.allCases)
    func examples(example: ClassExample) throws {
        var plan = try ClassPlan(text: example.text)
        plan.pause = .seconds(3)
        var clients = classroom(plan)
        clients.send("boss", "start")
        for student in Self.students { clients.send(student, "ready") }
        clients.pass(milliseconds: 4000)
        for student in Self.students {
            #expect(clients.received(student).contains { $0.hasPrefix("LOT 1 ") })
        }
    }

    @Test("the tables of the class need the auctioneer's token, and wrong ones count as elsewhere")
    func tables() {
        var clients = TestClients(
            limits: .with { $0.wrongTokensInRow = 3 }, classPlan: Self.plan(.sealed))
        clients.lobby.auctioneerToken = .test
        func get(_ path: String, _ token: String?) -> [UInt8] {
            let field = token.map { "Authorization: Bearer \($0)\r\n" } ?? ""
            return Array("GET \(path) HTTP/1.1\r\nHost: a\r\n\(field)\r\n".utf8)
        }
        clients.connectUngreeted("al")
        for path in ["/class.csv", "/class-lots.csv"] { clients.send("al", get(path, nil)) }
        for answer in clients.received("al") {
            #expect(answer.hasPrefix("HTTP/1.1 401 "))
            #expect(answer.contains("\r\nWWW-Authenticate: Bearer\r\n"))
        }
        for _ in 0..<2 { clients.send("al", get("/class.csv", "wrong")) }
        #expect(clients.closed == [])
        clients.send("al", get("/class.csv", .auctioneerToken))
        clients.send("al", get("/class-lots.csv", .auctioneerToken))
        #expect(clients.received("al").suffix(2) == ["(classBidders)", "(classLots)"])
        // The browser of the desk may use a connection that it opened before.
        clients.connectUngreeted("bo")
        clients.pass(milliseconds: 9_000)
        clients.send("bo", get("/class-lots.csv", .auctioneerToken))
        #expect(clients.received("bo") == ["(classLots)"])
        for _ in 0..<3 { clients.send("al", get("/class.csv", "wrong")) }
        #expect(clients.received("al").last?.contains("\r\nConnection: close\r\n") == true)
        #expect(clients.closed == ["al"])
    }

    @Test("a server without a class has no tables of one")
    func noTables() {
        var clients = TestClients()
        clients.lobby.auctioneerToken = .test
        clients.connectUngreeted("al")
        let token = "Authorization: Bearer \(String.auctioneerToken)"
        clients.send("al", Array("GET /class.csv HTTP/1.1\r\nHost: a\r\n\(token)\r\n\r\n".utf8))
        #expect(clients.received("al").map { $0.hasPrefix("HTTP/1.1 404 ") } == [true])
    }

    @Test("rooms that a client had opened under the names of a class are opened anew")
    func foreignRooms() throws {
        var clients = TestClients()
        clients.join("mal")
        clients.send("mal", "open class seconds=60")
        let answer = clients.send("mal", "open class-1 seconds=60").last { $0.hasPrefix("OK open") }
        let key = String(answer?.split(separator: " ").last ?? "")
        var after = TestClients(
            Rules(seconds: 7), resuming: try recovered(clients.journal),
            classPlan: Self.plan(.sealed), tokens: 100)
        gather(["al", "bo"], in: &after)
        after.send("boss", "start")
        after.pass(milliseconds: 3000)
        #expect(after.received("al").contains("LOT 1 Round 1"))
        after.join("mal")
        after.send("mal", "join class-1")
        let refusal = after.send("mal", "auctioneer \(key)").last
        #expect(refusal?.hasPrefix("ERROR wrong-token") == true)
    }

    @Test("a round with one bidder waits for a second, without an end and without news")
    func alone() {
        var plan = Self.plan(.sealed)
        plan.pause = .zero
        var clients = classroom(plan, of: ["al"])
        clients.send("boss", "start")
        clients.pass(milliseconds: 60_000)
        #expect(clients.send("boss", "start").last?.hasPrefix("ERROR wrong-time") == true)
        _ = clients.received("al")
        clients.pass(milliseconds: 60_000)
        #expect(clients.received("al") == [])
        clients.join("bo")
        clients.send("bo", "join class")
        clients.send("bo", "name bo")
        clients.pass(milliseconds: 1)
        #expect(clients.received("al").contains("LOT 1 Round 1"))
    }

    @Test("a class that is cut off after any record goes on, and counts each lot once")
    func cutOff() throws {
        var clients = playing(Self.plan(.sealed), of: ["al", "bo"])
        playSealed(&clients, of: ["al", "bo"])
        clients.pass(milliseconds: 8000)
        let journal = clients.journal
        let first = journal.firstIndex {
            if case .event(.roundBegan) = $0.record { true } else { false }
        }
        // The answer has the command that takes the name again.
        let claims = try ["al", "bo"].map { student in
            let answer = clients.send(student, "name \(student)").first { $0.hasPrefix("OK name ") }
            return (student, String(try #require(answer).dropFirst(3)))
        }
        for end in try #require(first) + 1..<journal.count {
            var after = TestClients(
                Rules(seconds: 7), resuming: try recovered(Array(journal[..<end])),
                classPlan: Self.plan(.sealed), tokens: 100)
            for (student, claim) in claims {
                after.join(student)
                after.send(student, "join class")
                after.send(student, claim)
            }
            after.pass(milliseconds: 60_000)
            after.join("late")
            let rows = after.send("late", "join class") + after.send("late", "standings")
            #expect(rows.contains("OVER 1"), "after \(end) records")
            #expect(rows.filter { $0.contains("lots=2") }.isEmpty)
        }
    }

    @Test("after a pause of a round its lots get their countdowns again, and end")
    func pausedRound() {
        var clients = playing(Self.plan(.sealed))
        playSealed(&clients)
        clients.send("boss", "pause")
        clients.pass(milliseconds: 9000)
        #expect(!clients.received("al").contains { $0.hasPrefix("WINNER ") })
        clients.send("boss", "resume")
        clients.pass(milliseconds: 2100)
        for student in Self.students {
            #expect(clients.received(student).contains { $0.hasPrefix("WINNER ") })
        }
    }

    @Test("after a restart the sales of a class are the same")
    func sameSale() throws {
        var clients = playing(Self.plan(.sealed), of: ["al", "bo"])
        let lines = clients.received("al").filter { $0.hasPrefix("HELLO ") }
        var after = TestClients(
            Rules(seconds: 7), resuming: try recovered(clients.journal),
            classPlan: Self.plan(.sealed), tokens: 100)
        after.join("al")
        #expect(lines.count == 1 && after.send("al", "join class-1").contains(lines[0]))
    }
}
