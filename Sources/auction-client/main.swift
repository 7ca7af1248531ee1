import Arguments
import BidderView
import Posix
import SafeText

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

private func run() -> ExitCode {
    do {
        try claimStandardStreams()
        switch try Flags.program.parse(
            commandLine: CommandLine.arguments, environment: environmentVariable)
        {
        case .print(let text):
            try Screen.write(text)
            return .done
        case .run(let invocation):
            return try Call(invocation).carryOut()
        }
    } catch let error as UsageError {
        StandardStream.error.say(error.message)
        return .usage
    } catch {
        // A lost server is no error here; errors come from this machine's output, terminal or loop.
        complain("\(error)")
        return .output
    }
}

/// Tells the user that something went wrong, perhaps in words of the server's.
func complain(_ text: String) {
    StandardStream.error.say("auction-client: \(text.harmless)")
}

exit(run().rawValue)
