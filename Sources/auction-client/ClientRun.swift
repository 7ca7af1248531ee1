import Arguments
import AuctionRules
import BidderView
import Client
import Posix
import Sale
import Transport
import Wire

/// One run of the program: a command, a server and a name.
struct ClientRun {
    private let invocation: Invocation
    private let command: ClientCommand
    private let bidder: Bidder?
    private let server: ServerAddress
    private let tokens: Tokens

    /// Reads the command line.
    ///
    /// - Throws: `UsageError` if flags or operands do not fit together.
    init(_ invocation: Invocation) throws {
        self.invocation = invocation
        let name = Flags.name(of: invocation, login: environmentVariable("USER"))
        command = try Flags.clientCommand(invocation, as: name.bidder)
        bidder = name.bidder
        server = try Flags.server(invocation)
        tokens = Tokens(server: server, file: invocation[Flags.tokenFile])
        if name.isLogin, let bidder, StandardStream.error.isTerminal {
            complain("you are \(bidder), by your login; --name NAME takes another name")
        }
    }

    /// Runs the command on the full screen or with lines, and returns the exit code.
    func run() throws -> ExitCode {
        usesScreen ? try runOnScreen() : try runWithLines()
    }

    /// Whether both streams are a terminal that can show a view, and the user did not ask for lines.
    private var usesScreen: Bool {
        switch command {
        case .play, .watch: break
        case .bid, .ask, .send: return false
        }
        let term = environmentVariable("TERM") ?? ""
        return !invocation[Flags.plain] && !invocation[Flags.json]
            && StandardStream.output.isTerminal && StandardInput.isTerminal
            && !term.isEmpty && term != "dumb"
    }

    private func runOnScreen() throws -> ExitCode {
        let printer = LinePrinter(colouring: invocation[Flags.color])
        // Complaints are printed after the run, because they would be lost with the screen.
        var complaints: [String] = []
        let client = try TerminalClient(
            at: server,
            isColoured: LinePrinter.isColoured(invocation[Flags.color], on: .output)
        ) { size in
            LiveView(
                of: bidder, token: { game in bidder.flatMap { tokens.stored(for: $0, in: game) } },
                server: server.description, size: size,
                isASCII: showsOnlyASCII(environment: environmentVariable))
        } perform: { effect in
            if case .complain(let complaint) = effect { complaints.append(complaint) }
            tokens.perform(effect) { complaints.append($0) }
        }
        let ending = try client.run()
        for complaint in complaints { try printer.perform(.complain(complaint)) }
        if let signal = ending.signal { die(of: signal) }
        return ending.code
    }

    private func runWithLines() throws -> ExitCode {
        let session = OneShotSession(command, format: invocation[Flags.json] ? .json : .text) {
            [tokens, bidder] game in
            bidder.flatMap { tokens.stored(for: $0, in: game) }
        }
        var input: Int32?
        if case .play = command { input = StandardInput.descriptor }
        let printer = LinePrinter(colouring: invocation[Flags.color])
        let client = try PlainClient(session, at: server, input: input) { effect in
            try printer.perform(effect)
            tokens.perform(effect, complain: complain)
        }
        return try client.run()
    }
}

/// The tokens of the user's names, in a store by game or in one given file.
private struct Tokens: Sendable {
    let server: ServerAddress
    /// The file of `--token-file`, used instead of the store.
    let file: String?

    /// The stored token of a name in a game, if there is one.
    func stored(for bidder: Bidder, in game: GameID?) -> String? {
        do {
            if let file { return try TokenFile(file).token() }
            return try store(of: game)?.token(of: bidder)
        } catch {
            complain("cannot read the token kept for \(bidder): \(error)")
            return nil
        }
    }

    /// Stores the token of a `keep` effect, or prints it if that fails, because it is needed again.
    ///
    /// Does not change a given file with a different token, which may belong to another game.
    func perform(_ effect: ClientEffect, complain: (String) -> Void) {
        guard case .keep(let token, let bidder, let game) = effect else { return }
        do {
            if let file {
                guard try !TokenFile(file).keep(token) else { return }
                return complain(
                    "\(file) has a different token and was not changed; the token of \(bidder) in "
                        + "this game is \(token)")
            }
            guard let store = store(of: game) else {
                return complain("no HOME to keep the token of \(bidder) in; it is \(token)")
            }
            try store.keep(token, of: bidder)
        } catch {
            complain("cannot keep the token of \(bidder): \(error); it is \(token)")
        }
    }

    private func store(of game: GameID?) -> TokenStore? {
        TokenStore(of: game, at: server, environment: environmentVariable)
    }
}
