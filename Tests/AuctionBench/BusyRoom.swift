import Basics
import Load
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
    /// The observers that one thread reads for.
    ///
    /// With more the kernel needs some milliseconds to find those that are ready, and no other
    /// thread gets the core meanwhile.
    private static let observersOfThread = 500

    /// The room without its observers.
    let room: BenchRoom
    private let observers: [ObserverThread]
    private let start: Int64

    /// What happened in the war.
    struct Figures {
        let tally: Tally
        /// The prices that all observers received together.
        let deliveries: Int
        let nanoseconds: Int64
    }

    /// Lets a number of observers enter a room, and begins the war when all are in it.
    init(_ room: BenchRoom, of server: Server, observers count: Int) throws {
        self.room = room
        observers = try stride(from: 0, to: count, by: Self.observersOfThread).map {
            try ObserverThread(
                of: server, in: Bidder.name(ofRoom: room.number),
                count: min(Self.observersOfThread, count - $0))
        }
        start = monotonicNanoseconds()
        room.beginWar(at: start)
    }

    /// Ends the war, begins a lot, and returns what happened in the war.
    func endWar() throws -> Figures {
        let now = monotonicNanoseconds()
        let war = Figures(
            tally: room.tally, deliveries: observers.reduce(0) { $0 + $1.deliveries },
            nanoseconds: now - start)
        guard war.tally.accepted > 0 else { throw Failure.refusedAll }
        try room.begin(at: now)
        return war
    }

    /// Ends the threads of the observers.
    func stop() throws {
        for thread in observers { try thread.stop() }
    }
}

/// Observers of a room, on a loop and a thread of their own.
///
/// If the system allows it, the thread runs only while a core is idle, so that it takes no core
/// from the server and from what is measured.
private final class ObserverThread: Sendable {
    /// How long the thread waits at most until it looks whether it must stop.
    private static let attentionNanoseconds: Int64 = 10_000_000

    private struct State {
        var isReady = false
        var mustStop = false
        /// The number of prices received.
        var deliveries = 0
        /// How the thread ended; nil while it runs.
        var result: Result<Void, any Error>?
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

    /// The number of prices received so far.
    var deliveries: Int { state.withLock { $0.deliveries } }

    /// Ends the thread.
    func stop() throws {
        state.withLock { $0.mustStop = true }
        try state.withLock(when: { $0.result != nil }) { try $0.result?.get() }
    }

    private func observe(_ server: Server, _ room: String, _ count: Int) throws {
        let loop = try EventLoop()
        let crowd = Crowd(on: loop, around: [server], speaking: .auction(inRoom: room))
        try crowd.gather(count)
        state.withLock { $0.isReady = true }
        state.signal()
        try loop.run { ready, _ in
            var received = 0
            for readiness in ready {
                try crowd.receive(readiness) { _, bytes in
                    Dialect.auction.deliveries.scan(bytes) { kind, _ in
                        if kind == .delivery { received += 1 }
                    }
                }
            }
            let mustStop = state.withLock { state in
                state.deliveries += received
                return state.mustStop
            }
            if mustStop { loop.stop() }
            return Instant(nanoseconds: monotonicNanoseconds() + Self.attentionNanoseconds)
        }
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
