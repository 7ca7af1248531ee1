import AuctionRules
import Saleroom
import Wire

extension AuctionServer {
    /// Hears what has come to the other shards, as far as there is room for it.
    func hearOthers(at now: Instant) throws {
        areOthersUnheard = false
        for other in others {
            // While some is left from the last time, nothing that has come since is taken.
            if other.hasUnheard { areOthersUnheard = true }
            try other.takeEvents()
            while !isFull, let (event, bytes) = other.nextEvent() {
                try hear(event, of: other.number, bytes, at: now)
            }
            if isFull { areOthersUnheard = true }
        }
    }

    private func hear(
        _ event: ShardEvents.Event, of shard: Int, _ bytes: ArraySlice<UInt8>, at now: Instant
    ) throws {
        switch event {
        case .joined(let handle, let address):
            welcome(SessionID(handle, shard: shard), from: address, at: now)
        case .refused(let error):
            log.write(limited: .warning, .turnedAway) { $0.add("reason", error.description) }
            try acceptor.resume()
        case .heard(let handle, _):
            hearOther(bytes, from: SessionID(handle, shard: shard), at: now)
        case .ended(let handle): endOther(SessionID(handle, shard: shard), at: now)
        case .lost(let handle): try lose(SessionID(handle, shard: shard), at: now)
        case .fallen(let handle): room.resync(SessionID(handle, shard: shard), at: now)
        case .sent(let handle, let number):
            inputBuffer.sent(SessionID(handle, shard: shard), number: number)
        case .stalled(let handle):
            room.leave(SessionID(handle, shard: shard), because: .stalled, at: now)
        case .paused, .unpaused, .finishing, .drained: break
        }
    }

    /// Hears bytes behind those that were kept, if there are any.
    private func hearOther(_ bytes: ArraySlice<UInt8>, from id: SessionID, at now: Instant) {
        if !inputBuffer.append(bytes, of: id) { hear(bytes, from: id, at: now) }
    }

    private func endOther(_ id: SessionID, at now: Instant) {
        if !inputBuffer.end(id) { end(id, at: now) }
    }

    /// Advances time to the instant up to which our own loop has been read.
    func passTime(to heardUntil: Instant, at now: Instant) {
        expireRoom(heardUntil: heardUntil, at: now)
        expireHandshakes(at: heardUntil)
    }

    /// Lets time pass in the room as far as everybody has been heard, on all loops: whoever bid
    /// before the hammer is in time.
    private func expireRoom(heardUntil own: Instant, at now: Instant) {
        isTimeHeld = false
        let othersHeardUntil = others.lazy.map(\.heardUntil).min().map(Instant.init(nanoseconds:))
        switch TimeStep(
            due: room.deadline, heardUntil: own, othersHeardUntil: othersHeardUntil)
        {
        case .none: break
        case .expire(let heardUntil):
            room.expire(at: now, heardUntil: heardUntil, isHeard: isHeard)
        case .wait(let due):
            isTimeHeld = true
            for other in others { other.inquire(until: due.nanoseconds) }
        }
    }
}

/// How far time may advance in the room: only as far as every loop has been read.
///
/// A bid that reached any loop before the hammer's instant is in time. So due events wait until all
/// loops have reported their input up to then.
package enum TimeStep: Equatable {
    /// Nothing is due yet.
    case none
    /// What is due until `heardUntil` is done now.
    case expire(heardUntil: Instant)
    /// Something is due, and other loops have not been read up to that instant.
    case wait(for: Instant)

    /// Decides from when the room is next due, and how far each loop has been read.
    ///
    /// `othersHeardUntil` is nil if there is no other loop.
    package init(due: Instant?, heardUntil own: Instant, othersHeardUntil: Instant?) {
        guard let due, due <= own else {
            self = .none
            return
        }
        let heardUntil = othersHeardUntil.map { min($0, own) } ?? own
        self = heardUntil < due ? .wait(for: due) : .expire(heardUntil: heardUntil)
    }
}
