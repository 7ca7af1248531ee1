import Auction
import Basics
import Wire

/// The places for connections, and which connections get one when all are taken.
///
/// The connection that has been silent for longest is closed for a new one; silent means that it
/// has sent no line. If none has been silent for two seconds, the new one gets a reserved place.
/// Those are for the Unix socket, and for clients whose first command, except `format` and
/// `status`, proves a token. A quarter of them is for the Unix socket alone. So idle connections
/// cannot lock out the owners of names, the auctioneer or the operator.
struct Admission {
    /// How long a new connection may be silent while reserved places are free.
    private static let silenceAllowed = Duration.seconds(2)
    /// How many lines a connection in a reserved place may send before its token.
    private static let linesBeforeToken = 4

    private let regularLimit: Int?
    private let reservedLimit: Int
    private let localLimit: Int
    private var regularCount = 0
    private var reservedCount = 0
    private var localCount = 0
    /// The connections by arrival; those that have sent a line, or have left, are skipped.
    private var silent = Queue<(id: SessionID, joined: Instant)>()
    /// The lines that connections on trial have sent before a token.
    private var linesOnTrial: [SessionID: Int] = [:]

    /// The decision about a new connection.
    enum Decision {
        /// It gets a free place.
        case admit(Session.Place)
        /// It gets the place of a silent connection, which must be closed.
        case replace(SessionID)
        /// There is no place for it.
        case refuse
    }

    /// A quarter of the reserved places, rounded up, is for the Unix socket alone.
    init(_ limits: Limits) {
        regularLimit = limits.connections
        localLimit = (limits.reserve + 3) / 4
        reservedLimit = limits.reserve - localLimit
    }

    // Places

    /// Decides about a new connection.
    mutating func decide(
        _ address: PeerAddress, among sessions: borrowing SessionTable, at now: Instant
    ) -> Decision {
        if hasFree(.regular) { return .admit(.regular) }
        let latest = now.advanced(by: .zero - Self.silenceAllowed)
        if let id = popSilent(since: latest, sessions) { return .replace(id) }
        if address == .local, hasFree(.local) { return .admit(.local) }
        if hasFree(.reserved) { return .admit(.reserved) }
        return popSilent(since: now, sessions).map { .replace($0) } ?? .refuse
    }

    /// Adds a connection that has sent nothing yet, after it was added to the sessions.
    mutating func add(
        _ id: SessionID, _ place: Session.Place, among sessions: borrowing SessionTable,
        at now: Instant
    ) {
        count(1, in: place)
        // A silent connection in a local place is not closed: other clients may not use that place.
        guard place != .local else { return }
        while let first = silent.first, sessions[first.id]?.isSilent != true {
            _ = silent.popFirst()
        }
        silent.append((id, now))
        guard silent.count > 2 * sessions.count + 64 else { return }
        var still = Queue<(id: SessionID, joined: Instant)>()
        while let entry = silent.popFirst() {
            if sessions[entry.id]?.isSilent == true { still.append(entry) }
        }
        silent = still
    }

    /// Removes a connection that has ended.
    mutating func remove(_ id: SessionID, _ session: Session) {
        count(-1, in: session.place)
        if !linesOnTrial.isEmpty { linesOnTrial[id] = nil }
    }

    private func hasFree(_ place: Session.Place) -> Bool {
        switch place {
        case .regular: regularLimit.map { regularCount < $0 } ?? true
        case .reserved: reservedCount < reservedLimit
        case .local: localCount < localLimit
        }
    }

    private mutating func count(_ change: Int, in place: Session.Place) {
        switch place {
        case .regular: regularCount += change
        case .reserved: reservedCount += change
        case .local: localCount += change
        }
    }

    /// Removes and returns the connection silent for longest, if it came by `latest`.
    private mutating func popSilent(
        since latest: Instant, _ sessions: borrowing SessionTable
    ) -> SessionID? {
        while let (id, joined) = silent.first {
            let isSilent = sessions[id]?.isSilent == true
            guard !isSilent || joined <= latest else { return nil }
            _ = silent.popFirst()
            if isSilent { return id }
        }
        return nil
    }

    // Trials

    /// Whether a connection on trial may send this request.
    ///
    /// It must prove a token. Before that it may send a few lines of `format` and `status`, and
    /// still counts as silent; after anything else it must be closed. If there is a regular place
    /// by now, it gets that and its trial ends.
    mutating func allows(
        _ request: Request?, isProof: Bool, of id: SessionID, _ session: inout Session
    ) -> Bool {
        if hasFree(.regular) {
            count(-1, in: session.place)
            count(1, in: .regular)
            session.place = .regular
            passTrial(of: id, &session)
            return true
        }
        if isProof { return true }
        guard Self.isPreliminary(request), linesOnTrial[id, default: 0] < Self.linesBeforeToken
        else { return false }
        linesOnTrial[id, default: 0] += 1
        return true
    }

    /// Decides whether a connection on trial keeps its place; false if it must be closed.
    ///
    /// Called after its request was answered. A name or the auctioneer's rights keep the place. A
    /// right token alone does not, because the name may have been refused for another reason.
    mutating func keeps(
        _ id: SessionID, _ session: inout Session, after request: Request?
    ) -> Bool {
        guard session.bidder != nil || session.rights != .none else {
            return Self.isPreliminary(request)
        }
        passTrial(of: id, &session)
        return true
    }

    private mutating func passTrial(of id: SessionID, _ session: inout Session) {
        (session.isOnTrial, session.isSilent) = (false, false)
        linesOnTrial[id] = nil
    }

    /// Whether a client may send this request before its token.
    private static func isPreliminary(_ request: Request?) -> Bool {
        if case .format? = request?.command { return true }
        return request?.command == .status
    }
}
