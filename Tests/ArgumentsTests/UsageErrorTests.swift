import Arguments
import Testing

@Suite struct UsageErrorTests {
    @Test(
        "a wrong line for the server is answered with what to write",
        arguments: [
            ("--secnds 5", "unknown flag '--secnds': did you mean --seconds?"),
            ("--sec=5", "unknown flag '--sec': did you mean --seconds?"),
            ("-seconds 5", "unknown flag '-seconds': did you mean --seconds?"),
            ("--hepl", "unknown flag '--hepl': did you mean --help?"),
            ("--colour", "unknown flag '--colour'"),
            ("-x", "unknown flag '-x'"),
            ("--seconds", "--seconds needs a value: write --seconds N"),
            ("--seconds=", "--seconds needs a value: write --seconds N"),
            ("--seconds --once", "--seconds needs a value: write --seconds N"),
            ("--lot -- Vase", "--lot needs a value: write --lot TITLE"),
            ("--poller", "--poller needs a value: write --poller epoll|poll"),
            ("--once=yes", "--once takes no value: write it without '='"),
            ("--once=", "--once takes no value: write it without '='"),
            ("--help=yes", "--help takes no value: write it without '='"),
            ("--host -x", "'-x' begins with '-': write --host=-x if it is the value of --host"),
            ("--host -5", "'-5' begins with '-': write --host=-5 if it is the value of --host"),
            ("--host -p", "--host needs a value: write --host HOST"),
            ("-p", "--port needs a value: write --port N"),
            ("Vase", "unexpected 'Vase': auction-server takes only flags"),
            ("-- --once", "unexpected '--once': auction-server takes only flags"),
            ("--once yes", "unexpected 'yes': auction-server takes only flags"),
        ])
    func server(line: String, reason: String) {
        let complaint = Server.program.complaint(about: line)
        #expect(complaint == "auction-server: \(reason) (see --help)")
    }

    @Test(
        "a wrong line for the client is answered with what to write",
        arguments: [
            ("--json", "a command is missing: write one, such as watch"),
            ("bidd 5", "unknown command 'bidd': did you mean bid?"),
            ("frobnicate", "unknown command 'frobnicate'"),
            ("help frobnicate", "unknown command 'frobnicate'"),
            ("help bidd", "unknown command 'bidd': did you mean bid?"),
            ("help bid 5", "help takes one COMMAND"),
            ("hepl", "unknown command 'hepl': did you mean help?"),
            (
                "--color=allways watch",
                "--color must be auto, always or never, not 'allways': did you mean always?"
            ),
            ("bid", "bid needs more words: write bid PRICE"),
            ("bid 5 6 7", "unexpected '6 7': write bid PRICE"),
            ("watch now", "unexpected 'now': write watch"),
            ("laps 1 2 3", "unexpected '3': write laps [FROM [COUNT]]"),
            ("send", "send needs more words: write send WORD..."),
            ("--no-wait watch", "--no-wait goes with bid alone"),
            ("--name=x watch", "--name goes with bid, laps and send alone"),
            ("--nowait watch", "unknown flag '--nowait': did you mean --no-wait?"),
        ])
    func client(line: String, reason: String) {
        let complaint = Client.program.complaint(about: line)
        #expect(complaint == "auction-client: \(reason) (see --help)")
    }

    @Test("a program with commands answers no words at all with its help")
    func nothing() throws {
        #expect(Client.program.complaint(about: "") == Client.program.help)
        #expect(try Server.program.run().operands == [])
    }

    @Test("the first mistake is the one reported")
    func first() {
        let complaint = Server.program.complaint(about: "--port x --seconds y")
        #expect(complaint?.contains("--port") == true)
    }

    @Test("a message stays on one line whatever was typed")
    func oneLine() {
        let expected = Server.program.misuse(
            #"--seconds must be a whole number from 1 to 3600, not 'a\nb\u{1B}'"#)
        #expect(throws: expected) {
            try Server.program.parse(["--seconds", "a\nb\u{1B}"])
        }
    }

    @Test("an empty value is a missing one")
    func empty() {
        #expect(throws: Server.program.misuse("--host needs a value: write --host HOST")) {
            try Server.program.parse(["--host", ""])
        }
    }
}
