import Arguments
import AuctionRules
import BidderView
import Client
import Posix
import Wire

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

private func run() -> ExitCode {
    do {
        switch try Flags.program.parse(CommandLine.arguments.dropFirst()) {
        case .print(let text):
            try StandardStream.output.write(text)
            return .done
        case .run(let invocation):
            return try talk(invocation, for: Flags.purpose(invocation))
        }
    } catch let error as UsageError {
        StandardStream.error.say(error.message)
        return .usage
    } catch {
        complain("\(error)")
        return .lost
    }
}

private func talk(_ invocation: Invocation, for purpose: Purpose) throws -> ExitCode {
    let (host, port) = (invocation[Flags.host], invocation[Flags.port])
    let tokens = TokenStore(host: host, port: port, environment: environmentVariable)
    let errand = Errand(
        purpose, format: invocation[Flags.json] ? .json : .text,
        token: invocation[Flags.name].flatMap { keptToken(of: $0, in: tokens) })
    var input: Int32?
    if case .play = purpose { input = try StandardInput.claim() }
    let screen = Screen(colouring: invocation[Flags.color])
    let conversation: Conversation
    do {
        conversation = try Conversation(errand, host: host, port: port, input: input) { action in
            try screen.perform(action)
            if case .keep(let token, let bidder) = action { keep(token, of: bidder, in: tokens) }
        }
    } catch {
        complain("cannot reach a server at \(host) port \(port): \(error)")
        return .lost
    }
    return try conversation.run()
}

private func keptToken(of bidder: Bidder, in tokens: TokenStore?) -> String? {
    do {
        return try tokens?.token(of: bidder)
    } catch {
        complain("cannot read the token kept for \(bidder): \(error)")
        return nil
    }
}

/// Keeps a token, or shows it to the user: without it the name would be lost.
private func keep(_ token: String, of bidder: Bidder, in tokens: TokenStore?) {
    do {
        guard let tokens else {
            return complain("no HOME to keep the token of \(bidder) in; it is \(token)")
        }
        try tokens.keep(token, of: bidder)
    } catch {
        complain("cannot keep the token of \(bidder): \(error); it is \(token)")
    }
}

private func complain(_ text: String) {
    StandardStream.error.say("auction-client: \(text)")
}

exit(run().rawValue)
