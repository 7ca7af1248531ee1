import AuctionRules
import Wire

/// Who is let in where all places are taken.
///
/// The connection that has been silent for longest makes room: one without a name that has said no
/// line. Where none has been silent for a while, some places are kept in reserve: for the Unix socket,
/// and for those whose first line proves a token. So neither watchers nor strangers who only keep
/// connections open shut out an owner of a name, the auctioneer or the operator.
extension Room {
    /// How long a newcomer may be silent, as long as there are places in reserve.
    private static let silencePatience = Duration.seconds(2)

    /// Finds a place for a newcomer, for which another connection may have to go; nil if there is
    /// none.
    mutating func findPlace(at now: Instant) -> Session.Place? {
        guard !hasRegularPlace else { return .regular }
        let latest = now.advanced(by: .zero - Self.silencePatience)
        if let place = dismissSilent(since: latest, at: now) { return place }
        guard reservedCount >= limits.reserve else { return .reserved }
        return dismissSilent(since: now, at: now)
    }

    /// Whether one of the places that are not in reserve is free.
    private var hasRegularPlace: Bool {
        sessions.count - reservedCount < limits.connections ?? .max
    }

    /// Notes that a connection has come and said nothing yet.
    mutating func noteSilent(_ id: SessionID) {
        silent.append(id)
        guard silent.count > 2 * sessions.count + 64 else { return }
        var still = Queue<SessionID>()
        while let id = silent.takeFirst() { if sessions[id]?.isSilent == true { still.append(id) } }
        silent = still
    }

    /// Whether a connection may say this: one in a reserved place has to prove a token first, and is
    /// sent away if it says anything else.
    mutating func isAllowed(_ request: Request?, of id: SessionID, at now: Instant) -> Bool {
        guard sessions[id]?.isOnTrial == true else { return true }
        if hasRegularPlace {
            sessions[id]?.place = .regular
            reservedCount -= 1
        } else if !isProof(request, from: id) {
            endTrial(of: id, tag: request?.tag, at: now)
            return false
        }
        sessions[id]?.isOnTrial = false
        return true
    }

    /// Sends a connection away that has a reserved place and proves nothing; false if it has none.
    @discardableResult
    mutating func endTrial(of id: SessionID, tag: String?, at now: Instant) -> Bool {
        guard sessions[id]?.isOnTrial == true else { return false }
        note(.full)
        reply(.error(.full, tag: tag), to: id)
        dismiss(id, .full, at: now)
        return true
    }

    private func isProof(_ request: Request?, from id: SessionID) -> Bool {
        switch request?.command {
        case .name(let bidder, let token?): names[bidder]?.token.isSpelled(token) == true
        case .auctioneer(let token):
            auctioneerToken?.isSpelled(token) == true
                && (!isAuctioneerLocal || sessions[id]?.address == .local)
        default: false
        }
    }

    /// Sends the connection away that has been silent for longest, if it came by then, and returns the
    /// place that it had; nil if there is none.
    private mutating func dismissSilent(since latest: Instant, at now: Instant) -> Session.Place? {
        while let id = silent.first {
            guard let session = sessions[id], session.isSilent else {
                _ = silent.takeFirst()
                continue
            }
            guard session.joined <= latest else { return nil }
            _ = silent.takeFirst()
            note(.silent)
            if !session.isAdmitted { reply(.error(.full, tag: nil), to: id) }
            dismiss(id, .full, at: now)
            return session.place
        }
        return nil
    }
}
