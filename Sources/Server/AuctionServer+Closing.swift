import AuctionRules
import Posix

/// The end of a server, under way.
struct Closing {
    /// How long everybody has to take what was said to them.
    static let patience = Duration.seconds(1)
    /// How long they have, once all is sent, to close their sides first.
    static let courtesy = Duration.milliseconds(200)

    /// When the server ends in any case.
    var deadline: Instant
    /// Whether the journal is signed below all that was kept.
    var isSignedOff = false
    /// Whether the other shards have been asked to say when everything is sent.
    var isDrainAsked = false
    /// Whether everything is sent.
    var isFlushed = false
    /// Whether it ends because nothing more can be kept.
    var isAbandoned = false

    init(at now: Instant) {
        deadline = now.advanced(by: Self.patience)
    }
}

extension AuctionServer {
    /// Ends the server in good order: lets nobody in, says goodbye to everybody, sends what is
    /// left, and lets `run` return.
    public func shutDown() {
        guard closing == nil else { return }
        closing = Closing(at: .now)
        acceptor.close()
        closeHandshakes(.shutdown)
        room.shutDown(at: .now)
        loop.wake()
    }

    /// Ends the server because nothing more can be kept: whoever waits for an answer is told so,
    /// and so is everybody.
    func abandon() {
        speakDurable()
        let lost = commits.takeLost() + room.takeEffects()
        for effect in lost.compactMap(\.ifLost) { perform(effect) }
        guard closing?.isAbandoned != true else { return }
        closing = Closing(at: .now)
        closing?.isAbandoned = true
        acceptor.close()
        closeHandshakes(.journal)
        room.abandon()
        for effect in room.takeEffects() { perform(effect) }
    }

    /// Ends the loop when nothing is left to be waited for; else returns when to look again, in
    /// nanoseconds.
    func closingDeadline(at now: Instant) -> Int64? {
        guard var closing else { return nil }
        if !closing.isSignedOff, !closing.isAbandoned, commits.isIdle {
            closing.isSignedOff = true
            commits.signOff(at: wallClockMilliseconds())
        }
        let isWaiting = !commits.isIdle && !closing.isAbandoned
        if isWaiting {
            closing.deadline = now.advanced(by: Closing.patience)
        } else if !closing.isFlushed, isDrained(&closing) {
            closing.isFlushed = true
            closing.deadline = min(closing.deadline, now.advanced(by: Closing.courtesy))
        }
        self.closing = closing
        if connectionCount == 0 && !isWaiting || now >= closing.deadline { loop.stop() }
        return closing.deadline.nanoseconds
    }

    /// How many connections are open on all loops.
    var connectionCount: Int { others.reduce(shard.connections.count) { $0 + $1.count } }

    /// Whether everything is sent, of what was said to everybody on all loops.
    private func isDrained(_ closing: inout Closing) -> Bool {
        if !closing.isDrainAsked {
            closing.isDrainAsked = true
            for other in others {
                other.drain()
                other.handOver()
            }
        }
        return shard.connections.pendingBytes == 0 && others.allSatisfy(\.isDrained)
    }
}
