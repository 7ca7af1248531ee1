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
    switch invocation.command {
    case Flags.bids: try measureBids(invocation)
    case Flags.fanout: try measureFanout(invocation)
    case Flags.connect: try measureConnect(invocation)
    case Flags.hammer: try measureHammer(invocation)
    case Flags.idle: try measureIdle(invocation)
    default: preconditionFailure("a command that no scenario belongs to")
    }
}

private func measureBids(_ invocation: Invocation) throws {
    let bids = try Bids(
        host: invocation[Flags.host], port: invocation[Flags.port],
        speaking: invocation[Flags.speak], bidders: invocation[Flags.bidders],
        manner: try Flags.manner(invocation), duration: invocation[Flags.seconds])
    try print(try bids.run(), invocation)
    guard bids.unanswered == 0 else { throw Failure.unanswered(bids.unanswered) }
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

private func measureConnect(_ invocation: Invocation) throws {
    let connects = try Connects(
        host: invocation[Flags.host], port: invocation[Flags.port],
        connections: invocation[Flags.connections],
        outstanding: invocation[Flags.outstanding] ?? 16, process: invocation[Flags.process])
    try print(try connects.run(), invocation)
}

private func measureHammer(_ invocation: Invocation) throws {
    let hammer = try Hammer(
        host: invocation[Flags.host], port: invocation[Flags.port],
        observers: invocation[Flags.observers], rate: invocation[Flags.rate] ?? 10_000,
        lots: invocation[Flags.lots], process: invocation[Flags.process])
    try print(try hammer.run(), invocation)
}

private func measureIdle(_ invocation: Invocation) throws {
    guard let process = invocation[Flags.process] else {
        throw Flags.program.misuse("--pid is missing: idle shows what that process costs")
    }
    let idle = try Idle(
        host: invocation[Flags.host], port: invocation[Flags.port],
        observers: invocation[Flags.observers], hasCountdown: invocation[Flags.countdown],
        process: process)
    try print(try idle.run(for: invocation[Flags.seconds]), invocation)
}

private func print(_ report: Report, _ invocation: Invocation) throws {
    try StandardStream.output.write(invocation[Flags.json] ? report.json : report.text)
}

exit(run())
