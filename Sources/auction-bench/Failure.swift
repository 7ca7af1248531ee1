/// Why nothing was measured.
enum Failure: Error, CustomStringConvertible {
    /// There is no server at the address given, for the reason given.
    case unreachable(String)
    /// The server closed a connection, or the network did.
    case lost
    /// The server took too long to give a bidder a name.
    case silent
    /// The server did not give a bidder a name.
    case notNamed
    /// The only bidder was told to wait for another.
    case leadsAlone
    /// The server refused every bid.
    case refusedAll

    var description: String {
        switch self {
        case .unreachable(let reason): "cannot reach a server at \(reason)"
        case .lost: "the server is lost"
        case .silent: "the server does not answer"
        case .refusedAll: "the server refused every bid: is its sale over?"
        case .notNamed: "the server gives the bidders no names"
        case .leadsAlone:
            "the server refuses a bid by who leads already, and there is one bidder: "
                + "start it with --self-raise allow, or bid with --bidders 2 or more"
        }
    }

    /// The exit code: 1 where the rules of the server are the reason, else 3.
    var exitCode: Int32 {
        switch self {
        case .unreachable, .lost, .silent: 3
        case .notNamed, .leadsAlone, .refusedAll: 1
        }
    }
}
