import Arguments
import Basics
import Bidder
import Posix
import Terminal

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
            try printLine(text)
            return .done
        case .run(let invocation) where invocation.command == Flags.bots:
            return try BotsRun(invocation).run()
        case .run(let invocation):
            return try ClientRun(invocation).run()
        }
    } catch let error as UsageError {
        StandardStream.error.say(error.message)
        return .usage
    } catch {
        // A lost server is not thrown; the error is of the output, the terminal or the loop.
        complain("\(error)")
        return .output
    }
}

/// Writes a line of text to standard output.
///
/// - Throws: `OutputError` if standard output has no reader, or its disk is full.
func printLine(_ text: String) throws(OutputError) {
    do {
        try StandardStream.output.write(text)
    } catch {
        throw OutputError(reason: error)
    }
}

/// A failed write to standard output.
struct OutputError: Error, CustomStringConvertible {
    let reason: SystemError

    var description: String { "cannot write to standard output: \(reason)" }
}

/// Prints a complaint, which may contain text of the server.
func complain(_ text: String) {
    StandardStream.error.say("auction-client: \(text.harmless)")
}

exit(run().rawValue)
