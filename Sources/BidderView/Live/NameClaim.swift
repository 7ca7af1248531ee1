import Auction
import Wire

/// The claim of a bidder to its name: the token that proves it, on one server at a time.
struct NameClaim {
    /// The time after which the server has surely noticed that an old connection is lost.
    private static let doubtTime = Duration.seconds(120)

    /// The name.
    let bidder: Bidder
    /// Returns the stored token of the name on a server.
    private let storedToken: (Identity?) -> String?
    /// The token, and its server; nil before the first greeting.
    private var proof: (serverID: Identity?, token: String?)?
    /// Whether the name was requested on this connection.
    private var isRequested = false
    /// Until when our own old connection may still own the name, because its answer was lost.
    private var doubtEnd: Duration?

    init(of bidder: Bidder, storedToken: @escaping (Identity?) -> String?) {
        self.bidder = bidder
        self.storedToken = storedToken
    }

    /// Begins on a new connection.
    mutating func connect() {
        isRequested = false
    }

    /// Makes the request for the name, which holds in all rooms; nil if this connection has sent it.
    mutating func request(on serverID: Identity?) -> Request.Command? {
        guard !isRequested else { return nil }
        isRequested = true
        let token =
            if let proof, proof.serverID == serverID { proof.token } else { storedToken(serverID) }
        proof = (serverID, token)
        return .name(bidder, token: token)
    }

    /// Records the token with which the server gave the name.
    mutating func accept(_ token: String) {
        proof?.token = token
        doubtEnd = nil
    }

    /// Records that the answer was lost, so that the name may be taken without a known token.
    mutating func loseAnswer(at now: Duration) {
        if proof?.token == nil { doubtEnd = now + Self.doubtTime }
    }

    /// Whether a refusal is temporary: too many requests, or our own old connection has the name.
    func isTemporary(_ refusal: ErrorReply, at now: Duration) -> Bool {
        switch refusal.code {
        case .slowDown: true
        case .nameTaken: doubtEnd.map { now < $0 } ?? false
        default: false
        }
    }
}
