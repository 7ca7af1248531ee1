import Auction
import Simulation
import Testing
import Wire

/// A class of four in groups of two, which plays a round of practice and two that count.
@Suite("Class model")
struct ClassModelTests {
    private static let present = Set(["al", "bo", "cy", "di"].compactMap { Bidder($0) })
    /// The lines of a round, each in the room of a group, or in `class`.
    typealias Lines = [(group: Int?, words: String)]

    private static var model: ClassModel {
        var plan = ClassPlan()
        (plan.groupSize, plan.values) = (2, .personal(50...150))
        plan.parts = [.init(1, .sealed, isPractice: true), .init(2, .sealed)]
        return ClassModel(plan)
    }

    private static func draw(_ number: Int, lot: Int, groups: [Int] = [1, 1, 2, 2]) -> Lines {
        let practice = number == 1 ? "practice=yes " : ""
        return [
            (nil, "ROUND \(number) treatment=1 format=sealed \(practice)draw=\(number) members=4")
        ]
            + zip(["al", "bo", "cy", "di"], groups).map { (nil, "MEMBER \($0) \($1) \(lot)") }
    }

    /// The lots of a round: al wins the first, and nobody wants the second.
    private static func play(_ number: Int, lot: Int) -> Lines {
        let title = number == 1 ? "Practice 1" : "Round \(number)"
        return [
            (1, "LOT \(lot) \(title)"), (1, "WORTH al \(100 + number)"), (1, "WORTH bo 90"),
            (2, "LOT \(lot) \(title)"), (1, "BID al 40"), (1, "REVEALED al 40"),
            (1, "WINNER al 40 00:02.0 \(title)"), (2, "PASSED \(lot) no-bids \(title)"),
        ]
    }

    private static func earn(_ number: Int) -> Lines {
        [
            (nil, "EARNED al lots=1 spent=40 profit=\(60 + number)"),
            (nil, "EARNED bo lots=0 spent=0 profit=0"), (nil, "EARNED cy lots=0 spent=0 profit=0"),
            (nil, "EARNED di lots=0 spent=0 profit=0"),
        ]
    }

    private static func round(_ number: Int) -> Lines {
        draw(number, lot: number) + play(number, lot: number) + earn(number)
    }

    private static let all = round(1) + round(2) + round(3)

    /// The promise that lines break, one after the other.
    private static func broken(by lines: Lines, in model: inout ClassModel) -> Promise? {
        lines.compactMap { group, words in
            model.take(words, in: group, present: present)?.promise
        }.first
    }

    private static func broken(by lines: Lines) -> Promise? {
        var model = model
        return broken(by: lines, in: &model) ?? model.checkSettled()?.promise
    }

    @Test("a class that plays its rounds to the end is accepted, and practice does not count")
    func right() throws {
        var model = Self.model
        let end: Lines = [(nil, "OVER 3"), (nil, "CHAMPION al 125")]
        #expect(Self.broken(by: Self.all + end, in: &model) == nil)
        #expect(model.isOver)
        let al = try #require(Bidder("al"))
        #expect(model.sums == [al: Tally(bidder: al, lots: 2, spent: 80, profit: 125)])
    }

    @Test(
        "a round that begins twice, too early or not at all is refused",
        arguments: [
            round(1) + draw(1, lot: 2), round(1) + draw(3, lot: 2),
            draw(1, lot: 1) + draw(2, lot: 1),
            draw(1, lot: 1) + play(1, lot: 1) + draw(2, lot: 2), round(1) + [(nil, "OVER 3")],
            all + draw(4, lot: 4), all + [(nil, "OVER 3")] + draw(3, lot: 4),
            [(nil, "ROUND 1 treatment=1 format=vickrey practice=yes draw=1 members=4")],
            [(nil, "ROUND 1 treatment=1 format=sealed draw=1 members=4")],
            round(1) + [(nil, "ROUND 2 treatment=1 format=sealed draw=1 members=4")],
        ] as [Lines])
    func wrongRounds(lines: Lines) {
        #expect(Self.broken(by: lines) == .rounds)
    }

    @Test(
        "groups of wrong sizes, a bidder in two of them and a bid of another's are refused",
        arguments: [
            draw(1, lot: 1, groups: [1, 1, 1, 2]), draw(1, lot: 1, groups: [1, 1, 3, 3]),
            draw(1, lot: 2), draw(1, lot: 1).dropLast() + [(nil, "MEMBER al 2 1")],
            draw(1, lot: 1).dropLast() + [(nil, "MEMBER ed 2 1")],
            draw(1, lot: 1) + [(1, "LOT 1 Practice 1"), (1, "BID cy 40")],
        ] as [Lines])
    func wrongGroups(lines: Lines) {
        #expect(Self.broken(by: lines) == .groups)
    }

    @Test(
        "what is earned twice, for nothing, before the lot has ended, or not, is refused",
        arguments: [
            round(1) + [(nil, "EARNED al lots=1 spent=40 profit=61")],
            draw(1, lot: 1) + play(1, lot: 1) + [(nil, "EARNED bo lots=1 spent=40 profit=50")],
            draw(1, lot: 1) + play(1, lot: 1) + [(nil, "EARNED al lots=1 spent=40 profit=60")],
            draw(1, lot: 1) + [(1, "LOT 1 Practice 1")]
                + [(nil, "EARNED bo lots=0 spent=0 profit=0")],
            draw(1, lot: 1) + play(1, lot: 1) + earn(1).dropLast(),
            all + [(nil, "OVER 3")], all + [(nil, "OVER 3"), (nil, "CHAMPION bo 0")],
            all + [(nil, "OVER 3"), (nil, "CHAMPION al 186")],
        ] as [Lines])
    func wrongGains(lines: Lines) {
        #expect(Self.broken(by: lines) == .earned)
    }

    @Test("a member is admitted to the room of its group alone, while the round is played")
    func places() throws {
        let (al, ed) = (try #require(Bidder("al")), try #require(Bidder("ed")))
        func admitted(after lines: Lines) -> [Bool] {
            var model = Self.model
            _ = Self.broken(by: lines, in: &model)
            return [(al, 1), (al, 2), (ed, 1)].map { model.admits($0, to: $1) }
        }
        #expect(admitted(after: Self.draw(1, lot: 1)) == [true, false, false])
        #expect(admitted(after: Self.draw(1, lot: 1).dropLast()) == [false, false, false])
        #expect(admitted(after: Self.round(1)) == [false, false, false])
    }

    @Test("a notice of another group, of its size or of another round is refused")
    func notices() {
        var model = Self.model
        _ = Self.broken(by: Self.draw(1, lot: 1), in: &model)
        func isTrue(round: Int, group: Int, of groups: Int = 2, size: Int = 2) -> Bool {
            var notice = ClassNotice(
                round: round, of: 3, format: .sealed, title: ClassPlan().title)
            (notice.isPractice, notice.size) = (round == 1, size)
            (notice.group, notice.groups) = (group, groups)
            return model.isTrue(notice, to: Bidder("al"))
        }
        #expect(isTrue(round: 1, group: 1))
        #expect(!isTrue(round: 1, group: 2) && !isTrue(round: 2, group: 1))
        #expect(!isTrue(round: 1, group: 1, of: 3) && !isTrue(round: 1, group: 1, size: 3))
    }

    @Test("a round is left out only by an order, and while the class is paused none begins")
    func orders() {
        let line = "ROUND 1 treatment=1 format=sealed practice=yes draw=1"
        let skipped: Lines = [(nil, "\(line) members=0")] + Self.draw(2, lot: 1)
        var model = Self.model
        model.skip()
        #expect(Self.broken(by: skipped, in: &model) == nil)
        #expect(Self.broken(by: skipped) == .rounds)
        let paused: Lines = [(nil, "PAUSED")]
        #expect(Self.broken(by: paused + Self.draw(1, lot: 1)) == .rounds)
        #expect(Self.broken(by: paused + [(nil, "RESUMED")] + Self.draw(1, lot: 1)) == nil)
    }

    /// A model that has taken lines, published all of them, and finds a state after a start.
    private func restarted(
        after lines: Lines, published: Int? = nil, finding state: [String],
        _ news: [Int: [String]] = [:]
    ) -> (model: ClassModel, promise: Promise?) {
        var model = Self.model
        _ = Self.broken(by: lines, in: &model)
        for _ in 0..<(published ?? lines.count { $0.group == nil }) { model.publish() }
        let promise = model.recover(state, news: news)?.promise
        return (model, promise)
    }

    private static let state = draw(1, lot: 1).map(\.words)
    private static let news = [1: ["LOT 1 Practice 1"], 2: ["LOT 1 Practice 1"]]

    @Test("after a start a published place or gain must be there, and what was not may be lost")
    func kept() {
        let lines = Self.draw(1, lot: 1) + Self.play(1, lot: 1) + Self.earn(1)
        let done = Self.state.map { $0.hasPrefix("MEMBER") ? "\($0) done" : $0 }
        #expect(restarted(after: lines, finding: done).promise == nil)
        #expect(restarted(after: lines, finding: Self.state).promise == .kept)
        #expect(restarted(after: lines, published: 5, finding: Self.state).promise == nil)
        #expect(restarted(after: lines, published: 1, finding: []).promise == .kept)
        let moved = Self.state.dropLast() + ["MEMBER di 1 1"]
        #expect(restarted(after: lines, published: 5, finding: Array(moved)).promise == .kept)
    }

    @Test("after a start a value may not change, nor may the groups of an equal draw")
    func drawnAgain() {
        let lines = Self.draw(1, lot: 1) + Self.play(1, lot: 1).prefix(3)
        var (model, promise) = restarted(after: lines, finding: Self.state, Self.news)
        #expect(promise == nil)
        #expect(Self.broken(by: [(1, "WORTH al 101")], in: &model) == nil)
        #expect(Self.broken(by: [(1, "WORTH al 102")], in: &model) == .sameValue)
        (model, promise) = restarted(after: lines, published: 0, finding: [])
        #expect(Self.broken(by: Self.draw(1, lot: 1), in: &model) == nil)
        (model, promise) = restarted(after: lines, published: 0, finding: [])
        #expect(
            Self.broken(by: Self.draw(1, lot: 1, groups: [1, 2, 1, 2]), in: &model) == .groups)
    }

    @Test("after a start a round begins again if it has not all members, and not otherwise")
    func begunAgain() {
        let (lines, cut) = (Self.draw(1, lot: 1), Array(Self.state.dropLast()))
        var (model, _) = restarted(after: lines, published: 2, finding: cut)
        #expect(Self.broken(by: lines, in: &model) == nil)
        (model, _) = restarted(after: lines, published: 2, finding: cut)
        #expect(Self.broken(by: Self.draw(2, lot: 1), in: &model) == .rounds)
        (model, _) = restarted(after: lines, finding: Self.state)
        #expect(Self.broken(by: lines, in: &model) == .rounds)
    }
}
