import Addresses
import AuctionRules
import Saleroom
import Wire

extension AuctionServer {
    /// Lets a connection into the room, once it is known where it comes from.
    func welcome(_ id: SessionID, from address: PeerAddress, at now: Instant) {
        guard closing == nil, entrance.detains(id, from: address, at: now) else {
            return join(id, from: address, at: now)
        }
    }

    private func join(_ id: SessionID, from address: PeerAddress, at now: Instant) {
        log.write(connected: id, from: address)
        room.join(id, from: address, at: now)
    }

    /// Hears what a proxy says first, and then what it passes on.
    func hearHeader(_ bytes: ArraySlice<UInt8>, from id: SessionID, at now: Instant) {
        switch entrance.hear(bytes, from: id) {
        case .waits: break
        case .admits(let address, let first):
            join(id, from: address, at: now)
            if !first.isEmpty { hear(first, from: id, at: now) }
        case .refuses(let address): turnAway(id, from: address, because: "no-proxy-header")
        }
    }

    /// Turns away whose header has not come in time.
    func expireEntrance(at now: Instant) {
        while let id = entrance.takeDue(at: now) {
            guard let address = entrance.dismiss(id) else { continue }
            turnAway(id, from: address, because: "late-proxy-header")
        }
    }

    /// Hears that a connection will say no more.
    func end(_ id: SessionID, at now: Instant) {
        guard leaveEntrance(id, because: "end") else { return hearEnd(of: id, at: now) }
        perform(.close(id, nil))
    }

    /// Forgets a connection that waits in the entrance; false if it does not.
    func leaveEntrance(_ id: SessionID, because reason: String) -> Bool {
        guard let address = entrance.dismiss(id) else { return false }
        // A proxy that looks whether the server is there does so.
        log.write(.debug, closed: id, from: address, because: reason)
        return true
    }

    /// Says goodbye to everybody who waits in the entrance.
    func clearEntrance(_ farewell: Notice.Farewell) {
        for id in entrance.takeAll() { perform(.close(id, farewell)) }
    }

    private func turnAway(_ id: SessionID, from address: PeerAddress, because reason: String) {
        log.write(.warning, closed: id, from: address, because: reason)
        perform(.close(id, nil))
    }
}
