import Posix
import Queues

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A connection that closed without the owner's `close`.
public struct Ending: Equatable, Sendable {
    /// Why a connection closed.
    public enum Cause: Equatable, Sendable {
        /// It was to finish, everything was sent, and the peer has ended too.
        case finished
        /// It was to finish, and its time was up.
        case expired
        /// It had something to take, and took nothing for too long.
        case stalled
        /// The peer went before everything was sent.
        case broken(SystemError)
    }

    /// The connection's handle, which is stale by now.
    public let handle: Handle
    /// Why it closed.
    public let cause: Cause

    /// Creates the report of an end.
    public init(handle: Handle, cause: Cause) {
        self.handle = handle
        self.cause = cause
    }
}

extension Connections {
    /// How long a finishing connection that has everything may wait with its own end: two seconds.
    public static let lingerNanoseconds: Int64 = 2_000_000_000
    /// How long it may take to have everything: half a minute.
    public static let finishNanoseconds: Int64 = 30_000_000_000

    /// Closes a connection once its peer has everything that was meant for it.
    ///
    /// Nothing more is heard from it. What is queued is sent, then the peer is told that there is
    /// no more, and what it still sends is thrown away until it ends too: a plain close could take
    /// the last line from it. It follows no feed any more; what it misses by that `unfollow` tells
    /// beforehand. `now` is in monotonic nanoseconds; a time before that of an earlier call counts
    /// as that. After `finishNanoseconds` the connection closes whatever remains, and if its peer
    /// has had everything for `lingerNanoseconds`; that is looked at as often. It appears in
    /// `takeEnded`, unless the owner closes it first.
    ///
    /// Source: shutdown(2), RFC 1122 section 4.2.2.13.
    public func finish(_ handle: Handle, at now: Int64) {
        guard let index = index(of: handle), !states[index].flags.contains(.finishing) else {
            return
        }
        states[index].flags.insert(.finishing)
        unsilence(handle)
        _ = unfollow(handle)
        self.now = max(now, self.now)
        linger(index)
        markDirty(index)
    }

    /// When `expire` is next due; nil while nothing is finishing, and everything is taken.
    public var deadline: Int64? {
        guard let finish = nextLingering?.due else { return watched.deadline }
        return watched.deadline.map { min($0, finish) } ?? finish
    }

    /// Closes what should have finished by now, and what has stalled; what is sent after this is
    /// sent at this time.
    public func expire(at now: Int64) {
        self.now = max(now, self.now)
        expireWatched()
        expireLingering()
        closeLeaving()
    }

    /// Tells the peer that there is no more, if that is so and it was to finish.
    func shutDownIfFinishing(_ index: Int) {
        guard states[index].flags.contains(.finishing),
            states[index].flags.isDisjoint(with: [.isShut, .leaving])
        else { return }
        if shutdown(states[index].descriptor, shutdownOfWriting) == -1 {
            leave(index, .broken(SystemError(code: errno, call: "shutdown")))
        } else if states[index].flags.contains(.hasEnded) {
            leave(index, .finished)
        } else {
            states[index].flags.insert(.isShut)
        }
    }

    /// A connection that is to finish, and when it closes in any case.
    struct Lingering {
        let watch: Watch
        let end: Int64
    }

    /// Begins to look whether a finishing connection has everything.
    func linger(_ index: Int) {
        states[index].progress = now
        let lingering = Lingering(watch: watch(of: index), end: now + Self.finishNanoseconds)
        self.lingering.insert(lingering, due: now + Self.lingerNanoseconds)
    }

    /// Closes who should have finished: has everything and does not end, or takes too long.
    func expireLingering() {
        while let first = nextLingering, first.due <= now {
            lingering.popFirst()
            guard let index = index(of: first.item.watch.handle) else { continue }
            let next = look(index, since: first.item.watch)
            // What is late was kept by us.
            let end = first.item.end + (now - first.due)
            let hasAll = states[index].outbox == nil && next.keptBytes == 0
            if now >= end || hasAll && now - states[index].progress >= Self.lingerNanoseconds {
                leave(index, .expired)
            } else {
                let lingering = Lingering(watch: next, end: end)
                self.lingering.insert(lingering, due: now + Self.lingerNanoseconds)
            }
        }
    }

    /// Closes one of the connections that are finishing, the next to be looked at; false if none is.
    ///
    /// For the owner to make room: a connection after `BYE` must not keep others out.
    public func closeOneFinishing() -> Bool {
        guard let index = nextLingering.flatMap({ index(of: $0.item.watch.handle) }) else {
            return false
        }
        leave(index, .expired)
        closeLeaving()
        return true
    }

    /// The finishing connections and when each is next checked; closed ones are removed.
    var nextLingering: (item: Lingering, due: Int64)? {
        while let first = lingering.first {
            if isOpen(first.item.watch.handle) { return first }
            lingering.popFirst()
        }
        return nil
    }
}
