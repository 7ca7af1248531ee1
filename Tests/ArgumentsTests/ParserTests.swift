import Arguments
import Testing

@Suite struct ParserTests {
    @Test("without arguments every flag has its default")
    func defaults() throws {
        let invocation = try Server.program.run()
        #expect(invocation[Server.seconds] == 7)
        #expect(invocation[Server.host] == "127.0.0.1")
        #expect(invocation[Server.port] == 7777)
        #expect(invocation[Server.pause] == .seconds(3))
        #expect(invocation[Server.lots] == [])
        #expect(invocation[Server.once] == false)
        #expect(invocation[Server.selfRaise] == .refuse)
        #expect(invocation[Server.poller] == nil)
        #expect(invocation.command == nil)
        #expect(invocation.operands == [])
    }

    @Test("every flag is read from its own words")
    func everyFlag() throws {
        let invocation = try Server.program.run(
            "--seconds", "10", "--host=::1", "--port", "0", "--start=1000000000000", "--step", "5",
            "--pause", "0.5", "--lot", "Vase", "--once", "--lot=Old clock", "--self-raise", "allow",
            "--poller=poll")
        #expect(invocation[Server.seconds] == 10)
        #expect(invocation[Server.host] == "::1")
        #expect(invocation[Server.port] == 0)
        #expect(invocation[Server.start] == 1_000_000_000_000)
        #expect(invocation[Server.step] == 5)
        #expect(invocation[Server.pause] == .milliseconds(500))
        #expect(invocation[Server.lots] == ["Vase", "Old clock"])
        #expect(invocation[Server.once])
        #expect(invocation[Server.selfRaise] == .allow)
        #expect(invocation[Server.poller] == .poll)
    }

    @Test(
        "a value keeps its own equals signs and spaces",
        arguments: [
            (["--host", "a=b c"], "a=b c"), (["--host=a=b c"], "a=b c"), (["--host==x"], "=x"),
            (["--host=--once"], "--once"), (["--host", "-"], "-"), (["--host=-x"], "-x"),
        ])
    func values(words: [String], expected: String) throws {
        let invocation = try Server.program.run(words)
        #expect(invocation[Server.host] == expected)
    }

    @Test(
        "flags may stand before, after and between a command and its operands",
        arguments: [
            ["--json", "--name", "al", "laps", "1", "500"],
            ["laps", "1", "500", "--name=al", "--json"],
            ["laps", "--json", "1", "--name", "al", "500"],
        ])
    func places(words: [String]) throws {
        let invocation = try Client.program.run(words)
        #expect(invocation.command == Client.laps)
        #expect(invocation.operands == ["1", "500"])
        #expect(invocation[Client.name] == "al")
        #expect(invocation[Client.json])
    }

    @Test("an operand keeps its spaces, and may be empty")
    func operands() throws {
        let invocation = try Client.program.run("send", "#1 bid 5", "")
        #expect(invocation.operands == ["#1 bid 5", ""])
    }

    @Test("a negative number and a lone dash are operands")
    func dashes() throws {
        #expect(try Client.program.run("bid", "-5").operands == ["-5"])
        #expect(try Client.program.run("bid", "-").operands == ["-"])
    }

    @Test("two dashes end the flags")
    func endOfFlags() throws {
        let invocation = try Client.program.run("--json", "--", "send", "--json", "--help", "--")
        #expect(invocation.command == Client.send)
        #expect(invocation.operands == ["--json", "--help", "--"])
    }

    @Test("words are taken from any sequence, such as what follows the program's own name")
    func slice() throws {
        let error = Server.program.misuse("unexpected 'x': auction-server takes only flags")
        #expect(throws: error) { try Server.program.parse(["path", "x"].dropFirst()) }
    }

    @Test("if a flag is repeated, the last value counts, unless the flag is repeatable")
    func lastWins() throws {
        let invocation = try Server.program.run(
            "--port", "1", "--lot", "a", "--once", "--port=2", "--lot", "b", "--once")
        #expect(invocation[Server.port] == 2)
        #expect(invocation[Server.lots] == ["a", "b"])
        #expect(invocation[Server.once])
    }

    @Test("a short spelling is the same flag", arguments: [["-p", "80"], ["-p=80"]])
    func short(words: [String]) throws {
        #expect(try Server.program.run(words)[Server.port] == 80)
    }

    @Test(
        "a variable stands in for a flag that is not given, unless it is empty",
        arguments: [
            ([], ["AUCTION_HOST": "h"], "h"), (["--host", "x"], ["AUCTION_HOST": "h"], "x"),
            ([], ["AUCTION_HOST": ""], "127.0.0.1"), ([], [:], "127.0.0.1"),
        ] as [([String], [String: String], String)])
    func variable(words: [String], environment: [String: String], expected: String) throws {
        let parsed = try Client.program.parse(words + ["watch"], environment: { environment[$0] })
        guard case .run(let invocation) = parsed else { throw Unexpected(parsed: parsed) }
        #expect(invocation[Client.host] == expected)
        #expect(invocation.isGiven(Client.host) == (expected == "x"))
    }

    @Test("a variable with a wrong value is an error that names it")
    func wrongVariable() {
        let expected = Client.program.misuse(
            "AUCTION_PORT must be a whole number from 1 to 65535, not 'x'")
        #expect(throws: expected) {
            try Client.program.parse(["watch"], environment: { $0 == "AUCTION_PORT" ? "x" : nil })
        }
    }

    @Test("a variable of a flag that does not go with the command is not looked at")
    func foreignVariable() throws {
        let parsed = try Client.program.parse(["watch"], environment: { _ in "1" })
        guard case .run(let invocation) = parsed else { throw Unexpected(parsed: parsed) }
        #expect(invocation[Client.name] == nil)
    }

    @Test(
        "a command line without even the program's name is an error, and no start on defaults",
        arguments: [[], [""]])
    func noName(commandLine: [String]) throws {
        let error = #expect(throws: UsageError.self) {
            try Server.program.parse(commandLine: commandLine)
        }
        #expect(error?.message.contains("no arguments, not even its name") == true)
        let parsed = try Server.program.parse(commandLine: ["auction-server", "--once"])
        guard case .run(let invocation) = parsed else { throw Unexpected(parsed: parsed) }
        #expect(invocation[Server.once])
    }

    @Test("a flag that the program does not declare is a bug, and stops it")
    func undeclared() async {
        await #expect(processExitsWith: .failure) {
            if let invocation = try? Client.program.run("watch") { _ = invocation[Server.seconds] }
        }
    }
}
