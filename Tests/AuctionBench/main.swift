import Arguments
import Load
import Posix

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

private func run() -> Int32 {
    do {
        switch try Flags.program.parse(commandLine: CommandLine.arguments) {
        case .print(let text): try StandardStream.output.write(text)
        case .run(let invocation): try measure(invocation)
        }
        return 0
    } catch let error as UsageError {
        StandardStream.error.say(error.message)
        return 2
    } catch {
        StandardStream.error.say("auction-bench: \(error)")
        return (error as? Failure)?.exitCode ?? 3
    }
}

private func measure(_ invocation: Invocation) throws {
    ignoreBrokenPipes()
    try raiseOpenFileLimit()
    let outcome = try outcome(invocation)
    try StandardStream.output.write(outcome.report.json)
    if let failure = outcome.failure { throw failure }
}

private func outcome(_ invocation: Invocation) throws -> Outcome {
    switch invocation.command {
    case Flags.bids: try Bids(invocation).run()
    case Flags.fanout: try Fanout(invocation).run()
    case Flags.rooms: try Rooms(invocation).run()
    case Flags.idle: try Idle(invocation).run()
    default: preconditionFailure("a command without a scenario")
    }
}

exit(run())
