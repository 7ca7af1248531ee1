import Bidder
import BidderSupport
import Posix
import Strategies
import Synchronization
import TestSupport
import Testing
import Transport

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

@Suite struct BotClientTests {
    @Test("a second signal ends a run in which a bot loses its connection in the same turn")
    func secondSignal() async {
        await #expect(processExitsWith: .exitCode(ExitCode.lost.rawValue)) {
            // Ends a run that does not end by itself.
            alarm(20)
            let server = try Listener(host: "127.0.0.1", port: 0)
            let address = ServerAddress.network(host: "127.0.0.1", port: try port(of: server))
            let playing = Atomic<Int32>(-1)
            async let code = onThread {
                let bots = [Bot](
                    2, of: [.truthful],
                    like: Bot.Settings(
                        .truthful, names: [bidder("Ada")], prior: 1...100, seed: 1))
                // The complaint of a kicked bot comes while the other one plays.
                let client = try BotClient(bots, at: address) { _ in
                    raiseUnblocked(SIGINT)
                    raiseUnblocked(SIGTERM)
                    close(playing.load(ordering: .acquiring))
                }
                return try client.run()
            }
            let sockets = try [accept(on: server), accept(on: server)]
            // A client that has sent something knows that it is connected.
            for socket in sockets { try #require(received(on: socket) == 1) }
            playing.store(sockets[1], ordering: .releasing)
            try writeAll(Array("BYE kicked\n".utf8), to: sockets[0])
            exit(try await code.rawValue)
        }
    }
}
