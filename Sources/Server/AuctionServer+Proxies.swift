import Addresses
import AuctionRules
import Saleroom
import Wire

extension AuctionServer {
    /// Lets a connection into the room, after its PROXY header if it is a proxy's.
    func welcome(_ id: SessionID, from address: PeerAddress, at now: Instant) {
        guard closing == nil, handshakes.begin(id, from: address, at: now) else {
            return join(id, from: address, at: now)
        }
    }

    private func join(_ id: SessionID, from address: PeerAddress, at now: Instant) {
        log.write(connected: id, from: address)
        room.join(id, from: address, at: now)
    }

    /// Receives bytes of a connection whose handshake is under way.
    func receiveHeader(_ bytes: ArraySlice<UInt8>, from id: SessionID, at now: Instant) {
        switch handshakes.receive(bytes, from: id) {
        case .incomplete: break
        case .complete(let address, let rest):
            join(id, from: address, at: now)
            if !rest.isEmpty { hear(rest, from: id, at: now) }
        case .invalid(let proxy): refuse(id, from: proxy, because: "no-proxy-header")
        }
    }

    /// Closes the connections whose header is overdue.
    func expireHandshakes(at now: Instant) {
        while let id = handshakes.popDue(at: now) {
            guard let proxy = handshakes.remove(id) else { continue }
            refuse(id, from: proxy, because: "late-proxy-header")
        }
    }

    /// Handles the end of a connection's input.
    func end(_ id: SessionID, at now: Instant) {
        guard endHandshake(of: id, because: "end") else { return hearEnd(of: id, at: now) }
        perform(.close(id, nil))
    }

    /// Ends the handshake of a connection that is gone; false if none was under way.
    func endHandshake(of id: SessionID, because reason: String) -> Bool {
        guard let proxy = handshakes.remove(id) else { return false }
        // So a proxy checks whether the server is there.
        log.write(.debug, closed: id, from: proxy, because: reason)
        return true
    }

    /// Closes all connections whose handshake is under way.
    func closeHandshakes(_ farewell: ServerMessage.CloseReason) {
        for id in handshakes.removeAll() { perform(.close(id, farewell)) }
    }

    private func refuse(_ id: SessionID, from address: PeerAddress, because reason: String) {
        log.write(.warning, closed: id, from: address, because: reason)
        perform(.close(id, nil))
    }
}
