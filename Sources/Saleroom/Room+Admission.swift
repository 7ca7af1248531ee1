import Addresses
import AuctionRules
import Queues
import Wire

/// Admission of newcomers when all places are taken.
///
/// The connection that has been silent for longest is closed; silent means that it has sent no
/// line. If none has been silent for two seconds, the newcomer gets a reserved place. Those are for
/// the Unix socket, and for clients whose first command, except `format` and `status`, proves a
/// token. A quarter of them is for the Unix socket alone. So idle connections cannot lock out the
/// owners of names, the auctioneer or the operator.
extension Room {
    /// How long a newcomer may be silent while reserved places are free.
    private static let silencePatience = Duration.seconds(2)

    /// How many lines a connection in a reserved place may send before its token.
    private static let mostPreliminaries = 4

    /// Finds a place for a newcomer, and may close a silent connection for it; nil if none is free.
    mutating func findPlace(for address: PeerAddress, at now: Instant) -> Session.Place? {
        if places.hasFree(.regular) { return .regular }
        let latest = now.advanced(by: .zero - Self.silencePatience)
        if let place = dismissSilent(since: latest, at: now) { return place }
        if address == .local, places.hasFree(.local) { return .local }
        return places.hasFree(.reserved) ? .reserved : dismissSilent(since: now, at: now)
    }

    /// Records a new connection, which has sent nothing yet.
    mutating func noteSilent(_ id: SessionID) {
        silent.append(id)
        guard silent.count > 2 * sessions.count + 64 else { return }
        var still = Queue<SessionID>()
        while let id = silent.popFirst() { if sessions[id]?.isSilent == true { still.append(id) } }
        silent = still
    }

    /// Whether a connection may send this request.
    ///
    /// A connection in a reserved place must prove a token. Before that it may send a few lines of
    /// `format` and `status`, and still counts as silent; anything else closes it.
    mutating func isAllowed(_ request: Request?, of id: SessionID, at now: Instant) -> Bool {
        guard let index = sessions.index(forKey: id), sessions.values[index].isOnTrial else {
            return true
        }
        if places.hasFree(.regular) {
            places.free(sessions.values[index].place)
            places.take(.regular)
            sessions.values[index].place = .regular
            passTrial(at: index)
            return true
        }
        if isProof(request, from: id) { return true }
        if isPreliminary(request), sessions.values[index].preliminaries < Self.mostPreliminaries {
            sessions.values[index].preliminaries += 1
            return true
        }
        endTrial(of: id, tag: request?.tag, at: now)
        return false
    }

    /// Decides whether a connection keeps its reserved place, after its request was answered.
    ///
    /// A name or the auctioneer's rights keep it. A right token alone does not, because the name
    /// may have been refused for another reason.
    mutating func decideTrial(of id: SessionID, after request: Request?, at now: Instant) {
        guard let index = sessions.index(forKey: id), sessions.values[index].isOnTrial else {
            return
        }
        if sessions.values[index].bidder != nil || sessions.values[index].isAuctioneer {
            passTrial(at: index)
        } else if !isPreliminary(request) {
            note(.full)
            dismiss(id, .full, at: now)
        }
    }

    private mutating func passTrial(at index: Dictionary<SessionID, Session>.Index) {
        withSession(at: index) { ($0.isOnTrial, $0.isSilent) = (false, false) }
    }

    /// Closes a connection that has yet to prove a token; false if it need not prove one.
    @discardableResult
    mutating func endTrial(of id: SessionID, tag: String?, at now: Instant) -> Bool {
        guard sessions[id]?.isOnTrial == true else { return false }
        note(.full)
        reply(.error(.full, tag: tag), to: id)
        dismiss(id, .full, at: now)
        return true
    }

    /// Whether a client may send this request before its token.
    private func isPreliminary(_ request: Request?) -> Bool {
        switch request?.command {
        case .format, .status: true
        default: false
        }
    }

    private func isProof(_ request: Request?, from id: SessionID) -> Bool {
        switch request?.command {
        case .name(let bidder, let token?): sale.names[bidder]?.token.isSpelled(token) == true
        case .auctioneer(let token):
            auctioneerToken?.isSpelled(token) == true
                && (!isAuctioneerLocal || sessions[id]?.address == .local)
        default: false
        }
    }

    /// Closes the connection silent for longest, if it came by `latest`, and returns its place; nil
    /// if there is none.
    private mutating func dismissSilent(since latest: Instant, at now: Instant) -> Session.Place? {
        while let id = silent.first {
            guard let session = sessions[id], session.isSilent else {
                _ = silent.popFirst()
                continue
            }
            guard session.joined <= latest else { return nil }
            _ = silent.popFirst()
            note(.silent)
            if !session.isAdmitted { reply(.error(.full, tag: nil), to: id) }
            dismiss(id, .full, at: now)
            return session.place
        }
        return nil
    }
}
