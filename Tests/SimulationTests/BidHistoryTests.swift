import Simulation
import Testing

/// The checker is only as good as what it refuses.
///
/// A history is written in short: `al 10 ok 0-1` for a bid of 10 that was made at 0 and answered at
/// 1, `min=15`, `leads=10` or `closed` for its refusal, `? 0-` for one without an answer. Lots begin
/// at 10, in steps of 5.
@Suite("BidHistory")
struct BidHistoryTests {
    @Test(
        "a history that one bid after the other gives is accepted",
        arguments: [
            "", "al 10 ok 0-1", "al 10 ok 0-1, bo 15 ok 2-3, hammer 4-5",
            // Under way at once, the higher was first.
            "al 10 min=20 0-9, bo 15 ok 1-2",
            // The leader's bid again.
            "al 10 ok 0-1, al 10 ok 2-3",
            // Accepted much later, or never, and never answered.
            "al 20 ? 0-, bo 10 ok 5-6, bo 20 min=25 7-8",
            "al 20 ? 0-, bo 10 ok 5-6, hammer 7-8",
            "al 10 ok 0-1, hammer 5-9, bo 15 closed 6-7, cy 15 closed 10-11",
            "al 10 ok 0-1, hammer 5-9, bo 15 ok 6-10",
        ])
    func right(history: String) throws {
        #expect(try BidHistory(history).isLinearizable == true)
    }

    @Test(
        "a history that no order explains is refused",
        arguments: [
            // Too little: under the start, equal, less than a step, lower than what was answered.
            "al 9 ok 0-1", "al 10 ok 0-1, bo 10 ok 2-3", "al 10 ok 0-1, bo 14 ok 2-3",
            "al 20 ok 0-1, bo 10 ok 2-3",
            // Refused by a bid that was made later, or by a minimum that nobody set.
            "al 10 min=20 0-1, bo 15 ok 2-3", "al 5 min=11 0-1",
            // The leader: at another price, raising, and refused the own bid.
            "al 10 ok 0-1, al 20 leads=15 2-3", "al 10 ok 0-1, al 20 ok 2-3",
            "al 10 ok 0-1, al 10 min=15 2-3",
            // The hammer: accepted after it, closed before it, without a bid, and twice.
            "al 10 ok 0-1, hammer 2-3, bo 20 ok 4-5", "al 10 ok 0-1, bo 20 closed 2-3, hammer 4-5",
            "hammer 0-1", "al 10 ok 0-1, hammer 2-3, hammer 4-5",
            // A bid without an answer: there for one and gone for the next, or before it was made.
            "al 20 ? 0-, bo 20 min=25 1-2, cy 10 ok 3-4", "bo 20 min=25 1-2, al 20 ? 3-",
        ])
    func wrong(history: String) throws {
        #expect(try BidHistory(history).isLinearizable == false)
    }

    @Test("a leader may raise an own bid where that is allowed")
    func selfRaise() throws {
        let history = try BidHistory("al 10 ok 0-1, al 15 ok 2-3", allowsSelfRaise: true)
        #expect(history.isLinearizable == true)
    }

    @Test("sixty bids under way at once are put in order")
    func many() throws {
        let bids = (0..<60).map { "\($0 % 2 == 0 ? "al" : "bo") \(10 + 5 * $0) ok 0-9" }
        #expect(try BidHistory(bids.joined(separator: ", ")).isLinearizable == true)
    }
}

extension BidHistory {
    /// Reads a history that is written in short.
    fileprivate init(_ text: String, allowsSelfRaise: Bool = false) throws {
        let operations = try text.split(separator: ",").map { try Operation($0) }
        self.init(start: 10, step: 5, allowsSelfRaise: allowsSelfRaise, operations)
    }
}

extension BidHistory.Operation {
    fileprivate init(_ text: Substring) throws {
        let words = text.split(separator: " ")
        let times = try #require(words.last).split(
            separator: "-", omittingEmptySubsequences: false)
        let (invoked, answered) = (try #require(Int(times[0])), Int(times[1]))
        var kind = Kind.hammer
        if words.count == 4 {
            let outcome = try BidHistory.Outcome(words[2])
            kind = .bid(try #require(Int64(words[1])), by: String(words[0]), outcome)
        }
        self.init(kind, invoked: .seconds(invoked), answered: answered.map { .seconds($0) })
    }
}

extension BidHistory.Outcome {
    fileprivate init(_ word: Substring) throws {
        let amount = word.split(separator: "=").last.flatMap { Int64($0) }
        switch word.prefix(2) {
        case "ok": self = .accepted
        case "mi": self = .belowMinimum(try #require(amount))
        case "le": self = .leading(try #require(amount))
        case "cl": self = .closed
        default: self = .unknown
        }
    }
}
