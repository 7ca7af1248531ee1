import Arguments
import Testing

@Suite struct ProgramHelpTests {
    @Test("the help of a server shows every flag with its range and default")
    func server() {
        let expected = """
            usage: auction-server [flags]

            Auctions lots over TCP to everybody who connects. Each accepted bid starts the
            countdown again; at 0 the last bidder has won.

            Flags:
              --seconds N                Seconds of the countdown after each bid (1 to 3600,
                                         default 7)
              --host HOST                Address to listen on (default 127.0.0.1)
              -p, --port N               Port to listen on; 0 picks a free one (0 to 65535,
                                         default 7777)
              --start N                  Least amount of the first bid (1 to 1000000000000,
                                         default 1)
              --step N                   Least raise over the price (1 to 1000000000000,
                                         default 1)
              --pause SECONDS            Pause between two lots (0 to 3600, default 3)
              --lot TITLE                Title of a lot, in order (repeatable)
              --once                     Exit when the last lot is done
              --self-raise allow|refuse  Whether the leader may bid higher (default refuse)
              --poller epoll|poll        How to wait for the network; the best one here by
                                         default
              -h, --help                 Print this help and exit
              --version                  Print the version and exit

            Examples:
              auction-server --seconds 10 --lot Vase --lot 'Old clock' --once
            """
        #expect(Server.program.help == expected)
    }

    @Test("the word help is as good as the flag")
    func word() throws {
        #expect(try Client.program.printed(["help"]) == Client.program.help)
        #expect(
            try Client.program.printed(["help", "bid"])
                == Client.program.printed(["bid", "--help"]))
    }

    @Test("the help of a command has a table of its words")
    func topic() throws {
        let command = Command(
            "play", "WAY", 1...1, help: "Play",
            topic: HelpTopic("Ways", [("quick", "at once"), ("slow", "later")]))
        let program = Program(
            name: "game", version: "1", abstract: "Plays.", commands: [command],
            flags: Client.json, examples: [])
        let help = try program.printed(["help", "play"])
        #expect(help.contains("\n\nWays:\n  quick  at once\n  slow   later\n\nFlags:\n"))
    }

    @Test("the help of a client shows its commands before its flags")
    func client() {
        let expected = """
            usage: auction-client [flags] COMMAND [operands]

            Bids in an auction.

            Commands:
              watch                Show the auction until it is over
              bid PRICE            Bid an amount
              laps [FROM [COUNT]]  List accepted bids
              send WORD...         Send lines as they are
            auction-client help COMMAND explains one command.

            Flags:
              --host HOST                Server to reach (else $AUCTION_HOST, default
                                         127.0.0.1)
              --port N                   Its port (1 to 65535, else $AUCTION_PORT, default
                                         7777)
              -n, --name NAME            Name to bid under (with bid, laps and send, else
                                         $AUCTION_NAME)
              --json                     Print events as JSON
              --color auto|always|never  When to use colours (default auto)
              --no-wait                  Exit without waiting for the hammer (with bid)
              -h, --help                 Print this help and exit
              --version                  Print the version and exit

            Exit codes:
              0  You have won
              2  The command line is wrong

            Examples:
              auction-client --name alice bid 120
              auction-client send '#1 bid 5'
            """
        #expect(Client.program.help == expected)
    }

    @Test("a term too wide for its column stands on a line of its own")
    func wideTerm() {
        let mode = Flag(
            "mode", .text("a-placeholder-that-is-too-wide"), default: "x", help: "What to do")
        let program = Program(
            name: "wide", version: "1", abstract: "Is wide.", flags: mode, examples: [])
        let expected = """
            usage: wide [flags]

            Is wide.

            Flags:
              --mode a-placeholder-that-is-too-wide
                          What to do (default x)
              -h, --help  Print this help and exit
              --version   Print the version and exit
            """
        #expect(program.help == expected)
    }

    @Test("no line of help is wider than 80 columns", arguments: [Server.program, Client.program])
    func width(program: Program) {
        let lines = program.help.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.allSatisfy { $0.count <= 80 })
        #expect(lines.allSatisfy { $0.last != " " })
    }

    @Test(
        "help wins over everything else on the line",
        arguments: [
            ["--help"], ["-h"], ["--seconds", "x", "--help"], ["--secnds", "-h"],
            ["--version", "-h"], ["--host", "--help"], ["--help", "--help"],
            ["Vase", "--help", "--", "more"],
        ])
    func helpWins(words: [String]) throws {
        #expect(try Server.program.printed(words) == Server.program.help)
    }

    @Test("the version wins over mistakes", arguments: [["--version"], ["--secnds", "--version"]])
    func version(words: [String]) throws {
        #expect(try Server.program.printed(words) == "auction-server 0.1.0")
    }

    @Test("help after two dashes is a word like any other")
    func afterDashes() throws {
        #expect(try Client.program.run("send", "--", "--help", "-h").operands == ["--help", "-h"])
    }

    @Test("help attached as a value is a value")
    func attached() throws {
        #expect(try Server.program.run("--host=--help")[Server.host] == "--help")
    }

    @Test("the help of a command has its own flags, details and examples")
    func command() throws {
        let expected = """
            usage: auction-client bid [flags] PRICE

            Bid an amount. It goes on until the hammer falls, and tells who has won the lot.

            Flags:
              --host HOST                Server to reach (else $AUCTION_HOST, default
                                         127.0.0.1)
              --port N                   Its port (1 to 65535, else $AUCTION_PORT, default
                                         7777)
              -n, --name NAME            Name to bid under (else $AUCTION_NAME)
              --json                     Print events as JSON
              --color auto|always|never  When to use colours (default auto)
              --no-wait                  Exit without waiting for the hammer
              -h, --help                 Print this help and exit
              --version                  Print the version and exit

            Exit codes:
              0  You have won
              2  The command line is wrong

            Examples:
              auction-client -n alice bid 120
            """
        #expect(try Client.program.printed(["bid", "--help"]) == expected)
        let watching = try Client.program.printed(["watch", "--help"])
        #expect(watching.hasPrefix("usage: auction-client watch [flags]\n"))
        #expect(!watching.contains("--name"))
    }

    @Test(
        "help is that of the command wherever it stands, and not of a flag's value",
        arguments: [
            (["--help", "watch"], "auction-client watch"),
            (["--name", "bid", "watch", "-h"], "auction-client watch"),
            (["--name=bid", "watch", "-h"], "auction-client watch"),
            (["--json", "watch", "bid", "-h"], "auction-client watch"),
            (["--name", "watch", "--help"], "auction-client [flags] COMMAND"),
            (["wach", "--help"], "auction-client [flags] COMMAND"),
        ])
    func helpedCommand(words: [String], usage: String) throws {
        #expect(try Client.program.printed(words).hasPrefix("usage: \(usage)"))
    }

    @Test("flags of a section stand under its heading, and are read like the others")
    func section() throws {
        let most = Flag<Int?>(
            "most", .orNone(.whole(1...9)), default: 4, help: "How many at the most")
        let program = Program(
            name: "p", version: "1", abstract: "Does.", flags: Server.once, examples: ["p"]
        ).section("Limits", most)
        let expected = """
            Flags:
              --once  Exit when the last lot is done

            Limits:
              --most N    How many at the most (1 to 9, or none, default 4)
              -h, --help  Print this help and exit
              --version   Print the version and exit

            Examples:
            """
        #expect(program.help.contains(expected))
        #expect(try program.run("--most", "7")[most] == 7)
        #expect(try program.run()[most] == 4)
    }

    @Test("advanced flags and exit codes are left to --help-all")
    func advanced() throws {
        let most = Flag("most", .whole(1...9), default: 4, help: "How many at the most")
        let json = Flag("json", help: "Print JSON")
        let program = Program(
            name: "p", version: "1", abstract: "Does.", flags: Server.once,
            exits: [ExitStatus(0, "Done")], examples: ["p --once"]
        ).section("Flags", isAdvanced: true, json).section("Limits", isAdvanced: true, most)
        let main = """
            usage: p [flags]

            Does.

            Flags:
              --once      Exit when the last lot is done
              -h, --help  Print this help and exit
              --help-all  Print all flags and exit
              --version   Print the version and exit

            Examples:
              p --once
            """
        let all = """
            usage: p [flags]

            Flags:
              --once      Exit when the last lot is done
              --json      Print JSON
              -h, --help  Print this help and exit
              --help-all  Print all flags and exit
              --version   Print the version and exit

            Limits:
              --most N  How many at the most (1 to 9, default 4)

            Exit codes:
              0  Done
            """
        #expect(program.help == main)
        #expect(try program.printed(["--once", "--help-all"]) == all)
        #expect(try program.run("--most", "7")[most] == 7)
    }

    @Test("a program without advanced flags has no --help-all")
    func noAdvanced() {
        #expect(
            Server.program.complaint(about: "--help-all")?.contains("unknown flag '--help-all'")
                == true)
    }

    @Test(
        "a limit is a number or none",
        arguments: [("none", nil), ("9", 9)] as [(String, Int?)])
    func orNone(word: String, expected: Int?) throws {
        let most = Flag<Int?>("most", .orNone(.whole(1...9)), default: 4, help: "How many")
        let program = Program(
            name: "p", version: "1", abstract: "Does.", flags: most, examples: [])
        #expect(try program.run("--most", word)[most] == expected)
        let complaint = program.complaint(about: "--most 0")
        #expect(complaint?.contains("must be a whole number from 1 to 9, or none, not '0'") == true)
    }
}
