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
        switch try Flags.program.parse(CommandLine.arguments.dropFirst()) {
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
    switch invocation.command {
    case Flags.bids: try measureBids(invocation)
    case Flags.fanout: try measureFanout(invocation)
    default: preconditionFailure("a command that no scenario belongs to")
    }
}

private func measureBids(_ invocation: Invocation) throws {
    let bids = try Bids(
        host: invocation[Flags.host], port: invocation[Flags.port],
        speaking: invocation[Flags.speak], bidders: invocation[Flags.bidders],
        outstanding: invocation[Flags.outstanding] ?? 64, duration: invocation[Flags.seconds])
    try print(try bids.run(), invocation)
}

private func measureFanout(_ invocation: Invocation) throws {
    let fanout = try Fanout(
        host: invocation[Flags.host], port: invocation[Flags.port],
        speaking: invocation[Flags.speak], observers: invocation[Flags.observers],
        bids: invocation[Flags.count], manner: try Flags.manner(invocation),
        process: invocation[Flags.process])
    let result = try fanout.run()
    try print(Report(result), invocation)
    guard result.lost == 0 else { throw Failure.incomplete(result.lost) }
}

private func print(_ report: Report, _ invocation: Invocation) throws {
    try StandardStream.output.write(invocation[Flags.json] ? report.json : report.text)
}

exit(run())
