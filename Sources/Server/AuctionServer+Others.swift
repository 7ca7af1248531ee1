import AuctionRules
import Saleroom
import Wire

extension AuctionServer {
    /// Hears what has come to the other shards, as far as there is room for it.
    func hearOthers(at now: Instant) throws {
        areOthersUnheard = false
        for other in others {
            try other.takeArrivals()
            while !isFull, let (arrival, bytes) = other.nextArrival() {
                try hear(arrival, of: other.number, bytes, at: now)
            }
            if isFull { areOthersUnheard = true }
        }
    }

    private func hear(
        _ arrival: Arrivals.Arrival, of shard: Int, _ bytes: ArraySlice<UInt8>, at now: Instant
    ) throws {
        switch arrival {
        case .joined(let handle, let address):
            welcome(SessionID(handle, shard: shard), from: address, at: now)
        case .refused(let error):
            log.write(.warning, "turned-away") { $0.add("reason", error.description) }
            try doors.reopen()
        case .heard(let handle, _):
            hearOther(bytes, from: SessionID(handle, shard: shard), at: now)
        case .ended(let handle): endOther(SessionID(handle, shard: shard), at: now)
        case .lost(let handle): try lose(SessionID(handle, shard: shard))
        case .fallen(let handle): room.resync(SessionID(handle, shard: shard), at: .now)
        case .sent(let handle): backlog.sent(SessionID(handle, shard: shard))
        case .stalled(let handle):
            room.leave(SessionID(handle, shard: shard), because: .stalled)
        case .drained: break
        }
    }

    /// Hears bytes behind those that were kept, if there are any.
    private func hearOther(_ bytes: ArraySlice<UInt8>, from id: SessionID, at now: Instant) {
        if !backlog.append(bytes, of: id) { hear(bytes, from: id, at: now) }
    }

    private func endOther(_ id: SessionID, at now: Instant) {
        if !backlog.end(id) { end(id, at: now) }
    }

    /// Lets time pass to the instant up to which our own loop has been heard.
    func passTime(to now: Instant) {
        expireRoom(at: now)
        expireEntrance(at: now)
    }

    /// Lets time pass in the room as far as everybody has been heard, on all loops: whoever bid
    /// before the hammer is in time.
    private func expireRoom(at now: Instant) {
        isTimeHeld = false
        guard let due = room.deadline, due <= now else { return }
        let heard = others.map { Instant(nanoseconds: $0.heardUntil) }.min().map { min($0, now) }
        guard let heard, heard < due else {
            return room.expire(at: heard ?? now, isHeard: isHeard)
        }
        isTimeHeld = true
        for other in others where other.heardUntil < due.nanoseconds { other.inquire() }
    }
}
