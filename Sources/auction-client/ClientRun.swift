import Arguments
import Auction
import Bidder
import Posix
import Terminal
import Transport
import Wire

/// One run of the program: a command, a server and a name.
struct ClientRun {
    private let invocation: Invocation
    private let command: ClientCommand
    private let bidder: Bidder?
    private let server: ServerAddress
    private let tokens: TokenStore
    private let isColoured: Bool

    /// Reads the command line.
    ///
    /// - Throws: `UsageError` if flags or operands do not fit together.
    init(_ invocation: Invocation) throws {
        self.invocation = invocation
        let name = Flags.name(of: invocation, login: loginName(environment: environmentVariable))
        command = try Flags.clientCommand(invocation, as: name.bidder)
        bidder = name.bidder
        server = try Flags.server(invocation)
        tokens = TokenStore(
            at: server, file: invocation[Flags.tokenFile], environment: environmentVariable)
        isColoured = Self.isColoured(invocation[Flags.color])
        if name.isLogin, let bidder, StandardStream.error.isTerminal {
            complain("you are \(bidder), by your login; --name NAME takes another name")
        }
    }

    /// Runs the command on the full screen or with lines, and returns the exit code.
    func run() throws -> ExitCode {
        let ending = usesScreen ? try runOnScreen() : try runWithLines()
        if let signal = ending.signal { die(of: signal) }
        return ending.code
    }

    /// Whether both streams are a terminal that can show a view, and no plain lines were asked for.
    private var usesScreen: Bool {
        switch command {
        case .play, .watch: break
        case .bid, .ask, .send, .open: return false
        }
        let term = environmentVariable("TERM") ?? ""
        return !invocation[Flags.plain] && !invocation[Flags.json]
            && StandardStream.output.isTerminal && StandardInput.isTerminal
            && !term.isEmpty && term != "dumb"
    }

    private func runOnScreen() throws -> (code: ExitCode, signal: Int32?) {
        // Complaints are printed after the run, because they would be lost with the screen.
        var complaints: [String] = []
        let client = try TerminalClient(
            at: server,
            depth: isColoured ? ColorDepth(environment: environmentVariable) : .none,
            showsTitle: hasWindowTitle(environment: environmentVariable)
        ) { size in
            LiveView(
                of: bidder, in: invocation[Flags.room], token: storedToken,
                at: server, size: size,
                isASCII: invocation[Flags.ascii]
                    || showsOnlyASCII(environment: environmentVariable),
                ringsBell: invocation[Flags.bell])
        } perform: { effect in
            try perform(effect) { complaints.append($0) }
        }
        let ending = try client.run()
        for complaint in complaints { complain(complaint) }
        return ending
    }

    private func runWithLines() throws -> (code: ExitCode, signal: Int32?) {
        let session = OneShotSession(
            command, in: invocation[Flags.room], format: invocation[Flags.json] ? .json : .text,
            inSentences: StandardStream.output.isTerminal && !invocation[Flags.plain]
                && !invocation[Flags.json],
            token: storedToken)
        var input: Int32?
        if case .play = command { input = StandardInput.descriptor }
        let client = try PlainClient(
            session, at: server, input: input, catchesInterrupts: session.hasBid
        ) { effect in
            try perform(effect, complain: complain)
        }
        return try client.run()
    }

    /// Whether to colour standard output.
    ///
    /// Source: no-color.org.
    static func isColoured(_ colouring: Colouring) -> Bool {
        switch colouring {
        case .always: true
        case .never: false
        case .auto:
            StandardStream.output.isTerminal && (environmentVariable("NO_COLOR") ?? "").isEmpty
                && environmentVariable("TERM") != "dumb"
        }
    }

    /// Prints a line or a complaint, or stores a token.
    ///
    /// - Throws: `OutputError` if a line cannot be written.
    private func perform(
        _ effect: ClientEffect, complain: (String) -> Void
    ) throws(OutputError) {
        switch effect {
        case .show(let line): try printLine(LinePaint(isColoured: isColoured).text(of: line))
        case .say(let sentence): try printLine(LinePaint(isColoured: isColoured).text(of: sentence))
        case .complain(let text): complain(text)
        case .keep(let token, let bidder, let serverID):
            if let complaint = tokens.keep(token, of: bidder, on: serverID) { complain(complaint) }
        case .connect, .disconnect, .send, .note, .redraw, .suspend, .bell, .exit: break
        }
    }

    /// Returns the stored token of the name on a server, if there is one.
    private var storedToken: @Sendable (Identity?) -> String? {
        { [tokens, bidder] serverID in
            guard let bidder else { return nil }
            do throws(SystemError) {
                return try tokens.token(of: bidder, on: serverID)
            } catch {
                complain("cannot read the token kept for \(bidder): \(error)")
                return nil
            }
        }
    }
}
