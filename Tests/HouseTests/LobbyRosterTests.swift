import Auction
import House
import Testing
import Wire

/// The roster of a class: its names are reserved, and all of them together begin the class.
@Suite struct LobbyRosterTests {
    private static let students = students("al\nBo\nzoe Zoë Müller")
    private static let roster = ReservedNames(students, secret: "secret")

    private static func students(_ text: String) -> Roster {
        guard let roster = try? Roster(text: text) else {
            preconditionFailure("a test's roster is right")
        }
        return roster
    }

    private static func tokens(_ roster: Roster = students, secret: String = "secret") -> [String] {
        ReservedNames.tokens(of: roster, secret: secret).map { "\($0.token)" }
    }

    private static func token(_ name: String) -> String {
        let tokens = ReservedNames.tokens(of: students, secret: "secret")
        return tokens.first { $0.bidder == Bidder(name) }?.token.description ?? "none"
    }

    private static var plan: ClassPlan {
        var plan = ClassPlan()
        plan.parts = [ClassPlan.Part(2, .sealed)]
        plan.lot.seconds = 2
        (plan.pause, plan.shows) = (.seconds(3), [])
        return plan
    }

    private func clients(
        _ roster: ReservedNames? = roster, limits: Limits = .none,
        resuming recovered: ServerReplay? = nil
    ) -> TestClients {
        TestClients(
            Rules(seconds: 7), limits: limits, resuming: recovered, classPlan: Self.plan,
            roster: roster, tokens: 100)
    }

    /// Connects a client to the room `class`, which sends `name` with these words.
    @discardableResult
    private func enter(
        _ client: String, _ words: String, in clients: inout TestClients
    ) -> [String] {
        clients.connect(client)
        clients.send(client, "join class")
        return clients.send(client, "name \(words)")
    }

    // Tokens

    @Test("the tokens are those of HMAC-SHA1, the same at each start and for all spellings")
    func tokens() {
        let expected = [
            "99d5bbbe440443e2a8d979b1dfde519e", "f99482702afa7e263f2a2bb4f9e4f356",
            "addbd4b7956327fe9e7a5f3901675043",
        ]
        #expect(Self.tokens() == expected)
        #expect(Self.tokens(Self.students("BO")) == [expected[1]])
    }

    @Test("another name or another secret has another token")
    func otherTokens() {
        let names = (0..<100).map { "s\($0)\n" }.joined()
        let roster = Self.students(names)
        let tokens = ["a", "b", "a ", ""].flatMap { Self.tokens(roster, secret: $0) }
        #expect(Set(tokens).count == 400)
    }

    // Names

    @Test("a name of the roster is refused without its token, before anybody has taken it")
    func reserved() {
        var clients = clients()
        for words in ["al", "AL", "bo"] {
            #expect(enter(words, words, in: &clients).last?.hasPrefix("ERROR name-taken ") == true)
        }
        let wrong = clients.send("al", "name al \(Self.token("bo"))").last
        #expect(wrong?.hasPrefix("ERROR wrong-token ") == true)
        #expect(
            clients.send("al", "name al \(Self.token("al"))").first
                == "OK name al \(Self.token("al"))")
        #expect(enter("late", "late", in: &clients).first?.hasPrefix("OK name late ") == true)
    }

    @Test("a name is spelled as in the roster, and its display name comes with it")
    func spelling() {
        var clients = clients()
        let answer = enter("one", "BO \(Self.token("bo"))", in: &clients)
        #expect(answer.contains("JOINED Bo"))
        let lines = enter("two", "zoe \(Self.token("zoe"))", in: &clients)
        #expect(lines.contains("DISPLAY zoe Zoë Müller"))
        clients.send("two", "display")
        let moved = clients.send("two", "join main")
        #expect(!moved.contains { $0.hasPrefix("DISPLAY ") })
        clients.send("two", "quit")
        #expect(
            enter("three", "zoe \(Self.token("zoe"))", in: &clients)
                .contains("DISPLAY zoe Zoë Müller"))
    }

    @Test("nobody is shown as somebody else of the roster, who need not be here")
    func display() {
        var clients = clients()
        enter("late", "late", in: &clients)
        for text in ["AL", "bo", "zoë müller"] {
            let answer = clients.send("late", "display \(text)").last
            #expect(answer?.hasPrefix("ERROR display-taken ") == true)
        }
        #expect(clients.send("late", "display Alan").contains("DISPLAY late Alan"))
        enter("one", "al \(Self.token("al"))", in: &clients)
        #expect(clients.send("one", "display AL").contains("DISPLAY al AL"))
    }

    @Test("a name stays reserved when its owner has left, and after a kick")
    func freed() {
        var clients = clients(limits: .with { $0.kick = .seconds(600) })
        clients.preside()
        clients.send("boss", "join class")
        enter("one", "al \(Self.token("al"))", in: &clients)
        clients.send("one", "quit")
        #expect(enter("two", "al", in: &clients).last?.hasPrefix("ERROR name-taken ") == true)
        clients.send("two", "name al \(Self.token("al"))")
        clients.send("boss", "kick al rude")
        let words = "al \(Self.token("al"))"
        #expect(enter("three", words, in: &clients).last?.hasPrefix("ERROR kicked ") == true)
        clients.pass(milliseconds: 600_000)
        #expect(clients.send("three", "name al").last?.hasPrefix("ERROR name-taken ") == true)
        #expect(clients.send("three", "name \(words)").first == "OK name \(words)")
    }

    @Test("after a restart the links are right, also for a name that another token had opened")
    func restart() throws {
        var before = clients(nil)
        enter("one", "al", in: &before)
        enter("two", "bo", in: &before)
        before.preside()
        before.send("boss", "join class")
        before.send("boss", "start")
        before.pass(milliseconds: 3000)
        for client in ["one", "two"] { before.send(client, "bid 10") }
        before.pass(milliseconds: 2000)
        var after = clients(resuming: try recovered(before.journal))
        for words in ["al", "zoe"] {
            #expect(enter(words, words, in: &after).last?.hasPrefix("ERROR name-taken ") == true)
        }
        for name in ["al", "zoe"] {
            let words = "\(name) \(Self.token(name))"
            #expect(after.send(name, "name \(words)").contains("OK name \(words)"))
        }
        after = clients(resuming: try recovered(before.journal + after.journal))
        #expect(
            enter("one", "al \(Self.token("al"))", in: &after)
                .contains("OK name al \(Self.token("al"))"))
    }

    // Start

    @Test("strangers do not take the places of the roster")
    func places() {
        var clients = clients()
        for number in 1...997 { enter("x\(number)", "x\(number)", in: &clients) }
        let full = enter("late", "late", in: &clients)
        #expect(full.last?.hasPrefix("ERROR full ") == true)
        for student in ["al", "bo", "zoe"] {
            enter(student, "\(student) \(Self.token(student))", in: &clients)
        }
        #expect(clients.send("al", "who").last == "OK who 1000")
    }

    @Test("when everybody of the roster is in the class it begins, and no earlier")
    func start() {
        var clients = clients()
        enter("late", "late", in: &clients)
        enter("al", "al \(Self.token("al"))", in: &clients)
        clients.connect("bo")
        clients.send("bo", "name bo \(Self.token("bo"))")
        enter("zoe", "zoe \(Self.token("zoe"))", in: &clients)
        clients.pass(milliseconds: 60_000)
        #expect(!clients.received("al").contains { $0.hasPrefix("NEXT ") })
        #expect(clients.send("bo", "join class").contains("NEXT 3 Round 1"))
        clients.pass(milliseconds: 3000)
        for client in ["late", "al", "bo", "zoe"] {
            #expect(clients.received(client).contains("LOT 1 Round 1"))
        }
    }

    @Test("a student who has gone is not here; the teacher can begin without")
    func missing() {
        var clients = clients()
        clients.preside()
        clients.send("boss", "join class")
        enter("al", "al \(Self.token("al"))", in: &clients)
        enter("bo", "bo \(Self.token("bo"))", in: &clients)
        clients.send("al", "quit")
        enter("zoe", "zoe \(Self.token("zoe"))", in: &clients)
        clients.pass(milliseconds: 60_000)
        #expect(!clients.received("bo").contains { $0.hasPrefix("NEXT ") })
        _ = clients.received("boss")
        #expect(clients.send("boss", "start").prefix(2) == ["OK start", "NEXT 3 Round 1"])
    }

    @Test("a roster of one waits for a second bidder; without a roster nothing begins by itself")
    func few() {
        var clients = clients(ReservedNames(Self.students("al"), secret: "secret"))
        enter("al", "al \(Self.token("al"))", in: &clients)
        clients.pass(milliseconds: 60_000)
        #expect(!clients.received("al").contains { $0.hasPrefix("NEXT ") })
        enter("late", "late", in: &clients)
        #expect(clients.received("al").contains("NEXT 3 Round 1"))
        clients = self.clients(nil)
        for name in ["al", "bo", "zoe"] { enter(name, name, in: &clients) }
        clients.pass(milliseconds: 60_000)
        #expect(!clients.received("al").contains { $0.hasPrefix("NEXT ") })
    }
}
