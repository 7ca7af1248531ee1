import Load
import MonotonicTime
import Posix
import Transport

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A room in which many observe a bidding war.
///
/// Its bidders are on the loop of the rooms that are measured, so that they bid in time; its
/// observers are on threads of their own.
final class BusyRoom {
    /// With more on one loop the kernel needs some milliseconds to say which of them are ready, and
    /// lets nothing else have the core meanwhile.
    private static let observersOfThread = 500

    private let bidders: [Bidder]
    private let observers: [ObserverThread]
    /// The bidder whose turn is next.
    private var next = 0
    private var schedule: Schedule
    private let start: Int64
    private var tally = Tally()

    /// What happened in the room.
    struct Figures {
        let tally: Tally
        /// The prices that all observers received together.
        let deliveries: Int
        let nanoseconds: Int64
    }

    /// Opens the room, waits until all observers are in it, and lets the war begin.
    ///
    /// `number` and `first` are tried first for the names of the room and of its bidders.
    init(
        on loop: EventLoop, to server: Server, from number: Int, bidders count: Int,
        named first: Int, observers observerCount: Int, rate: Int
    ) throws {
        let opener = try Bidder(on: loop, to: server, speaking: .auction, from: first)
        let room = try opener.openRoom(from: number, "seconds=3600 pause=0 step=1")
        var bidders = [opener]
        while bidders.count < count {
            let bidder = try Bidder(
                on: loop, to: server, speaking: .auction, from: first + bidders.count)
            try bidder.join(room: room)
            bidders.append(bidder)
        }
        self.bidders = bidders
        observers = try stride(from: 0, to: observerCount, by: Self.observersOfThread).map {
            try ObserverThread(
                of: server, in: Bidder.name(ofRoom: room),
                count: min(Self.observersOfThread, observerCount - $0))
        }
        start = monotonicNanoseconds()
        schedule = Schedule(rate: rate, from: start)
    }

    /// When its next bid is due.
    var nextBid: Int64 { schedule.next }

    /// Sends the bids that are due.
    func bidIfDue(at now: Int64) throws {
        while let due = schedule.popDue(at: now) {
            try bidders[next].bid(1, at: due)
            next = (next + 1) % bidders.count
        }
    }

    /// Reads once from a bidder, or sends what waits.
    func serve(_ readiness: Readiness) throws {
        guard let bidder = bidders.first(where: { $0.handle == readiness.handle }) else { return }
        if readiness.isReadable { try bidder.receive(&tally) }
        if readiness.isWritable { try bidder.flush() }
    }

    /// Ends the war, and returns what happened in it.
    func stop() throws -> Figures {
        let nanoseconds = monotonicNanoseconds() - start
        let deliveries = try observers.reduce(0) { try $0 + $1.stop() }
        guard tally.accepted > 0 else { throw Failure.refusedAll }
        return Figures(tally: tally, deliveries: deliveries, nanoseconds: nanoseconds)
    }
}

/// Observers of a room, on a loop and a thread of their own.
///
/// The thread runs only while a core is idle, where a thread can: what many connections read takes no
/// core from the server and from what is measured.
private final class ObserverThread: Sendable {
    /// How long the thread waits at most until it looks whether it must stop.
    private static let attentionNanoseconds: Int64 = 10_000_000

    private struct State {
        var isReady = false
        var mustStop = false
        /// The number of prices received, or why there is none.
        var result: Result<Int, any Error>?
    }

    private let state = Locked(State())

    /// Waits until a number of observers are in a room.
    init(of server: Server, in room: String, count: Int) throws {
        try Thread { [self] in
            lowerPriority()
            let result = Result { try observe(server, room, count) }
            state.withLock { $0.result = result }
            state.signal()
        }.detach()
        try state.withLock(when: { $0.isReady || $0.result != nil }) { state in
            if case .failure(let error) = state.result { throw error }
        }
    }

    /// Ends the thread, and returns the number of prices received.
    func stop() throws -> Int {
        state.withLock { $0.mustStop = true }
        return try state.withLock(when: { $0.result != nil }) { state in
            guard let result = state.result else { preconditionFailure("the condition holds") }
            return try result.get()
        }
    }

    private func observe(_ server: Server, _ room: String, _ count: Int) throws -> Int {
        let loop = try EventLoop()
        let crowd = Crowd(on: loop, around: server, speaking: .auction(inRoom: room))
        try crowd.gather(count)
        state.withLock { $0.isReady = true }
        state.signal()
        var deliveries = 0
        try loop.run { ready, _ in
            for readiness in ready {
                try crowd.receive(readiness) { _, bytes in
                    Dialect.auction.deliveries.scan(bytes) { kind, _ in
                        if kind == .delivery { deliveries += 1 }
                    }
                }
            }
            if state.withLock({ $0.mustStop }) { loop.stop() }
            return Instant(nanoseconds: monotonicNanoseconds() + Self.attentionNanoseconds)
        }
        return deliveries
    }
}

/// Lets the calling thread run only while a core is idle, on a system where a thread can.
///
/// A nice thread is not enough: it may finish its slice of some milliseconds before others run.
///
/// Source: sched_setscheduler(2), sched(7).
private func lowerPriority() {
    #if os(Linux)
        let idlePolicy: Int32 = 5  // SCHED_IDLE, which the module of the C library does not have
        var parameters = sched_param(sched_priority: 0)
        _ = sched_setscheduler(0, idlePolicy, &parameters)
    #endif
}
