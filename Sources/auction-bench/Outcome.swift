import Load
import Posix

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
    /// 1 if the rules of the server are the reason or something was lost, 2 for a wrong flag, else 3.
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

    static func notGreeted(_ count: Int) -> Failure {
        Failure(
            "the server does not greet \(count.grouped) connections: does it limit them, is it "
                + "another one, or is --speak wrong?", exitCode: 3)
    }

    /// The only bidder may not raise its own bid; some scenarios can have more bidders.
    static func leadsAlone(canHaveMore: Bool) -> Failure {
        Failure(
            "the server refuses a raise by the leader, and there is one bidder: start the server "
                + "with --self-raise allow" + (canHaveMore ? ", or use --bidders 2 or more" : ""))
    }
}

/// A line a second about how far a scenario is, if standard error is a terminal.
struct Progress {
    private static let interval: Int64 = 1_000_000_000

    /// When the next line is due, in monotonic nanoseconds.
    private(set) var next = monotonicNanoseconds() + interval
    private let subject: String
    private let isShown = StandardStream.error.isTerminal
    private var count = 0
    private var seconds = 0

    /// Creates the lines about a subject, which follows a number, as in `bids/s accepted`.
    init(of subject: String) {
        self.subject = subject
    }

    /// Prints by how much a count has grown in the last second, if a second has passed.
    mutating func show(_ count: Int, at now: Int64) {
        guard now >= next else { return }
        next += Self.interval
        seconds += 1
        if isShown {
            StandardStream.error.say("\(seconds) s: \((count - self.count).grouped) \(subject)")
        }
        self.count = count
    }
}
