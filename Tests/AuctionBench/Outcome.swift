import Load

/// The report of a scenario, and why it is not to be trusted, if so.
struct Outcome {
    let report: Report
    let failure: Failure?

    init(_ report: Report, _ failure: Failure? = nil) {
        self.report = report
        self.failure = failure
    }
}

/// Why nothing was measured, or why the result is incomplete.
struct Failure: Error, CustomStringConvertible {
    let description: String
    /// 1 if the server's rules are the reason or something was lost, 2 for a wrong flag, else 3.
    let exitCode: Int32

    init(_ description: String, exitCode: Int32 = 1) {
        self.description = description
        self.exitCode = exitCode
    }

    static let lost = Failure("the server is lost", exitCode: 3)
    static let silent = Failure("the server does not answer", exitCode: 3)
    static let otherProtocol = Failure(
        "the server speaks another protocol: is it another one, or is --speak wrong?", exitCode: 3)
    static let notNamed = Failure("the server gives the bidders no names")
    static let refusedAll = Failure("the server refused every bid: is its sale over?")

    static let noRoom = Failure(
        "the server opens no more rooms: start it with higher --rooms and --rooms-per-address")

    static func notAdmitted(_ room: String) -> Failure {
        Failure("the server lets no bidder into the room \(room): is there such a room?")
    }

    static func notGreeted(_ count: Int) -> Failure {
        Failure(
            "the server does not greet \(count) connections: does it limit them, is it "
                + "another one, or is --speak wrong?", exitCode: 3)
    }

    /// The only bidder may not raise its own bid; some scenarios can have more bidders.
    static func leadsAlone(canHaveMore: Bool) -> Failure {
        Failure(
            "the server refuses a raise by the leader, and there is one bidder: start the server "
                + "with --self-raise allow" + (canHaveMore ? ", or use --bidders 2 or more" : ""))
    }
}
