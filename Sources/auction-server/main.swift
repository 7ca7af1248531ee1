import Arguments
import Posix
import Server
import Transport
import Wire

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Exit codes: 0 as asked, 2 for what the operator can mend, 1 for a machine that fails.
private func run() -> Int32 {
    do {
        switch try Flags.program.parse(CommandLine.arguments.dropFirst()) {
        case .print(let text):
            try StandardStream.output.write(text)
            return 0
        case .run(let invocation):
            return try serve(Flags.settings(invocation))
        }
    } catch let error as UsageError {
        StandardStream.error.say(error.message)
        return 2
    } catch {
        StandardStream.error.say("auction-server: \(error)")
        return 1
    }
}

private func serve(_ chosen: Settings) throws -> Int32 {
    ignoreBrokenPipes()
    var settings = chosen
    settings.log = { StandardStream.error.say("auction-server: \($0)") }
    do {
        try raiseOpenFileLimit()
    } catch {
        settings.log("the limit of open files stays as it is: \(error)")
    }
    let server: AuctionServer
    do {
        server = try AuctionServer(settings, signals: SignalPipe(signals: [SIGINT, SIGTERM]))
    } catch let error as EndpointError {
        throw Flags.program.misuse(
            "cannot listen on \(settings.host) port \(settings.port): \(error); "
                + "choose another --host or --port")
    }
    StandardStream.error.say(Welcome(address: server.address).text)
    let sale = try server.run()
    if settings.endsWithFirstLot, let sale {
        try StandardStream.output.write(Notice.winner(sale).text)
    }
    return 0
}

exit(run())
