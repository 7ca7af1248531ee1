import Load

/// Why nothing was measured.
enum Failure: Error, CustomStringConvertible {
    /// There is no server at the address given, for the reason given.
    case unreachable(String)
    /// The server closed a connection, or the network did.
    case lost
    /// The server took too long to let a bidder in.
    case silent
    /// The server took too long to let so many observers in.
    case notAdmitted(Int)
    /// There is no such process on this machine.
    case noProcess(Int32)
    /// The server says something that is not in the dialect.
    case garbled
    /// The server did not give a bidder a name.
    case notNamed
    /// The only bidder may not raise its own bid; the scenario may allow more bidders.
    case leadsAlone(mayHaveMore: Bool)
    /// So many deliveries did not come in time, or came in another way than to the bidder.
    case incomplete(Int)
    /// So many bids had no answer in the end.
    case unanswered(Int)
    /// No lot ended in so many seconds, though each was bid for.
    case endless(seconds: Int)
    /// The server refused every bid.
    case refusedAll
    /// The server refused some of the bids that all were to be accepted.
    case refused(Int, of: Int)
    /// So many prices more were told than bids were accepted.
    case disturbed(Int)

    var description: String {
        switch self {
        case .unreachable(let reason): "cannot reach a server at \(reason)"
        case .lost: "the server is lost"
        case .silent: "the server does not answer"
        case .notAdmitted(let count): "the server does not let \(count.grouped) observers in"
        case .incomplete(let count):
            "\(count.grouped) deliveries did not come within 5 s, "
                + "or came in another way than to the bidder"
        case .unanswered(let count):
            "\(count.grouped) bids had no answer: their age counts as their latency"
        case .endless(let seconds):
            "no lot ended in \(seconds.grouped) s: does somebody else bid, or is the pause long?"
        case .noProcess(let id): "there is no process \(id) here: --pid is that of the server"
        case .garbled: "the server speaks something else: is it another one, or --speak wrong?"
        case .refusedAll: "the server refused every bid: is its sale over?"
        case .refused(let count, let bids):
            "the server refused \(count.grouped) of \(bids.grouped) bids: "
                + "does somebody else bid, or the lot end?"
        case .disturbed(let count):
            "\(count.grouped) prices were those of others: nobody else may bid meanwhile"
        case .notNamed: "the server gives the bidders no names"
        case .leadsAlone(let mayHaveMore):
            "the server refuses a raise by the leader, and there is one bidder: start the server "
                + "with --self-raise allow" + (mayHaveMore ? ", or use --bidders 2 or more" : "")
        }
    }

    /// The exit code: 1 where the rules of the server are the reason, else 3.
    var exitCode: Int32 {
        switch self {
        case .unreachable, .lost, .silent, .notAdmitted, .garbled: 3
        case .noProcess: 2
        case .notNamed, .leadsAlone, .refusedAll, .refused, .disturbed, .incomplete, .unanswered,
            .endless:
            1
        }
    }
}
