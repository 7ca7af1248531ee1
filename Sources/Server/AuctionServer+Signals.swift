import Posix
import Saleroom
import Transport

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

extension AuctionServer {
    /// Does what the signals say that have arrived.
    func heedSignals() {
        while let signal = signals?.next() {
            if signal == SIGHUP { hangUp() } else { end() }
        }
    }

    /// Ends the server in good order; a second signal ends it at once.
    private func end() {
        guard closing != nil else { return shutDown() }
        isForced.withLock { $0 = true }
        loop.stop()
    }

    /// Ends the server with its terminal, in good order; where it has none, reads again what an
    /// operator may have changed in a file, and says in the log how things stand.
    private func hangUp() {
        guard !endsWithTerminal else { return shutDown() }
        do throws(TokenFileError) {
            try renewAuctioneerToken()
        } catch {
            log.write(.error, "token-file") { $0.add("reason", error.description) }
        }
        logState()
    }

    private func logState() {
        let standing = room.standing
        log.answer("state") { line in
            line.add("lot", standing.lot)
            line.add("stage", standing.stage.rawValue)
            if standing.isPaused { line.add("paused", "true") }
            if let bid = standing.leading {
                line.add("price", bid.price)
                line.add("leader", bid.bidder)
            }
            line.add("connections", connectionCount)
            line.add("named", standing.named)
            if let bytes = try? ProcessFigures(of: getpid()).residentBytes {
                line.add("memory", bytes)
            }
            if let figures = journal?.figures {
                line.add("events", figures.events)
                line.add("batches", figures.batches)
            }
        }
    }
}

/// The signals that the server heeds, on its loop.
final class Signals {
    /// The name of the pipe on the loop.
    let handle: Handle
    private let pipe: SignalPipe

    /// - Throws: `SystemError` when the kernel will not watch the pipe.
    init(_ loop: EventLoop, _ pipe: consuming SignalPipe) throws(SystemError) {
        handle = try loop.register(pipe.descriptor, for: .readable)
        self.pipe = pipe
    }

    /// Takes the oldest that has arrived; nil when none is waiting.
    func next() -> Int32? { pipe.next() }
}
