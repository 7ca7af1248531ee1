import Arguments
import AuctionRules
import BidderView
import Client
import Posix
import Transport
import Wire

/// One call of the program: what for, where the server is, and who calls.
struct Call {
    private let invocation: Invocation
    private let purpose: Purpose
    private let bidder: Bidder?
    private let server: ServerAddress
    private let tokens: Tokens

    /// Reads what the command line asks for.
    ///
    /// - Throws: `UsageError` for what it does not show by itself.
    init(_ invocation: Invocation) throws {
        self.invocation = invocation
        let name = Flags.name(of: invocation, login: environmentVariable("USER"))
        purpose = try Flags.purpose(invocation, as: name.bidder)
        bidder = name.bidder
        server = try Flags.server(invocation)
        tokens = Tokens(server: server, file: invocation[Flags.tokenFile])
        if name.isLogin, let bidder, StandardStream.error.isTerminal {
            complain("you are \(bidder), by your login; --name NAME takes another name")
        }
    }

    /// Does it, on the full screen or in lines.
    func carryOut() throws -> ExitCode {
        isForScreen ? try sit() : try talk()
    }

    /// Whether somebody looks who can be shown a view, and has not asked for lines.
    private var isForScreen: Bool {
        switch purpose {
        case .play, .watch: break
        case .bid, .ask, .send: return false
        }
        let term = environmentVariable("TERM") ?? ""
        return !invocation[Flags.plain] && !invocation[Flags.json]
            && StandardStream.output.isTerminal && StandardInput.isTerminal
            && !term.isEmpty && term != "dumb"
    }

    private func sit() throws -> ExitCode {
        let screen = Screen(colouring: invocation[Flags.color])
        var complaints: [String] = []
        let ending = try takeSeat { complaints.append($0) }
        if let complaint = ending.complaint { complaints.append(complaint) }
        for complaint in complaints { try screen.perform(.complain(Line(complaint))) }
        if let signal = ending.signal { die(of: signal) }
        return ending.code
    }

    /// Shows the view; complaints are kept, for there is no place for them while it is shown.
    private func takeSeat(complain: @escaping (String) -> Void) throws -> Seat.Ending {
        let seat = try Seat(
            at: server,
            isColoured: Screen.isColoured(invocation[Flags.color], on: .output)
        ) { size in
            LiveView(
                of: bidder, token: { game in bidder.flatMap { tokens.kept(of: $0, in: game) } },
                server: server.description, size: size,
                isASCII: showsOnlyASCII(environment: environmentVariable))
        } keep: { token, bidder, game in
            tokens.keep(token, of: bidder, in: game, complain: complain)
        }
        return try seat.run()
    }

    private func talk() throws -> ExitCode {
        let errand = Errand(purpose, format: invocation[Flags.json] ? .json : .text) {
            [tokens, bidder] game in
            bidder.flatMap { tokens.kept(of: $0, in: game) }
        }
        var input: Int32?
        if case .play = purpose { input = StandardInput.descriptor }
        let screen = Screen(colouring: invocation[Flags.color])
        let conversation: Conversation
        do {
            conversation = try Conversation(errand, at: server, input: input) {
                try screen.perform($0)
                guard case .keep(let token, let bidder, let game) = $0 else { return }
                tokens.keep(token, of: bidder, in: game, complain: complain)
            }
        } catch {
            complain("cannot reach a server at \(server): \(error)")
            return .lost
        }
        return try conversation.run()
    }
}
